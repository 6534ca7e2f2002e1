import NIOCore
import PTP

/// The head of a live view frame of a body that speaks PTP/IP, the same over HTTP and over GetObject(0xFFFFC002):
/// little-endian, unlike the frames of the older HTTP bodies (capture of an RX100 VII, PTP 3 p.112).
package struct SonyLiveViewFrame: Hashable, Sendable {
    /// Where the JPEG's field begins in the frame.
    package var jpegOffset: Int
    /// How long the field is: a multiple of 128, with garbage behind the JPEG's end.
    package var jpegFieldSize: Int
    /// Where the description of the focus frames begins.
    package var focusInfoOffset: Int
    /// How long that is.
    package var focusInfoSize: Int

    /// Bytes of the head.
    package static let headSize = 16
    /// No frame is longer; an RX100 VII sends about 40 kB.
    package static let sizeMax = 8 << 20

    /// - Throws: `DatasetError` when the head is cut, or names a place outside of what a frame can be.
    package init(decoding buffer: ByteBuffer) throws(DatasetError) {
        var reader = DatasetReader(buffer)
        jpegOffset = Int(try reader.integer("live view JPEG offset", as: UInt32.self))
        jpegFieldSize = Int(try reader.integer("live view JPEG size", as: UInt32.self))
        focusInfoOffset = Int(try reader.integer("live view focus offset", as: UInt32.self))
        focusInfoSize = Int(try reader.integer("live view focus size", as: UInt32.self))
        for (field, offset, size) in [
            ("live view JPEG", jpegOffset, jpegFieldSize), ("live view focus frames", focusInfoOffset, focusInfoSize),
        ] where offset < Self.headSize || offset + size > Self.sizeMax {
            throw .countBeyondData(field: field, count: size, left: max(0, Self.sizeMax - offset))
        }
    }

    /// Where the next frame begins: behind the field, not behind the JPEG's end.
    package var nextFrameOffset: Int { jpegOffset + jpegFieldSize }
}
