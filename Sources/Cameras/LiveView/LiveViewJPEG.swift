import NIOCore
import PTP

/// Why bytes of a live view contain no valid frame.
package enum LiveViewError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A field of the body's header is missing or false.
    case header(DatasetError)
    /// No JPEG begins where the header says.
    case noJPEG
    /// A part of the JPEG declares more bytes than there are, or fewer than its own size field.
    case partLength(Int, left: Int)
    /// Bytes between two parts of the JPEG belong to none of them.
    case strayByte(UInt8)
    /// The JPEG declares no size, or an empty one.
    case noSize
    /// The end marker is missing.
    case cut
    /// A frame has more bytes than any body sends.
    case tooLong(Int)

    package var description: String {
        switch self {
        case .header(let error): "\(error)"
        case .noJPEG: "no JPEG begins"
        case .partLength(let length, let left): "a part of \(length) bytes, \(left) are left"
        case .strayByte(let byte): "\(byte) in place of a marker"
        case .noSize: "the JPEG has no size"
        case .cut: "the JPEG has no end"
        case .tooLong(let count): "\(count) bytes"
        }
    }
}

/// A JPEG without the bytes that a body sends after it. Bodies round up the size, and send bytes without meaning
/// there (captures of an RX100 VII). The end is found by the JPEG's own parts (ITU-T T.81, B.1 and B.2).
package struct LiveViewJPEG: Hashable, Sendable {
    package let bytes: ByteBuffer
    package let width: Int
    package let height: Int

    /// - Parameter buffer: begins with the JPEG.
    package init(parsing buffer: ByteBuffer) throws(LiveViewError) {
        guard buffer.readableBytes <= LiveViewLimits.byteCountMax else { throw .tooLong(buffer.readableBytes) }
        var parts = JPEGParts(buffer.readableBytesView)
        try parts.read()
        guard let size = parts.size, size.width > 0, size.height > 0 else { throw .noSize }
        guard parts.offset <= LiveViewLimits.jpegMax else { throw .tooLong(parts.offset) }
        guard let bytes = buffer.getSlice(at: buffer.readerIndex, length: parts.offset) else { throw .cut }
        self.bytes = bytes
        (width, height) = size
    }
}

/// Walks over the parts of a JPEG. Each step moves forward, so the walk ends.
private struct JPEGParts {
    private let bytes: ByteBufferView
    private(set) var offset = 0
    private(set) var size: (width: Int, height: Int)?

    init(_ bytes: ByteBufferView) { self.bytes = bytes }

    private static let endOfImage: UInt8 = 0xD9
    private static let startOfScan: UInt8 = 0xDA
    private static let restarts: ClosedRange<UInt8> = 0xD0...0xD7
    /// The starts of frames; 0xC4, 0xC8 and 0xCC have other meanings.
    private static let frames: Set<UInt8> = Set(0xC0...0xCF).subtracting([0xC4, 0xC8, 0xCC])

    private func byte(_ offset: Int) -> UInt8? { offset < bytes.count ? bytes[bytes.startIndex + offset] : nil }

    private func number(_ offset: Int) -> Int? {
        guard let high = byte(offset), let low = byte(offset + 1) else { return nil }
        return Int(high) << 8 | Int(low)
    }

    /// Moves behind the end marker.
    mutating func read() throws(LiveViewError) {
        guard byte(0) == 0xFF, byte(1) == 0xD8 else { throw .noJPEG }
        offset = 2
        while true {
            let marker = try readMarker()
            if marker == Self.endOfImage { return }
            if Self.restarts.contains(marker) || marker == 0x01 { continue }
            try readPart(marker)
            if marker == Self.startOfScan { try skipScan() }
        }
    }

    /// Reads a marker. Any number of 0xFF can precede it.
    private mutating func readMarker() throws(LiveViewError) -> UInt8 {
        guard let first = byte(offset) else { throw .cut }
        guard first == 0xFF else { throw .strayByte(first) }
        while let next = byte(offset) {
            offset += 1
            if next != 0xFF { return next }
        }
        throw .cut
    }

    private mutating func readPart(_ marker: UInt8) throws(LiveViewError) {
        let left = bytes.count - offset
        guard let length = number(offset) else { throw .cut }
        guard length >= 2, length <= left else { throw .partLength(length, left: left) }
        if Self.frames.contains(marker), length >= 8, let height = number(offset + 3), let width = number(offset + 5) {
            size = (width, height)
        }
        offset += length
    }

    /// Moves to the marker after the coded picture. In the coded picture, 0 or a restart follows each 0xFF.
    private mutating func skipScan() throws(LiveViewError) {
        let rest = bytes[(bytes.startIndex + offset)...]
        var index = rest.startIndex
        while let mark = rest[index...].firstIndex(of: 0xFF), mark + 1 < rest.endIndex {
            let next = rest[mark + 1]
            guard next == 0 || next == 0xFF || Self.restarts.contains(next) else {
                offset = mark - bytes.startIndex
                return
            }
            index = next == 0xFF ? mark + 1 : mark + 2
        }
        throw .cut
    }
}
