import Cameras
import Controller
import Exposure

/// A world and what happens in it: everything that a seed decides.
package struct Scenario: Sendable {
    package var seed: UInt64
    package var level: Level
    /// Which kinds of faults are in.
    package var kinds: Set<FaultKind>
    package var model: SonyModel
    package var options: SonyBodyOptions
    package var configuration: CoreConfiguration
    package var plan: PlanInput
    package var weather: NetworkWeather
    /// The world's own chances.
    package var worldSeed: UInt64
    package var deeds: Agenda<Deed>
    /// From then on nothing goes wrong any more, and the shoot has to come to its end.
    package var calmFrom: Duration

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
    package static let address = CameraAddress(host: "192.0.2.9")
}
