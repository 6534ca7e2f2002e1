import Foundation
import Testing
import Varlink

@testable import bracketctl

@Suite struct `bracketctl shoot` {
    @Test func `shows the daemon's plan, then every step, and ends with the daemon's sentence`() async throws {
        let steps = [
            Sample.step(captured: 0, phase: "settingSpeed"),
            Sample.step(captured: 7, set: 2, frame: 3, speed: "1/15"),
            Sample.completed,
        ]
        try await withDaemon(["Plan": Sample.plan(warnings: ["Shutter is slow"]), "Shoot": .steps("progress", steps)]) {
            daemon in
            let bench = Bench()
            let status = await bench.run("shoot", "--yes", "--shadow", "1/30", "--highlight", "1/250", against: daemon)
            #expect(status == .allDone)
            #expect(bench.errors.isEmpty)
            #expect(
                bench.output == """
                    1/250 to 1/30: 3 EV, 1 set of 5 frames at 1 EV, 5 exposures

                    Set 1  1/250   1/125   [1/60]   1/30    1/15
                             +-------+-------O-------+-------+
                             -2      -1      0       +1      +2 EV

                    About 7.6 s: 5 exposures, 1.5 s each.
                    Checked against ILCE-7M4.

                    Note: A note.
                    Warning: Shutter is slow.

                    0/15  set 1, frame 1  setting 1/60
                    7/15  set 2, frame 3  exposing 1/15
                    15 of 15 exposures captured

                    """
            )
        }
    }

    @Test func `shows a plan no wider than a terminal of 40 columns`() async throws {
        try await withDaemon(["Plan": Sample.plan(), "Shoot": .one("progress", Sample.completed)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", "--yes", against: daemon, columns: 40) == .allDone)
            #expect(bench.lines.contains("Set 1"))
            #expect(bench.lines.contains("   +-------+-------O-------+-------+"))
        }
    }

    @Test func `passes on given options, and leaves the others to the daemon`() async throws {
        try await withDaemon(["Plan": Sample.plan(), "Shoot": .one("progress", Sample.completed)]) { daemon in
            await Bench().run("shoot", "--yes", against: daemon)
            await Bench().run(
                "shoot",
                "--yes",
                "--shadow",
                "0,3",
                "--highlight",
                "1/1000 s",
                "--frames",
                "7",
                "--spacing",
                "1,5",
                "--bias",
                "-2/3",
                "--share",
                "once",
                "--strict",
                against: daemon
            )
            let full: JSONValue = [
                "plan": [
                    "shadow": "0.3\"", "highlight": "1/1000", "frames": 7, "spacing": 1.5, "biasThirds": -2,
                    "shareOnce": true, "strict": true,
                ]
            ]
            #expect(
                daemon.calls.map(\.parameters) == [
                    [:], ["plan": [:]], ["plan": [:]], ["plan": [:]], [:], [:], full, full, full, [:],
                ]
            )
            let more = [false, false, false, true, false]
            #expect(daemon.calls.map(\.more) == more + more)
            #expect(daemon.calls.last?.method == "io.bracketd.GetPhotos")
        }
    }

    @Test func `reports that the camera's settings were restored, and ends with the daemon's sentence`() async throws {
        let settings = "The camera is set as before the shoot: shutter speed 1/60."
        let end = Sample.completed.adding("settings", .string(settings))
        try await withDaemon(["Plan": Sample.plan(), "Shoot": .one("progress", end)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", "--yes", against: daemon) == .allDone)
            #expect(bench.lines.suffix(2) == [settings, "15 of 15 exposures captured"])
        }
    }

    @Test func `waits until no picture is in transfer, also over a gap between two`() async throws {
        func photos(_ state: String) -> JSONValue {
            ["policy": "jpeg", "sentence": "s", "list": [["id": 1, "state": .string(state), "name": "A", "shoot": 1]]]
        }
        let answers: [String: FakeDaemon.Answer] = [
            "Plan": Sample.plan(), "Shoot": .one("progress", Sample.completed.adding("shoot", 1)),
            "GetPhotos": .inTurn(
                .one("photos", photos("receiving")),
                .one("photos", photos("stored")),
                .one("photos", photos("receiving")),
                .one("photos", photos("verified"))
            ),
        ]
        try await withDaemon(answers) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", "--yes", against: daemon) == .allDone)
            #expect(daemon.calls.count { $0.method == "io.bracketd.GetPhotos" } == 5)
            #expect(bench.errors.isEmpty && bench.lines.last == "15 of 15 exposures captured")
        }
    }

    @Test func `says how many frames have no picture here, because each transfer failed or was skipped`() async throws {
        func photo(_ frame: Int, _ state: String) -> JSONValue {
            ["id": 1, "state": .string(state), "name": "A", "shoot": 1, "set": 1, "frame": .int(frame)]
        }
        let list: JSONValue = .array([
            photo(1, "verified"), photo(1, "skipped"), photo(2, "failed"), photo(3, "skipped"), photo(3, "failed"),
        ])
        let answers: [String: FakeDaemon.Answer] = [
            "Plan": Sample.plan(), "Shoot": .one("progress", Sample.completed.adding("shoot", 1)),
            "GetPhotos": .one("photos", ["policy": "jpeg", "sentence": "s", "list": list]),
        ]
        try await withDaemon(answers) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", "--yes", against: daemon) == .allDone)
            #expect(bench.errors.contains("The pictures of 2 frames are not on this computer."), "\(bench.errors)")
        }
    }

    @Test func `waits for pictures no longer than a slow link needs for them`() {
        #expect(PicturesWait.timeNeeded(for: []) == .seconds(5))
        #expect(PicturesWait.timeNeeded(for: [25_000_000, 50_000_000]) == .seconds(5 + 2 + 50 + 2 + 100))
    }

    @Test func `waits longer for pictures that begin during the wait, and says once that it waits`() {
        var wait = PicturesWait()
        let (raw, jpeg) = (PicturesWait.Picture(id: 1, byteCount: 25_000_000), PicturesWait.Picture(id: 2))
        #expect(wait.step([raw], after: .zero) == .askAgain)
        #expect(wait.step([raw], after: .seconds(1)) == .notify(1))
        #expect(wait.step([raw], after: .seconds(56)) == .askAgain)
        #expect(wait.step([], after: .seconds(58)) == .askAgain)
        // The length of the second picture is not known. The client assumes 30 MB, which take 62 s more.
        #expect(wait.step([jpeg], after: .seconds(58)) == .askAgain)
        #expect(wait.step([jpeg], after: .seconds(118)) == .askAgain)
        #expect(wait.step([jpeg], after: .seconds(119)) == .end(1))
    }

    @Test func `does not wait when two answers list no picture, or when the daemon does not answer`() {
        var wait = PicturesWait()
        #expect(wait.step([], after: .zero) == .askAgain)
        #expect(wait.step([], after: .zero) == .end(0))
        var unanswered = PicturesWait()
        #expect(unanswered.step(nil, after: .zero) == .end(0))
    }

    @Test func `waits for any number of pictures no longer than ten minutes`() {
        var wait = PicturesWait()
        let pictures = (1...30).map { PicturesWait.Picture(id: $0, byteCount: 60_000_000) }
        #expect(wait.step(pictures, after: .seconds(599)) == .notify(30))
        #expect(wait.step(pictures, after: .seconds(600)) == .end(30))
    }

    @Test func `as JSON prints one object per line, the last one with the outcome`() async throws {
        let steps = [Sample.step(captured: 0), Sample.stopped]
        try await withDaemon(["Plan": Sample.plan(), "Shoot": .steps("progress", steps)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", "--yes", "--json", against: daemon) == .partial)
            let objects = bench.objects
            #expect(objects.map { $0["kind"]?.stringValue } == ["plan", "progress", "progress"])
            #expect(objects.last?["outcome"] == "partial")
            #expect(objects.last?["sentence"] == "Stopped at set 2, frame 3. 8 of 15 exposures captured.")
        }
    }

    @Test func `that stops prints why and what to do before the last line`() async throws {
        try await withDaemon(["Plan": Sample.plan(), "Shoot": .one("progress", Sample.stopped)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", "--yes", "--socket", daemon.path) == .partial)
            #expect(
                bench.lines.suffix(3) == [
                    "Reason: the card is full",
                    "To fire the missing frames: bracketctl --socket \(daemon.path) retry",
                    "Stopped at set 2, frame 3. 8 of 15 exposures captured.",
                ]
            )
        }
    }

    @Test func `that the daemon's stop interrupts names only the daemon's command`() async throws {
        let cause = "The daemon stopped. To fire the missing frames after the next start: bracketctl resume."
        let end = Sample.end(captured: 2, outcome: "interrupted", sentence: "Stopped.", cause: cause)
        try await withDaemon(["Plan": Sample.plan(), "Shoot": .one("progress", end)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", "--yes", against: daemon) == .partial)
            #expect(bench.output.contains("bracketctl resume."))
            #expect(!bench.output.contains("retry"))
        }
    }

    @Test(arguments: [
        (15, "completed", ProcessExit.allDone), (8, "partial", .partial), (8, "cancelled", .partial),
        (0, "partial", .nothingCaptured), (0, "cancelled", .nothingCaptured), (15, "cancelled", .allDone),
    ])
    func `has an exit status for its outcome`(captured: Int, outcome: String, status: ProcessExit) async throws {
        let end = Sample.end(captured: captured, outcome: outcome, sentence: "The end.")
        try await withDaemon(["Plan": Sample.plan(), "Shoot": .one("progress", end)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", "-y", against: daemon) == status)
            #expect(bench.lines.last == "The end.")
        }
    }

    @Test(arguments: ["y", "Y", " yes ", "YES"])
    func `asks on a terminal, and fires on consent`(answer: String) async throws {
        try await withDaemon(["Plan": Sample.plan(), "Shoot": .one("progress", Sample.completed)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", against: daemon, answer: answer) == .allDone)
            #expect(bench.questions == "\nFire 5 exposures? [y/N] ")
        }
    }

    // MARK: Missing frames of an earlier shoot

    private static let dropping: JSONValue = [
        "isReady": true, "sentence": "Ready.", "checks": [], "drops": ["shoot": 7, "missing": 2, "total": 15],
    ]

    @Test(arguments: [[], ["--drop"]])
    func `the question names the frames that the shoot drops, and consent drops them`(options: [String]) async throws {
        let answers: [String: FakeDaemon.Answer] = [
            "Plan": Sample.plan(), "Preflight": .one("report", Self.dropping),
            "Shoot": .one("progress", Sample.completed),
        ]
        try await withDaemon(answers) { daemon in
            let bench = Bench()
            let environment = bench.environment(socket: daemon.path, answer: "y")
            #expect(await Bracketctl.run(["shoot"] + options, in: environment) == .allDone)
            #expect(bench.questions == "\nDrop the 2 missing exposures of shoot 7, and fire 5 exposures? [y/N] ")
            #expect(daemon.calls.last(where: { $0.method == "io.bracketd.Shoot" })?.parameters["drop"] == true)
        }
    }

    @Test func `without the question frames are only dropped with --drop`() async throws {
        let parameters: JSONValue = ["shoot": 7, "missing": 2, "total": 15, "sentence": "Shoot 7 lacks 2."]
        let answers: [String: FakeDaemon.Answer] = [
            "Plan": Sample.plan(), "Preflight": .one("report", Self.dropping),
            "Shoot": .inTurn(.error("io.bracketd.FramesMissing", parameters), .one("progress", Sample.completed)),
        ]
        try await withDaemon(answers) { daemon in
            let refused = Bench()
            #expect(await refused.run("shoot", "--yes", against: daemon) == .error)
            #expect(refused.errors == "bracketctl: Shoot 7 lacks 2.\n")
            #expect(daemon.calls.last?.parameters["drop"] == nil)
            #expect(await Bench().run("shoot", "--yes", "--drop", against: daemon) == .allDone)
            #expect(daemon.calls.last(where: { $0.method == "io.bracketd.Shoot" })?.parameters["drop"] == true)
        }
    }

    private static let missing: JSONValue = ["shoot": 7, "missing": 2, "total": 15, "sentence": "Shoot 7 lacks 2."]

    @Test(arguments: ["retry", "resume"])
    func `an older shoot that drops frames needs --drop or consent`(command: String) async throws {
        let method = "io.bracketd.\(command.capitalized)"
        let refusal = FakeDaemon.Answer.error("io.bracketd.FramesMissing", Self.missing)
        let taken: FakeDaemon.Answer = command == "retry" ? .one("progress", Sample.completed) : .done
        let answers: [String: FakeDaemon.Answer] = [
            command.capitalized: .inTurn(refusal, refusal, refusal, taken, taken),
            "Follow": .one("progress", Sample.completed),
        ]
        try await withDaemon(answers) { daemon in
            func orders() -> [JSONValue] { daemon.calls.filter { $0.method == method }.map(\.parameters) }
            let refused = Bench()
            #expect(await refused.run(command, "3", against: daemon) == .error)
            #expect(refused.errors == "bracketctl: Shoot 7 lacks 2.\n" && refused.questions.isEmpty)
            #expect(await Bench().run(command, "3", against: daemon, answer: "n") == .error)
            #expect(orders() == [["shoot": 3], ["shoot": 3]])
            let bench = Bench()
            #expect(await bench.run(command, "3", against: daemon, answer: "y") == .allDone)
            #expect(
                bench.questions == "\nDrop the 2 missing exposures of shoot 7, "
                    + "and fire the missing exposures of shoot 3? [y/N] "
            )
            #expect(await Bench().run(command, "3", "--drop", against: daemon) == .allDone)
            #expect(orders().suffix(2) == [["shoot": 3, "drop": true], ["shoot": 3, "drop": true]])
        }
    }

    @Test(arguments: ["retry", "resume"])
    func `dropping frames is only for an older shoot`(command: String) async throws {
        try await withDaemon([:]) { daemon in
            let bench = Bench()
            #expect(await bench.run(command, "--drop", against: daemon) == .usage)
            #expect(bench.errors.contains("--drop needs the number of an older shoot."))
            #expect(daemon.calls.isEmpty)
        }
    }

    @Test(arguments: ["", "n", "no", "yeah", "ye s s"])
    func `fires nothing on any other answer`(answer: String) async throws {
        try await withDaemon(["Plan": Sample.plan()]) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", against: daemon, answer: answer) == .nothingCaptured)
            #expect(bench.errors == "Nothing was fired.\n")
            #expect(daemon.calls.map(\.method) == ["GetStatus", "Plan", "Preflight"].map { "io.bracketd.\($0)" })
        }
    }

    @Test func `without a terminal and without --yes is a usage error without a call`() async {
        let bench = Bench()
        #expect(await bench.run("shoot") == .usage)
        #expect(
            bench.errors
                == "bracketctl: Without a terminal, bracketctl cannot ask whether to fire the plan. "
                + "Run bracketctl shoot with --yes.\n"
        )
    }

    @Test func `with an invalid speed is a usage error before any question`() async throws {
        try await withDaemon([:]) { daemon in
            #expect(await Bench().run("shoot", "--yes", "--shadow", "1/45", against: daemon) == .usage)
            #expect(daemon.calls.isEmpty)
        }
    }

    @Test(
        arguments: [
            ("InvalidPlan", ["sentence": "No."], ProcessExit.usage, "No."),
            ("NotConnected", ["sentence": "No camera is connected"], .error, "No camera is connected."),
            (
                "NotNow", ["command": "shoot", "state": "capturing", "sentence": "A shoot is running."], .error,
                "A shoot is running."
            ),
            ("PlanNotExact", ["warnings": [], "sentence": "Not exact."], .error, "Not exact."),
        ] as [(String, JSONValue, ProcessExit, String)]
    )
    func `that the daemon refuses prints the daemon's sentence`(
        name: String,
        parameters: JSONValue,
        status: ProcessExit,
        sentence: String
    ) async throws {
        let refusal = FakeDaemon.Answer.error("io.bracketd.\(name)", parameters)
        try await withDaemon(["Plan": Sample.plan(), "Shoot": refusal]) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", "--yes", against: daemon) == status)
            #expect(bench.errors == "bracketctl: \(sentence)\n")
        }
    }

    @Test(arguments: [
        ("modeCheck", "The mode dial is on A. Turn it to M."),
        ("backingOff", "The camera cannot be reached: no answer. The daemon tries again."),
        ("discovering", "No camera address is configured: set address = \"HOST:PORT\" under [camera]."),
    ])
    func `without a usable camera is refused before any output or question`(
        state: String,
        sentence: String
    ) async throws {
        let status = Sample.status(connection: state, sentence: sentence)
        try await withDaemon(["GetStatus": status, "Plan": Sample.plan(checkedAgainst: .null)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", against: daemon, answer: "y") == .error)
            #expect(bench.output.isEmpty)
            #expect(bench.questions.isEmpty)
            #expect(bench.errors == "bracketctl: \(sentence)\n")
            #expect(daemon.calls.map(\.method) == ["io.bracketd.GetStatus"])
        }
    }

    @Test func `during another shoot is refused before any output or question`() async throws {
        let status = Sample.status(sentence: "Exposing.", shoot: Sample.step(captured: 7))
        try await withDaemon(["GetStatus": status, "Plan": Sample.plan()]) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", "--json", against: daemon, answer: "y") == .error)
            #expect(bench.questions.isEmpty)
            #expect(bench.errors == "bracketctl: A shoot is running. Exposing.\n")
            #expect(bench.objects.map { $0["error"] } == ["io.bracketd.NotNow"])
        }
    }

    @Test func `after a shoot has ended starts`() async throws {
        let answers: [String: FakeDaemon.Answer] = [
            "GetStatus": Sample.status(shoot: Sample.stopped), "Plan": Sample.plan(),
            "Shoot": .one("progress", Sample.completed),
        ]
        try await withDaemon(answers) { daemon in
            #expect(await Bench().run("shoot", "--yes", against: daemon) == .allDone)
        }
    }

    @Test func `after a refused connection tries again, and says why the plan is unchecked`() async throws {
        let sentence = "The camera does not accept this controller. The daemon tries again at the next shoot."
        let answers: [String: FakeDaemon.Answer] = [
            "GetStatus": Sample.status(connection: "refused", sentence: sentence),
            "Plan": Sample.plan(checkedAgainst: .null),
            "Shoot": .error("io.bracketd.NotConnected", ["sentence": .string(sentence)]),
        ]
        try await withDaemon(answers) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", "--yes", against: daemon) == .error)
            #expect(bench.lines.contains("Not checked against a camera: \(sentence)"))
            #expect(daemon.calls.last?.method == "io.bracketd.Shoot")
        }
    }

    @Test func `whose daemon ends reports it`() async throws {
        let answers: [String: FakeDaemon.Answer] = [
            "Plan": Sample.plan(), "Shoot": .begun("progress", [Sample.step(captured: 3)], then: .close),
        ]
        try await withDaemon(answers) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", "--yes", against: daemon) == .noDaemon)
            #expect(
                bench.errors
                    == "bracketctl: The daemon at \(daemon.path) closed the connection during the shoot. "
                    + "When it runs again, see bracketctl status.\n"
            )
        }
    }

    @Test func `whose daemon ends without an outcome is an error`() async throws {
        try await withDaemon(["Plan": Sample.plan(), "Shoot": .one("progress", Sample.step(captured: 3))]) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", "--yes", against: daemon) == .error)
            #expect(bench.errors.contains("reported no outcome"))
        }
    }

    @Test func `shows a plan with unknown speeds as the daemon wrote it`() async throws {
        let answers: [String: FakeDaemon.Answer] = [
            "Plan": Sample.plan(sets: [["1/16000", "1/8000"]]), "Shoot": .one("progress", Sample.completed),
        ]
        try await withDaemon(answers) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", "--yes", against: daemon) == .allDone)
            #expect(bench.lines.contains("Set 1  1/16000  1/8000"))
        }
    }

    @Test func `with an incomplete reply names the missing member`() async throws {
        try await withDaemon(["Plan": Sample.plan(sets: [["1/4", 3]])]) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", "--yes", against: daemon) == .error)
            #expect(
                bench.errors
                    == "bracketctl: In the daemon's reply, plan.sets is not a list of lists of strings: "
                    + "bracketctl and bracketd have different versions.\n"
            )
        }
    }
}

@Suite struct `bracketctl resume` {
    @Test(arguments: [(Sample.completed, ProcessExit.allDone), (Sample.stopped, .partial)])
    func `follows the resumed shoot, and exits by its outcome`(end: JSONValue, status: ProcessExit) async throws {
        let steps = [Sample.step(captured: 8), end]
        try await withDaemon(["Resume": .done, "Follow": .steps("progress", steps)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("resume", against: daemon) == status)
            #expect(bench.lines.first == "8/15  set 1, frame 1  exposing 1/60")
            #expect(bench.lines.last == end["sentence"]?.stringValue)
            #expect(daemon.calls.map(\.method) == ["Resume", "Follow", "GetPhotos"].map { "io.bracketd.\($0)" })
            #expect(daemon.calls.map(\.more) == [false, true, false])
        }
    }

    @Test func `as JSON prints each step`() async throws {
        let steps = [Sample.step(captured: 8), Sample.completed]
        try await withDaemon(["Resume": .done, "Follow": .steps("progress", steps)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("resume", "--json", against: daemon) == .allDone)
            #expect(bench.objects.map { $0["kind"] } == ["progress", "progress"])
        }
    }

    @Test func `without a shoot is refused by the daemon`() async throws {
        let refusal = FakeDaemon.Answer.error("io.bracketd.NotNow", ["sentence": "The shoot is not paused."])
        try await withDaemon(["Resume": refusal]) { daemon in
            let bench = Bench()
            #expect(await bench.run("resume", against: daemon) == .error)
            #expect(bench.errors == "bracketctl: The shoot is not paused.\n")
            #expect(daemon.calls.count == 1)
        }
    }
}

@Suite struct `bracketctl retry` {
    @Test func `follows the shoot that it starts`() async throws {
        try await withDaemon(["Retry": .steps("progress", [Sample.step(captured: 8), Sample.completed])]) { daemon in
            let bench = Bench()
            #expect(await bench.run("retry", against: daemon) == .allDone)
            #expect(bench.lines.last == "15 of 15 exposures captured")
            #expect(daemon.calls.map(\.method) == ["io.bracketd.Retry", "io.bracketd.GetPhotos"])
            #expect(daemon.calls.map(\.more) == [true, false])
        }
    }

    @Test func `without waiting does not query pictures`() async throws {
        try await withDaemon(["Retry": .steps("progress", [Sample.completed])]) { daemon in
            #expect(await Bench().run("retry", "--no-wait", against: daemon) == .allDone)
            #expect(daemon.calls.map(\.method) == ["io.bracketd.Retry"])
        }
    }

    @Test func `without a shoot is refused by the daemon`() async throws {
        let refusal = FakeDaemon.Answer.error("io.bracketd.NotNow", ["sentence": "Nothing is missing."])
        try await withDaemon(["Retry": refusal]) { daemon in
            let bench = Bench()
            #expect(await bench.run("retry", against: daemon) == .error)
            #expect(bench.errors == "bracketctl: Nothing is missing.\n")
        }
    }
}
