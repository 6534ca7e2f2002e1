import Bodies
import Cameras
import Controller
import Flight
import Foundation
import NIOCore
import Testing
import Worlds

/// Recordings that were written once: whatever becomes of the writer, they are read as they were.
///
/// `UPDATE_GOLDEN=1` writes those of the present version anew, which nothing but a new version of the format is a
/// reason for; those of the older ones stay as they are.
@Suite struct FixtureTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures")

    private func fixture(_ name: String, _ write: () throws -> ByteBuffer) throws -> ByteBuffer {
        let file = Self.folder.appendingPathComponent(name)
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1", name.hasSuffix("-6.rec") {
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

    @Test func `a recording of every input in format 1 is read`() throws {
        let file = try fixture("every-input-1.rec") { try FormatTests.samples() }
        let records = try records(file)
        #expect(records.count >= 59)
        let expected = try FormatTests.expected(format: 1).prefix(records.count)
        for (record, expected) in zip(records, expected) { #expect(record == expected) }
        #expect(try FlightReader(file).header.configuration == Samples.configurationOfFormat1)
    }

    @Test func `a recording of every input in format 2 is read, and what format 1 had no place for`() throws {
        let file = try fixture("every-input-2.rec") { try FormatTests.samples() }
        let records = try records(file)
        #expect(records.count >= 69)
        let expected = try FormatTests.expected(format: 2).prefix(records.count)
        for (record, expected) in zip(records, expected) { #expect(record == expected) }
        #expect(try FlightReader(file).header.configuration == Samples.configuration)
    }

    @Test func `a recording of every input in format 3 is read, and what format 2 had no place for`() throws {
        let file = try fixture("every-input-3.rec") { try FormatTests.samples() }
        let records = try records(file)
        #expect(records.count >= 76)
        let expected = try FormatTests.expected(format: 3).prefix(records.count)
        for (record, expected) in zip(records, expected) { #expect(record == expected) }
    }

    @Test(arguments: [4, 5, 6]) func `a recording of every input in formats 4 to 6 is read`(format: Int) throws {
        let records = try records(try fixture("every-input-\(format).rec") { try FormatTests.samples() })
        #expect(records.count >= 77)
        let expected = try FormatTests.expected(format: format)
        for (record, expected) in zip(records, expected) { #expect(record == expected) }
    }

    @Test func `a shoot that was recorded in format 1 is read`() throws {
        let file = try fixture("shoot-1.rec") {
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
