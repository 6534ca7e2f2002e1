import Bodies
import Exposure
import Testing

@Suite struct SceneTests {
    /// A window in a dim room, with a deep corner.
    private static let room: Scene = {
        var scene = Scene(columns: 96, rows: 64, base: 5)
        func add(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ tone: SceneShape.Tone) {
            scene.shapes.append(SceneShape(.rectangle(x: x, y: y, width: width, height: height), tone))
        }
        add(0, 0, 100, 100, .ramp(from: 6.5, to: 4.5, .y))
        add(0, 80, 12, 20, .flat(2.5))
        add(62, 15, 26, 40, .flat(13))
        add(66, 18, 6, 10, .flat(14.3))
        return scene
    }()

    @Test func `the right answer of a known scene is computed from its light`() {
        let eye = SceneEye(Self.room)
        let camera = Self.room.camera
        let highlight = eye.highlightLight(share: 0.0005)
        let shadow = eye.shadowLight(share: 0.01)
        #expect(abs(camera.index(rendering: highlight) - 14.1) < 0.01)
        #expect(abs(camera.index(rendering: shadow) - 49.5) < 0.01)
        #expect(Int(camera.index(rendering: highlight, at: 2).rounded(.down)) == 20)
        #expect(Int(camera.index(rendering: shadow, at: -5.0 / 3).rounded(.up)) == 45)
    }

    @Test func `a tone at its grey index has the code of mid-grey on every curve`() throws {
        for curve in SceneCurve.allCases {
            var scene = Scene(columns: 4, rows: 4, base: 13)
            scene.camera.curve = curve
            // f/8, ISO 100, 1/128 s: index 18.
            let codes = SceneEye(scene).picture(at: try #require(ShutterSpeed(index: 18)))
            #expect(codes.allSatisfy { $0.red == 118 && $0.luma == 118 && $0.brightest == 118 }, "\(curve)")
        }
    }

    @Test func `curves pass through their published points`() {
        #expect(SceneCurve.hard.code(at: -2) == 29)
        #expect(SceneCurve.soft.code(at: 3) == 226)
        #expect(SceneCurve.srgb.code(at: 3) == 255)
        #expect(SceneCurve.camera.code(at: 1) == 170)
        for curve in SceneCurve.allCases {
            let codes = stride(from: -10.0, through: 5, by: 0.1).map { curve.code(at: $0) }
            #expect(zip(codes, codes.dropFirst()).allSatisfy(<=))
            #expect(codes.first == 0 || curve == .soft || curve == .srgb)
            #expect(codes.last == 255)
        }
    }

    @Test func `a disc is round and a later shape covers it`() throws {
        var scene = Scene(columns: 100, rows: 50, base: 0)
        scene.shapes = [
            SceneShape(.disc(x: 50, y: 50, radius: 10), .flat(8)),
            SceneShape(.rectangle(x: 50, y: 0, width: 50, height: 100), .flat(4)),
        ]
        let picture = SceneEye(scene).picture(at: .oneSecond)
        let bright = picture.filter { $0.red == 220 }.count
        // Half of a disc with a radius of 10 cells.
        #expect(abs(Double(bright) - .pi * 50) < 12)
    }

    @Test func `colour clips the brightest channel first`() throws {
        var scene = Scene(columns: 2, rows: 2, base: 6)
        scene.shapes = [
            SceneShape(
                .rectangle(x: 0, y: 0, width: 100, height: 100),
                .flat(6),
                tint: SceneShape.Tint(red: 4, green: 0, blue: -2)
            )
        ]
        let codes = try #require(SceneEye(scene).picture(at: .oneSecond).first)
        #expect(codes.brightest == 255)
        #expect(codes.green == 118)
        #expect(codes.blue == 40)
        #expect(codes.luma == 150)
    }

    @Test func `glare lifts the shadows and not the highlights`() throws {
        var scene = Self.room
        let clean = SceneEye(scene)
        scene.camera.veil = 0.01
        let veiled = SceneEye(scene)
        #expect(veiled.shadowLight(share: 0.01) > clean.shadowLight(share: 0.01) + 0.5)
        #expect(abs(veiled.highlightLight(share: 0.0005) - clean.highlightLight(share: 0.0005)) < 0.01)
    }

    @Test func `light drifts, steps and flickers`() {
        var light = SceneLight()
        light.drift = 0.6
        light.steps = [.init(second: 10, ev: -1)]
        #expect(abs(light.change(from: 4, over: 2) - 0.05) < 1e-12)
        #expect(abs(light.change(from: 9, over: 2) + 0.9) < 1e-12)
        var lamps = SceneLight()
        lamps.flicker = .init(hertz: 100, depth: 0.5)
        // Whole periods even out; a short exposure sees a peak or a valley.
        #expect(abs(lamps.change(from: 0.003, over: 0.01)) < 1e-9)
        let short = (0..<20).map { lamps.change(from: Double($0) / 2_000, over: 1 / 1_024) }
        let range = (short.max() ?? 0) - (short.min() ?? 0)
        #expect(abs(range - 1.55) < 0.05)
    }

    @Test func `nominal times stray from the scale by less than a tenth of a stop`() {
        var camera = SceneCamera()
        for speed in ShutterSpeed.all {
            camera.times = .ideal
            let ideal = camera.seconds(speed)
            camera.times = .nominal
            let ratio = camera.seconds(speed) / ideal
            #expect(ratio > 0.93 && ratio < 1.07, "\(speed)")
        }
    }

    @Test func `the same seed gives the same scene and its points lie in its ends`() throws {
        for seed in 1...50 as ClosedRange<UInt64> {
            var (first, second) = (SeededGenerator(seed: seed), SeededGenerator(seed: seed))
            let scene = Scene.drawn(from: &first)
            #expect(scene == Scene.drawn(from: &second))
            let eye = SceneEye(scene)
            let bright = eye.spotLight(at: try #require(scene.highlightPoint), .highlight)
            let deep = eye.spotLight(at: try #require(scene.shadowPoint), .shadow)
            #expect(bright > deep)
        }
    }
}
