import Cameras
import Controller
import NIOCore
import Testing
import Worlds

/// The requests of clients for a picture of the live view.
@Suite struct LiveViewRequestTests {
    /// A JPEG of 96 × 64 pixels.
    private static let jpeg: [UInt8] = [
        0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 64, 0, 96, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 1, 0xFF,
        0xD9,
    ]

    private static func frame() throws -> LiveViewFrame {
        LiveViewFrame(try LiveViewJPEG(parsing: ByteBuffer(bytes: jpeg)), exposure: .shown)
    }

    private static func connected(_ answer: LiveViewAnswer?) -> Bench {
        var camera = ScriptedCamera()
        camera.liveView = answer
        return Bench(camera)
    }

    private static func receivedNone(_ bench: Bench) -> Bool {
        !bench.scripted.commands.contains { if case .liveView = $0 { true } else { false } }
    }

    @Test func `the picture is answered with the speed of the camera`() throws {
        let frame = try Self.frame()
        var bench = Self.connected(.frame(frame))
        let id = bench.ask(.snapshot(.large))
        guard case .reply(.liveView(let report), continues: false)? = bench.answers(to: id).first else {
            Issue.record("\(bench.answers(to: id))")
            return
        }
        #expect(report.frame == frame && report.speed != nil)
        #expect(bench.scripted.commands.contains(.liveView(.large)))
    }

    @Test func `a picture that is not valid is an error with a sentence`() {
        var bench = Self.connected(.unreadable(.cut))
        let id = bench.ask(.snapshot(nil))
        #expect(bench.answers(to: id) == [.error(.liveViewRefused(sentence: LiveViewError.cut.sentence))])
    }

    @Test func `a request is refused during a shoot, and the camera receives nothing`() throws {
        var bench = Self.connected(.frame(try Self.frame()))
        bench.ask(.shoot(PlanInput(shadow: "1/4", highlight: "1/60", frames: 3, spacing: 1), streams: false))
        let id = bench.ask(.snapshot(nil))
        guard case .error(.notNow(command: "Snapshot", state: _, let sentence))? = bench.answers(to: id).first else {
            Issue.record("\(bench.answers(to: id))")
            return
        }
        #expect(sentence.hasPrefix("A shoot is running or paused."))
        #expect(Self.receivedNone(bench))
    }

    @Test func `a request without a camera is refused`() throws {
        var bench = Self.connected(.frame(try Self.frame()))
        bench.camera { camera, now in camera.tell(.lost(.closedByCamera), at: now) }
        let id = bench.ask(.snapshot(nil))
        guard case .error(.notConnected)? = bench.answers(to: id).first else {
            Issue.record("\(bench.answers(to: id))")
            return
        }
        #expect(Self.receivedNone(bench))
    }

    @Test func `no shoot begins while a picture is fetched, and a driver that is silent is given up`() {
        var bench = Self.connected(nil)
        let id = bench.ask(.snapshot(nil))
        let shoot = bench.ask(.shoot(PlanInput(), streams: false))
        guard case .error(.notNow(command: _, state: _, let sentence))? = bench.answers(to: shoot).first else {
            Issue.record("\(bench.answers(to: shoot))")
            return
        }
        #expect(sentence.hasPrefix("A picture of the live view is being fetched."))
        #expect(bench.answers(to: id).isEmpty)
        bench.pass(.seconds(31))
        #expect(bench.answers(to: id) == [.error(.liveViewRefused(sentence: "The camera did not report the result."))])
    }
}
