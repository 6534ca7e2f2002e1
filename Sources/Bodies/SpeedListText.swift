import Exposure

/// Lists of shutter speeds on the command line: `1/8000..30s`, or `1/60,1/30,0.5,2"`.
package enum SpeedListText {
    /// Reads the speeds. The result has each speed once, in a body's order (slow to fast).
    package static func parse(_ text: String) throws(NotationError) -> [ShutterSpeed] {
        var indexes: [Int] = []
        if let range = dots(in: text) {
            let from = try speed(text[..<range.lowerBound])
            let to = try speed(text[range.upperBound...])
            indexes = Array(min(from, to).index...max(from, to).index)
        } else {
            for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
                indexes.append(try speed(piece).index)
            }
        }
        return ShutterSpeed.all.reversed().filter { indexes.contains($0.index) }
    }

    private static func dots(in text: String) -> Range<String.Index>? {
        text.indices.first { text[$0...].hasPrefix("..") }.map { $0..<text.index($0, offsetBy: 2) }
    }

    private static func speed(_ text: Substring) throws(NotationError) -> ShutterSpeed {
        do throws(SpeedError) { return try ShutterSpeed(parsing: String(text)) } catch {
            throw NotationError(
                description: "\(error.sentence) Speeds are given as FROM..TO or as a list with commas, such as "
                    + "1/8000..30s or 1/60,1/30,2s."
            )
        }
    }
}
