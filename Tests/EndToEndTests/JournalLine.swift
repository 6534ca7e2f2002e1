import Foundation

/// A line of the daemon's standard error: time, sentence, and fields in braces.
struct JournalLine {
    let time: Date
    let text: String
    private let fields: [String: String]

    /// Returns nil for lines of another form.
    init?(_ line: Substring, _ format: DateFormatter) {
        guard let time = format.date(from: String(line.prefix(23))) else { return nil }
        self.time = time
        text = String(line.dropFirst(24))
        var fields: [String: String] = [:]
        if let brace = line.lastIndex(of: "{") {
            var rest = line[line.index(after: brace)...].prefix { $0 != "}" }
            while let mark = rest.firstIndex(of: "=") {
                let name = rest[..<mark].drop { $0 == " " }
                rest = rest[rest.index(after: mark)...]
                let isQuoted = rest.first == "\""
                if isQuoted { rest = rest.dropFirst() }
                let value = rest.prefix { $0 != (isQuoted ? "\"" : " ") }
                fields[String(name)] = String(value)
                rest = rest[value.endIndex...].dropFirst()
            }
        }
        self.fields = fields
    }

    static var format: DateFormatter {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.dateFormat = "yyyy-MM-dd HH:mm:ss.SSS"
        return format
    }

    subscript(name: String) -> String? { fields[name] }

    /// The target states of a transition.
    var states: [String] { (self["TO"] ?? "").split(separator: " ").map(String.init) }
}
