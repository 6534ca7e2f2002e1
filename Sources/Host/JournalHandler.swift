import Logging

struct JournalHandler: LogHandler {
    let journal: Journal
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug

    init(journal: Journal) {
        self.journal = journal
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let fields = metadata.merging(event.metadata ?? [:]) { _, new in new }
        journal.write(
            JournalRecord(
                priority: Self.priority(of: event.level),
                message: "\(event.message)",
                fields: fields.sorted { $0.key < $1.key }.map { .init(Self.fieldName($0.key), "\($0.value)") }
            )
        )
    }

    /// Converts a key. journald accepts capital letters, digits and underscores (sd_journal_print(3)).
    private static func fieldName(_ key: String) -> String {
        String(key.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    private static func priority(of level: Logger.Level) -> JournalRecord.Priority {
        switch level {
        case .trace, .debug: .debug
        case .info: .info
        case .notice: .notice
        case .warning: .warning
        case .error, .critical: .error
        }
    }
}

extension Logger {
    init(journal: Journal) {
        self.init(label: "bracketd", factory: { _ in JournalHandler(journal: journal) })
    }
}
