import Foundation
import Testing
import Varlink

@testable import bracketctl

@Suite struct `bracketctl status` {
    private let status: JSONValue = [
        "sentence": "Set 2, frame 3 is being exposed.",
        "charts": [
            ["name": "connection", "state": "connected", "configuration": ["connected"]],
            ["name": "shooting", "state": "capturing", "configuration": ["capturing", "tracking"]],
            ["name": "network", "state": "joined", "configuration": ["joined"]],
        ],
        "camera": "ILCE-7M4",
        "shoot": Sample.step(captured: 7, set: 2, frame: 3),
        "version": "0.1",
    ]

    @Test func `prints every state with the chart's name, after the sentence`() async throws {
        try await withDaemon(["GetStatus": .one("status", status)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("status", against: daemon) == .allDone)
            #expect(
                bench.output == """
                    Set 2, frame 3 is being exposed.

                    connection  connected
                    shooting    capturing (tracking)
                    network     joined
                    camera      ILCE-7M4
                    shoot       7, 7 of 15 captured

                    """
            )
        }
    }

    @Test func `as JSON is the daemon's answer, with the shoot as its progress`() async throws {
        try await withDaemon(["GetStatus": .one("status", status)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("status", "--json", against: daemon) == .allDone)
            let step = Sample.step(captured: 7, set: 2, frame: 3).renamed("total", "totalExposures")
            #expect(bench.objects == [status.renamed("shoot", "progress").with("progress", step)])
        }
    }

    @Test func `without camera and shoot is shorter`() async throws {
        let idle: JSONValue = [
            "sentence": "No camera.", "charts": [], "camera": .null, "shoot": .null, "version": "0.1",
        ]
        try await withDaemon(["GetStatus": .one("status", idle)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("status", against: daemon) == .allDone)
            #expect(bench.output == "No camera.\n\n")
        }
    }
}

@Suite struct `bracketctl arm` {
    private static func answers(armed: JSONValue) -> [String: FakeDaemon.Answer] {
        [
            "Arm": .done,
            "GetStatus": .one("status", ["sentence": "s", "charts": [], "armed": armed, "version": "0.1.0"]),
        ]
    }

    @Test func `arms the plan of the options`() async throws {
        try await withDaemon(Self.answers(armed: "1/1000 to 1/4")) { daemon in
            let bench = Bench()
            #expect(await bench.run("arm", "--shadow", "1/15", "--frames", "3", against: daemon) == .allDone)
            #expect(bench.output == "The button fires this plan.\n")
            let plan = try #require(daemon.calls.first?.parameters["plan"])
            #expect(plan["shadow"] == "1/15" && plan["frames"] == 3)
        }
    }

    @Test(arguments: [["arm"], ["arm", "--usual"]])
    func `reports that no button is configured`(command: [String]) async throws {
        try await withDaemon(Self.answers(armed: .null)) { daemon in
            let bench = Bench()
            #expect(await Bracketctl.run(command + ["--json"], in: bench.environment(socket: daemon.path)) == .allDone)
            let answer = try #require(bench.objects.first)
            let sentence = try #require(answer["sentence"]?.stringValue)
            #expect(sentence.hasPrefix("No button is available, so nothing fires "))
            #expect(sentence.contains("bracketctl doctor` says what is wrong."))
            #expect(sentence.contains("The plan is kept.") == (command == ["arm"]))
            #expect(answer["isButtonThere"] == false)
            #expect(daemon.calls.map(\.method) == ["io.bracketd.Arm", "io.bracketd.GetStatus"])
        }
    }

    @Test func `arms the configuration's plan again`() async throws {
        try await withDaemon(Self.answers(armed: "1/1000 to 1/4")) { daemon in
            let bench = Bench()
            #expect(await bench.run("arm", "--usual", "--json", against: daemon) == .allDone)
            #expect(bench.objects.first?["sentence"] == "The button fires the plan of the configuration.")
            #expect(daemon.calls.first?.parameters["plan"] == nil)
        }
    }

    @Test func `refuses an invalid plan without a call, and a plan together with --usual`() async throws {
        try await withDaemon(["Arm": .done]) { daemon in
            #expect(await Bench().run("arm", "--frames", "4", against: daemon) == .usage)
            #expect(await Bench().run("arm", "--usual", "--shadow", "1/4", against: daemon) == .usage)
            #expect(daemon.calls.isEmpty)
        }
    }
}

@Suite struct `bracketctl status after a shoot` {
    private func lines(_ shoot: JSONValue) async throws -> [String] {
        let bench = Bench()
        try await withDaemon(["GetStatus": Sample.status(shoot: shoot)]) { daemon in
            #expect(await bench.run("status", against: daemon) == .allDone)
        }
        return bench.lines
    }

    @Test func `of a running shoot shows the remaining time`() async throws {
        #expect(
            try await lines(Sample.step(captured: 7, remaining: 24_600)).last
                == "shoot       7, 7 of 15 captured, about 25 s left"
        )
    }

    private let hint = "bracketctl retry fires the missing frames, bracketctl dismiss drops them."

    @Test func `of a shoot that lacks frames shows why and what to do`() async throws {
        #expect(
            try await lines(Sample.stopped).suffix(4) == [
                "shoot       7, 8 of 15 captured", "", "Reason: the card is full", hint,
            ]
        )
        let cancelled = Sample.end(captured: 0, outcome: "cancelled", sentence: "Stopped.")
        #expect(try await lines(cancelled).suffix(2) == ["", hint])
        let interrupted = Sample.end(captured: 0, outcome: "interrupted", sentence: "Stopped.")
        #expect(try await lines(interrupted).last == hint.replacing("retry", with: "resume"))
    }

    @Test func `of a complete or a running shoot shows neither`() async throws {
        #expect(try await lines(Sample.completed).last == "shoot       7, 15 of 15 captured")
        #expect(try await lines(Sample.step(captured: 7)).last == "shoot       7, 7 of 15 captured")
    }
}

@Suite struct `bracketctl watch` {
    private let transition: JSONValue = [
        "at": 12_045, "chart": "shooting", "event": "speedConfirmed", "from": ["confirmingSpeed"], "to": ["capturing"],
        "shoot": 1, "set": 2, "frame": 3, "speed": "1/15", "message": "The speed is confirmed.",
    ]

    @Test func `prints a line per transition until the daemon ends`() async throws {
        try await withDaemon(["Watch": .begun("transition", [transition, transition], then: .close)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("watch", against: daemon) == .noDaemon)
            let line = "14:03:07.412  The speed is confirmed."
            #expect(bench.lines == [line, line])
            #expect(bench.errors.contains("closed the connection"))
            #expect(daemon.calls.first?.more == true)
        }
    }

    @Test func `as JSON prints the daemon's answers`() async throws {
        try await withDaemon(["Watch": .begun("transition", [transition], then: .close)]) { daemon in
            let bench = Bench()
            await bench.run("watch", "--json", against: daemon)
            #expect(bench.objects.first == transition.renamed("message", "sentence"))
        }
    }

    @Test func `ends as without a daemon when the daemon stops`() async throws {
        try await withDaemon(["Watch": .error("io.bracketd.Stopping")]) { daemon in
            let bench = Bench()
            #expect(await bench.run("watch", against: daemon) == .noDaemon)
            #expect(bench.errors.contains("is stopping"))
        }
    }

    @Test func `follows the progress of a running shoot, and ends with its outcome`() async throws {
        let steps = [Sample.step(captured: 8, set: 2, frame: 4), Sample.stopped]
        try await withDaemon(["Follow": .steps("progress", steps)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("watch", "--progress", against: daemon) == .partial)
            #expect(bench.lines.first == "8/15  set 2, frame 4  exposing 1/60")
            #expect(bench.lines.last == "Stopped at set 2, frame 3. 8 of 15 exposures captured.")
            #expect(
                daemon.calls.map(\.method) == ["io.bracketd.Follow", "io.bracketd.GetPhotos"] && daemon.calls[0].more
            )
        }
    }

    @Test func `follows no shoot that has ended, and reports its outcome`() async throws {
        try await withDaemon(["Follow": .one("progress", Sample.completed)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("watch", "--progress", against: daemon) == .error)
            #expect(bench.output.isEmpty)
            #expect(
                bench.errors
                    == "bracketctl: No shoot is running. The last shoot: 15 of 15 exposures captured.\n"
            )
        }
        let none = FakeDaemon.Answer.error("io.bracketd.NotNow", ["sentence": "No shoot is running."])
        try await withDaemon(["Follow": none]) { daemon in
            let bench = Bench()
            #expect(await bench.run("watch", "--progress", against: daemon) == .error)
            #expect(bench.errors == "bracketctl: No shoot is running.\n")
        }
    }

    @Test func `follows without waiting for pictures`() async throws {
        try await withDaemon(["Follow": .steps("progress", [Sample.step(captured: 8), Sample.stopped])]) { daemon in
            #expect(await Bench().run("watch", "--progress", "--no-wait", against: daemon) == .partial)
            #expect(daemon.calls.map(\.method) == ["io.bracketd.Follow"])
        }
    }

    @Test func `accepts --states and --no-wait only with --progress`() async throws {
        #expect(await Bench().run("watch", "--states") == .usage)
        #expect(await Bench().run("watch", "--no-wait") == .usage)
    }

    @Test func `that is refused prints the daemon's sentence`() async throws {
        let sentence = "The daemon already has 48 clients of this user: end one of them and try again."
        let error = FakeDaemon.Answer.error("io.bracketd.TooManyClients", ["limit": 48, "sentence": .string(sentence)])
        try await withDaemon(["Watch": error]) { daemon in
            let bench = Bench()
            #expect(await bench.run("watch", against: daemon) == .error)
            #expect(bench.errors == "bracketctl: \(sentence)\n")
        }
    }

    @Test func `above the limit of clients prints the limit`() async throws {
        try await withDaemon(["Watch": .error("io.bracketd.TooManyClients", ["limit": 8])]) { daemon in
            let bench = Bench()
            #expect(await bench.run("watch", against: daemon) == .error)
            #expect(
                bench.errors
                    == "bracketctl: The daemon already has 8 watching clients. End one of them and try again.\n"
            )
        }
    }
}

@Suite struct `bracketctl camera` {
    @Test func `describes what the body reports, and nothing else`() async throws {
        let camera: JSONValue = [
            "id": "sony-1", "maker": "Sony", "model": "ILCE-7M4\u{1B}[2J", "firmware": "2.00",
            "address": "10.0.0.2:15740",
            "mode": "M", "speed": "1/60", "speeds": ["1/8000", "1/60", "30\""], "batteryPercent": 80,
            "shotsLeft": .null,
            "noiseReduction": "unknown", "iso": "100", "properties": [],
            "timing": ["frame": ["medianMilliseconds": 900, "p95Milliseconds": 1300, "count": 45]],
        ]
        try await withDaemon(["GetCamera": .one("camera", camera)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("camera", against: daemon) == .allDone)
            #expect(
                bench.output == """
                    camera           Sony ILCE-7M4?[2J
                    id               sony-1
                    firmware         2.00
                    address          10.0.0.2:15740
                    mode             M
                    speed            1/60
                    speeds           3, 1/8000 to 30"
                    battery          80 %
                    noise reduction  unknown
                    ISO              100
                    timing           0.9 s per frame plus the exposure (95 % within 1.3 s), measured in 45 frames

                    """
            )
        }
    }
}

@Suite struct `Orders` {
    @Test(arguments: [
        (
            "pause", "io.bracketd.Pause",
            "The shoot pauses at the end of the frame, or at once if no exposure is in progress."
        ),
        ("redo", "io.bracketd.Redo", "The last frame is fired once more."),
        (
            "cancel", "io.bracketd.Cancel",
            "The shoot stops at the end of the frame, or at once if no exposure is in progress."
        ),
        ("dismiss", "io.bracketd.Dismiss", "The missing frames of the last shoot are dropped."),
    ])
    func `are accepted and reported`(command: String, method: String, sentence: String) async throws {
        let last = try #require(method.split(separator: ".").last)
        try await withDaemon([String(last): .done]) { daemon in
            let text = Bench()
            #expect(await text.run(command, against: daemon) == .allDone)
            #expect(text.output == sentence + "\n")
            let json = Bench()
            #expect(await json.run(command, "--json", against: daemon) == .allDone)
            #expect(json.objects == [["command": .string(command), "sentence": .string(sentence)]])
            #expect(daemon.calls.map(\.method) == [method, method])
        }
    }

    @Test func `to pause report whether the frame will be fired again`() async throws {
        try await withDaemon(["Pause": .done]) { daemon in
            let bench = Bench()
            #expect(await bench.run("pause", "--redo", against: daemon) == .allDone)
            #expect(bench.output.hasSuffix("is in progress. When the shoot resumes, the last frame is fired again.\n"))
            #expect(await Bench().run("pause", against: daemon) == .allDone)
            #expect(daemon.calls.map(\.parameters) == [["redo": true], [:]])
        }
    }

    @Test func `to resume may name a shoot of the history`() async throws {
        let progress = FakeDaemon.Answer.one("progress", Sample.completed)
        try await withDaemon(["Resume": .done, "Retry": progress, "Follow": progress]) { daemon in
            #expect(await Bench().run("resume", "7", "--no-wait", against: daemon) == .allDone)
            #expect(await Bench().run("retry", "8", "--no-wait", against: daemon) == .allDone)
            #expect(await Bench().run("resume", "--no-wait", against: daemon) == .allDone)
            #expect(daemon.calls.map(\.parameters) == [["shoot": 7], [:], ["shoot": 8], [:], [:]])
            #expect(await Bench().run("retry", "0", against: daemon) == .usage)
            #expect(await Bench().run("resume", "last", against: daemon) == .usage)
            #expect(daemon.calls.count == 5)
        }
    }

    @Test func `that are not possible now are refused with the daemon's sentence`() async throws {
        let refusal = FakeDaemon.Answer.error("io.bracketd.NotNow", ["sentence": "No shoot is running."])
        try await withDaemon(["Cancel": refusal]) { daemon in
            let bench = Bench()
            #expect(await bench.run("cancel", against: daemon) == .error)
            #expect(bench.errors == "bracketctl: No shoot is running.\n")
        }
    }
}

@Suite struct `Reaching the daemon` {
    private static let needing = [
        ["status"], ["watch"], ["pause"], ["resume"], ["cancel"], ["retry"], ["dismiss"], ["camera"], ["get"],
        ["extend"], ["extend", "--speed", "1/2000"],
        ["get", "iso"], ["set", "iso", "100"], ["photos"], ["photos", "--follow"], ["redo"],
        ["history"], ["history", "show", "3"], ["history", "export", "3"],
    ]

    @Test(arguments: needing)
    func `without a daemon has its own exit code and sentence`(command: [String]) async {
        let bench = Bench()
        #expect(await Bracketctl.run(command, in: bench.environment(socket: "/nonexistent/socket")) == .noDaemon)
        #expect(
            bench.errors
                == "bracketctl: No daemon is running: the socket /nonexistent/socket does not exist. Start the daemon: "
                + "systemctl start bracketd, or by hand: bracketd --config FILE. If it listens on another socket, "
                + "name that socket with --socket.\n"
        )
        #expect(bench.errors.split(separator: "\n").count == 1)
    }

    @Test func `with a stale socket reports that no daemon listens`() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "left-\(UUID().uuidString.prefix(8))").path
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let bench = Bench()
        #expect(await bench.run("status", "--socket", path) == .noDaemon)
        #expect(bench.errors.contains("no program listens on \(path)"))
        try FileManager.default.removeItem(atPath: path)
    }

    @Test func `accepts the socket before and after the command, and from the environment`() async throws {
        let status: JSONValue = ["sentence": "Here.", "charts": [], "version": "1"]
        try await withDaemon(["GetStatus": .one("status", status)]) { daemon in
            #expect(await Bench().run("--socket", daemon.path, "status") == .allDone)
            #expect(await Bench().run("status", "--socket", daemon.path) == .allDone)
            #expect(await Bench().run("status", "--socket=\(daemon.path)") == .allDone)
            #expect(await Bench().run("status", against: daemon) == .allDone)
            #expect(await Bench().run("--socket", "/nonexistent/other", "status", against: daemon) == .noDaemon)
        }
    }

    @Test func `advises to join a socket's group only where that helps`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "owned-\(UUID().uuidString.prefix(8))").path
        #expect(SocketAccess(path: path).joinableGroup == nil)
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let group = try #require(getgrgid(getgid()))
        let name = getgid() == 0 ? nil : String(cString: group.pointee.gr_name)
        #expect(chmod(path, 0o660) == 0)
        #expect(SocketAccess(path: path).joinableGroup == name)
        #expect(chmod(path, 0o640) == 0)
        #expect(SocketAccess(path: path).joinableGroup == nil)
        // Only root may change the owner of files, so other users skip this part.
        if chown(path, 0, 1) == 0, let other = getgrgid(1) {
            #expect(chmod(path, 0o660) == 0)
            #expect(SocketAccess(path: path).joinableGroup == String(cString: other.pointee.gr_name))
        }
    }

    @Test func `refuses a path that no socket can have`() async {
        let bench = Bench()
        #expect(await bench.run("status", "--socket", "/" + String(repeating: "x", count: 200)) == .usage)
        #expect(await bench.run("status", "--socket", "") == .usage)
    }

    @Test func `of another version reports the version`() async throws {
        try await withDaemon([:]) { daemon in
            let bench = Bench()
            #expect(await bench.run("status", against: daemon) == .error)
            #expect(bench.errors.contains("bracketctl and bracketd have different versions"))
        }
    }

    @Test func `that closes the connection gives advice`() async throws {
        try await withDaemon(["GetStatus": .hangUp]) { daemon in
            let bench = Bench()
            #expect(await bench.run("status", against: daemon) == .noDaemon)
            #expect(bench.errors.contains("closed the connection. Check: bracketctl status."))
        }
    }
}

@Suite struct `Arguments` {
    @Test func `none at all is a usage error that names the commands`() async {
        let bench = Bench()
        #expect(await bench.run() == .usage)
        #expect(
            bench.errors.contains(
                "plan, meter, preflight, shoot, arm, status, watch, pause, redo, resume, cancel, retry, extend, "
                    + "dismiss, history, sort, cameras, connect, disconnect, camera, get, set, photos, files, "
                    + "snapshot, charts, doctor, replay, bundle."
            )
        )
    }

    @Test(arguments: [["--help"], ["help"], ["help", "help"], ["plan", "--help"], ["help", "plan"], ["-h"]])
    func `for help are answered on standard output`(arguments: [String]) async {
        let bench = Bench()
        #expect(await Bracketctl.run(arguments, in: bench.environment()) == .allDone)
        #expect(bench.output.contains("USAGE: bracketctl"))
        #expect(bench.output.contains("--highlight") == arguments.contains("plan"))
        #expect(bench.errors.isEmpty)
    }

    @Test func `ask for the version and get it`() async {
        let bench = Bench()
        #expect(await bench.run("--version") == .allDone)
        #expect(bench.output == Bracketctl.version + "\n")
    }

    @Test func `that a command refuses point to that command's help`() async {
        let bench = Bench()
        #expect(await bench.run("status", "--verbose") == .usage)
        #expect(bench.errors == "bracketctl: Unknown option '--verbose'. See bracketctl status --help.\n")
    }

    @Test func `with an unknown command are a usage error`() async {
        let bench = Bench()
        #expect(await bench.run("charge") == .usage)
        #expect(bench.errors == "bracketctl: Unexpected argument 'charge'. See bracketctl --help.\n")
    }

    @Test func `are quoted where a shell would split them`() {
        #expect(
            Connection(path: "/a b/it's", isDefault: false).commandLine("cancel")
                == #"bracketctl --socket '/a b/it'\''s' cancel"#
        )
        #expect(
            Connection(path: "/tmp/x_1.sock", isDefault: false).commandLine("cancel")
                == "bracketctl --socket /tmp/x_1.sock cancel"
        )
        #expect(Connection(path: "/a b", isDefault: true).commandLine("cancel") == "bracketctl cancel")
    }
}
