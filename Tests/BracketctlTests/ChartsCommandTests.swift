import Foundation
import Testing
import Varlink

@testable import bracketctl

private func status(_ charts: (name: String, configuration: [String], digest: String?)...) -> FakeDaemon.Answer {
    .one(
        "status",
        [
            "sentence": "So it is.", "version": "0.1.0",
            "charts": .array(
                charts.map { chart in
                    .object(leavingOutNil: [
                        "name": .string(chart.name), "state": .string(chart.configuration.first ?? ""),
                        "configuration": .strings(chart.configuration), "digest": chart.digest.map { .string($0) },
                    ])
                }
            ),
        ]
    )
}

private func transition(_ chart: String, from: [String], to: [String]) -> JSONValue {
    [
        "at": 1, "chart": .string(chart), "event": "e", "from": .strings(from), "to": .strings(to),
        "message": .string("\(chart): \(from.joined(separator: ", ")) → \(to.joined(separator: ", "))"),
    ]
}

private func marked(_ lines: [String]) -> [String] {
    lines.filter { $0.hasPrefix("► ") }.map { line in
        String(line.drop { "► │├└─".contains($0) }.prefix { $0 != " " })
    }
}

@Suite struct `bracketctl charts` {
    @Test func `lists every chart with its present state`() async throws {
        let answer = status(("shooting", ["capturing", "present"], nil), ("connection", ["connected"], nil))
        try await withDaemon(["GetStatus": answer]) { daemon in
            let bench = Bench()
            #expect(await bench.run("charts", against: daemon) == .allDone)
            #expect(
                bench.lines.map { String($0.prefix(63)) } == [
                    "button      not running                              The button",
                    "candidate   one run for each address that is probed  One addres",
                    "connect     not running                              The reques",
                    "connection  connected                                The connec",
                    "metering    not running                              The choice",
                    "network     not running                              The comput",
                    "property    not running                              A client's",
                    "recording   not running                              The state ",
                    "search      not running                              The search",
                    "service     not running                              The daemon",
                    "settings    not running                              The settin",
                    "shooting    capturing (present)                      One shoot ",
                    "transfer    not running                              The transf",
                ]
            )
            #expect(bench.errors.isEmpty)
            let json = Bench()
            #expect(await json.run("charts", "--json", against: daemon) == .allDone)
            #expect(
                json.objects.map { $0["name"] } == [
                    "button", "candidate", "connect", "connection", "metering", "network", "property", "recording",
                    "search", "service", "settings", "shooting", "transfer",
                ]
            )
            #expect(
                json.objects.map { $0["state"] } == [
                    .null, .null, .null, "connected", .null, .null, .null, .null, .null, .null, .null, "capturing",
                    .null,
                ]
            )
            #expect(json.objects[11]["configuration"] == ["capturing", "present"])
        }
    }

    @Test func `needs no daemon, and reports once that there is none`() async throws {
        let sentence = "bracketctl: No state is marked: no daemon answers at /nonexistent/socket.\n"
        let list = Bench()
        #expect(await list.run("charts") == .allDone)
        #expect(
            list.lines.map { $0.prefix { $0 != " " } } == [
                "button", "candidate", "connect", "connection", "metering", "network", "property", "recording",
                "search", "service", "settings", "shooting", "transfer",
            ]
        )
        #expect(list.errors == sentence)
        let chart = Bench()
        #expect(await chart.run("charts", "network") == .allDone)
        #expect(chart.lines.contains("     ├─ unknown"))
        #expect(marked(chart.lines).isEmpty)
        #expect(chart.errors == sentence)
        let json = Bench()
        #expect(await json.run("charts", "network", "--json") == .allDone)
        #expect(json.objects.first?["configuration"] == .null)
        #expect(json.objects.first?["states"]?.arrayValue?.allSatisfy { $0["active"] == .null } == true)
        #expect(json.errors == sentence)
    }

    @Test func `continues without marks when the daemon fails, and reports why`() async throws {
        try await withDaemon(["GetStatus": .error("io.bracketd.Stopping")]) { daemon in
            let bench = Bench()
            #expect(await bench.run("charts", "network", against: daemon) == .allDone)
            #expect(marked(bench.lines).isEmpty)
            #expect(bench.errors.hasPrefix("bracketctl: No state is marked: The daemon at "))
        }
    }

    @Test func `marks active states, with any spelling of the name`() async throws {
        let answer = status(
            ("shooting", ["confirmingSpeed", "present", "proceeding"], nil),
            ("network", ["joined"], nil)
        )
        try await withDaemon(["GetStatus": answer]) { daemon in
            for name in ["shooting", "Shooting", "SHOOTING"] {
                let bench = Bench()
                #expect(await bench.run("charts", name, against: daemon) == .allDone)
                #expect(marked(bench.lines) == ["confirmingSpeed", "present", "proceeding"])
                #expect(bench.lines.contains(">    │     ├─ running  (starts in betweenFrames)"))
                #expect(bench.lines.contains { $0.hasSuffix("after confirmDeadline → partial / recordWrongSpeed") })
                #expect(bench.errors.isEmpty)
            }
            let states = Bench()
            #expect(await states.run("charts", "shooting", "--states", against: daemon) == .allDone)
            #expect(marked(states.lines) == ["confirmingSpeed", "present", "proceeding"])
            #expect(!states.output.contains("→"))
        }
    }

    @Test func `as JSON has every state with its parent, and every transition`() async throws {
        try await withDaemon(["GetStatus": status(("network", ["joined"], nil))]) { daemon in
            let bench = Bench()
            #expect(await bench.run("charts", "network", "--json", against: daemon) == .allDone)
            let chart = try #require(bench.objects.first)
            #expect(chart["digest"]?.stringValue == (try ChartLibrary.chart(named: "network").digest))
            let states = try #require(chart["states"]?.arrayValue)
            #expect(states.filter { $0["active"] == true }.map { $0["id"] } == ["watching", "joined"])
            #expect(states.first { $0["id"] == "joined" }?["parent"] == "watching")
            #expect(states.first { $0["id"] == "watching" }?["parent"] == .null)
            #expect(
                chart["transitions"]?.arrayValue?[1] == [
                    "source": "watching", "kind": "external", "events": ["network.joined"], "guard": "isCamerasNetwork",
                    "targets": ["joined"], "actions": ["adoptNetwork"],
                ]
            )
        }
    }

    @Test func `marks nothing in a chart with many runs, and says why`() async throws {
        let sentence = "No state is marked: this chart has one run for each address that is probed."
        try await withDaemon(["GetStatus": status(("candidate", ["handshake"], nil))]) { daemon in
            let bench = Bench()
            #expect(await bench.run("charts", "candidate", against: daemon) == .allDone)
            #expect(bench.lines.contains { $0.hasSuffix("├─ handshake") })
            #expect(marked(bench.lines).isEmpty)
            #expect(bench.errors == "bracketctl: \(sentence)\n")
            let json = Bench()
            #expect(await json.run("charts", "candidate", "--json", against: daemon) == .allDone)
            #expect(json.objects.first?["configuration"] == .null)
            #expect(json.objects.first?["states"]?.arrayValue?.allSatisfy { $0["active"] == .null } == true)
        }
    }

    @Test func `with many runs prints each transition, and keeps no states`() async throws {
        let steps = [
            transition("candidate", from: ["connecting"], to: ["handshake"]),
            transition("candidate", from: ["connecting"], to: ["handshake"]),
        ]
        let answers = ["GetStatus": status(), "Watch": FakeDaemon.Answer.begun("transition", steps, then: .close)]
        try await withDaemon(answers) { daemon in
            let bench = Bench()
            #expect(await bench.run("charts", "candidate", "--watch", "--states", against: daemon) == .noDaemon)
            #expect(bench.lines.count { $0 == "14:03:07.412  candidate: connecting → handshake" } == 2)
            #expect(marked(bench.lines).isEmpty)
            // The status is requested once, at the beginning. No transition causes a second request.
            #expect(daemon.calls.count { $0.method == "io.bracketd.GetStatus" } == 1)
        }
    }

    @Test func `uses colour on a terminal that supports it, and fits its width`() async throws {
        try await withDaemon(["GetStatus": status(("network", ["joined"], nil))]) { daemon in
            let bench = Bench()
            var environment = bench.environment(socket: daemon.path)
            environment.hasColor = true
            environment.screen = { .init(columns: 60, rows: 10) }
            #expect(await Bracketctl.run(["charts", "network"], in: environment) == .allDone)
            #expect(bench.lines.contains("\u{1B}[1;32m► \u{1B}[0m   ├─ \u{1B}[1;32mjoined\u{1B}[0m"))
            let plain = bench.lines.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") }
            #expect(plain.allSatisfy { $0.count <= 60 })
        }
        #expect(bracketctl.Environment.wantsColor(["TERM": "xterm", "NO_COLOR": ""]))
        #expect(!bracketctl.Environment.wantsColor(["TERM": "xterm", "NO_COLOR": "1"]))
        #expect(!bracketctl.Environment.wantsColor(["TERM": "dumb"]))
    }

    @Test(arguments: [
        (
            ["nope"],
            "There is no chart 'nope'. The charts are button, candidate, connect, connection, metering, network, "
                + "property, recording, search, service, settings, shooting and transfer. See bracketctl charts."
        ),
        (
            ["--svg"],
            "--svg needs one chart: button, candidate, connect, connection, metering, network, "
                + "property, recording, search, service, settings, shooting or transfer."
        ),
        (
            ["--watch"],
            "--watch needs one chart: button, candidate, connect, connection, metering, network, "
                + "property, recording, search, service, settings, shooting or transfer."
        ),
        (["network", "--svg", "--json"], "--svg and --json exclude each other. Choose one."),
        (["network", "--svg", "--states"], "--states works only with text. Omit --svg."),
        (["network", "--states", "--json"], "--states works only with text. Omit --json."),
        (
            ["network", "--output", "f"],
            "--output is for the drawing. Add --svg, or redirect standard output."
        ),
        (["network", "--svg", "--output", ""], "--output is empty. Give a file name for the drawing."),
        (
            ["network", "--svg", "--watch"],
            "--svg with --watch rewrites the drawing at every change. Give a file name with --output."
        ),
    ])
    func `with invalid arguments reports the fault`(arguments: [String], sentence: String) async throws {
        let bench = Bench()
        #expect(await Bracketctl.run(["charts"] + arguments, in: bench.environment()) == .usage)
        #expect(bench.errors == "bracketctl: \(sentence)\n")
    }
}

@Suite struct `bracketctl charts against a daemon of another build` {
    private func errors(_ configuration: [String], _ digest: String?) async throws -> [Substring] {
        let bench = Bench()
        try await withDaemon(["GetStatus": status(("network", configuration, digest))]) { daemon in
            #expect(await bench.run("charts", "network", against: daemon) == .allDone)
        }
        return bench.errors.split(separator: "\n")
    }

    @Test func `reports that its chart is another version`() async throws {
        let own = try ChartLibrary.chart(named: "network").digest
        #expect(try await errors(["joined"], own) == [])
        #expect(try await errors(["joined"], nil) == [])
        #expect(
            try await errors(["joined"], "0123456789abcdef") == [
                """
                bracketctl: The daemon runs another version of this chart (0123456789ab; this one is \
                \(own.prefix(12))). Use the bracketctl of the same release.
                """
            ]
        )
    }

    @Test func `names states that its own chart lacks`() async throws {
        #expect(
            try await errors(["roaming", "joined", "away"], nil)
                == ["bracketctl: The daemon reports away and roaming, which this chart does not have."]
        )
    }

    @Test func `reports when the daemon has no such chart`() async throws {
        try await withDaemon(["GetStatus": status(("shooting", ["idle"], nil))]) { daemon in
            let bench = Bench()
            #expect(await bench.run("charts", "network", against: daemon) == .allDone)
            #expect(bench.errors == "bracketctl: No state is marked: the daemon runs no chart network.\n")
        }
    }
}

@Suite struct `bracketctl charts --svg` {
    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "charts-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    @Test func `prints the drawing with the active states`() async throws {
        try await withDaemon(["GetStatus": status(("network", ["joined"], nil))]) { daemon in
            let bench = Bench()
            #expect(await bench.run("charts", "network", "--svg", against: daemon) == .allDone)
            #expect(bench.output.hasPrefix("<svg"))
            #expect(bench.output.contains(#"<g id="state-joined" class="state leaf even active">"#))
            #expect(bench.output.contains(#"<g id="state-watching" class="state compound active">"#))
            #expect(bench.output.contains(#"<g id="state-down" class="state leaf even">"#))
        }
    }

    @Test func `writes the whole drawing to a file that others may read`() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "network.svg")
            try "old".write(to: file, atomically: false, encoding: .utf8)
            let (printed, written) = (Bench(), Bench())
            await printed.run("charts", "network", "--svg")
            #expect(await written.run("charts", "network", "--svg", "--output", file.path) == .allDone)
            #expect(try String(contentsOf: file, encoding: .utf8) == printed.output)
            #expect(written.output.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["network.svg"])
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o644)
        }
    }

    @Test func `reports when the file cannot be written`() async throws {
        let bench = Bench()
        #expect(await bench.run("charts", "network", "--svg", "--output", "/nonexistent/network.svg") == .error)
        let sentence = "The drawing cannot be written to /nonexistent/network.svg: No such file or directory."
        #expect(bench.errors.contains("bracketctl: \(sentence)\n"))
    }

    @Test func `with --watch writes the file at each change`() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "network.svg")
            let watch = FakeDaemon.Answer.begun(
                "transition",
                [transition("network", from: ["joined"], to: ["down"])],
                then: .close
            )
            try await withDaemon(["GetStatus": status(("network", ["joined"], nil)), "Watch": watch]) { daemon in
                let bench = Bench()
                let arguments = ["charts", "network", "--svg", "--watch", "--output", file.path]
                #expect(await Bracketctl.run(arguments, in: bench.environment(socket: daemon.path)) == .noDaemon)
                #expect(bench.lines == ["14:03:07.412  network: joined → down"])
                let drawing = try String(contentsOf: file, encoding: .utf8)
                #expect(drawing.contains(#"<g id="state-down" class="state leaf even active">"#))
                #expect(drawing.contains(#"<g id="state-joined" class="state leaf even">"#))
            }
        }
    }
}

@Suite struct `bracketctl charts --watch` {
    private func watch(
        _ status: FakeDaemon.Answer,
        _ transitions: [JSONValue],
        _ arguments: String...
    ) async throws -> (bench: Bench, calls: [String]) {
        let bench = Bench()
        var calls: [String] = []
        let answers = ["GetStatus": status, "Watch": .begun("transition", transitions, then: .close)]
        try await withDaemon(answers) { daemon in
            let environment = bench.environment(socket: daemon.path)
            let arguments = ["charts", arguments[0], "--watch"] + arguments.dropFirst()
            #expect(await Bracketctl.run(arguments, in: environment) == .noDaemon)
            calls = daemon.calls.map(\.method)
        }
        return (bench, calls)
    }

    private func configurations(_ bench: Bench) -> [[String]] {
        // The last object reports the daemon's end.
        bench.objects.dropLast().map { $0["configuration"]?.arrayValue?.compactMap(\.stringValue) ?? [] }
    }

    @Test func `without a daemon is exit status 5`() async {
        let bench = Bench()
        #expect(await bench.run("charts", "network", "--watch") == .noDaemon)
        #expect(bench.output.isEmpty)
    }

    @Test func `prints the chart, then a line for each of its transitions, until the daemon ends`() async throws {
        let (bench, calls) = try await watch(
            status(("network", ["joined"], nil)),
            [
                transition("network", from: ["joined"], to: ["down"]),
                transition("shooting", from: ["present"], to: ["absent"]),
                transition("network", from: ["down"], to: ["elsewhere"]),
            ],
            "network"
        )
        #expect(marked(bench.lines) == ["joined"])
        #expect(
            bench.lines.suffix(3) == [
                "           network.noRoute (ignored)",
                "14:03:07.412  network: joined → down",
                "14:03:07.412  network: down → elsewhere",
            ]
        )
        #expect(bench.errors.contains("closed the connection"))
        // The client calls Watch first, so that it misses no transition between the two calls.
        #expect(calls == ["io.bracketd.Watch", "io.bracketd.GetStatus"])
    }

    @Test func `as JSON prints an object per change`() async throws {
        let (bench, _) = try await watch(
            status(("shooting", ["idle", "present", "proceeding"], nil)),
            [
                transition("shooting", from: ["idle"], to: ["betweenFrames"]),
                transition("shooting", from: ["betweenFrames"], to: ["betweenFrames"]),
                transition("shooting", from: ["proceeding"], to: ["pauseWanted"]),
            ],
            "shooting",
            "--json"
        )
        #expect(
            configurations(bench) == [
                ["idle", "present", "proceeding"],
                ["betweenFrames", "present", "proceeding"],
                ["betweenFrames", "present", "pauseWanted"],
            ]
        )
        #expect(bench.objects.last?["error"] == "ConnectionLost")
    }

    @Test func `reads the states again when a transition was missed`() async throws {
        let (bench, calls) = try await watch(
            .inTurn(status(("network", ["joined"], nil)), status(("network", ["noRoute"], nil))),
            [
                transition("network", from: ["elsewhere"], to: ["noRoute"]),
                transition("network", from: ["noRoute"], to: ["down"]),
            ],
            "network",
            "--json"
        )
        #expect(configurations(bench) == [["joined"], ["noRoute"], ["down"]])
        #expect(calls.count { $0.hasSuffix("GetStatus") } == 2)
    }

    @Test func `ignores transitions that arrive after the states that they led to`() async throws {
        let (bench, _) = try await watch(
            status(("network", ["noRoute"], nil)),
            [
                transition("network", from: ["joined"], to: ["elsewhere"]),
                transition("network", from: ["elsewhere"], to: ["noRoute"]),
                transition("network", from: ["noRoute"], to: ["down"]),
            ],
            "network",
            "--json"
        )
        #expect(configurations(bench) == [["noRoute"], ["down"]])
    }

    @Test func `reports once that a transition leads to an unknown state`() async throws {
        let (bench, _) = try await watch(
            status(("network", ["joined"], nil)),
            [
                transition("network", from: ["joined"], to: ["roaming"]),
                transition("network", from: ["roaming"], to: ["joined"]),
                transition("network", from: ["joined"], to: ["roaming"]),
            ],
            "network"
        )
        let sentence = "bracketctl: The daemon reports roaming, which this chart does not have."
        #expect(bench.errors.split(separator: "\n").count { $0 == sentence } == 1)
    }

    @Test func `that the daemon refuses prints the reason`() async throws {
        let answers = [
            "GetStatus": status(("network", ["joined"], nil)),
            "Watch": .error("io.bracketd.TooManyClients", ["limit": 8]),
        ]
        try await withDaemon(answers) { daemon in
            let bench = Bench()
            #expect(await bench.run("charts", "network", "--watch", against: daemon) == .error)
            #expect(bench.errors.contains("already has 8 watching clients"))
        }
    }
}

@Suite struct `bracketctl charts --watch on a terminal` {
    private func frames(rows: Int, _ transitions: [JSONValue]) async throws -> [[String]] {
        let bench = Bench()
        let answers = [
            "GetStatus": status(("connection", ["discovering"], nil)),
            "Watch": .begun("transition", transitions, then: .close),
        ]
        try await withDaemon(answers) { daemon in
            var environment = bench.environment(socket: daemon.path)
            environment.screen = { .init(columns: 80, rows: rows) }
            #expect(await Bracketctl.run(["charts", "connection", "--watch"], in: environment) == .noDaemon)
        }
        let frames = bench.output.split(separator: "\u{1B}[H").map(String.init)
        #expect(frames.allSatisfy { $0.hasSuffix("\u{1B}[J") })
        return frames.map { frame in
            frame.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
                #expect(line.hasSuffix("\u{1B}[K"))
                return String(line.dropLast(3))
            }
        }
    }

    private let found = transition("connection", from: ["discovering"], to: ["connecting"])
    private let stopped = transition("connection", from: ["connecting"], to: ["stopped"])

    @Test func `draws the chart again in place at each transition, with that transition below it`() async throws {
        let frames = try await frames(rows: 120, [found, stopped])
        #expect(frames.map(marked) == [["discovering"], ["connecting"], ["stopped"]])
        #expect(frames.last?.suffix(2) == ["", "14:03:07.412  connection: connecting → stopped"])
        #expect(frames.last?.contains { $0.contains("camera.lost → reconnecting") } == true)
    }

    @Test func `leaves out what does not fit, but no active state`() async throws {
        let states = try await frames(rows: 20, [found, stopped])
        #expect(states.map(marked) == [["discovering"], ["connecting"], ["stopped"]])
        #expect(states.joined().allSatisfy { !$0.contains("camera.lost") })
        let few = try await frames(rows: 8, [found, stopped])
        #expect(few.map(marked) == [["discovering"], ["connecting"], ["stopped"]])
        #expect(few.allSatisfy { $0.count <= 7 })
    }
}
