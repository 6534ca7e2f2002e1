import Bodies
import Exposure
import Testing

@testable import camerasim

struct SceneFileTests {
    private func read(_ text: String) throws -> SceneFile { try SceneFile(parsing: text.utf8) }

    /// The sentence about a wrong file.
    private func refusal(_ text: String) -> String? {
        do {
            _ = try read(text)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `every member of a scene is read`() throws {
        let file = try read(
            """
            {"scene":1, "name":"window", "grid":[96,64], "base":5,
             "shapes":[{"ramp":[0,0,100,100],"from":6.5,"to":4.5,"along":"y"},
                       {"rect":[0,80,12,20],"ev":2.5,"rgb":[0.5,0,-0.5]}, {"disc":[50,40,3],"ev":14.3}],
             "points":{"shadow":[6,90],"highlight":[50,40]},
             "light":{"drift":0.5,"steps":[[10,-1]],"flicker":{"hz":100,"depth":0.5,"phase":1}},
             "camera":{"fNumber":5.6,"iso":200,"curve":"hard","veil":0.001,"times":"nominal","limits":[3,50],
                       "liveView":"limited"}}
            """
        )
        var scene = Scene(columns: 96, rows: 64, base: 5)
        scene.name = "window"
        scene.shapes = [
            SceneShape(.rectangle(x: 0, y: 0, width: 100, height: 100), .ramp(from: 6.5, to: 4.5, .y)),
            SceneShape(
                .rectangle(x: 0, y: 80, width: 12, height: 20),
                .flat(2.5),
                tint: SceneShape.Tint(red: 0.5, blue: -0.5)
            ),
            SceneShape(.disc(x: 50, y: 40, radius: 3), .flat(14.3)),
        ]
        scene.shadowPoint = PicturePoint(6, 90)
        scene.highlightPoint = PicturePoint(50, 40)
        scene.light.drift = 0.5
        scene.light.steps = [SceneLight.Step(second: 10, ev: -1)]
        scene.light.flicker = SceneLight.Flicker(hertz: 100, depth: 0.5, phase: 1)
        scene.camera.fNumber = 5.6
        scene.camera.iso = 200
        scene.camera.curve = .hard
        scene.camera.veil = 0.001
        scene.camera.times = .nominal
        scene.camera.limits = try #require(ShutterSpeed(index: 3))...(try #require(ShutterSpeed(index: 50)))
        scene.camera.liveView = .limited
        #expect(file.scene == scene)
        #expect(file.unknownMembers.isEmpty)
        #expect(file.speeds?.first == ShutterSpeed(index: 50))
        #expect(file.speeds?.count == 48)
    }

    @Test func `a scene needs a version, a grid and a base, and the rest has defaults`() throws {
        let file = try read(#"{"scene":1,"grid":[8,4],"base":13}"#)
        #expect(file.scene == Scene(columns: 8, rows: 4, base: 13))
        #expect(file.speeds == nil)
        #expect(refusal(#"{"grid":[8,4],"base":13}"#)?.hasPrefix("scene: ") == true)
        #expect(refusal(#"{"scene":1,"base":13}"#)?.hasPrefix("grid: ") == true)
        #expect(refusal(#"{"scene":1,"grid":[8,4]}"#)?.hasPrefix("base: ") == true)
        #expect(refusal(#"{"scene":2,"grid":[8,4],"base":13}"#)?.contains("2") == true)
    }

    @Test(arguments: [
        (#""shapes":[{"ev":3}]"#, "shapes[0]: "),
        (#""shapes":[{"rect":[0,0,1],"ev":3}]"#, "shapes[0].rect: "),
        (#""shapes":[{"rect":[0,0,1,"1"],"ev":3}]"#, "shapes[0].rect: "),
        (#""shapes":[{"disc":[0,0,1],"ev":99}]"#, "shapes[0].ev: "),
        (#""shapes":[{"ramp":[0,0,9,9],"from":3,"to":4,"along":"z"}]"#, "shapes[0].along: "),
        (#""shapes":{}"#, "shapes: "),
        (#""points":{"shadow":[120,50]}"#, "points.shadow: "),
        (#""light":{"steps":[[1]]}"#, "light.steps: "),
        (#""light":{"flicker":{"hz":0,"depth":1}}"#, "light.flicker.hz: "),
        (#""camera":{"curve":"log"}"#, "camera.curve: "),
        (#""camera":{"limits":[9,3]}"#, "camera.limits: "),
        (#""camera":[]"#, "camera: "),
    ])
    func `a wrong member is named with its place`(member: String, place: String) throws {
        let sentence = try #require(refusal(#"{"scene":1,"grid":[8,4],"base":13,\#(member)}"#))
        #expect(sentence.hasPrefix(place), "\(sentence)")
    }

    @Test func `a grid beyond the limits, other text and no text are refused`() {
        #expect(refusal(#"{"scene":1,"grid":[385,4],"base":13}"#)?.hasPrefix("grid: ") == true)
        #expect(refusal(#"{"scene":1,"grid":[0,4],"base":13}"#)?.hasPrefix("grid: ") == true)
        #expect(refusal("")?.contains("JSON") == true)
        #expect(refusal("[]")?.hasPrefix("the scene: ") == true)
        #expect(refusal(#"{"scene":1,"#)?.contains("byte 11") == true)
    }

    @Test func `an unknown member is reported and changes nothing`() throws {
        let file = try read(#"{"scene":1,"grid":[8,4],"base":13,"seed":7,"camera":{"lens":"50"}}"#)
        #expect(file.unknownMembers == ["seed", "camera.lens"])
    }
}
