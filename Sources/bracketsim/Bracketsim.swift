import Cameras
import Controller
import Exposure
import Simulation

@main
struct Bracketsim {
    static func main() throws {
        let identity = InitiatorIdentity(guid: Array(1...16), name: "world")
        let address = CameraAddress(host: "192.0.2.1", port: 15740)
        let clock = ContinuousClock()
        let plan = PlanInput(shadow: "1/60", highlight: "1/250", frames: 3, spacing: 1)
        for name in SonyModel.all.map(\.name) {
            for target in [SonySaveTarget.card, .host] {
                var options = SonyBodyOptions()
                options.saveTarget = target
                let configuration = CoreConfiguration(cameraAddress: address, identity: identity, ledger: .required)
                let begin = clock.now
                var simulated = Duration.zero
                for _ in 0..<20 {
                    let core = Core(configuration: configuration, camera: SonyPTPIP(identity: identity))
                    let camera = SimulatedCamera(model: SonyModel.named(name) ?? .ilce7M4, options: options)
                    var world = World(core: core, camera: camera)
                    world.pass { $0.daemon.state("connection") == "connected" }
                    world.ask(.shoot(plan, streams: true))
                    world.pass { $0.daemon.core.outcome != nil && $0.isAtRest }
                    simulated += world.now
                }
                print(name, target, (clock.now - begin) / 20, simulated / 20)
            }
        }
    }
}
