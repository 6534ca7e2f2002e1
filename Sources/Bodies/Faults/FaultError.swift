/// Why a fault specification was not understood. The description is one sentence for the person who typed it.
package struct FaultError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The whole specification as it was typed.
    package var specification: String
    /// What is wrong, and what would be right.
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
