import CLinux
import Cameras
import Controller
import Glibc
import NIOCore
import NIOPosix

/// The TCP connections to cameras.
///
/// Each is named by its generation and number. A connection that was closed, or whose opening was given up, is never
/// heard of again, whatever still arrives for it.
final class CameraLinks {
    /// Bytes that may wait for a camera that does not take them; then the connection is given up.
    static let unsentBytesMax = 1 << 20

    /// How often the limit of an opening is given anew to a camera that has answered.
    private static let renewalsMax = 5

    /// When the system gives a connection up of which nothing is heard.
    ///
    /// The driver has limits of its own, and mostly notices first: 5 s for an answer, 10 s between the bytes of a
    /// picture. The system's are for where those do not reach: an exposure, during which an answer may take as long as
    /// the exposure does (the other side's system acknowledges our bytes all the same), and the event connection, on
    /// which we ask nothing. They are longer than the driver's, so that its word comes first, which names what was
    /// waited for, and shorter than its pause of 24 s between two keep-alives, so that an idle session whose camera is
    /// gone does not last longer for it.
    struct Limits: Sendable {
        /// TCP_USER_TIMEOUT: how long a connection is kept on which nothing comes although bytes or probes were sent.
        /// tcp(7): it overrides the number of probes. With 15 s, an idle connection was given up for one lost probe.
        var userTimeout: Duration = .seconds(20)
        /// TCP_KEEPIDLE: an idle connection is probed after so many seconds.
        var idleSeconds = 10
        /// TCP_KEEPINTVL: until the next probe. So two are lost before a connection is, and 10 s without radio are
        /// borne.
        var intervalSeconds = 5
        /// TCP_KEEPCNT: so many; 10 s and twice 5 s are the 20 s again, for a system that counts probes.
        var probesMax = 2
    }

    private struct Key: Hashable {
        let generation: LinkGeneration
        let link: LinkID
    }

    private let eventLoop: any EventLoop
    private let limits: Limits
    private let onOpened: (CameraAddress, IPAddress) -> Void
    private let onEvent: (LinkGeneration, LinkEvent) -> Void
    private var links: [Key: CameraLink] = [:]
    private var unheardEnds = UnheardEnds()
    /// Whether connections that carry pictures are not read from.
    private var isHeld = false

    /// - Parameters:
    ///   - limits: When dead connections are given up.
    ///   - onOpened: Told right before `.opened`: what was asked for, which may be a name, and where it is.
    ///   - onEvent: Told on the loop.
    init(
        eventLoop: any EventLoop,
        limits: Limits = Limits(),
        onOpened: @escaping (CameraAddress, IPAddress) -> Void = { _, _ in },
        onEvent: @escaping (LinkGeneration, LinkEvent) -> Void
    ) {
        self.eventLoop = eventLoop
        self.limits = limits
        self.onOpened = onOpened
        self.onEvent = onEvent
    }

    /// Begins to open a connection; reported as `.opened` or, within `timeout`, as `.openFailed`.
    func open(_ generation: LinkGeneration, _ id: LinkID, _ target: LinkTarget, timeout: Duration) {
        let key = Key(generation: generation, link: id)
        let address = target.address
        precondition(links[key] == nil, "a generation opens each link once")
        if isFirst(key) { sayEndsAgain { $0.isWith(address) } }
        let link = CameraLink(to: target, isHeld: isHeld) { [weak self] event in
            self?.report(event, key, address)
        }
        links[key] = link
        giveUp(link, address, after: timeout)
        connect(link, target, timeout: timeout).assumeIsolated().whenComplete { result in
            switch result {
            case .success(let channel):
                link.opened(channel)
            case .failure(let error):
                link.failToOpen("\(address): \(LinkFailure.reason(of: error))", LinkFailure.cause(of: error))
            }
        }
    }

    /// The limit of an opening. When so many are called that the loop comes late, the limit is reached before anybody
    /// has looked at the sockets: who has answered meanwhile is not given up, but heard.
    private func giveUp(
        _ link: CameraLink,
        _ address: CameraAddress,
        after timeout: Duration,
        renewals: Int = CameraLinks.renewalsMax
    ) {
        link.deadline = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(timeout)) { [weak self] in
            guard renewals > 0, link.hasAnswered else {
                return link.failToOpen("\(address) did not answer within \(timeout)", .timedOut)
            }
            self?.giveUp(link, address, after: timeout, renewals: renewals - 1)
        }
    }

    /// Sends bytes; a connection that is gone takes them in silence, its end is reported by itself.
    func send(_ generation: LinkGeneration, _ link: LinkID, _ bytes: ByteBuffer) {
        links[Key(generation: generation, link: link)]?.send(bytes)
    }

    /// Closes a connection, or gives up opening it. Nothing more is reported of it, and nothing that the camera has not
    /// taken yet reaches it any more.
    func close(_ generation: LinkGeneration, _ id: LinkID) {
        guard let link = links.removeValue(forKey: Key(generation: generation, link: id)) else { return }
        link.close()
        remember(link)
    }

    /// There is a way to this address now. What it has not heard of connections that were closed before is said again.
    func noteWay(to address: IPAddress) {
        sayEndsAgain { $0.isWith(address) }
    }

    /// How many connections were closed of which the other side may not know.
    var unheardCount: Int { unheardEnds.count }

    private func sayEndsAgain(where isMeant: (UnheardEnds.Connection) -> Bool) {
        unheardEnds.knock(at: eventLoop.now, where: isMeant)
    }

    private func remember(_ link: CameraLink) {
        if let connection = link.connection { unheardEnds.add(connection, at: eventLoop.now) }
    }

    /// While held nothing is read from connections that carry pictures, those to come included: the camera waits. What
    /// was read before is still told of.
    func hold(_ isHeld: Bool) {
        self.isHeld = isHeld
        for link in links.values { link.hold(isHeld) }
    }

    /// Whether a connection is the only one of its generation.
    private func isFirst(_ key: Key) -> Bool {
        !links.keys.contains { $0.generation == key.generation && $0.link != key.link }
    }

    func closeAll() {
        for link in links.values { link.close() }
        links.removeAll()
    }

    private func report(_ event: CameraLink.Event, _ key: Key, _ address: CameraAddress) {
        switch event {
        case .opened(let remote):
            if let remote {
                // It gives us what it held for a session before.
                if !isFirst(key) {
                    unheardEnds.forget { $0.isWith(remote) && $0.remote.port == Int(address.port) }
                }
                onOpened(address, remote)
            }
            onEvent(key.generation, .opened(key.link))
        case .received(let bytes): onEvent(key.generation, .received(key.link, bytes))
        case .openFailed(let reason, let cause):
            links[key] = nil
            onEvent(key.generation, .openFailed(key.link, reason: reason, cause: cause))
        case .closed(let reason, let isHeard):
            if let link = links.removeValue(forKey: key), !isHeard { remember(link) }
            onEvent(key.generation, .closed(key.link, reason: reason))
        }
    }

    private func connect(
        _ link: CameraLink,
        _ target: LinkTarget,
        timeout: Duration
    ) -> EventLoopFuture<any Channel> {
        let address = target.address
        let bootstrap =
            switch target.transport {
            case .tcp: tcpBootstrap(link, timeout: timeout)
            }
        // A number needs nobody to be asked; names are looked up on another thread.
        if let address = try? SocketAddress(ipAddress: address.host, port: Int(address.port)) {
            return bootstrap.connect(to: address)
        }
        return bootstrap.connect(host: address.host, port: Int(address.port))
    }

    private func tcpBootstrap(_ link: CameraLink, timeout: Duration) -> ClientBootstrap {
        let boundLink = NIOLoopBound(link, eventLoop: eventLoop)
        return ClientBootstrap(group: eventLoop)
            // Ours comes first, and closes what was begun.
            .connectTimeout(TimeAmount(timeout) + .seconds(3))
            // Nothing is read before the opening is told of.
            .channelOption(.autoRead, value: false)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelOption(.tcpOption(.init(rawValue: TCP_KEEPIDLE)), value: limits.idleSeconds)
            .channelOption(.tcpOption(.init(rawValue: TCP_KEEPINTVL)), value: limits.intervalSeconds)
            .channelOption(.tcpOption(.init(rawValue: TCP_KEEPCNT)), value: limits.probesMax)
            .channelOption(
                .tcpOption(.init(rawValue: CInt(clinux_tcp_user_timeout))),
                value: Int(limits.userTimeout / .milliseconds(1))
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(CameraLinkHandler(link: boundLink.value))
                    try boundLink.value.begins(with: channel)
                }
            }
    }
}

/// One connection: being opened, open, or over.
private final class CameraLink {
    enum Event {
        case opened(remote: IPAddress?)
        case openFailed(reason: String, cause: OpenFailure)
        case received(ByteBuffer)
        /// `isHeard`: the camera knows of it.
        case closed(reason: String?, isHeard: Bool)
    }

    private enum State {
        /// With all that were begun: a name may have several addresses, each tried with a channel of its own.
        case opening([any Channel])
        case open(any Channel)
        case over
    }

    private var state = State.opening([])
    private var isHeld: Bool
    private let target: LinkTarget
    private let report: (Event) -> Void
    var deadline: Scheduled<Void>?
    /// Its two ends; nil: it never was open.
    private(set) var connection: UnheardEnds.Connection?

    init(to target: LinkTarget, isHeld: Bool, report: @escaping (Event) -> Void) {
        self.target = target
        self.isHeld = isHeld && target.carriesPictures
        self.report = report
    }

    /// An attempt begins.
    ///
    /// - Throws: `ChannelError.ioOnClosedChannel`: nobody wants it any more.
    func begins(with channel: any Channel) throws {
        guard case .opening(let others) = state else { throw ChannelError.ioOnClosedChannel }
        state = .opening(others + [channel])
    }

    func opened(_ channel: any Channel) {
        deadline?.cancel()
        switch state {
        case .opening:
            state = .open(channel)
            if let local = channel.localAddress, let remote = channel.remoteAddress {
                connection = UnheardEnds.Connection(asked: target.address, local: local, remote: remote)
            }
            report(.opened(remote: channel.remoteAddress?.ipAddress.flatMap { IPAddress($0) }))
            if !isHeld { read(channel, true) }
        case .over: channel.close(promise: nil)
        case .open: preconditionFailure("a connection opens once")
        }
    }

    /// Whether the system has connected what is being opened, and only this process has not heard of it yet.
    var hasAnswered: Bool {
        guard case .opening(let channels) = state else { return false }
        return channels.contains(where: Self.isEstablished)
    }

    private static func isEstablished(_ channel: any Channel) -> Bool {
        // The first byte of tcp_info is the state of the connection (tcp(7)).
        let option = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_INFO))
        guard let info = try? channel.syncOptions?.getOption(option) else { return false }
        return withUnsafeBytes(of: info) { $0.first == UInt8(TCP_ESTABLISHED) }
    }

    func hold(_ isHeld: Bool) {
        guard target.carriesPictures else { return }
        self.isHeld = isHeld
        if case .open(let channel) = state { read(channel, !isHeld) }
    }

    private func read(_ channel: any Channel, _ reads: Bool) {
        channel.setOption(.autoRead, value: reads).whenFailure { _ in channel.close(promise: nil) }
    }

    func failToOpen(_ reason: String, _ cause: OpenFailure) {
        guard case .opening = state else { return }
        close()
        report(.openFailed(reason: reason, cause: cause))
    }

    func received(_ bytes: ByteBuffer) {
        if case .open = state { report(.received(bytes)) }
    }

    func closed(_ reason: String?, isHeard: Bool) {
        guard case .open = state else { return }
        state = .over
        report(.closed(reason: reason, isHeard: isHeard))
    }

    func send(_ bytes: ByteBuffer) {
        guard case .open(let channel) = state else { return }
        let unsent = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        guard unsent + bytes.readableBytes <= CameraLinks.unsentBytesMax else {
            closed("the camera left \(unsent) bytes untaken", isHeard: false)
            return Self.end(channel)
        }
        channel.writeAndFlush(bytes, promise: nil)
    }

    func close() {
        deadline?.cancel()
        let last = state
        // First: the channel may tell of its end from within its closing.
        state = .over
        switch last {
        case .opening(let channels): for channel in channels { channel.close(promise: nil) }
        case .open(let channel): Self.end(channel)
        case .over: break
        }
    }

    /// Closes a connection in order, or breaks it off where the camera has not taken all that was sent.
    ///
    /// close(2) alone does not take back what waits: the system goes on sending it when the network is back, and a
    /// shutter would be released that nobody waits for any more.
    private static func end(_ channel: any Channel) {
        if hasUntakenBytes(channel), let options = channel as? any SocketOptionProvider {
            _ = options.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        } else {
            // The system says the end again by itself at growing intervals, at last too seldom to be of use.
            let time = Int(UnheardEnds.ownTime / .milliseconds(1))
            try? channel.syncOptions?.setOption(.tcpOption(.init(rawValue: CInt(clinux_tcp_user_timeout))), value: time)
        }
        channel.close(promise: nil)
    }

    private static func hasUntakenBytes(_ channel: any Channel) -> Bool {
        guard let unsent = try? channel.syncOptions?.getOption(.bufferedWritableBytes), unsent == 0 else { return true }
        var hasUntaken = true
        let info: EventLoopFuture<clinux_tcp_info>? = (channel as? any SocketOptionProvider)?
            .unsafeGetSocketOption(level: .tcp, name: .init(rawValue: TCP_INFO))
        // On the loop it is answered at once.
        info?.assumeIsolated().whenSuccess { hasUntaken = $0.unacked > 0 || $0.notsent > 0 }
        return hasUntaken
    }
}

/// Brings a channel's bytes and its end to its link.
private final class CameraLinkHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let link: CameraLink
    /// Why the channel is about to close; nil: in order.
    private var reason: String?
    /// Whether the camera knows: it ended it, or its system did.
    private var isHeard = true

    init(link: CameraLink) {
        self.link = link
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        link.received(unwrapInboundIn(data))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        reason = LinkFailure.reason(of: error)
        isHeard = [ECONNRESET, EPIPE].contains((error as? IOError)?.errnoCode)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        link.closed(reason, isHeard: isHeard)
    }
}

/// NIO's errors in the system's words.
enum LinkFailure {
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

    /// Of several addresses of a name the first speaks, as it does in `reason`.
    static func cause(of error: any Error) -> OpenFailure {
        switch error {
        case let error as IOError: cause(ofCode: error.errnoCode)
        case let error as NIOConnectionError: error.connectionErrors.first.map { cause(of: $0.error) } ?? .other
        case ChannelError.connectTimeout: .timedOut
        default: .other
        }
    }

    /// What connect(2) and ip(7) say of an address that does not answer.
    private static func cause(ofCode code: CInt) -> OpenFailure {
        switch code {
        case ECONNREFUSED: .refused
        case ETIMEDOUT: .timedOut
        case EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENETDOWN, EADDRNOTAVAIL, ENONET: .unreachable
        default: .other
        }
    }
}
