import Cameras
import Controller
import Testing

/// What shoots on real kernels' networks brought to light.
@Suite struct DisturbedNetworkTests {
    /// A network of two: this computer and the camera.
    private static let network: NetworkSnapshot = {
        let own = NetworkInterface.Address(IPAddress(bytes: [127, 0, 0, 2]), prefixLength: 30)
        let interface = NetworkInterface(index: 3, name: "wlan0", isUp: true, addresses: [own])
        let route = CameraRoute(to: IPAddress(bytes: [127, 0, 0, 1]), interface: 3)
        return NetworkSnapshot(interfaces: [interface], route: .found(route))
    }()

    @Test func `a camera that was just lost is called by no search before it has had time to let go`() {
        var bench = Bench { $0.search = SearchRules(ways: [.scan]) }
        bench.put(.network(Self.network))
        bench.pass { $0.state("connection") == "connected" }
        bench.camera { camera, now in camera.tell(.lost(.reset("Connection reset by peer")), at: now) }
        #expect(bench.state("connection") == "reconnecting")
        let lost = bench.now
        bench.pass { $0.state("connection") == "connected" }
        #expect(bench.state("connection") == "connected")
        #expect(bench.now - lost >= .milliseconds(1200))
    }

    @Test(arguments: [true, false])
    func `a frame in doubt is told with the reason why the shoot does not go on`(byNetwork: Bool) {
        var bench = Bench(ScriptedCamera(twists: byNetwork ? [.noPicture(2)] : [.loseOn(.shutter, 2)]))
        bench.put(.network(.joined(ssid: "A")))
        bench.ask(.shoot(ShootingTests.threeFrames, streams: false))
        if byNetwork {
            bench.pass { $0.state("shooting") == "capturing" && $0.status.sentence.contains("frame 2") }
            bench.put(.network(.joined(ssid: "B")))
        } else {
            bench.pass { $0.state("shooting") == "awaitingCamera" }
        }
        #expect(bench.state("shooting") == "awaitingCamera")
        let doubt = bench.journal.last { $0.kind == .shutterInDoubt }
        #expect(doubt?.fields.contains(.init("REASON", byNetwork ? "wifi-switched" : "link-lost")) == true)
    }
}
