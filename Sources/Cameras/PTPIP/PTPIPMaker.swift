import NIOCore
import PTP

/// The part of ``PTPIP`` that differs between makers: session set-up, encoding and decoding, the steps of a capture,
/// closing. The shared part calls the maker's part, never the reverse. The maker's part returns results, appends
/// actions to the turn, and sets ``PTPIPCommon/ending``.
package protocol PTPIPMaker: Sendable {
    /// The data shared with ``PTPIP``. If a body of another maker connects, the part for that maker gets the data.
    var common: PTPIPCommon { get set }

    /// The stage of the session. This property avoids a copy of `common`, which a read through the protocol makes.
    var stage: PTPIPCommon.Stage { get }

    /// The way in which this part ends the session; nil: the session continues.
    var ending: PTPIPCommon.Ending? { get }

    /// The data about the body that outlive sessions. The shared part sets this property before ``identify(in:)``.
    var knowledge: (any Sendable)? { get set }

    /// Handles the description of a body of this maker. The set-up begins with the next ``decide(in:)``. It ends with
    /// ``PTPIPCommon/establish(at:)`` or with ``PTPIPCommon/ending``.
    mutating func identify(in turn: inout DriverTurn)

    /// The next step when the command connection is free, while the session is set up, connected or closing.
    mutating func decide(in turn: inout DriverTurn) -> PTPIPNextAction

    /// Handles the result of the transaction that ``decide(in:)`` began.
    mutating func finish(_ result: OperationResult, in turn: inout DriverTurn)

    /// Handles an event of the body.
    mutating func receive(_ event: PTPEvent, at now: Duration)

    /// Handles a piece of the data that an operation with `.stream` receives.
    mutating func receive(_ data: ByteBuffer, in turn: inout DriverTurn)

    /// Reports the progress of the running transfer if a report is due. Called when bytes have arrived.
    mutating func reportProgress(in turn: inout DriverTurn)

    /// Begins a command other than connect, disconnect, abandon and keepPictures. Without a session this part only
    /// notes the command, and the shared part answers it.
    mutating func begin(_ command: CameraCommand, _ ticket: Ticket, in turn: inout DriverTurn)

    /// Handles a new request in ``PTPIPCommon/pictures``.
    mutating func takePictureRequest(in turn: inout DriverTurn)

    /// Begins to close the session in order, and cancels running activities. ``decide(in:)`` then returns the steps
    /// that undo changes on the body, and after them `.close`.
    mutating func close()

    /// Handles the loss of the session during a transaction. Called before the connections are closed.
    mutating func noteLoss(in turn: inout DriverTurn)

    /// Interrupts a picture in transfer. Called before the connections are closed.
    mutating func interrupt(in turn: inout DriverTurn)

    /// Resets the data of the session, and keeps the data that outlive it.
    mutating func forgetSession()

    /// Whether no button is pressed and no command waits for an answer.
    var isQuiet: Bool { get }

    /// The longest pause between two transactions, see ``PTPIPCommon/keepAlive(_:)``.
    var keepAlive: Duration { get }

    /// For tests: a list that exceeds its limit; nil: no list exceeds its limit.
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

/// The next step when the command connection is free.
package enum PTPIPNextAction: Sendable {
    /// Perform this operation; the name is for messages.
    case perform(Operation, name: String)
    /// Wait until this time or until the next input; nil: until the next input.
    case wait(until: Duration?)
    /// The decision needed no transaction. Call `decide` again.
    case again
    /// End the session.
    case close
}

/// The maker's part before a body has described itself.
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
