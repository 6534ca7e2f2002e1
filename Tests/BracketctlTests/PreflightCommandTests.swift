import Testing
import Varlink

@testable import bracketctl

@Suite struct `bracketctl preflight` {
    private static func check(_ name: String, _ result: String, _ advice: String? = nil) -> JSONValue {
        .object(leavingOutNil: [
            "name": .string(name), "result": .string(result), "sentence": .string("The \(name) is so."),
            "advice": advice.map { .string($0) },
        ])
    }

    private static func report(_ checks: JSONValue..., isReady: Bool) -> FakeDaemon.Answer {
        .one("report", ["isReady": .bool(isReady), "sentence": "Ready to shoot.", "checks": .array(checks)])
    }

    private static let failing: JSONValue = [check("drive", "fail", "Set it."), check("battery", "fail")]

    @Test func `shows every check with its result and advice, and exits with 0 when none fails`() async throws {
        let answer = Self.report(
            Self.check("link", "pass"),
            Self.check("iso-auto", "warn", "Set a fixed ISO."),
            isReady: true
        )
        try await withDaemon(["Preflight": answer]) { daemon in
            let bench = Bench()
            #expect(await bench.run("preflight", "--frames", "7", against: daemon) == .allDone)
            #expect(
                bench.output == """
                    check           result, and what to do
                    link      pass  The link is so.
                    iso-auto  warn  The iso-auto is so. Set a fixed ISO.

                    Ready to shoot.

                    """
            )
            #expect(daemon.calls.map(\.parameters) == [["plan": ["frames": 7]]])
        }
    }

    @Test func `exits with 1 when a check fails, and names it`() async throws {
        let answer = Self.report(Self.check("drive", "fail", "Set it."), Self.check("ledger", "fail"), isReady: false)
        try await withDaemon(["Preflight": answer]) { daemon in
            let bench = Bench()
            #expect(await bench.run("preflight", against: daemon) == .error)
            #expect(bench.lines.last == "Not ready to shoot: drive and ledger fail.")
            let json = Bench()
            #expect(await json.run("preflight", "--json", against: daemon) == .error)
            #expect(json.objects.first?["checks"]?.arrayValue?.count == 2)
        }
    }

    @Test func `a refused shoot shows the failing checks with advice`() async throws {
        let refusal = FakeDaemon.Answer.error(
            "io.bracketd.PreflightFailed",
            ["sentence": "All of it.", "checks": Self.failing]
        )
        try await withDaemon(["Plan": Sample.plan(), "Shoot": refusal, "Retry": refusal]) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", "--yes", against: daemon) == .error)
            #expect(
                bench.errors == """
                    bracketctl: Nothing was fired: drive and battery fail.
                      drive    The drive is so. Set it.
                      battery  The battery is so.

                    """
            )
            let json = Bench()
            #expect(await json.run("retry", "--json", against: daemon) == .error)
            #expect(json.objects.first?["parameters"]?["checks"] == Self.failing)
        }
    }
}

@Suite struct `An obstacle to a shoot` {
    private static let warning: JSONValue = ["name": "iso-auto", "result": "warn", "sentence": "It is on."]
    private static let drive: JSONValue = [
        "name": "drive", "result": "fail", "sentence": "It is continuous.", "advice": "Set it.",
    ]

    private static func report(_ checks: JSONValue..., isReady: Bool) -> FakeDaemon.Answer {
        .one("report", ["isReady": .bool(isReady), "sentence": "All of it.", "checks": .array(checks)])
    }

    @Test func `is reported before any question, with the sentence of a refused shoot`() async throws {
        let refusal = Self.report(Self.warning, Self.drive, isReady: false)
        try await withDaemon(["Plan": Sample.plan(warnings: ["It is on"]), "Preflight": refusal]) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", against: daemon, answer: "y") == .error)
            #expect(bench.questions.isEmpty)
            #expect(
                bench.errors == """
                    bracketctl: Nothing was fired: drive fails.
                      drive  It is continuous. Set it.

                    """
            )
            #expect(bench.lines.last == "Warning: It is on.")
            #expect(daemon.calls.map(\.method) == ["GetStatus", "Plan", "Preflight"].map { "io.bracketd.\($0)" })
            let json = Bench()
            #expect(await json.run("shoot", "--yes", "--json", against: daemon) == .error)
            #expect(json.objects.map { $0["kind"] ?? $0["error"] } == ["plan", "io.bracketd.PreflightFailed"])
            #expect(json.objects.last?["parameters"] == ["checks": [Self.drive], "sentence": "All of it."])
        }
    }

    @Test func `is not a warning, which the plan shows once`() async throws {
        let answers: [String: FakeDaemon.Answer] = [
            "Plan": Sample.plan(warnings: ["It is on"]), "Preflight": Self.report(Self.warning, isReady: true),
            "Shoot": .one("progress", Sample.completed),
        ]
        try await withDaemon(answers) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", against: daemon, answer: "y") == .allDone)
            #expect(bench.lines.filter { $0.contains("It is on") } == ["Warning: It is on."])
        }
    }
}

@Suite struct `plans by their hash` {
    private static func plan(_ hash: String? = "7f3k2m9q4a") -> FakeDaemon.Answer {
        .one(
            "plan",
            .object(leavingOutNil: [
                "rangeEV": 2.0, "sets": [["1/250", "1/125", "1/60"]], "totalExposures": 3, "notes": [],
                "warnings": [], "estimateMilliseconds": 4_500, "estimateBasis": "b",
                "checkedAgainst": hash.map { _ in "Sony ILCE-7M4" }, "hash": hash.map { .string($0) },
                "input": [
                    "shadow": "1/60", "highlight": "1/250", "frames": 3, "spacing": 1.0, "biasThirds": 0,
                    "shareOnce": false, "strict": false,
                ],
            ])
        )
    }

    private static let options = ["--shadow", "1/60", "--highlight", "1/250", "--frames", "3"]

    @Test func `plan prints the hash if a daemon with a camera answers`() async throws {
        try await withDaemon(["Plan": Self.plan()]) { daemon in
            let bench = Bench()
            let environment = bench.environment(socket: daemon.path)
            #expect(await Bracketctl.run(["plan"] + Self.options, in: environment) == .allDone)
            #expect(
                bench.lines.last
                    == "Plan 7f3k2m9q4a on Sony ILCE-7M4: bracketctl shoot --plan 7f3k2m9q4a fires exactly this plan."
            )
            let json = Bench()
            let other = json.environment(socket: daemon.path)
            #expect(await Bracketctl.run(["plan", "--json"] + Self.options, in: other) == .allDone)
            #expect(json.objects.first?["hash"] == "7f3k2m9q4a")
            let changed = Bench()
            await changed.run("plan", against: daemon)
            #expect(changed.lines.last?.contains("which does not have all speeds") == true)
        }
    }

    @Test func `plan prints no hash without a daemon, without a camera, and if the daemon refuses`()
        async throws
    {
        /// The lines without the reason, which differs between the commands.
        func plan(_ bench: Bench) -> [String] {
            bench.lines.filter { !$0.hasPrefix("Not checked against a camera") }
        }
        let alone = Bench()
        #expect(await alone.run("plan") == .allDone)
        for answer in [Self.plan(nil), .error("io.bracketd.Stopping"), .hangUp] {
            try await withDaemon(["Plan": answer]) { daemon in
                let bench = Bench()
                #expect(await bench.run("plan", against: daemon) == .allDone)
                #expect(plan(bench) == plan(alone))
                #expect(bench.lines.count == alone.lines.count)
                #expect(bench.errors.isEmpty)
            }
        }
    }

    @Test func `shoot with only a hash sends it, and shows the daemon's plan`() async throws {
        let answers = ["Plan": Self.plan(), "Shoot": FakeDaemon.Answer.one("progress", Sample.completed)]
        try await withDaemon(answers) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", "--yes", "--plan", "7f3k2m9q4a", against: daemon) == .allDone)
            #expect(bench.lines.first == "1/250 to 1/60: 2 EV, 1 set of 3 frames at 1 EV, 3 exposures")
            let wanted: JSONValue = ["plan": ["hash": "7f3k2m9q4a"]]
            #expect(daemon.calls.dropFirst().dropLast().map(\.parameters) == [wanted, wanted, wanted])
            #expect(daemon.calls.last?.method == "io.bracketd.GetPhotos")
        }
    }

    @Test func `shoot fires exactly what it showed`() async throws {
        let refusal = FakeDaemon.Answer.error("io.bracketd.PlanChanged", ["was": "7f", "sentence": "It was so."])
        try await withDaemon(["Plan": Self.plan(), "Shoot": refusal]) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", "--frames", "3", against: daemon, answer: "y") == .error)
            #expect(bench.errors == "bracketctl: It was so.\n")
            let named: JSONValue = ["plan": ["frames": 3, "hash": "7f3k2m9q4a"]]
            #expect(daemon.calls.map(\.parameters) == [[:], ["plan": ["frames": 3]], named, named])
        }
    }

    @Test func `shoot with only a hash shows no plan of its own if it cannot read the daemon's`() async throws {
        let answers = ["Plan": Sample.plan(), "Shoot": FakeDaemon.Answer.one("progress", Sample.completed)]
        try await withDaemon(answers) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", "--yes", "--plan", "7f3k2m9q4a", against: daemon) == .allDone)
            #expect(bench.lines.first == "Set 1  1/250   1/125   [1/60]   1/30    1/15")
        }
    }

    @Test func `shoot reports what changed in the plan`() async throws {
        let refusal = FakeDaemon.Answer.error("io.bracketd.PlanChanged", ["was": "7f", "sentence": "It was so."])
        try await withDaemon(["Plan": refusal]) { daemon in
            let bench = Bench()
            #expect(await bench.run("shoot", "--yes", "--plan", "7f", against: daemon) == .error)
            #expect(bench.errors == "bracketctl: It was so.\n")
        }
    }
}
