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
    mutating func publish(_ report: Report, to subscriptions: Subscriptions, in turn: inout Turn) {
        if report.route != route {
            route = report.route
            turn.append(.watchRoute(route))
        }
        if let cameras = report.cameras { publish(cameras, to: subscriptions, in: &turn) }
        if report.status != status {
            status = report.status
            turn.append(.status(report.status))
        }
        if report.lamp != lamp {
            lamp = report.lamp
            turn.append(.lamp(report.lamp))
        }
    }

    mutating func publish(_ entries: [CameraEntry], to subscriptions: Subscriptions, in turn: inout Turn) {
        guard entries != cameras else { return }
        cameras = entries
        subscriptions.send(.cameras(entries), to: .cameras, in: &turn)
    }

    // MARK: Progress

    /// Whether this step of the shoot is another one than the last.
    ///
    /// - Parameter end: what is owed to those who follow it until its outcome is sent.
    mutating func isNews(_ step: Progress, end: Progress?) -> Bool {
        guard step != progress else { return false }
        progress = step
        self.end = step.outcome == nil ? end : nil
        return true
    }

    /// The present step is sent again, for a client that is new.
    mutating func repeatProgress() { progress = nil }

    /// Returns the outcome that is owed, once.
    mutating func takeEnd() -> Progress? {
        defer { end = nil }
        return end
    }
}
