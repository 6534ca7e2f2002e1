import NIOCore

/// Parses an input. After the end of the input it returns zeros, so that every input is valid.
struct FuzzBytes {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    var isEmpty: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// Reads a little-endian number, as in PTP, so that an input can contain PTP records.
    mutating func number() -> UInt16 {
        let low = byte()
        return UInt16(low) | UInt16(byte()) << 8
    }

    /// Takes `count` bytes, or fewer at the end of the input.
    mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        let taken = rest.prefix(count)
        rest = rest.dropFirst(count)
        return taken
    }

    /// Takes a length of two bytes, and then this number of bytes.
    mutating func piece() -> ArraySlice<UInt8> { take(Int(number())) }
}

/// The positions at which a byte stream is cut; its meaning must not depend on them. The bytes themselves determine the
/// positions, so that an input is reproducible.
struct FuzzCuts {
    /// The state of a SplitMix64 generator (Steele, Lea, Flood 2014). Its seed is an FNV-1a hash.
    private var state: UInt64

    init(_ bytes: some Sequence<UInt8>) {
        state = bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// The bytes in pieces. Many pieces have only one byte.
    mutating func cut(_ bytes: ArraySlice<UInt8>) -> [ByteBuffer] {
        var pieces: [ByteBuffer] = []
        var rest = bytes
        while !rest.isEmpty {
            let draw = next()
            let size = draw & 3 == 0 ? 1 : draw & 3 == 1 ? 4 : 1 + Int((draw >> 8) % 509)
            pieces.append(ByteBuffer(bytes: rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return pieces
    }
}
