import Cameras
import Exposure
import Statecharts

// Reports of the charts' transitions, for the journal and for the clients that watch.

extension Turn {
    /// Logs each transition of a chart, and sends it to the clients that watch.
    mutating func publish<Chart: ChartDefinition>(
        _ steps: [MacroStep<Chart>],
        level: JournalEntry.Level = .info
    ) {
        for step in steps {
            for microstep in step.steps { publish(microstep, at: step.time, level: level) }
        }
    }

    /// Logs and sends only transitions of a candidate that has answered, because hundreds of addresses have no host.
    mutating func publish(_ steps: [MacroStep<Candidate>], of address: CameraAddress) {
        let answered: Set<Candidate.State> = [.handshake, .handshakeDone, .closing]
        for step in steps {
            for microstep in step.steps
            where microstep.exited.contains(where: { answered.contains($0) })
                || microstep.entered.contains(where: { answered.contains($0) })
            {
                publish(microstep, at: step.time, place: address)
            }
        }
    }

    /// - Parameters:
    ///   - shoot: the shoot of the transition.
    ///   - place: the address of the transition.
    mutating func publish<Chart: ChartDefinition>(
        _ step: MicroStep<Chart>,
        at time: Duration,
        of shoot: Shoot? = nil,
        place: CameraAddress? = nil,
        level: JournalEntry.Level = .info
    ) {
        guard var report = TransitionReport(step, at: time, of: shoot) else { return }
        if let place { report.message = StatusSentences.transition(report.message, at: place) }
        var entry = report.journalEntry
        entry.level = level
        if let place { entry.fields.append(.init("CAMERA_ADDRESS", place.description)) }
        append(.journal(entry))
        if isWatched { send(.publish(.transition(report), to: .transitions)) }
    }
}

extension TransitionReport {
    /// The report of one microstep: its event, and the leaves that the chart left and entered. Nil: no leaf changed.
    fileprivate init?<Chart: ChartDefinition>(_ step: MicroStep<Chart>, at time: Duration, of shoot: Shoot? = nil) {
        let names = Chart.names
        func leaves(_ states: [Chart.State]) -> [String] {
            states.filter { Chart.table.isLeaf(Int($0.rawValue)) }.map { names.states[Int($0.rawValue)] }
        }
        let (from, to) = (leaves(step.exited), leaves(step.entered))
        // At its end, a machine exits its states. The report of the entry into the final state is enough.
        guard !from.isEmpty || !to.isEmpty, step.origin != .stop else { return nil }
        let chart = names.chart.lowercased()
        let frame = shoot?.frame
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
            message: StatusSentences.transition(chart, from: from, to: to, of: frame)
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
