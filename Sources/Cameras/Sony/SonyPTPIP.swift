import Exposure
import NIOCore
import PTP

/// Sony's part of ``PTPIP``. Extension version 3 sets the shutter speed as a value. Version 2 mostly uses steps.
///
/// The driver stores no list of next steps. Whenever the command connection is free, `decide` reads the command
/// (`activity`), the last report of the body (`body.reading`) and the clock. `decide` then starts one transaction, or
/// sets the time of its next call. So every wait ends, no reading is requested during another command, and one reading
/// serves several reasons.
package struct SonyPTPIP: PTPIPMaker {
    package var common: PTPIPCommon
    let timing: SonyTiming
    /// The progress of the set-up.
    var handshake = SonyHandshake()
    var activity = SonyActivity.idle
    var body = SonyBody()
    var buttons = SonyButtons()
    var leaving = SonyClosing()
    var drain = SonyDrain()
    /// The purpose of the running transaction.
    var task: SonyTask?
    var statusQuestions = StatusQuestions()
    /// The time of the last `.saving` report for the present activity.
    var savingReportedAt: Duration?

    // The following data outlive a session, for a body that reconnects.
    /// The controller's last frame, on any body. A later `.resolveCapture` asks about this frame.
    var lastFrame = LastFrame<SonyFrame>.unknown
    /// The data of the last connected body.
    var known = SonyBodyData()
    /// The fetch of the picture in transfer.
    var fetchOfPicture: SonyFetch?
    /// A file whose transfer ended a session.
    var lastLoss: SonyLostFetch?
    /// Whether the driver has already noted that it keeps RAW files against the policy.
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

/// The data of a body that are kept across sessions.
struct SonyBodyData: Sendable {
    /// The value of 0xD25A to restore, if the driver changed it.
    var positionKeyToRestore: UInt8?
}

typealias SonyNextAction = MakerNextAction<SonyTask>

/// The purpose of a transaction.
enum SonyTask: Hashable, Sendable {
    case connect(phase: UInt32)
    case getExtDeviceInfo
    case reading
    case positionKey(UInt8)
    case speed(SonyShutterSpeed, by: PropertyCode)
    /// The number of notches on a version 2 body, positive for faster speeds, and the position before the step.
    case step(Int8, from: Int)
    case property(SonyPropertyTask)
    case button(SonyControl, SonyButton)
    case objectInfo
    case object(SonyFetch)
    /// Requests the description of the live view, which a body wants before its pictures (PTP 3 p.112).
    case liveViewInfo
    case liveViewPicture

    var name: String {
        let code: OperationCode =
            switch self {
            case .connect: .sdioConnect
            case .getExtDeviceInfo: .sdioGetExtDeviceInfo
            case .reading: .sdioGetAllExtDevicePropInfo
            case .positionKey, .speed: .sdioSetExtDevicePropValue
            case .property(let task): task.code
            case .button, .step: .sdioControlDevice
            case .objectInfo, .liveViewInfo: .getObjectInfo
            case .object, .liveViewPicture: .getObject
            }
        return code.sonyName
    }

    /// Whether the task transfers a file.
    var isTransfer: Bool {
        if case .object = self { true } else { false }
    }
}

struct SonyBody: Sendable {
    /// The kind of change that events have announced since the last reading.
    enum News: Int, Comparable, Sendable {
        case none
        /// A property changed.
        case property
        /// A picture or a file was reported.
        case file

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    var version: SonyExtensionVersion?
    /// The body's 0x9202 dataset.
    var listed: SonyExtDeviceInfo?
    /// The data about steps that this session learned.
    var steps = SonyStepData()
    var quirks = SonyQuirks()
    var decoder = SonyPropertyDecoder()
    var reading: SonyReading?
    /// The number of readings in this session.
    var readings = 0
    /// The newest speed that the driver set on the body. Before `until` the body may still show another speed.
    var speedMove: (to: SpeedReading, until: Duration)?
    /// The greatest change that events have announced since the last request for a reading.
    var news = News.none
    /// Whether the body sends events at all.
    var sendsEvents = false
    /// The time since which readings have failed; nil: the last reading succeeded.
    var readingsFailSince: Duration?
    var retryReadingAt: Duration = .zero
    /// Whether files were in the buffer after connecting.
    var hadFilesAtConnect = false
    /// Whether pictures arrive through the buffer; nil: not known yet.
    var deliversFiles: Bool?
    /// The number of frames in a row whose file did not arrive in time.
    var framesWithoutFile = 0
    /// The time at which the driver took priority over the dials in this session.
    var priorityTakenAt: Duration?
    /// The last status that was reported.
    var reported: CameraStatus?
    /// The neutral properties of the last reading.
    var properties = SonyProperties()
    /// The errors of readings that were already reported. Each error is reported once.
    var reportedRemarks: Set<SonyPropertyDataset.Remark> = []
}

/// The attempted steps of closing. The time is enough for one attempt at each step.
struct SonyClosing: Sendable {
    var buttonsTried = false
    var priorityTried = false
}
