import Cameras
import Exposure

/// A client's plan, after the check against the camera's speeds.
struct PlanDraft {
    let plan: Plan
    /// The identity of the plan on the camera; nil: no camera is connected, or its speeds are not known.
    let identity: PlanIdentity?
    let preflight: PreflightReport
    private let request: PlanRequest
    private let isStrict: Bool
    private let camera: Preflight.Camera?
    /// The result of the check against the camera's speeds; nil: the speeds are not known.
    private let checked: ValidatedPlan?

    /// Makes a plan from a client's input, and checks the plan. Without a camera the plan stays unchanged.
    static func make(_ input: PlanInput, under conditions: Preflight.Conditions) -> Result<PlanDraft, RequestError> {
        Result { () throws(RequestError) in
            let request = try PlanRequest(input, from: conditions.startSpeed)
            return try PlanDraft(request, strict: input.strict ?? false, under: conditions)
        }
    }

    private init(
        _ request: PlanRequest,
        strict: Bool,
        under conditions: Preflight.Conditions
    ) throws(RequestError) {
        (self.request, isStrict, camera) = (request, strict, conditions.camera)
        let wanted = Plan(request)
        // In a wrong mode a body may offer no speeds, so that the plan cannot be checked.
        let offered = conditions.camera?.status.speeds ?? []
        let checked = offered.isEmpty ? nil : wanted.validated(against: offered)
        let changes = checked?.changes ?? []
        if strict, let checked, !checked.isExact { throw Self.refusal(of: changes) }
        self.checked = checked
        let plan = checked?.plan ?? wanted
        self.plan = plan
        identity = checked.flatMap { _ in
            conditions.camera.map { PlanIdentity(plan, on: $0.identity, offering: offered) }
        }
        let speeds = plan.frames.map(\.speed)
        var firing = Preflight.Firing(speeds: speeds, changes: changes, drops: conditions.unfinished)
        firing.findsRange = plan.request.goal != nil
        preflight = Preflight.report(firing, under: conditions)
    }

    /// The input for the requested plan, with a value for each parameter.
    var input: PlanInput { PlanInput(request, strict: isStrict) }

    private var report: PlanReport {
        let estimate = Self.estimate(plan, on: camera)
        // The report already contains the changed speeds, so the check of the speeds is left out.
        let remarks = preflight.checks.filter { $0.name != "speeds" && [.warn, .fail].contains($0.result) }
        return PlanReport(
            rangeEV: plan.rangeEV,
            sets: plan.sets.map { $0.map(\.label) },
            totalExposures: plan.totalExposures,
            notes: Plan(request).notes.map(\.sentence),
            warnings: (checked?.changes ?? []) + (camera == nil ? [] : remarks.map(\.text)),
            estimateMilliseconds: Int(estimate.shortest.milliseconds),
            estimateBasis: estimate.darkFrames > .zero ? PlanSentences.basis(estimate) : estimate.basis,
            checkedAgainst: checked == nil ? nil : camera?.identity.name,
            timing: camera?.timing,
            hash: identity?.hash,
            input: input,
            exposures: plan.frames,
            substitutes: checked?.substitutes
        )
    }

    private static func refusal(of changes: [String]) -> RequestError {
        .planNotExact(warnings: changes, sentence: PlanSentences.changedByCamera(changes))
    }

    private static func estimate(_ plan: Plan, on camera: Preflight.Camera?) -> Estimate {
        let mayReduceNoise = camera?.status.noiseReduction == .on || camera?.status.noiseReduction == .unknown
        return Estimate(
            speeds: plan.estimatedSpeeds(available: camera?.status.speeds ?? []),
            learned: camera?.timing?.learned,
            noiseReduction: mayReduceNoise ? .possible : .off,
            stepping: camera?.stepping
        )
    }

    /// The report, with the plan's duration for every other number of frames per set and every other spacing.
    ///
    /// The comparison needs twelve more plans, so it is made only when a client requests a plan.
    var comparedReport: PlanReport {
        var report = report
        guard request.goal == nil else { return report }
        report.comparison = Comparison(
            request,
            as: { plan in camera.map { plan.validated(against: $0.status.speeds).plan } ?? plan },
            estimate: { Self.estimate($0, on: camera) }
        )
        return report
    }
}

extension ValidatedPlan {
    /// The sentences about the speeds that the camera changes.
    fileprivate var changes: [String] { notes.map(\.sentence) }
}

extension Preflight.Camera {
    /// The time that the camera needs for each notch between two speeds; nil: the camera sets a speed at once.
    var stepping: Estimate.Stepping? {
        guard case .stepwise(let assumed) = status.speedSetting else { return nil }
        let perNotch = learnedPerNotch ?? assumed
        guard case .speed(let speed) = status.speed else { return Estimate.Stepping(perNotch: perNotch, from: nil) }
        return Estimate.Stepping(perNotch: perNotch, from: speed)
    }

    private var learnedPerNotch: Duration? {
        guard let set = timing?.set, set.count >= Estimate.LearnedTiming.framesMin else { return nil }
        return .milliseconds(set.medianMilliseconds)
    }
}

extension PlanInput {
    /// Creates the input for this plan, with a value for each parameter.
    package init(_ request: PlanRequest, strict: Bool) {
        self.init(
            shadow: request.shadow.label,
            highlight: request.highlight.label,
            frames: request.framesPerSet,
            spacing: request.spacing.ev,
            biasThirds: request.biasThirds,
            shareOnce: request.sharing == .once,
            strict: strict,
            goal: request.goal.map(GoalInput.init)
        )
    }
}

extension GoalInput {
    /// Creates the input for this goal, with a value for each parameter.
    fileprivate init(_ goal: BracketGoal) {
        self.init(
            framesMax: goal.framesMax,
            clipPercent: Double(goal.clipHundredths) / 100,
            floorCode: goal.floorCode,
            checksLight: goal.checksLight
        )
    }
}

extension Preflight.Conditions {
    /// The speed at which a bracket that finds its own range begins: the present one, moved by the reading of the
    /// body's own meter; nil: not known.
    fileprivate var startSpeed: ShutterSpeed? {
        guard let status = camera?.status, case .speed(let speed)? = status.speed else { return nil }
        guard status.mode == .manual, let thirds = status.meterThirds else { return speed }
        return ShutterSpeed(clamping: speed.index - thirds)
    }
}

extension BracketGoal {
    /// Creates the goal from a client's input. A missing parameter gets its default.
    fileprivate init(_ input: GoalInput) throws(RequestError) {
        do throws(BracketGoalError) {
            try self.init(
                framesMax: input.framesMax,
                clipPercent: input.clipPercent,
                floorCode: input.floorCode,
                checksLight: input.checksLight
            )
        } catch {
            let parameter = "goal.\(error.number.rawValue)"
            let (least, most) = (error.range.lowerBound, error.range.upperBound)
            let sentence = PlanSentences.goalOutOfRange(parameter, least, most)
            throw RequestError.invalidPlan(parameter: parameter, value: "\(error.value)", sentence: sentence)
        }
    }
}

extension PlanRequest {
    /// Creates the request from a client's input. A missing parameter gets its default.
    ///
    /// - Parameter start: the speed at which a bracket that finds its own range begins, unless the input has one.
    fileprivate init(_ input: PlanInput, from start: ShutterSpeed?) throws(RequestError) {
        let shadow = try Self.speed(input.shadow, "shadow") ?? Self.defaultShadow
        let highlight = try Self.speed(input.highlight, "highlight") ?? Self.defaultHighlight
        var spacing = Spacing.one
        if let ev = input.spacing {
            guard let known = Spacing(ev: ev) else {
                let error = PlanError.spacing("\(ev)")
                throw .invalidPlan(parameter: error.parameter, value: error.value, sentence: error.sentence)
            }
            spacing = known
        }
        if let goal = input.goal {
            let begin = input.highlight == nil ? start ?? Self.startUsual : highlight
            self.init(from: begin, spacing: spacing, goal: try BracketGoal(goal))
            return
        }
        do {
            try self.init(
                shadow: shadow,
                highlight: highlight,
                framesPerSet: input.frames ?? Self.defaultFramesPerSet,
                spacing: spacing,
                sharing: input.shareOnce == true ? .once : .twice,
                biasThirds: input.biasThirds ?? 0
            )
        } catch {
            throw RequestError.invalidPlan(parameter: error.parameter, value: error.value, sentence: error.sentence)
        }
    }

    /// The first speed of a search if the camera's speed is not known: the middle of the scale's daylight part.
    private static let startUsual = ShutterSpeed(index: 21) ?? .oneSecond

    private static func speed(_ text: String?, _ parameter: String) throws(RequestError) -> ShutterSpeed? {
        guard let text else { return nil }
        do {
            return try ShutterSpeed(parsing: text)
        } catch {
            throw .invalidPlan(parameter: parameter, value: text, sentence: "\(parameter): \(error.sentence)")
        }
    }
}

extension PlanError {
    /// The parameter of the interface that the error is about.
    fileprivate var parameter: String {
        switch self {
        case .framesPerSet: "frames"
        case .spacing: "spacing"
        case .biasThirds, .bias: "biasThirds"
        }
    }

    fileprivate var value: String {
        switch self {
        case .framesPerSet(let frames): String(frames)
        case .biasThirds(let thirds): String(thirds)
        case .spacing(let text), .bias(let text): text
        }
    }
}
