import NIOCore

/// Encodes Varlink messages: JSON objects, each ended by one NUL byte (varlink.org, "Protocol").
package enum Frame {
    /// The longest message that a client accepts from a service, in bytes without the NUL.
    package static let replyLengthMax = 1 << 20
    /// The longest message that a service accepts from a client, in bytes without the NUL.
    package static let callLengthMax = 1 << 18

    /// A message with its end mark.
    package static func encode(_ message: JSONValue) -> ByteBuffer {
        let bytes = message.encoded()
        var buffer = ByteBufferAllocator().buffer(capacity: bytes.count + 1)
        buffer.writeBytes(bytes)
        buffer.writeInteger(UInt8(0))
        return buffer
    }
}

/// A message is longer than its reader accepts.
package struct FrameTooLong: Error, Hashable, Sendable, CustomStringConvertible {
    package var lengthMax: Int

    package var description: String { MessageSentences.tooLong(lengthMax) }
}

/// Splits a stream of bytes into messages. The bytes can arrive in any pieces; each byte is scanned once.
package struct FrameReader: Sendable {
    private let lengthMax: Int
    private var buffer = ByteBuffer()
    /// The number of bytes at the start of the buffer that were scanned and contain no end mark.
    private var scanned = 0

    package init(lengthMax: Int) {
        precondition(lengthMax > 0)
        self.lengthMax = lengthMax
    }

    /// The number of bytes in the buffer: complete messages that were not read yet, and an incomplete one.
    package var bufferedBytes: Int { buffer.readableBytes }

    package mutating func append(_ bytes: ByteBuffer) {
        if buffer.readableBytes == 0 {
            buffer = bytes
            scanned = 0
        } else {
            // Discards once per arrival. If it discarded once per message, each message would copy the remaining bytes.
            buffer.discardReadBytes()
            var bytes = bytes
            buffer.writeBuffer(&bytes)
        }
    }

    /// The next complete message without its end mark; nil until more bytes arrive.
    package mutating func next() throws(FrameTooLong) -> ByteBuffer? {
        let unseen = buffer.readableBytesView.dropFirst(scanned)
        guard let end = unseen.firstIndex(of: 0) else {
            scanned = buffer.readableBytes
            guard scanned <= lengthMax else { throw FrameTooLong(lengthMax: lengthMax) }
            return nil
        }
        let length = end - buffer.readerIndex
        guard length <= lengthMax else { throw FrameTooLong(lengthMax: lengthMax) }
        scanned = 0
        let frame = buffer.readSlice(length: length)
        buffer.moveReaderIndex(forwardBy: 1)
        if buffer.readableBytes == 0 { buffer = ByteBuffer() }
        return frame
    }
}
