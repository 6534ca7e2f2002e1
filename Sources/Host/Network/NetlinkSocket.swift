import CLinux
import Glibc
import NIOCore
import NIOPosix

/// A netlink socket on the event loop.
///
/// NIO reads the first datagram of a readable socket. This class then reads all other datagrams, so that related
/// messages are handled together. If messages were lost, one read fails (ENOBUFS), and NIO closes its descriptor. With
/// a duplicate descriptor, this class begins to listen again.
final class NetlinkSocket {
    /// The maximum size of a datagram. A larger one occurs only if a network card has hundreds of virtual cards.
    private static let datagramMax = 65_536
    /// The maximum number of datagrams that are read before other sockets are served.
    private static let burstMax = 256
    /// The maximum number of datagrams discarded before listening begins again. A receive buffer of 4 MiB holds fewer.
    private static let leftoversMax = 8192

    private struct Datagram {
        var bytes: [UInt8]
        /// Whether the datagram was longer than the buffer.
        var isCut: Bool
    }

    private enum State {
        /// The socket does not listen: it has not started, or an error ended the listening.
        case deaf
        case beginning
        case listening(any Channel)
        case closed
    }

    private let descriptor: CInt
    private let eventLoop: any EventLoop
    private var state = State.deaf
    var onMessages: ([NetlinkMessage], NetlinkMessage.Fault?) -> Void = { _, _ in }
    /// Called when no more datagrams can be read.
    var onPause: () -> Void = {}
    /// Called when messages were lost. The owner then calls ``listen()`` from a task of the loop.
    var onLoss: () -> Void = {}
    /// Called when listening fails. The owner then calls ``listen()`` later.
    var onRefusal: () -> Void = {}

    /// - Parameters:
    ///   - family: the netlink family, such as NETLINK_ROUTE.
    ///   - receiveBufferSize: the number of waiting bytes above which the kernel drops messages; nil: the default.
    init(family: CInt, receiveBufferSize: CInt?, on eventLoop: any EventLoop) throws(SystemError) {
        self.eventLoop = eventLoop
        descriptor = try check { clinux_netlink_open(family) }
        // Older kernels, which do not have these options, send more bytes and less explanation.
        setOption(SOL_NETLINK, NETLINK_EXT_ACK, 1)
        setOption(SOL_NETLINK, NETLINK_CAP_ACK, 1)
        if let receiveBufferSize { setOption(SOL_SOCKET, SO_RCVBUF, receiveBufferSize) }
    }

    deinit {
        close()
    }

    var port: UInt32 { clinux_netlink_port(descriptor) }

    /// Joins a multicast group of the kernel. Returns whether the join succeeded.
    @discardableResult
    func join(group: UInt32) -> Bool { setOption(SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, CInt(bitPattern: group)) }

    @discardableResult
    private func setOption(_ level: CInt, _ name: CInt, _ value: CInt) -> Bool {
        var value = value
        return setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<CInt>.size)) == 0
    }

    /// Sends a request. The kernel performs the request before this returns, and the answer can then be read. The
    /// caller must not send slow requests, such as queries to a device.
    func send(_ message: [UInt8]) throws(SystemError) {
        try check { Glibc.send(descriptor, message, message.count, 0) }
    }

    /// Begins to listen, and discards the messages that remained after a loss.
    ///
    /// Must be called from a task of the loop, not from a callback about readable data. NIO still uses this socket's
    /// state during such a callback.
    func listen() {
        if case .closed = state { return }
        for _ in 0..<Self.leftoversMax {
            if case .failure(let error) = receive(), error.code == EAGAIN { break }
        }
        guard case .deaf = state else { return }
        let second = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard let identity = OpenFileIdentity(second) else { return onRefusal() }
        state = .beginning
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        NIOPipeBootstrap(group: eventLoop)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.datagramMax))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard case .beginning = this.value.state else { throw ChannelError.ioOnClosedChannel }
                    try channel.pipeline.syncOperations.addHandler(NetlinkHandler(socket: this.value))
                    this.value.state = .listening(channel)
                }
            }
            .takingOwnershipOfDescriptor(input: second)
            .assumeIsolated()
            .whenFailure { [weak self] _ in
                identity.closeIfLeft(second)
                self?.failedToListen()
            }
    }

    func close() {
        if case .closed = state { return }
        if case .listening(let channel) = state { channel.close(promise: nil) }
        state = .closed
        Glibc.close(descriptor)
    }

    /// Reads a datagram. With MSG_TRUNC the kernel returns the datagram's full length, even if our buffer is shorter
    /// (recv(2)).
    private func receive() -> Result<Datagram, SystemError> {
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.datagramMax) { buffer, count in
            repeat {
                result = recv(descriptor, buffer.baseAddress, buffer.count, CInt(MSG_TRUNC))
            } while result < 0 && errno == EINTR
            count = min(max(0, result), buffer.count)
        }
        return result < 0 ? .failure(.last) : .success(Datagram(bytes: bytes, isCut: result > bytes.count))
    }

    /// Handles a datagram that NIO read.
    fileprivate func received(_ first: [UInt8]) {
        // NIO does not report whether the datagram was longer than the buffer.
        report(Datagram(bytes: first, isCut: first.count == Self.datagramMax))
        for _ in 1..<Self.burstMax {
            if case .closed = state { return }
            switch receive() {
            case .success(let datagram): report(datagram)
            case .failure(let error):
                if error.code != EAGAIN { onLoss() }
                return onPause()
            }
        }
        onPause()
    }

    private func report(_ datagram: Datagram) {
        let (messages, fault) = NetlinkMessage.split(datagram.bytes[...])
        let cut = "a message is longer than \(Self.datagramMax) bytes"
        onMessages(messages, fault ?? (datagram.isCut ? NetlinkMessage.Fault(description: cut) : nil))
    }

    private func failedToListen() {
        if case .closed = state { return }
        state = .deaf
        onRefusal()
    }

    fileprivate func stoppedListening() {
        if case .closed = state { return }
        state = .deaf
        onLoss()
    }
}

private final class NetlinkHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private weak var socket: NetlinkSocket?

    init(socket: NetlinkSocket) {
        self.socket = socket
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        socket?.received(Array(unwrapInboundIn(data).readableBytesView))
    }

    func channelInactive(context: ChannelHandlerContext) {
        socket?.stoppedListening()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // NIO closes the channel after a read error. The owner then receives `onLoss`.
        context.close(promise: nil)
    }
}
