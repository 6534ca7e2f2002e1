import Cameras
import Exposure

/// Sees a scene as a camera does: light to JPEG codes.
///
/// Cells with equal light share one entry, so a picture of thousands of cells costs a hundred curve readings.
package struct SceneEye: Sendable {
    /// The JPEG codes of a cell.
    package struct Codes: Hashable, Sendable {
        package var red: UInt8
        package var green: UInt8
        package var blue: UInt8

        package var brightest: UInt8 { max(red, green, blue) }

        /// JFIF luma, Y.
        package var luma: UInt8 { weighted([299, 587, 114], from: 0) }

        /// JFIF Cb.
        var blueness: UInt8 { weighted([-169, -331, 500], from: 128) }

        /// JFIF Cr.
        var redness: UInt8 { weighted([500, -419, -81], from: 128) }

        private func weighted(_ weights: [Int], from middle: Int) -> UInt8 {
            let sum = zip(weights, [red, green, blue]).reduce(middle * 1_000 + 500) { $0 + $1.0 * Int($1.1) }
            return UInt8(min(max(sum / 1_000, 0), 255))
        }
    }

    /// The light of a cell per channel, as EV100.
    private struct Light: Hashable {
        var red: Double
        var green: Double
        var blue: Double
    }

    package let scene: Scene
    /// The different lights, in the order of their first cell.
    private let lights: [Light]
    private let cellCounts: [Int]
    /// The position in `lights` of each cell, row by row.
    private let cells: [Int]

    package init(_ scene: Scene) {
        self.scene = scene
        var places: [Light: Int] = [:]
        var painted: [Light] = []
        cells = (0..<scene.rows * scene.columns).map { cell in
            let light = Self.paint(scene, cell)
            if let place = places[light] { return place }
            places[light] = painted.count
            painted.append(light)
            return painted.count - 1
        }
        var counts = Array(repeating: 0, count: painted.count)
        for place in cells { counts[place] += 1 }
        cellCounts = counts
        lights = Self.veiled(painted, counts, scene.camera.veil)
    }

    private static func paint(_ scene: Scene, _ cell: Int) -> Light {
        let point = PicturePoint(
            (Double(cell % scene.columns) + 0.5) * 100 / Double(scene.columns),
            (Double(cell / scene.columns) + 0.5) * 100 / Double(scene.rows)
        )
        let aspect = Double(scene.rows) / Double(scene.columns)
        for shape in scene.shapes.reversed() {
            guard let ev = shape.light(at: point, aspect: aspect) else { continue }
            return Light(red: ev + shape.tint.red, green: ev + shape.tint.green, blue: ev + shape.tint.blue)
        }
        return Light(red: scene.base, green: scene.base, blue: scene.base)
    }

    /// Adds glare, which is a share of the mean light.
    private static func veiled(_ lights: [Light], _ counts: [Int], _ veil: Double) -> [Light] {
        guard veil > 0 else { return lights }
        let total = Double(counts.reduce(0, +))
        func with(_ channel: (Light) -> Double) -> [Double] {
            let linear = lights.map { Logarithm.power(channel($0)) }
            let mean = zip(linear, counts).reduce(0) { $0 + $1.0 * Double($1.1) } / total
            return linear.map { Logarithm.base2($0 + veil * mean) }
        }
        let (red, green, blue) = (with(\.red), with(\.green), with(\.blue))
        return lights.indices.map { Light(red: red[$0], green: green[$0], blue: blue[$0]) }
    }

    // MARK: Pictures

    /// The codes of every cell, row by row.
    ///
    /// - Parameters:
    ///   - speed: the shutter speed.
    ///   - start: when the shutter opens, in seconds from the scene's start.
    package func picture(at speed: ShutterSpeed, start: Double = 0) -> [Codes] {
        picture(exposedBy: exposure(at: speed, start: start))
    }

    /// The picture with the noise of a full-frame sensor, one draw per channel of a cell.
    package func picture(
        at speed: ShutterSpeed,
        start: Double = 0,
        noise: inout SeededGenerator
    ) -> [Codes] {
        picture(exposedBy: exposure(at: speed, start: start), noise: &noise)
    }

    /// The still picture of a body's frame, with the aperture and the ISO of the frame.
    func picture(of frame: CardFrame) -> [Codes] {
        let exposure = exposure(of: frame)
        guard scene.camera.hasNoise else { return picture(exposedBy: exposure) }
        var noise = SeededGenerator(seed: UInt64(frame.number))
        return picture(exposedBy: exposure, noise: &noise)
    }

    /// What a frame's exposure adds to a cell's light, so that zero is mid-grey, in EV.
    func exposure(of frame: CardFrame) -> Double {
        var seconds = Self.seconds(frame.exposure)
        if case .speed(let speed) = frame.speed.reading { seconds = scene.camera.seconds(speed) }
        return exposure(
            over: max(seconds, Self.secondsMin),
            start: Self.seconds(frame.at),
            settingsEV: scene.camera.settingsEV(of: frame.settings)
        )
    }

    /// The side of a cell in a still picture, in pixels.
    static let stillCellSide = 16
    /// The shortest exposure in BULB.
    private static let secondsMin = 1e-6

    private static func seconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// - Parameter exposure: what the exposure adds to a cell's light, so that zero is mid-grey, in EV.
    func picture(exposedBy exposure: Double) -> [Codes] {
        let curve = scene.camera.curve
        let palette = lights.map { light in
            Codes(
                red: UInt8(curve.code(at: light.red + exposure)),
                green: UInt8(curve.code(at: light.green + exposure)),
                blue: UInt8(curve.code(at: light.blue + exposure))
            )
        }
        return cells.map { palette[$0] }
    }

    private func picture(exposedBy exposure: Double, noise: inout SeededGenerator) -> [Codes] {
        let curve = scene.camera.curve
        func code(_ light: Double, _ generator: inout SeededGenerator) -> UInt8 {
            let clean = Logarithm.power(light + exposure)
            // 3500 electrons at mid-grey, 3 electrons of read noise.
            let deviation = (9 + 3_500 * clean).squareRoot() / 3_500
            let noisy = clean + deviation * generator.nextNormal()
            return UInt8(curve.code(at: Logarithm.base2(max(noisy, 1e-6))))
        }
        return cells.map { place in
            let light = lights[place]
            let (red, green) = (code(light.red, &noise), code(light.green, &noise))
            return Codes(red: red, green: green, blue: code(light.blue, &noise))
        }
    }

    /// The numbers that a meter reads in a picture: each cell is a block.
    package func light(at speed: ShutterSpeed, start: Double = 0) -> PictureLight? {
        light(of: picture(at: speed, start: start))
    }

    /// The numbers of a picture of this scene.
    package func light(of picture: [Codes]) -> PictureLight? {
        var (brightest, luma) = ([UInt32](repeating: 0, count: 256), [UInt32](repeating: 0, count: 256))
        let blocks = picture.map { codes in
            brightest[Int(codes.brightest)] += 1
            luma[Int(codes.luma)] += 1
            return codes.brightest >= UInt8(ToneTable.clippedCode) ? PictureMap.white : codes.luma
        }
        guard let brightest = CodeHistogram(counts: brightest), let luma = CodeHistogram(counts: luma),
            let map = PictureMap(columns: scene.columns, rows: scene.rows, blocks: blocks)
        else { return nil }
        return PictureLight(brightest: brightest, luma: luma, map: map)
    }

    private func exposure(at speed: ShutterSpeed, start: Double) -> Double {
        exposure(over: scene.camera.seconds(speed), start: start, settingsEV: scene.camera.settingsEV)
    }

    private func exposure(over seconds: Double, start: Double, settingsEV: Double) -> Double {
        scene.light.change(from: start, over: seconds) - settingsEV + Logarithm.base2(seconds)
    }
}

// MARK: The right answer

extension SceneEye {
    /// The least light such that at most this share of the cells have a brighter channel, in EV100.
    package func highlightLight(share: Double) -> Double {
        end(share: share, lights.map { -max($0.red, $0.green, $0.blue) }) * -1
    }

    /// The largest light such that at most this share of the cells have less luma, in EV100.
    package func shadowLight(share: Double) -> Double { end(share: share, lights.map(Self.luma)) }

    /// The light that a body's average meter reads: the mean of linear luma, in EV100.
    package var meteredLight: Double {
        let sum = zip(lights, cellCounts).reduce(0.0) { $0 + Logarithm.power(Self.luma($1.0)) * Double($1.1) }
        return Logarithm.base2(sum / Double(cells.count))
    }

    /// The median of luma over all cells, in EV100.
    var medianLight: Double {
        let values: [(Double, Int)] = zip(lights.map(Self.luma), cellCounts).sorted { $0.0 < $1.0 }
        var below = 0
        for (light, count) in values {
            below += count
            if below * 2 >= cells.count { return light }
        }
        return 0
    }

    /// The median light of the cells around a point, in EV100: of the brightest channel, or of luma.
    package func spotLight(at point: PicturePoint, _ end: SceneEnd) -> Double {
        let values = spotCells(at: point).map { cell in
            let light = lights[cells[cell]]
            return end == .highlight ? max(light.red, light.green, light.blue) : Self.luma(light)
        }
        return values.sorted()[values.count / 2]
    }

    /// The median code of the cells around a point: of the brightest channel, or of luma.
    package func spotCode(at point: PicturePoint, _ end: SceneEnd, in picture: [Codes]) -> Int {
        let codes = spotCells(at: point).map { cell in
            Int(end == .highlight ? picture[cell].brightest : picture[cell].luma)
        }
        return codes.sorted()[codes.count / 2]
    }

    /// The cells in a box of 3 % of the width, at least the one at the point.
    private func spotCells(at point: PicturePoint) -> [Int] {
        let (width, height) = (Double(scene.columns), Double(scene.rows))
        let half = width * 0.015
        let (x, y) = (point.x / 100 * width, point.y / 100 * height)
        let own = min(Int(y), scene.rows - 1) * scene.columns + min(Int(x), scene.columns - 1)
        let near = cells.indices.filter { cell in
            let (column, row) = (Double(cell % scene.columns) + 0.5, Double(cell / scene.columns) + 0.5)
            return abs(column - x) <= half && abs(row - y) <= half
        }
        return near.isEmpty ? [own] : near
    }

    /// Linear luma as EV100.
    private static func luma(_ light: Light) -> Double {
        if light.red == light.green && light.green == light.blue { return light.green }
        let linear =
            0.2126 * Logarithm.power(light.red) + 0.7152 * Logarithm.power(light.green)
            + 0.0722 * Logarithm.power(light.blue)
        return Logarithm.base2(linear)
    }

    /// The largest value such that at most this share of the cells are below it.
    private func end(share: Double, _ values: [Double]) -> Double {
        let allowed = share * Double(cells.count)
        var below = 0
        var last = values.first ?? 0
        for (value, count) in zip(values, cellCounts).sorted(by: { $0.0 < $1.0 }) {
            last = value
            below += count
            if Double(below) > allowed { break }
        }
        return last
    }
}

extension SeededGenerator {
    /// A number that is nearly normally distributed, with the mean 0 and the deviation 1: the sum of twelve draws.
    mutating func nextNormal() -> Double {
        let sum = (0..<12).reduce(0.0) { sum, _ in sum + Double(next() >> 11) / Double(1 << 53) }
        return sum - 6
    }
}
