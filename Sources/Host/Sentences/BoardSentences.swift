/// Texts for the journal and the checks about the lines of button, lamp and buzzer.
enum BoardSentences {
    // MARK: Names of chips and lines

    /// - Parameter label: the driver's name for the chip; may be empty.
    static func chip(_ name: String, label: String) -> String { label.isEmpty ? name : "\(name) (\(label))" }

    /// - Parameter name: the board's name for the line; may be empty.
    static func line(_ offset: UInt32, name: String) -> String {
        name.isEmpty ? "line \(offset)" : "line \(offset) (\(name))"
    }

    static func line(_ line: String, of chip: String) -> String { "\(line) of \(chip)" }

    // MARK: Why a line cannot be requested

    private static let listing = "gpioinfo lists chips and lines."

    static func chipMissing(_ path: String) -> GPIOError {
        GPIOError(sentence: "There is no GPIO chip \(path).", advice: listing)
    }

    /// - Parameter present: the chips of this machine.
    static func chipMissing(_ wanted: String, present: [String]) -> GPIOError {
        let presence =
            present.isEmpty ? "this machine has none" : "this machine has \(present.joined(separator: ", "))"
        return GPIOError(sentence: "There is no GPIO chip \(wanted): \(presence).", advice: listing)
    }

    static func chipForbidden(_ path: String) -> GPIOError {
        GPIOError(
            sentence: "bracketd is not allowed to open \(path).",
            advice: "Add the user of bracketd to the chip's group, usually gpio."
        )
    }

    static func notAChip(_ path: String) -> GPIOError {
        GPIOError(sentence: "\(path) is not a GPIO chip.", advice: listing)
    }

    static func chipUnusable(_ path: String, _ error: SystemError) -> GPIOError {
        GPIOError(sentence: "\(path) cannot be used: \(error).", advice: "Check the output of dmesg.")
    }

    static func lineMissing(_ number: Int, chips: [(text: String, lineCount: UInt32)]) -> GPIOError {
        let present = chips.map { "\($0.text) has \($0.lineCount) lines, numbered from 0" }.joined(separator: ", ")
        return GPIOError(sentence: "There is no line \(number): \(present).", advice: listing)
    }

    static func lineMissing(named name: String, chips: [String]) -> GPIOError {
        let sentence =
            chips.isEmpty
            ? "This machine has no GPIO chip."
            : "No line of \(chips.joined(separator: ", ")) has the name \(name)."
        return GPIOError(sentence: sentence, advice: listing)
    }

    static func severalLines(_ lines: [String]) -> GPIOError {
        GPIOError(
            sentence: "More than one line matches: \(lines.joined(separator: " and ")).",
            advice: "Give the chip's path."
        )
    }

    static func lineUnusable(_ line: String, _ error: SystemError) -> GPIOError {
        GPIOError(
            sentence: "\(line) cannot be used: \(error).".capitalizedFirst,
            advice: "Check the output of dmesg. The GPIO interface needs Linux 5.10 or later."
        )
    }

    static func lineInUseByBracketd(_ line: String) -> GPIOError {
        GPIOError(
            sentence: "\(line) is in use by a bracketd.".capitalizedFirst,
            advice: "Use a different line for button, lamp and buzzer, and run only one bracketd."
        )
    }

    /// - Parameter holder: the name of the program; may be empty.
    static func lineInUse(_ line: String, by holder: String) -> GPIOError {
        let name = holder.isEmpty ? "a program without a name" : holder
        return GPIOError(
            sentence: "\(line) is in use by \(name).".capitalizedFirst,
            advice: "Stop that program, or use another line."
        )
    }

    // MARK: The state of a line

    /// - Parameter part: `button`, `lamp` or `buzzer`.
    static func uses(_ part: String, _ line: String) -> String { "The \(part) uses \(line)." }

    static func searches(_ part: String) -> String { "The daemon searches for the line of the \(part)." }

    static func lost(_ part: String, _ line: String, _ error: SystemError) -> String {
        "The \(part) lost its line, \(line): \(error). The daemon searches for the line."
    }

    static func unusable(_ part: String, _ error: GPIOError) -> String {
        "The \(part) does not work. \(error.sentence) \(error.advice)"
    }

    /// - Parameter error: why the chips are not watched; nil: the event loop rejects the watch.
    static func chipsUnwatched(_ error: SystemError?) -> String {
        let reason = error.map { "\($0)" } ?? "the event loop rejects the watch"
        return "New and removed GPIO chips are noticed late (inotify: \(reason))."
    }
}

extension String {
    /// The text with a capital letter, for the beginning of a sentence.
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
