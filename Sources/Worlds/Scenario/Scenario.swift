import Bodies
import Cameras
import Controller
import Exposure

/// A world and its events: everything that a seed decides.
package struct Scenario: Sendable {
    package var seed: UInt64
    package var level: Level
    /// The kinds of faults in it.
    package var kinds: Set<FaultKind>
    package var maker: BodyMaker
    package var model: BodyModel
    package var options: BodyOptions
    package var configuration: CoreConfiguration
    package var plan: PlanInput
    package var conditions: NetworkConditions
    /// Whether the kernel reports the network, as it does except in some containers.
    package var isNetworkReported: Bool
    /// The seed of the world itself.
    package var worldSeed: UInt64
    package var actions: Schedule<ScenarioAction>
    /// From then on nothing goes wrong any more, and the shoot must end.
    package var calmFrom: Duration
    /// Whether there is a button; in the end the helper uses it where possible.
    package var hasButton = false

    /// How much goes wrong.
    package enum Level: String, CaseIterable, Sendable {
        /// Nothing.
        case none
        /// One or two kinds of faults.
        case some
        /// Each seed draws which kinds there are, and how often each.
        case swarm
    }

    package static let identity = InitiatorIdentity(guid: Array(1...16), name: "bracketsim")
    /// The address of the body.
    static let host = "192.0.2.9"
    package var address: CameraAddress { Self.address(of: model) }

    static func address(of model: BodyModel) -> CameraAddress {
        CameraAddress(host: host, port: model.ports.first?.number ?? CameraAddress.defaultPort)
    }

    /// The address as a user types it.
    var addressText: String { address.port == CameraAddress.defaultPort ? address.host : "\(address)" }

    /// A small network: each probed address costs as much as a camera.
    static let station = Station(address: IPAddress(bytes: [192, 0, 2, 3]), prefixLength: 28)

    /// The world before the first event.
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
    /// For users of `bracketsim`.
    package var text: String {
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
        if hasButton { lines.append("button: \(configuration.button)") }
        var actions = actions
        while let (time, action) = actions.takeNext() {
            lines.append("\(DurationText.milliseconds(time)) ms  \(action)")
        }
        lines.append("\(DurationText.milliseconds(calmFrom)) ms  nothing goes wrong any more")
        return lines.map { $0 + "\n" }.joined()
    }
}
