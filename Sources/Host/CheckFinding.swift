import Controller

/// A problem that a check found, with advice to the user.
struct CheckFinding: Sendable {
    var sentence: String
    var advice: String
}

extension Check {
    init(_ name: String, _ result: Check.Result, _ finding: CheckFinding) {
        self.init(name, result, finding.sentence, advice: finding.advice)
    }
}
