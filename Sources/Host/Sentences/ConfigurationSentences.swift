/// Texts about a configuration file: its faults, the comments of its printed form, and the results of reading it again.
enum ConfigurationSentences {
    // MARK: The file

    static func unreadable(_ error: SystemError) -> String { "the file cannot be read: \(error)" }

    static func tooLarge(byteCountMax: Int) -> String {
        "the file is larger than \(byteCountMax) bytes, so it is not a configuration of bracketd"
    }

    static let notUTF8 = "the file is not UTF-8 text"

    /// - Parameter message: the message of the TOML reader.
    static func textWithoutQuotes(_ message: String) -> String { "\(message); put text in quotes" }

    // MARK: Sections and keys

    static func unknownSection(known: [String]) -> String {
        "unknown section; the sections are \(known.map { "[\($0)]" }.joined(separator: ", "))"
    }

    static func sectionWithoutTable(_ section: String, found: TOMLValue.Kind) -> String {
        "expected a table, found \(name(of: found)); write [\(section)]"
    }

    static func unknownKey(of section: String, known: [String]) -> String {
        "unknown key; the keys of [\(section)] are \(known.joined(separator: ", "))"
    }

    // MARK: Values

    static func notString(found: TOMLValue.Kind) -> String { "expected a string, found \(name(of: found))" }

    static func notBoolean(found: TOMLValue.Kind) -> String { "expected true or false, found \(name(of: found))" }

    static func notOneOf(_ known: [String], found text: String) -> String {
        let words = known.map { "\"\($0)\"" }
        let choice = "\(words.dropLast().joined(separator: ", ")) or \(words.last ?? "")"
        return "expected \(choice), found \"\(text)\""
    }

    static func unknownCheck(_ name: String, known: [String]) -> String {
        "unknown check \"\(name)\"; the checks are \(known.joined(separator: ", "))"
    }

    static func unknownSearchMethod(_ name: String, known: [String]) -> String {
        "unknown search method \"\(name)\"; the methods are \(known.joined(separator: ", "))"
    }

    /// - Parameter example: the key with a valid value.
    static func notStrings(found: TOMLValue.Kind, example: String) -> String {
        "expected an array of strings, found \(name(of: found)); write \(example)"
    }

    static let exampleOfChecks = "skip = [\"iso-auto\"]"

    static func exampleOfSearchMethods(_ methods: [String]) -> String {
        "search = [\"\(methods.joined(separator: "\", \""))\"]"
    }

    static func elementNotString(found: TOMLValue.Kind) -> String {
        "expected an array of strings, found \(name(of: found)) in the array"
    }

    static func notInterfaceName(_ text: String) -> String {
        "expected an interface name such as \"wlan0\", found \"\(text)\""
    }

    /// - Parameter number: the number outside the limits; nil: the value is not a number.
    static func notScanCount(_ number: Int?, _ kind: TOMLValue.Kind, possible: ClosedRange<Int>) -> String {
        let found = number.map { "\($0)" } ?? name(of: kind)
        return "expected a number of addresses from \(possible.lowerBound) to \(possible.upperBound), found \(found)"
    }

    /// - Parameter number: the number outside the limits; nil: the value is not a number.
    static func notFileCount(_ number: Int?, _ kind: TOMLValue.Kind, max: Int) -> String {
        let found = number.map { "\($0)" } ?? name(of: kind)
        return "expected a number from 0 (no recording) to \(max), found \(found)"
    }

    static func notFileSize(_ text: String, possible: ClosedRange<Int>) -> String {
        let (least, most) = (ByteCount.text(possible.lowerBound), ByteCount.text(possible.upperBound))
        return "expected a size from \"\(least)\" to \"\(most)\", found \"\(text)\""
    }

    static func notAbsolutePath(_ text: String) -> String { "expected an absolute path, found \"\(text)\"" }

    static let pathWithZero = "a path cannot contain U+0000"

    static func socketPathTooLong(byteCountMax: Int) -> String {
        "the path is longer than the \(byteCountMax) bytes that the system allows"
    }

    // MARK: Lines of the board

    static let lineMissing = "the line is missing; write line = 17"

    static func notLineNumber(_ number: Int, max: Int) -> String {
        "expected a number from 0 to \(max), found \(number)"
    }

    static let chipMissing = "the chip is missing; write chip = \"/dev/gpiochip0\", or give the line's name"

    static func notLine(found: TOMLValue.Kind) -> String { "expected a number or a name, found \(name(of: found))" }

    static func notLineName(_ text: String, byteCountMax: Int) -> String {
        "expected a name of 1 to \(byteCountMax) bytes, found \"\(text)\""
    }

    static func lineInUse(by section: String) -> String { "the \(section) already uses this line" }

    static func notTime(_ text: String, possible: ClosedRange<Duration>) -> String {
        let (least, most) = (TimeText.text(possible.lowerBound), TimeText.text(possible.upperBound))
        return "expected a whole number of ms or s from \"\(least)\" to \"\(most)\", found \"\(text)\""
    }

    // MARK: The plan

    static func notFramesPerSet(found: TOMLValue.Kind) -> String { "expected 3, 5, 7 or 9, found \(name(of: found))" }

    /// - Parameter number: the invalid number; nil: the value is not a number.
    static func notSpacing(_ number: Double?, _ kind: TOMLValue.Kind) -> String {
        "expected 1, 1.5 or 2, found \(number.map { "\($0)" } ?? name(of: kind))"
    }

    /// A kind of value with its article.
    private static func name(of kind: TOMLValue.Kind) -> String {
        switch kind {
        case .table: "a table"
        case .array: "an array"
        case .string: "a string"
        case .integer: "an integer"
        case .float: "a floating-point number"
        case .boolean: "a boolean"
        case .date: "a date"
        case .time: "a time"
        case .dateTime: "a date and time"
        }
    }

    // MARK: Comments of the printed configuration

    static func noAddress(isSearching: Bool) -> String {
        isSearching
            ? "# no address: the daemon searches for the camera"
            : "# no address and no search: connect with bracketctl connect ADDRESS"
    }

    static let everyInterface = "# no interface: the daemon searches on every interface"

    static let noLine = "# no line: not used"

    // MARK: Reading the file again

    static let noFile = "There is no configuration file to read again."

    /// - Parameter waiting: the changed keys that need a restart.
    static func readAgain(waiting: [String]) -> String {
        let rest =
            waiting.isEmpty
            ? "" : " These keys take effect at the next start of bracketd: \(waiting.joined(separator: ", "))."
        return "The configuration was read again.\(rest)"
    }

    static func unchanged(_ error: ConfigurationError) -> String { "The configuration did not change: \(error)" }
}
