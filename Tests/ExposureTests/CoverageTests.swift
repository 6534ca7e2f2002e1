import Exposure
import Foundation
import Testing

/// A map of 10 × 10 blocks, of which some columns have other codes.
private func map(_ code: UInt8, _ columns: [Int: UInt8] = [:]) throws -> PictureMap {
    let blocks = (0..<100).map { columns[$0 % 10] ?? code }
    return try #require(PictureMap(columns: 10, rows: 10, blocks: blocks))
}

private func speed(_ index: Int) throws -> ShutterSpeed { try #require(ShutterSpeed(index: index)) }

@Suite struct CoverageTests {
    @Test func `a part that is well exposed in one frame is covered`() throws {
        let frames = [(try speed(20), try map(5, [0: 118])), (try speed(26), try map(118, [0: 255]))]
        let coverage = try #require(Coverage(frames, spacing: .two))
        #expect(coverage.isCovered)
        #expect(coverage.sentence == "Every part of the scene is well exposed in a frame.")
    }

    @Test func `white in every frame asks for a faster frame`() throws {
        let frames = [(try speed(20), try map(118, [3: 255])), (try speed(26), try map(118, [3: 255, 4: 255]))]
        let coverage = try #require(Coverage(frames, spacing: .two))
        #expect(coverage.clippedShare == 0.1)
        #expect(coverage.darkShare == 0)
        let worst = try #require(coverage.worst)
        #expect(worst.lack == .clipped)
        #expect(worst.frame == (try speed(14)))
        #expect(worst.box == Coverage.Box(left: 30, top: 0, right: 40, bottom: 100))
        #expect(coverage.sentence == "Covered 90 %. White in every frame: 10 %, at 30-40 % x, 0-100 % y. Add 1/320.")
    }

    @Test func `dark in every frame asks for a slower frame`() throws {
        let coverage = try #require(Coverage([(try speed(30), try map(118, [9: 19]))], spacing: .one))
        #expect(coverage.darkShare == 0.1)
        #expect(coverage.worst?.frame == (try speed(33)))
    }

    @Test func `white or dark in all frames is a gap that asks for the middle`() throws {
        let frames = [(try speed(20), try map(118, [5: 3])), (try speed(40), try map(118, [5: 255]))]
        let coverage = try #require(Coverage(frames, spacing: .two))
        #expect(coverage.gapShare == 0.1)
        #expect(coverage.worst?.lack == .gap)
        #expect(coverage.worst?.frame == (try speed(30)))
    }

    @Test func `at the end of the camera's speeds no frame is advised`() throws {
        let coverage = try #require(Coverage([(.fastest, try map(255))], spacing: .two))
        #expect(coverage.worst?.frame == nil)
        #expect(!coverage.isCovered)
    }

    @Test func `frames without a picture are counted, and without any picture nothing is known`() throws {
        let none: PictureMap? = nil
        #expect(Coverage([(try speed(20), none)], spacing: .two) == nil)
        let other = try #require(PictureMap(columns: 1, rows: 1, blocks: [118]))
        let frames = [(try speed(20), try map(118)), (try speed(26), none), (try speed(32), other)]
        let coverage = try #require(Coverage(frames, spacing: .two))
        #expect(coverage.framesRead == 1)
        #expect(coverage.framesUnread == 2)
        #expect(coverage.sentence.hasSuffix("2 of 3 frames not checked."))
    }

    @Test func `the largest connected part is reported, not the largest sum of parts`() throws {
        // Two columns apart, and a block of two columns.
        let frames = [(try speed(30), try map(118, [0: 255, 4: 3, 5: 3, 9: 255]))]
        let coverage = try #require(Coverage(frames, spacing: .two))
        let worst = try #require(coverage.worst)
        #expect(worst.lack == .dark)
        #expect(worst.share == 0.2)
    }

    @Test func `a missing part never reads as all covered`() throws {
        var blocks = [UInt8](repeating: 118, count: 384 * 256)
        blocks[7] = 255
        let map = try #require(PictureMap(columns: 384, rows: 256, blocks: blocks))
        let coverage = try #require(Coverage([(try speed(30), map)], spacing: .two))
        #expect(!coverage.isCovered)
        #expect(coverage.sentence.hasPrefix("Covered 99.9 %. White in every frame: "))
    }

    @Test func `a map whose numbers disagree is refused`() {
        #expect(PictureMap(columns: 3, rows: 3, blocks: [1]) == nil)
        #expect(PictureMap(columns: 0, rows: 0, blocks: []) == nil)
        #expect(PictureMap(columns: 385, rows: 1, blocks: [UInt8](repeating: 0, count: 385)) == nil)
    }

    @Test func `numbers out of their ranges are not sound`() throws {
        let map = PictureMap(columns: 2, rows: 1, blocks: [255, 118])
        let coverage = try #require(Coverage([(speed: .fastest, map: map)], spacing: .two))
        #expect(coverage.isSound)
        let encoded = try JSONEncoder().encode(coverage)
        let text = String(decoding: encoded, as: UTF8.self)
        for (name, right, wrong) in [("clippedShare", "0.5", "1e300"), ("framesRead", "1", "-1")] {
            let changed = text.replacing("\"\(name)\":\(right)", with: "\"\(name)\":\(wrong)")
            #expect(changed != text)
            let decoded = try JSONDecoder().decode(Coverage.self, from: Data(changed.utf8))
            #expect(!decoded.isSound)
        }
    }

    @Test func `a map of another size counts as a frame that is not read`() throws {
        var tally = CoverageTally()
        tally.add(PictureMap(columns: 2, rows: 1, blocks: [255, 118]), at: .oneSecond)
        tally.add(PictureMap(columns: 1, rows: 1, blocks: [118]), at: .fastest)
        tally.add(nil, at: .fastest)
        let coverage = try #require(Coverage(tally, spacing: .two))
        #expect(coverage.framesRead == 1 && coverage.framesUnread == 2)
        #expect(coverage.worst?.lack == .clipped)
    }
}

@Suite struct LightCheckTests {
    @Test func `frames that follow their speeds have no finding`() throws {
        let frames = [(try speed(20), try map(71)), (try speed(23), try map(118)), (try speed(26), try map(170))]
        #expect(LightCheck.findings(frames).isEmpty)
    }

    @Test func `a frame that is darker than planned is a change of the light`() throws {
        let frames = [(try speed(20), try map(118)), (try speed(26), try map(144))]
        guard case .changed(let ev, 0, 1)? = LightCheck.findings(frames).first else {
            Issue.record("no change found")
            return
        }
        #expect(ev == -1.5)
    }

    @Test func `one stop more time and the same brightness is no response`() throws {
        let frames = [(try speed(20), try map(118)), (try speed(23), try map(119))]
        #expect(LightCheck.findings(frames) == [.noResponse(from: 0, to: 1)])
    }

    @Test func `two frames at one speed that differ are a flicker`() throws {
        let frames = [(try speed(20), try map(118)), (try speed(20), try map(144))]
        #expect(LightCheck.findings(frames) == [.flicker(ev: 0.5, from: 0, to: 1)])
    }

    @Test func `dark and white blocks say nothing`() throws {
        let frames = [(try speed(20), try map(255)), (try speed(23), try map(255))]
        #expect(LightCheck.findings(frames).isEmpty)
    }

    @Test func `a slow change of the light shows in a frame that is repeated at the end`() throws {
        let (first, other) = (try speed(30), try speed(36))
        let darker = [(first, try map(118)), (other, try map(200)), (first, try map(93))]
        #expect(LightCheck.findings(darker) == [.changed(ev: -0.5, from: 0, to: 2)])
        let same = [(first, try map(118)), (other, try map(220)), (first, try map(118))]
        #expect(LightCheck.findings(same).isEmpty)
    }
}

@Suite struct MeteringWarningTests {
    @Test func `every warning has a code and a sentence`() throws {
        let warnings: [MeteringWarning] = [
            .automaticISO, .noResponse(thirds: 3), .liveViewIsNotExposure,
            .highlightsAtLimit(.fastest, share: 0.012), .shadowsAtLimit(.slowest, share: 0.3),
            .lightChanged(ev: -0.8, from: 2, to: 3), .flicker(ev: 0.9), .adaptiveTone("DRO"),
            .previewUnreadable("progressive JPEG"), .noPreview, .frameLimit(12),
        ]
        #expect(Set(warnings.map(\.code)).count == warnings.count)
        #expect(
            warnings.map(\.sentence) == [
                "Set a fixed ISO: ISO AUTO evens out every test frame.",
                "1 EV more time, same brightness: the camera compensated. Check ISO AUTO, aperture, flash.",
                "Live view does not show the exposure; using test shots.",
                "1.2 % of the picture is still white at 1/8000. Close the aperture or add an ND filter.",
                "30 % of the picture is still too dark at 30\". Open the aperture or raise the ISO.",
                "The light fell by 0.8 EV between frames 3 and 4. Later frames are darker than planned.",
                "The lamps flicker: two frames at one speed differ by 0.9 EV.",
                "DRO is on: readings are approximate. Turn it off for metering.",
                "The preview could not be read (progressive JPEG); set not checked.",
                "RAW only: no picture to check. Set RAW+JPEG or meter by hand.",
                "Stopped after 12 frames. The range is not covered.",
            ]
        )
    }

    @Test func `a small share keeps its digits`() {
        #expect(MeteringWarning.highlightsAtLimit(.fastest, share: 0.0002).sentence.hasPrefix("0.02 % "))
    }
}
