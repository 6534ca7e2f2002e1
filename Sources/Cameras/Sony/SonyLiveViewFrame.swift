import NIOCore
import PTP

/// The head of a live view frame of a body with PTP/IP, the same over HTTP and over GetObject(0xFFFFC002). It is
/// little-endian, unlike the frames of the older HTTP bodies (capture of an RX100 VII, PTP 3 p.112).
package struct SonyLiveViewFrame: Hashable, Sendable {
    /// The offset of the field with the JPEG in the frame.
    package var jpegOffset: Int
    /// The size of that field: a multiple of 128. Bytes without meaning follow the end of the JPEG.
    package var jpegFieldSize: Int
    /// The offset of the description of the focus frames.
    package var focusInfoOffset: Int
    /// The size of that description.
    package var focusInfoSize: Int

    /// The size of the head in bytes.
    package static let headSize = 16
    /// The longest frame; an RX100 VII sends about 40 kB.
    package static let sizeMax = 8 << 20

    /// - Throws: `DatasetError` if the head is incomplete or names an offset outside the longest frame.
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

    /// The offset of the next frame, which follows the field and not the end of the JPEG.
    package var nextFrameOffset: Int { jpegOffset + jpegFieldSize }

    /// Finds the JPEG in a frame. Bytes without meaning follow its end.
    package static func jpeg(_ data: ByteBuffer) throws(LiveViewError) -> LiveViewJPEG {
        let frame: Self
        do throws(DatasetError) {
            frame = try Self(decoding: data)
        } catch {
            throw .header(error)
        }
        let left = data.readableBytes - frame.jpegOffset
        guard frame.jpegFieldSize <= left,
            let field = data.getSlice(at: data.readerIndex + frame.jpegOffset, length: frame.jpegFieldSize)
        else {
            throw .header(.countBeyondData(field: "live view JPEG", count: frame.jpegFieldSize, left: max(0, left)))
        }
        return try LiveViewJPEG(parsing: field)
    }
}
