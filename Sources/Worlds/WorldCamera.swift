import Bodies
import Cameras

/// A simulated camera and its place in the world.
package struct WorldCamera: Sendable {
    package internal(set) var body: SimulatedCamera
    package internal(set) var place: Place
    /// The log of the body.
    package internal(set) var log: [String] = []
    /// Whether the camera has its battery.
    package internal(set) var isOn = true
    var refusesUntil = Duration.zero

    package enum Place: Hashable, Sendable {
        /// The only camera, which has every address.
        case everywhere
        case at(CameraAddress)
        /// The camera is switched off or out of range.
        case away
    }

    func isAt(_ address: CameraAddress) -> Bool {
        switch place {
        case .everywhere: true
        // A body has more than one port if its description has a port of its own.
        case .at(let own):
            own == address || own.host == address.host && body.ports.dropFirst().contains { $0.number == address.port }
        case .away: false
        }
    }
}
