import NIOCore
import PTP

/// The live view of a session.
struct SonyHTTPLiveView: Sendable {
    /// The end of the live view that the driver started; nil: it started none, or the body has ended it.
    var ending: LiveViewEnd?
    /// The place of the stream; nil: not known.
    var url: DescriptionURL?
    /// The running request of the stream.
    var stream: (id: HTTPRequestID, reader: SonyHTTPLiveViewReader)?
}

/// Finds the first picture in the packets of a stream. Each packet has a head of 8 and one of 128 bytes, the payload
/// and padding. All numbers are big-endian (API Reference v2.40, pysony, timelapse-sony).
///
/// A stream can begin in the middle of a packet. The reader then continues at the next place that is a head.
package struct SonyHTTPLiveViewReader: Sendable {
    private var bytes = ByteBuffer()
    private var byteCount = 0

    private static let headSize = 136
    private static let mark: [UInt8] = [0x24, 0x35, 0x68, 0x79]
    private static let markOffset = 8
    private static let picture: UInt8 = 1
    /// The greatest size of a payload in bytes. Frames have at most 100 kB (Smart Remote).
    package static let payloadMax = 1 << 20

    package init() {}

    /// Adds the next bytes of the stream.
    ///
    /// - Returns: the first complete picture; nil: more bytes are needed.
    package mutating func receive(_ piece: ByteBuffer) throws(LiveViewError) -> LiveViewJPEG? {
        byteCount += piece.readableBytes
        guard byteCount <= LiveViewLimits.byteCountMax else { throw .tooLong(byteCount) }
        bytes.writeImmutableBuffer(piece)
        while true {
            findHead()
            guard let packet = try readPacket() else { return nil }
            // Other payloads are frames of the focus, or of playback.
            if packet.type == Self.picture { return try LiveViewJPEG(parsing: packet.payload) }
        }
    }

    /// Drops the bytes before the next head.
    private mutating func findHead() {
        let view = bytes.readableBytesView
        let starts = view.indices.lazy.filter { view[$0] == 0xFF }
        // A head whose mark has not arrived yet is kept.
        let start = starts.first { start in
            zip(view[start...].dropFirst(Self.markOffset), Self.mark).allSatisfy { $0 == $1 }
        }
        bytes.moveReaderIndex(to: start ?? bytes.writerIndex)
        bytes.discardReadBytes()
    }

    /// Reads the packet at the beginning; nil: it is not complete.
    private mutating func readPacket() throws(LiveViewError) -> (type: UInt8, payload: ByteBuffer)? {
        let start = bytes.readerIndex
        guard bytes.readableBytes >= Self.headSize, let type = bytes.getInteger(at: start + 1, as: UInt8.self),
            let sizes = bytes.getInteger(at: start + 12, as: UInt32.self)
        else { return nil }
        let (size, padding) = (Int(sizes >> 8), Int(sizes & 0xFF))
        guard size <= Self.payloadMax else {
            throw .header(.countBeyondData(field: "live view payload", count: size, left: Self.payloadMax))
        }
        guard bytes.readableBytes >= Self.headSize + size + padding else { return nil }
        bytes.moveReaderIndex(forwardBy: Self.headSize)
        guard let payload = bytes.readSlice(length: size) else { return nil }
        bytes.moveReaderIndex(forwardBy: padding)
        return (type, payload)
    }
}
