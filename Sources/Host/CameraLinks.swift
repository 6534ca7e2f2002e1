import CLinux
import Cameras
import Controller
import Glibc
import NIOCore
import NIOPosix

/// The TCP connections to cameras.
///
/// Each is named by its generation and channel. A connection that was closed, or whose opening was given up, is never
/// heard of again, whatever still arrives for it.
final class CameraLinks {
    /// Bytes that may wait for a camera that does not take them; then the connection is given up.
    static let unsentBytesMax = 1 << 20
    /// How long sent bytes may stay unacknowledged before the system gives the connection up.
    private static let userTimeout = Duration.seconds(15)
    /// tcp(7): an idle connection is probed after so many seconds, then at this distance, so many times.
    private static let keepAlive = (idleSeconds: 10, intervalSeconds: 5, countMax: 3)

    private struct Key: Hashable {
        let generation: LinkGeneration
        let channel: LinkChannel
    }

    private let eventLoop: any EventLoop
    private let onEvent: (LinkGeneration, LinkEvent) -> Void
    private var links: [Key: CameraLink] = [:]
    /// Whether command connections are not read from.
    private var isHeld = false

    init(eventLoop: any EventLoop, onEvent: @escaping (LinkGeneration, LinkEvent) -> Void) {
        self.eventLoop = eventLoop
        self.onEvent = onEvent
    }

    /// Begins to open a connection; reported as `.opened` or, within `timeout`, as `.openFailed`.
    func open(_ generation: LinkGeneration, _ channel: LinkChannel, _ address: CameraAddress, timeout: Duration) {
        let key = Key(generation: generation, channel: channel)
        precondition(links[key] == nil, "a generation opens each channel once")
        let link = CameraLink(isHeld: channel == .command && isHeld) { [weak self] event in self?.report(event, key) }
        links[key] = link
        link.deadline = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(timeout)) {
            link.failToOpen("\(address) did not answer within \(timeout)")
        }
        connect(link, address, timeout: timeout).assumeIsolated().whenComplete { result in
            switch result {
            case .success(let channel): link.opened(channel)
            case .failure(let error): link.failToOpen("\(address): \(LinkFailure.reason(of: error))")
            }
        }
    }

    /// Sends bytes; a connection that is gone takes them in silence, its end is reported by itself.
    func send(_ generation: LinkGeneration, _ channel: LinkChannel, _ bytes: ByteBuffer) {
        links[Key(generation: generation, channel: channel)]?.send(bytes)
    }

    /// Closes a connection, or gives up opening it. Nothing more is reported of it.
    func close(_ generation: LinkGeneration, _ channel: LinkChannel) {
        links.removeValue(forKey: Key(generation: generation, channel: channel))?.close()
    }

    /// While held nothing is read from command connections, those to come included: the camera waits. What was read
    /// before is still told of.
    func hold(_ isHeld: Bool) {
        self.isHeld = isHeld
        for (key, link) in links where key.channel == .command { link.hold(isHeld) }
    }

    func closeAll() {
        for link in links.values { link.close() }
        links.removeAll()
    }

    private func report(_ event: CameraLink.Event, _ key: Key) {
        switch event {
        case .opened: onEvent(key.generation, .opened(key.channel))
        case .received(let bytes): onEvent(key.generation, .received(key.channel, bytes))
        case .openFailed(let reason):
            links[key] = nil
            onEvent(key.generation, .openFailed(key.channel, reason: reason))
        case .closed(let reason):
            links[key] = nil
            onEvent(key.generation, .closed(key.channel, reason: reason))
        }
    }

    private func connect(
        _ link: CameraLink,
        _ address: CameraAddress,
        timeout: Duration
    ) -> EventLoopFuture<any Channel> {
        let boundLink = NIOLoopBound(link, eventLoop: eventLoop)
        let bootstrap = ClientBootstrap(group: eventLoop)
            // Ours comes first; this one only cleans up after it.
            .connectTimeout(TimeAmount(timeout) + .seconds(1))
            // Nothing is read before the opening is told of.
            .channelOption(.autoRead, value: false)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelOption(.tcpOption(.init(rawValue: TCP_KEEPIDLE)), value: Self.keepAlive.idleSeconds)
            .channelOption(.tcpOption(.init(rawValue: TCP_KEEPINTVL)), value: Self.keepAlive.intervalSeconds)
            .channelOption(.tcpOption(.init(rawValue: TCP_KEEPCNT)), value: Self.keepAlive.countMax)
            .channelOption(
                .tcpOption(.init(rawValue: CInt(clinux_tcp_user_timeout))),
                value: Int(Self.userTimeout / .milliseconds(1))
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(CameraLinkHandler(link: boundLink.value))
                }
            }
        // A number needs nobody to be asked; names are looked up on another thread.
        if let address = try? SocketAddress(ipAddress: address.host, port: Int(address.port)) {
            return bootstrap.connect(to: address)
        }
        return bootstrap.connect(host: address.host, port: Int(address.port))
    }
}

/// One connection: being opened, open, or over.
private final class CameraLink {
    enum Event {
        case opened
        case openFailed(reason: String)
        case received(ByteBuffer)
        case closed(reason: String?)
    }

    private enum State {
        case opening
        case open(any Channel)
        case over
    }

    private var state = State.opening
    private var isHeld: Bool
    private let report: (Event) -> Void
    var deadline: Scheduled<Void>?

    init(isHeld: Bool, report: @escaping (Event) -> Void) {
        self.isHeld = isHeld
        self.report = report
    }

    func opened(_ channel: any Channel) {
        deadline?.cancel()
        switch state {
        case .opening:
            state = .open(channel)
            report(.opened)
            if !isHeld { read(channel, true) }
        case .over: channel.close(promise: nil)
        case .open: preconditionFailure("a connection opens once")
        }
    }

    func hold(_ isHeld: Bool) {
        self.isHeld = isHeld
        if case .open(let channel) = state { read(channel, !isHeld) }
    }

    private func read(_ channel: any Channel, _ reads: Bool) {
        channel.setOption(.autoRead, value: reads).whenFailure { _ in channel.close(promise: nil) }
    }

    func failToOpen(_ reason: String) {
        deadline?.cancel()
        guard case .opening = state else { return }
        state = .over
        report(.openFailed(reason: reason))
    }

    func received(_ bytes: ByteBuffer) {
        if case .open = state { report(.received(bytes)) }
    }

    func closed(_ reason: String?) {
        guard case .open = state else { return }
        state = .over
        report(.closed(reason: reason))
    }

    func send(_ bytes: ByteBuffer) {
        guard case .open(let channel) = state else { return }
        let unsent = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        guard unsent + bytes.readableBytes <= CameraLinks.unsentBytesMax else {
            closed("the camera left \(unsent) bytes untaken")
            return channel.close(promise: nil)
        }
        channel.writeAndFlush(bytes, promise: nil)
    }

    func close() {
        deadline?.cancel()
        let last = state
        // First: the channel may tell of its end from within its closing.
        state = .over
        if case .open(let channel) = last { channel.close(promise: nil) }
    }
}

/// Brings a channel's bytes and its end to its link.
private final class CameraLinkHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let link: CameraLink
    /// Why the channel is about to close; nil: in order.
    private var reason: String?

    init(link: CameraLink) {
        self.link = link
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        link.received(unwrapInboundIn(data))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        reason = LinkFailure.reason(of: error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        link.closed(reason)
    }
}

/// NIO's errors in the system's words.
private enum LinkFailure {
    static func reason(of error: any Error) -> String {
        switch error {
        case let error as IOError: "\(SystemError(code: error.errnoCode))"
        case let error as NIOConnectionError:
            if let first = error.connectionErrors.first {
                reason(of: first.error)
            } else {
                "there is no host of this name"
            }
        default: "\(error)"
        }
    }
}
