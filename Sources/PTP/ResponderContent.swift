import NIOCore

/// The data of an answer, as pieces that are sent in order and never joined. A large object then needs no more memory
/// than its pieces.
package struct ResponderContent: Equatable, Sendable {
    private struct Piece: Equatable, Sendable {
        var bytes: ByteBuffer
        var times: Int
    }

    /// No piece is empty.
    private var pieces: [Piece] = []
    /// The index of the first unread piece. `offset` is the number of bytes already read of its first repetition.
    private var first = 0
    private var offset = 0
    package private(set) var count = 0

    package init() {}

    package init(_ bytes: ByteBuffer) { append(bytes) }

    /// Appends the bytes `times` times. The repetitions share one buffer.
    package mutating func append(_ bytes: ByteBuffer, times: Int = 1) {
        precondition(times >= 0)
        guard bytes.readableBytes > 0, times > 0 else { return }
        pieces.append(Piece(bytes: bytes, times: times))
        count += bytes.readableBytes * times
    }

    /// Removes at most `limit` bytes from the front and returns them as slices of the pieces.
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

    /// A part of the content. The part is shorter than `wanted` if the content ends earlier.
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
