/// Exposure values in thirds of a stop, written as photographers write them.
enum EV {
    /// Thirds as a decimal: `8`, `0.3`, `2.7`, `-1.3`.
    static func text(thirds: Int) -> String {
        let (whole, rest) = abs(thirds).quotientAndRemainder(dividingBy: 3)
        let fraction = ["", ".3", ".7"][rest]
        return "\(thirds < 0 ? "-" : "")\(whole)\(fraction)"
    }

    /// Thirds with their sign: `+0.3`, `-2`, `0`.
    static func signedText(thirds: Int) -> String {
        thirds > 0 ? "+" + text(thirds: thirds) : text(thirds: thirds)
    }
}
