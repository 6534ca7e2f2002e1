import Controller

/// The way between a client and the core: what a client asks for becomes a request, what the core answers becomes a
/// message to the client.
package protocol RequestDoor: Sendable {
    /// What comes to the core when a client asks for this; nil: the client was answered before.
    mutating func call(_ request: Request) -> Request?
    /// A client sends what makes no sense, drawn from this number; what comes to the core of it.
    mutating func babble(_ number: UInt64) -> Request?
    /// What came of the last call has this number from now on.
    mutating func named(_ id: RequestID)
    /// The core answers.
    mutating func answered(_ answer: VirtualDaemon.Answer)
    /// What was wrong with anything that came through; nil: nothing.
    var complaint: String? { get }
}

/// No way at all: requests are what they are.
package struct OpenDoor: RequestDoor {
    package let complaint: String? = nil

    package init() {}

    package func call(_ request: Request) -> Request? { request }

    package func babble(_ number: UInt64) -> Request? { nil }

    package func named(_ id: RequestID) {}

    package func answered(_ answer: VirtualDaemon.Answer) {}
}
