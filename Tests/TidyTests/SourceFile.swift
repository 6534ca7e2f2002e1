import Foundation

/// A Swift file of this package.
struct SourceFile {
    let path: String
    let lines: [String]

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The Swift files below some folders of the package, sorted.
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

    /// The lines that are code, with their numbers: no comments, and nothing of what stands in string literals is cut
    /// out.
    var code: [(number: Int, text: String)] {
        lines.enumerated().compactMap { index, line in
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            return trimmed.hasPrefix("//") ? nil : (index + 1, line)
        }
    }
}
