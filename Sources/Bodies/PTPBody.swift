import Cameras
import NIOCore
import PTP

/// The part of a maker's body that handles PTP operations. ``PTPIPBody`` connects it to a PTP/IP responder.
package protocol PTPBody: BodyControls {
    /// The operations whose data goes to the body.
    static var dataOutOperations: [OperationCode] { get }
    /// For the log.
    static func name(of code: OperationCode) -> String
    /// The transaction by which these bytes release the shutter; nil: they do not.
    static func transactionOfPress(_ bytes: ByteBuffer) -> UInt32?

    /// Unique to the body.
    var guid: GUID { get }
    /// Its operations: faults may remove some.
    var operations: [OperationCode] { get }
    /// How long the place stays taken after a broken connection.
    var slotHold: Duration { get }
    /// How long the body accepts silence from the initiator; nil: no limit.
    var idleLimit: Duration? { get }
    /// Its outputs that ``PTPIPBody`` has not delivered yet, in order.
    var outputs: [PTPBodyOutput] { get set }

    /// Performs an operation.
    ///
    /// - Returns: nil when a fault of the link prevents the answer.
    mutating func perform(_ request: ResponderRequest, at now: Duration) -> ResponderAnswer?
    /// An answer was sent completely.
    mutating func answered(_ transaction: UInt32, at now: Duration)
    /// An answer broke off at the planned byte, which arrives at this time.
    mutating func brokeOff(_ transaction: UInt32, arriving time: Duration)
    /// The initiator does not need the answer any more.
    mutating func cancelled(_ transaction: UInt32)
    /// The initiator has disconnected: no button is pressed any more. An exposure continues.
    mutating func initiatorDisconnected(at now: Duration)

    /// When `advance` must be called next; nil: not before the next input.
    var nextDeadline: Duration? { get }
    mutating func advance(to now: Duration)
    /// See ``SimulatedBody/clearFaults(mode:at:into:)``.
    mutating func clearFaults(mode: DialMode, at now: Duration) -> Bool
}

/// What a body behind a PTP/IP responder does without a request.
package enum PTPBodyOutput: Equatable, Sendable {
    case event(PTPEvent)
    /// See ``BodyOutput``.
    case link(BodyLinkFault)
    case exposed(CardFrame)
    case fact(BodyFact)
    case log(String)
}
