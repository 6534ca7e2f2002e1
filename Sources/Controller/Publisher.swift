import Cameras

/// The last reports, so that only differences are sent.
struct Publisher: Sendable {
    /// The reports of one input.
    struct Report: Equatable, Sendable {
        /// The camera's present or next address: the host watches the route to it.
        var route: CameraAddress?
        /// nil: no client watches the list.
        var cameras: [CameraEntry]?
        /// The one sentence for the service manager.
        var status: String
        var lamp: LampSignal
    }

    private var last: Report?
    private var cameras: [CameraEntry] = []
    private var progress: Progress?
    /// The outcome for the clients that follow a shoot, when the camera's settings are restored; nil: none is due.
    private var end: Progress?

    /// Sends the differences from the last report.
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

    /// A step of the shoot for the clients that follow it.
    struct Step {
        /// Nil: the shoot was dismissed.
        var progress: Progress?
        /// The outcome, if the shoot is over for the ledger and not yet for the clients that follow it.
        var end: Progress?
    }

    mutating func receive(_ message: TurnMessage, hasNewStreams: Bool, in turn: inout Turn) {
        switch message {
        // A new client receives the present step, even if the others have received it already.
        case .shootRecorded: if hasNewStreams { progress = nil }
        case .streamsEnd, .stopping: endStreams(in: &turn)
        default: break
        }
    }

    /// Whether this step differs from the last. No step ends the streams.
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

    /// Sends the outcome to the streams that waited for the settings, because another shoot begins.
    private mutating func endStreams(in turn: inout Turn) {
        guard let end else { return }
        self.end = nil
        turn.send(.answer(.shoot, .progress(end)))
    }
}
