import Cameras
import Controller
import Glibc
import NIOCore
import NIOPosix

@testable import Host

/// Camera links on a separate loop, with their reports as a stream.
final class LinksFixture: Sendable {
    struct Event: Equatable, Sendable {
        let generation: UInt32
        let event: LinkEvent

        init(_ generation: UInt32, _ event: LinkEvent) {
            self.generation = generation
            self.event = event
        }
    }

    /// The requested target, and its address.
    struct Opening: Equatable, Sendable {
        let address: CameraAddress
        let remote: IPAddress
    }

    let events: AsyncStream<Event>
    let openings: AsyncStream<Opening>
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let links: NIOLoopBound<CameraLinks>

    init(limits: CameraLinks.Limits = CameraLinks.Limits()) async throws {
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        let (openings, opened) = AsyncStream.makeStream(of: Opening.self)
        self.events = events
        self.openings = openings
        let loop = group.next()
        links = try await loop.submit {
            let links = CameraLinks(
                eventLoop: loop,
                limits: limits,
                onOpened: { opened.yield(Opening(address: $0, remote: $1)) },
                onEvent: { continuation.yield(Event($0.rawValue, $1)) }
            )
            return NIOLoopBound(links, eventLoop: loop)
        }.get()
    }

    /// Performs work with the links on the loop's thread.
    func perform(_ body: @escaping @Sendable (CameraLinks) -> Void) async throws {
        try await group.next().submit { [links] in body(links.value) }.get()
    }

    /// Performs a query with the links on the loop's thread.
    func ask<Value: Sendable>(_ body: @escaping @Sendable (CameraLinks) -> Value) async throws -> Value {
        try await group.next().submit { [links] in body(links.value) }.get()
    }

    /// Performs work that needs the loop's thread.
    func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await group.next().submit(body).get()
    }

    func open(
        _ generation: UInt32,
        _ channel: LinkID = .command,
        _ address: CameraAddress,
        timeout: Duration = .seconds(20)
    ) async throws {
        let target = LinkTarget(address, carriesPictures: channel == .command)
        try await perform { $0.open(.init(rawValue: generation), channel, target, timeout: timeout) }
    }

    func send(_ generation: UInt32, _ text: String, on channel: LinkID = .command) async throws {
        try await perform { $0.send(.init(rawValue: generation), channel, ByteBuffer(string: text)) }
    }

    func next() async -> Event? {
        for await event in events { return event }
        return nil
    }

    /// The bytes that the next `count` events contain.
    func received(_ count: Int) async -> String {
        var text = ""
        while text.utf8.count < count, case .received(_, let bytes)? = await next()?.event {
            text += String(buffer: bytes)
        }
        return text
    }

    func stop() async throws {
        try await perform { $0.closeAll() }
        try await group.shutdownGracefully()
    }
}

/// The time limit in seconds for actions that are immediate, but slow on a busy computer.
private let waitMax = 30

/// Waits until the socket has a connection or bytes.
///
/// - Throws: ETIMEDOUT at the time limit.
func waitUntilReadable(_ socket: CInt) throws(SystemError) {
    var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    let count = try check { poll(&waiting, 1, CInt(waitMax * 1000)) }
    guard count == 1 else { throw SystemError(code: ETIMEDOUT) }
}

/// Accepts the next connection, with a time limit for reading from it.
func acceptInTime(_ listener: CInt) throws(SystemError) -> CInt {
    try waitUntilReadable(listener)
    let peer = try check { accept(listener, nil, nil) }
    try check { fcntl(peer, F_SETFD, FD_CLOEXEC) }
    var limit = timeval(tv_sec: waitMax, tv_usec: 0)
    try check { setsockopt(peer, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size)) }
    return peer
}
