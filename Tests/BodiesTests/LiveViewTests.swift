import Bodies
import Cameras
import Exposure
import JSON
import NIOCore
import PTP
import Testing

/// The live view of simulated bodies, as the real drivers read it.
struct LiveViewTests {
    private static func scene(_ liveView: SceneCamera.LiveView = .exposure) -> Scene {
        // At f/8 and ISO 100, EV100 13 is mid-grey at 1/125 s (ideally 1/128 s).
        var scene = Scene(columns: 12, rows: 8, base: 13)
        scene.camera.liveView = liveView
        return scene
    }

    private static func options(_ scene: Scene?) -> BodyOptions {
        var options = BodyOptions()
        options.scene = scene.map { SceneEye($0) }
        return options
    }

    private static func cameras(_ scene: Scene?) -> [(name: String, camera: SimulatedCamera)] {
        let options = options(scene)
        return [
            ("ILCE-7M4", SimulatedCamera(model: .ilce7M4, options: options)),
            ("EOS R6 Mark II", SimulatedCamera(model: .eosR6Mark2, options: options)),
            ("Z 6II", SimulatedCamera(model: .z62, options: options)),
        ]
    }

    private func frame(_ fixture: DriverFixture) throws -> LiveViewFrame {
        let event = fixture.perform(.liveView(nil), limit: .seconds(20)) { event in
            switch event {
            case .liveView, .busy, .failed, .lost: true
            default: false
            }
        }
        guard case .liveView(.frame(let frame)) = event else {
            Issue.record("\(fixture.events)")
            throw CancellationError()
        }
        return frame
    }

    private func set(_ label: String, _ fixture: DriverFixture) throws {
        let speed = try ShutterSpeed(parsing: label)
        #expect(fixture.perform(.setSpeed(speed)) { $0 == .speedAccepted } == .speedAccepted)
        _ = fixture.perform(.readSpeed, limit: .seconds(5)) { $0 == .speedRead(.speed(speed)) }
    }

    private func greys(_ frame: LiveViewFrame) throws -> [Int] {
        try JPEGReader.greys(frame.jpeg, count: 96, channels: 3)
    }

    // MARK: Every maker over PTP/IP

    @Test(arguments: 0..<3)
    func `live view shows the scene at the body's settings, and a frame can be fired after it`(index: Int) throws {
        let (name, camera) = Self.cameras(Self.scene())[index]
        let fixture = DriverFixture(camera)
        fixture.connect()
        try set("1/125", fixture)
        let first = try frame(fixture)
        #expect(first.width == 96 && first.height == 64, "\(name)")
        #expect(try greys(first).allSatisfy { $0 == 118 }, "\(name)")
        try set("1/250", fixture)
        #expect(try greys(frame(fixture)).allSatisfy { $0 == 71 }, "\(name)")
        #expect(try fixture.shoot("1/60") == .idle, "\(name)")
        fixture.perform(.disconnect) { $0 == .disconnected }
        #expect(fixture.network.camera(at: DriverFixture.address)?.isSessionOpen == false, "\(name)")
    }

    @Test(arguments: 0..<3)
    func `a body without exposure simulation shows a middle brightness at every speed`(index: Int) throws {
        let (name, camera) = Self.cameras(Self.scene(.gain))[index]
        let fixture = DriverFixture(camera)
        fixture.connect()
        for speed in ["1/1000", "1/30"] {
            try set(speed, fixture)
            let frame = try frame(fixture)
            #expect(try greys(frame).allSatisfy { $0 == 118 }, "\(name)")
            // Only Sony bodies over PTP/IP report it.
            #expect(frame.exposure == (index == 0 ? .notShown : .unknown), "\(name)")
        }
    }

    @Test func `a limited live view follows the exposure by three stops`() throws {
        let fixture = DriverFixture(Self.cameras(Self.scene(.limited))[0].camera)
        fixture.connect()
        try set("1/8000", fixture)
        let frame = try frame(fixture)
        #expect(try greys(frame).allSatisfy { $0 == 21 } && frame.exposure == .shown)
    }

    @Test func `a late live view shows the speed of three pictures before`() throws {
        let fixture = DriverFixture(Self.cameras(Self.scene(.lag))[2].camera)
        fixture.connect()
        try set("1/125", fixture)
        _ = try frame(fixture)
        try set("1/250", fixture)
        for grey in [118, 118, 118, 71] { #expect(try greys(frame(fixture)).first == grey) }
    }

    @Test(arguments: 0..<3)
    func `a body without a scene shows its plain one`(index: Int) throws {
        let fixture = DriverFixture(Self.cameras(nil)[index].camera)
        fixture.connect()
        let frame = try frame(fixture)
        #expect(try Set(JPEGReader.greys(frame.jpeg, count: 96)).count > 10)
    }

    // MARK: Protocols

    @Test func `a Sony frame ends with bytes without meaning`() throws {
        let initiator = try VirtualInitiator()
        try initiator.connect()
        let reply = try #require(initiator.perform(.getObject, SonyObjectHandle.liveView))
        let head = try SonyLiveViewFrame(decoding: reply.data)
        #expect(head.jpegOffset == 136 && head.jpegFieldSize % 128 == 0)
        #expect(head.nextFrameOffset == reply.data.readableBytes)
        #expect(reply.data.readableBytesView.last != 0)
        #expect(try SonyLiveViewFrame.jpeg(reply.data).bytes.readableBytes < head.jpegFieldSize)
    }

    @Test func `a body over HTTP streams the scene, with the size of its JPEG`() throws {
        let initiator = try SonyHTTPInitiator(model: .a6300) { $0 = Self.options(Self.scene()) }
        initiator.start()
        _ = initiator.call("setLiveviewFrameInfo", ["frameInfo": true])
        _ = initiator.call("setShutterSpeed", "1/125")
        initiator.advance(.seconds(1))
        let url = try #require(initiator.call("startLiveview").result?.first?.stringValue)
        let reply = initiator.get(url)
        var reader = SonyHTTPLiveViewReader()
        let jpeg = try #require(try reader.receive(reply.body))
        #expect(jpeg.width == 96 && jpeg.height == 64)
        #expect(try JPEGReader.greys(jpeg.bytes, count: 96, channels: 3).allSatisfy { $0 == 118 })
    }
}
