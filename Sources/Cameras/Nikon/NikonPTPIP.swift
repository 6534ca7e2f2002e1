import Exposure
import NIOCore
import PTP

/// Nikon's part of ``PTPIP``.
///
/// A body reports changes in lists of events and rarely by packets. Values are read property by property. As in the
/// other makers' parts, the driver stores no list of next steps. `decide` reads the command (`activity`), the reports
/// of the body and the clock, and starts one transaction at a time.
///
/// The kind of a body is decided by the operations that it advertises, never by its model name.
package struct NikonPTPIP: PTPIPMaker {
    package var common: PTPIPCommon
    let timing: NikonTiming
    /// What the driver learned about the body.
    var known = NikonBodyData()
    var setUp = NikonSetUp()
    var activity = NikonActivity.idle
    var body = NikonBody()
    /// The remaining steps that close the session in order.
    var leaving: [NikonTask] = []
    /// The earliest time of the next of these steps.
    var leaveAgainAt: Duration = .zero
    /// The purpose of the running transaction.
    var task: NikonTask?
    var statusQuestions = StatusQuestions()
    var savingReports = SavingReports()

    // The following data outlive a session, for a body that reconnects.
    /// The controller's last frame, on any body. A later `.resolveCapture` asks about this frame.
    var lastFrame = LastFrame<NikonFrame>.unknown
    /// The files that wait for their transfer.
    var files = NikonFiles()

    init(_ common: PTPIPCommon, timing: NikonTiming) {
        self.common = common
        self.timing = timing
    }

    package var knowledge: (any Sendable)? {
        get { known }
        set { known = newValue as? NikonBodyData ?? NikonBodyData() }
    }

    package mutating func decide(in turn: inout DriverTurn) -> PTPIPNextAction {
        let move: NikonNextAction =
            switch common.stage {
            case .disconnected, .handshake: .wait(until: nil)
            case .settingUp: decideSetUp(in: &turn)
            case .connected: decideConnected(in: &turn)
            case .leaving: decideLeaving(at: turn.now)
            }
        switch move {
        case .wait(let until): return .wait(until: until)
        case .again: return .again
        case .close: return .close
        case .perform(let task):
            if case .capture = task { noteRelease(at: turn.now) }
            noteEntering(task)
            self.task = task
            return .perform(operation(for: task, at: turn.now), name: task.name)
        }
    }

    private mutating func decideLeaving(at now: Duration) -> NikonNextAction {
        if leaving.isEmpty { return .close }
        return now < leaveAgainAt ? .wait(until: leaveAgainAt) : .perform(leaving.removeFirst())
    }

    func has(_ operation: OperationCode) -> Bool {
        common.deviceInfo.operations.contains(operation) && !body.denied.contains(operation)
    }

    package var isQuiet: Bool {
        if case .idle = activity { statusQuestions.isEmpty } else { false }
    }

    package var overflow: (list: String, count: Int, limit: Int)? {
        let lists: [(list: String, count: Int, limit: Int)] = [
            ("questions", statusQuestions.count, StatusQuestions.countMax),
            ("files", files.waiting.count, NikonLimits.filesMax),
            ("handles", files.announced.count, NikonLimits.handlesMax),
            ("events", body.recentEvents.count, NikonLimits.eventsMax),
            ("unread properties", body.unread.count, NikonLimits.unreadMax),
            ("remarks", body.remarks.count, NikonLimits.remarksMax),
        ]
        return lists.first { $0.count > $0.limit }
    }
}

typealias NikonNextAction = MakerNextAction<NikonTask>
