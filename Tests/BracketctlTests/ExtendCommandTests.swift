import Testing
import Varlink

@testable import bracketctl

@Suite struct `bracketctl extend` {
    private static func photos(_ coverage: JSONValue?, _ list: [JSONValue] = []) -> FakeDaemon.Answer {
        .one(
            "photos",
            .object(leavingOutNil: ["policy": "jpeg", "sentence": "s", "list": .array(list), "coverage": coverage])
        )
    }

    /// - Parameter worst: the largest part that is not covered; nil: the scene is covered.
    private static func coverage(_ worst: JSONValue?) -> JSONValue {
        .object(leavingOutNil: [
            "isCovered": .bool(worst == nil), "sentence": "The sky is white.", "clippedPct": 1, "darkPct": 0,
            "gapPct": 0, "worst": worst, "framesRead": 3, "framesUnread": 0,
        ])
    }

    private static func part(_ frame: String?) -> JSONValue {
        .object(leavingOutNil: [
            "lack": "clipped", "pct": 1, "box": [1, 2, 3, 4], "frame": frame.map { .string($0) },
        ])
    }

    private static let progress = FakeDaemon.Answer.steps("progress", [Sample.step(captured: 3), Sample.completed])

    @Test func `fires the named speeds for the last shoot, and shows the progress`() async throws {
        try await withDaemon(["Extend": Self.progress]) { daemon in
            let bench = Bench()
            let words = ["extend", "--speed", "1/2000", "--speed", "4s", "--no-wait"]
            #expect(await Bracketctl.run(words, in: bench.environment(socket: daemon.path)) == .allDone)
            #expect(daemon.calls.map(\.method) == ["io.bracketd.Extend"])
            #expect(daemon.calls.last?.parameters == ["speeds": ["1/2000", "4\""]])
            #expect(daemon.calls.last?.more == true)
            #expect(bench.lines.last == "15 of 15 exposures captured")
        }
    }

    @Test func `with the number of a shoot and --drop names both`() async throws {
        try await withDaemon(["Extend": Self.progress]) { daemon in
            let bench = Bench()
            let words = ["extend", "7", "--drop", "--speed", "1/2000", "--no-wait"]
            #expect(await Bracketctl.run(words, in: bench.environment(socket: daemon.path)) == .allDone)
            #expect(daemon.calls.last?.parameters == ["shoot": 7, "speeds": ["1/2000"], "drop": true])
        }
    }

    @Test func `without a speed fires the frame that the pictures need`() async throws {
        let answers = ["Extend": Self.progress, "GetPhotos": Self.photos(Self.coverage(Self.part("1/4000")))]
        try await withDaemon(answers) { daemon in
            let bench = Bench()
            let words = ["extend", "--no-wait"]
            #expect(await Bracketctl.run(words, in: bench.environment(socket: daemon.path)) == .allDone)
            #expect(daemon.calls.map(\.method) == ["io.bracketd.GetPhotos", "io.bracketd.Extend"])
            #expect(daemon.calls.last?.parameters == ["speeds": ["1/4000"]])
        }
    }

    @Test(arguments: [["extend"], ["photos", "--coverage"]])
    func `waits while the daemon still reads the pictures`(words: [String]) async throws {
        let reading = Self.photos(nil, [["id": 1, "name": "DSC00001.JPG", "state": "verified"]])
        try await withDaemon(["GetPhotos": .inTurn(reading, Self.photos(Self.coverage(nil)))]) { daemon in
            let bench = Bench()
            #expect(await Bracketctl.run(words, in: bench.environment(socket: daemon.path)) == .allDone)
            #expect(bench.output == "The sky is white.\n")
            #expect(daemon.calls.count == 2)
        }
    }

    @Test func `the coverage of the last shoot is one object, or a refusal`() async throws {
        try await withDaemon(["GetPhotos": Self.photos(Self.coverage(Self.part("1/4000")))]) { daemon in
            let bench = Bench()
            #expect(await bench.run("photos", "--coverage", "--json", against: daemon) == .allDone)
            #expect(bench.objects.count == 1)
            #expect(bench.objects.first?["clippedPct"]?.doubleValue == 1)
            #expect(bench.objects.first?["worst"]?["frame"] == "1/4000")
        }
        try await withDaemon(["GetPhotos": Self.photos(nil)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("photos", "--coverage", against: daemon) == .error)
            #expect(bench.errors == "bracketctl: \(MeterSentences.noCoverage)\n")
        }
    }

    @Test func `fires nothing if the pictures cover the scene`() async throws {
        try await withDaemon(["GetPhotos": Self.photos(Self.coverage(nil))]) { daemon in
            let bench = Bench()
            #expect(await bench.run("extend", against: daemon) == .allDone)
            #expect(bench.output == "The sky is white.\n")
            #expect(daemon.calls.count == 1)
        }
    }

    @Test func `is refused if the pictures are not checked, or if no speed would help`() async throws {
        let cases: [(JSONValue?, String)] = [
            (nil, "are not checked"), (Self.coverage(Self.part(nil)), "The sky is white."),
        ]
        for (coverage, sentence) in cases {
            try await withDaemon(["GetPhotos": Self.photos(coverage)]) { daemon in
                let bench = Bench()
                #expect(await bench.run("extend", against: daemon) == .error)
                #expect(bench.errors.contains(sentence))
                #expect(daemon.calls.count == 1)
            }
        }
    }

    @Test(arguments: [
        ["extend", "--speed", "fast"], ["extend", "7"], ["extend", "--speed", "1/60", "--folder", "x"],
        ["extend", "--drop", "--speed", "1/60"],
    ])
    func `invalid arguments are usage errors`(words: [String]) async {
        let bench = Bench()
        #expect(await Bracketctl.run(words, in: bench.environment()) == .usage)
        #expect(!bench.errors.isEmpty)
    }
}
