import Varlink

/// The last journal entries of the daemon as JSON, one entry per line.
enum JournalExcerpt {
    static let entriesMax = 5000
    private static let outputMax = 32 << 20
    private static let timeMax = Duration.seconds(30)

    /// The fields that are packed in addition to the daemon's own fields. None of them identifies the computer.
    private static let fields: Set<String> = [
        "__REALTIME_TIMESTAMP", "__MONOTONIC_TIMESTAMP", "_BOOT_ID", "_PID", "PRIORITY", "MESSAGE", "MESSAGE_ID",
        "SYSLOG_IDENTIFIER", "UNIT", "_SYSTEMD_UNIT", "UNIT_RESULT", "EXIT_CODE", "EXIT_STATUS", "JOB_TYPE",
        "JOB_RESULT", "COREDUMP_SIGNAL_NAME",
    ]
    private static let ownPrefix = "BRACKETD_"

    /// The entries from the unit, the entries about the unit, and the entries from a bracketd outside the unit.
    private static let matches = [
        "_SYSTEMD_UNIT=bracketd.service", "+", "UNIT=bracketd.service", "+", "SYSLOG_IDENTIFIER=bracketd",
    ]

    /// - Parameter journalctl: The program; nil: it is not installed.
    static func read(from journalctl: OtherProgram?) throws(PartError) -> [UInt8] {
        guard let journalctl else { throw PartError(reason: BundleSentences.noJournalctl) }
        let arguments = ["--quiet", "--no-pager", "--output=json", "--lines=\(entriesMax)"] + matches
        let answer = try journalctl.run(arguments, outputMax: outputMax, within: timeMax)
        guard answer.status == 0 else { throw PartError(reason: answer.complaint) }
        let entries = clean(answer.output)
        guard !entries.isEmpty else { throw PartError(reason: BundleSentences.noEntries) }
        return entries
    }

    /// Removes from the lines all fields that are not to be packed.
    static func clean(_ lines: [UInt8]) -> [UInt8] {
        var cleaned: [UInt8] = []
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            guard case .object(let entry)? = try? JSONValue(parsing: line) else { continue }
            let kept = entry.filter { fields.contains($0.key) || $0.key.hasPrefix(ownPrefix) }
            cleaned += Array("\(JSONValue.object(kept))\n".utf8)
        }
        return cleaned
    }
}
