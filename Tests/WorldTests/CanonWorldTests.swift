import Bodies
import Controller
import Testing
import Worlds

/// Shoots on simulated Canon bodies through the whole system.
@Suite struct CanonWorldTests {
    private func world(_ model: CanonModel, _ faults: String...) throws -> World {
        var options = BodyOptions()
        options.faults = try faults.map { try Fault(parsing: $0, for: "canon") }
        return .transferring(from: SimulatedCamera(model: model, options: options))
    }

    @Test(arguments: CanonModel.all.map(\.name))
    func `every picture of a bracket on a Canon body is stored and verified`(name: String) throws {
        var world = try world(try #require(CanonModel.named(name)))
        let (end, photos) = try world.fireThreeFrames()
        #expect(end.outcome == .completed, "\(end)")
        let labels = world.camera.card.map(\.label)
        #expect(labels.count >= 3)
        #expect(photos.photos.filter { $0.state == .verified }.count == labels.count, "\(photos)")
        expectSound(world)
    }

    @Test(arguments: ["remote-lost@2", "auto-off=12s", "late-object@2=1500ms", "omits=objects"])
    func `a shoot with a fault of Canon bodies completes`(fault: String) throws {
        var world = try world(.eosR6Mark2, fault)
        world.pass(.seconds(60))
        let (end, _) = try world.fireThreeFrames()
        #expect(end.outcome == .completed, "\(end)")
        #expect(Set(world.camera.card.map(\.label)).isSuperset(of: ["1/60", "1/125", "1/250"]))
        expectSound(world)
    }

    @Test func `a body that did not wait is tried again when the user wants to shoot`() throws {
        var world = try world(.eosR6Mark2, "not-waiting=5s")
        world.pass(.seconds(60))
        #expect(world.daemon.state("connection") == "refused")
        world.ask(.shoot(World.threeFrames, streams: false))
        let (end, _) = try world.fireThreeFrames()
        #expect(end.outcome == .completed, "\(end)")
        expectSound(world)
    }
}
