import Testing
import Varlink

@testable import bracketctl

@Suite struct `bracketctl files` {
    private static let files: JSONValue = [
        [
            "uri": "image:content?contentId=2", "name": "DSC00002.JPG", "kinds": ["jpeg", "raw"],
            "time": "2014-08-18T12:34:56+09:00",
        ], ["uri": "image:content?contentId=1", "name": "", "kinds": ["jpeg"], "time": ""],
    ]

    @Test func `lists the pictures of the card`() async throws {
        try await withDaemon(["GetFiles": .one("files", Self.files)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("files", "--since", "2014", "--limit", "7", against: daemon) == .allDone)
            #expect(
                bench.output == """
                    time                       name          kinds     uri
                    2014-08-18T12:34:56+09:00  DSC00002.JPG  jpeg+raw  image:content?contentId=2
                                                             jpeg      image:content?contentId=1

                    """
            )
            #expect(daemon.calls.last?.parameters == ["since": "2014", "limit": 7])
        }
    }

    @Test func `without pictures prints a sentence`() async throws {
        try await withDaemon(["GetFiles": .one("files", [])]) { daemon in
            let bench = Bench()
            #expect(await bench.run("files", against: daemon) == .allDone)
            #expect(bench.output == "The camera's card has no such pictures.\n")
        }
    }

    @Test func `get transfers the named pictures, or those that were selected on the camera`() async throws {
        try await withDaemon(["FetchFiles": .one("count", 2)]) { daemon in
            let bench = Bench()
            #expect(await bench.run("files", "get", "a", "b", against: daemon) == .allDone)
            #expect(bench.output == "2 pictures were transferred. To list them: bracketctl photos.\n")
            #expect(daemon.calls.last?.parameters == ["uris": ["a", "b"]])
            let selected = Bench()
            #expect(await selected.run("files", "--selected", "get", against: daemon) == .allDone)
            #expect(daemon.calls.last?.parameters == [:])
        }
    }

    @Test(arguments: [
        ["files", "--limit", "0"], ["files", "--limit", "1001"], ["files", "get"], ["files", "--since", "yesterday"],
        ["files", "--since", "2014-8-1"], ["files", "--selected", "--limit", "5"],
    ])
    func `wrong arguments are refused before the daemon is asked`(arguments: [String]) async throws {
        try await withDaemon([:]) { daemon in
            let bench = Bench()
            #expect(await Bracketctl.run(arguments, in: bench.environment(socket: daemon.path)) == .usage)
            #expect(daemon.calls.isEmpty)
        }
    }

    @Test func `an error of the camera is printed`() async throws {
        let error = FakeDaemon.Answer.error("io.bracketd.FilesRefused", ["sentence": "The camera has no card."])
        try await withDaemon(["GetFiles": error]) { daemon in
            let bench = Bench()
            #expect(await bench.run("files", against: daemon) == .error)
            #expect(bench.errors == "bracketctl: The camera has no card.\n")
        }
    }
}
