import Foundation
import NIOCore

/// Bytes that initiators and cameras really sent. `Fixtures/vectors.json` names the source of each.
struct Fixture: Decodable {
    struct Packets: Decodable {
        let name: String
        let hex: [String]
    }

    struct Packet: Decodable {
        let name: String
        let hex: String
        let guid: String?
        let initiator: String?
    }

    struct Payload: Decodable {
        let hex: String
    }

    let propertiesOfRX100M7: Payload
    let fromInitiator: [Packets]
    let fromCamera: [Packets]
    let initCommandRequests: [Packet]
    let malformedPackets: [Packet]

    static func load() throws -> Fixture {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let data = try Data(contentsOf: folder.appending(path: "Fixtures/vectors.json"))
        return try JSONDecoder().decode(Fixture.self, from: data)
    }

    /// The packets of the exchange with this name, in their order.
    func fromInitiator(_ name: String) -> [ByteBuffer] {
        fromInitiator.first { $0.name.hasPrefix(name) }?.hex.map { bytes($0) } ?? []
    }

    func fromCamera(_ name: String) -> ByteBuffer {
        fromCamera.first { $0.name.hasPrefix(name) }.map { bytes($0.hex.joined()) } ?? ByteBuffer()
    }
}

/// Reads hexadecimal digits, which may have blanks between them.
func bytes(_ hex: String) -> ByteBuffer {
    let digits = hex.filter { !$0.isWhitespace }
    var buffer = ByteBuffer()
    var rest = digits[...]
    while let byte = UInt8(rest.prefix(2), radix: 16) {
        buffer.writeInteger(byte)
        rest = rest.dropFirst(2)
    }
    return buffer
}

extension ByteBuffer {
    var hex: String { readableBytesView.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
