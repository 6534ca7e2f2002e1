import Foundation
import SCXML
import Testing

/// Compares generated Swift with stored files, which show every change of the emitter.
@Suite struct EmitterTests {
    private func emit(_ name: String, access: SwiftEmitter.Access = .package) throws -> String {
        let chart = Chart(reading: try Fixtures.data("../Charts/\(name).scxml"))
        #expect(chart.diagnostics.map { $0.line(file: name) } == [])
        let lowered = try #require(chart.lowered)
        return SwiftEmitter.emit(lowered, source: "Charts/\(name).scxml", digest: chart.digest, access: access)
    }

    @Test(arguments: ["shooting", "features"])
    func `a chart gives exactly the expected Swift`(name: String) throws {
        try Fixtures.expect(try emit(name), in: "Emitted/\(name).swift.txt")
    }

    @Test func `access is the only difference between package and public`() throws {
        let package = try emit("features")
        let expected = package.replacing("package ", with: "public ")
        #expect(try emit("features", access: .public) == expected)
        let hidden = package.replacing("package ", with: "")
        #expect(try emit("features", access: .internal) == hidden)
    }

    @Test func `no generated line is longer than the formatter allows`() throws {
        for name in ["shooting", "features"] {
            for line in try emit(name).split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
        }
    }

    @Test func `the digest is the file's SHA-256`() throws {
        let chart = Chart(reading: Data())
        #expect(chart.digest == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        let million = Chart(reading: Data(repeating: UInt8(ascii: "a"), count: 1_000_000))
        #expect(million.digest == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }
}
