import Bodies
import Cameras

/// A simulated camera in the world, and where it is.
package struct WorldCamera: Sendable {
    package internal(set) var body: SimulatedCamera
    package internal(set) var place: Place
    /// The log of the body.
    package internal(set) var log: [String] = []
    /// Whether its battery is in.
    package internal(set) var isOn = true
    var refusesUntil = Duration.zero

    package enum Place: Hashable, Sendable {
        /// At every address: it is the only camera.
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
