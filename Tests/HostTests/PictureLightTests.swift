import Bodies
import Controller
import Exposure
import Glibc
import PictureReader
import Testing

@testable import Host

/// Tests how the reading program decodes pictures, and which pictures it refuses.
struct PictureLightTests {
    private let directory: TemporaryDirectory
    private let reader = MetadataReader.installed()

    init() throws { directory = try TemporaryDirectory() }

    private func light(_ content: [UInt8], at points: [PicturePoint] = []) throws -> LightReport {
        let file = try Descriptor {
            open(directory.file("picture"), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        }
        try writeAll(content, to: file.number)
        lseek(file.number, 0, SEEK_SET)
        return try reader.light(file.number, at: points)
    }

    /// Why a picture is refused; nil: it is read.
    private func refusal(_ content: [UInt8]) throws -> String? {
        do {
            _ = try light(content)
            return nil
        } catch let failure as PictureReport.Failure {
            return failure.sentence
        }
    }

    /// A JPEG with EXIF data, with this orientation.
    private func jpeg(_ picture: FlatJPEG, orientation: UInt8? = nil) -> [UInt8] {
        var exif = ExifPicture()
        if let orientation { exif.cameraEntries.append(exif.short(0x0112, UInt16(orientation))) }
        let segment = exif.segment
        let length = [UInt8((segment.count + 2) >> 8), UInt8((segment.count + 2) & 0xFF)]
        var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1]
        for part in [length, segment, picture.image()] { bytes += part }
        return bytes
    }

    /// Four blocks in each direction, all of different greys.
    private static let squares = FlatJPEG(greys: (0..<16).map { UInt8(20 + 10 * $0) }, width: 32, height: 32)

    // MARK: Numbers

    @Test func `every code of a grey picture is counted once`() throws {
        let picture = FlatJPEG(greys: (0..<256).map { UInt8($0) }, width: 16 * 8, height: 16 * 8)
        let report = try light(picture.file())
        #expect(report.light.luma.counts == [UInt32](repeating: 64, count: 256))
        #expect(report.light.brightest == report.light.luma)
        #expect((report.width, report.height) == (128, 128))
        // A small picture has a block for each pixel.
        #expect((report.light.map.columns, report.light.map.rows) == (128, 128))
        #expect(report.light.map.blocks[0] == 0 && report.light.map.blocks[8] == 1)
        #expect(report.light.map.blocks[128 * 128 - 1] == PictureMap.white)
    }

    @Test func `the light of a scene's picture is the light of its cells`() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<4 {
            let eye = SceneEye(Scene.drawn(from: &generator))
            let codes = eye.picture(at: .oneSecond)
            let direct = try #require(eye.light(of: codes))
            let report = try light(FlatJPEG(cells: codes, columns: 96, blocksPerCell: 2).file())
            let ends = FrameEnds(brightest: report.light.brightest, luma: report.light.luma)
            let right = FrameEnds(brightest: direct.brightest, luma: direct.luma)
            // Colours return within one code.
            #expect(abs(ends.highlightCode - right.highlightCode) <= 1)
            #expect(abs(ends.shadowCode - right.shadowCode) <= 1)
            #expect((report.light.map.columns, report.light.map.rows) == (384, 256))
            for (index, code) in direct.map.blocks.enumerated() {
                let block = report.light.map.blocks[index / 96 * 4 * 384 + index % 96 * 4]
                // One code decides whether a cell is white.
                let isNear = abs(Int(block) - Int(code)) <= 1 || max(block, code) == PictureMap.white
                #expect(isNear, "cell \(index): \(block), not \(code)")
            }
        }
    }

    @Test func `a spot is the median of its box in the picture as it is viewed`() throws {
        let points = [PicturePoint(12, 12), PicturePoint(88, 12), PicturePoint(12, 88)]
        // The greys at the stored corners: top left, top right, bottom left, bottom right.
        let (topLeft, topRight, bottomLeft, bottomRight) = (20, 50, 140, 170)
        let views: [UInt8: [Int]] = [
            1: [topLeft, topRight, bottomLeft],
            2: [topRight, topLeft, bottomRight],
            3: [bottomRight, bottomLeft, topRight],
            4: [bottomLeft, bottomRight, topLeft],
            5: [topLeft, bottomLeft, topRight],
            6: [bottomLeft, topLeft, bottomRight],
            7: [bottomRight, topRight, bottomLeft],
            8: [topRight, bottomRight, topLeft],
        ]
        for (orientation, codes) in views.sorted(by: { $0.key < $1.key }) {
            let report = try light(jpeg(Self.squares, orientation: orientation), at: points)
            #expect(report.spots.map(\.luma) == codes, "orientation \(orientation)")
            #expect(report.spots.map(\.brightest) == codes, "orientation \(orientation)")
            let map = report.light.map
            let corners = [0, map.columns - 1, (map.rows - 1) * map.columns].map { Int(map.blocks[$0]) }
            #expect(corners == codes, "orientation \(orientation)")
        }
    }

    @Test func `a picture held upright has its sides exchanged`() throws {
        let wide = FlatJPEG(greys: [UInt8](repeating: 90, count: 8 * 2), width: 64, height: 16)
        let report = try light(jpeg(wide, orientation: 6))
        #expect((report.width, report.height) == (16, 64))
        #expect((report.light.map.columns, report.light.map.rows) == (16, 64))
    }

    @Test func `spots at the edges and in a picture of one pixel are read`() throws {
        let edges = [PicturePoint(0, 0), PicturePoint(100, 100)]
        #expect(try light(Self.squares.file(), at: edges).spots.map(\.luma) == [20, 170])
        let pixel = FlatJPEG(greys: [77], width: 1, height: 1)
        #expect(try light(pixel.file(), at: edges).spots.map(\.luma) == [77, 77])
    }

    @Test func `the metadata come with the light, if the file has some`() throws {
        let report = try light(jpeg(Self.squares))
        #expect(report.metadata.exposure.exposureTime == .init(1, 250))
        #expect(report.metadata.exposure.model == "ILCE-7M4")
        #expect(try light(Self.squares.file()).metadata.exposure == ExposureRecord())
    }

    @Test func `bytes after the picture are not read`() throws {
        #expect(try refusal(Self.squares.file() + [UInt8](repeating: 0xAB, count: 5_000)) == nil)
    }

    // MARK: Refusals

    private func with(frame marker: UInt8) -> [UInt8] {
        var bytes = Self.squares.file()
        if let place = bytes.indices.dropLast().first(where: { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 }) {
            bytes[place + 1] = marker
        }
        return bytes
    }

    /// The picture with another height and width in its frame.
    private func with(height: Int, width: Int) -> [UInt8] {
        var bytes = Self.squares.file()
        if let place = bytes.indices.dropLast().first(where: { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 }) {
            let sides = [height >> 8, height & 0xFF, width >> 8, width & 0xFF].map { UInt8($0) }
            bytes.replaceSubrange(place + 5..<place + 9, with: sides)
        }
        return bytes
    }

    @Test func `unusual pictures are refused by their kind`() throws {
        #expect(try refusal([]) == "not a JPEG")
        #expect(try refusal(Array("II*\0 is a raw file".utf8)) == "not a JPEG")
        #expect(try refusal(with(frame: 0xC2)) == "progressive JPEG")
        #expect(try refusal(with(frame: 0xC9)) == "JPEG with arithmetic coding")
        #expect(try refusal(with(frame: 0xCA)) == "JPEG with arithmetic coding")
        #expect(try refusal(with(frame: 0xC3))?.hasPrefix("unusual JPEG") == true)
        #expect(try refusal(with(height: 65_500, width: 65_500)) == "more than 100 megapixels")
        #expect(try refusal(with(height: 0, width: 32)) == "damaged or cut off")
    }

    @Test func `a picture cut off at any hundredth byte is refused`() throws {
        var generator = SeededGenerator(seed: 9)
        let eye = SceneEye(Scene.drawn(from: &generator))
        let whole = FlatJPEG(cells: eye.picture(at: .oneSecond), columns: 96, blocksPerCell: 1).file()
        #expect(try refusal(whole) == nil)
        for count in stride(from: 2, to: whole.count, by: 100) {
            #expect(try refusal(Array(whole[..<count])) == "damaged or cut off", "\(count) of \(whole.count) bytes")
        }
        #expect(try refusal(whole.dropLast()) == "damaged or cut off")
    }

    @Test func `a picture that is larger than its data is refused`() throws {
        #expect(try refusal(with(height: 8_000, width: 12_000)) == "damaged or cut off")
    }

    @Test func `a file that never ends is refused`() throws {
        // A comment that is repeated beyond the limit.
        var comment: [UInt8] = [0xFF, 0xFE, 0xFF, 0xFF] + [UInt8](repeating: 0x2E, count: 65_533)
        var bytes: [UInt8] = [0xFF, 0xD8]
        for _ in 0..<10 { comment += comment.prefix(65_537) }
        for _ in 0..<94 { bytes += comment }
        #expect(try refusal(bytes) == "more than 64 MiB")
    }

    @Test func `random changes of a picture end the program normally`() throws {
        var generator = SeededGenerator(seed: 3)
        let eye = SceneEye(Scene.drawn(from: &generator))
        let whole = FlatJPEG(cells: eye.picture(at: .oneSecond), columns: 96, blocksPerCell: 1).file()
        for round in 0..<60 {
            var bytes = whole
            for _ in 0...generator.next(below: 6) {
                bytes[generator.next(below: round % 2 == 0 ? 400 : bytes.count)] = UInt8(generator.next(in: 0...255))
            }
            let reason = try refusal(bytes)
            #expect(reason?.contains("bracketd-exif") != true, "round \(round): \(reason ?? "")")
        }
    }

    @Test func `a report that does not add up is refused`() {
        func report(_ lines: [String]) -> LightReport? {
            try? LightReport(reportLines: Array((lines + ["end", ""]).joined(separator: "\n").utf8))
        }
        let zeros = [String](repeating: "0", count: 255).joined(separator: " ")
        let good = [
            "iso 100", "picture 2 1", "scale 1", "brightest \(zeros) 2", "luma \(zeros) 2", "spot 1 2",
            "map 2 1 ff7f",
        ]
        #expect(report(good)?.light.map.blocks == [255, 127])
        #expect(report(good)?.metadata.exposure.iso == 100)
        let bad: [(Int, String)] = [
            (1, "picture 0 1"), (1, "picture 70000 1"), (1, "picture 2"), (3, "brightest 1 2"),
            (4, "luma \(zeros) 0"), (4, "luma \(zeros) -1"), (5, "spot 1 256"), (6, "map 2 1 ff"),
            (6, "map 2 1 ffxx"), (6, "map 385 1 ff7f"), (2, "luma \(zeros) 2"), (0, "iso many"),
        ]
        for (place, line) in bad {
            var lines = good
            lines[place] = line
            #expect(report(lines) == nil, "\(line)")
        }
        for place in [1, 3, 4, 6] {
            var lines = good
            lines.remove(at: place)
            #expect(report(lines) == nil, "without \(good[place])")
        }
    }
}
