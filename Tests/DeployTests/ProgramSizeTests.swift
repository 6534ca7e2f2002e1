import Foundation
import Testing

/// The release build in `.build/release`.
enum ReleaseBuild {
    static let root = Installation.sources.deletingLastPathComponent()
    static let folder = root.appending(path: ".build/release")

    /// Whether the build has all programs of a board, and these are newer than all sources.
    static let isCurrent: Bool = {
        let names = ["bracketd", "bracketd-exif", "bracketctl", "camerasim"]
        let oldest = names.map { changed(folder.appending(path: $0)) ?? .distantPast }.min() ?? .distantPast
        let sources = try? FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "Sources").path)
        let paths = ["Package.swift"] + (sources ?? []).map { "Sources/\($0)" }
        return paths.allSatisfy { changed(root.appending(path: $0)) ?? .distantFuture <= oldest }
    }()

    private static func changed(_ file: URL) -> Date? {
        try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
    }
}

@Suite(.enabled(if: ReleaseBuild.isCurrent)) struct ProgramSizeTests {
    @Test func `no program exceeds its size or has the tables of Foundation`() throws {
        let script = ReleaseBuild.root.appending(path: "Benchmarks/Python/program_size.py").path
        let check = try Command(script, [ReleaseBuild.folder.path])
        #expect(check.status == 0, "\(check)")
    }
}
