/// The charts of `statecharts/`, embedded at build time.
enum ChartLibrary {
    /// The charts in the order of the list. A test compares them with the directory.
    static let charts: [ChartPicture] = [
        .button, .candidate, .connect, .connection, .metering, .network, .property, .recording, .search, .service,
        .settings, .shooting, .transfer,
    ]

    static var names: [String] { charts.map(\.name) }

    /// Finds the chart with this name, ignoring case.
    static func chart(named name: String) throws(Failure) -> ChartPicture {
        guard let chart = charts.first(where: { $0.name == name.lowercased() }) else {
            throw Failure.usage(ChartSentences.noChart(name, charts: names))
        }
        return chart
    }
}

extension ChartPicture {
    /// The reason why the chart has more than one current state; nil: the chart has only one run.
    var runs: String? { name == ChartPicture.candidate.name ? ChartSentences.oneRunPerAddress : nil }
}

extension String {
    /// The text with a full stop at its end.
    var withFullStop: String { hasSuffix(".") ? self : self + "." }
}

/// Makes lists for sentences: `a, b and c`.
enum PlainList {
    static func text(_ words: [String], last conjunction: String = "and") -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }
}
