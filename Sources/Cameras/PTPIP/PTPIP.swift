import NIOCore
import PTP

/// The driver for PTP/IP bodies: the part that all makers share, and the part of the connected body's maker.
///
/// Two machines, one above the other: `InitiatorSession` turns bytes into one transaction at a time, and this one asks
/// the maker's part for the next transaction. No list of next steps is stored. Whenever the command connection is free,
/// `decide` reads the command, the last report of the body and the clock. It then starts one transaction or sets the
/// time until which to wait. So every wait ends.
package struct PTPIP: Camera {
    let makers: [PTPIPMakerRow]
    var session: InitiatorSession
    var address: CameraAddress?
    /// The part of the last connected body's maker, with everything that both parts know of the session.
    var maker: any PTPIPMaker
    /// Names that part by its prefix; nil: no body was connected yet.
    var makerPrefix: String?
    /// The maker of the body that received the last capture command.
    var frameMaker: String?
    /// The running transaction.
    var transaction: (name: String, isTransfer: Bool)?
    /// When `decide` must be called again.
    var wakeAt: Duration?

    /// - Parameters:
    ///   - identity: The identity of this computer; the camera remembers it.
    ///   - timing: Delays and limits of the shared part.
    ///   - makers: The supported makers.
    package init(
        identity: InitiatorIdentity,
        timing: PTPIPTiming = PTPIPTiming(),
        makers: [PTPIPMakerRow] = PTPIPMakerRow.all
    ) {
        guard let guid = GUID(bytes: identity.guid) else {
            preconditionFailure("a GUID has \(InitiatorIdentity.guidByteCount) bytes")
        }
        session = InitiatorSession(guid: guid, name: identity.name, timing: timing.session)
        maker = PTPIPUnknownMaker(common: PTPIPCommon(timing))
        self.makers = makers
    }

    var common: PTPIPCommon { maker.common }
    var timing: PTPIPTiming { maker.common.timing }

    package mutating func perform(
        _ command: CameraCommand,
        ticket: Ticket,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        switch command {
        case .connect(let address, _): connect(address, ticket, at: now, into: &actions)
        case .disconnect: disconnect(ticket, at: now, into: &actions)
        case .abandon: abandon(ticket, into: &actions)
        case .keepPictures(let request):
            maker.common.pictures.request = request
            maker.takePictureRequest(into: &actions)
            conclude(at: now, into: &actions)
        default: begin(command, ticket, at: now, into: &actions)
        }
        settle(at: now, into: &actions)
    }

    package mutating func receive(_ event: LinkEvent, at now: Duration, into actions: inout [CameraAction]) {
        guard let channel = event.link.ofSession else { return }
        var told: [InitiatorSession.Action] = []
        switch event {
        case .opened: session.opened(channel, at: now, into: &told)
        case .openFailed(_, let reason, _): session.openFailed(channel, reason: reason, at: now, into: &told)
        case .received(_, let bytes): session.received(bytes, on: channel, at: now, into: &told)
        case .closed(_, let reason): session.closed(channel, reason: reason, at: now, into: &told)
        }
        handle(told, at: now, into: &actions)
        maker.reportProgress(at: now, into: &actions)
        settle(at: now, into: &actions)
    }

    package mutating func takeRecordableParts() -> [Range<Int>] { session.takeRecordableParts() }

    package mutating func advance(to now: Duration, into actions: inout [CameraAction]) {
        var told: [InitiatorSession.Action] = []
        session.advance(to: now, into: &told)
        handle(told, at: now, into: &actions)
        cancelTransfer(at: now, into: &actions)
        if case .leaving(let leaving) = maker.stage, now >= leaving.deadline {
            closeSockets(into: &actions)
            finishLeaving(into: &actions)
        }
        settle(at: now, into: &actions)
    }

    package var nextDeadline: Duration? {
        let own = session.nextDeadline.earlier(wakeAt)
        guard case .leaving(let leaving) = maker.stage else { return own }
        return own.earlier(leaving.deadline).earlier(leaving.cancelAt)
    }

    /// For tests: a list of the driver that exceeds its limit; nil: none.
    package var overflow: (list: String, count: Int, limit: Int)? {
        if common.knowledge.count > PTPIPLimits.bodiesMax {
            return ("bodies that are remembered", common.knowledge.count, PTPIPLimits.bodiesMax)
        }
        return maker.overflow
    }

    /// A command that needs a session.
    private mutating func begin(
        _ command: CameraCommand,
        _ ticket: Ticket,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        if case .capture = command { frameMaker = makerPrefix }
        // A body of another maker cannot answer.
        if case .resolveCapture = command, maker.stage.isConnected, let frameMaker, frameMaker != makerPrefix {
            return actions.append(.report(.captureResolved(.unknown), ticket: ticket))
        }
        maker.begin(command, ticket, at: now, into: &actions)
        switch maker.stage {
        case .connected: conclude(at: now, into: &actions)
        case .disconnected: actions.append(.report(.lost(.notConnected), ticket: ticket))
        case .greeting, .settingUp, .leaving:
            let failure = CameraFailure.other("The camera is not connected yet.")
            actions.append(.report(.failed(failure), ticket: ticket))
        }
    }

    /// Gives the command connection its next transaction, if it is free and there is one.
    private mutating func settle(at now: Duration, into actions: inout [CameraAction]) {
        wakeAt = nil
        // Each turn settles one question. There are few questions, so this limit is never reached.
        for _ in 0..<Self.decisionsMax {
            guard session.isReady, transaction == nil else { return }
            let move = decide(at: now, into: &actions)
            if maker.ending != nil {
                conclude(at: now, into: &actions)
                continue
            }
            switch move {
            case .again: continue
            case .wait(let until): return wait(until: until, at: now)
            case .perform(let operation, let name): return start(operation, name, at: now, into: &actions)
            case .close: return closeSession(at: now, into: &actions)
            }
        }
        preconditionFailure("a decision leads to another without end")
    }

    private static let decisionsMax = 32

    /// A wait that is already over would make the caller's loop a busy loop.
    private mutating func wait(until time: Duration?, at now: Duration) {
        assert(time.map { $0 > now } ?? true, "a wait has to end in the future")
        wakeAt = time.map { max($0, now + Self.waitMin) }
    }

    private static let waitMin: Duration = .milliseconds(1)

    private mutating func decide(at now: Duration, into actions: inout [CameraAction]) -> PTPIPMove {
        switch maker.stage {
        case .disconnected: .wait(until: nil)
        case .greeting(let greeting): decide(greeting, at: now)
        // A body without a description needs nothing undone.
        case .leaving where common.identity == nil: .close
        case .settingUp, .connected, .leaving: maker.decide(at: now, into: &actions)
        }
    }
}
