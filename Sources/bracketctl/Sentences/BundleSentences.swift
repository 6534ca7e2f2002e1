/// The sentences of `bundle` about its file and about missing parts.
enum BundleSentences {
    // MARK: The file

    static func written(_ path: String, byteCount: Int) -> String {
        "Wrote \(path), \(byteCount) bytes, readable only by you. Its README.txt lists the contents."
    }

    static func fileExists(_ path: String) -> String {
        "\(path) already exists and is not overwritten. Use --output with another file."
    }

    static func notCreated(_ path: String, _ reason: String) -> String {
        "\(path) cannot be created: \(reason). Use --output with another file."
    }

    static func notWritten(_ path: String) -> String {
        "\(path) cannot be written. Its disk may be full. Use --output with a file on another disk."
    }

    static let noGzip = "gzip is not installed. To install it: apt-get install gzip."

    static func gzipNotStarted(_ reason: String) -> String { "gzip cannot be started: \(reason)." }

    // MARK: Missing parts

    static func missing(_ part: String, _ reason: String) -> String {
        "Not included: \(part): \(reason)".withFullStop
    }

    static func noFile(_ path: String) -> String { "there is no \(path)" }
    static func notRead(_ path: String, _ reason: String) -> String { "\(path) cannot be read: \(reason)" }
    static func tooLarge(_ byteCountMax: Int) -> String { "it is larger than \(byteCountMax) bytes" }

    static let notRegular = "it is not a regular file"
    static let doesNotExist = "it does not exist"
    static let alwaysChanged = "it changed during each attempt to copy it"

    static func newerFirst(_ byteCountMax: Int) -> String {
        "newer recordings use all of the \(byteCountMax >> 20) MB for recordings"
    }

    static func assumedToBe(_ path: String) -> String { "bracketctl uses \(path)" }

    static let noBracketd = "there is no bracketd in the folder of bracketctl"
    static let noJournalctl = "journalctl is not installed"
    static let noEntries =
        "this user can read no entry of bracketd. root can read all entries. If bracketd was started by hand, add the "
        + "file with its standard error"

    // MARK: Other programs

    static func notStarted(_ path: String, _ reason: String) -> String { "\(path) cannot be started: \(reason)" }

    static func endedWith(_ status: Int32) -> String { "the program ended with status \(status)" }

    static func didNotEnd(_ path: String, withinSeconds seconds: Int) -> String {
        "\(path) did not end within \(seconds) s"
    }

    static func printedTooMuch(_ path: String, byteCountMax: Int) -> String {
        "\(path) printed more than \(byteCountMax) bytes"
    }
}
