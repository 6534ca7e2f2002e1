import Exposure
import NIOCore
import PTP

/// Sony's part of ``PTPIP``: extension version 3, which sets the shutter speed as a value, and version 2, which mostly
/// uses steps.
///
/// No list of next steps is stored. Whenever the command connection is free, `decide` reads the command (`activity`),
/// the last report of the body (`body.reading`) and the clock. It then starts one transaction or sets the time until
/// which to wait. So every wait ends, no reading is requested during another command, and several reasons for a reading
/// become one reading.
package struct SonyPTPIP: PTPIPMaker {
    package var common: PTPIPCommon
    let timing: SonyTiming
    /// While the session is set up.
    var handshake = SonyHandshake()
    var activity = SonyActivity.idle
    var body = SonyBody()
    var buttons = SonyButtons()
    var leaving = SonyClosing()
    var drain = SonyDrain()
    /// The purpose of the running transaction.
    var task: SonyTask?
    /// The tickets that wait for a status, and since when.
    var statusQuestions: [(ticket: Ticket, since: Duration)] = []
    /// When `.saving` was last reported for the present activity.
    var savingReportedAt: Duration?

    // Outlives a session, for a body that reconnects.
    /// The controller's last frame, whichever body it was ordered on: a later question is about that one.
    var lastFrame = SonyLastFrame.unknown
    /// Data of the last connected body.
    var known = SonyBodyData()
    /// How the picture in transfer is fetched.
    var fetchOfPicture: SonyFetch?
    /// A file whose transfer ended a session.
    var lastLoss: SonyLostFetch?
    /// The journal already says that RAW files are kept against the policy.
    var hasReportedKeepingRAW = false

    init(_ common: PTPIPCommon, timing: SonyTiming) {
        self.common = common
        self.timing = timing
    }

    package var knowledge: (any Sendable)? {
        get { known }
        set { known = newValue as? SonyBodyData ?? SonyBodyData() }
    }

    package mutating func decide(in turn: inout DriverTurn) -> PTPIPNextAction {
        let move: SonyNextAction =
            switch common.stage {
            case .disconnected, .handshake: .wait(until: nil)
            case .settingUp: decide(handshake, at: turn.now)
            case .connected: decideConnected(in: &turn)
            case .leaving: decideClosing()
            }
        switch move {
        case .wait(let until): return .wait(until: until)
        case .again: return .again
        case .close: return .close
        case .perform(let task):
            prepare(task, at: turn.now)
            self.task = task
            return .perform(operation(for: task, at: turn.now), name: task.name)
        }
    }
}

/// What is kept of a body across sessions.
struct SonyBodyData: Sendable {
    /// The dials' priority that the driver changed.
    var positionKeyToRestore: UInt8?
}

/// The next step on a free command connection.
enum SonyNextAction: Sendable {
    case perform(SonyTask)
    /// Nothing before this time, or before the next input.
    case wait(until: Duration?)
    /// The question was settled without a transaction: call again.
    case again
    /// End the session.
    case close
}

/// The purpose of a transaction.
enum SonyTask: Hashable, Sendable {
    case connect(phase: UInt32)
    case getExtDeviceInfo
    case reading
    case positionKey(UInt8)
    case speed(SonyShutterSpeed, by: PropertyCode)
    /// The number of notches on version 2 bodies, positive for faster; and the position of the body before.
    case step(Int8, from: Int)
    case property(SonyPropertyTask)
    case button(SonyControl, SonyButton)
    case objectInfo
    case object(SonyFetch)
}

struct SonyBody: Sendable {
    /// The reading that the body's events require.
    enum News: Int, Comparable, Sendable {
        case none
        /// Something changed.
        case property
        /// A picture or a file.
        case file

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    var version: SonyExtensionVersion?
    /// The body's 0x9202 dataset.
    var listed: SonyExtDeviceInfo?
    /// What this session learned about steps.
    var steps = SonyStepData()
    var quirks = SonyQuirks()
    var decoder = SonyPropertyDecoder()
    var reading: SonyReading?
    /// The number of readings.
    var readings = 0
    /// The speed that the body was ordered to take. Until `until` it may still show another one.
    var speedMove: (to: SpeedReading, until: Duration)?
    /// Cleared when a reading begins.
    var news = News.none
    /// Whether the body sends events at all.
    var sendsEvents = false
    /// Since when no reading succeeded; nil: the last one did.
    var readingsFailSince: Duration?
    var retryReadingAt: Duration = .zero
    /// Files were in the buffer after connecting.
    var hadFilesAtConnect = false
    /// Whether pictures arrive through the buffer; nil: not known yet.
    var deliversFiles: Bool?
    /// The number of frames in a row whose file did not arrive in time.
    var framesWithoutFile = 0
    /// When the driver took the dials' priority in this session.
    var priorityTakenAt: Duration?
    /// The last status that was reported.
    var reported: CameraStatus?
    /// The neutral properties of the last reading.
    var properties = SonyProperties()
    /// Errors of readings; each is reported once.
    var reportedRemarks: Set<String> = []
}

/// The attempted steps of closing: there is time for one attempt each.
struct SonyClosing: Sendable {
    var buttonsTried = false
    var priorityTried = false
}
