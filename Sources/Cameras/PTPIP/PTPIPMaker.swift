import NIOCore
import PTP

/// The part of ``PTPIP`` that differs between makers: session set-up, encoding and decoding, the steps of a capture,
/// closing. A value; the shared part calls it, and it never calls the shared part. Its results are its return values,
/// `actions` and ``PTPIPCommon/ending``.
package protocol PTPIPMaker: Sendable {
    /// Shared with ``PTPIP``, which passes it on when another maker's body connects.
    var common: PTPIPCommon { get set }

    /// The stage of the session. Reading `common` through the protocol would copy all of it at each input.
    var stage: PTPIPCommon.Stage { get }

    /// How this part ends the session; nil: it does not.
    var ending: PTPIPCommon.Ending? { get }

    /// What is kept of this body across sessions, besides the shared part's data. Set again before ``identify(in:)``.
    var knowledge: (any Sendable)? { get set }

    /// A body of this maker has described itself. The set-up begins with the next ``decide(in:)``; it ends with
    /// ``PTPIPCommon/establish(at:)``, or with ``PTPIPCommon/ending``.
    mutating func identify(in turn: inout DriverTurn)

    /// The next step on a free command connection: while setting up, connected and closing.
    mutating func decide(in turn: inout DriverTurn) -> PTPIPNextAction

    /// The transaction that ``decide(in:)`` began is over.
    mutating func finish(_ result: OperationResult, in turn: inout DriverTurn)

    /// The body sent an event.
    mutating func receive(_ event: PTPEvent, at now: Duration)

    /// A piece of the data of an operation with `.stream`.
    mutating func receive(_ data: ByteBuffer, in turn: inout DriverTurn)

    /// Bytes arrived: a report on the running transfer may be due.
    mutating func reportProgress(in turn: inout DriverTurn)

    /// A command other than connect, disconnect, abandon and keepPictures. Without a session it is only noted: the
    /// shared part answers it.
    mutating func begin(_ command: CameraCommand, _ ticket: Ticket, in turn: inout DriverTurn)

    /// ``PTPIPCommon/pictures`` has another request.
    mutating func takePictureRequest(in turn: inout DriverTurn)

    /// Closing in order begins: running activities are cancelled. ``decide(in:)`` returns what must be undone,
    /// then `.close`.
    mutating func close()

    /// The session is lost while a transaction runs; nothing is closed yet.
    mutating func noteLoss(in turn: inout DriverTurn)

    /// The connections are about to be closed: a picture in transfer is interrupted.
    mutating func interrupt(in turn: inout DriverTurn)

    /// The session is over. Keeps what outlives it.
    mutating func forgetSession()

    /// Whether nothing is pressed and no question is open.
    var isQuiet: Bool { get }

    /// The longest pause between two transactions, see ``PTPIPCommon/keepAlive(_:)``.
    var keepAlive: Duration { get }

    /// For tests: a list that exceeds its limit; nil: none.
    var overflow: (list: String, count: Int, limit: Int)? { get }
}

extension PTPIPMaker {
    package var stage: PTPIPCommon.Stage { common.stage }
    package var ending: PTPIPCommon.Ending? { common.ending }

    package var keepAlive: Duration { common.keepAlive(nil) }
    package var overflow: (list: String, count: Int, limit: Int)? { nil }

    package mutating func identify(in turn: inout DriverTurn) {}
    /// The default for bodies without events: the driver polls them.
    package mutating func receive(_ event: PTPEvent, at now: Duration) {}
    package mutating func receive(_ data: ByteBuffer, in turn: inout DriverTurn) {
        common.pictures.receive(data, in: &turn)
    }
    package mutating func reportProgress(in turn: inout DriverTurn) {}
    package mutating func noteLoss(in turn: inout DriverTurn) {}
}

/// The next step on a free command connection.
package enum PTPIPNextAction: Sendable {
    /// Perform this operation; the name is for messages.
    case perform(Operation, name: String)
    /// Nothing before this time, or before the next input.
    case wait(until: Duration?)
    /// The question was settled without a transaction: call again.
    case again
    /// End the session.
    case close
}

/// The maker is unknown until a body has described itself.
struct PTPIPUnknownMaker: PTPIPMaker {
    var common: PTPIPCommon
    var knowledge: (any Sendable)?

    mutating func decide(in turn: inout DriverTurn) -> PTPIPNextAction { .close }
    mutating func finish(_ result: OperationResult, in turn: inout DriverTurn) {}
    mutating func begin(_ command: CameraCommand, _ ticket: Ticket, in turn: inout DriverTurn) {}
    mutating func takePictureRequest(in turn: inout DriverTurn) {}
    mutating func close() {}
    mutating func interrupt(in turn: inout DriverTurn) {}
    mutating func forgetSession() {}
    var isQuiet: Bool { true }
}
