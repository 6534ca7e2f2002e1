import Glibc
import NIOCore
import NIOPosix

@testable import Varlink

/// A server on a socket in a temporary directory, with its own event loop, and a service that tests control.
final class ServerFixture: Sendable {
    static let interface = """
        interface org.example.test
        method Echo(text: string) -> (text: string)
        # Answered when a test says so.
        method Hold() -> ()
        # The same.
        method Fire() -> ()
        method Stop() -> ()
        method Count(to: int) -> (number: int)
        # Answers until the client is gone.
        method Flood() -> (text: string)
        error Held ()
        error Full ()
        """

    enum Event: Equatable, Sendable {
        case called(String)
        case callerLeft(String)
        case note(String)
    }

    let path: String
    let events: AsyncStream<Event>
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let service: NIOLoopBound<Service>

    /// - Parameter watchersMax: the maximum number of calls of Hold that wait at once; nil: the maximum number of
    ///   clients.
    init(limits: VarlinkServer.Limits = VarlinkServer.Limits(), watchersMax: Int? = nil) async throws {
        var limits = limits
        if let watchersMax { limits.watchersMax = watchersMax }
        let directory = try temporaryDirectory()
        path = directory + "/socket"
        let socket = try listeningSocket(at: path)
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        self.events = events
        let loop = group.next()
        let bounds = limits
        service = try await loop.submit {
            let methods = VarlinkServer.Methods(
                watching: watchersMax == nil ? [] : ["org.example.test.Hold"],
                firing: ["org.example.test.Fire"],
                stopping: ["org.example.test.Stop"]
            )
            let service = try Service(eventLoop: loop, limits: bounds, methods: methods, events: continuation)
            return NIOLoopBound(service, eventLoop: loop)
        }.get()
        let served = try await loop.submit { [service] in service.value.server.serve(listeningSocket: socket) }.get()
        try await served.get()
    }

    func client() async throws -> VarlinkClient { try await VarlinkClient.connect(path: path) }

    /// Waits until the server has reported this event this number of times.
    func wait(for event: Event, times count: Int) async {
        for _ in 0..<count { await wait(for: event) }
    }

    /// Waits until the server reports this event.
    func wait(for event: Event) async {
        for await seen in events where seen == event { return }
    }

    /// Answers all waiting calls of Hold.
    func release(with error: String? = nil) async throws {
        try await group.next().submit { [service] in service.value.release(error: error) }.get()
    }

    func stop() async throws {
        try await group.next().submit { [service] in service.value.server.close() }.get()
        try await group.shutdownGracefully()
        unlink(path)
        rmdir(String(path.dropLast("/socket".count)))
    }

    private final class Service {
        private(set) var server: VarlinkServer
        private var held: [VarlinkCallID] = []

        init(
            eventLoop: any EventLoop,
            limits: VarlinkServer.Limits,
            methods kinds: VarlinkServer.Methods,
            events: AsyncStream<Event>.Continuation
        ) throws {
            final class Box { weak var service: Service? }
            let box = Box()
            var methods: [VarlinkCallID: String] = [:]
            server = try VarlinkServer(
                eventLoop: eventLoop,
                identity: .init(vendor: "v", product: "p", version: "1", url: "u"),
                interfaces: [VarlinkInterface(parsing: ServerFixture.interface)],
                limits: limits,
                methods: kinds,
                boundError: { _ in VarlinkError(name: "org.example.test.Full") }
            ) { event in
                switch event {
                case .called(let id, let call):
                    methods[id] = call.method
                    // A service answers from its queue, never from within the event. The answer is queued before the
                    // test receives the call, so it is sent before the next step of the test.
                    eventLoop.assumeIsolated().execute { box.service?.perform(call, id) }
                    events.yield(.called(call.method))
                case .callerLeft(let id): events.yield(.callerLeft(methods[id] ?? "?"))
                case .note(let sentence): events.yield(.note(sentence))
                }
            }
            box.service = self
        }

        func release(error: String?) {
            for id in held {
                if let error { server.fail(id, VarlinkError(name: error)) } else { server.reply(to: id, .emptyObject) }
            }
            held = []
        }

        private func perform(_ call: VarlinkCall, _ id: VarlinkCallID) {
            switch call.method {
            case "org.example.test.Echo": server.reply(to: id, call.parameters)
            case "org.example.test.Stop": server.reply(to: id, .emptyObject)
            case "org.example.test.Hold", "org.example.test.Fire": held.append(id)
            case "org.example.test.Count":
                let last = call.parameters["to"]?.intValue ?? 0
                for number in 1...last {
                    server.reply(to: id, ["number": .int(number)], continues: call.more && number < last)
                }
            case "org.example.test.Flood":
                // The data is more than any socket buffer and the limit together.
                for _ in 0..<1000 {
                    server.reply(to: id, ["text": .string(String(repeating: "x", count: 10_000))], continues: true)
                }
            default: server.fail(id, ServiceInterface.methodNotImplemented(call.method))
            }
        }
    }
}

struct SystemFailure: Error { let call: String, code: CInt }

func temporaryDirectory() throws -> String {
    var template = Array("/tmp/varlink-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemFailure(call: "mkdtemp", code: errno) }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

func withUnixAddress<Result>(
    _ path: String,
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Result
) rethrows -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return try withUnsafePointer(to: &address) {
        try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            try body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}

func listeningSocket(at path: String) throws -> CInt {
    let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw SystemFailure(call: "socket", code: errno) }
    guard withUnixAddress(path, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, 128) == 0 else {
        throw SystemFailure(call: "bind", code: errno)
    }
    return descriptor
}

/// A client that sends any bytes.
final class RawClient {
    private let descriptor: CInt

    init(path: String) throws {
        descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw SystemFailure(call: "socket", code: errno) }
        // The time limit ends a test that would wait forever. It is only reached after an error.
        var patience = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        guard withUnixAddress(path, { connect(descriptor, $0, $1) }) == 0 else {
            throw SystemFailure(call: "connect", code: errno)
        }
    }

    deinit { Glibc.close(descriptor) }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// Sends as much as the service accepts. A service that has closed the connection accepts nothing.
    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    func endInput() { shutdown(descriptor, CInt(SHUT_WR)) }

    /// Reads all bytes from the service until the service closes the connection.
    func readToEnd() throws -> String {
        var text: [UInt8] = []
        while let part = try readPart() { text += part }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads this number of messages.
    func read(messages count: Int) throws -> [String] {
        var text: [UInt8] = []
        while text.count(where: { $0 == 0 }) < count, let part = try readPart() { text += part }
        return String(decoding: text, as: UTF8.self).split(separator: "\0").map(String.init)
    }

    private func readPart() throws -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        // ECONNRESET means that the service closed the connection before it read all bytes of this client.
        if count == 0 || (count < 0 && errno == ECONNRESET) { return nil }
        guard count > 0 else { throw SystemFailure(call: "recv", code: errno) }
        return Array(buffer[..<count])
    }
}
