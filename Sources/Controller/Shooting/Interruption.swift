import Cameras

/// What interrupted a shoot last.
enum Interruption: Equatable, Sendable {
    case lost(LossReason)
    case released
    /// The camera is there and cannot shoot as it is set; the sentence says what to change.
    case unfit(String)
    /// The computer left the camera's network.
    case left(NetworkDeparture)
    /// The same, and it is back.
    case returned(from: NetworkDeparture)

    init(_ absence: Absence) {
        switch absence {
        case .lost(let reason): self = .lost(reason)
        case .released: self = .released
        }
    }

    var sentence: String {
        switch self {
        case .lost(let reason): reason.sentence
        case .released: "A command disconnected the camera."
        case .unfit(let sentence): sentence
        case .left(let departure), .returned(let departure): departure.sentence
        }
    }
}
