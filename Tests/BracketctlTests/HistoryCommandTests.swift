import Foundation
import Testing
import Varlink

@testable import bracketctl

private enum Recorded {
    static let completed: JSONValue = [
        "id": 12, "began": "2026-11-21T22:30:05.250Z", "ended": "2026-11-21T22:31:00.000Z", "camera": "Sony ILCE-7M4",
        "cameraId": "1", "plan": "1/4 to 1/1000", "outcome": "completed", "captured": 15, "total": 15,
    ]
    static let partial: JSONValue = [
        "id": 9, "began": "2026-11-20T10:00:00.000Z", "ended": "2026-11-20T10:00:30.000Z",
        "camera": "Sony\u{1B}[2J", "cameraId": "1", "plan": "1/4 to 1/1000", "outcome": "partial",
        "cause": "The card is full.", "captured": 3, "total": 5,
    ]
    static let running: JSONValue = [
        "id": 13, "camera": "Sony ILCE-7M4", "cameraId": "1", "plan": "p", "captured": 0, "total": 5,
    ]

    /// A summary in the form in which `--json` prints it.
    static func printed(_ summary: JSONValue) -> JSONValue {
        summary.renamed("id", "shoot").renamed("total", "totalExposures")
    }

    static func frame(
        _ set: Int,
        _ frame: Int,
        _ speed: String,
        _ seconds: Double,
        _ more: [String: JSONValue]
    ) -> JSONValue {
        let known: [String: JSONValue] = [
            "set": .int(set), "frame": .int(frame), "speed": .string(speed), "seconds": .double(seconds), "files": [],
        ]
        return .object(known.merging(more) { $1 })
    }

    /// A shoot of two sets with two frames each. The shared frame is fired once. It has all special cases of a frame.
    static let shoot: JSONValue = [
        "shoot": partial, "isDismissed": true,
        "frames": [
            frame(
                1,
                1,
                "1/1000",
                0.001,
                [
                    "outcome": "verified", "attempted": "2026-11-20T10:00:01.005Z",
                    "captured": "2026-11-20T10:00:02.000Z", "files": ["s/1/A.JPG", "s/1/A.ARW"],
                ]
            ),
            frame(
                1,
                2,
                "1/250",
                0.004,
                [
                    "outcome": "suspect", "again": "captured", "doubt": "It says \"1/60\", not 1/250.",
                    "files": ["s/1/B.JPG"],
                ]
            ),
            frame(2, 2, "1/60", 0.016_666_666_666_666_666, ["outcome": "unknown"]),
        ],
    ]
}

@Suite struct `bracketctl history` {
    @Test func `lists the shoots in local time`() async throws {
        let list: JSONValue = [Recorded.running, Recorded.completed, Recorded.partial]
        try await withDaemon(["GetHistory": .one("shoots", list)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("history", against: daemon) == .allDone)
            #expect(
                bench.output == """
                    id  when                 camera         plan           outcome    frames  why
                    13                       Sony ILCE-7M4  p              running       0/5
                    12  2026-11-22 00:30:05  Sony ILCE-7M4  1/4 to 1/1000  completed   15/15
                     9  2026-11-20 12:00:00  Sony?[2J       1/4 to 1/1000  partial       3/5  The card is full.

                    """
            )
            #expect(daemon.calls.map(\.parameters) == [["limit": 20]])
        }
    }

    @Test func `as JSON is the daemon's answer, a shoot per line`() async throws {
        let list: JSONValue = [Recorded.completed, Recorded.partial]
        try await withDaemon(["GetHistory": .one("shoots", list)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("history", "--json", "--limit", "2", "--before", "13", against: daemon) == .allDone)
            #expect(bench.objects == [Recorded.completed, Recorded.partial].map(Recorded.printed))
            #expect(daemon.calls.map(\.parameters) == [["limit": 2, "before": 13]])
        }
    }

    @Test func `that is empty is reported as empty`() async throws {
        try await withDaemon(["GetHistory": .one("shoots", [])]) { daemon in
            let (all, before) = (Bench(), Bench())
            #expect(await all.run("history", against: daemon) == .allDone)
            #expect(await before.run("history", "--before", "1", against: daemon) == .allDone)
            #expect(all.output == "No shoot is recorded.\n")
            #expect(before.output == "No shoot is recorded before that one.\n")
        }
    }

    @Test(arguments: [
        (["--limit", "0"], "--limit 0 is not valid. Give a number from 1 to 200."),
        (["--limit", "201"], "--limit 201 is not valid. Give a number from 1 to 200."),
        (["--before", "0"], "--before 0 is not valid. Shoots are numbered from 1."),
    ])
    func `of impossible length is refused without a call`(arguments: [String], sentence: String) async {
        let bench = Bench()
        #expect(await Bracketctl.run(["history"] + arguments, in: bench.environment()) == .usage)
        #expect(bench.errors == "bracketctl: \(sentence) See bracketctl history --help.\n")
    }

    @Test func `that cannot be read prints the daemon's sentence`() async throws {
        let error = FakeDaemon.Answer.error("io.bracketd.LedgerUnavailable", ["sentence": "The ledger is off."])
        try await withDaemon(["GetHistory": error]) { daemon in
            let bench = Bench()
            #expect(await bench.run("history", "--json", against: daemon) == .error)
            #expect(bench.errors == "bracketctl: The ledger is off.\n")
            #expect(bench.objects.first?["error"] == "io.bracketd.LedgerUnavailable")
        }
    }
}

@Suite struct `Times of the history` {
    @Test(arguments: [
        "9999999999-1-01T0:0:0.0Z", "2026-9999999999-1T0:0:0Z", "", "2026-11-22",
        "2026-11-22T02:34:19.1234",
    ])
    func `in another format are rejected`(text: String) { #expect(HistoryTime(text) == nil) }
}

@Suite struct `bracketctl history show` {
    @Test func `shows the outcome of the shoot and of each frame`() async throws {
        try await withDaemon(["GetShoot": .one("shoot", Recorded.shoot)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("history", "show", "9", against: daemon) == .allDone)
            #expect(
                bench.output == """
                    shoot    9
                    camera   Sony?[2J
                    plan     1/4 to 1/1000
                    began    2026-11-20 12:00:00
                    ended    2026-11-20 12:00:30
                    outcome  partial, 3 of 5 captured, the rest dropped
                    why      The card is full.

                    set  frame  speed   outcome                   attempted     captured      pictures
                      1      1  1/1000  verified                  12:00:01.005  12:00:02.000  s/1/A.JPG s/1/A.ARW
                      1      2  1/250   suspect, again: captured                              s/1/B.JPG            \
                    It says "1/60", not 1/250.
                      2      2  1/60    unknown

                    """
            )
            #expect(daemon.calls.map(\.parameters) == [["id": 9]])
        }
    }

    @Test func `shows unusual events`() async throws {
        func incident(_ kind: String, _ reason: String, _ members: [String: JSONValue]) -> JSONValue {
            let all: [String: JSONValue] = ["kind": .string(kind), "reason": .string(reason)]
            return .object(all.merging(members) { $1 })
        }
        let frame: [String: JSONValue] = ["set": 2, "frame": 1, "speed": "1/60", "began": "2026-11-20T10:00:05.000Z"]
        let incidents: [JSONValue] = [
            incident(
                "paused",
                "link-lost",
                ["began": "2026-11-20T10:00:03.000Z", "ended": "2026-11-20T10:00:04.500Z"]
            ),
            incident("paused", "command", frame),
            incident("interrupted", "interrupted", ["ended": "2026-11-20T10:00:04.500Z"]),
            incident("in-doubt", "wifi-switched", frame),
            incident("in-doubt", "no-picture", frame.merging(["outcome": "fired"]) { $1 }),
            incident("fired-again", "in-doubt", frame), incident("fired-again", "suspect", frame),
            incident("odd", "unknown-reason", [:]),
        ]
        let record = Recorded.shoot.adding("incidents", .array(incidents))
        try await withDaemon(["GetShoot": .one("shoot", record)]) { daemon in
            let bench = Bench()
            let place = "12:00:05.000  set 2, frame 1 at 1/60  "
            let margin = String(repeating: " ", count: place.count)
            #expect(await bench.run("history", "show", "9", against: daemon) == .allDone)
            #expect(
                bench.lines.drop { $0 != "incidents" }.dropFirst() == [
                    "12:00:03.000                          paused (link-lost) until 12:00:04.500",
                    "12:00:05.000  set 2, frame 1 at 1/60  paused (command)",
                    margin + "interrupted: the daemon ended; the shoot resumed at 12:00:04.500",
                    "12:00:05.000  set 2, frame 1 at 1/60  the shutter may have fired (wifi-switched): not known yet",
                    "12:00:05.000  set 2, frame 1 at 1/60  the shutter may have fired (no-picture): fired",
                    place + "fired again (in-doubt): the card may have two pictures of the frame",
                    place + "fired again (suspect): the card has two pictures of the frame",
                    "                                      odd (unknown-reason)",
                ]
            )
        }
    }

    @Test(arguments: [
        ("dismiss", nil, "by bracketctl dismiss"), ("shoot", 10, "by shoot 10"),
        ("button", 11, "by shoot 11, which the button started"),
    ])
    func `shows what dropped the missing frames`(by word: String, shoot: Int?, text: String) async throws {
        var record = Recorded.shoot.adding("dismissedBy", .string(word))
        if let shoot { record = record.adding("dismissedByShoot", .int(shoot)) }
        try await withDaemon(["GetShoot": .one("shoot", record)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("history", "show", "9", against: daemon) == .allDone)
            #expect(bench.lines.contains("outcome  partial, 3 of 5 captured, the rest dropped \(text)"))
        }
    }

    @Test func `as JSON is the daemon's answer, in one object`() async throws {
        try await withDaemon(["GetShoot": .one("shoot", Recorded.shoot)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("history", "show", "9", "--json", against: daemon) == .allDone)
            let summary = Recorded.printed(Recorded.partial)
            let expected = ["isDismissed", "frames"].reduce(summary) { $0.with($1, Recorded.shoot[$1] ?? .null) }
            #expect(bench.objects == [expected])
        }
    }

    @Test func `of an unknown shoot reports that`() async throws {
        let error = FakeDaemon.Answer.error("io.bracketd.NoSuchShoot", ["id": 9, "sentence": "There is no shoot 9."])
        try await withDaemon(["GetShoot": error]) { daemon in
            let bench = Bench()
            #expect(await bench.run("history", "show", "9", against: daemon) == .error)
            #expect(bench.errors == "bracketctl: There is no shoot 9.\n")
        }
        #expect(await Bench().run("history", "show", "nine") == .usage)
    }

    @Test func `without a number shows the last shoot`() async throws {
        let answers: [String: FakeDaemon.Answer] = [
            "GetHistory": .one("shoots", [Recorded.partial]), "GetShoot": .one("shoot", Recorded.shoot),
        ]
        try await withDaemon(answers) { daemon in
            let bench = Bench()
            #expect(await bench.run("history", "show", against: daemon) == .allDone)
            #expect(bench.output.hasPrefix("shoot    9\n"))
            #expect(daemon.calls.last?.parameters["id"] == 9)
        }
        try await withDaemon(["GetHistory": .one("shoots", [])]) { daemon in
            let bench = Bench()
            #expect(await bench.run("history", "show", against: daemon) == .error)
            #expect(bench.errors == "bracketctl: No shoot is recorded.\n")
        }
    }
}

@Suite struct `bracketctl history export` {
    private static let json = """
        {"began":"2026-11-20T10:00:00.000Z","camera":"Sony\\u001b[2J","captured":3,"cause":"The card is full.",\
        "ended":"2026-11-20T10:00:30.000Z","outcome":"partial","plan":"1/4 to 1/1000","sets":[{"frames":[\
        {"attempted":"2026-11-20T10:00:01.005Z","captured":"2026-11-20T10:00:02.000Z","files":["s/1/A.JPG",\
        "s/1/A.ARW"],"frame":1,"outcome":"verified","seconds":0.001,"speed":"1/1000"},\
        {"again":"captured","doubt":"It says \\"1/60\\", not 1/250.","files":["s/1/B.JPG"],"frame":2,\
        "outcome":"suspect","seconds":0.004,"speed":"1/250"}],"set":1},{"frames":[\
        {"again":"captured","doubt":"It says \\"1/60\\", not 1/250.","files":["s/1/B.JPG"],"frame":1,\
        "outcome":"suspect","seconds":0.004,"sharedWithSet":1,"speed":"1/250"},\
        {"files":[],"frame":2,"outcome":"unknown","seconds":0.016666666666666666,"speed":"1/60"}],"set":2}],\
        "shoot":9,"totalExposures":5,"version":2}

        """

    private static let csv = [
        "shoot,set,frame,shared_with_set,speed,seconds,outcome,again,doubt,attempted,captured,files",
        "9,1,1,,1/1000,0.001,verified,,,2026-11-20T10:00:01.005Z,2026-11-20T10:00:02.000Z,"
            + "s/1/A.JPG;s/1/A.ARW",
        "9,1,2,,1/250,0.004,suspect,captured,\"It says \"\"1/60\"\", not 1/250.\",,,s/1/B.JPG",
        "9,2,1,1,1/250,0.004,suspect,captured,\"It says \"\"1/60\"\", not 1/250.\",,,s/1/B.JPG",
        "9,2,2,,1/60,0.016666666666666666,unknown,,,,,",
    ]
    .map { $0 + "\r\n" }.joined()

    @Test func `gives each set its frames, the shared one too`() async throws {
        try await withDaemon(["GetShoot": .one("shoot", Recorded.shoot)]) { daemon in
            let (json, csv) = (Bench(), Bench())
            #expect(await json.run("history", "export", "9", against: daemon) == .allDone)
            #expect(json.output == Self.json)
            #expect(await csv.run("history", "export", "9", "--format", "csv", against: daemon) == .allDone)
            #expect(csv.output == Self.csv)
        }
    }

    @Test func `waits for the shoot's pictures in transfer, and not for those of others`() async throws {
        func photos(_ state: String) -> JSONValue {
            [
                "policy": "jpeg", "sentence": "s",
                "list": [
                    ["id": 1, "state": .string(state), "name": "A", "shoot": 9],
                    ["id": 2, "state": "receiving", "name": "B", "shoot": 10],
                ],
            ]
        }
        let answers: [String: FakeDaemon.Answer] = [
            "GetShoot": .one("shoot", Recorded.shoot),
            "GetPhotos": .inTurn(.one("photos", photos("receiving")), .one("photos", photos("stored"))),
        ]
        try await withDaemon(answers) { daemon in
            let bench = Bench()
            #expect(await bench.run("history", "export", "9", against: daemon) == .allDone)
            #expect(
                daemon.calls.map(\.method)
                    == ["GetPhotos", "GetPhotos", "GetPhotos", "GetShoot"].map { "io.bracketd.\($0)" }
            )
            #expect(bench.errors.isEmpty && bench.output == Self.json)
            #expect(await Bench().run("history", "export", "9", "--no-wait", against: daemon) == .allDone)
            #expect(daemon.calls.last?.method == "io.bracketd.GetShoot" && daemon.calls.count == 5)
        }
    }

    @Test func `quotes a quote in CSV with any accent`() throws {
        var fields = Recorded.shoot
        fields = fields.adding(
            "frames",
            [
                Recorded.frame(1, 1, "1/60", 0.5, ["outcome": "suspect", "doubt": "a\"\u{301}b\r\n"])
            ]
        )
        let text = HistoryExport.csv(try ShootRecord(fields))
        #expect(Array(text.unicodeScalars).suffix(15) == Array(",\"a\"\"\u{301}b??\",,,\r\n".unicodeScalars))
    }

    @Test func `replaces a file, and leaves nothing beside it`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "export-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "shoot.csv").path
        #expect(FileManager.default.createFile(atPath: path, contents: Data("older and longer".utf8)))
        try await withDaemon(["GetShoot": .one("shoot", Recorded.shoot)]) { daemon in
            let bench = Bench()
            let arguments = ["history", "export", "9", "--format", "csv", "--output", path]
            #expect(await Bracketctl.run(arguments, in: bench.environment(socket: daemon.path)) == .allDone)
            #expect(bench.output == "Wrote shoot 9 to \(path).\n")
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.csv)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["shoot.csv"])
    }

    @Test func `that cannot be written reports the reason`() async throws {
        try await withDaemon(["GetShoot": .one("shoot", Recorded.shoot)]) { daemon in
            let bench = Bench()
            let path = "/nonexistent/shoot.json"
            #expect(await bench.run("history", "export", "9", "--output", path, against: daemon) == .error)
            #expect(bench.errors == "bracketctl: \(path) cannot be written: No such file or directory.\n")
        }
    }
}
