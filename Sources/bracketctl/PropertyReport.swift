import Interface
import Varlink

/// A setting of the camera as the daemon reports it.
typealias PropertyReport = Bracketd.Property

extension PropertyReport {
    /// A line per setting under a headline: its name, its value, what it can be set to.
    static func table(_ properties: [PropertyReport]) -> String {
        let rows = properties.map { [$0.name, $0.value ?? "not told", $0.shortChoices] }
        return TextTable.lines([["setting", "value", "can be set to"]] + rows).joined(separator: "\n")
    }

    private static let choicesShownMax = 6

    /// `f/2.8, f/4, f/5.6`; of a long list the beginning, the end and how many there are.
    private var shortChoices: String {
        guard isWritable else { return "nothing else now" }
        guard choices.count > Self.choicesShownMax, let last = choices.last else {
            return choices.isEmpty ? "not told" : choices.joined(separator: ", ")
        }
        let first = choices.prefix(Self.choicesShownMax - 3).joined(separator: ", ")
        return "\(first) … \(last) (\(choices.count) in all)"
    }
}
