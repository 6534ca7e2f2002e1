import Interface
import Varlink

/// Whether the daemon would fire a plan now: its answer to `GetStatus`, read before anybody is asked anything.
struct Readiness {
    /// The daemon's one sentence about everything.
    let sentence: String
    /// Why a shoot would be refused; nil when it would not be, or when only trying can tell.
    let obstacle: Failure?

    init(_ status: Bracketd.Status) {
        sentence = status.sentence
        if let shoot = status.shoot, shoot.outcome == nil {
            obstacle = Readiness.refusal(Bracketd.NotNow.name, "A shoot is going on. \(sentence)")
            return
        }
        let connection = status.charts.last { $0.name == "connection" }?.state
        switch connection {
        // A camera that refused the controller is tried again on the next request for a shoot, and only then.
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
