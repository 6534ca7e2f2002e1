import Cameras
import Statecharts

// Messages within one input: the core gives each to its receivers.

extension Core {
    /// Delivers what the parts have sent: each message to its receivers in order, and what a receiver sends before the
    /// next one has its turn.
    ///
    /// - Parameter depth: how many messages are being delivered; more than a few are a circle.
    mutating func deliverMessages(in turn: inout Turn, depth: Int = 0) {
        precondition(depth < 64, "the parts of the core send messages in a circle")
        guard turn.hasMessages else { return }
        for message in turn.takeMessages() {
            for receiver in message.receivers {
                deliver(message, to: receiver, in: &turn)
                deliverMessages(in: &turn, depth: depth + 1)
            }
        }
    }

    private mutating func deliver(_ message: TurnMessage, to receiver: Receiver, in turn: inout Turn) {
        switch receiver {
        case .subscriptions: subscriptions.receive(message, in: &turn)
        default: break
        }
    }
}
