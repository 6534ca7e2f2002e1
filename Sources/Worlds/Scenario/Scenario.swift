import Bodies
import Cameras
import Controller
import Exposure

/// Everything that a seed decides about a world: its parts, its faults and its events.
package struct Scenario: Sendable {
    package var seed: UInt64
    package var level: Level
    /// The kinds of faults in the world.
    package var kinds: Set<FaultKind>
    package var maker: BodyMaker
    package var model: BodyModel
    package var options: BodyOptions
    package var configuration: CoreConfiguration
    package var plan: PlanInput
    package var conditions: NetworkConditions
    /// Whether the kernel reports the network. The kernel of some containers does not.
    package var isNetworkReported: Bool
    /// The seed for random values while the world runs.
    package var worldSeed: UInt64
    package var actions: Schedule<ScenarioAction>
    /// The end of all faults. After this time the shoot must end.
    package var calmFrom: Duration
    /// Whether the world has a button. After all faults, the user presses the button if no other action is needed.
    package var hasButton = false

    /// How many faults a world has.
    package enum Level: String, CaseIterable, Sendable {
        /// The world has no faults.
        case none
        /// The world has one or two kinds of faults.
        case some
        /// Each seed draws the kinds of faults and the frequency of each kind.
        case swarm
    }

    package static let identity = InitiatorIdentity(guid: Array(1...16), name: "bracketsim")
    /// The address of the body.
    static let host = "192.0.2.9"
    package var address: CameraAddress { Self.address(of: model) }

    static func address(of model: BodyModel) -> CameraAddress {
        CameraAddress(host: host, port: model.ports.first?.number ?? CameraAddress.defaultPort)
    }

    /// The address in the form that a user types.
    var addressText: String { address.port == CameraAddress.defaultPort ? address.host : "\(address)" }

    /// The station has a small network, because the simulation of each probed address costs as much time as a camera.
    static let station = Station(address: IPAddress(bytes: [192, 0, 2, 3]), prefixLength: 28)

    /// Creates the world before its first event.
    func world() -> World {
        let core = Core(configuration: configuration, drivers: maker.drivers, discovery: maker.discovery)
        return World(
            core: core,
            camera: model.camera(options),
            place: .at(address),
            conditions: conditions,
            seed: worldSeed
        )
    }
}

extension Scenario {
    /// A description for users of `bracketsim`.
    package var text: String {
        // The light of each cell of a scene would be thousands of numbers.
        var options = options
        let scene = options.scene?.scene
        options.scene = nil
        var lines = [
            "seed \(seed), faults \(level.rawValue)",
            "kinds: \(FaultKind.allCases.filter(kinds.contains).map(\.rawValue).joined(separator: " "))",
            "body: \(maker.name), \(model.name) \(model.quirks), \(options)",
            "plan: \(plan)",
            "core: ledger \(configuration.ledger.rawValue), pictures \(configuration.transfer), "
                + "resumes by itself \(configuration.resumesByItself), "
                + "address \(configuration.cameraAddress.map { "\($0)" } ?? "searched")",
            "network reported: \(isNetworkReported), \(conditions)",
        ]
        if let scene { lines.append("scene: \(scene)") }
        if hasButton { lines.append("button: \(configuration.button)") }
        var actions = actions
        while let (time, action) = actions.takeNext() {
            lines.append("\(DurationText.milliseconds(time)) ms  \(action)")
        }
        lines.append("\(DurationText.milliseconds(calmFrom)) ms  nothing goes wrong any more")
        return lines.map { $0 + "\n" }.joined()
    }
}
