import Bodies
import Cameras
import NIOCore
import NIOPosix

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Serves SSDP on one interface. Answers searches and announces the camera.
final class AnnouncementServer {
    /// Makes the messages; nil before the first start.
    var announcer: SSDPAnnouncer?

    private let eventLoop: any EventLoop
    private let note: (String) -> Void
    /// The socket that receives only datagrams to the multicast group.
    private var listener: (any Channel)?
    /// The socket that sends all datagrams. It has the camera's address and a port of its own.
    private var speaker: (any Channel)?
    /// The number of times that the server has stopped. Messages that were planned before the latest stop are not sent.
    private var era = 0
    private var planned = 0

    /// The maximum number of planned messages.
    private static let plannedMax = 64
    /// Every announcement is sent three times, because datagrams get lost (UPnP Device Architecture 1.1, 1.2.2).
    private static let announcementCount = 3
    private static let announcementGap = Duration.milliseconds(200)
    private static let group = "239.255.255.250"
    private static let port = 1900

    init(on eventLoop: any EventLoop, note: @escaping (String) -> Void) {
        self.eventLoop = eventLoop
        self.note = note
    }

    // MARK: Beginning and end

    /// Joins the group and announces the camera.
    func start(_ ear: SSDPEndpoint) -> EventLoopFuture<Void> {
        let group: SocketAddress
        let own: SocketAddress
        do {
            group = try SocketAddress(ipAddress: Self.group, port: Self.port)
            own = try SocketAddress(ipAddress: "\(ear.address)", port: 0)
        } catch {
            return eventLoop.makeFailedFuture(error)
        }
        let interface = Membership(group: inet_addr(Self.group), interface: CInt(ear.interface))
        return open(own) { channel in Self.set(IP_MULTICAST_IF, to: interface, of: channel) }.assumeIsolated()
            .flatMap { speaker in
                self.speaker = speaker
                return self.open(group) { channel in
                    // Without this option the socket receives datagrams to groups that other programs joined, on any
                    // interface (ip(7), IP_MULTICAST_ALL).
                    Self.set(IP_MULTICAST_ALL, to: 0 as CInt, of: channel)
                        .flatMap { Self.set(IP_ADD_MEMBERSHIP, to: interface, of: channel) }
                }
            }
            .map { listener in
                self.listener = listener
                self.announce()
            }
            .flatMapErrorThrowing { error in
                self.stop(isOrderly: false)
                throw StartFailure(.announce(interface: ear.name), error)
            }
            .nonisolated()
    }

    /// Stops the server. `isOrderly`: whether to send byebye first.
    func stop(isOrderly: Bool) {
        if isOrderly { announcer?.announcement.byebye.forEach(sendToAll) }
        for channel in [listener, speaker] { channel?.close(promise: nil) }
        listener = nil
        speaker = nil
        era += 1
        planned = 0
    }

    private func open(
        _ address: SocketAddress,
        _ prepare: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) -> EventLoopFuture<any Channel> {
        let server = NIOLoopBound(self, eventLoop: eventLoop)
        return DatagramBootstrap(group: eventLoop)
            // All programs of a machine that use SSDP share the port. Each receives a copy of a datagram (socket(7)).
            .channelOption(.socketOption(.so_reuseaddr), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AnnouncementHandler(server.value))
                }
            }
            .bind(to: address)
            .flatMap { channel in
                prepare(channel).flatMapError { error in
                    channel.close(promise: nil)
                    return channel.eventLoop.makeFailedFuture(error)
                }
                .map { channel }
            }
    }

    private static func set<Value: Sendable>(
        _ option: CInt,
        to value: Value,
        of channel: any Channel
    ) -> EventLoopFuture<Void> {
        guard let socket = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeFailedFuture(StartFailure(StartSentences.noSocketOptions))
        }
        return socket.unsafeSetSocketOption(level: SocketOptionLevel(IPPROTO_IP), name: option, value: value)
    }

    /// `struct ip_mreqn` of ip(7), declared again here because several C modules define it.
    private struct Membership: Sendable {
        /// The address of the group in network byte order.
        let group: UInt32
        let address: UInt32 = 0
        let interface: CInt
    }

    // MARK: Sending

    private func announce() {
        for number in 0..<Self.announcementCount {
            plan(after: Self.announcementGap * number) { server in
                server.announcer?.announcement.alive.forEach(server.sendToAll)
            }
        }
    }

    private func plan(after delay: Duration, _ task: @escaping (AnnouncementServer) -> Void) {
        guard planned < Self.plannedMax else { return note(LogSentences.searchNotAnswered) }
        planned += 1
        let era = era
        eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) {
            guard era == self.era else { return }
            self.planned -= 1
            task(self)
        }
    }

    private func sendToAll(_ text: String) {
        guard let group = try? SocketAddress(ipAddress: Self.group, port: Self.port) else { return }
        send(text, to: group)
    }

    private func send(_ text: String, to address: SocketAddress) {
        speaker?.writeAndFlush(AddressedEnvelope(remoteAddress: address, data: ByteBuffer(string: text)))
            .assumeIsolated().whenFailure { self.note(LogSentences.notSent(to: address, $0)) }
    }

    // MARK: Receiving

    fileprivate func received(_ bytes: ByteBuffer, from sender: SocketAddress) {
        switch announcer?.receive(bytes.readableBytesView) {
        case .ignored, nil: break
        case .withheld(let reason): note(reason)
        case .answers(let texts, let delay):
            note(LogSentences.answered(sender.ipAddress, after: delay))
            plan(after: delay) { server in for text in texts { server.send(text, to: sender) } }
        }
    }
}

extension AnnouncementServer {
    /// The interface and address of SSDP.
    struct SSDPEndpoint {
        /// The address at which other machines reach the camera.
        let address: IPAddress
        /// The index of the interface.
        let interface: Int
        let name: String

        /// - Parameters:
        ///   - host: The address on which the camera listens. For 0.0.0.0, which is any address, the camera announces
        ///     the first address of the interface.
        ///   - interface: The name; nil: the interface with the address. If an interface has the address, no other one
        ///     is accepted, because a camera is not on two networks at once.
        init(at host: String, interface: String?) throws(StartFailure) {
            guard let address = IPAddress(host), address.isIPv4 else {
                throw StartFailure(StartSentences.notIPv4(host))
            }
            let isAny = address.bytes == [0, 0, 0, 0]
            guard let devices = try? System.enumerateDevices() else {
                throw StartFailure(StartSentences.interfacesUnreadable(host))
            }
            let places = devices.compactMap(Place.init)
            // All addresses of 127.0.0.0/8 are on the loopback interface, but the system lists only the first.
            let owners = places.filter { place in
                place.address == address || place.address.isLoopback && address.isLoopback
            }
            let place: Place
            if let interface {
                place = try Self.place(on: interface, host, places, owners)
            } else {
                place = try Self.owner(of: host, isAny: isAny, owners)
            }
            self.address = isAny ? place.address : address
            self.interface = place.interface
            name = place.name
        }

        /// The interface with the given name.
        private static func place(
            on interface: String,
            _ host: String,
            _ places: [Place],
            _ owners: [Place]
        ) throws(StartFailure) -> Place {
            guard let named = places.first(where: { $0.name == interface }) else {
                throw StartFailure(StartSentences.noInterface(host, named: interface))
            }
            // Compares indexes, because a label such as eth0:1 is another name of the same interface.
            if let owner = owners.first, !owners.contains(where: { $0.interface == named.interface }) {
                throw StartFailure(StartSentences.otherInterface(host, on: interface, owner: owner.name))
            }
            return named
        }

        /// The interface with the address.
        private static func owner(of host: String, isAny: Bool, _ owners: [Place]) throws(StartFailure) -> Place {
            if isAny { throw StartFailure(StartSentences.everyAddress(host)) }
            guard let owner = owners.first else { throw StartFailure(StartSentences.noOwner(host)) }
            return owner
        }

        /// An IPv4 address of an interface.
        private struct Place {
            let address: IPAddress
            let interface: Int
            let name: String

            init?(_ device: NIONetworkDevice) {
                guard let address = device.address?.ipAddress.flatMap({ IPAddress($0) }), address.isIPv4 else {
                    return nil
                }
                self.address = address
                interface = device.interfaceIndex
                name = device.name
            }
        }
    }
}

private final class AnnouncementHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let server: AnnouncementServer

    init(_ server: AnnouncementServer) {
        self.server = server
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        server.received(envelope.data, from: envelope.remoteAddress)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The kernel reports an undeliverable datagram on the next call (udp(7)). The socket still works.
    }
}
