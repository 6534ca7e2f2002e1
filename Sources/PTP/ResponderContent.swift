import NIOCore

/// The data of an answer: pieces that are sent one after the other and never joined. A large object then costs no more
/// memory than its pieces.
package struct ResponderContent: Equatable, Sendable {
    private struct Piece: Equatable, Sendable {
        var bytes: ByteBuffer
        var times: Int
    }

    /// Without empty pieces.
    private var pieces: [Piece] = []
    /// The position in the first piece: the byte count already read of its first repetition.
    private var first = 0
    private var offset = 0
    package private(set) var count = 0

    package init() {}

    package init(_ bytes: ByteBuffer) { append(bytes) }

    /// Appends bytes, repeated so many times. They are shared, not copied.
    package mutating func append(_ bytes: ByteBuffer, times: Int = 1) {
        precondition(times >= 0)
        guard bytes.readableBytes > 0, times > 0 else { return }
        pieces.append(Piece(bytes: bytes, times: times))
        count += bytes.readableBytes * times
    }

    /// Takes at most so many bytes from the front, as slices of the pieces.
    package mutating func read(upTo limit: Int) -> [ByteBuffer] {
        var slices: [ByteBuffer] = []
        var left = min(limit, count)
        while left > 0 {
            let piece = pieces[first]
            let size = min(left, piece.bytes.readableBytes - offset)
            guard let slice = piece.bytes.getSlice(at: piece.bytes.readerIndex + offset, length: size) else { break }
            slices.append(slice)
            left -= size
            advance(by: size)
        }
        return slices
    }

    /// A part of the content, as far as it exists.
    package func part(from start: Int, count wanted: Int) -> ResponderContent {
        var rest = self
        rest.skip(min(max(0, start), count))
        rest.count = min(rest.count, max(0, wanted))
        return rest
    }

    /// All bytes in one buffer, for small contents.
    package func joined() -> ByteBuffer {
        var rest = self
        var buffer = ByteBuffer()
        for slice in rest.read(upTo: count) { buffer.writeImmutableBuffer(slice) }
        return buffer
    }

    private mutating func skip(_ size: Int) {
        var left = size
        while left > 0 {
            let length = pieces[first].bytes.readableBytes
            let repetitions = offset == 0 ? min(left / length, pieces[first].times) : 0
            if repetitions > 0 {
                left -= repetitions * length
                count -= repetitions * length
                drop(repetitions)
            } else {
                let step = min(left, length - offset)
                left -= step
                advance(by: step)
            }
        }
    }

    private mutating func advance(by size: Int) {
        offset += size
        count -= size
        guard offset == pieces[first].bytes.readableBytes else { return }
        offset = 0
        drop(1)
    }

    private mutating func drop(_ repetitions: Int) {
        pieces[first].times -= repetitions
        if pieces[first].times == 0 { first += 1 }
    }
}
