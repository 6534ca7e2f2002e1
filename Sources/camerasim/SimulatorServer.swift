import NIOCore
import NIOPosix
import PTP
import Simulation

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Puts a simulated camera on a TCP port. Everything happens on one event loop.
final class SimulatorServer {
    private var camera: SimulatedCamera
    private let journal: SimulatorJournal
    private let eventLoop: any EventLoop
    private let origin = NIODeadline.now()
    private var address: ListenAddress
    private var listener: (any Channel)?
    private var channels: [ConnectionID: any Channel] = [:]
    private var connectionsSeen = 0
    /// What the network took of each connection since the camera was told.
    private var written: [ConnectionID: Int] = [:]
    /// What was written to each connection and not taken yet.
    private var waiting: [ConnectionID: Int] = [:]
    private var timer: Scheduled<Void>?
    /// What the camera wants done; empty unless something is being done.
    private var actions: [BodyAction] = []

    /// How many bytes of files may wait for the network.
    static let sendWindow = 4 << 20
    /// The camera is told of bytes in amounts of at least this size, or when none wait any more.
    private static let creditMin = 1 << 20

    /// Listens until a signal ends the program; ends it with status 1 when the address cannot be listened on.
    static func run(_ camera: SimulatedCamera, listening address: ListenAddress, journal: SimulatorJournal) {
        MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { eventLoop in
            let server = SimulatorServer(camera, listening: address, journal: journal, on: eventLoop)
            server.listen().assumeIsolated().whenComplete { result in
                switch result {
                case .success:
                    Output.write("listening on \(server.address)\n")
                case .failure(let error):
                    Output.standardError.write("camerasim: cannot listen on \(address): \(Self.reason(error))\n")
                    exit(1)
                }
            }
        }
    }

    private init(
        _ camera: SimulatedCamera,
        listening address: ListenAddress,
        journal: SimulatorJournal,
        on eventLoop: any EventLoop
    ) {
        self.camera = camera
        self.address = address
        self.journal = journal
        self.eventLoop = eventLoop
    }

    private var now: Duration { .nanoseconds((NIODeadline.now() - origin).nanoseconds) }

    // MARK: Listening

    private func listen() -> EventLoopFuture<Void> {
        let server = NIOLoopBound(self, eventLoop: eventLoop)
        return ServerBootstrap(group: eventLoop)
            .serverChannelOption(.backlog, value: 16)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { server.value.initialise($0) }
            .bind(host: address.host, port: address.port)
            .assumeIsolated()
            .map { channel in
                self.listener = channel
                // A port of 0 has become a real one, which a fault must come back to.
                self.address.port = channel.localAddress?.port ?? self.address.port
            }
            .nonisolated()
    }

    /// Why an address could not be listened on, and what to do.
    private static func reason(_ error: any Error) -> String {
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE?: "the address is in use; choose another with --listen"
        case EADDRNOTAVAIL?: "this machine does not have the address; choose another with --listen"
        case EACCES?: "this user may not listen there; choose a port from 1024 up with --listen"
        case let code?: "\(SystemError(code: code))"
        case nil: "\(error)"
        }
    }

    private func initialise(_ channel: any Channel) -> EventLoopFuture<Void> {
        guard camera.acceptsConnection(at: now) else {
            note("fault: connect refused")
            reset(channel)
            return eventLoop.makeSucceededVoidFuture()
        }
        connectionsSeen += 1
        let id = ConnectionID(rawValue: connectionsSeen)
        channels[id] = channel
        return eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(SimulatorConnection(id, server: self))
        }
    }

    /// Nobody listens until then: a connect is refused by the system itself.
    private func stopListening(until time: Duration) {
        listener?.close(promise: nil)
        listener = nil
        schedule(after: time - now) { $0.listenAgain() }
    }

    private func listenAgain() {
        guard listener == nil else { return }
        listen().assumeIsolated().whenComplete { result in
            switch result {
            case .success:
                self.note("listening again on \(self.address)")
            case .failure(let error):
                self.note("cannot listen on \(self.address) again, trying on: \(Self.reason(error))")
                self.schedule(after: .milliseconds(50)) { $0.listenAgain() }
            }
        }
    }

    private func schedule(after delay: Duration, _ task: @escaping (SimulatorServer) -> Void) {
        eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(max(delay, .zero))) { task(self) }
    }

    // MARK: Connections

    func opened(_ id: ConnectionID) {
        step { camera, now, actions in camera.accepted(id, at: now, into: &actions) }
    }

    func received(_ id: ConnectionID, _ bytes: ByteBuffer) {
        step { camera, now, actions in camera.received(id, bytes, at: now, into: &actions) }
    }

    func closed(_ id: ConnectionID) {
        channels[id] = nil
        written[id] = nil
        waiting[id] = nil
        step { camera, now, actions in camera.closed(id, at: now, into: &actions) }
    }

    /// Lets the camera take a step, does what it wants, and sets the timer for the next.
    private func step(_ body: (inout SimulatedCamera, Duration, inout [BodyAction]) -> Void) {
        let isOutermost = actions.isEmpty
        body(&camera, now, &actions)
        // Closing a channel may bring its end at once: what comes of that waits for its turn.
        if isOutermost { performAll() }
        timer?.cancel()
        timer = camera.nextDeadline.map { deadline in
            eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(max(deadline - now, .zero))) {
                self.step { camera, now, actions in camera.advance(to: now, into: &actions) }
            }
        }
    }

    private func performAll() {
        var index = 0
        while index < actions.count {
            perform(actions[index])
            index += 1
        }
        actions.removeAll(keepingCapacity: true)
    }

    private func perform(_ action: BodyAction) {
        switch action {
        case .send(let id, let bytes): write(bytes, on: id)
        case .close(let id): channels[id]?.close(promise: nil)
        case .abort(let id): if let channel = channels[id] { reset(channel) }
        case .refuseConnections(let until): stopListening(until: until)
        case .exposed(let frame): journal.exposed(frame)
        case .log(let line): note(line)
        }
    }

    private func write(_ bytes: ByteBuffer, on id: ConnectionID) {
        guard let channel = channels[id] else { return }
        let count = bytes.readableBytes
        waiting[id, default: 0] += count
        channel.writeAndFlush(bytes).assumeIsolated().whenSuccess { self.took(count, of: id) }
    }

    /// The network took bytes of a connection.
    private func took(_ count: Int, of id: ConnectionID) {
        guard channels[id] != nil else { return }
        waiting[id, default: 0] -= count
        written[id, default: 0] += count
        let credit = written[id, default: 0]
        guard credit >= Self.creditMin || waiting[id] == 0 else { return }
        written[id] = 0
        step { camera, now, actions in camera.written(id, credit, at: now, into: &actions) }
    }

    /// Closes with a reset: no time to linger, nothing that is still unwritten goes out.
    private func reset(_ channel: any Channel) {
        if let socket = channel as? any SocketOptionProvider {
            _ = socket.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        }
        channel.close(promise: nil)
    }

    private func note(_ line: String) { journal.note(line, at: now) }
}

/// One connection: its bytes to the server, and no reading while the initiator does not take what was written.
private final class SimulatorConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let id: ConnectionID
    private let server: SimulatorServer

    init(_ id: ConnectionID, server: SimulatorServer) {
        self.id = id
        self.server = server
    }

    func channelActive(context: ChannelHandlerContext) {
        server.opened(id)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        server.received(id, unwrapInboundIn(data))
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        _ = context.channel.setOption(.autoRead, value: context.channel.isWritable)
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        server.closed(id)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
