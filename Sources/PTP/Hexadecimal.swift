extension FixedWidthInteger where Self: UnsignedInteger {
    /// The value as protocol documents write it: `0x` and as many upper-case digits as the type is wide.
    package var hexadecimal: String {
        let digits = String(self, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: Swift.max(0, Self.bitWidth / 4 - digits.count)) + digits
    }
}
