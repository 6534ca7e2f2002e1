import NIOCore
import PTP

/// The driver for PTP/IP bodies: a part that all makers share, and the part of the connected body's maker.
///
/// `InitiatorSession` turns bytes into one transaction at a time. This type asks the maker's part for the next
/// transaction. The driver stores no list of next steps. Whenever the command connection is free, `decide` reads the
/// command, the last report of the body and the clock. `decide` then starts one transaction, or sets the time of its
/// next call. So every wait ends.
package struct PTPIP: Camera {
    let makers: [PTPIPMakerRow]
    var session: InitiatorSession
    var address: CameraAddress?
    /// The maker's part for the last connected body. It contains the data of the session that both parts use.
    var maker: any PTPIPMaker
    /// The prefix of the maker in `maker`; nil: no body was connected yet.
    var makerPrefix: String?
    /// The prefix of the maker whose body received the last capture command.
    var frameMaker: String?
    /// The running transaction.
    var transaction: (name: String, isTransfer: Bool)?
    /// The time of the next call of `decide`.
    var wakeAt: Duration?
    var probe = PTPIPProbe.unsent
    var lastEnd: PTPIPSessionEnd?
    /// Whether the body has accepted the present connection, so that it may need a pause after it.
    var isAcknowledged = false

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
        handle(at: now, into: &actions) { driver, turn in
            switch command {
            case .connect(let address, _, _, let maker): driver.connect(address, maker: maker, ticket, in: &turn)
            case .disconnect: driver.disconnect(ticket, in: &turn)
            case .abandon: driver.abandon(ticket, in: &turn)
            case .keepPictures(let request):
                driver.maker.common.pictures.request = request
                driver.maker.takePictureRequest(in: &turn)
                driver.conclude(in: &turn)
            default: driver.begin(command, ticket, in: &turn)
            }
        }
    }

    package mutating func receive(_ event: LinkEvent, at now: Duration, into actions: inout [CameraAction]) {
        guard let channel = event.link.ofSession else { return }
        handle(at: now, into: &actions) { driver, turn in
            driver.run(in: &turn) { session, now, told in
                switch event {
                case .opened: session.opened(channel, at: now, into: &told)
                case .openFailed(_, let reason, _):
                    session.openFailed(channel, reason: reason, at: now, into: &told)
                case .received(_, let bytes): session.received(bytes, on: channel, at: now, into: &told)
                case .closed(_, let reason): session.closed(channel, reason: reason, at: now, into: &told)
                }
            }
            driver.maker.reportProgress(in: &turn)
        }
    }

    package mutating func takeRecordableParts() -> [Range<Int>] { session.takeRecordableParts() }

    package mutating func advance(to now: Duration, into actions: inout [CameraAction]) {
        handle(at: now, into: &actions) { driver, turn in
            driver.run(in: &turn) { $0.advance(to: $1, into: &$2) }
            driver.connectAfterPause(in: &turn)
            driver.advanceProbe(in: &turn)
            driver.cancelTransfer(in: &turn)
            if case .leaving(let leaving) = driver.maker.stage, now >= leaving.deadline {
                driver.closeSockets(in: &turn)
                driver.finishLeaving(in: &turn)
            }
        }
    }

    /// Handles one input, and then starts the next transaction on the command connection.
    private mutating func handle(
        at now: Duration,
        into actions: inout [CameraAction],
        _ input: (inout PTPIP, inout DriverTurn) -> Void
    ) {
        var turn = DriverTurn(at: now, &actions)
        input(&self, &turn)
        settle(in: &turn)
        turn.give(to: &actions)
    }

    package var nextDeadline: Duration? {
        let own = session.nextDeadline.earlier(wakeAt).earlier(probeDeadline).earlier(pauseEnd)
        guard case .leaving(let leaving) = maker.stage else { return own }
        return own.earlier(leaving.deadline).earlier(leaving.cancelAt)
    }

    /// For tests: a list of the driver that exceeds its limit; nil: no list exceeds its limit.
    package var overflow: (list: String, count: Int, limit: Int)? {
        if common.knowledge.count > PTPIPLimits.bodiesMax {
            return ("bodies that are remembered", common.knowledge.count, PTPIPLimits.bodiesMax)
        }
        return maker.overflow
    }

    /// Begins a command that needs a session.
    private mutating func begin(_ command: CameraCommand, _ ticket: Ticket, in turn: inout DriverTurn) {
        if case .capture = command { frameMaker = makerPrefix }
        if case .files = command, maker.stage.isConnected {
            return turn.report(.failed(.other(ConnectionSentences.filesUnsupported)), ticket)
        }
        if case .liveView(.some) = command, maker.stage.isConnected {
            return turn.report(.failed(.other(LiveViewSentences.oneSize)), ticket)
        }
        // A body of another maker cannot report whether this frame was fired.
        if case .resolveCapture = command, maker.stage.isConnected, let frameMaker, frameMaker != makerPrefix {
            return turn.report(.captureResolved(.unknown), ticket)
        }
        maker.begin(command, ticket, in: &turn)
        switch maker.stage {
        case .connected: conclude(in: &turn)
        case .disconnected: turn.report(.lost(.notConnected), ticket)
        case .handshake, .settingUp, .leaving:
            let failure = CameraFailure.other(ConnectionSentences.notYetConnected)
            turn.report(.failed(failure), ticket)
        }
    }

    /// Starts the next transaction, if the command connection is free and a transaction is due.
    private mutating func settle(in turn: inout DriverTurn) {
        wakeAt = nil
        // Each pass of the loop makes one decision. Few decisions follow each other, so this limit is never reached.
        for _ in 0..<Self.decisionsMax {
            guard session.isReady, transaction == nil else { return }
            let wasConnected = maker.stage.isConnected
            let move = decide(in: &turn)
            noteAcceptance(wasConnected: wasConnected)
            if maker.ending != nil {
                conclude(in: &turn)
                continue
            }
            switch move {
            case .again: continue
            case .wait(let until): return wait(until: until, at: turn.now)
            case .perform(let operation, let name): return start(operation, name, in: &turn)
            case .close: return closeSession(in: &turn)
            }
        }
        preconditionFailure("a decision leads to another without end")
    }

    private static let decisionsMax = 32

    /// Waits until this time, but at least for `waitMin`. Without that minimum the caller could run a busy loop.
    private mutating func wait(until time: Duration?, at now: Duration) {
        assert(time.map { $0 > now } ?? true, "a wait has to end in the future")
        wakeAt = time.map { max($0, now + Self.waitMin) }
    }

    private static let waitMin: Duration = .milliseconds(1)

    private mutating func decide(in turn: inout DriverTurn) -> PTPIPNextAction {
        switch maker.stage {
        case .disconnected: .wait(until: nil)
        case .handshake(let handshake): decide(handshake, at: turn.now)
        // Until the body has described itself, the driver has changed nothing on the body.
        case .leaving where common.identity == nil: closing(.close, at: turn.now)
        case .leaving: closing(maker.decide(in: &turn), at: turn.now)
        case .settingUp, .connected: maker.decide(in: &turn)
        }
    }

    /// Delays CloseSession on a body that needs a minimum time after OpenSession.
    private func closing(_ action: PTPIPNextAction, at now: Duration) -> PTPIPNextAction {
        guard case .close = action, let openedAt = common.openedAt else { return action }
        let closeAt = openedAt + needs.sessionMin
        return now < closeAt ? .wait(until: closeAt) : action
    }
}
