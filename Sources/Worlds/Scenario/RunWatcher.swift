import Bodies
import Cameras
import Controller

/// Watches a run of a scenario, keeps its transcript, and checks the run against the rules.
struct RunWatcher: WorldWatcher {
    var transcript: Transcript
    var invariants: Invariants
    /// The hash of the daemon's effects on the world; nil: not requested.
    var trace: ExternalTrace?

    /// The numbers of started shoots and of exposed frames.
    private(set) var shoots = 0
    private(set) var exposures = 0

    init(transcript: Transcript, invariants: Invariants, isTraced: Bool) {
        self.transcript = transcript
        trace = isTraced ? ExternalTrace() : nil
        self.invariants = invariants
    }

    var hasSeenViolation: Bool { !invariants.violations.isEmpty }

    mutating func note(_ words: @autoclosure () -> String, at now: Duration) {
        transcript.note(words(), number: 1, at: now)
    }

    mutating func took(_ input: Input, _ performed: ArraySlice<Effect>, core: Core, at now: Duration) {
        transcript.note(input, performed, at: now)
        trace?.note(performed, at: now)
        for case .journal(let entry) in performed where entry.kind == .shootStarted { shoots += 1 }
        invariants.took(input, performed, core: core, at: now)
    }

    mutating func did(_ action: BodyAction, camera: Int, at now: Duration) {
        if case .exposed = action { exposures += 1 }
        transcript.note(action, camera: camera, at: now)
        invariants.did(action, camera: camera, at: now)
    }

    mutating func added(_ camera: SimulatedCamera, number: Int) { invariants.added(camera, number: number) }

    mutating func linked(_ generation: LinkGeneration, to camera: Int, at now: Duration) {
        invariants.linked(generation, to: camera, at: now)
    }

    mutating func died(ledger: VirtualLedger.Tables, isPowerCut: Bool, at now: Duration) {
        transcript.note("the daemon's process is gone", number: 2, at: now)
        invariants.died(ledger: ledger, isPowerCut: isPowerCut, at: now)
    }

    mutating func lostCommits(ledger: VirtualLedger.Tables, at now: Duration) {
        transcript.note("the ledger's log is damaged", number: 3, at: now)
        invariants.lostCommits(ledger: ledger, at: now)
    }
}
