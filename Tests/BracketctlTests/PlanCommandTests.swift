import Testing
import Varlink

@testable import bracketctl

@Suite struct `bracketctl plan` {
    @Test func `prints one object with the members that scripts need`() async throws {
        let bench = Bench()
        let status = await bench.run(
            "plan",
            "--shadow",
            "1/4",
            "--highlight",
            "1/1000",
            "--frames",
            "5",
            "--spacing",
            "1",
            "--json"
        )
        #expect(status == .allDone)
        #expect(bench.errors.isEmpty)
        let plan = try #require(bench.objects.first)
        #expect(bench.objects.count == 1)
        #expect(plan["rangeEV"]?.doubleValue == 8)
        #expect(plan["totalExposures"]?.intValue == 15)
        #expect(plan["notes"] == [])
        #expect(
            plan["sets"] == [
                ["1/1000", "1/500", "1/250", "1/125", "1/60"], ["1/60", "1/30", "1/15", "1/8", "1/4"],
                ["1/4", "1/2", "1\"", "2\"", "4\""],
            ]
        )
    }

    @Test func `without options is the default plan, as text`() async {
        let bench = Bench()
        #expect(await bench.run("plan") == .allDone)
        #expect(bench.lines.first == "1/1000 to 1/4: 8 EV, 3 sets of 5 frames at 1 EV, 15 exposures")
        #expect(bench.lines.last?.hasPrefix("About 31 s: 15 exposures") == true)
    }

    @Test func `fires shared frames once, and with bias, on request`() async throws {
        let bench = Bench()
        #expect(await bench.run("plan", "--share", "once", "--bias", "-1/3", "--json") == .allDone)
        let plan = try #require(bench.objects.first)
        #expect(plan["totalExposures"]?.intValue == 13)
        #expect(plan["exposures"]?.arrayValue?.first?["speed"] == "1/1250")
        #expect(plan["biasThirds"]?.intValue == -1)
    }

    @Test func `compares, as text and as JSON`() async throws {
        let text = Bench()
        #expect(await text.run("plan", "--compare") == .allDone)
        #expect(text.lines.filter { $0.hasPrefix("*      5       1 EV       3         15") }.count == 1)
        #expect(
            text.lines.suffix(2) == [
                "",
                "* marks this plan. Requested: 1/1000 to 1/4 (8 EV). Covered: from the fastest to the slowest frame.",
            ]
        )
        let json = Bench()
        #expect(await json.run("--json", "plan", "--compare") == .allDone)
        #expect(json.objects.first?["comparison"]?.arrayValue?.count == 12)
        let asked = json.objects.first?["comparison"]?.arrayValue?.filter { $0["isAsked"] == true }
        #expect(
            asked == [
                [
                    "framesPerSet": 5, "spacing": 1.0, "totalSets": 3, "totalExposures": 15, "fastest": "1/1000",
                    "slowest": "4\"", "coveredEV": 12.0, "isAsked": true,
                    "estimateMilliseconds": json.objects.first?["estimateMilliseconds"] ?? .null,
                ]
            ]
        )
    }

    @Test func `shows before the estimate why it was made without a camera`() async throws {
        let sentence = "Not checked against a camera: no daemon answers at /nonexistent/socket."
        let bench = Bench()
        #expect(await bench.run("plan") == .allDone)
        #expect(bench.lines.suffix(2).first == sentence)
        let json = Bench()
        #expect(await json.run("plan", "--json") == .allDone)
        #expect(json.objects.first?["basis"] == .string(sentence))
        let answers: [String: FakeDaemon.Answer] = [
            "GetStatus": Sample.status(connection: "searching", sentence: "No camera is found yet."),
            "Plan": Sample.plan(checkedAgainst: .null),
        ]
        try await withDaemon(answers) { daemon in
            let bench = Bench()
            #expect(await bench.run("plan", against: daemon) == .allDone)
            #expect(bench.lines.contains("Not checked against a camera: No camera is found yet."))
        }
    }

    @Test func `with a camera shows the estimate that shoot shows, and each substitute`() async throws {
        let warning = "1/6400 not available on this camera, using 1/5000 (+0.3 EV)"
        let substitute: JSONValue = ["planned": "1/6400", "used": "1/5000", "errorEV": 0.25]
        let answer = Sample.plan(warnings: [warning], more: ["hash": "7f3k2m9q4a", "substitutes": [substitute]])
        try await withDaemon(["Plan": answer, "Shoot": .one("progress", Sample.completed)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("plan", against: daemon) == .allDone)
            #expect(
                bench.lines.suffix(6) == [
                    "About 7.6 s: 5 exposures, 1.5 s each.", "", "Note: A note.", "Warning: \(warning).",
                    "Checked against ILCE-7M4.",
                    "Plan 7f3k2m9q4a on ILCE-7M4, which does not have all speeds: bracketctl shoot --plan 7f3k2m9q4a "
                        + "fires it as shown here.",
                ]
            )
            let (plan, shoot) = (Bench(), Bench())
            #expect(await plan.run("plan", "--json", against: daemon) == .allDone)
            #expect(await shoot.run("shoot", "--yes", "--json", against: daemon) == .allDone)
            #expect(plan.objects.first?["substitutes"] == [substitute])
            #expect(plan.objects.first?["basis"] == "Checked against ILCE-7M4.")
            #expect(plan.objects.first?.with("kind", "plan") == shoot.objects.first)
        }
    }

    @Test func `compares on the daemon's camera`() async throws {
        let choice: JSONValue = [
            "framesPerSet": 5, "spacing": 1.0, "totalSets": 3, "totalExposures": 15, "estimateMilliseconds": 19_400,
            "fastest": "1/1000", "slowest": "4\"", "coveredEV": 12.0, "isAsked": true,
        ]
        let input: JSONValue = [
            "shadow": "1/4", "highlight": "1/1000", "frames": 5, "spacing": 1.0, "biasThirds": 0, "shareOnce": false,
        ]
        try await withDaemon(["Plan": Sample.plan(more: ["input": input, "comparison": [choice]])]) { daemon in
            let bench = Bench()
            #expect(await bench.run("plan", "--compare", against: daemon) == .allDone)
            #expect(bench.lines.contains("*      5       1 EV       3         15  19 s  1/1000 to 4\" (12 EV)"))
            let json = Bench()
            #expect(await json.run("plan", "--compare", "--json", against: daemon) == .allDone)
            #expect(json.objects.first?["comparison"] == [choice])
            #expect(json.objects.first?["framesPerSet"] == 5)
            #expect(json.objects.first?["share"] == "twice")
        }
    }

    @Test func `of no range has no sets and one exposure`() async throws {
        let bench = Bench()
        #expect(await bench.run("plan", "--shadow", "0.3\"", "--highlight", "0.3", "--json") == .allDone)
        let plan = try #require(bench.objects.first)
        #expect(plan["sets"] == [])
        #expect(plan["totalExposures"]?.intValue == 1)
        #expect(plan["rangeEV"]?.doubleValue == 0)
        #expect(plan["notes"]?.arrayValue?.count == 1)
    }

    @Test(
        arguments: [
            (["--shadow", "1/45"], "--shadow: '1/45' is not on the third-stop scale. The nearest are 1/50 and 1/40."),
            (
                ["--highlight", "-1/4"],
                "--highlight: A shutter speed of '-1/4' is negative. Write it as 1/250, 0.3 or 2\"."
            ),
            (["--highlight", ""], "--highlight: The shutter speed is empty. Write it as 1/250, 0.3 or 2\"."),
            (["--frames", "4"], "--frames: A set cannot have 4 frames. Choose 3, 5, 7 or 9."),
            (["--frames", "-3"], "--frames: A set cannot have -3 frames. Choose 3, 5, 7 or 9."),
            (["--frames", "five"], "--frames: 'five' is not a valid number of frames. Choose 3, 5, 7 or 9."),
            (
                ["--frames", "99999999999999999999"],
                "--frames: '99999999999999999999' is not a valid number of frames. Choose 3, 5, 7 or 9."
            ),
            (["--spacing", "3"], "--spacing: A spacing of '3' is not possible. Choose 1, 1.5 or 2 EV."),
            (["--bias", "1/2"], "--bias: A bias of '1/2' is not in thirds of a stop. Write +1/3, -2/3 or +1."),
            (["--bias", "-6"], "--bias: A bias of -18/3 EV is too large. The range is -15/3 to +15/3 EV."),
            (["--share", "thrice"], "--share: 'thrice' is not valid. Choose once or twice."),
            (["--shadow"], "Missing value for '--shadow <speed>'. See bracketctl plan --help."),
            (["--nonsense"], "Unknown option '--nonsense'. See bracketctl plan --help."),
            (["1/4"], "Unexpected argument '1/4'. See bracketctl plan --help."),
        ] as [([String], String)]
    )
    func `refuses an invalid argument in one line`(arguments: [String], sentence: String) async {
        let bench = Bench()
        #expect(await Bracketctl.run(["plan"] + arguments, in: bench.environment()) == .usage)
        #expect(bench.errors == "bracketctl: \(sentence)\n")
        #expect(bench.output.isEmpty)
    }

    @Test func `refuses with an object too if JSON is requested`() async throws {
        let bench = Bench()
        #expect(await bench.run("plan", "--frames", "4", "--json") == .usage)
        let error = try #require(bench.objects.first)
        #expect(error["exitCode"]?.intValue == 64)
        #expect(error["sentence"]?.stringValue == "--frames: A set cannot have 4 frames. Choose 3, 5, 7 or 9.")
    }

    @Test func `does not let an argument control the terminal`() async {
        let bench = Bench()
        #expect(await bench.run("plan", "--share", "\u{1B}[2J") == .usage)
        #expect(!bench.errors.contains("\u{1B}"))
    }

    @Test func `with strict reports that no daemon was available`() async {
        let bench = Bench()
        #expect(await bench.run("plan", "--strict") == .allDone)
        #expect(
            bench.lines.last
                == "Note: Not checked against a camera: no daemon answers at /nonexistent/socket."
        )
    }

    @Test func `with strict is refused if the camera would change it`() async throws {
        let refusal = FakeDaemon.Answer.error(
            "io.bracketd.PlanNotExact",
            ["warnings": ["1/6400 not available"], "sentence": "The camera cannot fire this plan exactly"]
        )
        try await withDaemon(["Plan": refusal]) { daemon in
            let bench = Bench()
            #expect(await bench.run("plan", "--strict", "--json", against: daemon) == .error)
            #expect(bench.errors == "bracketctl: The camera cannot fire this plan exactly.\n")
            #expect(bench.objects.map { $0["parameters"]?["warnings"] } == [["1/6400 not available"]])
            #expect(daemon.calls.map(\.parameters) == [["plan": ["strict": true]]])
        }
    }

    @Test func `with strict passes if the camera can fire it`() async throws {
        try await withDaemon(["Plan": Sample.plan()]) { daemon in
            let bench = Bench()
            #expect(await bench.run("plan", "--strict", against: daemon) == .allDone)
            #expect(bench.lines.last == "Checked against ILCE-7M4.")
            let json = Bench()
            #expect(await json.run("plan", "--strict", "--json", against: daemon) == .allDone)
            #expect(json.objects.first?["checkedAgainst"] == "ILCE-7M4")
        }
    }

    @Test func `with strict and without a camera prints the daemon's sentence`() async throws {
        let answers: [String: FakeDaemon.Answer] = [
            "GetStatus": Sample.status(connection: "modeCheck", sentence: "The mode dial is on A. Turn it to M."),
            "Plan": Sample.plan(checkedAgainst: .null),
        ]
        try await withDaemon(answers) { daemon in
            let bench = Bench()
            #expect(await bench.run("plan", "--strict", against: daemon) == .allDone)
            #expect(
                bench.lines.last
                    == "Note: Not checked against a camera: The mode dial is on A. Turn it to M."
            )
        }
    }
}
