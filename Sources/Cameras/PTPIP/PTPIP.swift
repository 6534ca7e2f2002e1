import NIOCore
import PTP

/// The driver for bodies that speak PTP/IP: what all makers share, and the part of the maker whose body answers.
///
/// Two machines, one on top of the other: `InitiatorSession` turns bytes into one transaction at a time, and this one
/// asks the maker's part what the next transaction is. Nothing is remembered about "what to do next": whenever the
/// command connection is free, `decide` looks at what the controller wants, at what the body said last and at the
/// clock, and either starts one transaction or says until when to wait. So every wait has an end.
package struct PTPIP: Camera {
    let makers: [PTPIPMakerRow]
    var session: InitiatorSession
    var address: CameraAddress?
    /// The part of the maker whose body was met last, with all that both parts know of the session.
    var maker: any PTPIPMaker
    /// Which one it is, by its prefix; nil: no body was met yet.
    var makerPrefix: String?
    /// On whose body the last frame was ordered.
    var frameMaker: String?
    /// The running transaction.
    var transaction: (name: String, isTransfer: Bool)?
    /// When `decide` wants to be asked again.
    var wakeAt: Duration?

    /// - Parameters:
    ///   - identity: Who we are; the camera remembers it.
    ///   - timing: Delays and limits of the shared part.
    ///   - makers: Whose bodies can be driven.
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

    /// For tests: a list of the driver that is longer than it may be; nil: none is.
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
        // A body of another maker cannot tell.
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
        // Each turn settles one question; the number of questions is small, so this bound is never met.
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

    /// A wait that is already over would turn the loop above us into a busy one.
    private mutating func wait(until time: Duration?, at now: Duration) {
        assert(time.map { $0 > now } ?? true, "a wait has to end in the future")
        wakeAt = time.map { max($0, now + Self.waitMin) }
    }

    private static let waitMin: Duration = .milliseconds(1)

    private mutating func decide(at now: Duration, into actions: inout [CameraAction]) -> PTPIPMove {
        switch maker.stage {
        case .disconnected: .wait(until: nil)
        case .greeting(let greeting): decide(greeting, at: now)
        // Nothing has to be undone on a body that has not described itself.
        case .leaving where common.identity == nil: .close
        case .settingUp, .connected, .leaving: maker.decide(at: now, into: &actions)
        }
    }
}
