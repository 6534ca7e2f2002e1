import Cameras

enum Interruption: Equatable, Sendable {
    case absent(Absence)
    /// The camera is connected, but its settings do not allow a shoot; the sentence says what to change.
    case unfit(String)
    /// This computer left the camera's network.
    case left(NetworkDeparture)
    /// This computer left the camera's network, and is back.
    case returned(from: NetworkDeparture)

    var sentence: String {
        switch self {
        case .absent(.lost(let reason)): reason.sentence
        case .absent(.released): "A command disconnected the camera."
        case .unfit(let sentence): sentence
        case .left(let departure), .returned(let departure): departure.sentence
        }
    }
}
