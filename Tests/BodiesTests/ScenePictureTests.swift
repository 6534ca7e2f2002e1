import Bodies
import Cameras
import Exposure
import JSON
import NIOCore
import PTP
import Testing

/// Bodies that see a scene.
struct ScenePictureTests {
    private static let iso = 200

    private func frame(_ label: String, aperture: Int = 800, iso: Int = iso) throws -> CardFrame {
        let speed = try ShutterSpeed(parsing: label)
        return CardFrame(
            number: 1,
            speed: BodySpeed(speed),
            at: .seconds(5),
            exposure: speed.exposureTime,
            settings: FrameSettings(iso: iso, aperture: aperture)
        )
    }

    private func scene(_ change: (inout Scene) -> Void = { _ in }) -> Scene {
        var scene = Scene(columns: 6, rows: 4, base: 13)
        scene.camera.iso = Double(Self.iso)
        change(&scene)
        return scene
    }

    /// The grey codes of the blocks of a frame's JPEG, row by row.
    private func greys(_ scene: Scene, _ frame: CardFrame) throws -> [Int] {
        var picture = SimulatedPicture(model: "ILCE-7M4", firmware: "1.00", frame: frame)
        picture.scene = SceneEye(scene)
        return try JPEGReader.greys(picture.jpeg().joined(), count: 96, channels: 3)
    }

    @Test func `a still picture has 16 pixels for each cell, with the codes of the curve`() throws {
        // At ISO 200, f/8 and 1/250 s (ideally 1/256 s), EV100 13 is mid-grey.
        let greys = try greys(scene(), try frame("1/250"))
        #expect(greys.count == 12 * 8)
        #expect(greys.allSatisfy { $0 == 118 })
    }

    @Test func `aperture, ISO and time of the frame change the picture, not the scene's own`() throws {
        let scene = scene()
        #expect(try greys(scene, try frame("1/125")).first == 170)
        #expect(try greys(scene, try frame("1/250", iso: 100)).first == 71)
        #expect(try greys(scene, try frame("1/250", aperture: 400)).first == 220)
        #expect(try greys(scene, try frame("30s")).allSatisfy { $0 == 255 })
        #expect(try greys(scene, try frame("1/8000")).first == 6)
    }

    @Test func `light that changes counts from the body's start`() throws {
        let brighter = scene { $0.light.steps = [SceneLight.Step(second: 4, ev: 1)] }
        let later = scene { $0.light.steps = [SceneLight.Step(second: 6, ev: 1)] }
        #expect(try greys(brighter, try frame("1/250")).first == 170)
        #expect(try greys(later, try frame("1/250")).first == 118)
    }

    @Test func `noise is the same for the same frame, and only there if it is wanted`() throws {
        let noisy = scene { $0.camera.hasNoise = true }
        let greys = try greys(noisy, try frame("1/250"))
        #expect(Set(greys).count > 1)
        #expect(greys.allSatisfy { abs($0 - 118) < 12 })
        #expect(try self.greys(noisy, try frame("1/250")) == greys)
    }

    @Test func `a body over HTTP starts with the aperture and the ISO of the scene, and its pictures show it`() throws {
        let scene = scene { $0.camera.fNumber = 5.6 }
        let initiator = try SonyHTTPInitiator(model: .a6300) { $0.scene = SceneEye(scene) }
        initiator.start()
        #expect(initiator.call("getFNumber") == .result(["5.6"]))
        #expect(initiator.call("getIsoSpeedRate") == .result(["200"]))
        #expect(initiator.call("setFocusMode", "MF", waiting: .milliseconds(100)) == .result([0]))
        // Two stops more light than at f/8 and ISO 100, and two stops less time than 1/125 s.
        let reply = initiator.get(try initiator.fire("1/500"))
        let greys = try JPEGReader.greys(reply.body, count: 12 * 8, channels: 3)
        #expect(greys.allSatisfy { (115...121).contains($0) })
    }
}
