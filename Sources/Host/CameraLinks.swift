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
