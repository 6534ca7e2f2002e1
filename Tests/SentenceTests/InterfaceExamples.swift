@testable import Interface

extension Examples {
    /// Parameters that a request cannot have.
    static let interface: [String] = [
        ParameterSentences.otherType(wanted: "a list of strings"),
        ParameterSentences.outside(1...200, found: 500),
        ParameterSentences.notAShoot(0),
    ]
}
