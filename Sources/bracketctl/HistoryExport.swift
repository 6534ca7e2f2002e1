import Interface
import PrintableText
import Varlink

/// The export of a shoot for programs that merge its pictures. docs/history.md describes the format.
enum HistoryExport {
    /// The version of the format. It increases with each change that an older reader would misread.
    static let version = 2

    static func json(_ shoot: ShootRecord) -> String {
        let sets = shoot.sets.map { set -> JSONValue in
            ["set": .int(set.set), "frames": .array(set.frames.map { frame($0.record, at: $0.place, of: set.set) })]
        }
        let value = PrintedJSON.summary(shoot.summary.json).adding("cameraId", nil)
            .adding("version", .int(version)).adding("sets", .array(sets))
        return value.description + "\n"
    }

    private static func frame(_ record: FrameRecord, at place: Int, of set: Int) -> JSONValue {
        record.json.adding("set", nil).adding("frame", .int(place))
            .adding("sharedWithSet", record.set == set ? nil : .int(record.set))
    }

    private static let columns = [
        "shoot", "set", "frame", "shared_with_set", "speed", "seconds", "outcome", "again", "doubt", "attempted",
        "captured", "files",
    ]

    /// The shoot as CSV (RFC 4180): a header line, and one line for each frame.
    static func csv(_ shoot: ShootRecord) -> String {
        var rows = [columns]
        for set in shoot.sets {
            for (place, record) in set.frames {
                rows.append([
                    String(shoot.summary.id), String(set.set), String(place),
                    record.set == set.set ? "" : String(record.set), record.speed, String(record.seconds),
                    record.outcome, record.again ?? "", record.doubt ?? "", record.attempted ?? "",
                    record.captured ?? "", record.files.joined(separator: ";"),
                ])
            }
        }
        return rows.map { $0.map(quoted).joined(separator: ",") + "\r\n" }.joined()
    }

    /// A field of a line, in quotation marks if the field has special characters of CSV.
    private static func quoted(_ field: String) -> String {
        let field = PrintableText.clean(field, lengthMax: .max)
        let isPlain = field.unicodeScalars.allSatisfy { !["\"", ",", "\r", "\n"].contains($0) }
        guard !isPlain else { return field }
        // In Swift a quotation mark with a combining accent is one Character. Readers of CSV see a quotation mark.
        var text = String.UnicodeScalarView()
        for scalar in field.unicodeScalars {
            if scalar == "\"" { text.append(scalar) }
            text.append(scalar)
        }
        return "\"\(String(text))\""
    }
}
