import Cameras
import Exposure
import Statecharts

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
    /// The shoot as it was at the last transition.
    private var shoot: Shoot?

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

    // MARK: Transitions

    /// Journals each transition of a chart, and sends it to those who watch.
    func publish<Chart: ChartDefinition>(
        _ steps: [MacroStep<Chart>],
        level: JournalEntry.Level = .info,
        to subscriptions: Subscriptions,
        in turn: inout Turn
    ) {
        for step in steps {
            for microstep in step.steps {
                publish(TransitionReport(microstep, at: step.time), level: level, to: subscriptions, in: &turn)
            }
        }
    }

    /// The same for an address that is called: hundreds lead nowhere, and only those where a host answers are reported.
    func publish(
        _ steps: [MacroStep<Candidate>],
        of address: CameraAddress,
        to subscriptions: Subscriptions,
        in turn: inout Turn
    ) {
        let answered: Set<Candidate.State> = [.greeting, .met, .leaving]
        for step in steps {
            for microstep in step.steps
            where microstep.exited.contains(where: { answered.contains($0) })
                || microstep.entered.contains(where: { answered.contains($0) })
            {
                publish(TransitionReport(microstep, at: step.time), place: address, to: subscriptions, in: &turn)
            }
        }
    }

    /// The same for the shooting chart, each transition with the frame that it is about: until the chart turned to the
    /// next frame that is the one before.
    mutating func publish(
        _ steps: [MacroStep<Shooting>],
        of shoot: Shoot?,
        to subscriptions: Subscriptions,
        in turn: inout Turn
    ) {
        for step in steps {
            for microstep in step.steps {
                if microstep.actions.contains(where: { Self.turningActions.contains($0) }) { self.shoot = shoot }
                let report = TransitionReport(microstep, at: step.time, of: self.shoot)
                publish(report, to: subscriptions, in: &turn)
            }
        }
        self.shoot = shoot
    }

    /// The actions after which another frame is in work.
    private static let turningActions: [Shooting.Action] = [
        .adoptPlan, .adoptRest, .takeNextFrame, .takeAgain, .takeDoubtful,
    ]

    private func publish(
        _ report: TransitionReport?,
        place: CameraAddress? = nil,
        level: JournalEntry.Level = .info,
        to subscriptions: Subscriptions,
        in turn: inout Turn
    ) {
        guard var report else { return }
        if let place { report.message += " (\(place))" }
        var entry = report.journalEntry
        entry.level = level
        if let place { entry.fields.append(.init("CAMERA_ADDRESS", place.description)) }
        turn.append(.journal(entry))
        subscriptions.send(.transition(report), to: .transitions, in: &turn)
    }
}

extension TransitionReport {
    /// The report of one microstep: the leaves left and entered, and on what; nil: it changed no leaf.
    fileprivate init?<Chart: ChartDefinition>(_ step: MicroStep<Chart>, at time: Duration, of shoot: Shoot? = nil) {
        let names = Chart.names
        func leaves(_ states: [Chart.State]) -> [String] {
            states.filter { Chart.table.isLeaf(Int($0.rawValue)) }.map { names.states[Int($0.rawValue)] }
        }
        let (from, to) = (leaves(step.exited), leaves(step.entered))
        // That a machine at its end leaves its states is no news: it entered the final one.
        guard !from.isEmpty || !to.isEmpty, step.origin != .stop else { return nil }
        let chart = names.chart.lowercased()
        let frame = shoot?.frame
        let place = frame.map { " (set \($0.position.set), frame \($0.position.frame), \($0.speed.label))" } ?? ""
        let left = from.isEmpty ? "" : from.joined(separator: ", ") + " "
        self.init(
            at: time.milliseconds,
            chart: chart,
            event: step.event.map { names.events[$0] } ?? (step.origin == .start ? "start" : ""),
            from: from,
            to: to,
            shoot: shoot?.id,
            set: frame?.position.set,
            frame: frame?.position.frame,
            speed: frame?.speed.label,
            message: "\(chart): \(left)→ \(to.joined(separator: ", "))\(place)"
        )
    }

    fileprivate var journalEntry: JournalEntry {
        var fields: [JournalEntry.Field] = [
            .init("CHART", chart), .init("FROM", from.joined(separator: " ")), .init("TO", to.joined(separator: " ")),
        ]
        if !event.isEmpty { fields.append(.init("EVENT", event)) }
        if let shoot { fields.append(.init("SHOOT", String(shoot))) }
        if let set { fields.append(.init("SET", String(set))) }
        if let frame { fields.append(.init("FRAME", String(frame))) }
        if let speed { fields.append(.init("SPEED", speed)) }
        return JournalEntry(level: .info, kind: .transition, message: message, fields: fields)
    }
}
