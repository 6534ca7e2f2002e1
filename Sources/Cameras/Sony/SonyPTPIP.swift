import Exposure
import NIOCore
import PTP

/// The part of Sony bodies in ``PTPIP``: extension version 3, which sets the shutter speed absolutely, and version 2,
/// which mostly takes steps.
///
/// Nothing is remembered about "what to do next": whenever the command connection is free, `decide` looks at what the
/// controller wants (`activity`), at what the body said last (`body.reading`) and at the clock, and either starts one
/// errand or says until when to wait. So every wait has an end, a reading is never asked for while another command is
/// under way, and several reasons for a reading become one reading.
package struct SonyPTPIP: PTPIPMaker {
    package var common: PTPIPCommon
    let timing: SonyTiming
    /// While the session is set up.
    var handshake = SonyHandshake()
    var activity = SonyActivity.idle
    /// What is known of the connected body.
    var body = SonyBody()
    var buttons = SonyButtons()
    var leaving = SonyLeaving()
    var drain = SonyDrain()
    /// What the running transaction is for.
    var errand: SonyErrand?
    /// Who waits for a status, and since when.
    var statusQuestions: [(ticket: Ticket, since: Duration)] = []
    /// When `.saving` was last reported for the present activity.
    var savingReportedAt: Duration?

    // What outlives a session, for a body that comes back.
    /// The controller's last frame, whichever body it was ordered on: a later question is about that one.
    var lastFrame = SonyLastFrame.unknown
    /// Of the body that was met last.
    var known = SonyKnowledge()
    /// How the picture under way is fetched.
    var fetchOfPicture: SonyFetch?
    /// A file whose transfer ended a session.
    var lastLoss: SonyLostFetch?
    /// Said once that RAW files are kept against the policy.
    var isKeepingRAWTold = false

    init(_ common: PTPIPCommon, timing: SonyTiming) {
        self.common = common
        self.timing = timing
    }

    package var knowledge: (any Sendable)? {
        get { known }
        set { known = newValue as? SonyKnowledge ?? SonyKnowledge() }
    }

    package mutating func decide(at now: Duration, into actions: inout [CameraAction]) -> PTPIPMove {
        let move: SonyMove =
            switch common.stage {
            case .disconnected, .greeting: .wait(until: nil)
            case .settingUp: decide(handshake, at: now)
            case .connected: decideConnected(at: now, into: &actions)
            case .leaving: decideLeaving()
            }
        switch move {
        case .wait(let until): return .wait(until: until)
        case .again: return .again
        case .close: return .close
        case .perform(let errand):
            prepare(errand, at: now)
            self.errand = errand
            return .perform(operation(for: errand, at: now), name: errand.name)
        }
    }
}

/// What is kept of a body over sessions.
struct SonyKnowledge: Sendable {
    /// The dials' priority that we changed.
    var positionKeyToRestore: UInt8?
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

    var version: SonyExtensionVersion?
    /// What 0x9202 lists.
    var listed: SonyExtDeviceInfo?
    /// What this session found out about steps.
    var steps = SonyStepKnowledge()
    var quirks = SonyQuirks()
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

/// What of the ordered end was tried: there is no time for more than once.
struct SonyLeaving: Sendable {
    var buttonsTried = false
    var priorityTried = false
}
