import Bodies
import Cameras
import Controller
import Exposure
import NIOCore
import Testing

@testable import Host

/// The light of pictures that the store has stored.
struct StoredLightTests {
    private func store(_ bytes: [UInt8], _ name: String, in fixture: PictureStoreFixture) async throws -> String {
        let destination = PictureDestination(
            shoot: 1,
            set: 1,
            name: name,
            kind: .jpeg,
            byteCount: UInt64(bytes.count)
        )
        try await fixture.perform(1, .begin(destination, offset: 0), .bytes(ByteBuffer(bytes: bytes)), .finish)
        guard case .stored(let stored)? = await fixture.outcome() else {
            Issue.record("the picture is not stored")
            return ""
        }
        return stored.path
    }

    private func light(of path: String, in fixture: PictureStoreFixture) async throws -> LightReading? {
        try await fixture.perform { $0.readLight(path) }
        guard case .input(.light(let reading))? = await fixture.next() else { return nil }
        return reading
    }

    @Test func `the light of a stored picture is read with its map reduced`() async throws {
        let fixture = try await PictureStoreFixture()
        var scene = Scene(columns: 96, rows: 64, base: 13)
        scene.shapes = [SceneShape(.rectangle(x: 0, y: 0, width: 50, height: 100), .flat(15))]
        let cells = SceneEye(scene).picture(at: try #require(ShutterSpeed(index: 18)))
        let bytes = FlatJPEG(cells: cells, columns: 96, blocksPerCell: 1).file()
        let path = try await store(bytes, "DSC1.JPG", in: fixture)
        let reading = try #require(try await light(of: path, in: fixture))
        #expect(reading.path == path)
        guard case .read(let numbers) = reading.outcome else {
            Issue.record("\(reading)")
            return try await fixture.stop()
        }
        let read = try #require(numbers.light)
        #expect(read.luma.total == 96 * 8 * 64 * 8)
        #expect(read.luma.counts[118] == read.luma.counts[220])
        #expect(read.map.columns == LightNumbers.columnsMax && read.map.rows == LightNumbers.rowsMax)
        #expect(Set(read.map.blocks) == [118, 220])
        try await fixture.stop()
    }

    @Test func `the stored pictures of a shoot are checked together`() async throws {
        let fixture = try await PictureStoreFixture()
        var scene = Scene(columns: 96, rows: 64, base: 13)
        scene.shapes = [SceneShape(.rectangle(x: 0, y: 0, width: 50, height: 100), .flat(18))]
        let speed = try #require(ShutterSpeed(index: 18))
        let bytes = FlatJPEG(cells: SceneEye(scene).picture(at: speed), columns: 96, blocksPerCell: 1).file()
        let path = try await store(bytes, "DSC1.JPG", in: fixture)
        let frames = [path, "nothing/DSC2.JPG"].map { CoverageOrder.Frame(speed: speed, path: $0) }
        try await fixture.perform { $0.readCoverage(CoverageOrder(shoot: 1, spacing: .two, frames: frames)) }
        guard case .input(.coverage(let reading))? = await fixture.next() else {
            Issue.record("no answer")
            return try await fixture.stop()
        }
        let coverage = try #require(reading.coverage)
        #expect(reading.shoot == 1 && coverage.framesRead == 1 && coverage.framesUnread == 1)
        #expect(coverage.clippedShare == 0.5 && coverage.worst?.frame?.index == 12)
        try await fixture.stop()
    }

    @Test func `a file that is no JPEG, a missing file and a path out of the folder give the reason`() async throws {
        let fixture = try await PictureStoreFixture()
        let path = try await store(Array("no picture".utf8), "DSC1.JPG", in: fixture)
        for path in [path, "nothing/DSC2.JPG", "../DSC3.JPG", ""] {
            let reading = try #require(try await light(of: path, in: fixture))
            guard case .failed(let sentence) = reading.outcome else {
                Issue.record("\(path) is read")
                continue
            }
            #expect(!sentence.isEmpty && reading.path == path)
        }
        try await fixture.stop()
    }
}
