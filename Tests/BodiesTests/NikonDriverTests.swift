import Bodies
import Cameras
import Exposure
import PTP
import Testing

/// Tests the real driver with the simulated Nikon bodies.
struct NikonDriverTests {
    private static let plan = ["1/1000", "1/500", "1/60", "1/4", "1s", "4s"]

    private func fixture(
        _ faults: String...,
        model: NikonModel = .z62,
        options change: (inout BodyOptions) -> Void = { _ in }
    ) throws -> DriverFixture {
        var options = BodyOptions()
        options.faults = try faults.map { try Fault(parsing: $0, for: "nikon") }
        change(&options)
        return DriverFixture(SimulatedCamera(model: model, options: options))
    }

    @Test(arguments: NikonModel.all.map(\.name), [BodySaveTarget.host, .card, .both])
    func `a bracket is fired on every model, with every recording medium`(name: String, target: BodySaveTarget) throws {
        let model = try #require(NikonModel.named(name))
        let fixture = try fixture(model: model) {
            $0.saveTarget = target
            $0.shotsLeft = 100
        }
        guard case .status(let status) = fixture.connect() else {
            Issue.record("not connected: \(fixture.events)")
            return
        }
        #expect(status.mode == .manual)
        #expect(status.speeds.count == 55)
        #expect(status.speedIsWritable)
        #expect(status.shotsLeft == 100)
        for text in Self.plan { #expect(try fixture.shoot(text) == .idle, "\(text): \(fixture.events) \(fixture.now)") }
        #expect(try fixture.labels == Self.plan.map { try ShutterSpeed(parsing: $0).label })
        #expect(fixture.card.allSatisfy { $0.isForCard })
        fixture.perform(.disconnect) { $0 == .disconnected }
        let camera = fixture.network.camera(at: DriverFixture.address)
        #expect(camera?.isSessionOpen == false && camera?.isButtonHeld == false)
    }

    @Test(arguments: [
        "needs-remote-mode", "pc-mode", "probed=ignore", "connection-zero", "one-parameter", "placeholder-storages",
        "pushed-events=on", "pushed-events=off", "pushed-events=twice", "false-count=2", "busy-after-ready@2=5",
        "silent-release-busy", "late-counter=2s", "late-object@2=1500ms", "double-object@2", "omits=status",
        "omits=objects", "omits=counter", "busy=shutter:2", "busy=set:3", "busy-storm=20", "ignore-sets=1",
        "wrong-speed@2=1/30,times=1", "event-storm=20", "stale@2", "never-idle@2,back=3s", "object-info@2=1s",
        "without-d100",
    ])
    func `a bracket survives the fault`(fault: String) throws {
        for model in [NikonModel.z62, .d850, .zr] {
            let fixture = try fixture(fault, model: model)
            _ = fixture.connect()
            for text in ["1/500", "1/60", "1/8"] {
                let end = try fixture.shoot(text)
                #expect(end == .idle, "\(fault), \(model.name), \(text): \(fixture.events) \(fixture.now)")
            }
            #expect(fixture.labels == ["1/500", "1/60", "1/8"], "\(fault), \(model.name)")
        }
    }

    @Test func `with half steps the driver has the whole stops of the body's list`() throws {
        var model = NikonModel.d850
        model.hasHalfSteps = true
        let fixture = try fixture(model: model)
        guard case .status(let status) = fixture.connect() else {
            Issue.record("not connected: \(fixture.events)")
            return
        }
        #expect(status.speeds.contains(try ShutterSpeed(parsing: "1/500")))
        #expect(!status.speeds.contains(try ShutterSpeed(parsing: "1/640")))
        #expect(try fixture.shoot("1/500") == .idle)
        #expect(fixture.labels == ["1/500"])
    }

    @Test(arguments: ["z8", "zr"])
    func `an unpaired body is paired in the first attempt, and connected later`(name: String) throws {
        let fixture = try fixture("unpaired=2s", model: try #require(NikonModel.named(name)))
        guard case .refused = fixture.connect() else {
            Issue.record("not refused: \(fixture.events)")
            return
        }
        fixture.advance(.seconds(10))
        guard case .status = fixture.connect() else {
            Issue.record("not connected: \(fixture.events)")
            return
        }
        #expect(try fixture.shoot("1/60") == .idle)
        #expect(fixture.labels == ["1/60"])
    }

    @Test func `in A the driver reports the mode and that the speed cannot be set`() throws {
        for model in NikonModel.all {
            let fixture = try fixture(model: model) { $0.mode = .aperturePriority }
            guard case .status(let status) = fixture.connect() else {
                Issue.record("not connected: \(fixture.events)")
                return
            }
            #expect(status.mode != .manual && !status.speedIsWritable, "\(model.name)")
        }
    }
}
