/// A writer of indented lines of Swift. No line is longer than `swift format` allows.
struct SwiftWriter {
    private(set) var text = ""
    private var depth = 0
    private static let columnsMax = 120

    mutating func line(_ content: String = "") {
        if !content.isEmpty { text += String(repeating: "    ", count: depth) + content }
        text += "\n"
    }

    mutating func open(_ content: String) {
        line(content)
        depth += 1
    }

    mutating func close(_ content: String = "}") {
        depth -= 1
        line(content)
    }

    /// Ends a block that has no closing line, for example a case of a switch.
    mutating func dedent() {
        depth -= 1
    }

    /// Writes `) {` after parameters that are on separate lines.
    mutating func closeAndOpen(_ content: String) {
        close(content)
        depth += 1
    }

    mutating func doc(_ comment: String) {
        var current = "///"
        let width = Self.columnsMax - depth * 4
        for word in comment.split(separator: " ") {
            if current.count + 1 + word.count > width {
                line(current)
                current = "///"
            }
            current += " " + word
        }
        line(current)
    }

    /// Writes all pieces on one line if they fit or if there are no arguments. Otherwise writes one line each.
    mutating func call(_ pieces: [String], suffix: String) {
        let arguments = pieces.dropFirst().dropLast()
        let last = (pieces.last ?? "") + suffix
        let oneLine = (pieces.first ?? "") + arguments.joined(separator: ", ") + last
        if oneLine.count + depth * 4 <= Self.columnsMax { return line(oneLine) }
        open(pieces.first ?? "")
        let isArray = pieces.first == "["
        for (index, argument) in arguments.enumerated() {
            line(argument + (isArray || index + 1 < arguments.count ? "," : ""))
        }
        close(last)
    }

    /// Writes a labelled array on one line if it fits, otherwise with one element per line.
    mutating func list(_ first: String, _ elements: [String], _ last: String) {
        let oneLine = first + elements.joined(separator: ", ") + last
        if oneLine.count + depth * 4 <= Self.columnsMax { return line(oneLine) }
        open(first)
        for element in elements { line(element + ",") }
        close(last)
    }

    /// A string literal. Names of the dialect are ASCII without quotes, but logged lines and paths can contain any
    /// character.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            default:
                if scalar.value < 0x20 || scalar.value == 0x7F {
                    result += "\\u{\(String(scalar.value, radix: 16))}"
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}
