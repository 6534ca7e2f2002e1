import Cameras
import Controller
import Glibc
import NIOCore
import NIOPosix

/// The sockets for SSDP, two on each interface.
final class DiscoverySockets {
    /// The maximum number of interfaces that are used. A note reports that the machine has more.
    static let interfacesMax = 16
    /// The maximum number of datagrams in one search; the core sends two.
    private static let queriesMax = 8

    private let eventLoop: any EventLoop
    private let port: UInt16
    private let onDatagram: (SSDPDatagram) -> Void
    private let onNote: (String) -> Void
    /// The sockets of each interface, by interface index.
    private var interfaces: [UInt32: InterfaceSockets] = [:]
    private var hasReportedCrowd = false

    init(
        eventLoop: any EventLoop,
        port: UInt16 = SSDPMessage.port,
        onDatagram: @escaping (SSDPDatagram) -> Void,
        onNote: @escaping (String) -> Void
    ) {
        self.eventLoop = eventLoop
        self.port = port
        self.onDatagram = onDatagram
        self.onNote = onNote
    }

    /// Listens on exactly these interfaces. Tries again to open sockets that could not be opened earlier.
    func listen(on indexes: [UInt32], rejoins: [UInt32]) {
        for (index, sockets) in interfaces where !indexes.contains(index) {
            sockets.close()
            interfaces[index] = nil
        }
        for index in indexes {
            if interfaces[index] == nil, !add(index) { continue }
            interfaces[index]?.open()
            if rejoins.contains(index) { interfaces[index]?.rejoin() }
        }
    }

    func ask(_ datagrams: [ByteBuffer]) {
        precondition(datagrams.count <= Self.queriesMax, "a search has a few datagrams")
        for index in interfaces.keys.sorted() { interfaces[index]?.ask(datagrams) }
    }

    func close() {
        for sockets in interfaces.values { sockets.close() }
        interfaces.removeAll()
    }

    private func add(_ index: UInt32) -> Bool {
        guard interfaces.count < Self.interfacesMax else {
            if !hasReportedCrowd { onNote(NetworkHostSentences.interfacesIgnored(max: Self.interfacesMax)) }
            hasReportedCrowd = true
            return false
        }
        interfaces[index] = InterfaceSockets(index: index, port: port, on: eventLoop) { [weak self] arrival in
            self?.take(arrival, by: index)
        } onNote: { [weak self] in
            self?.onNote($0)
        }
        return true
    }

    private func take(_ arrival: DatagramArrival, by index: UInt32) {
        guard let from = IPAddress(arrival.from), arrival.bytes.readableBytes <= SSDPDatagram.byteCountMax else {
            return
        }
        // The kernel delivers this machine's own datagrams on the loopback, even if another interface sent them.
        let interface = arrival.interface == GroupSocket.loopback ? index : arrival.interface ?? index
        // Ignores a datagram from an unused interface. The socket of another interface can receive such a datagram.
        guard let sockets = interfaces[interface], sockets.admits(from: from, at: .now()) else { return }
        onDatagram(SSDPDatagram(from: from, interface: interface, bytes: arrival.bytes))
    }
}

private struct DatagramArrival {
    var from: SocketAddress
    /// The interface on which the datagram arrived; nil when the kernel does not report it.
    var interface: UInt32?
    var bytes: ByteBuffer
}

extension IPAddress {
    fileprivate init?(_ address: SocketAddress) {
        guard let text = address.ipAddress else { return nil }
        self.init(text)
    }
}

// MARK: - One interface

/// The two sockets of an interface: one receives the group's datagrams, the other sends searches.
private final class InterfaceSockets {
    /// The remarks about an interface. Each remark is made once until its cause ends.
    private enum Remark {
        case cannotListen, cannotAsk, cannotSend, flooded
    }

    private let index: UInt32
    private let name: String
    private let port: UInt16
    private let eventLoop: any EventLoop
    private let onArrival: (DatagramArrival) -> Void
    private let onNote: (String) -> Void
    private var listening: Wire?
    private var asking: Wire?
    private var gate = RateLimiter()
    private var said: Set<Remark> = []

    init(
        index: UInt32,
        port: UInt16,
        on eventLoop: any EventLoop,
        onArrival: @escaping (DatagramArrival) -> Void,
        onNote: @escaping (String) -> Void
    ) {
        self.index = index
        self.port = port
        self.eventLoop = eventLoop
        self.onArrival = onArrival
        self.onNote = onNote
        name = Self.name(of: index)
    }

    func open() {
        openListener()
        openAsking()
    }

    func rejoin() {
        guard let listening else { return }
        do {
            try listening.socket.rejoin()
            said.remove(.cannotListen)
        } catch {
            // The next search opens a new socket.
            listening.close()
            self.listening = nil
            reportCannotListen(error)
        }
    }

    func ask(_ datagrams: [ByteBuffer]) {
        openAsking()
        guard let asking else { return }
        do {
            for datagram in datagrams { try asking.socket.send(datagram, port: port) }
            said.remove(.cannotSend)
        } catch  where error.code == EAGAIN {
            // The next search sends the datagrams again.
        } catch {
            report(.cannotSend, NetworkHostSentences.searchNotSent(on: name, error))
        }
    }

    func admits(from sender: IPAddress, at now: NIODeadline) -> Bool {
        if gate.isFloodOver(at: now) { said.remove(.flooded) }
        guard gate.admit(sender, at: now) == .dropped else { return true }
        report(
            .flooded,
            NetworkHostSentences.flooded(
                name,
                countMax: RateLimiter.countMax,
                senderCountMax: RateLimiter.senderCountMax
            )
        )
        return false
    }

    func close() {
        listening?.close()
        asking?.close()
        listening = nil
        asking = nil
    }

    private func openListener() {
        guard listening.map(\.isClosed) ?? true else { return }
        listening = nil
        do {
            listening = try Wire(try .listening(port: port, on: index), on: eventLoop, onArrival: onArrival)
            said.remove(.cannotListen)
        } catch {
            reportCannotListen(error)
        }
    }

    private func openAsking() {
        guard asking.map(\.isClosed) ?? true else { return }
        asking = nil
        do {
            asking = try Wire(try .asking(on: index), on: eventLoop, onArrival: onArrival)
            said.remove(.cannotAsk)
        } catch {
            report(.cannotAsk, NetworkHostSentences.noSearch(on: name, error))
        }
    }

    private func reportCannotListen(_ error: SystemError) {
        let sentence =
            error.code == EADDRINUSE
            ? NetworkHostSentences.noAnnouncements(on: name, portTaken: port)
            : NetworkHostSentences.noAnnouncements(on: name, error)
        report(.cannotListen, sentence)
    }

    private func report(_ remark: Remark, _ sentence: String) {
        if said.insert(remark).inserted { onNote(sentence) }
    }

    private static func name(of index: UInt32) -> String {
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard if_indextoname(index, &name) != nil else { return NetworkHostSentences.interface(index) }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

private final class Wire {
    /// Datagrams are sent with this socket's descriptor, because a failure to send must not close the channel.
    let socket: GroupSocket
    private let channel: EventLoopFuture<any Channel>
    private let handler: ArrivalHandler

    init(
        _ socket: GroupSocket,
        on eventLoop: any EventLoop,
        onArrival: @escaping (DatagramArrival) -> Void
    ) throws(SystemError) {
        self.socket = socket
        let handler = ArrivalHandler(onArrival: onArrival)
        self.handler = handler
        let bound = NIOLoopBound(handler, eventLoop: eventLoop)
        let second = try socket.duplicate()
        let identity = OpenFileIdentity(second)
        channel = DatagramBootstrap(group: eventLoop)
            .channelOption(.receivePacketInfo, value: true)
            // The buffer is one byte longer than a valid message, so that longer messages are detected.
            .channelOption(
                .recvAllocator,
                value: FixedSizeRecvByteBufferAllocator(capacity: SSDPDatagram.byteCountMax + 1)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(bound.value)
                }
            }
            .withBoundSocket(second)
        channel.assumeIsolated().whenFailure { _ in
            identity?.closeIfLeft(second)
            handler.isClosed = true
        }
    }

    /// Whether the loop closed the channel after an error.
    var isClosed: Bool { handler.isClosed }

    /// Closes the socket. Nothing is reported afterwards.
    func close() {
        handler.onArrival = nil
        channel.whenSuccess { $0.close(promise: nil) }
    }
}

private final class ArrivalHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    /// Receives the datagrams; nil after closing.
    var onArrival: ((DatagramArrival) -> Void)?
    var isClosed = false

    init(onArrival: @escaping (DatagramArrival) -> Void) {
        self.onArrival = onArrival
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        let interface = envelope.metadata?.packetInfo.flatMap { UInt32(exactly: $0.interfaceIndex) }
        onArrival?(DatagramArrival(from: envelope.remoteAddress, interface: interface, bytes: envelope.data))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // After a fatal error the channel closes itself, so nothing needs to be done here.
    }

    func channelInactive(context: ChannelHandlerContext) {
        isClosed = true
    }
}
