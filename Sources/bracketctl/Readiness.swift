import Varlink

/// Whether the daemon would fire a plan now: its answer to `GetStatus`, read before anybody is asked anything.
struct Readiness {
    /// The daemon's one sentence about everything.
    let sentence: String
    /// Why a shoot would be refused; nil when it would not be, or when only trying can tell.
    let obstacle: Failure?

    init(_ reply: JSONValue) throws(Failure) {
        let fields = try ReplyFields("status", of: reply)
        let sentence = try fields.string("sentence")
        self.sentence = sentence
        let shoot = reply["status"]?["shoot"] ?? .null
        if !shoot.isNull, try ShootProgress(["progress": shoot]).outcome == nil {
            obstacle = Readiness.refusal("NotNow", "A shoot is going on. \(sentence)")
            return
        }
        var connection: String?
        for chart in try fields.objects("charts") where try chart.string("name") == "connection" {
            connection = try chart.string("state")
        }
        switch connection {
        // A camera that refused the controller is tried again on the next request for a shoot, and only then.
        case nil, "connected", "refused": obstacle = nil
        default: obstacle = Readiness.refusal("NotConnected", sentence)
        }
    }

    /// The failure that the daemon's own refusal would be.
    private static func refusal(_ name: String, _ sentence: String) -> Failure {
        Failure(
            .error,
            name: "\(Daemon.interface).\(name)",
            sentence,
            parameters: ["sentence": .string(sentence)]
        )
    }
}
