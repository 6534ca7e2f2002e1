extension FixedWidthInteger where Self: UnsignedInteger {
    /// The value as in protocol documents: `0x` and upper-case digits, with leading zeros up to the width of the type.
    package var hexadecimal: String {
        let digits = String(self, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: Swift.max(0, Self.bitWidth / 4 - digits.count)) + digits
    }
}
