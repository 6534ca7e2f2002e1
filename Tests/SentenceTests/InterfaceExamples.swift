@testable import Interface

extension Examples {
    /// Errors in the parameters of a request.
    static let interface: [String] = [
        ParameterSentences.otherType(wanted: "a list of strings"),
        ParameterSentences.outside(1...200, found: 500),
        ParameterSentences.notAShoot(0),
        ParameterSentences.notATime,
        ParameterSentences.notASize,
    ]
}
