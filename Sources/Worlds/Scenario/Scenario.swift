import Bodies
import Cameras
import Controller
import Exposure

/// A world and what happens in it: everything that a seed decides.
package struct Scenario: Sendable {
    package var seed: UInt64
    package var level: Level
    /// Which kinds of faults are in.
    package var kinds: Set<FaultKind>
    package var maker: BodyMaker
    package var model: BodyModel
    package var options: BodyOptions
    package var configuration: CoreConfiguration
    package var plan: PlanInput
    package var weather: NetworkWeather
    /// Whether the kernel tells of the network, as it does everywhere but in odd containers.
    package var isTold: Bool
    /// The world's own chances.
    package var worldSeed: UInt64
    package var actions: Agenda<ScenarioAction>
    /// From then on nothing goes wrong any more, and the shoot has to come to its end.
    package var calmFrom: Duration
    /// Whether there is a button; whoever helps in the end does by it what it can do.
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
    /// Where the body is.
    static let host = "192.0.2.9"
    package var address: CameraAddress { Self.address(of: model) }

    static func address(of model: BodyModel) -> CameraAddress {
        CameraAddress(host: host, port: model.ports.first?.number ?? CameraAddress.defaultPort)
    }

    /// The address as a person types it.
    var addressText: String { address.port == CameraAddress.defaultPort ? address.host : "\(address)" }

    /// A small network: each address that is called costs as much as a camera.
    static let station = Station(address: IPAddress(bytes: [192, 0, 2, 3]), prefixLength: 28)

    /// The world before anything has happened.
    func world() -> World {
        let core = Core(configuration: configuration, drivers: maker.drivers, discovery: maker.discovery)
        return World(
            core: core,
            camera: model.camera(options),
            place: .at(address),
            weather: weather,
            seed: worldSeed
        )
    }
}

extension Scenario {
    /// For people.
    package var text: String {
        var lines = [
            "seed \(seed), faults \(level.rawValue)",
            "kinds: \(FaultKind.allCases.filter(kinds.contains).map(\.rawValue).joined(separator: " "))",
            "body: \(maker.name), \(model.name) \(model.quirks), \(options)",
            "plan: \(plan)",
            "core: ledger \(configuration.ledger.rawValue), pictures \(configuration.transfer), "
                + "resumes by itself \(configuration.resumesByItself), "
                + "address \(configuration.cameraAddress.map { "\($0)" } ?? "searched")",
            "network told: \(isTold), \(weather)",
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
