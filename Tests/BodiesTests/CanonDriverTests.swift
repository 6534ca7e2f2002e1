import Bodies
import Cameras
import Exposure
import PTP
import Testing

/// Tests the real driver with the simulated Canon bodies.
struct CanonDriverTests {
    private static let plan = ["1/1000", "1/500", "1/60", "1/4", "1s", "4s"]

    private func fixture(
        _ faults: String...,
        model: CanonModel = .eosR6Mark2,
        options change: (inout BodyOptions) -> Void = { _ in }
    ) throws -> DriverFixture {
        var options = BodyOptions()
        options.faults = try faults.map { try Fault(parsing: $0, for: "canon") }
        change(&options)
        return DriverFixture(SimulatedCamera(model: model, options: options))
    }

    @Test(arguments: CanonModel.all.map(\.name), [BodySaveTarget.host, .card, .both])
    func `a bracket is fired on every model, with every save target`(name: String, target: BodySaveTarget) throws {
        let model = try #require(CanonModel.named(name))
        let fixture = try fixture(model: model) {
            $0.saveTarget = target
            $0.shotsLeft = 100
        }
        guard case .status(let status) = fixture.connect() else {
            Issue.record("not connected: \(fixture.events)")
            return
        }
        #expect(status.mode == .manual)
        #expect(status.speeds.count == (["Canon EOS M50", "Canon EOS 1300D"].contains(name) ? 52 : 55))
        #expect(status.speedIsWritable)
        #expect(status.shotsLeft == 100)
        for text in Self.plan { #expect(try fixture.shoot(text) == .idle, "\(text): \(fixture.events) \(fixture.now)") }
        #expect(try fixture.labels == Self.plan.map { try ShutterSpeed(parsing: $0).label })
        fixture.perform(.disconnect) { $0 == .disconnected }
        let camera = fixture.network.camera(at: DriverFixture.address)
        #expect(camera?.isSessionOpen == false && camera?.isButtonHeld == false)
    }

    @Test(arguments: [
        "busy-unread-events", "late-counter=2s", "late-object@2=1500ms", "double-object@2", "omits=status",
        "omits=objects", "omits=counter", "remote-lost@2", "auto-off=12s", "busy=shutter:2", "busy=set:3",
        "busy-storm=20", "ignore-sets=1", "wrong-speed@2=1/30,times=1", "event-storm=20", "stale@2",
        "never-idle@2,back=3s",
    ])
    func `a bracket survives the fault`(fault: String) throws {
        let fixture = try fixture(fault)
        _ = fixture.connect()
        for text in ["1/500", "1/60", "1/8"] {
            #expect(try fixture.shoot(text) == .idle, "\(fault), \(text): \(fixture.events) \(fixture.now)")
        }
        #expect(fixture.labels == ["1/500", "1/60", "1/8"], "\(fault)")
    }

    @Test(arguments: [CanonModel.eos60D, .eosM50].map(\.shortName))
    func `a frame without focus fails, and the next one is fired`(name: String) throws {
        let fixture = try fixture("no-focus@1", model: try #require(CanonModel.named(name)))
        _ = fixture.connect()
        #expect(try fixture.shoot("1/60") == .failed(.focusFailed))
        #expect(try fixture.shoot("1/60") == .idle)
        #expect(fixture.labels == ["1/60"])
    }

    @Test func `a late report of the focus does not stop the frame`() throws {
        var model = CanonModel.eos80D
        model.dump.set(.canonFocusMode, 0)
        let fixture = try fixture("late-focus@1=1s", model: model)
        _ = fixture.connect()
        #expect(try fixture.shoot("1/60") == .idle)
        #expect(fixture.labels == ["1/60"])
    }

    @Test(arguments: ["not-waiting=1000s", "paired=5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"])
    func `a body that does not wait refuses the driver`(fault: String) throws {
        let fixture = try fixture(fault)
        guard case .refused = fixture.connect() else {
            Issue.record("not refused: \(fixture.events)")
            return
        }
    }
}
