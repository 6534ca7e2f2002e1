import Controller
import Foundation
import Interface
import Testing
import Varlink

@testable import Host

struct VarlinkServiceTests {
    /// The methods whose comment in the interface mentions `more`. They can reply more than once.
    private static func streamingMethods() throws -> Set<String> {
        let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardizedFileURL
        let text = try String(contentsOf: sources.appending(path: "Interface/io.bracketd.varlink"), encoding: .utf8)
        var (methods, comment): (Set<String>, String) = ([], "")
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("#") {
                comment += line
            } else {
                if line.hasPrefix("method "), comment.contains("`more`"), let end = line.firstIndex(of: "(") {
                    methods.insert(String(line[..<end].dropFirst("method ".count)))
                }
                comment = ""
            }
        }
        return methods
    }

    @Test func `the core has room for every client that the server lets watch`() {
        let limits = VarlinkServer.Limits()
        #expect(Core.streamsMax >= limits.watchersMax && limits.watchersMax > limits.userWatchersMax)
    }

    @Test func `every method that streams counts as watching, except those that fire`() throws {
        let streaming = try Self.streamingMethods()
        #expect(streaming == Set(VarlinkService.watchMethods).union(["Shoot"]))
        // Retry has no such comment, because the comment of Shoot describes its replies.
        #expect(Set(VarlinkService.firingMethods) == ["Shoot", "Retry", "Extend"])
    }

    @Test func `the methods that count as watching or stop something are methods of the interface`() throws {
        let methods = try DaemonInterface.parsed().methods
        for name in VarlinkService.watchMethods + VarlinkService.firingMethods + VarlinkService.stoppingMethods {
            #expect(methods[name] != nil, "\(name)")
        }
    }

    @Test(arguments: [
        (VarlinkServer.Bound.clients(64), 64, "The daemon already has 64 clients: end one of them and try again."),
        (.clientsOfUser(48), 48, "The daemon already has 48 clients of this user: end one of them and try again."),
        (.watchers(48), 48, "The daemon already has 48 clients that watch: end one of them and try again."),
        (
            .watchersOfUser(36), 36,
            "The daemon already has 36 clients of this user that watch: end one of them and try again."
        ),
        (
            .idle, 64,
            "There are too many clients. The daemon closed this idle connection for another client. Try again."
        ),
    ])
    func `a client at a limit gets that limit`(bound: VarlinkServer.Bound, limit: Int, sentence: String) throws {
        let error = bound.varlinkError
        #expect(error.name == "io.bracketd.TooManyClients")
        #expect(error.parameters == ["limit": .int(limit), "sentence": .string(sentence)])
        let type = try #require(try DaemonInterface.parsed().errors["TooManyClients"])
        try DaemonInterface.parsed().check(error.parameters, against: type)
    }
}

struct DiskRoomTests {
    @Test func `a disk with slightly too little room never shows the required amount`() {
        #expect(textRoundedDown(127_999_999) == "127.9 MB")
        #expect(textRoundedDown(128_000_000) == "128.0 MB")
        #expect(textRoundedDown(999_999_999) == "999.9 MB")
        #expect(textRoundedDown(1999) == "1.9 kB")
        #expect(textRoundedDown(999) == "999 B")
        #expect(textRoundedDown(.max) == "18.4 EB")
    }
}
