import Controller
import PrintableText

/// One journal entry. All its texts are printable, even those from a camera or a client.
package struct JournalRecord: Hashable, Sendable {
    /// The priorities of syslog(3); a smaller number is more urgent.
    package enum Priority: Int, Comparable, Sendable {
        case error = 3
        case warning = 4
        case notice = 5
        case info = 6
        case debug = 7

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    package struct Field: Hashable, Sendable {
        /// The field's name without the prefix `BRACKETD_` that it has in the journal.
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = PrintableText.clean(value, lengthMax: JournalRecord.textLengthMax, keepingLineEnds: true)
        }
    }

    /// The maximum length of a message and of each field, in Unicode scalars.
    private static let textLengthMax = 1 << 14

    package var priority: Priority
    package let message: String
    /// The ID of the catalog's entry, 32 hexadecimal digits (sd-id128(3)).
    package var messageID: String?
    /// The fields in display order.
    package var fields: [Field]

    package init(priority: Priority, message: String, messageID: String? = nil, fields: [Field] = []) {
        self.priority = priority
        self.message = PrintableText.clean(message, lengthMax: Self.textLengthMax, keepingLineEnds: true)
        self.messageID = messageID
        self.fields = fields
    }

    package init(_ entry: JournalEntry) {
        let priority: Priority =
            switch entry.level {
            case .debug: .debug
            case .info: .info
            case .notice: .notice
            case .warning: .warning
            case .error: .error
            }
        self.init(
            priority: priority,
            message: entry.message,
            messageID: entry.kind.messageID,
            fields: entry.fields.map { Field($0.name, $0.value) }
        )
    }

    /// The fields as `NAME=value` (systemd.journal-fields(7)).
    package var journalFields: [String] {
        var fields = ["MESSAGE=\(message)", "PRIORITY=\(priority.rawValue)"]
        if let messageID { fields.append("MESSAGE_ID=\(messageID)") }
        return fields + self.fields.map { "BRACKETD_\($0.name)=\($0.value)" }
    }

    /// The entry as one line: the sentence, then the fields in braces.
    package var line: String {
        let shown = fields.map { "\($0.name)=\(Self.quotedIfNeeded($0.value))" }.joined(separator: " ")
        let message = message.replacing("\n", with: " ")
        return shown.isEmpty ? message : "\(message) {\(shown)}"
    }

    private static func quotedIfNeeded(_ value: String) -> String {
        let isPlain =
            !value.isEmpty && value.unicodeScalars.allSatisfy { $0.value > 0x20 && !"{}\"".unicodeScalars.contains($0) }
        if isPlain { return value }
        let escaped = value.replacing("\n", with: " ").replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(escaped)\""
    }
}

extension JournalEntry.Kind {
    /// The MESSAGE_ID under which the catalog explains this kind of entry. The ID never changes after a release,
    /// because users filter by it.
    package var messageID: String {
        switch self {
        case .transition: "a3c51a5d70db424c822d37f16938fc55"
        case .note: "c2cee4c8623c46e5905b1b8b69ac932d"
        case .cameraConnected: "e80f5c1199a94a74a0397484a062d710"
        case .cameraRefused: "a9856736855f4f51ac4b8331fa84ca08"
        case .cameraLost: "8385b027587e4b2582e41fdc924a19f0"
        case .modeWrong: "97b95f48d03c453da3d838ef6de5eb2d"
        case .shootStarted: "98c8f0784877410394f27a5d6214683f"
        case .shootPaused: "85daea581b5e4247bfab959c79483ca0"
        case .shootCompleted: "21b53e53d7ce43379d636a0ec120e035"
        case .shootPartial: "9bdf80f89ad54ccd9d37efe9f9e02cd4"
        case .shootCancelled: "bf0e226496fa49dbb870732595d270fa"
        case .shutterInDoubt: "4fbd890059a145b296ae3682fac175f8"
        case .shootInterrupted: "1f0a6c8e1d9f4b7c8f5a2b66e0d7c914"
        case .ledger: "c5b7d0a2f3e84f0a9b1d6c2e7a984e51"
        case .settings: "6e2d9a41b0c74c35a8f19d03e57bb2c8"
        case .button: "0d4f6b1e7a3c4d58b6f20c91e8a7d35b"
        case .stopping: "97306d74af8a49b19cfc667dd0b62119"
        }
    }
}
