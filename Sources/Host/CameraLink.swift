import CLinux
import Cameras
import Glibc
import NIOCore
import NIOPosix

final class CameraLink {
    enum Event {
        case opened(remote: IPAddress?)
        case openFailed(reason: String, cause: OpenFailure)
        case received(ByteBuffer)
        /// `isDelivered`: whether the camera knows that the connection ended.
        case closed(reason: String?, isDelivered: Bool)
    }

    private enum State {
        /// All channels that are being opened. A host name can have several addresses, and each address gets a channel.
        case opening([any Channel])
        case open(any Channel)
        case over
    }

    private var state = State.opening([])
    private var isHeld: Bool
    private let target: LinkTarget
    private let report: (Event) -> Void
    var deadline: Scheduled<Void>?
    /// The addresses of both ends; nil if the connection was never open.
    private(set) var connection: UndeliveredCloses.Connection?

    init(to target: LinkTarget, isHeld: Bool, report: @escaping (Event) -> Void) {
        self.target = target
        self.isHeld = isHeld && target.carriesPictures
        self.report = report
    }

    /// Registers a channel that begins to connect.
    ///
    /// - Throws: `ChannelError.ioOnClosedChannel` when the opening was cancelled.
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
                connection = UndeliveredCloses.Connection(asked: target.address, local: local, remote: remote)
            }
            report(.opened(remote: channel.remoteAddress?.ipAddress.flatMap { IPAddress($0) }))
            if !isHeld { read(channel, true) }
        case .over: channel.close(promise: nil)
        case .open: preconditionFailure("a connection opens once")
        }
    }

    /// Whether the kernel has connected a channel, even if the loop has not handled that event yet.
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

    func closed(_ reason: String?, isDelivered: Bool) {
        guard case .open = state else { return }
        state = .over
        report(.closed(reason: reason, isDelivered: isDelivered))
    }

    func send(_ bytes: ByteBuffer) {
        guard case .open(let channel) = state else { return }
        let unsent = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        guard unsent + bytes.readableBytes <= CameraLinks.unsentBytesMax else {
            closed(NetworkHostSentences.bytesNotAccepted(unsent), isDelivered: false)
            return Self.end(channel)
        }
        channel.writeAndFlush(bytes, promise: nil)
    }

    func close() {
        deadline?.cancel()
        let last = state
        // The state changes first, because a channel can report its end while it closes.
        state = .over
        switch last {
        case .opening(let channels): for channel in channels { channel.close(promise: nil) }
        case .open(let channel): Self.end(channel)
        case .over: break
        }
    }

    /// Closes a connection normally, or resets it when the camera has not acknowledged all sent bytes.
    ///
    /// close(2) alone does not discard unsent bytes. The kernel would send those bytes when the network returns. The
    /// camera would then release the shutter for a command that is no longer valid.
    private static func end(_ channel: any Channel) {
        if hasUntakenBytes(channel), let options = channel as? any SocketOptionProvider {
            _ = options.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        } else {
            // The kernel repeats an unacknowledged end only during this time. Later repetitions would come too late.
            let time = Int(UndeliveredCloses.ownTime / .milliseconds(1))
            try? channel.syncOptions?.setOption(.tcpOption(.init(rawValue: CInt(clinux_tcp_user_timeout))), value: time)
        }
        channel.close(promise: nil)
    }

    private static func hasUntakenBytes(_ channel: any Channel) -> Bool {
        guard let unsent = try? channel.syncOptions?.getOption(.bufferedWritableBytes), unsent == 0 else { return true }
        var hasUntaken = true
        let info: EventLoopFuture<clinux_tcp_info>? = (channel as? any SocketOptionProvider)?
            .unsafeGetSocketOption(level: .tcp, name: .init(rawValue: TCP_INFO))
        // This function runs on the loop, so the future is complete at once.
        info?.assumeIsolated().whenSuccess { hasUntaken = $0.unacked > 0 || $0.notsent > 0 }
        return hasUntaken
    }
}

/// Forwards the bytes and the end of a channel to its link.
final class CameraLinkHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let link: CameraLink
    /// Why the channel is about to close; nil when no error occurred.
    private var reason: String?
    /// Whether the camera or its kernel ended the connection, and thus knows of the end.
    private var isDelivered = true

    init(link: CameraLink) {
        self.link = link
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        link.received(unwrapInboundIn(data))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        reason = LinkFailure.reason(of: error)
        isDelivered = [ECONNRESET, EPIPE].contains((error as? IOError)?.errnoCode)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        link.closed(reason, isDelivered: isDelivered)
    }
}
