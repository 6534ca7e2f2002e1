import Exposure

extension Scene {
    /// A random scene: a background, patches of light, a bright and a deep place that a photographer would meter.
    package static func drawn(from generator: inout SeededGenerator) -> Scene {
        var scene = Scene(columns: 96, rows: 64, base: generator.tenths(in: 40...120))
        scene.name = "random"
        scene.drawCamera(&generator)
        if generator.chance(oneIn: 2) {
            let (from, to) = (scene.base - generator.tenths(in: 0...30), scene.base + generator.tenths(in: 0...30))
            let axis = generator.chance(oneIn: 2) ? SceneShape.Axis.x : .y
            let all = SceneShape.Area.rectangle(x: 0, y: 0, width: 100, height: 100)
            scene.shapes.append(SceneShape(all, .ramp(from: from, to: to, axis)))
        }
        for _ in 0..<generator.next(in: 0...6) {
            let ev = scene.base + generator.tenths(in: -50...50)
            scene.shapes.append(SceneShape(.drawn(from: &generator), .flat(ev), tint: .drawn(from: &generator)))
        }
        scene.drawEnds(&generator)
        return scene
    }

    private mutating func drawCamera(_ generator: inout SeededGenerator) {
        camera.fNumber = generator.pick(from: [4.0, 5.6, 8, 8, 8, 11])
        camera.iso = generator.pick(from: [100.0, 100, 100, 200, 400])
        camera.times = generator.chance(oneIn: 2) ? .nominal : .ideal
        if generator.chance(oneIn: 4) { camera.veil = Double(generator.next(in: 1...20)) / 10_000 }
        if generator.chance(oneIn: 8), let fastest = ShutterSpeed(index: 3) {
            camera.limits = fastest...ShutterSpeed.slowest
        }
    }

    /// Paints the place of the highlight and the place of the shadow. They do not overlap.
    private mutating func drawEnds(_ generator: inout SeededGenerator) {
        let bright = base + generator.tenths(in: 5...65)
        let deep = base - generator.tenths(in: 5...55)
        let isLeft = generator.chance(oneIn: 2)
        for (ev, isInLeftHalf, isBright) in [(bright, isLeft, true), (deep, !isLeft, false)] {
            let width = generator.next(in: 6...30)
            let height = generator.next(in: 9...60)
            let x = generator.next(in: 1...(49 - width)) + (isInLeftHalf ? 0 : 50)
            let y = generator.next(in: 1...(99 - height))
            let area = SceneShape.Area.rectangle(
                x: Double(x),
                y: Double(y),
                width: Double(width),
                height: Double(height)
            )
            shapes.append(SceneShape(area, .flat(ev), tint: .drawn(from: &generator)))
            let middle = PicturePoint(Double(x) + Double(width) / 2, Double(y) + Double(height) / 2)
            if isBright { highlightPoint = middle } else { shadowPoint = middle }
        }
    }
}

extension SceneShape.Area {
    fileprivate static func drawn(from generator: inout SeededGenerator) -> SceneShape.Area {
        let (x, y) = (Double(generator.next(in: 0...95)), Double(generator.next(in: 0...95)))
        if generator.chance(oneIn: 3) { return .disc(x: x, y: y, radius: Double(generator.next(in: 1...15))) }
        let (width, height) = (generator.next(in: 2...50), generator.next(in: 2...50))
        return .rectangle(x: x, y: y, width: Double(width), height: Double(height))
    }
}

extension SceneShape.Tint {
    /// Seven of eight shapes are grey.
    fileprivate static func drawn(from generator: inout SeededGenerator) -> SceneShape.Tint {
        guard generator.chance(oneIn: 8) else { return SceneShape.Tint() }
        return SceneShape.Tint(
            red: generator.tenths(in: -5...5),
            green: generator.tenths(in: -5...5),
            blue: generator.tenths(in: -5...5)
        )
    }
}

extension SeededGenerator {
    /// A random number of tenths.
    fileprivate mutating func tenths(in range: ClosedRange<Int>) -> Double { Double(next(in: range)) / 10 }
}
