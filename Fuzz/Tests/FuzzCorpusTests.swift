import Foundation
import Testing

/// Runs every checked-in input once, without libFuzzer. These are inputs with wide coverage, and all inputs that ever
/// found a fault.
@Suite struct FuzzCorpusTests {
    private static func inputs(_ target: FuzzTarget) throws -> [URL] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "corpus/\(target.rawValue)")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.path() < $1.path() }
    }

    @Test(arguments: FuzzTarget.allCases) func `no checked-in input breaks its parser`(
        target: FuzzTarget
    ) throws {
        for input in try Self.inputs(target) { target.run(Array(try Data(contentsOf: input))) }
    }

    @Test(arguments: FuzzTarget.allCases) func `every target has inputs`(target: FuzzTarget) throws {
        let inputs = try Self.inputs(target)
        #expect(inputs.count >= 3)
        for input in inputs { #expect(try Data(contentsOf: input).count <= target.lengthMax, "\(input.path())") }
    }
}
