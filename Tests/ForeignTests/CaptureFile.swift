import Foundation

/// A libpcap file with exactly one PTP/IP packet in each TCP segment. Wireshark's dissector shows only the first packet
/// of a segment, and misreads a packet that is split. Real and simulated bodies send the header and the body of a
/// packet separately.
struct CaptureFile {
    private var bytes: [UInt8] = []
    /// The sequence numbers of each connection, one for each direction.
    private var sequence: [[Bool: UInt32]] = []
    private var count: UInt32 = 0

    /// The link type LINKTYPE_RAW, in which packets begin with their IPv4 header.
    private static let rawIP: UInt32 = 101
    private static let lengthMax: UInt32 = 262_144
    private static let cameraPort: UInt16 = 15740
    private static let loopback: UInt32 = 0x7F00_0001

    init() {
        little(UInt32(0xA1B2_C3D4))
        little(UInt16(2))
        little(UInt16(4))
        little(UInt32(0))
        little(UInt32(0))
        little(Self.lengthMax)
        little(Self.rawIP)
    }

    mutating func append(_ packet: RecordingProxy.Packet) {
        while sequence.count <= packet.connection { sequence.append([true: 1, false: 1]) }
        let frame = frame(around: packet)
        sequence[packet.connection][packet.isFromInitiator, default: 1] &+= UInt32(packet.bytes.count)
        little(count)
        little(UInt32(0))
        little(UInt32(frame.count))
        little(UInt32(frame.count))
        bytes += frame
        count += 1
    }

    func write(to url: URL) throws { try Data(bytes).write(to: url) }

    private func frame(around packet: RecordingProxy.Packet) -> [UInt8] {
        let initiatorPort = 50_000 + UInt16(packet.connection)
        let ports = packet.isFromInitiator ? (initiatorPort, Self.cameraPort) : (Self.cameraPort, initiatorPort)
        let sequence = sequence[packet.connection]
        var frame: [UInt8] = []
        func big(_ number: some FixedWidthInteger) { withUnsafeBytes(of: number.bigEndian) { frame += $0 } }
        // The length can exceed 64 KiB. In this case a network card with segmentation offload reports 0.
        let length = 40 + packet.bytes.count
        frame += [0x45, 0]
        big(UInt16(exactly: length) ?? 0)
        frame += [0, 1, 0, 0, 64, 6, 0, 0]
        big(Self.loopback)
        big(Self.loopback)
        big(ports.0)
        big(ports.1)
        big(sequence[packet.isFromInitiator] ?? 1)
        big(sequence[!packet.isFromInitiator] ?? 1)
        // The fields are five words of header, PSH and ACK, and the window. tshark does not check the checksums.
        frame += [0x50, 0x18, 0xFF, 0xFF, 0, 0, 0, 0]
        return frame + packet.bytes
    }

    private mutating func little(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
}
