import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// Pauses, doubts and frames that were fired again, as the ledger records them.
@Suite struct IncidentTests {
    private static let plan = ShootingTests.threeFrames

    private func bench(_ twists: ScriptedCamera.Deviation...) -> Bench {
        var bench = Bench(ScriptedCamera(twists: twists))
        bench.pass { $0.state("connection") == "connected" }
        bench.ask(.shoot(Self.plan, streams: false))
        return bench
    }

    private func finish(_ bench: inout Bench) {
        bench.pass { $0.status.shoot?.outcome != nil && $0.daemon.ledger.nextTime == nil }
        bench.pass(.seconds(1))
    }

    private func incidents(_ bench: Bench, of shoot: Int = 1) -> [Incident] {
        bench.daemon.ledger.tables.shoots[shoot]?.incidents ?? []
    }

    /// The incidents without their times.
    private func bare(_ bench: Bench, of shoot: Int = 1) -> [Incident] {
        incidents(bench, of: shoot).map { Incident($0.kind, $0.reason, frame: $0.frame, outcome: $0.outcome) }
    }

    /// The form of a time in the ledger. The virtual world began in 1970.
    private func wall(_ time: Duration) -> Moment {
        .wall(milliseconds: time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000)
    }

    @Test func `a shoot without incidents has none`() {
        var bench = bench()
        finish(&bench)
        #expect(bench.status.shoot?.outcome == .completed && incidents(bench).isEmpty)
    }

    @Test func `a pause is kept with its reason, frame and times, and is open until the shoot resumes`() throws {
        var bench = bench()
        bench.pass { $0.scripted.fired.count == 2 }
        bench.ask(.pause())
        bench.pass { $0.state("shooting") == "byCommand" }
        let began = bench.now
        bench.pass(.seconds(30))
        #expect(bare(bench) == [Incident(.paused, .command, frame: 1)])
        let open = try #require(incidents(bench).first)
        #expect(open.began == wall(began) && open.ended == nil)
        bench.ask(.resume)
        finish(&bench)
        #expect(bare(bench) == [Incident(.paused, .command, frame: 1)])
        let over = try #require(incidents(bench).first)
        #expect(over.began == open.began)
        #expect(over.ended == wall(began + .seconds(30)))
    }

    @Test func `a link that is lost between two frames is a pause`() {
        var bench = bench(.loseOn(.set, 2))
        finish(&bench)
        #expect(bare(bench) == [Incident(.paused, .linkLost, frame: 1)])
        #expect(incidents(bench).first?.ended != nil)
    }

    @Test(arguments: [CaptureResolution.fired, .notFired, .unknown])
    func `a doubt is kept with its result and with the frame that is fired again for it`(
        resolution: CaptureResolution
    ) throws {
        var bench = bench(.loseOn(.shutter, 2), .resolve(resolution))
        finish(&bench)
        let outcome: Incident.Outcome =
            switch resolution {
            case .fired: .fired
            case .notFired: .notFired
            case .unknown: .unknown
            }
        let doubt = Incident(.inDoubt, .linkLost, frame: 1, outcome: outcome)
        let again = Incident(.firedAgain, .inDoubt, frame: 1)
        #expect(bare(bench) == (resolution == .unknown ? [doubt, again] : [doubt]))
        #expect(incidents(bench).first?.ended != nil)
    }

    @Test func `a picture that may be the previous one is kept as a doubt, and the frame as fired again`() {
        var bench = bench(.unclearPicture(2))
        finish(&bench)
        let doubt = Incident(.inDoubt, .noPicture, frame: 1, outcome: .unknown)
        #expect(bare(bench) == [doubt, Incident(.firedAgain, .inDoubt, frame: 1)])
    }

    @Test func `a crash is kept once as an interruption and a doubt, however often the daemon starts`() {
        var bench = bench(.resolve(.fired))
        bench.pass { $0.scripted.fired.count == 2 && $0.state("shooting") == "capturing" }
        for _ in 0..<3 {
            bench.kill()
            bench.restart()
            bench.pass(.seconds(1))
        }
        bench.ask(.resume)
        finish(&bench)
        #expect(
            bare(bench) == [
                Incident(.interrupted, .interrupted, frame: 1),
                Incident(.inDoubt, .interrupted, frame: 1, outcome: .fired),
            ]
        )
        // The time at which a daemon was killed is unknown.
        #expect(incidents(bench).first?.began == nil && incidents(bench).first?.ended != nil)
    }

    @Test func `a redo and a frame fired again for its picture differ from one in doubt`() throws {
        var bench = bench()
        finish(&bench)
        bench.ask(.redo)
        finish(&bench)
        #expect(bare(bench) == [Incident(.firedAgain, .command, frame: 2)])
        var suspect = Bench(
            ScriptedCamera(twists: [.shows(2, .slowest)]),
            transfer: TransferConfiguration(policy: .jpeg, firesSuspectsAgain: true)
        )
        suspect.pass { $0.state("connection") == "connected" }
        suspect.ask(.shoot(Self.plan, streams: false))
        finish(&suspect)
        #expect(bare(suspect) == [Incident(.firedAgain, .suspect, frame: 1)])
    }

    @Test func `a frame in doubt counts as fired again when its shutter is pressed, not when that is planned`() {
        var bench = bench(.loseOn(.shutter, 2), .resolve(.unknown))
        bench.pass { bench in
            let isAsked = bench.scripted.commands.contains { if case .resolveCapture = $0 { true } else { false } }
            return isAsked && bench.state("shooting") == "settingSpeed"
        }
        bench.ask(.cancel)
        finish(&bench)
        let doubt = Incident(.inDoubt, .linkLost, frame: 1, outcome: .unknown)
        #expect(bench.status.shoot?.outcome == .cancelled && bare(bench) == [doubt])
        bench.ask(.retry(streams: false))
        finish(&bench)
        #expect(bench.status.shoot?.outcome == .completed)
        #expect(bare(bench) == [doubt, Incident(.firedAgain, .inDoubt, frame: 1)])
    }

    @Test func `a redo that is cancelled before the shutter is pressed does not count as fired again`() {
        var bench = bench()
        finish(&bench)
        let fired = bench.scripted.fired.count
        bench.ledger { $0.delay = .milliseconds(300) }
        bench.ask(.redo)
        bench.pass { $0.state("shooting") == "recordingFrame" }
        #expect(bench.state("shooting") == "recordingFrame")
        bench.ask(.cancel)
        bench.pass(.seconds(10))
        #expect(bench.scripted.fired.count == fired && bare(bench).isEmpty)
    }

    @Test func `a shoot that ends without its picture leaves a doubt, which an older shoot resolves by firing`() {
        var bench = bench(.noPicture(2))
        finish(&bench)
        #expect(bare(bench) == [Incident(.inDoubt, .noPicture, frame: 1)])
        #expect(incidents(bench).first?.ended == nil)
        bench.ask(.shoot(Self.plan, streams: false, drops: true))
        finish(&bench)
        bench.ask(.retryShoot(1, streams: false))
        finish(&bench)
        #expect(
            bare(bench) == [
                Incident(.inDoubt, .noPicture, frame: 1, outcome: .unknown), Incident(.firedAgain, .inDoubt, frame: 1),
            ]
        )
        #expect(bare(bench, of: 2).isEmpty)
    }

    @Test func `the number of incidents is bounded`() throws {
        var shoot = Shoot(id: 1, plan: Plan(try PlanRequest()), camera: .unknown, began: .clock(.zero))
        for _ in 0..<Shoot.incidentsMax + 20 { shoot.note(.paused, .command) }
        #expect(shoot.incidents.count == Shoot.incidentsMax)
    }
}
