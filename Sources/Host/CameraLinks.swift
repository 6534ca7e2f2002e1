import CLinux
import Cameras
import Controller
import Glibc
import NIOCore
import NIOPosix

/// The TCP connections to cameras.
///
/// A generation and a number identify each connection. After a connection is closed or its opening is cancelled, its
/// later events are not reported.
final class CameraLinks {
    /// The limit of unsent bytes for a camera that reads nothing. Above this limit the daemon closes the connection.
    static let unsentBytesMax = 1 << 20

    /// The maximum number of times that an opening gets more time because the camera has already answered.
    private static let renewalsMax = 5

    /// The limits after which the kernel closes a silent connection.
    ///
    /// The driver has its own limits: 5 s for an answer, 10 s between the bytes of a picture. The kernel's limits are
    /// for two other cases. First, an answer can take as long as an exposure, while the camera's kernel acknowledges
    /// our bytes. Second, the driver sends no requests on the event connection. The kernel's limits are longer than the
    /// driver's limits, because the driver's error names the missing answer. They are shorter than the 24 s between
    /// keep-alives, so they also end an idle session whose camera is switched off.
    struct Limits: Sendable {
        /// TCP_USER_TIMEOUT: how long a connection stays open while sent bytes or probes get no acknowledgement. This
        /// option overrides TCP_KEEPCNT (tcp(7)). With a limit of 15 s, one lost probe closed an idle connection.
        var userTimeout: Duration = .seconds(20)
        /// TCP_KEEPIDLE: seconds without traffic before the first probe.
        var idleSeconds = 10
        /// TCP_KEEPINTVL: seconds between probes. A connection survives one lost probe and 10 s without a radio link.
        var intervalSeconds = 5
        /// TCP_KEEPCNT: the number of probes. A kernel that counts probes also waits 20 s (10 s and two times 5 s).
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
    private var undeliveredCloses = UndeliveredCloses()
    private var isHeld = false

    /// - Parameters:
    ///   - limits: The kernel's limits for connections on which nothing arrives.
    ///   - onOpened: Called right before `.opened`, with the target (may be a host name) and its address.
    ///   - onEvent: Called on the loop.
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

    /// Begins to open a connection. The result is `.opened` or, within `timeout`, `.openFailed`.
    func open(_ generation: LinkGeneration, _ id: LinkID, _ target: LinkTarget, timeout: Duration) {
        let key = Key(generation: generation, link: id)
        let address = target.address
        precondition(links[key] == nil, "a generation opens each link once")
        if isFirst(key) { resendCloses { $0.isWith(address) } }
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
                let sentence = NetworkHostSentences.notOpened(address, reason: LinkFailure.reason(of: error))
                link.failToOpen(sentence, LinkFailure.cause(of: error))
            }
        }
    }

    /// Ends an opening at its time limit. Extends the limit if the camera has answered and the loop, under load, has
    /// not handled the answer yet.
    private func giveUp(
        _ link: CameraLink,
        _ address: CameraAddress,
        after timeout: Duration,
        renewals: Int = CameraLinks.renewalsMax
    ) {
        link.deadline = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(timeout)) { [weak self] in
            guard renewals > 0, link.hasAnswered else {
                return link.failToOpen(NetworkHostSentences.noAnswer(address, within: timeout), .timedOut)
            }
            self?.giveUp(link, address, after: timeout, renewals: renewals - 1)
        }
    }

    /// Sends bytes. Does nothing for a closed connection, because the end of that connection is reported separately.
    func send(_ generation: LinkGeneration, _ link: LinkID, _ bytes: ByteBuffer) {
        links[Key(generation: generation, link: link)]?.send(bytes)
    }

    /// Closes a connection or cancels its opening. Discards unsent bytes and reports no later events.
    func close(_ generation: LinkGeneration, _ id: LinkID) {
        guard let link = links.removeValue(forKey: Key(generation: generation, link: id)) else { return }
        link.close()
        remember(link)
    }

    /// Handles a new route to an address: closes again the connections to it whose end the camera may not know.
    func noteRoute(to address: IPAddress) {
        resendCloses { $0.isWith(address) }
    }

    /// The number of closed connections whose end the camera may not know.
    var undeliveredCount: Int { undeliveredCloses.count }

    private func resendCloses(where isSelected: (UndeliveredCloses.Connection) -> Bool) {
        undeliveredCloses.resend(at: eventLoop.now, where: isSelected)
    }

    private func remember(_ link: CameraLink) {
        if let connection = link.connection { undeliveredCloses.add(connection, at: eventLoop.now) }
    }

    /// Pauses or resumes the reading of connections that carry pictures, also of later ones. During a pause the camera
    /// waits. Bytes that were read before the pause are still reported.
    func hold(_ isHeld: Bool) {
        self.isHeld = isHeld
        for link in links.values { link.hold(isHeld) }
    }

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
                // The camera has accepted a second connection, so no earlier session occupies the camera.
                if !isFirst(key) {
                    undeliveredCloses.forget { $0.isWith(remote) && $0.remote.port == Int(address.port) }
                }
                onOpened(address, remote)
            }
            onEvent(key.generation, .opened(key.link))
        case .received(let bytes): onEvent(key.generation, .received(key.link, bytes))
        case .openFailed(let reason, let cause):
            links[key] = nil
            onEvent(key.generation, .openFailed(key.link, reason: reason, cause: cause))
        case .closed(let reason, let isDelivered):
            if let link = links.removeValue(forKey: key), !isDelivered { remember(link) }
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
        // An IP address needs no resolver. NIO resolves names on another thread.
        if let address = try? SocketAddress(ipAddress: address.host, port: Int(address.port)) {
            return bootstrap.connect(to: address)
        }
        return bootstrap.connect(host: address.host, port: Int(address.port))
    }

    private func tcpBootstrap(_ link: CameraLink, timeout: Duration) -> ClientBootstrap {
        let boundLink = NIOLoopBound(link, eventLoop: eventLoop)
        return ClientBootstrap(group: eventLoop)
            // This limit is longer than `timeout`, so that our own timer expires first and ends the opening.
            .connectTimeout(TimeAmount(timeout) + .seconds(3))
            // The channel reads nothing before the opening is reported.
            .channelOption(.autoRead, value: false)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .limited(by: limits)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(CameraLinkHandler(link: boundLink.value))
                    try boundLink.value.begins(with: channel)
                }
            }
    }
}

extension ClientBootstrap {
    /// Sets the kernel's limits for connections on which nothing arrives.
    func limited(by limits: CameraLinks.Limits) -> ClientBootstrap {
        channelOption(.socketOption(.so_keepalive), value: 1)
            .channelOption(.tcpOption(.init(rawValue: TCP_KEEPIDLE)), value: limits.idleSeconds)
            .channelOption(.tcpOption(.init(rawValue: TCP_KEEPINTVL)), value: limits.intervalSeconds)
            .channelOption(.tcpOption(.init(rawValue: TCP_KEEPCNT)), value: limits.probesMax)
            .channelOption(
                .tcpOption(.init(rawValue: CInt(clinux_tcp_user_timeout))),
                value: Int(limits.userTimeout / .milliseconds(1))
            )
    }
}
