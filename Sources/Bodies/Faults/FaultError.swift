/// An error in a fault specification. The description is one sentence for the user.
package struct FaultError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The whole specification that the user gave.
    package var specification: String
    /// The error and the correct notation.
    package var reason: String

    package var description: String {
        let shown = String(
            String.UnicodeScalarView(
                specification.unicodeScalars.prefix(60).map { $0.value < 32 || $0.value == 127 ? "?" : $0 }
            )
        )
        return "fault '\(shown)': \(reason)"
    }
}
