import Cameras
import Controller
import Testing

/// Cases that were found by shoots over networks of the kernel.
@Suite struct DisturbedNetworkTests {
    @Test(arguments: [true, false])
    func `a frame in doubt is reported with the reason why the shoot does not continue`(byNetwork: Bool) {
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
