/// Converts exposure values, which are counted in thirds of a stop, to text.
enum EV {
    /// A decimal number: `8`, `0.3`, `2.7`, `-1.3`.
    static func text(thirds: Int) -> String {
        let (whole, rest) = abs(thirds).quotientAndRemainder(dividingBy: 3)
        let fraction = ["", ".3", ".7"][rest]
        return "\(thirds < 0 ? "-" : "")\(whole)\(fraction)"
    }

    /// A decimal number with its sign: `+0.3`, `-2`, `0`.
    static func signedText(thirds: Int) -> String {
        thirds > 0 ? "+" + text(thirds: thirds) : text(thirds: thirds)
    }
}
