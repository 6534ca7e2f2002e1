// Why a recording cannot be read, and how its replay differs.

extension FlightError {
    /// What is wrong, and what to do.
    package var sentence: String {
        switch self {
        case .notARecording: "This is not a recording of bracketd."
        case .otherFormat(let format, let version):
            "The recording has format \(format). This program reads format \(FlightFormat.version). "
                + "To replay it, use the bracketctl of "
                + (version.map { "bracketd \($0)" } ?? "the version that wrote it")
                + ". If that version has several builds, use the same build."
        case .damaged(let offset, let what): "The recording is damaged at byte \(offset): \(what)."
        }
    }
}

/// Why the replay of a recording may differ from it.
enum ReplaySentences {
    static func versionDiffers(_ recorded: String, from present: String) -> String {
        "The inputs were recorded by bracketd \(recorded), but are replayed by \(present). The behaviour may differ."
    }

    static func chartsDiffer(_ charts: [String]) -> String {
        "These charts differ from the recorded ones: \(charts.joined(separator: ", ")). The behaviour may differ."
    }
}

extension FlightDifference {
    /// The recorded transitions, and what the replay did instead.
    package var sentence: String {
        switch kind {
        case .transitions(let came): "The recording has \(Self.list(recorded)); the replay has \(Self.list(came))."
        case .noMessage: "Here the recording has a message inside the core, but the replay has none."
        case .omitted: "An input here was too large to be recorded. Later inputs cannot be replayed."
        }
    }

    private static func list(_ transitions: [FlightTransition]) -> String {
        transitions.isEmpty ? "no transition" : transitions.map(\.words).joined(separator: ", ")
    }
}
