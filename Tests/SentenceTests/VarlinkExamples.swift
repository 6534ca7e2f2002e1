@testable import Varlink

extension Examples {
    /// Messages, calls and connections of the socket.
    static let varlink: [String] = [
        MessageSentences.tooLong(262_144),
        MessageSentences.notJSON(JSONError(offset: 12, reason: "expected a value")),
        MessageSentences.noSuchMember(ofCallWith: ["method", "more", "oneway", "parameters", "upgrade"]),
        MessageSentences.noSuchMember(ofValueWith: []),
        MessageSentences.noSuchMember(ofValueWith: ["plan", "drop"]),
        MessageSentences.otherType(wanted: "an integer", found: .string("five")),
        MessageSentences.otherType(wanted: "an object", found: nil),
        MessageSentences.noUpgrade,
        MessageSentences.onewayAndMore,
        VarlinkTransportError.noSocket(path: varlinkSocket).description,
        VarlinkTransportError.connectionRefused(path: varlinkSocket).description,
        VarlinkTransportError.permissionDenied(path: varlinkSocket).description,
        VarlinkTransportError.pathTooLong(path: "/home/ansel/\(String(repeating: "a", count: 100))", lengthMax: 107)
            .description,
        VarlinkTransportError.cannotConnect(path: varlinkSocket, reason: "Too many open files").description,
        VarlinkTransportError.tooManyWaiting(path: varlinkSocket).description,
        VarlinkTransportError.closed.description,
        VarlinkTransportError.broken(reason: ReplySentences.noCall).description,
        VarlinkTransportError.broken(reason: ReplySentences.severalReplies).description,
        VarlinkTransportError.callerTooSlow(repliesMax: 4096).description,
        ServerSentences.noPlace(forClientOf: 1000),
        ServerSentences.idleClientClosed(of: 1000),
        ServerSentences.repliesNotRead(byteCount: 262_100),
        ServerSentences.notesDropped(17),
    ]

    private static let varlinkSocket = "/run/bracketd/io.bracketd"
}
