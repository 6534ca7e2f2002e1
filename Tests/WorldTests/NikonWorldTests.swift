import Bodies
import Controller
import Testing
import Worlds

/// Shoots on simulated Nikon bodies through the whole system.
@Suite struct NikonWorldTests {
    private func world(_ model: NikonModel, _ faults: [String] = [], size: Int? = nil) throws -> World {
        var options = BodyOptions()
        options.faults = try faults.map { try Fault(parsing: $0, for: "nikon") }
        options.pictureSize = size
        return .transferring(from: SimulatedCamera(model: model, options: options))
    }

    @Test(arguments: NikonModel.all.map(\.name))
    func `every picture of a bracket on a Nikon body is stored and verified`(name: String) throws {
        var world = try world(try #require(NikonModel.named(name)))
        let (end, photos) = try world.fireThreeFrames()
        #expect(end.outcome == .completed, "\(end)")
        #expect(world.camera.card.count >= 3)
        #expect(photos.photos.filter { $0.state == .verified }.count == world.camera.card.count, "\(photos)")
        expectSound(world)
    }

    /// Faults that cost no frame. Some happen only in a second session, so the link breaks there too.
    private static let harmless: [[String]] = [
        ["unpaired"], ["needs-remote-mode"], ["pc-mode"], ["probed=ignore"], ["probed=close"], ["connection-zero"],
        ["without-d100"], ["one-parameter"], ["pushed-events=twice"], ["busy-after-ready@2=5"],
        ["silent-release-busy"], ["late-counter=1s"], ["late-object@2=1500ms"], ["double-object@2"],
        ["omits=status"], ["early-return", "drop@2:save,back=100ms"],
    ]

    @Test(arguments: harmless)
    func `with a fault of Nikon bodies every picture is stored and verified`(faults: [String]) throws {
        var world = try world(.z8, faults)
        // The pairing ends before the shoot begins.
        world.pass(.seconds(60))
        let (end, photos) = try world.fireThreeFrames()
        #expect(end.outcome == .completed, "\(end)")
        let labels = world.camera.card.map(\.label)
        #expect(Set(labels).isSuperset(of: ["1/60", "1/125", "1/250"]))
        #expect(photos.photos.filter { $0.state == .verified }.count >= 3, "\(photos)")
        expectSound(world)
    }

    /// The body holds the slot of the dropped session for 30 s.
    @Test func `the status shows the number of a pairing until the user confirms it`() throws {
        var world = try world(.zr, ["unpaired=25s"])
        world.pass { $0.daemon.status.contains(NikonModel.zr.pin) }
        let shownAt = world.now
        while world.now < shownAt + .seconds(18) {
            world.pass(.milliseconds(500))
            let status = world.daemon.status
            #expect(status.contains(NikonModel.zr.pin), "\(world.now - shownAt): \(status)")
            #expect(!status.contains("connects again"), "\(status)")
        }
        // The daemon does not give up a camera that a client names again.
        let order = world.ask(.connect(.text("192.0.2.1")))
        world.pass { !$0.daemon.answers(to: order).isEmpty }
        guard case .error(.notConnected(let sentence))? = world.daemon.answers(to: order).first else {
            Issue.record("\(world.daemon.answers(to: order))")
            return
        }
        #expect(sentence.contains(NikonModel.zr.pin), "\(sentence)")
        #expect(sentence.hasSuffix("Confirm it on the camera. The daemon tries again."), "\(sentence)")
        world.pass(.seconds(60))
        #expect(world.daemon.state("connection") == "connected", "\(world.daemon.status)")
        expectSound(world)
    }

    /// The body also creates its first folder, so the list of files shows two new objects. The file is then given to no
    /// frame.
    @Test func `a picture whose announcement is in a damaged list is stored outside of the shoot`() throws {
        var world = try world(.z8, ["false-count=3"])
        let (end, photos) = try world.fireThreeFrames()
        #expect(end.outcome == .completed, "\(end)")
        #expect(world.camera.card.map(\.label) == ["1/250", "1/125", "1/60"])
        #expect(photos.photos.map(\.state) == [.stored, .verified, .verified], "\(photos)")
        expectSound(world)
    }

    @Test func `a transfer that stalls continues in the next session`() throws {
        var world = try world(.z62, ["transfer-stalls@2=2000", "whole-only"], size: 20_000)
        let (end, photos) = try world.fireThreeFrames()
        #expect(end.outcome == .completed, "\(end)")
        #expect(world.daemon.journal.contains { $0.kind == .cameraLost })
        #expect(photos.photos.filter { $0.state == .verified }.count == world.camera.card.count, "\(photos)")
        expectSound(world)
    }

    @Test func `a picture that the body does not announce is not transferred, and its frame counts`() throws {
        var world = try world(.z62, ["omits=objects"])
        let (end, photos) = try world.fireThreeFrames()
        #expect(end.outcome == .completed, "\(end)")
        #expect(photos.photos.isEmpty, "\(photos)")
        expectSound(world)
    }

    /// 3 MB are three partial reads of 1 MiB at most.
    @Test func `a picture of several partial reads is stored and verified`() throws {
        var world = try world(.z62, size: 3_000_000)
        let (end, photos) = try world.fireThreeFrames()
        #expect(end.outcome == .completed, "\(end)")
        #expect(photos.photos.filter { $0.state == .verified }.count == world.camera.card.count, "\(photos)")
        expectSound(world)
    }
}
