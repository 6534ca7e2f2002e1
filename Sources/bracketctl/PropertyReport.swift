import Interface
import Varlink

/// A setting of the camera as the daemon reports it.
typealias PropertyReport = Bracketd.Property

extension PropertyReport {
    /// A table of the settings with their names, values and possible values.
    static func table(_ properties: [PropertyReport]) -> String {
        let rows = properties.map { [$0.name, $0.value ?? PropertySentences.notReported, $0.shortChoices] }
        return TextTable.lines([["setting", "value", "can be set to"]] + rows).joined(separator: "\n")
    }

    private static let choicesShownMax = 6

    /// The possible values: `f/2.8, f/4, f/5.6`. For a long list: the first values, the last value and their number.
    private var shortChoices: String {
        guard isWritable else { return PropertySentences.noOtherValue }
        guard choices.count > Self.choicesShownMax, let last = choices.last else {
            return choices.isEmpty ? PropertySentences.notReported : choices.joined(separator: ", ")
        }
        let first = Array(choices.prefix(Self.choicesShownMax - 3))
        return PropertySentences.choices(first, last: last, count: choices.count)
    }
}
