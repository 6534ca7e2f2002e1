/// Why a parameter of a request is not accepted.
enum ParameterSentences {
    /// - Parameter wanted: The required type, with an article.
    static func otherType(wanted: String) -> String { "expected \(wanted)" }

    static func outside(_ range: ClosedRange<Int>, found: Int) -> String {
        "expected \(range.lowerBound) to \(range.upperBound), found \(found)"
    }

    static let notASize = "expected small or large"
    static let notATime = "expected a time such as 2014-08-18 or 2014-08-18T12:34"

    static func notAShoot(_ number: Int) -> String { "shoots are numbered from 1, found \(number)" }
}
