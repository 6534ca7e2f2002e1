import Exposure
import NIOCore
import PTP

/// The driver for Sony bodies that speak PTP/IP: extension version 3, which sets the shutter speed absolutely, and
/// version 2, which mostly takes steps.
///
/// Two machines, one on top of the other: `InitiatorSession` turns bytes into one transaction at a time, and this one
/// decides what the next transaction is. Nothing is remembered about "what to do next": whenever the command connection
/// is free, `decide` looks at what the controller wants (`activity`), at what the body said last (`body.reading`) and
/// at the clock, and either starts one errand or says until when to wait. So every wait has an end, a reading is never
/// asked for while another command is under way, and several reasons for a reading become one reading.
package struct SonyPTPIP: Camera {
    enum Phase: Sendable {
        case disconnected
        /// Opening connections, Init handshake, then Sony's.
        case connecting(SonyHandshake)
        case connected
        /// The ordered end.
        case leaving(SonyLeaving)
    }

    let timing: SonyTiming
    var session: InitiatorSession
    var address: CameraAddress?
    var phase = Phase.disconnected
    var activity = SonyActivity.idle
    /// What is known of the connected body.
    var body = SonyBody()
    var buttons = SonyButtons()
    var drain = SonyDrain()
    var pictures = SonyPictures()
    /// What the running transaction is for, and since when it runs.
    var errand: SonyErrand?
    var errandSince: Duration = .zero
    /// When `decide` wants to be asked again.
    var wakeAt: Duration?
    /// Who waits for a status, and since when.
    var statusQuestions: [(ticket: Ticket, since: Duration)] = []
    /// When `.saving` was last reported for the present activity.
    var savingReportedAt: Duration?

    // What outlives a session, for a body that comes back.
    var idleLimits = SonyIdleLimits()
    var lastFrame = SonyLastFrame.unknown
    /// The dials' priority that we changed, and on which body.
    var positionKeyToRestore: (bodyID: String, value: UInt8)?
    /// The camera that has let us in before: it will not ask its owner again.
    var knownAddress: CameraAddress?

    /// - Parameters:
    ///   - identity: Who we are; the camera remembers it.
    ///   - timing: All delays and limits.
    package init(identity: InitiatorIdentity, timing: SonyTiming = SonyTiming()) {
        guard let guid = GUID(bytes: identity.guid) else {
            preconditionFailure("a GUID has \(InitiatorIdentity.guidByteCount) bytes")
        }
        session = InitiatorSession(guid: guid, name: identity.name, timing: timing.session)
        self.timing = timing
    }

    package mutating func perform(
        _ command: CameraCommand,
        ticket: Ticket,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        switch command {
        case .connect(let address): connect(address, ticket, at: now, into: &actions)
        case .disconnect: disconnect(ticket, at: now, into: &actions)
        case .abandon: abandon(ticket, into: &actions)
        case .keepPictures(let wish): keepPictures(wish, into: &actions)
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
        reportTransferProgress(at: now, into: &actions)
        settle(at: now, into: &actions)
    }

    package mutating func advance(to now: Duration, into actions: inout [CameraAction]) {
        var told: [InitiatorSession.Action] = []
        session.advance(to: now, into: &told)
        handle(told, at: now, into: &actions)
        cancelTransfer(at: now, into: &actions)
        if case .leaving(let leaving) = phase, now >= leaving.deadline {
            closeSockets(into: &actions)
            finishLeaving(into: &actions)
        }
        settle(at: now, into: &actions)
    }

    package var nextDeadline: Duration? {
        let own = session.nextDeadline.earlier(wakeAt)
        guard case .leaving(let leaving) = phase else { return own }
        return own.earlier(leaving.deadline).earlier(leaving.cancelAt)
    }

    /// Gives the command connection its next errand, if it is free and there is one.
    private mutating func settle(at now: Duration, into actions: inout [CameraAction]) {
        wakeAt = nil
        // Each turn settles one question; the number of questions is small, so this bound is never met.
        for _ in 0..<Self.decisionsMax {
            guard session.isReady, errand == nil else { return }
            switch decide(at: now, into: &actions) {
            case .again: continue
            case .wait(let until): return wait(until: until, at: now)
            case .perform(let errand): return start(errand, at: now, into: &actions)
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

    private mutating func decide(at now: Duration, into actions: inout [CameraAction]) -> SonyMove {
        switch phase {
        case .disconnected: .wait(until: nil)
        case .connecting(let handshake): decide(handshake, at: now)
        case .connected: decideConnected(at: now, into: &actions)
        case .leaving: decideLeaving()
        }
    }
}

/// What to do with a free command connection.
enum SonyMove: Sendable {
    case perform(SonyErrand)
    /// Nothing before this time, or before something happens.
    case wait(until: Duration?)
    /// The question was settled without a transaction; ask again.
    case again
    /// End the session.
    case close
}

/// What a transaction is for.
enum SonyErrand: Hashable, Sendable {
    case openSession(id: UInt32)
    case getDeviceInfo
    case connect(phase: UInt32)
    case getExtDeviceInfo
    case reading
    case positionKey(UInt8)
    case speed(SonyShutterSpeed, by: PropertyCode)
    /// So many notches on version 2 bodies, more than 0 is faster; and where the body stood.
    case step(Int8, from: Int)
    case property(SonyPropertyErrand)
    case button(SonyControl, SonyButton)
    case objectInfo
    case object(SonyFetch)
}

/// What is known of the connected body.
struct SonyBody: Sendable {
    /// What the body's events ask for.
    enum News: Int, Comparable, Sendable {
        case none
        /// Something changed.
        case property
        /// A picture or a file.
        case file

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    var identity: CameraIdentity?
    var deviceInfo = DeviceInfo()
    var version: SonyExtensionVersion?
    /// What 0x9202 lists.
    var listed: SonyExtDeviceInfo?
    /// What this session found out about steps.
    var steps = SonyStepKnowledge()
    var quirks = SonyQuirks()
    /// When the session stood.
    var connectedAt: Duration = .zero
    /// When the last transaction ended.
    var lastTransactionAt: Duration = .zero
    var decoder = SonyPropertyDecoder()
    var reading: SonyReading?
    /// How many readings there were.
    var readings = 0
    /// The body was told to take this speed. It may show another one until it does, or until then at most.
    var speedMove: (to: SpeedReading, until: Duration)?
    /// Unserved; cleared when a reading begins.
    var news = News.none
    /// Whether events come at all.
    var sendsEvents = false
    /// Since when no reading succeeded; nil: the last one did.
    var readingsFailSince: Duration?
    var retryReadingAt: Duration = .zero
    /// Files were in the buffer when we came.
    var hadFilesAtConnect = false
    /// Whether pictures come through the buffer; nil: not known yet.
    var deliversFiles: Bool?
    /// Frames in a row whose file was waited for in vain.
    var framesWithoutFile = 0
    /// When the dials' priority was taken in this session.
    var priorityTakenAt: Duration?
    /// The last status that was reported.
    var reported: CameraStatus?
    /// The neutral properties of the last reading.
    var properties = SonyProperties()
    /// What was wrong with readings; each is told once.
    var remarksTold: Set<String> = []
}

/// The ordered end of a session.
struct SonyLeaving: Sendable {
    /// What is reported when the sockets are closed.
    var event: CameraEvent
    var ticket: Ticket?
    let deadline: Duration
    /// When a file that is still on its way is cancelled, so that the session can be closed; nil: it was.
    var cancelAt: Duration?
    /// Each button is let go once: there is no time for more.
    var buttonsTried = false
    var priorityTried = false
}
