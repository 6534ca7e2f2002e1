import Interface
import Varlink

extension Bracketd.Status {
    /// The failure with which the daemon would refuse a shoot now; nil when it would not, or when this is unknown. It
    /// is checked before the user is asked anything.
    var obstacle: Failure? {
        func refusal(_ name: String, _ sentence: String) -> Failure {
            Failure(name, sentence, parameters: ["sentence": .string(sentence)])
        }
        if let shoot, shoot.outcome == nil {
            return refusal(Bracketd.NotNow.name, ShootReportSentences.running(sentence))
        }
        switch charts.last(where: { $0.name == "connection" })?.state {
        // The daemon tries a camera that refused the connection again only at the next request for a shoot.
        case nil, "connected", "refused": return nil
        default: return refusal(Bracketd.NotConnected.name, sentence)
        }
    }
}
