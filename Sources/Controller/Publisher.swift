import Cameras

/// What was reported last, so that only a difference is sent.
struct Publisher: Sendable {
    /// What is reported once for each input.
    struct Report: Equatable, Sendable {
        /// Where the camera is or is to be: the host watches the way there.
        var route: CameraAddress?
        /// nil: no client watches the list.
        var cameras: [CameraEntry]?
        /// The one sentence for the service manager.
        var status: String
        var lamp: LampSign
    }

    private var route: CameraAddress?
    private var cameras: [CameraEntry] = []
    private var status: String?
    private var lamp: LampSign?
    private var progress: Progress?
    /// The outcome that those who follow a shoot get when the camera is set as it was; nil: nothing is owed.
    private var end: Progress?

    /// Sends the differences from the last report.
    mutating func publish(_ report: Report, in turn: inout Turn) {
        if report.route != route {
            route = report.route
            turn.append(.watchRoute(route))
        }
        if let cameras = report.cameras { publish(cameras, in: &turn) }
        if report.status != status {
            status = report.status
            turn.append(.status(report.status))
        }
        if report.lamp != lamp {
            lamp = report.lamp
            turn.append(.lamp(report.lamp))
        }
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
        /// The outcome, where the shoot is over for the ledger and not yet for those who follow it.
        var end: Progress?
    }

    mutating func receive(_ message: TurnMessage, hasNewStreams: Bool, in turn: inout Turn) {
        switch message {
        // A client that is new receives the present step, even when it is the one that others received last.
        case .shootRecorded: if hasNewStreams { progress = nil }
        case .streamsEnd, .stopping: endStreams(in: &turn)
        default: break
        }
    }

    /// Whether this step is another one than the last. A step that is none ends the streams.
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

    /// The streams that waited for the settings of a shoot get its outcome: something else begins.
    private mutating func endStreams(in turn: inout Turn) {
        guard let end else { return }
        self.end = nil
        turn.send(.answer(.shoot, .progress(end)))
    }
}
