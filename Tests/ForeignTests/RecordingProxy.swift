import NIOCore
import NIOPosix

/// A proxy between an initiator and a camera that records both directions.
final class RecordingProxy {
    /// One recorded PTP/IP packet.
    struct Packet {
        /// The number of the connection, in the order in which they were opened. The command connection is 0.
        var connection: Int
        var isFromInitiator: Bool
        var bytes: [UInt8]

        var type: UInt32 { bytes.integer(at: 4) }
    }

    let port: UInt16
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let record: Record

    /// Listens on a free port and connects all clients to the camera at `cameraPort`.
    init(to cameraPort: UInt16) throws {
        let record = Record()
        self.record = record
        let group = group
        let listener = try ServerBootstrap(group: group)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { initiator in
                let connection = record.connect()
                return ClientBootstrap(group: initiator.eventLoop)
                    .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                    .channelOption(.autoRead, value: false)
                    .connect(host: "127.0.0.1", port: Int(cameraPort))
                    .flatMapThrowing { camera in
                        for (from, to, isFromInitiator) in [(initiator, camera, true), (camera, initiator, false)] {
                            let relay = Relay(to: to) { record.append($0, connection, isFromInitiator) }
                            try from.pipeline.syncOperations.addHandler(relay)
                        }
                        for each in [initiator, camera] { _ = each.setOption(.autoRead, value: true) }
                    }
            }
            .bind(host: "127.0.0.1", port: 0).wait()
        port = UInt16(listener.localAddress?.port ?? 0)
    }

    deinit { try? group.syncShutdownGracefully() }

    /// The packets in the order in which they were complete, and the number of remaining bytes.
    func packets() throws -> (packets: [Packet], bytesLeft: Int) {
        let record = record
        return try group.next().submit { (record.packets, record.bytesLeft) }.wait()
    }
}

/// The recorded bytes. Only the loop of the proxy uses them.
private final class Record: @unchecked Sendable {
    private(set) var packets: [RecordingProxy.Packet] = []
    private var rest: [[UInt8]] = []

    var bytesLeft: Int { rest.map(\.count).reduce(0, +) }

    func connect() -> Int {
        rest += [[], []]
        return rest.count / 2 - 1
    }

    /// Splits the bytes by the length in front of each packet. It does not use our own decoder.
    func append(_ buffer: ByteBuffer, _ connection: Int, _ isFromInitiator: Bool) {
        let stream = connection * 2 + (isFromInitiator ? 0 : 1)
        rest[stream] += buffer.readableBytesView
        while rest[stream].count >= 8 {
            let length = Int(rest[stream].integer(at: 0) as UInt32)
            guard length >= 8, rest[stream].count >= length else { return }
            let bytes = Array(rest[stream].prefix(length))
            rest[stream].removeFirst(length)
            packets.append(.init(connection: connection, isFromInitiator: isFromInitiator, bytes: bytes))
        }
    }
}

/// Forwards bytes and the end of a connection.
private final class Relay: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let other: any Channel
    private let note: (ByteBuffer) -> Void

    init(to other: any Channel, note: @escaping (ByteBuffer) -> Void) {
        self.other = other
        self.note = note
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        note(buffer)
        other.writeAndFlush(buffer, promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        other.close(promise: nil)
        context.fireChannelInactive()
    }
}

extension [UInt8] {
    /// The little-endian number at the offset; 0 if the bytes end before.
    func integer<T: FixedWidthInteger>(at offset: Int) -> T {
        guard offset + T.bitWidth / 8 <= count else { return 0 }
        return (0..<T.bitWidth / 8).reversed().reduce(0) { $0 << 8 | T(self[offset + $1]) }
    }
}
