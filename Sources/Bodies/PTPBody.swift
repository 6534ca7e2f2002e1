import Cameras
import NIOCore
import PTP

/// The part of a maker's body that handles PTP operations. ``PTPIPBody`` connects it to a PTP/IP responder.
package protocol PTPBody: BodyControls {
    /// The operations whose data goes to the body.
    static var dataOutOperations: [OperationCode] { get }
    /// The name of an operation in the log.
    static func name(of code: OperationCode) -> String
    /// The transaction of these bytes if they release the shutter; otherwise nil.
    static func transactionOfPress(_ bytes: ByteBuffer) -> UInt32?

    /// The GUID, unique to the body.
    var guid: GUID { get }
    /// The operations of the body. Faults can remove some of them.
    var operations: [OperationCode] { get }
    /// How long the session slot stays occupied after a connection breaks.
    var slotHold: Duration { get }
    /// The maximum time without an operation of the initiator; nil: no limit.
    var idleLimit: Duration? { get }
    /// The outputs that ``PTPIPBody`` has not delivered yet, in order.
    var outputs: [PTPBodyOutput] { get set }

    /// Changes the options of the responder, as this body needs them.
    func adjust(_ options: inout ResponderOptions)
    /// Whether the body answers an Init packet that arrives now. Otherwise the initiator waits until its timeout.
    mutating func answersInit(at now: Duration) -> Bool
    /// Performs an operation.
    ///
    /// - Returns: nil when a fault of the link prevents the answer.
    mutating func perform(_ request: ResponderRequest, at now: Duration) -> ResponderAnswer?
    /// Handles an answer that the responder has sent completely.
    mutating func answered(_ transaction: UInt32, at now: Duration)
    /// Handles an answer that a fault cut at the planned byte. That byte reaches the initiator at this time.
    mutating func brokeOff(_ transaction: UInt32, arriving time: Duration)
    /// Handles a transaction that the initiator cancelled.
    mutating func cancelled(_ transaction: UInt32)
    /// Releases the buttons after the initiator has disconnected. An exposure continues.
    mutating func initiatorDisconnected(at now: Duration)

    /// When `advance` must be called next; nil: not before the next input.
    var nextDeadline: Duration? { get }
    mutating func advance(to now: Duration)
    /// See ``SimulatedBody/clearFaults(mode:at:into:)``.
    mutating func clearFaults(mode: DialMode, at now: Duration) -> Bool
}

extension PTPBody {
    package func adjust(_ options: inout ResponderOptions) {}
    package mutating func answersInit(at now: Duration) -> Bool { true }
}

/// An output of a maker's body that is not an answer to a request.
package enum PTPBodyOutput: Equatable, Sendable {
    case event(PTPEvent)
    /// A fault of the link is due. See ``BodyOutput``.
    case link(BodyLinkFault)
    case exposed(CardFrame)
    case fact(BodyFact)
    case log(String)
}
