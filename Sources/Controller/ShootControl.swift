import Cameras
import Exposure
import Statecharts

/// The control of a shoot: the commands to the camera, the settings to restore, and the learned times.
///
/// One part has the charts of the shoot and of the settings. The settings chart must follow each step of the shoot
/// within the same input. The settings to restore must be in the same ledger commit as the shoot's first row. They must
/// also be noted before the camera receives a command that changes them.
struct ShootControl: Sendable {
    /// The core starts and advances this chart as a row of `ChartEntry.charts`.
    var chart: ChartRun<ShootingModel>
    /// The core starts and advances this chart as a row of `ChartEntry.charts`.
    var settings = ChartRun(SettingsModel())
    /// The plans that were shown to clients.
    private(set) var plans = RecentPlans()
    /// The plan that a press fires; nil: the configured one.
    private(set) var armedPlan: PlanInput?
    private(set) var timings = RecentTimings()
    /// The present configuration, for the values that can change while the daemon runs.
    private(set) var rules: CoreConfiguration
    private var frameTimer = FrameTimer()
    /// The shoot at the last transition.
    private var reportedShoot: Shoot?
    /// The time at which a camera last accepted the shutter command.
    private(set) var lastRelease = Duration.zero

    init(_ configuration: CoreConfiguration) {
        chart = ChartRun(
            ShootingModel(
                firesSuspectsAgain: configuration.transfer.firesSuspectsAgain,
                firesUnrecorded: configuration.ledger != .required,
                policy: configuration.transfer.policy
            )
        )
        armedPlan = configuration.armedPlan
        rules = configuration
    }

    /// Adopts a configuration that was read again. The current shoot keeps its plan.
    mutating func adopt(_ configuration: CoreConfiguration) {
        rules = configuration
        chart.inform { $0.firesSuspectsAgain = configuration.transfer.firesSuspectsAgain }
    }

    mutating func arm(_ plan: PlanInput?) { armedPlan = plan }

    mutating func remember(_ input: PlanInput, _ identity: PlanIdentity) { plans.remember(input, identity) }

    // MARK: The present state

    /// The last shoot, until it is dismissed or another begins.
    var shoot: Shoot? { chart.machine.behavior.shoot }

    var outcome: ShootOutcome? {
        if chart.isActive(.completed) { return .completed }
        if chart.isActive(.partial) { return .partial }
        if chart.isActive(.cancelled) { return .cancelled }
        if chart.isActive(.interrupted) { return shoot?.left ?? .interrupted }
        return nil
    }

    /// Whether the current shoot changes no setting of the camera at this time.
    var isAtRest: Bool {
        chart.isActive(.paused) || chart.isActive(.awaitingCamera)
    }

    /// Whether a pause that is requested now waits for the end of the current frame.
    var isFrameUnderWay: Bool {
        chart.isActive(.running) && !chart.isActive(.awaitingCamera)
    }

    /// Whether a setting is being restored, or the next try follows soon. The limit is
    /// `SettingsModel.restoringLimitMax`.
    var isRestoring: Bool {
        settings.isActive(.puttingBack) || settings.isActive(.rechecking)
            || settings.isActive(.waiting) && settings.machine.behavior.triesSoon
    }

    /// The user's request to pause or cancel the shoot. The ledger records it in case the daemon ends before the shoot.
    func requestedStop(_ service: ServiceView) -> RequestedStop? {
        guard service.isServing else { return service.requestedStop }
        if chart.isActive(.cancelWanted) { return .cancel }
        return chart.isActive(.byCommand) || chart.isActive(.pauseWanted) ? .pause : nil
    }

    // MARK: The shooting chart

    /// - Returns: whether the chart accepted the input. It accepts no input after the daemon has begun to stop.
    @discardableResult
    mutating func deliver(_ input: Shooting.Input, _ facts: ShootFacts, in turn: inout Turn) -> Bool {
        guard !facts.service.isLeaving else { return false }
        let outcome = chart.handle(input, at: turn.now)
        finish(outcome, facts, in: &turn)
        return outcome.wasTaken
    }

    mutating func finish(
        _ outcome: ChartRun<ShootingModel>.Outcome,
        _ facts: ShootFacts,
        in turn: inout Turn
    ) {
        report(outcome.steps, in: &turn)
        beginSettings(facts, in: &turn)
        for effect in outcome.effects { perform(effect, facts, in: &turn) }
        reportShootPause(facts, in: &turn)
        if !outcome.steps.isEmpty {
            keepShoot(facts, in: &turn)
            if facts.service.state == .finishingFrame, !isFrameUnderWay { turn.append(.enqueue(.frameOver)) }
        }
        if !chart.isActive(.recordingShoot) { turn.send(.shootRecorded) }
        turn.send(.progressChanged)
        if !outcome.steps.isEmpty, shoot != nil, self.outcome != nil { turn.send(.shootOver) }
    }

    private mutating func perform(_ effect: ShootingEffect, _ facts: ShootFacts, in turn: inout Turn) {
        switch effect {
        case .camera(let command):
            if case .setSpeed(let speed) = command {
                let setting = PropertySetting(property: facts.camera.speedProperty, value: speed.label)
                deliver(.shootSets(setting), facts, in: &turn)
            }
            turn.send(.command(command, from: .shooting))
            frameTimer.note(command, timedSetting, at: turn.now)
        case .accepted(let id, let streams):
            // The button needs no answer, because its lamp shows the shoot.
            guard id != .button else { break }
            turn.send(.subscribe(Subscription(id, to: streams ? .streamedShootRecord : .shootRecord)))
        case .refusedWithoutCamera(let id):
            turn.append(.fail(id, .notConnected(sentence: facts.camera.refusal)))
            turn.append(.enqueue(.cameraNeeded))
        case .requestCamera:
            turn.append(.enqueue(.cameraNeeded))
        case .record(let mark, let isDurable):
            turn.send(.commit(mark: mark, isDurable: isDurable))
        case .chooseFrame: turn.send(.choiceWanted)
        case .requestRecord:
            turn.append(.enqueue(.recordWanted))
        case .report(let entry):
            turn.append(.journal(entry))
        }
    }

    // MARK: Transitions

    /// Reports each transition with its frame. Until the chart has selected the next frame, this is the previous frame.
    private mutating func report(_ steps: [MacroStep<Shooting>], in turn: inout Turn) {
        for step in steps {
            for microstep in step.steps {
                if microstep.actions.contains(where: { Self.frameSelectingActions.contains($0) }) {
                    reportedShoot = shoot
                }
                turn.publish(microstep, at: step.time, of: reportedShoot)
            }
        }
        reportedShoot = shoot
    }

    /// The actions that select another frame.
    private static let frameSelectingActions: [Shooting.Action] = [
        .adoptPlan, .adoptMissingFrames, .selectNextFrame, .selectRedo, .selectInDoubt,
    ]

    // MARK: Timing

    /// Adopts the timings of earlier runs of the daemon.
    mutating func beginTiming(with rows: [TimingRow]) { timings.begin(with: rows) }

    /// Records new timings after an answer of the camera, or after the loss of the link.
    ///
    /// - Parameter route: the connected body and its link; nil: no camera is connected.
    mutating func time(_ event: CameraEvent, on route: RecentTimings.Route?, in turn: inout Turn) {
        if event == .shutterReleased { lastRelease = turn.now }
        guard let route else { return frameTimer.abandon() }
        for sample in frameTimer.note(event, at: turn.now) {
            let row = TimingRow(
                cameraID: route.cameraID,
                link: route.link,
                step: sample.step,
                milliseconds: sample.milliseconds,
                at: .clock(turn.now)
            )
            timings.record(row)
            turn.send(.keep(.timing(row)))
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
            route: route(to: speed)
        )
    }

    private func route(to speed: ShutterSpeed) -> FrameTimer.Route {
        guard let camera = chart.machine.behavior.camera, case .stepwise = camera.speedSetting else {
            return .atOnce
        }
        if let shown = frameTimer.shown { return .notches(abs(shown.thirds(to: speed))) }
        guard case .speed(let present) = camera.speed else { return .notches(nil) }
        return .notches(abs(present.thirds(to: speed)))
    }
}
