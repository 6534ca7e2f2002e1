import Cameras
import Exposure
import Statecharts

// What is told to people: transitions, progress, and the one sentence about everything.

extension Core {
    /// Journals each transition of the connection or the network chart, and tells those who watch.
    func tell<Chart: ChartDefinition>(
        _ steps: [MacroStep<Chart>],
        level: JournalEntry.Level = .info,
        into effects: inout Effects
    ) {
        for step in steps {
            for microstep in step.steps {
                tell(TransitionRecord(microstep), at: step.time, of: nil, level: level, into: &effects)
            }
        }
    }

    /// The same, for those who look closely only: the recording chart goes to and fro with each frame.
    func tellQuietly<Chart: ChartDefinition>(_ steps: [MacroStep<Chart>], into effects: inout Effects) {
        tell(steps, level: .debug, into: &effects)
    }

    /// The same for an address that is called: hundreds lead nowhere, and only those where somebody listens are told
    /// of.
    func tell(_ steps: [MacroStep<Candidate>], of address: CameraAddress, into effects: inout Effects) {
        let answered: Set<Candidate.State> = [.greeting, .met, .leaving]
        for step in steps {
            for microstep in step.steps
            where microstep.exited.contains(where: { answered.contains($0) })
                || microstep.entered.contains(where: { answered.contains($0) })
            {
                tell(TransitionRecord(microstep), at: step.time, of: nil, place: address, into: &effects)
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
    private static let turningActions: [Shooting.Action] = [
        .adoptPlan, .adoptRest, .takeNextFrame, .takeAgain, .takeDoubtful,
    ]

    private func tell(
        _ record: TransitionRecord?,
        at time: Duration,
        of shoot: Shoot?,
        place: CameraAddress? = nil,
        level: JournalEntry.Level = .info,
        into effects: inout Effects
    ) {
        guard let record else { return }
        var report = TransitionReport(record, at: time, of: shoot)
        if let place { report.message += " (\(place))" }
        var entry = report.journalEntry
        entry.level = level
        if let place { entry.fields.append(.init("CAMERA_ADDRESS", place.description)) }
        effects.append(.journal(entry))
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
        progress.exposureLeft = countedExposure
        progress.outcome = outcome
        if progress.outcome != nil { progress.cause = shoot.remark }
        return progress
    }

    /// The last word to those who follow a shoot that the daemon's stop cuts off.
    var stoppedProgress: Progress? {
        guard shooting.machine.isActive(.active), var progress, var shoot = shooting.machine.behavior.shoot else {
            return nil
        }
        shoot.interrupt()
        progress.exposureLeft = nil
        progress.outcome = .interrupted
        progress.sentence = shoot.sentence
        let rest =
            configuration.ledger == .off
            ? "What is missing is forgotten." : "What is missing can be fired when it runs again: bracketctl resume."
        progress.cause = "The daemon was stopped. \(rest)"
        return progress
    }

    /// Whether a camera is connected, nothing is being fired and nothing waits for the disk.
    package var isAtRest: Bool {
        connection.machine.isActive(.connected) && shooting.machine.isActive(.resting)
            && recording.machine.isActive(.ready)
    }

    package var outcome: ShootWord? {
        if shooting.machine.isActive(.completed) { return .completed }
        if shooting.machine.isActive(.partial) { return .partial }
        if shooting.machine.isActive(.cancelled) { return .cancelled }
        if shooting.machine.isActive(.interrupted) { return shooting.machine.behavior.shoot?.left ?? .interrupted }
        return nil
    }

    /// One sentence about the shoot.
    private var shootSentence: String {
        let model = shooting.machine.behavior
        guard let shoot = model.shoot else { return "No shoot." }
        let place = shoot.frame?.place ?? "The shoot"
        let count = "\(shoot.captured) of \(shoot.total) exposures captured."
        switch shooting.machine.mainState {
        case .idle, .betweenFrames: return count
        case .completed, .partial, .cancelled: return shoot.sentence
        case .interrupted: return leftSentence(shoot)
        case .recordingShoot: return "\(place): preparing. \(count)"
        case .recordingFrame: return "\(place): about to expose. \(count)"
        case .shootDelayed, .frameDelayed: return "\(place): waiting for the ledger's disk. \(count)"
        case .unrecorded: return "Paused (not-recorded): \(model.refusalSentence) \(count)"
        case .settingSpeed: return "\(place): setting the speed. \(count)"
        case .confirmingSpeed: return "\(place): waiting for the camera to confirm the speed. \(count)"
        case .capturing: return "\(place): exposing.\(wishSentence) \(count)"
        case .waitingForIdle: return "\(place): the camera is saving.\(wishSentence) \(count)"
        case .storing: return "\(place): waiting until its picture is on the disk.\(wishSentence) \(count)"
        case .verifying: return "Waiting for the set's last pictures. \(count)"
        case .holdingOff: return "\(place): the camera is busy. \(count)"
        case .byCommand: return "Paused by command. \(count)"
        case .linkLost: return "Paused (link-lost): \(waitSentence) \(count)"
        case .wifiSwitched: return "Paused (wifi-switched): \(waitSentence) \(count)"
        case .cameraNotFit: return "Paused (camera-not-fit): \(waitSentence) \(count)"
        case .awaitingCamera: return "\(place): the shutter may have fired. \(waitSentence) \(count)"
        case .resolvingDoubt:
            // A shoot that is gone on with after its end was not interrupted by anything.
            let wait = waitSentence.isEmpty ? "The camera is asked." : waitSentence
            let doubt = shoot.isPictureOwed ? "its picture is not stored yet" : "the shutter may have fired"
            return "\(place): \(doubt). \(wait) \(count)"
        default: return count
        }
    }

    /// Why the shoot waits for the camera: what stopped it, or what a camera that is back lacks.
    private var waitSentence: String {
        let trouble = connection.machine.isActive(.modeCheck) ? connection.machine.behavior.trouble : nil
        // Back on its network, what is missing is the camera.
        let wasAway = shooting.machine.isActive(.wifiSwitched) || shooting.machine.behavior.isAway()
        if wasAway, network.machine.isActive(.joined), trouble == nil, !connection.machine.isActive(.connected) {
            return absenceSentence
        }
        return trouble ?? shooting.machine.behavior.interruptionSentence
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
            charts: [
                connection.chartState, shooting.chartState, network.chartState, transfer.chartState,
                recording.chartState, settings.chartState, search.chartState, button.chartState,
                service.chartState,
            ],
            camera: connection.machine.isActive(.online) ? connection.machine.behavior.name : nil,
            shoot: progress,
            armed: button.machine.isActive(.present) ? armedSentence : nil
        )
    }

    /// The main state of one of those charts, as the chart spells it; nil: there is no such chart.
    package func state(of chart: String) -> String? {
        switch chart {
        case "connection": connection.state
        case "shooting": shooting.state
        case "network": network.state
        case "transfer": transfer.state
        case "recording": recording.state
        case "settings": settings.state
        case "search": search.state
        case "button": button.state
        case "service": service.state
        default: nil
        }
    }

    /// One sentence about everything: the shoot while there is one, else the camera.
    var statusSentence: String {
        let sentences =
            connection.machine.isActive(.running)
            ? [mainSentence, recordSentence, settingsSentence, transferSentence] : [mainSentence]
        return sentences.compactMap(\.self).joined(separator: " ")
    }

    /// What a person should know of the ledger, where nothing else says it.
    private var recordSentence: String? {
        shooting.machine.isActive(.unrecorded) || recording.machine.isActive(.opening) ? nil : ledgerSentence
    }

    private var mainSentence: String {
        if isStopping || !connection.machine.isRunning || connection.machine.isActive(.disconnecting) {
            return "Stopping."
        }
        if service.machine.isActive(.finishingFrame) { return "Stopping when this frame is over. \(shootSentence)" }
        if shooting.machine.isActive(.active) { return shootSentence }
        guard connection.machine.isActive(.connected) else { return absenceSentence }
        let ready = "\(connection.machine.behavior.name ?? "The camera") is ready."
        guard let shoot = shooting.machine.behavior.shoot, outcome != nil else { return ready }
        return "\(shooting.machine.isActive(.interrupted) ? leftSentence(shoot) : shoot.fullSentence) \(ready)"
    }

    /// What an earlier run of the daemon left.
    private func leftSentence(_ shoot: Shoot) -> String {
        switch shoot.left {
        case .cancelled: "Cancelled. \(shoot.fullSentence) bracketctl retry goes on with what is missing."
        case .partial: "\(shoot.fullSentence) bracketctl retry goes on with what is missing."
        default: "Interrupted. \(shoot.fullSentence) bracketctl resume goes on with what is missing."
        }
    }

    /// Why somebody who wants to shoot now cannot.
    var refusalSentence: String {
        switch connection.machine.mainState {
        case .connected: "The camera has just been connected: ask again."
        case .refused: "\(connection.machine.behavior.trouble ?? "") Trying again now: ask once more in a moment."
        default: absenceSentence
        }
    }

    /// Why there is no camera to shoot with, and what is being done about it.
    var absenceSentence: String {
        let model = connection.machine.behavior
        let trouble = model.trouble.map { "\($0) " } ?? ""
        switch connection.machine.mainState {
        case .discovering:
            if isAimless { return aimlessSentence }
            let isNamed = configuration.cameraAddress != nil || choice != nil || wantedCamera != nil
            let reason = missingInterface.map { "\($0) " } ?? trouble
            return isNamed ? "\(reason)Looking for the camera." : "\(reason)Looking for a camera.\(unfitSentence ?? "")"
        case .connecting:
            return "\(trouble)Connecting to \(model.address?.description ?? "the camera")."
        case .modeCheck: return model.trouble ?? "Checking the camera's mode."
        case .connected: return "The camera is connected."
        case .reconnecting, .backingOff: return "\(trouble)Trying again by itself."
        case .dismissing, .releasing, .changing: return "\(trouble)Letting go of the camera."
        case .released:
            return hasCameraToReturnTo
                ? "The camera was let go: bracketctl connect --last connects to it again."
                : "No camera is looked for by order: bracketctl connect ADDRESS names one."
        case .refused: return "\(trouble)It is tried again when somebody wants to shoot."
        case .offNetwork: return missingInterface ?? model.trouble ?? "The computer left the camera's network."
        default: return "Stopping."
        }
    }

    /// Whether `connect --last` has a camera to connect to.
    package var hasCameraToReturnTo: Bool { !book.known.isEmpty || configuration.cameraAddress != nil }

    /// How the shoot ended that an earlier run of the daemon left; nil: there is none.
    package var leftOutcome: ShootWord? {
        shooting.machine.isActive(.interrupted) ? shooting.machine.behavior.shoot?.left : nil
    }

    /// Whether there is no camera to be connected to, whatever happens.
    var isAimless: Bool { callList.isEmpty && !isSearched }

    var aimlessSentence: String {
        "No camera address is configured, and search is empty: set one of them under [camera], or name a camera: "
            + "bracketctl connect ADDRESS."
    }

    /// Whoever is there and cannot be driven.
    private var unfitSentence: String? {
        let unfit = cameraEntries.first { $0.state == .unfit }
        return unfit.flatMap { camera in camera.remark.map { " \(camera.name) is there. \($0)" } }
    }

    /// The search keeps to an interface that this computer does not have.
    private var missingInterface: String? {
        guard let name = configuration.search.interface, let snapshot = network.machine.behavior.snapshot,
            !snapshot.interfaces.contains(where: { $0.name == name })
        else { return nil }
        return "This computer has no interface \"\(name)\", which interface under [camera] names."
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
