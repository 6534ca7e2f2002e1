/// Whether frames changed in brightness as their speeds changed.
package enum LightCheck {
    package enum Finding: Hashable, Sendable {
        /// The light changed between two frames by this many EV; negative is darker.
        case changed(ev: Double, from: Int, to: Int)
        /// Two frames at one speed differ by this many EV.
        case flicker(ev: Double, from: Int, to: Int)
        /// The speed changed and the brightness did not: the camera compensated.
        case noResponse(from: Int, to: Int)
    }

    /// The codes at which the table is certain enough for a difference.
    private static let codes: ClosedRange<UInt8> = 40...220
    /// The smallest number of blocks for a median.
    private static let blocksMin = 16
    /// A difference beyond this is a change of the light, in EV. The table's error is at most 0.3.
    private static let changeMin = 0.5
    private static let flickerMin = 1.0 / 3
    /// A change of at least this many thirds of a stop must show in the picture, by at least this many EV.
    private static let responseThirds = 3
    private static let responseMin = 0.3

    /// Compares each frame with the one before, and with an earlier one at the same speed. The positions of a finding
    /// count from 0.
    package static func findings(_ frames: [(speed: ShutterSpeed, map: PictureMap)]) -> [Finding] {
        let levels = (0...255).map { ToneTable.camera.ev(of: $0) }
        let neighbors = zip(frames, frames.dropFirst()).enumerated().compactMap { position, pair in
            difference(pair.0.map, pair.1.map, levels).flatMap { shown in
                finding(shown, thirds: pair.0.speed.thirds(to: pair.1.speed), from: position, to: position + 1)
            }
        }
        return neighbors + repetitions(frames, levels)
    }

    private static func finding(_ shown: Double, thirds: Int, from: Int, to: Int) -> Finding? {
        if thirds == 0 { return abs(shown) > flickerMin ? .flicker(ev: shown, from: from, to: to) : nil }
        if abs(thirds) >= responseThirds, abs(shown) < responseMin { return .noResponse(from: from, to: to) }
        let change = shown - Double(thirds) / 3
        return abs(change) > changeMin ? .changed(ev: change, from: from, to: to) : nil
    }

    /// Compares frames at one speed that have others between them. The table's error does not matter for them, so they
    /// also show a slow change of the light.
    private static func repetitions(
        _ frames: [(speed: ShutterSpeed, map: PictureMap)],
        _ levels: [Double]
    ) -> [Finding] {
        frames.indices.compactMap { later in
            let before = frames[..<max(0, later - 1)]
            guard let earlier = before.lastIndex(where: { $0.speed == frames[later].speed }),
                let shown = difference(frames[earlier].map, frames[later].map, levels), abs(shown) > flickerMin
            else { return nil }
            return .changed(ev: shown, from: earlier, to: later)
        }
    }

    /// The median difference of the blocks that are well exposed in both frames, in EV; nil: too few such blocks.
    private static func difference(_ first: PictureMap, _ second: PictureMap, _ levels: [Double]) -> Double? {
        guard first.isSameSize(as: second) else { return nil }
        let differences = zip(first.blocks, second.blocks).compactMap { left, right in
            codes ~= left && codes ~= right ? levels[Int(right)] - levels[Int(left)] : nil
        }
        return differences.count < blocksMin ? nil : differences.sorted()[differences.count / 2]
    }
}
