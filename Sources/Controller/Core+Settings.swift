import Cameras
import Exposure
import Statecharts

// What a shoot changes on the camera, put back: what the settings chart hears, and what comes of what it asks for.

extension Core {
    /// What the camera shows of what a shoot changes; nil: there is none that could shoot.
    var settingsReading: SettingsReading? {
        let model = connection.machine.behavior
        guard connection.isActive(.connected), let identity = model.identity, let status = model.status else {
            return nil
        }
        // The shoot goes on from here when the driver has reported the end of the way.
        let isThere =
            [.confirmingSpeed, .recordingFrame, .frameDelayed, .capturing, .waitingForIdle]
            .contains(where: shooting.chart.isActive)
        let isStepwise = status.isStepwise
        var reading = SettingsReading(
            camera: identity,
            values: [:],
            isStepwise: isStepwise,
            isPassing: isStepwise && !isThere
        )
        reading.values[.shutterSpeed] = session.shutterSpeed
        return reading
    }

    // MARK: To the chart

    /// A shoot begins or goes on: the chart hears of it before the camera is told anything.
    mutating func tellSettingsOfBeginning(in turn: inout Turn) {
        guard shooting.chart.isActive(.active), !shooting.isStopping else { return }
        if !shooting.settings.isActive(.shoot), let shoot = shooting.shoot {
            endWaitingStreams(in: &turn)
            let name = connection.machine.behavior.identity ?? shoot.camera
            let reading = settingsReading ?? SettingsReading(camera: name, values: [:], isStepwise: false)
            var speeds: [String] = []
            for frame in shoot.plan.frames where !speeds.contains(frame.speed.label) {
                speeds.append(frame.speed.label)
            }
            let beginning = SettingsShoot(reading: reading, changes: [.shutterSpeed: speeds])
            deliver(Settings.Input.shootBegins(beginning), in: &turn)
        }
        if !shooting.isAtRest, shooting.settings.isActive(.pausing) {
            deliver(Settings.Input.shootGoesOn, in: &turn)
        }
    }

    /// A shoot pauses or ends: the chart hears of it after the camera was told.
    mutating func tellSettingsOfRest(in turn: inout Turn) {
        guard shooting.settings.isActive(.shoot) else { return }
        if !shooting.chart.isActive(.active) {
            deliver(Settings.Input.shootEnds, in: &turn)
        } else if shooting.isAtRest, shooting.settings.isActive(.working) {
            deliver(Settings.Input.shootPauses, in: &turn)
        }
    }

    /// The shooting chart gave the camera a command.
    mutating func tellSettings(of command: CameraCommand, in turn: inout Turn) {
        guard case .setSpeed(let speed) = command else { return }
        deliver(Settings.Input.shootSets(PropertySetting(.shutterSpeed, speed.label)), in: &turn)
    }

    /// What an earlier run of the daemon left.
    mutating func recoverSettings(_ contents: LedgerContents, in turn: inout Turn) {
        guard !contents.settings.isEmpty || shooting.settings.machine.behavior.isAnythingPending() else { return }
        var rows = contents.settings
        if let unfinished = contents.unfinished {
            for index in rows.indices where rows[index].values.isEmpty {
                guard rows[index].cameraID == unfinished.shoot.cameraID else { continue }
                rows[index].values = unfinished.frames.map(\.planned.speed.label)
            }
        }
        deliver(Settings.Input.recovered(SettingsRecovery(rows: rows)), in: &turn)
    }

    /// The stop begins; the connection receives it when what can be put back is. A second order ends that wait.
    mutating func stopSettings(in turn: inout Turn) {
        let isExposing = shooting.chart.isActive(.capturing) || shooting.chart.isActive(.inDoubt)
        let stop = SettingsStop(mayTouch: settingsReading != nil && !isExposing)
        deliver(Settings.Input.stop(stop), in: &turn)
        guard shooting.settings.isActive(.lastTry) else { return }
        turn.append(.stopping(waiting: shooting.settings.machine.behavior.lastTryLimit()))
    }

    // MARK: From the camera

    /// The camera answered what the settings chart set.
    mutating func settingsReceive(answer event: CameraEvent, in turn: inout Turn) {
        switch event {
        case .propertySet(let state): deliver(Settings.Input.cameraSet(state), in: &turn)
        case .busy, .lost: deliver(Settings.Input.cameraBusy, in: &turn)
        case .failed(let failure): deliver(Settings.Input.cameraFailed(failure), in: &turn)
        default: break
        }
    }

    // MARK: From the chart

    mutating func deliver(_ input: Settings.Input, in turn: inout Turn) {
        finish(shooting.settings.handle(input, at: turn.now), in: &turn)
    }

    mutating func finish(_ outcome: ChartRun<SettingsModel>.Outcome, in turn: inout Turn) {
        turn.publish(outcome.steps)
        for effect in outcome.effects {
            switch effect {
            case .camera(let command):
                turn.send(.command(command, from: .settings))
                deliverMessages(in: &turn)
            case .keep(let key, let row):
                records.notes.note(row, key)
                // A shoot that begins waits for this; what comes later need not wait for its next frame.
                let isOver = shooting.isStopping || !shooting.chart.isActive(.active)
                if isOver || row != nil { records.notes.want(isDurable: !isOver) }
            case .report(let entry):
                turn.append(.journal(entry))
            case .over:
                turn.send(.settingsOver)
                deliverMessages(in: &turn)
            }
        }
        if !outcome.steps.isEmpty, !shooting.chart.isActive(.active) { tellProgress(in: &turn) }
    }
}

extension CameraStatus {
    fileprivate var isStepwise: Bool {
        if case .stepwise = speedSetting { true } else { false }
    }
}
