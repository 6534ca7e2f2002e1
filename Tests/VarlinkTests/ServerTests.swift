import Glibc
import Testing

@testable import Varlink

/// Tests the client with the server, over a Unix socket.
struct ServerTests {
    private func withServer(
        limits: VarlinkServer.Limits = VarlinkServer.Limits(),
        _ body: (ServerFixture) async throws -> Void
    ) async throws {
        let server = try await ServerFixture(limits: limits)
        do {
            try await body(server)
        } catch {
            try await server.stop()
            throw error
        }
        try await server.stop()
    }

    @Test func `a call is answered`() async throws {
        try await withServer { server in
            let client = try await server.client()
            #expect(try await client.call("org.example.test.Echo", ["text": "30″"]) == ["text": "30″"])
            await client.close()
        }
    }

    @Test func `a stream brings every reply and ends`() async throws {
        try await withServer { server in
            let client = try await server.client()
            var numbers: [Int?] = []
            for try await reply in client.callMore("org.example.test.Count", ["to": 100]) {
                numbers.append(reply["number"]?.intValue)
            }
            #expect(numbers == Array(1...100))
            #expect(try await client.call("org.example.test.Echo", ["text": "after"]) == ["text": "after"])
        }
    }

    @Test func `the service reports its name and its interfaces`() async throws {
        try await withServer { server in
            let client = try await server.client()
            let info = try await client.call("org.varlink.service.GetInfo")
            #expect(info["interfaces"] == ["org.example.test", "org.varlink.service"])
            #expect(info["product"] == "p")
            for name in ["org.example.test", "org.varlink.service"] {
                let method = "org.varlink.service.GetInterfaceDescription"
                let reply = try await client.call(method, ["interface": .string(name)])
                #expect(try VarlinkInterface(parsing: reply["description"]?.stringValue ?? "").name == name)
            }
        }
    }

    @Test(arguments: [
        ("Echo", "{}", "MethodNotFound", #"{"method":"Echo"}"#),
        ("org.example.test.Ecoh", "{}", "MethodNotFound", #"{"method":"org.example.test.Ecoh"}"#),
        ("org.example.other.Echo", "{}", "InterfaceNotFound", #"{"interface":"org.example.other"}"#),
        (
            "org.varlink.service.GetInterfaceDescription", #"{"interface":"a.b"}"#, "InterfaceNotFound",
            #"{"interface":"a.b"}"#
        ),
        (
            "org.example.test.Echo", #"{"text":5}"#, "InvalidParameter",
            #"{"parameter":"text","sentence":"text: expected a string, found an integer"}"#
        ),
        (
            "org.varlink.service.GetInfo", #"{"x":5}"#, "InvalidParameter",
            #"{"parameter":"x","sentence":"x: unknown; the method has no parameters"}"#
        ),
    ])
    func `a call that matches no interface is refused by name`(
        method: String,
        parameters: String,
        error: String,
        details: String
    ) async throws {
        try await withServer { server in
            let client = try await server.client()
            let parameters = try JSONValue(parsing: parameters.utf8)
            let thrown = await #expect(throws: VarlinkError.self) { try await client.call(method, parameters) }
            #expect(thrown?.name == "org.varlink.service.\(error)")
            #expect(thrown?.parameters.description == details)
            // The connection stays open.
            _ = try await client.call("org.varlink.service.GetInfo")
        }
    }

    @Test func `an error of the service reaches the caller with its name`() async throws {
        try await withServer { server in
            let client = try await server.client()
            let held = Task { try await client.call("org.example.test.Hold") }
            await server.wait(for: .called("org.example.test.Hold"))
            try await server.release(with: "org.example.test.Held")
            await #expect(throws: VarlinkError(name: "org.example.test.Held")) { try await held.value }
        }
    }

    @Test func `calls sent together are answered in order, each after the one before`() async throws {
        try await withServer { server in
            let client = try RawClient(path: server.path)
            client.send(
                #"{"method":"org.example.test.Hold"}"# + "\0"
                    + #"{"method":"org.example.test.Echo","parameters":{"text":"a"}}"# + "\0"
                    + #"{"method":"org.varlink.service.GetInfo","oneway":true}"# + "\0"
                    + #"{"method":"org.example.test.Count","more":true,"parameters":{"to":2}}"# + "\0"
            )
            await server.wait(for: .called("org.example.test.Hold"))
            try await server.release()
            #expect(
                try client.read(messages: 4) == [
                    #"{"parameters":{}}"#, #"{"parameters":{"text":"a"}}"#,
                    #"{"continues":true,"parameters":{"number":1}}"#, #"{"parameters":{"number":2}}"#,
                ]
            )
        }
    }

    @Test func `a oneway call is carried out and not answered`() async throws {
        try await withServer { server in
            let client = try await server.client()
            try await client.callOneway("org.example.test.Echo", ["text": "silent"])
            await server.wait(for: .called("org.example.test.Echo"))
            #expect(try await client.call("org.example.test.Echo", ["text": "loud"]) == ["text": "loud"])
        }
    }

    @Test func `a client that disconnects during its answer is reported`() async throws {
        try await withServer { server in
            let client = try await server.client()
            async let held: Void = {
                await #expect(throws: VarlinkTransportError.closed) { try await client.call("org.example.test.Hold") }
            }()
            await server.wait(for: .called("org.example.test.Hold"))
            await client.close()
            await server.wait(for: .callerLeft("org.example.test.Hold"))
            await held
            // The server discards this answer, because it comes too late.
            try await server.release()
            let other = try await server.client()
            #expect(try await other.call("org.example.test.Echo", ["text": "b"]) == ["text": "b"])
        }
    }

    @Test func `a cancelled call closes its connection`() async throws {
        try await withServer { server in
            let client = try await server.client()
            let task = Task { try await client.call("org.example.test.Hold") }
            await server.wait(for: .called("org.example.test.Hold"))
            task.cancel()
            await server.wait(for: .callerLeft("org.example.test.Hold"))
            await #expect(throws: (any Error).self) { try await task.value }
        }
    }

    @Test func `a client that ends its side still gets its answers, and is reported when it is gone`() async throws {
        try await withServer { server in
            var client: RawClient? = try RawClient(path: server.path)
            client?.send(#"{"method":"org.example.test.Hold"}"# + "\0")
            client?.endInput()
            await server.wait(for: .called("org.example.test.Hold"))
            try await server.release()
            #expect(try client?.readToEnd() == #"{"parameters":{}}"# + "\0")

            client = try RawClient(path: server.path)
            client?.send(#"{"method":"org.example.test.Hold"}"# + "\0")
            client?.endInput()
            await server.wait(for: .called("org.example.test.Hold"))
            client = nil
            await server.wait(for: .callerLeft("org.example.test.Hold"))
        }
    }

    @Test func `a server that stops ends the calls that wait`() async throws {
        let server = try await ServerFixture()
        let client = try await server.client()
        async let held: Void = {
            await #expect(throws: VarlinkTransportError.closed) { try await client.call("org.example.test.Hold") }
        }()
        await server.wait(for: .called("org.example.test.Hold"))
        try await server.stop()
        await held
        await #expect(throws: VarlinkTransportError.closed) { try await client.call("org.example.test.Hold") }
    }

    @Test func `a client reports why it cannot reach the service`() async throws {
        let server = try await ServerFixture()
        let path = server.path
        try await server.stop()
        await #expect(throws: VarlinkTransportError.noSocket(path: path)) {
            try await VarlinkClient.connect(path: path)
        }

        let directory = try temporaryDirectory()
        let stale = directory + "/stale"
        close(try listeningSocket(at: stale))
        await #expect(throws: VarlinkTransportError.connectionRefused(path: stale)) {
            try await VarlinkClient.connect(path: stale)
        }
        unlink(stale)
        rmdir(directory)

        let long = "/tmp/" + String(repeating: "x", count: 103)
        await #expect(throws: VarlinkTransportError.pathTooLong(path: long, lengthMax: 107)) {
            try await VarlinkClient.connect(path: long)
        }
    }
}
