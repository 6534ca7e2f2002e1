import Testing
import Varlink

@testable import bracketctl

private enum Pictures {
    static let verified: JSONValue = [
        "id": 1, "state": "verified", "name": "DSC00001.JPG", "path": "shoot-7/set-1/DSC00001.JPG",
        "byteCount": 24_862_310, "shoot": 7, "set": 1, "frame": 1, "speed": "1/1000",
    ]
    static let skipped: JSONValue = [
        "id": 2, "state": "skipped", "name": "DSC00001.ARW", "set": 1, "frame": 1, "speed": "1/1000",
        "reason": "RAW is not kept.",
    ]
    static let suspect: JSONValue = [
        "id": 3, "state": "suspect", "name": "DSC0\u{1B}[2J.JPG", "path": .null, "byteCount": 999, "shoot": 7,
        "set": 1, "frame": 10, "speed": "1/4", "reason": "It was exposed for 1/125.",
    ]
    static let alone: JSONValue = ["id": 4, "state": "receiving", "name": "DSC00009.JPG"]

    static func photos(_ list: JSONValue, _ sentence: String = "1 of 3 pictures is verified.") -> FakeDaemon.Answer {
        .one("photos", ["policy": "jpeg", "sentence": .string(sentence), "list": list])
    }
}

@Suite struct `bracketctl photos` {
    @Test func `lists the pictures, and the daemon's sentence`() async throws {
        let list: JSONValue = [Pictures.verified, Pictures.skipped, Pictures.suspect, Pictures.alone]
        try await withDaemon(["GetPhotos": Pictures.photos(list)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("photos", against: daemon) == .allDone)
            #expect(
                bench.output == """
                    state      set  frame  speed      size  file
                    verified     1      1  1/1000  24.9 MB  shoot-7/set-1/DSC00001.JPG
                    skipped      1      1  1/1000           DSC00001.ARW                RAW is not kept.
                    suspect      1     10  1/4       999 B  DSC0?[2J.JPG                It was exposed for 1/125.
                    receiving                               DSC00009.JPG

                    1 of 3 pictures is verified.

                    """
            )
        }
    }

    @Test func `without pictures prints only the sentence`() async throws {
        let sentence = "Pictures stay on the camera: policy is \"none\" under [transfer]."
        try await withDaemon(["GetPhotos": Pictures.photos([], sentence)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("photos", against: daemon) == .allDone)
            #expect(bench.output == sentence + "\n")
        }
    }

    @Test func `as JSON is the daemon's answer`() async throws {
        try await withDaemon(["GetPhotos": Pictures.photos([Pictures.skipped], "None.")]) { daemon in
            let bench = Bench()
            #expect(await bench.run("photos", "--json", against: daemon) == .allDone)
            #expect(bench.objects == [["policy": "jpeg", "sentence": "None.", "photos": [Pictures.skipped]]])
        }
    }
}

@Suite struct `bracketctl photos --follow` {
    private let watch = FakeDaemon.Answer.begun(
        "photo",
        [Pictures.verified, Pictures.suspect, Pictures.alone],
        then: .close
    )

    @Test func `prints the sentence, then a line per picture until the daemon ends`() async throws {
        try await withDaemon(["GetPhotos": Pictures.photos([]), "WatchPhotos": watch]) { daemon in
            let bench = Bench()
            #expect(await bench.run("photos", "--follow", against: daemon) == .noDaemon)
            #expect(
                bench.lines == [
                    "1 of 3 pictures is verified.",
                    "verified  set 1, frame 1  1/1000  24.9 MB  shoot-7/set-1/DSC00001.JPG",
                    "suspect  set 1, frame 10  1/4  999 B  DSC0?[2J.JPG  It was exposed for 1/125.",
                    "receiving  DSC00009.JPG",
                ]
            )
            #expect(bench.errors.contains("closed the connection"))
            #expect(daemon.calls.map(\.more) == [false, true])
        }
    }

    @Test func `as JSON prints the daemon's answers, a picture per line`() async throws {
        try await withDaemon(["GetPhotos": Pictures.photos([]), "WatchPhotos": watch]) { daemon in
            let bench = Bench()
            await bench.run("photos", "--follow", "--json", against: daemon)
            let printed = [Pictures.verified, Pictures.suspect, Pictures.alone].map { picture in
                JSONValue.object(picture.objectValue?.filter { !$0.value.isNull } ?? [:]).renamed("path", "file")
            }
            #expect(bench.objects.dropLast() == printed[...])
            #expect(bench.objects.last?["error"] == "ConnectionLost")
        }
    }

    @Test func `ends as without a daemon when the daemon stops`() async throws {
        let answers = ["GetPhotos": Pictures.photos([]), "WatchPhotos": .error("io.bracketd.Stopping")]
        try await withDaemon(answers) { daemon in
            let bench = Bench()
            #expect(await bench.run("photos", "--follow", against: daemon) == .noDaemon)
            #expect(bench.errors.contains("is stopping"))
        }
    }
}
