import NIOCore

/// An IPv4 or IPv6 address.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// The 4 or 16 bytes of the address, the most significant byte first.
    package let bytes: [UInt8]

    /// - Precondition: `bytes` has 4 or 16 elements. A caller checks the number of external bytes first.
    package init(bytes: [UInt8]) {
        precondition(bytes.count == 4 || bytes.count == 16, "an address has 4 or 16 bytes")
        self.bytes = bytes
    }

    /// Parses `192.168.122.1` or `fe80::1`; nil: the text is not an IP address. A zone (`%wlan0`) is ignored.
    package init?(_ text: String) {
        let bare = text.prefix { $0 != "%" }
        guard let address = try? SocketAddress(ipAddress: String(bare), port: 0) else { return nil }
        // The offset of the address in sockaddr_in and in sockaddr_in6 (ip(7), ipv6(7)).
        let (offset, count) = address.protocol == .inet ? (4, 4) : (8, 16)
        self.init(
            bytes: address.withSockAddr { pointer, size in
                Array(UnsafeRawBufferPointer(start: pointer, count: size)[offset..<offset + count])
            }
        )
    }

    /// The address in the usual notation.
    package var description: String {
        let address = try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes), port: 0)
        return address?.ipAddress ?? ""
    }

    package var isIPv4: Bool { bytes.count == 4 }

    /// Whether the address is ::1 or in 127.0.0.0/8.
    package var isLoopback: Bool {
        isIPv4 ? bytes[0] == 127 : bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
    }

    /// Whether the address is in fe80::/10 or 169.254.0.0/16. An interface assigns itself such an address.
    package var isLinkLocal: Bool {
        isIPv4 ? bytes.starts(with: [169, 254]) : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }

    /// Whether both addresses begin with the same `count` bits.
    package func sharesBits(_ count: Int, with other: IPAddress) -> Bool {
        guard bytes.count == other.bytes.count, count <= bytes.count * 8 else { return false }
        return (0..<count).allSatisfy { bit in
            let mask = UInt8(0x80) >> UInt8(bit % 8)
            return (bytes[bit / 8] ^ other.bytes[bit / 8]) & mask == 0
        }
    }
}

extension IPAddress: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let bytes = try container.decode(ByteBuffer.self)
        guard [4, 16].contains(bytes.readableBytes) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "an address has 4 or 16 bytes")
        }
        self.init(bytes: Array(bytes.readableBytesView))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ByteBuffer(bytes: bytes))
    }
}
