import Controller

/// Looks on in a run of a scenario: keeps the transcript, and holds everything against the invariants.
struct RunWatcher: WorldWatcher {
    var transcript: Transcript
    var invariants: Invariants

    var isAlarmed: Bool { invariants.isAlarmed }

    mutating func took(_ input: Input, _ performed: ArraySlice<Effect>, core: Core, at now: Duration) {
        transcript.note(input, performed, at: now)
        invariants.took(input, performed, core: core, at: now)
    }

    mutating func did(_ action: BodyAction, camera: Int, at now: Duration) {
        transcript.note(action, camera: camera, at: now)
        invariants.did(action, camera: camera, at: now)
    }

    mutating func died(ledger: VirtualLedger.Tables, at now: Duration) {
        transcript.note("the daemon's process is gone", number: 2, at: now)
        invariants.died(ledger: ledger, at: now)
    }
}
