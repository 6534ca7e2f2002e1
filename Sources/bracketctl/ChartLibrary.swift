/// The charts of `statecharts/` as they were when the program was built.
enum ChartLibrary {
    /// In the order in which they are listed; a test compares this with the folder.
    static let charts: [ChartPicture] = [
        .button, .candidate, .connect, .connection, .network, .property, .recording, .search, .service, .settings,
        .shooting, .transfer,
    ]

    static var names: [String] { charts.map(\.name) }

    /// The chart with this name, in capitals or not.
    static func chart(named name: String) throws(Failure) -> ChartPicture {
        guard let chart = charts.first(where: { $0.name == name.lowercased() }) else {
            throw Failure(
                .usage,
                name: "Usage",
                "There is no chart '\(name)': the charts are \(PlainList.text(names)). See bracketctl charts."
            )
        }
        return chart
    }
}

extension ChartPicture {
    /// Why no state of it is the present one, although the daemon runs it; nil: it has one run.
    var runs: String? { name == ChartPicture.candidate.name ? "one run for each address that is called" : nil }
}

/// Words as people list them: `a, b and c`.
enum PlainList {
    static func text(_ words: [String], last conjunction: String = "and") -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }
}
