import Bodies
import Cameras
import Controller
import Flight
import Foundation
import NIOCore
import Testing
import Worlds

/// Stored recordings. The reader must still read those of the present format correctly, whatever the writer does now.
/// It refuses those of older formats, with a sentence that says which program reads them.
///
/// `UPDATE_GOLDEN=1` writes the recordings of the present format again. Use it only for a new format. The older
/// recordings stay.
@Suite struct FixtureTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures")

    private func fixture(_ name: String, _ write: () throws -> ByteBuffer) throws -> ByteBuffer {
        let file = Self.folder.appendingPathComponent(name)
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1", name.hasSuffix("-7.rec") {
            try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            try Data(write().readableBytesView).write(to: file)
        }
        return ByteBuffer(bytes: try Data(contentsOf: file))
    }

    private func records(_ file: ByteBuffer) throws -> [FlightRecord] {
        var reader = try FlightReader(file)
        var records: [FlightRecord] = []
        while let record = try reader.next() { records.append(record) }
        #expect(reader.tornByteCount == 0)
        return records
    }

    @Test(arguments: [
        "every-input-1", "every-input-2", "every-input-3", "every-input-4", "every-input-5",
        "every-input-6", "shoot-1",
    ])
    func `a recording of an older format is refused, and the version that reads it is named`(name: String) throws {
        let file = try fixture("\(name).rec") { ByteBuffer() }
        let format = try #require(name.last?.wholeNumberValue)
        let error = FlightError.otherFormat(format, version: "0.1.0")
        #expect(throws: error) { try FlightReader(file) }
        #expect(error.sentence.contains("bracketd 0.1.0"))
    }

    @Test func `a recording of every input is read`() throws {
        let file = try fixture("every-input-7.rec") { try FormatTests.samples() }
        let records = try records(file)
        #expect(records.count >= 77)
        for (record, expected) in zip(records, try FormatTests.expected()) { #expect(record == expected) }
        #expect(try FlightReader(file).header.configuration == Samples.configuration)
    }

    @Test func `a recorded shoot is read`() throws {
        let file = try fixture("shoot-7.rec") {
            var options = BodyOptions()
            options.saveTarget = .host
            var world = World.recorded(ReplayTests.configuration(.jpeg), options: options)
            world.fire(ReplayTests.three)
            return try #require(world.log.runs.last?.first)
        }
        let records = try records(file)
        let shooting = records.flatMap(\.transitions).filter { $0.chart == "shooting" }
        #expect(shooting.count { $0.to == "capturing" } == 3)
        #expect(records.contains { $0.content == .message })
        let received = records.compactMap { record in
            if case .input(.link(_, .received(_, let bytes))) = record.content { bytes.readableBytes } else { nil }
        }
        #expect(received.reduce(0, +) > 30_000)
        #expect(file.readableBytes < 20_000)
    }
}
