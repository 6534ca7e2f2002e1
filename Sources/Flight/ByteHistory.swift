/// The latest bytes of a file, in which the writer finds repetitions and writes them as references (LZ77 with one hash
/// table).
///
/// A body sends all its properties again and again, in different pieces, so nearly all bytes repeat. Writer and reader
/// keep the same history. The history begins empty with each file.
struct ByteHistory: Sendable {
    /// The longest distance of a reference, in bytes.
    static let reach = 1 << 16
    /// The maximum size of a piece; longer content is handled in several pieces.
    private static let pieceMax = 1 << 16
    private static let sizeMax = 4 * reach
    /// The minimum length of a match; a shorter match is not worth a reference.
    private static let matchMin = 4
    private static let hashBits = 12
    /// The distance in bytes of the positions within a match that enter the index. Later references use these positions
    /// when the original is out of reach.
    private static let noteEvery = 16

    private var bytes: [UInt8] = []
    /// The last position of each sequence of four bytes, plus 1, by the hash of the bytes. Only the writer fills it.
    private var places: [UInt32] = []
    private var distance = 0

    /// The encoding of a piece of content.
    enum Operation: UInt64 {
        /// The bytes follow.
        case literal
        /// A reference follows, with its distance.
        case back
        /// A reference with the same distance as the previous one.
        case backAgain
        /// Zeros, which are not part of the history.
        case zeros
    }

    init() {}

    mutating func forget() {
        bytes.removeAll(keepingCapacity: true)
        distance = 0
        for index in places.indices { places[index] = 0 }
    }

    // MARK: Writing

    /// Appends the operations for `content`.
    mutating func fold(_ content: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        if places.isEmpty { places = Array(repeating: 0, count: 1 << Self.hashBits) }
        var rest = content[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Self.pieceMax)
            rest = rest.dropFirst(piece.count)
            makeRoom(for: piece.count)
            let start = bytes.count
            bytes.append(contentsOf: piece)
            foldPiece(from: start, into: &output)
        }
    }

    private mutating func foldPiece(from start: Int, into output: inout [UInt8]) {
        var distance = distance
        bytes.withUnsafeBytes { bytes in
            places.withUnsafeMutableBufferPointer { places in
                let end = bytes.count
                var (position, literal) = (start, start)
                while position + Self.matchMin <= end {
                    guard let found = Self.earlier(position, last: distance, in: bytes, places) else {
                        position += 1
                        continue
                    }
                    let length = Self.matchLength(bytes, found, position)
                    var before = 0
                    while position - before > literal, found - before > 0,
                        bytes[position - before - 1] == bytes[found - before - 1]
                    {
                        before += 1
                    }
                    Self.writeLiteral(bytes[literal..<position - before], into: &output)
                    Self.writeReference(length + before, position - found, last: distance, into: &output)
                    distance = position - found
                    let lastNoted = min(position + length, end - Self.matchMin + 1)
                    for place in stride(from: position, to: lastNoted, by: Self.noteEvery) {
                        places[Self.slot(bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))] =
                            UInt32(place + 1)
                    }
                    position += length
                    literal = position
                }
                Self.writeLiteral(bytes[literal..<end], into: &output)
            }
        }
        self.distance = distance
    }

    /// The earlier position of the four bytes at `position`. The function first tries the distance of the last
    /// reference, then the index. A search in the index also adds `position` to the index.
    @inline(__always)
    private static func earlier(
        _ position: Int,
        last distance: Int,
        in bytes: UnsafeRawBufferPointer,
        _ places: UnsafeMutableBufferPointer<UInt32>
    ) -> Int? {
        let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
        let again = position - distance
        if distance > 0, again >= 0, bytes.loadUnaligned(fromByteOffset: again, as: UInt32.self) == word {
            return again
        }
        let slot = slot(word)
        let noted = Int(places[slot]) - 1
        places[slot] = UInt32(position + 1)
        guard noted >= 0, position - noted <= reach,
            bytes.loadUnaligned(fromByteOffset: noted, as: UInt32.self) == word
        else { return nil }
        return noted
    }

    /// The number of bytes that are equal from two positions on.
    private static func matchLength(_ bytes: UnsafeRawBufferPointer, _ earlier: Int, _ later: Int) -> Int {
        var count = matchMin
        while later + count + 8 <= bytes.count {
            let difference =
                bytes.loadUnaligned(fromByteOffset: earlier + count, as: UInt64.self)
                ^ bytes.loadUnaligned(fromByteOffset: later + count, as: UInt64.self)
            guard difference == 0 else { return count + UInt64(littleEndian: difference).trailingZeroBitCount / 8 }
            count += 8
        }
        while later + count < bytes.count, bytes[earlier + count] == bytes[later + count] { count += 1 }
        return count
    }

    private static func slot(_ word: UInt32) -> Int { Int((word &* 2_654_435_761) >> UInt32(32 - hashBits)) }

    private static func writeLiteral(_ bytes: Slice<UnsafeRawBufferPointer>, into output: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        output.appendOperation(.literal, bytes.count)
        output.append(contentsOf: bytes)
    }

    private static func writeReference(_ count: Int, _ distance: Int, last: Int, into output: inout [UInt8]) {
        guard distance != last else { return output.appendOperation(.backAgain, count) }
        output.appendOperation(.back, count)
        output.appendNumber(UInt64(distance))
    }

    /// Removes bytes that are out of reach, once there are many.
    private mutating func makeRoom(for count: Int) {
        guard bytes.count + count > Self.sizeMax else { return }
        let gone = bytes.count - Self.reach
        guard gone > 0 else { return }
        bytes.removeFirst(gone)
        for index in places.indices {
            places[index] = places[index] > UInt32(gone) ? places[index] - UInt32(gone) : 0
        }
    }

    // MARK: Reading

    mutating func note(_ literal: some Collection<UInt8>) {
        makeRoom(for: literal.count)
        bytes.append(contentsOf: literal)
    }

    /// Copies the bytes of a reference to the end of the history and returns them.
    ///
    /// - Parameter distance: nil: the distance of the previous reference.
    /// - Returns: nil if the distance is too long.
    mutating func unfold(_ count: Int, back distance: Int?) -> ArraySlice<UInt8>? {
        let distance = distance ?? self.distance
        guard distance > 0, distance <= min(bytes.count, Self.reach) else { return nil }
        self.distance = distance
        makeRoom(for: count)
        let start = bytes.count
        bytes.reserveCapacity(start + count)
        // The copied range can overlap its own copy.
        for index in start - distance..<start - distance + count { bytes.append(bytes[index]) }
        return bytes[start...]
    }
}

extension [UInt8] {
    /// Appends a number as seven bits per byte, lowest bits first. All bytes but the last have the highest bit set.
    mutating func appendNumber(_ number: UInt64) {
        var rest = number
        while rest > 0x7F {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    mutating func appendOperation(_ operation: ByteHistory.Operation, _ count: Int) {
        appendNumber(UInt64(count) << 2 | operation.rawValue)
    }
}
