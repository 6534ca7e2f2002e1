import Interface
import Varlink

/// Whether the daemon would fire a plan now. Its answer to `GetStatus` is read before the user is asked anything.
struct Readiness {
    /// The daemon's summary of its state.
    let sentence: String
    /// Why a shoot would be refused; nil when it would not be, or when this is unknown.
    let obstacle: Failure?

    init(_ status: Bracketd.Status) {
        sentence = status.sentence
        if let shoot = status.shoot, shoot.outcome == nil {
            obstacle = Readiness.refusal(Bracketd.NotNow.name, "A shoot is running. \(sentence)")
            return
        }
        let connection = status.charts.last { $0.name == "connection" }?.state
        switch connection {
        // The daemon tries a camera that refused the connection again only at the next request for a shoot.
        case nil, "connected", "refused": obstacle = nil
        default: obstacle = Readiness.refusal(Bracketd.NotConnected.name, sentence)
        }
    }

    /// The failure that the daemon's own refusal would be.
    private static func refusal(_ name: String, _ sentence: String) -> Failure {
        Failure(
            .error,
            name: name,
            sentence,
            parameters: ["sentence": .string(sentence)]
        )
    }
}
