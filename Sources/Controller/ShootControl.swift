import Cameras
import Exposure
import Statecharts

/// What the camera is to do for a shoot, what it is set to afterwards, and what is learned of its timing.
struct ShootControl: Sendable {
    var chart: ChartRun<ShootingModel>
    var settings = ChartRun(SettingsModel())
    /// The plans that were shown to clients.
    var plans = RecentPlans()
    /// What a press fires; nil: what the configuration says.
    var armedPlan: PlanInput?
    var timings = RecentTimings()
    private var frameTimer = FrameTimer()
    /// The shoot as it was at the last transition.
    private var reportedShoot: Shoot?
    /// When a camera took the shutter command last.
    private(set) var lastRelease = Duration.zero

    init(_ configuration: CoreConfiguration) {
        chart = ChartRun(
            ShootingModel(
                firesSuspectsAgain: configuration.transfer.firesSuspectsAgain,
                firesUnrecorded: configuration.ledger != .required,
                keepsPictures: configuration.transfer.policy != .none
            )
        )
        armedPlan = configuration.armedPlan
    }

    /// Whether the ordered stop goes on. The shooting chart stands still from its beginning.
    var isStopping: Bool { settings.isActive(.lastTry) || !settings.machine.isRunning }

    /// The last shoot, until it is dismissed or another begins.
    var shoot: Shoot? { chart.machine.behavior.shoot }

    var outcome: ShootOutcome? {
        if chart.isActive(.completed) { return .completed }
        if chart.isActive(.partial) { return .partial }
        if chart.isActive(.cancelled) { return .cancelled }
        if chart.isActive(.interrupted) { return shoot?.left ?? .interrupted }
        return nil
    }

    /// A shoot that has every frame is complete, though its last frame was wanted once more.
    func keptOutcome(of shoot: Shoot) -> ShootOutcome? {
        switch outcome {
        case .cancelled, .interrupted: shoot.isDone ? .completed : outcome
        case .completed, .partial, nil: outcome
        }
    }

    /// Whether the shoot that goes on sets nothing for now.
    var isAtRest: Bool {
        chart.isActive(.paused) || chart.isActive(.awaitingCamera)
    }

    /// The exposure of the frame in work, while the shutter is open for so long that it is counted down.
    var countedExposure: Duration? {
        guard let shoot, shoot.attempt == .exposing,
            let exposure = shoot.frame?.speed.exposureTime, exposure >= Core.countedExposureMin
        else { return nil }
        return exposure
    }

    /// Whether the camera is being set as it was before the last shoot, the short waits between the first tries
    /// included: at most `SettingsModel.restoringLimitMax`.
    var isRestoring: Bool {
        settings.isActive(.puttingBack) || settings.isActive(.looking)
            || settings.isActive(.waiting) && settings.machine.behavior.triesSoon
    }

    // MARK: Transitions

    /// Reports transitions, each with the frame that it is about: until the chart turned to the next frame that is the
    /// one before.
    mutating func publish(_ steps: [MacroStep<Shooting>], in turn: inout Turn) {
        for step in steps {
            for microstep in step.steps {
                if microstep.actions.contains(where: { Self.turningActions.contains($0) }) { reportedShoot = shoot }
                turn.publish(microstep, at: step.time, of: reportedShoot)
            }
        }
        reportedShoot = shoot
    }

    /// The actions after which another frame is in work.
    private static let turningActions: [Shooting.Action] = [
        .adoptPlan, .adoptRest, .takeNextFrame, .takeAgain, .takeDoubtful,
    ]

    // MARK: Timing

    /// The shooting chart gives the camera a command.
    mutating func time(_ command: CameraCommand, at now: Duration) {
        frameTimer.note(command, timedSetting, at: now)
    }

    /// The camera answers the shooting chart, or the link is gone.
    ///
    /// - Parameter route: the connected body; nil: there is none.
    /// - Returns: what is to be recorded.
    mutating func time(_ event: CameraEvent, on route: RecentTimings.Route?, at now: Duration) -> [TimingRow] {
        if event == .shutterReleased { lastRelease = now }
        guard let route else {
            frameTimer.abandon()
            return []
        }
        return frameTimer.note(event, at: now).map { sample in
            let row = TimingRow(
                cameraID: route.cameraID,
                link: route.link,
                step: sample.step,
                milliseconds: sample.milliseconds,
                at: .clock(now)
            )
            timings.note(row)
            return row
        }
    }

    private var timedSetting: FrameTimer.Setting? {
        let model = chart.machine.behavior
        guard let shoot = model.shoot, let index = shoot.current, let speed = shoot.frame?.speed else { return nil }
        let mayReduceNoise =
            model.camera?.noiseReduction != .off && speed.exposureTime >= ShootingModel.noiseReductionFrom
        return FrameTimer.Setting(
            frame: FrameKey(shoot: shoot.id, index: index),
            speed: speed,
            mayReduceNoise: mayReduceNoise,
            way: way(to: speed)
        )
    }

    private func way(to speed: ShutterSpeed) -> FrameTimer.Way {
        guard let camera = chart.machine.behavior.camera, case .stepwise = camera.speedSetting else {
            return .atOnce
        }
        if let shown = frameTimer.shown { return .notches(abs(shown.thirds(to: speed))) }
        guard case .speed(let present) = camera.speed else { return .notches(nil) }
        return .notches(abs(present.thirds(to: speed)))
    }

    // MARK: For people

    /// What is going to happen at the frame's end.
    var wishSentence: String {
        if chart.isActive(.pauseWanted) { return " Pauses after this frame." }
        if chart.isActive(.cancelWanted) { return " Stops after this frame." }
        return ""
    }

    /// What is not put back yet; nil: nothing, or a shoot goes on.
    var settingsSentence: String? {
        guard settings.isActive(.resting) else { return nil }
        return settings.machine.behavior.sentence(isWaiting: settings.isActive(.waiting))
    }

    var sign: LampSign {
        switch chart.machine.mainState {
        // While the camera is asked whether it fired, it may be exposing yet.
        case .capturing, .resolvingDoubt: .exposing
        case .byCommand, .linkLost, .wifiSwitched, .cameraNotFit, .unrecorded, .awaitingCamera: .needsYou
        default: .betweenFrames
        }
    }

    var hasDoubts: Bool {
        shoot?.outcomes.contains { outcome in
            switch outcome {
            case .suspect, .unknown: true
            case .planned, .preparing, .attempting, .exposing, .exposed, .lost, .captured, .verified, .failed: false
            }
        } ?? false
    }
}
