import Interface
import PrintableText
import Varlink

/// A shoot for programs that merge its pictures; docs/history.md describes the format.
enum HistoryExport {
    /// Increases with changes that an older reader would misread.
    static let version = 2

    static func json(_ shoot: ShootRecord) -> String {
        let summary = shoot.summary
        let value = JSONValue.object(leavingOutNil: [
            "version": .int(version),
            "shoot": .int(summary.id),
            "camera": .string(summary.camera),
            "plan": .string(summary.plan),
            "began": summary.began.map { .string($0) },
            "ended": summary.ended.map { .string($0) },
            "outcome": summary.outcome.map { .string($0) },
            "cause": summary.cause.map { .string($0) },
            "captured": .int(summary.captured),
            "totalExposures": .int(summary.total),
            "sets": .array(
                shoot.sets.map { set in
                    let frames = set.frames.map { frame($0.record, at: $0.place, of: set.set) }
                    return ["set": .int(set.set), "frames": .array(frames)]
                }
            ),
        ])
        return value.description + "\n"
    }

    private static func frame(_ record: FrameRecord, at place: Int, of set: Int) -> JSONValue {
        .object(leavingOutNil: [
            "frame": .int(place),
            "sharedWithSet": record.set == set ? nil : .int(record.set),
            "speed": .string(record.speed),
            "seconds": .double(record.seconds),
            "outcome": .string(record.outcome),
            "again": record.again.map { .string($0) },
            "doubt": record.doubt.map { .string($0) },
            "attempted": record.attempted.map { .string($0) },
            "captured": record.captured.map { .string($0) },
            "files": .strings(record.files),
        ])
    }

    private static let columns = [
        "shoot", "set", "frame", "shared_with_set", "speed", "seconds", "outcome", "again", "doubt", "attempted",
        "captured", "files",
    ]

    /// A header line and one line per frame (RFC 4180).
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

    /// The field, quoted if it contains special characters of the format.
    private static func quoted(_ field: String) -> String {
        let field = PrintableText.clean(field, lengthMax: .max)
        let isPlain = field.unicodeScalars.allSatisfy { !["\"", ",", "\r", "\n"].contains($0) }
        guard !isPlain else { return field }
        // By Unicode scalars: a quote with a combining accent is one character, but readers of CSV see a quote.
        var text = String.UnicodeScalarView()
        for scalar in field.unicodeScalars {
            if scalar == "\"" { text.append(scalar) }
            text.append(scalar)
        }
        return "\"\(String(text))\""
    }
}
