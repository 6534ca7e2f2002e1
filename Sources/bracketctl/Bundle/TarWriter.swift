/// Writes a tar archive in the ustar format (POSIX.1-1988: pax(1), "ustar Interchange Format"). After unpacking, only
/// the owner can read the files.
struct TarWriter {
    private static let blockSize = 512
    /// The largest number of bytes in an entry: the size field has eleven octal digits.
    static let byteCountMax = 0o77_777_777_777
    static let nameLengthMax = 100

    /// The modification time of every entry, in seconds since 1970.
    let time: Int
    let write: ([UInt8]) throws(Failure) -> Void

    func add(_ name: String, _ bytes: [UInt8]) throws(Failure) {
        var isGiven = false
        try add(name, byteCount: bytes.count) { () throws(Failure) in
            defer { isGiven = true }
            return isGiven ? [] : bytes
        }
    }

    /// Adds an entry. `next` returns the bytes of the entry in pieces. Zeros replace bytes that are missing at the end.
    ///
    /// - Parameter next: Returns the next bytes, and no bytes at the end.
    func add(_ name: String, byteCount: Int, next: () throws(Failure) -> [UInt8]) throws(Failure) {
        precondition(name.utf8.count < Self.nameLengthMax && 0...Self.byteCountMax ~= byteCount)
        try write(header(name, byteCount: byteCount))
        var left = byteCount
        while left > 0 {
            let bytes = try next().prefix(left)
            if bytes.isEmpty { break }
            left -= bytes.count
            try write(Array(bytes))
        }
        let padding = left + (Self.blockSize - byteCount % Self.blockSize) % Self.blockSize
        if padding > 0 { try write([UInt8](repeating: 0, count: padding)) }
    }

    /// Ends the archive with two empty blocks.
    func finish() throws(Failure) { try write([UInt8](repeating: 0, count: 2 * Self.blockSize)) }

    private func header(_ name: String, byteCount: Int) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        func put(_ text: String, at offset: Int) {
            for (index, byte) in text.utf8.enumerated() { block[offset + index] = byte }
        }
        func octal(_ number: Int, digits: Int) -> String {
            String(number, radix: 8).padded(left: digits, with: "0")
        }
        put(name, at: 0)
        put(octal(0o600, digits: 7), at: 100)
        put(octal(0, digits: 7), at: 108)
        put(octal(0, digits: 7), at: 116)
        put(octal(byteCount, digits: 11), at: 124)
        put(octal(max(0, time), digits: 11), at: 136)
        // The checksum is computed with blanks in the checksum field.
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar\u{0}00", at: 257)
        put(octal(block.reduce(0) { $0 + Int($1) }, digits: 6) + "\u{0} ", at: 148)
        return block
    }
}
