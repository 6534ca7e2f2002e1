import CLinux
import CSystemd
import Glibc
import PrintableText

/// Writes entries with all their fields to journald, by its native protocol.
package struct JournaldWriter: JournalWriter {
    package init() {}

    /// Whether standard error leads to journald. The native protocol then carries more. `JOURNAL_STREAM` has the device
    /// and inode of journald's stream (systemd.exec(5)). A redirected stream has others.
    package static func isAvailable(journalStream: String?) -> Bool {
        guard let parts = journalStream?.split(separator: ":"), parts.count == 2,
            let device = UInt64(parts[0]), let inode = UInt64(parts[1])
        else { return false }
        var status = stat()
        return fstat(STDERR_FILENO, &status) == 0 && status.st_dev == device && status.st_ino == inode
    }

    package func write(_ record: JournalRecord) {
        let fields = record.journalFields.map { Array($0.utf8) }
        // One block of memory contains all fields, so that their addresses stay valid during the call.
        var bytes = fields.flatMap(\.self)
        bytes.withUnsafeMutableBytes { block in
            guard var address = block.baseAddress else { return }
            var vectors: [iovec] = []
            for field in fields {
                vectors.append(iovec(iov_base: address, iov_len: field.count))
                address += field.count
            }
            // An error is ignored, because nothing else can report a failing journal.
            _ = sd_journal_sendv(vectors, CInt(vectors.count))
        }
    }
}

package enum StandardError {
    /// The maximum length of a line in Unicode scalars.
    private static let lengthMax = 1 << 16

    package static func write(_ line: String) {
        // An error is ignored, because nothing else can report a closed standard error.
        try? writeAll(Array("\(PrintableText.clean(line, lengthMax: lengthMax))\n".utf8), to: STDERR_FILENO)
    }
}

/// Writes lines to standard error: time, level, sentence, fields.
package struct StandardErrorWriter: JournalWriter {
    package init() {}

    package func write(_ record: JournalRecord) {
        StandardError.write("\(Self.time) \(Self.name(of: record.priority)) \(record.line)")
    }

    private static func name(of priority: JournalRecord.Priority) -> String {
        switch priority {
        case .error: "error"
        case .warning: "warning"
        case .notice: "notice"
        case .info: "info"
        case .debug: "debug"
        }
    }

    /// The local time as `2026-11-21 02:31:05.123`.
    private static var time: String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var local = tm()
        localtime_r(&now.tv_sec, &local)
        func digits(_ number: some BinaryInteger, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        let date = "\(local.tm_year + 1900)-\(digits(local.tm_mon + 1, 2))-\(digits(local.tm_mday, 2))"
        let time = "\(digits(local.tm_hour, 2)):\(digits(local.tm_min, 2)):\(digits(local.tm_sec, 2))"
        return "\(date) \(time).\(digits(now.tv_nsec / 1_000_000, 3))"
    }
}
