import NIOCore
import Testing

@testable import Varlink

/// Tests that no client of the socket can stop the server or make it wait.
struct HostileClientTests {
    private static let echo = #"{"method":"org.example.test.Echo","parameters":{"text":"a"}}"# + "\0"

    private func expectService(_ server: ServerFixture) async throws {
        let client = try await server.client()
        #expect(try await client.call("org.example.test.Echo", ["text": "still here"]) == ["text": "still here"])
        await client.close()
    }

    @Test(arguments: [
        ("{\0", #""parameter":"message","sentence":"message: not JSON: byte 1: expected a member name""#),
        (
            "\0",
            #""parameter":"message","sentence":"message: not JSON: byte 0: expected a value, "#
                + #"found the end of the message""#
        ),
        (
            #"{"method":1}"# + "\0",
            #""parameter":"method","sentence":"method: expected a string, found an integer""#
        ),
        (
            #"{"method":"a.b.C","extra":1}"# + "\0",
            #""parameter":"extra","sentence":"extra: a call has no such member; "#
                + #"its members are method, more, oneway, parameters, upgrade""#
        ),
    ])
    func `an invalid call is answered with the reason, then the connection ends`(
        bytes: String,
        parameters: String
    ) async throws {
        let server = try await ServerFixture()
        let client = try RawClient(path: server.path)
        client.send(bytes + Self.echo)
        let expected = #"{"error":"org.varlink.service.InvalidParameter","parameters":{\#(parameters)}}"# + "\0"
        #expect(try client.readToEnd() == expected)
        try await expectService(server)
        try await server.stop()
    }

    @Test func `a message without an end is cut off at the limit`() async throws {
        let server = try await ServerFixture()
        let client = try RawClient(path: server.path)
        client.send([UInt8](repeating: 0x20, count: Frame.callLengthMax + 1))
        #expect(try client.readToEnd().contains("message: a message is longer than \(Frame.callLengthMax) bytes"))
        try await expectService(server)
        try await server.stop()
    }

    @Test func `the longest message is still a message`() async throws {
        let server = try await ServerFixture()
        let client = try RawClient(path: server.path)
        let space = [UInt8](repeating: 0x20, count: Frame.callLengthMax + 1 - Self.echo.utf8.count)
        client.send(space + Array(Self.echo.utf8))
        #expect(try client.read(messages: 1) == [#"{"parameters":{"text":"a"}}"#])
        try await server.stop()
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `random bytes never stop the server`(seed: UInt64) async throws {
        let server = try await ServerFixture()
        var random = Random(state: seed)
        for _ in 0..<5 {
            let client = try RawClient(path: server.path)
            // On average, every third byte has a meaning in the formats.
            let signs = Array("\0{}[]\",:0".utf8)
            client.send(
                (0..<Int(random.next() % 5000)).map { index in
                    index % 3 == 0 ? signs[Int(random.next() % UInt64(signs.count))] : UInt8(random.next() % 256)
                }
            )
            client.endInput()
            _ = try client.readToEnd()
        }
        try await expectService(server)
        try await server.stop()
    }

    @Test func `half a message followed by silence or a disconnect does no harm`() async throws {
        let server = try await ServerFixture()
        var clients: [RawClient] = []
        for length in stride(from: 0, to: Self.echo.utf8.count, by: 7) {
            let client = try RawClient(path: server.path)
            client.send(Array(Self.echo.utf8.prefix(length)))
            clients.append(client)
        }
        try await expectService(server)
        clients.removeAll()
        try await expectService(server)
        try await server.stop()
    }

    @Test func `a client that never reads is dropped, and others are still served`() async throws {
        let server = try await ServerFixture()
        let client = try RawClient(path: server.path)
        client.send(#"{"method":"org.example.test.Flood","more":true}"# + "\0")
        await server.wait(for: .callerLeft("org.example.test.Flood"))
        try await expectService(server)
        // The server sent at most the bytes of its limit and of the kernel's buffers.
        #expect(try client.readToEnd().utf8.count < 2_000_000)
        try await server.stop()
    }

    @Test func `a client that sends calls without reading is dropped too`() async throws {
        let server = try await ServerFixture()
        let client = try RawClient(path: server.path)
        let question =
            #"{"method":"org.varlink.service.GetInterfaceDescription","#
            + #""parameters":{"interface":"org.varlink.service"}}"#
        client.send(String(repeating: question + "\0", count: 2000))
        for await event in server.events {
            if case .note(let sentence) = event {
                #expect(sentence.hasPrefix("a client did not read its replies; its connection was closed"))
                break
            }
        }
        try await expectService(server)
        try await server.stop()
    }

    @Test func `calls that wait are not read beyond a bound, and are all answered`() async throws {
        let server = try await ServerFixture()
        let client = try RawClient(path: server.path)
        let count = 3000
        async let answers = {
            client.send(#"{"method":"org.example.test.Hold"}"# + "\0" + String(repeating: Self.echo, count: count))
            return try client.read(messages: count + 1)
        }()
        await server.wait(for: .called("org.example.test.Hold"))
        try await expectService(server)
        try await server.release()
        #expect(try await answers.count == count + 1)
        try await server.stop()
    }

    @Test func `clients with half a call, or that do not read their last answers, do not lock out others`() async throws
    {
        var limits = VarlinkServer.Limits()
        limits.clientsMax = 2
        let server = try await ServerFixture(limits: limits)
        let half = try RawClient(path: server.path)
        half.send(Self.echo + #"{"method":"org."#)
        #expect(try half.read(messages: 1) == [#"{"parameters":{"text":"a"}}"#])
        let deaf = try RawClient(path: server.path)
        let text = String(repeating: "a", count: 1000)
        let echo = #"{"method":"org.example.test.Echo","parameters":{"text":"\#(text)"}}"# + "\0"
        deaf.send(String(repeating: echo, count: 300))
        deaf.endInput()
        for _ in 0..<3 { try await expectService(server) }
        try await server.stop()
    }

    @Test func `a watcher that disconnects makes room for the next`() async throws {
        let server = try await ServerFixture(watchersMax: 1)
        let hold = #"{"method":"org.example.test.Hold","more":true}"# + "\0"
        do {
            let first = try RawClient(path: server.path)
            first.send(hold)
            await server.wait(for: .called("org.example.test.Hold"))
            let second = try RawClient(path: server.path)
            second.send(hold)
            #expect(try second.read(messages: 1) == [#"{"error":"org.example.test.Full","parameters":{}}"#])
            // A call that ends by itself does not count.
            second.send(#"{"method":"org.example.test.Hold"}"# + "\0")
            await server.wait(for: .called("org.example.test.Hold"))
        }
        await server.wait(for: .callerLeft("org.example.test.Hold"))
        await server.wait(for: .callerLeft("org.example.test.Hold"))
        let third = try RawClient(path: server.path)
        third.send(hold)
        await server.wait(for: .called("org.example.test.Hold"))
        try await server.stop()
    }
}
