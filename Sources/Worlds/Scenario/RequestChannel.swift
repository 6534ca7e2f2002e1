import Controller

/// The path between a client and the core: a client's call becomes a request, the core's answer becomes a message to
/// the client.
package protocol RequestChannel: Sendable {
    /// The request that reaches the core; nil: the client was already answered.
    mutating func call(_ request: Request) -> Request?
    /// A client sends an invalid message, drawn from this number. Returns the request that reaches the core.
    mutating func invalidCalls(_ number: UInt64) -> Request?
    /// The request of the last call has this number from now on.
    mutating func named(_ id: RequestID)
    /// The core answers.
    mutating func answered(_ answer: VirtualDaemon.Answer)
    /// The first error of anything that passed through; nil: none.
    var failure: String? { get }
}

/// No path at all: requests reach the core directly.
package struct DirectChannel: RequestChannel {
    package let failure: String? = nil

    package init() {}

    package func call(_ request: Request) -> Request? { request }

    package func invalidCalls(_ number: UInt64) -> Request? { nil }

    package func named(_ id: RequestID) {}

    package func answered(_ answer: VirtualDaemon.Answer) {}
}
