/// The sentences of `replay` about a recording and about the result.
enum ReplaySentences {
    /// The numbers of replayed inputs and of replayed transitions.
    typealias Counts = (inputs: Int, transitions: Int)

    // MARK: The replay

    static func run(version: String, began: String) -> String { "A run of bracketd \(version), started at \(began)." }

    /// - Parameter isWhole: Whether the replay reached the end of a complete recording.
    static func identical(_ counts: Counts, isWhole: Bool) -> String {
        isWhole ? "\(text(counts)): replayed identically." : "\(text(counts)): replayed identically up to here."
    }

    static func differs(_ sentence: String, record: Int, seconds: String) -> String {
        "First difference at record \(record), \(seconds) s: \(sentence)"
    }

    private static func text(_ counts: Counts) -> String {
        let inputs = counts.inputs == 1 ? "1 input" : "\(counts.inputs) inputs"
        let transitions = counts.transitions == 1 ? "1 transition" : "\(counts.transitions) transitions"
        return "\(inputs), \(transitions)"
    }

    // MARK: A replay that ends early

    static func incomplete(_ path: String, lastBytes count: Int) -> String {
        "\(path) is incomplete: its last \(count) bytes are ignored."
    }

    static func damaged(_ path: String, _ sentence: String, after counts: Counts) -> String {
        "\(path): \(sentence) \(sameBefore(counts))"
    }

    static func recordsMissing(_ path: String, first: Int, last: Int, after counts: Counts) -> String {
        "\(path) cannot be replayed: records \(first) to \(last) are missing. \(sameBefore(counts))"
    }

    static func doesNotFollow(_ path: String, after counts: Counts) -> String {
        "\(path) cannot be replayed: it does not follow the files before it. \(sameBefore(counts))"
    }

    private static func sameBefore(_ counts: Counts) -> String {
        "Before that, \(text(counts)) were the same as recorded."
    }

    // MARK: Files that are no recording

    static func notARecording(_ path: String, _ sentence: String) -> String { "\(path): \(sentence)" }
    static func noRecording(in folder: String) -> String { "There is no recording in \(folder)." }
    static func tooLarge(_ path: String) -> String { "\(path) is larger than any recorded run." }

    static func otherRun(_ path: String, than first: String) -> String {
        "\(path) is from another run than \(first). Give the files of one run."
    }

    static func beginsLate(_ path: String, part: Int, first: String) -> String {
        "\(path) is part \(part) of its run. A replay needs all parts. Give the files from \(first) on."
    }

    static func partMissing(_ path: String, part: Int, before: String) -> String {
        "\(path) is part \(part) of its run. Give \(before) before this file."
    }

    static func fileOfRun(_ part: Int) -> String { "file \(part)" }
}
