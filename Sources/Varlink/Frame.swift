import NIOCore

/// Varlink messages are JSON objects, each ended by one NUL byte (varlink.org, "Protocol").
package enum Frame {
    /// The longest message a client takes from a service, in bytes without the NUL.
    package static let replyLengthMax = 1 << 20
    /// The longest message a service takes from a client, in bytes without the NUL.
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

/// A message is longer than its reader takes.
package struct FrameTooLong: Error, Hashable, Sendable, CustomStringConvertible {
    package var lengthMax: Int

    package var description: String { "a message is longer than \(lengthMax) bytes" }
}

/// Cuts a stream of bytes into messages, however the bytes arrive. Looks at each byte once.
package struct FrameReader: Sendable {
    private let lengthMax: Int
    private var buffer = ByteBuffer()
    /// How many bytes at the front of the buffer are known to hold no end mark.
    private var scanned = 0

    package init(lengthMax: Int) {
        precondition(lengthMax > 0)
        self.lengthMax = lengthMax
    }

    /// Bytes of a message that has not ended yet, or of messages not asked for yet.
    package var bufferedBytes: Int { buffer.readableBytes }

    package mutating func append(_ bytes: ByteBuffer) {
        if buffer.readableBytes == 0 {
            buffer = bytes
            scanned = 0
        } else {
            // Here and not message by message: what is left would be copied as often as there are messages in it.
            buffer.discardReadBytes()
            var bytes = bytes
            buffer.writeBuffer(&bytes)
        }
    }

    /// The next whole message without its end mark; nil until more bytes come.
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
