import Foundation
import Testing

/// The release that `./test --all` builds before the tests.
private enum ReleaseBuild {
    static let directory = ProcessInfo.processInfo.environment["BRACKETD_RELEASE"]
}

@Suite(.enabled(if: ReleaseBuild.directory != nil)) struct ProgramSizeTests {
    @Test func `no program exceeds its size or has the tables of Foundation`() throws {
        let root = Installation.sources.deletingLastPathComponent()
        let script = root.appending(path: "Benchmarks/Python/program_size.py").path
        let check = try Command(script, [try #require(ReleaseBuild.directory)])
        #expect(check.status == 0, "\(check)")
    }
}
