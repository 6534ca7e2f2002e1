import Bodies
import Cameras
import Exposure
import Testing
import Worlds

@testable import Controller

/// Tests events that occur at the same instant and are in the queue together.
@Suite struct CrossingTests {
    private func connected() -> Bench {
        var bench = Bench()
        bench.pass(.seconds(1))
        return bench
    }

    @Test func `events of another session's driver are dropped`() {
        var bench = connected()
        #expect(bench.state("connection") == "connected")
        let other = LinkGeneration(rawValue: 99)
        bench.put(.message(.camera(.lost(.closedByCamera), ticket: nil, other)))
        var status = ScriptedCamera.ready
        status.mode = .program
        bench.put(.message(.camera(.status(status), ticket: nil, other)))
        #expect(bench.state("connection") == "connected")
    }

    @Test func `the driver's answer to a question before the shoot's last one is dropped`() {
        var bench = connected()
        bench.ask(.shoot(PlanInput(shadow: "2\"", highlight: "2\""), streams: false))
        bench.pass { $0.state("shooting") == "capturing" }
        let generation = bench.daemon.core.sessionGeneration
        let older = Ticket(rawValue: 0)
        for event in [CameraEvent.captured, .busy, .failed(.storageFull), .speedAccepted] {
            bench.put(.message(.camera(event, ticket: older, generation)))
            #expect(bench.state("shooting") == "capturing", "\(event)")
        }
        bench.pass(.seconds(60))
        #expect(bench.status.shoot?.outcome == .completed)
    }

    @Test func `a shoot does not use a camera that became ready as its network was left`() {
        var bench = connected()
        let id = bench.ask(.shoot(PlanInput(shadow: "2\"", highlight: "2\""), streams: true))
        bench.put(.network(.joined(ssid: "A")))
        bench.put(.network(.down))
        #expect(bench.state("connection") == "offNetwork")
        bench.put(.message(.cameraReady(ScriptedCamera.ready)))
        bench.pass(.seconds(1))
        #expect(bench.state("network") == "down")
        #expect(bench.state("connection") == "offNetwork")
        bench.put(.network(.joined(ssid: "A")))
        bench.pass(.seconds(60))
        #expect(bench.progress(of: id).last?.sentence == "1 of 1 exposures captured")
    }

    @Test func `the kernel's report of the route to the camera decides between two interfaces`() {
        let camera = IPAddress(bytes: [192, 168, 1, 50])
        func interface(_ index: UInt32, _ name: String, _ last: UInt8, ssid: String?) -> NetworkInterface {
            let point = ssid.map { NetworkInterface.AccessPoint(ssid: $0, bssid: "02:00:00:00:00:01") }
            return NetworkInterface(
                index: index,
                name: name,
                isUp: true,
                addresses: [.init(IPAddress(bytes: [192, 168, 1, last]), prefixLength: 24)],
                radio: point.map { .joined($0) }
            )
        }
        let interfaces = [interface(3, "wlan0", 7, ssid: "Home"), interface(4, "eth1", 8, ssid: nil)]
        var model = NetworkModel()
        _ = model.assess(NetworkSnapshot(interfaces: interfaces), by: SearchRules(ways: [.scan]))
        model.cameraAddress = CameraAddress(host: "\(camera)")
        var effects: [PartEffect] = []
        model.rememberNetwork(&effects)
        let route = RouteFinding.found(CameraRoute(to: camera, interface: 4))
        let known = NetworkSnapshot(interfaces: interfaces, route: route)
        #expect(model.assess(known, by: SearchRules(ways: [.scan])) == .joined(ssid: nil))
        #expect(model.camera?.interfaceName == "eth1")
    }

    @Test func `a repeated connect request for a camera that is being greeted does not interrupt the greeting`() {
        var bench = Bench(ScriptedCamera(twists: [.loseOn(.connect, 1)]))
        let before = bench.scripted.commands.count
        bench.ask(.connect(.text("127.0.0.1:15740")))
        bench.pass(.seconds(3))
        #expect(bench.state("connection") == "connected")
        #expect(!bench.scripted.commands[before...].contains(.abandon))
    }
}
