import Foundation

struct SourceFile {
    let path: String
    let lines: [String]

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The Swift files in some folders of the package, sorted.
    static func all(under folders: [String]) throws -> [SourceFile] {
        try folders.flatMap { folder in
            let base = root.appendingPathComponent(folder)
            let names = try FileManager.default.subpathsOfDirectory(atPath: base.path)
                .filter { $0.hasSuffix(".swift") && !$0.contains(".build") }
            return try names.sorted().map { name in
                let text = try String(contentsOf: base.appendingPathComponent(name), encoding: .utf8)
                return SourceFile(path: "\(folder)/\(name)", lines: text.components(separatedBy: "\n"))
            }
        }
    }

    /// The lines of code with their numbers, without comment lines; string literals are included.
    var code: [(number: Int, text: String)] {
        lines.enumerated().compactMap { index, line in
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            return trimmed.hasPrefix("//") ? nil : (index + 1, line)
        }
    }
}
