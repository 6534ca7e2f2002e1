import CLinux
import Cameras
import Glibc
import NIOCore
import NIOPosix

/// One connection: being opened, open, or over.
final class CameraLink {
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
final class CameraLinkHandler: ChannelInboundHandler {
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
