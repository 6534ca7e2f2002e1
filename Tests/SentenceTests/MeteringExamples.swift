@testable import Exposure

extension Examples {
    /// The warnings of metering, and what a set of frames covers.
    static func metering() -> [String] {
        let warnings: [MeteringWarning] = [
            .automaticISO, .noResponse(thirds: 3), .noResponse(thirds: -4), .liveViewIsNotExposure,
            .highlightsAtLimit(.fastest, share: 0.012), .shadowsAtLimit(.slowest, share: 0.0003),
            .lightChanged(ev: -0.8, from: 2, to: 3), .lightChanged(ev: 1, from: 0, to: 1), .flicker(ev: 0.9),
            .adaptiveTone("DRO"), .previewUnreadable("progressive JPEG"), .noPreview, .frameLimit(1),
            .frameLimit(12),
        ]
        let points = [
            PicturePointError(text: "middle", reason: .notAPoint), PicturePointError(text: "120,50", reason: .outside),
        ]
        return warnings.map(\.sentence) + coverage() + points.map(\.sentence)
    }

    private static func coverage() -> [String] {
        func frame(_ index: Int, _ blocks: [UInt8]?) -> (speed: ShutterSpeed, map: PictureMap?) {
            (ShutterSpeed(onScale: index), blocks.flatMap { PictureMap(columns: $0.count, rows: 1, blocks: $0) })
        }
        let sets = [
            [frame(20, [118, 118])],
            [frame(20, [118, 118]), frame(26, nil)],
            [frame(20, [118, 118, 118, 255])],
            [frame(20, [118, 3])],
            [frame(20, [118, 3, 3]), frame(32, [118, 255, 255])],
            [frame(0, [255, 118])],
        ]
        return sets.compactMap { Coverage($0, spacing: .two)?.sentence }
    }
}
