import Cameras

/// The latest published reports. The publisher sends a report only if it differs from the latest one.
struct Publisher: Sendable {
    /// The reports after one input.
    struct Report: Equatable, Sendable {
        /// The camera's present or next address. The host watches the route to this address.
        var route: CameraAddress?
        /// The list of cameras; nil: no client watches the list.
        var cameras: [CameraEntry]?
        /// The one sentence for the service manager.
        var status: String
        var lamp: LampSignal
    }

    private var last: Report?
    private var cameras: [CameraEntry] = []
    private var progress: Progress?
    /// The outcome of a shoot that its clients receive once the camera's settings are restored; nil: none is due.
    private var end: Progress?

    /// Sends the values that differ from the previous report.
    mutating func publish(_ report: Report, in turn: inout Turn) {
        if report.route != last?.route { turn.append(.watchRoute(report.route)) }
        if let cameras = report.cameras { publish(cameras, in: &turn) }
        if report.status != last?.status { turn.append(.status(report.status)) }
        if report.lamp != last?.lamp { turn.append(.lamp(report.lamp)) }
        last = report
    }

    mutating func publish(_ entries: [CameraEntry], in turn: inout Turn) {
        guard entries != cameras else { return }
        cameras = entries
        turn.send(.publish(.cameras(entries), to: .cameras))
    }

    // MARK: Progress

    /// A step of the shoot for the clients that follow the shoot.
    struct Step {
        /// nil: the missing frames of the shoot were dropped.
        var progress: Progress?
        /// The outcome, if the ledger has it and the clients that follow the shoot do not have it yet.
        var end: Progress?
    }

    mutating func receive(_ message: TurnMessage, hasNewStreams: Bool, in turn: inout Turn) {
        switch message {
        // A new client must receive the present step, which the other clients have received already.
        case .shootRecorded: if hasNewStreams { progress = nil }
        case .streamsEnd, .stopping: endStreams(in: &turn)
        default: break
        }
    }

    /// Returns whether this step differs from the previous one. A step without progress ends the streams.
    mutating func isNews(_ step: Step, in turn: inout Turn) -> Bool {
        guard let progress = step.progress else {
            endStreams(in: &turn)
            return false
        }
        guard progress != self.progress else { return false }
        self.progress = progress
        end = progress.outcome == nil ? step.end : nil
        return true
    }

    /// Sends a step to the clients that follow the shoot, and ends their streams with the outcome.
    func publish(_ progress: Progress, in turn: inout Turn) {
        if progress.outcome == nil {
            turn.send(.publish(.progress(progress), to: .shoot))
        } else {
            turn.send(.answer(.shoot, .progress(progress)))
        }
    }

    /// Ends the streams that wait for restored settings, and sends the outcome to them.
    private mutating func endStreams(in turn: inout Turn) {
        guard let end else { return }
        self.end = nil
        turn.send(.answer(.shoot, .progress(end)))
    }
}
