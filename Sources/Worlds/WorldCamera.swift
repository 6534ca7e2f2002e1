import Bodies
import Cameras

/// A simulated camera in the world, and where it is.
package struct WorldCamera: Sendable {
    package internal(set) var body: SimulatedCamera
    package internal(set) var place: Place
    /// What the body said of itself.
    package internal(set) var log: [String] = []
    /// Whether there is a battery in it.
    package internal(set) var isOn = true
    var refusesUntil = Duration.zero

    package enum Place: Hashable, Sendable {
        /// Whatever address is called: it is alone.
        case everywhere
        case at(CameraAddress)
        /// Switched off, or out of reach.
        case away
    }

    func isAt(_ address: CameraAddress) -> Bool {
        switch place {
        case .everywhere: true
        case .at(let own): own == address
        case .away: false
        }
    }
}
