/// The search for the speeds that make spots mid-grey: each frame is read at every spot, and the next frame is the one
/// that says most about the first spot that is not settled. The frames also show the camera's curve.
package struct SpotSearch: Hashable, Sendable {
    /// The largest number of frames. Three are usual.
    package static let framesMax = 8

    /// The camera's speeds, fastest first.
    package let available: [ShutterSpeed]
    package private(set) var spots: [SpotReadings]
    /// The frames that were read, in their order.
    package private(set) var frames: [Frame] = []
    /// What the frames show of the camera's curve.
    package private(set) var tones = ToneModel.usual

    package struct Frame: Hashable, Sendable {
        /// The speed that the picture reports.
        package let speed: ShutterSpeed
        /// The whole picture; nil: only the spots were read.
        package let map: PictureMap?
    }

    /// - Parameter available: the camera's speeds, at least one, in any order.
    package init(spotCount: Int, available: [ShutterSpeed]) {
        precondition(spotCount > 0 && !available.isEmpty, "a search needs a spot and a speed")
        self.available = available.sorted()
        spots = Array(repeating: SpotReadings(), count: spotCount)
    }

    /// Adds a frame with the code of each spot. The rest of the picture shows the camera's curve.
    package mutating func read(_ codes: [Int], at speed: ShutterSpeed, map: PictureMap? = nil) {
        precondition(codes.count == spots.count, "one code per spot")
        for frame in frames {
            if let map, let last = frame.map { learn(last, map, thirds: frame.speed.thirds(to: speed)) }
        }
        for (spot, code) in zip(spots, codes) {
            for reading in spot.readings where reading.isUsable && Self.usableCodes ~= code {
                tones.learn(reading.code, code, thirds: reading.speed.thirds(to: speed))
            }
        }
        frames.append(Frame(speed: speed, map: map))
        for (index, code) in codes.enumerated() { spots[index].add(code, at: speed) }
    }

    /// The next frame, which says most; nil: all spots are settled or beyond the camera's speeds, or no frame is left.
    package var next: ShutterSpeed? {
        guard frames.count < Self.framesMax else { return nil }
        for spot in spots {
            if case .test(let speed) = spot.verdict(in: available, tones: tones) { return speed }
        }
        return nil
    }

    private static let usableCodes = ToneTable.darkCode..<ToneTable.clippedCode
    /// The smallest number of blocks with a code whose mean in the other frame counts.
    private static let blocksMin = 8
    /// The distance between the codes that are compared, so that a picture with many tones does not count too often.
    private static let codeStride = 24

    /// Compares two pictures block by block. Nothing is aligned: the camera stands on a tripod.
    private mutating func learn(_ first: PictureMap, _ second: PictureMap, thirds: Int) {
        guard first.isSameSize(as: second), thirds != 0 else { return }
        var (counts, sums) = ([Int](repeating: 0, count: 256), [Int](repeating: 0, count: 256))
        for (left, right) in zip(first.blocks, second.blocks) where Self.usableCodes ~= Int(right) {
            counts[Int(left)] += 1
            sums[Int(left)] += Int(right)
        }
        let start = ToneTable.darkCode
        for group in stride(from: start, to: ToneTable.clippedCode, by: Self.codeStride) {
            let codes = group..<min(group + Self.codeStride, ToneTable.clippedCode)
            guard let code = codes.max(by: { counts[$0] < counts[$1] }), counts[code] >= Self.blocksMin else {
                continue
            }
            let mean = (sums[code] + counts[code] / 2) / counts[code]
            tones.learn(code, mean, thirds: thirds)
        }
    }
}
