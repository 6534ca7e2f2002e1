import Cameras
import NIOCore
import PTP

/// What a maker's body does with PTP's operations. ``PTPIPBody`` puts it behind a responder of PTP/IP.
package protocol PTPBody: BodyControls {
    /// Those operations whose data goes to the body.
    static var dataOutOperations: [OperationCode] { get }
    /// For the log.
    static func name(of code: OperationCode) -> String
    /// The transaction by which these bytes release the shutter; nil: they do not.
    static func transactionOfPress(_ bytes: ByteBuffer) -> UInt32?

    /// Unique to the body.
    var guid: GUID { get }
    /// What it knows: faults may take some away.
    var operations: [OperationCode] { get }
    /// How long the place stays taken after a broken connection.
    var slotHold: Duration { get }
    /// How long the body accepts silence from the initiator; nil: for ever.
    var idleLimit: Duration? { get }
    /// What it did and ``PTPIPBody`` has not handed on yet, in order.
    var outputs: [PTPBodyOutput] { get set }

    /// Performs an operation.
    ///
    /// - Returns: nil when a fault of the link swallows the answer.
    mutating func perform(_ request: ResponderRequest, at now: Duration) -> ResponderAnswer?
    /// An answer has gone out whole.
    mutating func answered(_ transaction: UInt32, at now: Duration)
    /// An answer broke off where it was to; its last byte arrives then.
    mutating func brokeOff(_ transaction: UInt32, arriving time: Duration)
    /// The initiator does not want an answer any more.
    mutating func cancelled(_ transaction: UInt32)
    /// The initiator has left: no button is held any more. An exposure goes on.
    mutating func initiatorLeft(at now: Duration)

    /// When `advance` wants to be called next; nil: not before something happens.
    var nextDeadline: Duration? { get }
    /// Time has passed.
    mutating func advance(to now: Duration)
    /// See ``SimulatedBody/heal(mode:at:into:)``.
    mutating func heal(mode: DialMode, at now: Duration) -> Bool
}

/// What a body behind a responder of PTP/IP does by itself.
package enum PTPBodyOutput: Equatable, Sendable {
    case event(PTPEvent)
    /// See ``BodyOutput``.
    case link(BodyLinkFault)
    case exposed(CardFrame)
    case fact(BodyFact)
    case log(String)
}
