import Bodies
import Exposure
import JSON

// The parts of a scene's file.

extension SceneReader {
    /// Positions may lie outside the frame, so that a shape may be cut.
    private static let position = -1_000.0...1_000.0
    private static let length = 0.0...2_000.0
    private static let percent = 0.0...100.0
    /// EV that a tint or a change of light adds.
    private static let difference = -40.0...40.0
    private static let stepsMax = 1_000
    private static let seconds = 0.0...1e9

    mutating func scene() throws(ArgumentError) -> Scene {
        let grid = try numbers("grid", [1...Double(Scene.columnsMax), 1...Double(Scene.rowsMax)])
        let base = try number("base", in: Scene.lightRange)
        var scene = Scene(columns: Int(grid[0]), rows: Int(grid[1]), base: base)
        scene.name = try text("name")
        for (index, value) in try list("shapes", max: Scene.shapesMax).enumerated() {
            let reader = try SceneReader(value, at: "shapes[\(index)].", members: Self.shapeMembers)
            scene.shapes.append(try reader.shape())
            note(reader)
        }
        if let points = try object("points", ["shadow", "highlight"]) {
            scene.shadowPoint = try points.point("shadow")
            scene.highlightPoint = try points.point("highlight")
            note(points)
        }
        if var light = try object("light", ["drift", "steps", "flicker"]) {
            scene.light = try light.light()
            note(light)
        }
        if let camera = try object("camera", Self.cameraMembers) {
            scene.camera = try camera.camera()
            note(camera)
        }
        return scene
    }

    private func point(_ name: String) throws(ArgumentError) -> PicturePoint? {
        guard has(name) else { return nil }
        let place = try numbers(name, [Self.percent, Self.percent])
        return PicturePoint(place[0], place[1])
    }

    // MARK: Shapes

    private static let shapeMembers = ["rect", "disc", "ramp", "ev", "from", "to", "along", "rgb"]

    private func shape() throws(ArgumentError) -> SceneShape {
        var tint = SceneShape.Tint()
        if has("rgb") {
            let channels = try numbers("rgb", Array(repeating: Self.difference, count: 3))
            tint = SceneShape.Tint(red: channels[0], green: channels[1], blue: channels[2])
        }
        switch ["rect", "disc", "ramp"].filter(has) {
        case ["rect"]: return SceneShape(try rectangle("rect"), .flat(try light("ev")), tint: tint)
        case ["disc"]:
            let disc = try numbers("disc", [Self.position, Self.position, Self.length])
            let area = SceneShape.Area.disc(x: disc[0], y: disc[1], radius: disc[2])
            return SceneShape(area, .flat(try light("ev")), tint: tint)
        case ["ramp"]:
            let axis = try choice("along", SceneShape.Axis.x, of: [.x, .y])
            let tone = SceneShape.Tone.ramp(from: try light("from"), to: try light("to"), axis)
            return SceneShape(try rectangle("ramp"), tone, tint: tint)
        default: throw noKind
        }
    }

    private func rectangle(_ name: String) throws(ArgumentError) -> SceneShape.Area {
        let sides = try numbers(name, [Self.position, Self.position, Self.length, Self.length])
        return .rectangle(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
    }

    private func light(_ name: String) throws(ArgumentError) -> Double { try number(name, in: Scene.lightRange) }

    // MARK: Light

    private mutating func light() throws(ArgumentError) -> SceneLight {
        var light = SceneLight()
        light.drift = try number("drift", in: Self.difference, or: 0)
        for value in try list("steps", max: Self.stepsMax) {
            let step = value.arrayValue?.compactMap(\.doubleValue) ?? []
            guard step.count == 2, Self.seconds.contains(step[0]), Self.difference.contains(step[1]) else {
                throw wrongStep
            }
            light.steps.append(SceneLight.Step(second: step[0], ev: step[1]))
        }
        if let flicker = try object("flicker", ["hz", "depth", "phase"]) {
            light.flicker = SceneLight.Flicker(
                hertz: try flicker.number("hz", in: 1...10_000),
                depth: try flicker.number("depth", in: 0...1),
                phase: try flicker.number("phase", in: -1_000...1_000, or: 0)
            )
            note(flicker)
        }
        return light
    }

    // MARK: Camera

    private static let cameraMembers = ["fNumber", "iso", "curve", "veil", "times", "limits", "liveView"]

    private func camera() throws(ArgumentError) -> SceneCamera {
        var camera = SceneCamera()
        camera.fNumber = try number("fNumber", in: 0.7...128, or: camera.fNumber)
        camera.iso = try number("iso", in: 1...1_000_000, or: camera.iso)
        camera.curve = try choice("curve", camera.curve, of: SceneCurve.allCases)
        camera.veil = try number("veil", in: 0...1, or: 0)
        camera.times = try choice("times", camera.times, of: [.ideal, .nominal])
        camera.liveView = try choice("liveView", camera.liveView, of: [.exposure, .gain, .limited, .lag])
        if has("limits") {
            let indexes = Double(ShutterSpeed.fastest.index)...Double(ShutterSpeed.slowest.index)
            let ends = try numbers("limits", [indexes, indexes])
            guard let fastest = ShutterSpeed(index: Int(ends[0])), let slowest = ShutterSpeed(index: Int(ends[1])),
                fastest <= slowest
            else { throw wrongLimits }
            camera.limits = fastest...slowest
        }
        return camera
    }
}
