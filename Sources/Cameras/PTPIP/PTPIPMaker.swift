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

    /// What is kept of this body across sessions, besides the shared part's data. Set again before ``meet(into:)``.
    var knowledge: (any Sendable)? { get set }

    /// A body of this maker has described itself. The set-up begins with the next ``decide(at:into:)``; it ends with
    /// ``PTPIPCommon/stand(at:)``, or with ``PTPIPCommon/ending``.
    mutating func meet(into actions: inout [CameraAction])

    /// The next step on a free command connection: while setting up, connected and closing.
    mutating func decide(at now: Duration, into actions: inout [CameraAction]) -> PTPIPMove

    /// The transaction that ``decide(at:into:)`` began is over.
    mutating func finish(_ result: OperationResult, at now: Duration, into actions: inout [CameraAction])

    /// The body sent an event.
    mutating func receive(_ event: PTPEvent, at now: Duration)

    /// A piece of the data of an operation with `.stream`.
    mutating func receive(_ data: ByteBuffer, into actions: inout [CameraAction])

    /// Bytes arrived: a report on the running transfer may be due.
    mutating func reportProgress(at now: Duration, into actions: inout [CameraAction])

    /// A command other than connect, disconnect, abandon and keepPictures. Without a session it is only noted: the
    /// shared part answers it.
    mutating func begin(
        _ command: CameraCommand,
        _ ticket: Ticket,
        at now: Duration,
        into actions: inout [CameraAction]
    )

    /// ``PTPIPCommon/pictures`` has another request.
    mutating func takePictureRequest(into actions: inout [CameraAction])

    /// Closing in order begins: running activities are cancelled. ``decide(at:into:)`` returns what must be undone,
    /// then `.close`.
    mutating func leave()

    /// The session is lost while a transaction runs; nothing is closed yet.
    mutating func noteLoss(into actions: inout [CameraAction])

    /// The connections are about to be closed: a picture in transfer is interrupted.
    mutating func interrupt(into actions: inout [CameraAction])

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

    package mutating func reportProgress(at now: Duration, into actions: inout [CameraAction]) {}
}

/// The next step on a free command connection.
package enum PTPIPMove: Sendable {
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

    mutating func meet(into actions: inout [CameraAction]) {}
    mutating func decide(at now: Duration, into actions: inout [CameraAction]) -> PTPIPMove { .close }
    mutating func finish(_ result: OperationResult, at now: Duration, into actions: inout [CameraAction]) {}
    mutating func receive(_ event: PTPEvent, at now: Duration) {}
    mutating func receive(_ data: ByteBuffer, into actions: inout [CameraAction]) {}
    mutating func begin(
        _ command: CameraCommand,
        _ ticket: Ticket,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {}
    mutating func takePictureRequest(into actions: inout [CameraAction]) {}
    mutating func leave() {}
    mutating func noteLoss(into actions: inout [CameraAction]) {}
    mutating func interrupt(into actions: inout [CameraAction]) {}
    mutating func forgetSession() {}
    var isQuiet: Bool { true }
    var keepAlive: Duration { common.keepAlive(nil) }
    var overflow: (list: String, count: Int, limit: Int)? { nil }
}
