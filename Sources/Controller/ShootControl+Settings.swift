import Cameras
import Exposure
import Statecharts

// The inputs and the effects of the settings chart, which restores the settings that a shoot changes.

extension ShootControl {
    /// The camera's values of the settings that a shoot changes; nil: no connected camera can shoot.
    func settingsReading(_ camera: CameraView) -> SettingsReading? {
        guard camera.isConnected, let identity = camera.identity, let status = camera.status else { return nil }
        // In these states the driver has reported the end of the steps, so the shown speed is final.
        let isThere =
            [.confirmingSpeed, .recordingFrame, .frameDelayed, .capturing, .waitingForIdle]
            .contains(where: chart.isActive)
        let isStepwise = status.isStepwise
        var reading = SettingsReading(
            camera: identity,
            values: [:],
            isStepwise: isStepwise,
            isPassing: isStepwise && !isThere
        )
        reading.values[camera.speedProperty] = camera.shutterSpeed
        return reading
    }

    // MARK: From other parts

    /// Receives a message of the queue for the settings.
    mutating func settingsReceive(_ message: Message, _ facts: ShootFacts, in turn: inout Turn) {
        switch message {
        case .cameraReady:
            if let reading = settingsReading(facts.camera) {
                deliver(Settings.Input.cameraReady(reading), facts, in: &turn)
            }
        case .clientSetting(let setting): deliver(.clientDone(setting), facts, in: &turn)
        default: deliver(.cameraGone, facts, in: &turn)
        }
    }

    /// Receives a message for the settings that is delivered within the same input.
    mutating func settingsReceive(_ message: TurnMessage, _ facts: ShootFacts, in turn: inout Turn) {
        switch message {
        case .propertyRequested: deliver(.clientSets, facts, in: &turn)
        case .settingsAnswered(let event): receiveAnswer(event, facts, in: &turn)
        case .cameraReported(_, let readers) where readers.settings:
            if let reading = settingsReading(facts.camera) { deliver(.cameraReading(reading), facts, in: &turn) }
        case .stopping: stopSettings(facts, in: &turn)
        default: break
        }
    }

    /// Receives the camera's answer to a command of the settings chart.
    private mutating func receiveAnswer(_ event: CameraEvent, _ facts: ShootFacts, in turn: inout Turn) {
        switch event {
        case .propertySet(let state): deliver(Settings.Input.cameraSet(state), facts, in: &turn)
        case .busy, .lost: deliver(Settings.Input.cameraBusy, facts, in: &turn)
        case .failed(let failure): deliver(Settings.Input.cameraFailed(failure), facts, in: &turn)
        default: break
        }
    }

    // MARK: From the shoot

    /// Informs the settings chart that a shoot begins or continues, before the camera receives any command.
    mutating func beginSettings(_ facts: ShootFacts, in turn: inout Turn) {
        guard chart.isActive(.active), !facts.service.isLeaving else { return }
        if !settings.isActive(.shoot), let shoot {
            turn.send(.streamsEnd)
            deliver(.shootBegins(settingsShoot(shoot.plan, on: shoot.camera, facts)), facts, in: &turn)
        }
        if !isAtRest, settings.isActive(.pausing) { deliver(.shootContinues, facts, in: &turn) }
    }

    /// The settings that a plan changes, and their present values.
    ///
    /// - Parameter camera: the camera of the shoot, in case that no camera is known now.
    func settingsShoot(_ plan: Plan, on camera: CameraIdentity, _ facts: ShootFacts) -> SettingsShoot {
        let name = facts.camera.identity ?? camera
        let reading = settingsReading(facts.camera) ?? SettingsReading(camera: name, values: [:], isStepwise: false)
        var speeds: [String] = []
        // A bracket that finds its own range can set every speed.
        if plan.request.goal != nil { speeds = facts.camera.status?.speeds.map(\.label) ?? [] }
        for frame in plan.frames where !speeds.contains(frame.speed.label) { speeds.append(frame.speed.label) }
        return SettingsShoot(reading: reading, changes: [facts.camera.speedProperty: speeds])
    }

    /// Informs the settings chart that a shoot pauses or ends, after the camera has received the shoot's last command.
    mutating func reportShootPause(_ facts: ShootFacts, in turn: inout Turn) {
        guard settings.isActive(.shoot) else { return }
        if !chart.isActive(.active) {
            deliver(.shootEnds, facts, in: &turn)
        } else if isAtRest, settings.isActive(.working) {
            deliver(.shootPauses, facts, in: &turn)
        }
    }

    /// Adopts the settings that an earlier run of the daemon has not restored.
    mutating func recoverSettings(_ contents: LedgerContents, _ facts: ShootFacts, in turn: inout Turn) {
        guard !contents.settings.isEmpty || settings.machine.behavior.isAnythingPending() else { return }
        var rows = contents.settings
        if let unfinished = contents.unfinished {
            for index in rows.indices where rows[index].values.isEmpty {
                guard rows[index].cameraID == unfinished.shoot.cameraID else { continue }
                rows[index].values = unfinished.frames.map(\.planned.speed.label)
            }
        }
        deliver(Settings.Input.recovered(SettingsRecovery(rows: rows)), facts, in: &turn)
    }

    /// Sends the stop of the daemon to the settings chart. The connection stops when the settings are restored or
    /// cannot be restored. A second stop request ends this wait.
    mutating func stopSettings(_ facts: ShootFacts, in turn: inout Turn) {
        let isExposing = chart.isActive(.capturing) || chart.isActive(.inDoubt)
        let stop = SettingsStop(mayTouch: settingsReading(facts.camera) != nil && !isExposing)
        deliver(.stop(stop), facts, in: &turn)
        guard settings.isActive(.lastTry) else { return }
        turn.append(.stopping(waiting: settings.machine.behavior.lastTryLimit()))
    }

    // MARK: The settings chart

    mutating func deliver(_ input: Settings.Input, _ facts: ShootFacts, in turn: inout Turn) {
        finish(settings.handle(input, at: turn.now), facts, in: &turn)
    }

    mutating func finish(_ outcome: ChartRun<SettingsModel>.Outcome, _ facts: ShootFacts, in turn: inout Turn) {
        turn.publish(outcome.steps)
        for effect in outcome.effects {
            switch effect {
            case .camera(let command):
                turn.send(.command(command, from: .settings))
            case .keep(let key, let row):
                turn.send(.keep(.setting(key, row)))
                // A new shoot waits until this row is durable. Without an active shoot, no later commit of a frame
                // would include the row.
                let isOver = facts.service.isLeaving || !chart.isActive(.active)
                if isOver || row != nil { turn.send(.commit(mark: nil, isDurable: !isOver)) }
            case .report(let entry):
                turn.append(.journal(entry))
            case .over:
                turn.send(.settingsOver)
            }
        }
        if !outcome.steps.isEmpty, !chart.isActive(.active) { turn.send(.progressChanged) }
    }
}

extension CameraStatus {
    fileprivate var isStepwise: Bool {
        if case .stepwise = speedSetting { true } else { false }
    }
}
