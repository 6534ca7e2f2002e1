import Cameras

/// A message that the parts of the core deliver within one input: it does not pass the queue.
///
/// A ``Message`` of the queue is a turn of its own, and other inputs may come before it. These must not wait: a row
/// belongs in the same ledger commit as the shoot's, a command in the same input as the state that leads to it, and a
/// client's answer after whatever it asked for. As with the queue, no part calls another one: what a part sends is
/// delivered when it returns, and before the message that it received goes to the next receiver.
enum TurnMessage: Equatable, Sendable {
    /// Send this to the clients that watch.
    indirect case publish(Reply, to: Subscriptions.Topic)
}

extension TurnMessage {
    /// The receivers of a message, in order: with ``Message/receivers`` the whole table.
    var receivers: [Receiver] {
        switch self {
        case .publish: [.subscriptions]
        }
    }
}
