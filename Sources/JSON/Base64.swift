/// Bytes as text in Base64 (RFC 4648, section 4), because JSON has no bytes.
package enum Base64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")
    /// The value of each letter; 0xFF: the byte is no letter.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()

    package static func text(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var group: UInt32 = 0
        var count = 0
        for byte in bytes {
            group = group << 8 | UInt32(byte)
            count += 1
            if count == 3 {
                append(group, 4, to: &text)
                (group, count) = (0, 0)
            }
        }
        if count > 0 { append(group << UInt32(8 * (3 - count)), count + 1, to: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the first letters of a group of 24 bits, and the padding.
    private static func append(_ group: UInt32, _ count: Int, to text: inout [UInt8]) {
        for place in 0..<4 {
            let value = Int(group >> UInt32(18 - 6 * place) & 0x3F)
            text.append(place < count ? letters[value] : padding)
        }
    }

    /// The bytes of a text; nil: the text is not complete or has other characters.
    package static func bytes(_ text: String) -> [UInt8]? {
        let letters = Array(text.utf8)
        guard letters.count % 4 == 0 else { return nil }
        let paddingCount = letters.reversed().prefix { $0 == padding }.count
        guard paddingCount <= 2 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(letters.count / 4 * 3)
        var group: UInt32 = 0
        for (place, letter) in letters.enumerated() {
            let value = place < letters.count - paddingCount ? values[Int(letter)] : 0
            guard value != 0xFF else { return nil }
            group = group << 6 | UInt32(value)
            guard place % 4 == 3 else { continue }
            for shift in [16, 8, 0] as [UInt32] { bytes.append(UInt8(group >> shift & 0xFF)) }
            group = 0
        }
        return Array(bytes.dropLast(paddingCount))
    }
}
