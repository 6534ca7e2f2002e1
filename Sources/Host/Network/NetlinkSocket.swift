import CLinux
import Glibc
import NIOCore
import NIOPosix

/// A netlink socket on the loop.
///
/// NIO tells when there is something to read and takes the first datagram, as it does with every descriptor it has.
/// The rest is read here until there is no more, so that what the kernel said in one go is handled in one go. When the
/// kernel had to throw messages away, reading fails once (ENOBUFS) and NIO lets its descriptor go; ours is another
/// name of the same socket, by which we begin to listen again.
final class NetlinkSocket {
    /// More than the kernel puts into one datagram, unless a network card has hundreds of virtual ones.
    private static let datagramMax = 65_536
    /// Datagrams read before other sockets have their turn.
    private static let burstMax = 256
    /// Datagrams thrown away before listening begins again: more than a receive buffer of 4 MiB holds.
    private static let leftoversMax = 8192

    private struct Datagram {
        var bytes: [UInt8]
        /// It was longer.
        var isCut: Bool
    }

    private enum State {
        /// Not listening: not begun yet, or an error ended it.
        case deaf
        case beginning
        case listening(any Channel)
        case closed
    }

    private let descriptor: CInt
    private let eventLoop: any EventLoop
    private var state = State.deaf
    /// Called with what a datagram holds.
    var onMessages: ([NetlinkMessage], NetlinkMessage.Fault?) -> Void = { _, _ in }
    /// Called when no more can be read for now.
    var onPause: () -> Void = {}
    /// Called when messages were lost: ``listen()`` is to be called, from a task of the loop.
    var onLoss: () -> Void = {}
    /// Called when it cannot be listened: ``listen()`` is to be called later.
    var onRefusal: () -> Void = {}

    /// - Parameters:
    ///   - family: NETLINK_ROUTE, NETLINK_GENERIC.
    ///   - receiveBufferSize: bytes that wait to be read before the kernel throws messages away; nil: the system's.
    init(family: CInt, receiveBufferSize: CInt?, on eventLoop: any EventLoop) throws(SystemError) {
        self.eventLoop = eventLoop
        descriptor = try check { clinux_netlink_open(family) }
        // A kernel that does not know of these says the same in more bytes and fewer words.
        setOption(SOL_NETLINK, NETLINK_EXT_ACK, 1)
        setOption(SOL_NETLINK, NETLINK_CAP_ACK, 1)
        if let receiveBufferSize { setOption(SOL_SOCKET, SO_RCVBUF, receiveBufferSize) }
    }

    deinit {
        close()
    }

    var port: UInt32 { clinux_netlink_port(descriptor) }

    /// Listens to what the kernel tells everybody of a subject. Returns whether it can.
    @discardableResult
    func join(group: UInt32) -> Bool { setOption(SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, CInt(bitPattern: group)) }

    @discardableResult
    private func setOption(_ level: CInt, _ name: CInt, _ value: CInt) -> Bool {
        var value = value
        return setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<CInt>.size)) == 0
    }

    /// The kernel does as it is asked before this returns; its answer can be read then. So nothing is to be asked for
    /// that takes it long, as what it would have to ask a device for.
    func send(_ message: [UInt8]) throws(SystemError) {
        try check { Glibc.send(descriptor, message, message.count, 0) }
    }

    /// Begins to listen, and throws away what waits to be read since messages were lost.
    ///
    /// To be called from a task of the loop, never while it tells of what became readable: what it is about to tell of
    /// this socket must still hold.
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

    /// A datagram. With MSG_TRUNC the kernel tells how long it was, also where that is more than we take (recv(2)).
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

    /// NIO read a datagram.
    fileprivate func received(_ first: [UInt8]) {
        // NIO does not say whether there was more.
        tell(Datagram(bytes: first, isCut: first.count == Self.datagramMax))
        for _ in 1..<Self.burstMax {
            if case .closed = state { return }
            switch receive() {
            case .success(let datagram): tell(datagram)
            case .failure(let error):
                if error.code != EAGAIN { onLoss() }
                return onPause()
            }
        }
        onPause()
    }

    private func tell(_ datagram: Datagram) {
        let (messages, fault) = NetlinkMessage.split(datagram.bytes[...])
        let cut = "more came at once than \(Self.datagramMax) bytes"
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

/// Hands on what NIO reads.
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
        // NIO closes the channel after an error of reading; that is when we act.
        context.close(promise: nil)
    }
}
