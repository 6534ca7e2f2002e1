import Interface
import Varlink

extension Bracketd.Status {
    /// The failure with which the daemon would refuse a shoot now; nil: the daemon would accept the shoot, or this is
    /// unknown. bracketctl checks for an obstacle before it asks the user a question.
    var obstacle: Failure? {
        func refusal(_ name: String, _ sentence: String) -> Failure {
            Failure(name, sentence, parameters: ["sentence": .string(sentence)])
        }
        if let shoot, shoot.outcome == nil {
            return refusal(Bracketd.NotNow.name, ShootReportSentences.running(sentence))
        }
        switch charts.last(where: { $0.name == "connection" })?.state {
        // After a camera refused the connection, the daemon connects again only when a client requests a shoot.
        case nil, "connected", "refused": return nil
        default: return refusal(Bracketd.NotConnected.name, sentence)
        }
    }
}
