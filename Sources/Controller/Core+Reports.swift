import Cameras
import Exposure
import Statecharts

// What is told to people: transitions, progress, and the one sentence about everything.

extension Core {
    /// Journals each transition of the connection or the network chart, and tells those who watch.
    func tell<Chart: ChartDefinition>(_ steps: [MacroStep<Chart>], into effects: inout Effects) {
        for step in steps {
            for microstep in step.steps {
                tell(TransitionRecord(microstep), at: step.time, of: nil, into: &effects)
            }
        }
    }

    /// The same for the shooting chart, each transition with the frame that it is about: until the chart turned to the
    /// next frame that is the one before.
    mutating func tell(_ steps: [MacroStep<Shooting>], into effects: inout Effects) {
        let shoot = shooting.machine.behavior.shoot
        for step in steps {
            for microstep in step.steps {
                if microstep.actions.contains(where: { Self.turningActions.contains($0) }) { toldShoot = shoot }
                tell(TransitionRecord(microstep), at: step.time, of: toldShoot, into: &effects)
            }
        }
        toldShoot = shoot
    }

    /// The actions after which another frame is in work.
    private static let turningActions: [Shooting.Action] = [.adoptPlan, .adoptRest, .takeNextFrame, .takeSuspect]

    private func tell(_ record: TransitionRecord?, at time: Duration, of shoot: Shoot?, into effects: inout Effects) {
        guard let record else { return }
        let report = TransitionReport(record, at: time, of: shoot)
        effects.append(.journal(report.journalEntry))
        for watcher in watchers { effects.append(.reply(watcher, .transition(report), continues: true)) }
    }

    // MARK: Progress

    /// Where the shoot stands; nil when there is none.
    var progress: Progress? {
        let model = shooting.machine.behavior
        guard let shoot = model.shoot else { return nil }
        let position = shoot.frame?.position
        var progress = Progress(
            shoot: shoot.id,
            captured: shoot.captured,
            total: shoot.total,
            set: position?.set,
            frame: position?.frame,
            speed: shoot.frame?.speed.label,
            phase: shooting.state,
            sentence: shootSentence
        )
        progress.outcome = outcome
        if progress.outcome != nil { progress.cause = shoot.remark }
        return progress
    }

    /// The last word to those who follow a shoot that the daemon's stop cuts off.
    var stoppedProgress: Progress? {
        guard shooting.machine.isActive(.active), var progress, let shoot = shooting.machine.behavior.shoot else {
            return nil
        }
        progress.outcome = .cancelled
        progress.sentence = shoot.sentence
        let doubt = shoot.isCurrentInDoubt ? " The frame in work may have been fired." : ""
        progress.cause = "The daemon was stopped.\(doubt) What is missing is forgotten."
        return progress
    }

    private var outcome: Progress.Outcome? {
        if shooting.machine.isActive(.completed) { return .completed }
        if shooting.machine.isActive(.partial) { return .partial }
        if shooting.machine.isActive(.cancelled) { return .cancelled }
        return nil
    }

    /// One sentence about the shoot.
    private var shootSentence: String {
        let model = shooting.machine.behavior
        guard let shoot = model.shoot else { return "No shoot." }
        let place = shoot.frame?.place ?? "The shoot"
        let count = "\(shoot.captured) of \(shoot.total) exposures captured."
        switch shooting.machine.configuration[0] {
        case .idle, .betweenFrames: return count
        case .completed, .partial, .cancelled: return shoot.sentence
        case .settingSpeed: return "\(place): setting the speed. \(count)"
        case .confirmingSpeed: return "\(place): waiting for the camera to confirm the speed. \(count)"
        case .capturing: return "\(place): exposing.\(wishSentence) \(count)"
        case .waitingForIdle: return "\(place): the camera is saving.\(wishSentence) \(count)"
        case .verifying: return "Waiting for the set's last pictures. \(count)"
        case .holdingOff: return "\(place): the camera is busy. \(count)"
        case .byCommand: return "Paused by command. \(count)"
        case .linkLost: return "Paused (link-lost): \(model.interruptionSentence) \(count)"
        case .wifiSwitched: return "Paused (wifi-switched): \(model.interruptionSentence) \(count)"
        case .awaitingCamera, .resolvingDoubt:
            return "\(place): the shutter may have fired. \(model.interruptionSentence) \(count)"
        default: return count
        }
    }

    /// What is going to happen at the frame's end.
    private var wishSentence: String {
        if shooting.machine.isActive(.pauseWanted) { return " Pauses after this frame." }
        if shooting.machine.isActive(.cancelWanted) { return " Stops after this frame." }
        return ""
    }

    // MARK: Status

    package var statusReport: StatusReport {
        StatusReport(
            sentence: statusSentence,
            charts: [connection.chartState, shooting.chartState, network.chartState, transfer.chartState],
            camera: connection.machine.isActive(.online) ? connection.machine.behavior.name : nil,
            shoot: progress
        )
    }

    /// One sentence about everything: the shoot while there is one, else the camera.
    var statusSentence: String {
        let sentences = [mainSentence, connection.machine.isActive(.running) ? transferSentence : nil]
        return sentences.compactMap(\.self).joined(separator: " ")
    }

    private var mainSentence: String {
        if !connection.machine.isRunning || connection.machine.isActive(.disconnecting) { return "Stopping." }
        if shooting.machine.isActive(.active) { return shootSentence }
        guard connection.machine.isActive(.connected) else { return absenceSentence }
        let ready = "\(connection.machine.behavior.name ?? "The camera") is ready."
        guard let shoot = shooting.machine.behavior.shoot, outcome != nil else { return ready }
        return "\(shoot.sentence)\(shoot.isDone ? "." : "") \(ready)"
    }

    /// Why somebody who wants to shoot now cannot.
    var refusalSentence: String {
        switch connection.machine.configuration[0] {
        case .connected: "The camera has just been connected: ask again."
        case .refused: "\(connection.machine.behavior.trouble ?? "") Trying again now: ask once more in a moment."
        default: absenceSentence
        }
    }

    /// Why there is no camera to shoot with, and what is being done about it.
    var absenceSentence: String {
        let model = connection.machine.behavior
        let trouble = model.trouble.map { "\($0) " } ?? ""
        switch connection.machine.configuration[0] {
        case .discovering:
            return configuration.cameraAddress == nil
                ? "No camera address is configured: set address = \"HOST:PORT\" under [camera]."
                : "\(trouble)Looking for the camera."
        case .connecting:
            return "\(trouble)Connecting to \(model.address?.description ?? "the camera")."
        case .modeCheck: return model.trouble ?? "Checking the camera's mode."
        case .connected: return "The camera is connected."
        case .reconnecting, .backingOff: return "\(trouble)Trying again by itself."
        case .refused: return "\(trouble)It is tried again when somebody wants to shoot."
        case .offNetwork: return model.trouble ?? "The computer left the camera's network."
        default: return "Stopping."
        }
    }
}

extension TransitionReport {
    fileprivate init(_ record: TransitionRecord, at time: Duration, of shoot: Shoot?) {
        let frame = shoot?.frame
        let place = frame.map { " (set \($0.position.set), frame \($0.position.frame), \($0.speed.label))" } ?? ""
        let from = record.from.isEmpty ? "" : record.from.joined(separator: ", ") + " "
        self.init(
            at: time.milliseconds,
            chart: record.chart,
            event: record.event,
            from: record.from,
            to: record.to,
            shoot: shoot?.id,
            set: frame?.position.set,
            frame: frame?.position.frame,
            speed: frame?.speed.label,
            message: "\(record.chart): \(from)→ \(record.to.joined(separator: ", "))\(place)"
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
