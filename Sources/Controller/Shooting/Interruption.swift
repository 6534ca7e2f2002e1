import Cameras

enum Interruption: Equatable, Sendable {
    case absent(Absence)
    /// The camera is connected, but its settings do not allow a shoot; the sentence says what to change.
    case unfit(String)
    /// This computer left the camera's network.
    case left(NetworkDeparture)
    /// This computer left the camera's network and has joined it again.
    case returned(from: NetworkDeparture)
}
