import Exposure
import Testing

private func histogram(_ pixels: [Int: UInt32]) throws -> CodeHistogram {
    var counts = [UInt32](repeating: 0, count: 256)
    for (code, count) in pixels { counts[code] = count }
    return try #require(CodeHistogram(counts: counts))
}

@Suite struct ToneTableTests {
    @Test func `every knot of the table reads back as its light, and all codes ascend`() {
        for knot in ToneTable.camera.knots {
            #expect(ToneTable.camera.ev(of: Int(knot.code)) == knot.ev)
            #expect(ToneTable.camera.code(at: knot.ev) == knot.code)
        }
        let levels = (0...255).map { ToneTable.camera.ev(of: $0) }
        #expect(zip(levels, levels.dropFirst()).allSatisfy(<))
    }

    @Test func `light beyond the table is the first or last code`() {
        #expect(ToneTable.camera.code(at: -30) == 0)
        #expect(ToneTable.camera.code(at: 30) == 255)
    }

    @Test func `a code that says only dark or clipped has no error`() {
        #expect(ToneTable.error(of: 11) == nil)
        #expect(ToneTable.error(of: 250) == nil)
        #expect(ToneTable.error(of: 118) == 0.2)
        #expect(ToneTable.error(of: 245) == 0.54)
    }
}

@Suite struct FrameEndsTests {
    struct Row: CustomTestStringConvertible {
        var brightest: [Int: UInt32]
        var luma: [Int: UInt32]?
        var codes: (Int, Int)
        var highlight: FrameEnds.Shift
        var shadow: FrameEnds.Shift
        var testDescription: String { "\(brightest.sorted { $0.key < $1.key })" }
    }

    static let rows: [Row] = [
        Row(brightest: [118: 10_000], codes: (118, 118), highlight: .thirds(6), shadow: .thirds(-5)),
        Row(brightest: [40: 5_000, 220: 5_000], codes: (220, 40), highlight: .thirds(0), shadow: .thirds(1)),
        Row(
            brightest: [40: 2_000, 118: 7_900, 255: 100],
            codes: (255, 40),
            highlight: .clipped,
            shadow: .thirds(1)
        ),
        Row(
            brightest: [60: 3_000, 197: 6_996, 255: 4],
            codes: (197, 60),
            highlight: .thirds(1),
            shadow: .thirds(-1)
        ),
        Row(
            brightest: [29: 1_000, 118: 8_000, 235: 1_000],
            codes: (235, 29),
            highlight: .thirds(-2),
            shadow: .thirds(3)
        ),
        Row(
            brightest: [3: 90, 21: 500, 118: 9_410],
            codes: (118, 21),
            highlight: .thirds(6),
            shadow: .thirds(4)
        ),
        Row(brightest: [3: 200, 53: 5_000, 144: 4_800], codes: (144, 3), highlight: .thirds(4), shadow: .dark),
        // A red sign.
        Row(
            brightest: [71: 9_700, 255: 300],
            luma: [71: 9_700, 76: 300],
            codes: (255, 71),
            highlight: .clipped,
            shadow: .thirds(-2)
        ),
        Row(brightest: [12: 1_000, 93: 9_000], codes: (93, 12), highlight: .thirds(7), shadow: .thirds(7)),
        Row(
            brightest: [180: 4_000, 205: 5_000, 239: 1_000],
            codes: (239, 180),
            highlight: .thirds(-2),
            shadow: .thirds(-8)
        ),
        Row(brightest: [0: 10_000], codes: (0, 0), highlight: .dark, shadow: .dark),
        Row(brightest: [255: 10_000], codes: (255, 255), highlight: .clipped, shadow: .thirds(-15)),
    ]

    @Test(arguments: rows)
    func `the ends of a histogram and their shifts are exact`(row: Row) throws {
        let brightest = try histogram(row.brightest)
        let ends = FrameEnds(brightest: brightest, luma: try row.luma.map(histogram) ?? brightest)
        #expect(ends.highlightCode == row.codes.0)
        #expect(ends.shadowCode == row.codes.1)
        #expect(ends.highlight == row.highlight)
        #expect(ends.shadow == row.shadow)
    }

    @Test func `a point becomes mid-grey by a rounded shift`() {
        #expect(FrameEnds.greyShift(of: 71) == 3)
        #expect(FrameEnds.greyShift(of: 130) == -1)
        #expect(FrameEnds.greyShift(of: 144) == -2)
        #expect(FrameEnds.greyShift(of: 118) == 0)
    }

    @Test func `a histogram without pixels or with a wrong size is refused`() {
        #expect(CodeHistogram(counts: [UInt32](repeating: 0, count: 256)) == nil)
        #expect(CodeHistogram(counts: [1, 2]) == nil)
    }
}

@Suite struct MissingFramesTests {
    private static func missing(_ fired: [Int], _ first: Int, _ last: Int, _ spacing: Spacing) throws -> [Int] {
        MissingFrames.speeds(
            fired: try fired.map { try #require(ShutterSpeed(index: $0)) },
            highlight: try #require(ShutterSpeed(index: first)),
            shadow: try #require(ShutterSpeed(index: last)),
            spacing: spacing
        ).map(\.index)
    }

    @Test func `two frames at hand leave the ends and the middles of two gaps`() throws {
        #expect(try Self.missing([24, 33], 20, 45, .two) == [20, 29, 39, 45])
    }

    @Test func `a complete set lacks nothing`() throws {
        #expect(try Self.missing([20, 26, 32, 38, 44, 50], 20, 45, .two).isEmpty)
        #expect(try Self.missing([20], 20, 20, .one).isEmpty)
    }

    /// Frames that are farther out than one spacing do not count as an end.
    @Test func `frames far outside the range do not count`() throws {
        #expect(try Self.missing([2, 54], 20, 26, .two) == [20, 26])
    }

    @Test(arguments: Spacing.allCases)
    func `after the missing frames the range is covered and has no gap`(spacing: Spacing) throws {
        let step = spacing.stepThirds
        for first in stride(from: 0, through: 54, by: 3) {
            for last in stride(from: first, through: 54, by: 2) {
                for fired in [[], [first], [(first + last) / 2], [max(first - 2, 0), last], [7, 22, 41]] {
                    let all = Set(fired + (try Self.missing(fired, first, last, spacing))).sorted()
                    #expect(all.contains { first - step < $0 && $0 <= first }, "\(first) \(last) \(fired)")
                    #expect(all.contains { last <= $0 && $0 < last + step }, "\(first) \(last) \(fired)")
                    let inner = all.filter { first - step < $0 && $0 < last + step }
                    #expect(zip(inner, inner.dropFirst()).allSatisfy { $1 - $0 <= step }, "\(first) \(last) \(fired)")
                }
            }
        }
    }
}
