import Bodies
import NIOCore
import NIOPosix
import PTP
import ProgramOutput

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Serves a simulated camera on a TCP port, with discovery. Everything happens on one event loop.
final class SimulatorServer {
    /// The address of the camera on the network, and how clients find the camera.
    struct Place {
        var address: ListenAddress
        /// The places at which the camera returns after each SIGUSR1, in order; empty: the same place.
        var others: [NetworkPlace] = []
        /// Whether a socket listens on the address. Otherwise clients can only find the camera.
        var isListening = true
        /// Whether clients learn the port from the description.
        var announcesPort = false
        /// The settings of discovery; nil: clients cannot find the camera.
        var discovery: DiscoveryServer.Settings?
    }

    private var camera: SimulatedCamera
    private let journal: SimulatorJournal
    private let eventLoop: any EventLoop
    private let origin: NIODeadline
    private var place: Place
    private let discovery: DiscoveryServer?
    private var listener: (any Channel)?
    /// When the camera returns to its network. A time in the past means that the camera is present.
    private var awayUntil = Duration.zero
    /// The error of the last failed attempt to return.
    private var lastFailure: String?
    /// The number of SIGUSR1 signals.
    private var departures = 0
    private var channels: [ConnectionID: any Channel] = [:]
    private var connectionsSeen = 0
    /// For each connection, the number of bytes that the network has accepted since the last report to the camera.
    private var written: [ConnectionID: Int] = [:]
    /// For each connection, the number of written bytes that the network has not accepted yet.
    private var waiting: [ConnectionID: Int] = [:]
    private var timer: Scheduled<Void>?
    /// The camera's actions; empty except while the server performs actions.
    private var actions: [BodyAction] = []

    /// The maximum number of bytes of files that can wait for the network.
    static let sendWindow = 4 << 20
    /// The smallest number of accepted bytes in a report to the camera. When no bytes wait, a report can be smaller.
    private static let creditMin = 1 << 20

    /// How long the camera is absent after SIGUSR1.
    private static let absence = Duration.seconds(1)

    /// Listens until a signal ends the program. Ends the program with status 1 when it cannot listen.
    static func run(_ camera: SimulatedCamera, at place: Place, journal: SimulatorJournal) {
        DepartureSignal.block()
        MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { eventLoop in
            let server = SimulatorServer(camera, at: place, journal: journal, on: eventLoop)
            server.appear().assumeIsolated().whenComplete { result in
                switch result {
                case .success:
                    DepartureSignal.listen(on: eventLoop) { server.disconnect() }
                    if let warning = server.warning { StandardStream.errors.message("camerasim: \(warning)") }
                    server.printStartupLines()
                case .failure(let error):
                    StandardStream.errors.message("camerasim: \(error)")
                    exit(1)
                }
            }
        }
    }

    private init(_ camera: SimulatedCamera, at place: Place, journal: SimulatorJournal, on eventLoop: any EventLoop) {
        self.camera = camera
        self.place = place
        self.journal = journal
        self.eventLoop = eventLoop
        let origin = NIODeadline.now()
        self.origin = origin
        discovery = place.discovery.map { settings in
            DiscoveryServer(settings, on: eventLoop) { line in
                journal.note(line, at: .nanoseconds((NIODeadline.now() - origin).nanoseconds))
            }
        }
    }

    private var now: Duration { .nanoseconds((NIODeadline.now() - origin).nanoseconds) }

    /// The lines that the program prints when all sockets listen.
    private var startupLines: String {
        let description = discovery?.location.map { "description at \($0)\n" } ?? ""
        return (place.isListening ? "listening on \(place.address)\n" : "") + description
    }

    /// Prints the addresses. Ends the program with status 1 if this fails, except for a closed pipe.
    private func printStartupLines() {
        do throws(OutputFailure) {
            try StandardStream.output.write(startupLines)
        } catch {
            guard !error.isBrokenPipe else { return }
            StandardStream.errors.message("camerasim: \(error.sentence)")
            exit(1)
        }
    }

    /// The warning that clients find the body but cannot connect; nil: clients can connect.
    private var warning: String? {
        let address = place.address
        guard discovery != nil, place.isListening, !place.announcesPort, let port = camera.ports.first?.number,
            address.port != port
        else { return nil }
        return OptionSentences.portIsNotAnnounced(address, called: port)
    }

    // MARK: Listening

    /// Opens the missing sockets. If one fails, sockets that are already open stay open.
    private func appear() -> EventLoopFuture<Void> {
        let listening = listener == nil && place.isListening ? listen() : eventLoop.makeSucceededVoidFuture()
        return listening.assumeIsolated()
            .flatMap { [self] in
                discovery?.appear(at: place.address) ?? eventLoop.makeSucceededVoidFuture()
            }
            .nonisolated()
    }

    private func listen() -> EventLoopFuture<Void> {
        let address = place.address
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
                // The system replaced port 0 by a real port. After an absence, the body uses the same port.
                self.place.address.port = channel.localAddress?.port ?? address.port
            }
            .flatMapErrorThrowing { throw StartFailure(.listen(address), $0) }
            .nonisolated()
    }

    private func initialise(_ channel: any Channel) -> EventLoopFuture<Void> {
        guard camera.acceptsConnection(at: now) else {
            note(LogSentences.connectionRefused)
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

    /// Closes the listening socket until this time. The system then refuses connections.
    private func stopListening(until time: Duration) {
        listener?.close(promise: nil)
        listener = nil
        awayUntil = max(awayUntil, time)
        schedule(after: awayUntil - now) { $0.listenAgain() }
    }

    /// Takes the camera off the network until this time. The camera can return at another address.
    private func disconnect(_ departure: Departure, until time: Duration) {
        discovery?.disappear(isOrderly: departure.isOrderly)
        if let next = departure.place {
            place.address = ListenAddress(host: "\(next.host)", port: next.port.map(Int.init) ?? place.address.port)
        }
        stopListening(until: time)
    }

    private func disconnect() {
        let next = place.others.isEmpty ? nil : place.others[departures % place.others.count]
        departures += 1
        let departure = Departure(back: Self.absence, place: next)
        step { camera, now, actions in camera.leave(departure, at: now, into: &actions) }
    }

    private func listenAgain() {
        guard now >= awayUntil else { return }
        appear().assumeIsolated().whenComplete { result in
            switch result {
            case .success:
                self.lastFailure = nil
                let address = self.place.address
                self.note(self.place.isListening ? LogSentences.listeningAgain(address) : LogSentences.foundAgain)
            case .failure(let error):
                // Reports the same error only once. Twenty reports per second would hide all other log lines.
                if self.lastFailure != "\(error)" { self.note(LogSentences.tryingAgain(error)) }
                self.lastFailure = "\(error)"
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

    /// Performs a step of the camera and the camera's actions, and sets the timer for the next step.
    private func step(_ body: (inout SimulatedCamera, Duration, inout [BodyAction]) -> Void) {
        let isOutermost = actions.isEmpty
        body(&camera, now, &actions)
        // Closing a channel can call this function again. The outermost call then performs the new actions too.
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
        case .close(let id): close(id)
        case .abort(let id): if let channel = channels[id] { reset(channel) }
        case .refuseConnections(let until): stopListening(until: until)
        case .leave(let departure, let until): disconnect(departure, until: until)
        case .exposed(let frame): journal.exposed(frame)
        case .fact: break
        case .log(let line): note(line)
        }
    }

    private func write(_ bytes: ByteBuffer, on id: ConnectionID) {
        guard let channel = channels[id] else { return }
        let count = bytes.readableBytes
        waiting[id, default: 0] += count
        channel.writeAndFlush(bytes).assumeIsolated().whenSuccess { self.took(count, of: id) }
    }

    /// Closes a connection when the network has accepted the bytes before. A channel that closes at once drops them.
    private func close(_ id: ConnectionID) {
        guard let channel = channels[id] else { return }
        channel.writeAndFlush(ByteBuffer()).assumeIsolated().whenSuccess { channel.close(promise: nil) }
    }

    /// The network accepted bytes of a connection.
    private func took(_ count: Int, of id: ConnectionID) {
        guard channels[id] != nil else { return }
        waiting[id, default: 0] -= count
        written[id, default: 0] += count
        let credit = written[id, default: 0]
        guard credit >= Self.creditMin || waiting[id] == 0 else { return }
        written[id] = 0
        step { camera, now, actions in camera.written(id, credit, at: now, into: &actions) }
    }

    /// Closes a connection with a reset: linger time 0, so unwritten bytes are lost.
    private func reset(_ channel: any Channel) {
        if let socket = channel as? any SocketOptionProvider {
            _ = socket.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        }
        channel.close(promise: nil)
    }

    private func note(_ line: String) { journal.note(line, at: now) }
}
