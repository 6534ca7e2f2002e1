/// The arguments of bracketd.
///
/// The package's argument parser would add a part of Foundation to the daemon, and with it resident memory. See
/// docs/adr/0033.
struct Arguments {
    /// What the user asks for instead of a run.
    enum Information: Error { case help, version }

    /// A row of the help.
    private struct Option {
        let names: [String]
        /// The name of the value; nil: the option has no value.
        let value: String?
        let help: String
        /// Applies the option with its value, which is empty for an option without one.
        let apply: @Sendable (inout Arguments, String) throws -> Void

        /// The option as the help writes it.
        var form: String { names.joined(separator: ", ") + (value.map { " <\($0)>" } ?? "") }
    }

    var config: String?
    var socket: String?
    var restoreLedger: String?
    var check = false
    var debug = false

    private static let options: [Option] = [
        Option(names: ["--config"], value: "file", help: HelpSentences.config) { $0.config = $1 },
        Option(names: ["--socket"], value: "path", help: HelpSentences.socket) { $0.socket = $1 },
        Option(names: ["--check"], value: nil, help: HelpSentences.check) { arguments, _ in arguments.check = true },
        Option(names: ["--restore-ledger"], value: "file", help: HelpSentences.restoreLedger) { $0.restoreLedger = $1 },
        Option(names: ["--debug"], value: nil, help: HelpSentences.debug) { arguments, _ in arguments.debug = true },
        Option(names: ["--version"], value: nil, help: HelpSentences.version) { _, _ in throw Information.version },
        Option(names: ["-h", "--help"], value: nil, help: HelpSentences.help) { _, _ in throw Information.help },
    ]

    /// - Parameter words: the words after the program's name. A value is the next word, or stands behind `=`.
    /// - Throws: ``ArgumentError``, or ``Information`` for what the user asks for instead of a run.
    init(_ words: [String]) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = Self.options.first(where: { $0.names.contains(parts[0]) }) else {
                throw word.hasPrefix("-") ? ArgumentError.unknownOption(parts[0]) : ArgumentError.unexpected(word)
            }
            try option.apply(&self, Self.value(of: option, parts: parts, rest: &rest))
        }
    }

    /// The usage line of the help.
    static var usage: String {
        let optional = options.filter { !["--version", "--help"].contains($0.names.last) }
        return "Usage: bracketd " + optional.map { "[\($0.form)]" }.joined(separator: " ")
    }

    static var help: String {
        let width = 26
        let rows = options.map { option in
            let pad = String(repeating: " ", count: max(1, width - 2 - option.form.count))
            return "  \(option.form)\(pad)\(option.help)"
        }
        let head = [HelpSentences.overview, "", HelpSentences.details, "", usage, "", "Options:"]
        return (head + rows).joined(separator: "\n")
    }

    private static func value(
        of option: Option,
        parts: [String],
        rest: inout ArraySlice<String>
    ) throws(ArgumentError) -> String {
        guard option.value != nil else {
            guard parts.count == 1 else { throw .takesNoValue(parts[0]) }
            return ""
        }
        if parts.count == 1, rest.first?.hasPrefix("-") == true { throw .valueIsMissing(option.form) }
        guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else { throw .valueIsMissing(option.form) }
        guard !value.isEmpty else { throw .valueIsEmpty(option.form) }
        return value
    }
}
