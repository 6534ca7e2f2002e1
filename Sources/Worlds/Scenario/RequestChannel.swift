import Controller

/// The path between a client and the core. It converts a client's call to a request, and the core's answer to a message
/// for the client.
package protocol RequestChannel: Sendable {
    /// Returns the request that reaches the core; nil: the channel has already answered the client.
    mutating func call(_ request: Request) -> Request?
    /// Sends an invalid message of a client, which the number selects. Returns the request that reaches the core; nil:
    /// none.
    mutating func invalidCalls(_ number: UInt64) -> Request?
    /// Sets the number of the request from the last call.
    mutating func named(_ id: RequestID)
    /// Receives an answer of the core.
    mutating func answered(_ answer: VirtualDaemon.Answer)
    /// The first error in any call or answer that passed through; nil: none.
    var failure: String? { get }
}

/// A channel without a conversion: requests reach the core directly.
package struct DirectChannel: RequestChannel {
    package let failure: String? = nil

    package init() {}

    package func call(_ request: Request) -> Request? { request }

    package func invalidCalls(_ number: UInt64) -> Request? { nil }

    package func named(_ id: RequestID) {}

    package func answered(_ answer: VirtualDaemon.Answer) {}
}
