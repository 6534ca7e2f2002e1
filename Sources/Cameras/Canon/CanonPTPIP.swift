import Exposure
import NIOCore
import PTP

/// Canon's part of ``PTPIP``, for EOS bodies.
///
/// The body reports everything in its event lists (GetEvent), and each change once. So the driver keeps what the lists
/// reported (`body.store`), and requests the next list when one is due. As in Sony's part, the driver stores no list of
/// next steps. `decide` reads the command (`activity`), the lists and the clock, and starts one transaction at a time.
///
/// The driver never locks the body's controls (SetUILock), so it leaves no lock behind.
package struct CanonPTPIP: PTPIPMaker {
    package var common: PTPIPCommon
    let timing: CanonTiming
    /// What the driver learned about the body.
    var known = CanonBodyData()
    var setUp = CanonSetUp()
    var activity = CanonActivity.idle
    var body = CanonBody()
    var buttons = CanonButtons()
    /// The remaining steps that close the session in order.
    var leaving: [CanonTask] = []
    /// The purpose of the running transaction.
    var task: CanonTask?
    var statusQuestions = StatusQuestions()
    var savingReports = SavingReports()

    // The following data outlive a session, for a body that reconnects.
    /// The controller's last frame, on any body. A later `.resolveCapture` asks about this frame.
    var lastFrame = LastFrame<CanonFrame>.unknown
    /// The files that wait for their transfer.
    var files = CanonFiles()

    init(_ common: PTPIPCommon, timing: CanonTiming) {
        self.common = common
        self.timing = timing
    }

    package var knowledge: (any Sendable)? {
        get { known }
        set { known = newValue as? CanonBodyData ?? CanonBodyData() }
    }

    package mutating func decide(in turn: inout DriverTurn) -> PTPIPNextAction {
        let move: CanonNextAction =
            switch common.stage {
            case .disconnected, .handshake: .wait(until: nil)
            case .settingUp: decideSetUp(in: &turn)
            case .connected: decideConnected(in: &turn)
            case .leaving: leaving.isEmpty ? .close : .perform(leaving.removeFirst())
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

    /// Whether no stage of the shutter button is pressed, as far as the driver waits for that.
    var areButtonsUp: Bool { known.pressed.isEmpty || buttons.isGivenUp }

    package var isQuiet: Bool {
        if case .idle = activity { statusQuestions.isEmpty && areButtonsUp } else { false }
    }

    package var overflow: (list: String, count: Int, limit: Int)? {
        let lists: [(list: String, count: Int, limit: Int)] = [
            ("questions", statusQuestions.count, StatusQuestions.countMax),
            ("files", files.waiting.count, CanonLimits.filesMax),
            ("handles", files.handles.count, CanonLimits.handlesMax),
            ("remarks", body.remarks.count, CanonLimits.remarksMax),
        ]
        return lists.first { $0.count > $0.limit }
    }
}

typealias CanonNextAction = MakerNextAction<CanonTask>

/// What the driver knows about a connected body.
struct CanonBody: Sendable {
    var quirks = CanonQuirks()
    var release = CanonQuirks.Release.stages
    var store = CanonPropertyStore()
    /// The time of the last accepted write of each property that was not reported since.
    var writtenAt: [PropertyCode: Duration] = [:]
    /// Whether the body works on a picture; nil: the body did not report that in this session.
    var isBusy: Bool?
    /// The time of the last report that the body is busy.
    var busySince: Duration = .zero
    /// Whether the body reported the beginning of an exposure after a press of this session.
    var reportsStatus = false
    /// The last event list.
    var list: CanonListTimes?
    /// The number of empty lists in a row.
    var emptyLists = 0
    /// The number of pauses in a row before lists, since the last command. The pauses grow.
    var pauses = 0
    /// The number of lists in a row that were not empty.
    var filledLists = 0
    /// Whether an event packet arrived since the last request for a list. EOS bodies normally send none.
    var hasEvent = false
    /// The time since which requests for lists have failed; nil: the last one succeeded.
    var listsFailSince: Duration?
    var retryListAt: Duration = .zero
    /// The properties whose reports may be lost, because a list was damaged.
    var doubtful: [PropertyCode] = []
    /// Whether the body was asked to report properties again, and no list has come since.
    var awaitsReports = false
    /// The time of the last KeepDeviceOn.
    var keptOnAt: Duration = .zero
    var isShutdownNear = false
    var focus: CanonFocus?
    /// Whether the body searched for focus since the last press.
    var hasSearchedFocus = false
    var button: CanonButtonResult?
    /// Whether the remote mode and the event mode are on.
    var isRemote = false
    var hasEventMode = false
    /// Whether the remote mode must be renewed, because the body rejected an operation.
    var isRemoteLost = false
    /// The time from which the space on this computer must be announced; nil: the body knows it.
    var capacityDueAt: Duration? = .zero
    /// The live view that a `.liveView` started; nil: none did, or it has ended.
    var liveView: CanonLiveViewSession?
    /// The last status that was reported.
    var reported: CameraStatus?
    /// Whether a value in the store may be old, because its report was lost.
    var isInDoubt: Bool { !doubtful.isEmpty || awaitsReports }
    /// Whether the last list shows that no report waits. Chatty bodies always have one.
    var hasReportedAll: Bool { list.map { $0.isEmpty || filledLists >= CanonLimits.drainMax } ?? false }
    /// The last report of each property, in the order of the table; nil: not reported yet.
    var reportedStates: [PropertyState?] = CanonPropertyRow.table.map { _ in nil }
    /// The revision of the store whose properties were reported completely.
    var reportedRevision: Int?
    /// The remarks on lists that were already reported. Each is reported once.
    var remarks: [CanonListRemark] = []
}

/// What the driver learned about a body. The data outlive the sessions.
struct CanonBodyData: Sendable {
    /// Whether the last picture decreased the shot counter; nil: the driver knows no picture. If a body does not count,
    /// or counts late, an unchanged counter proves nothing.
    var countsShots: Bool?
    /// Whether the body announces the files of its pictures; nil: not known yet.
    var announcesObjects: Bool?
    /// Whether the body can list its files. The list of a body that disconnected or fell silent is not requested again.
    var listsFiles = true
    /// The stages of the shutter button that the driver pressed and that the body did not release, the last one at the
    /// end.
    var pressed: [CanonStages] = []
    /// The values that the driver changed by itself and restores at the end.
    var changes: [CanonChange] = []
}

/// A property whose value the driver changed by itself.
struct CanonChange: Sendable {
    let code: PropertyCode
    /// The value of the body before the change.
    let before: UInt32
    let written: UInt32
}

/// The times of an event list.
struct CanonListTimes: Sendable {
    /// No change in the list is older than the previous list.
    let requestedAt: Duration
    let receivedAt: Duration
    let isEmpty: Bool
}

/// What is wrong with event lists.
enum CanonListRemark: Hashable, Sendable {
    case damage(CanonEventList.Damage)
    case shortRecord(CanonRecordType)
}

/// The release of the shutter button in this session. The pressed stages themselves outlive the session.
struct CanonButtons: Sendable {
    var releaseAt: Duration = .zero
    var giveUpAt: Duration?
    /// Whether the driver no longer waits for the release. It tries again at the end, or in the next session.
    var isGivenUp = false
    /// Whether a stage was pressed in this session.
    var werePressed = false
    /// The time at which the full press was released while the half press still lasts.
    var fullReleasedAt: Duration?
}
