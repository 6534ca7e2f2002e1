import Cameras
import Exposure

/// A client's plan, checked with the camera's speeds.
struct Draft {
    let plan: Plan
    let report: PlanReport

    /// The name of the plan on the camera; nil without a camera.
    let identity: PlanIdentity?
    let preflight: PreflightReport

    private let request: PlanRequest
    private let camera: Preflight.Camera?

    /// The conditions that a plan is checked with.
    struct Conditions {
        var camera: Preflight.Camera?
        /// Why no camera is connected.
        var absence: String
        var ledger: Preflight.Ledger
        var rules: Preflight.Rules
        /// The last shoot, if it has missing frames.
        var unfinished: UnfinishedShoot?
    }

    /// Parses, plans, checks. Without a camera the plan stays as it is, with a note.
    static func make(_ input: PlanInput, under conditions: Conditions) -> Result<Draft, RequestError> {
        do throws(RequestError) {
            return .success(try Draft(try PlanRequest(input), strict: input.strict ?? false, under: conditions))
        } catch {
            return .failure(error)
        }
    }

    private init(_ request: PlanRequest, strict: Bool, under conditions: Conditions) throws(RequestError) {
        let camera = conditions.camera
        self.request = request
        self.camera = camera
        let wanted = Plan(request)
        // In a wrong mode a body may offer no speeds: then the plan cannot be checked.
        let offered = camera?.status.speeds ?? []
        let checked = offered.isEmpty ? nil : wanted.validated(against: offered)
        let changes = checked?.notes.map(\.sentence) ?? []
        if strict, let checked, !checked.isExact { throw Self.refusal(of: changes) }
        plan = checked?.plan ?? wanted
        identity =
            checked == nil ? nil : camera.map { [plan] in PlanIdentity(plan, on: $0.identity, offering: offered) }
        preflight = Preflight.report(
            Preflight.Firing(speeds: plan.frames.map(\.speed), changes: changes, drops: conditions.unfinished),
            on: camera,
            absence: conditions.absence,
            ledger: conditions.ledger,
            rules: conditions.rules
        )
        report = Self.report(
            plan,
            of: wanted,
            checked: checked,
            PlanInput(request, strict: strict),
            preflight,
            hash: identity?.hash,
            on: camera
        )
    }

    private static func report(
        _ plan: Plan,
        of wanted: Plan,
        checked: ValidatedPlan?,
        _ input: PlanInput,
        _ preflight: PreflightReport,
        hash: String?,
        on camera: Preflight.Camera?
    ) -> PlanReport {
        let changes = checked?.notes.map(\.sentence) ?? []
        let estimate = estimate(plan, on: camera)
        // The report already has each change by the camera.
        let remarks = preflight.checks.filter { $0.name != "speeds" && [.warn, .fail].contains($0.result) }
        return PlanReport(
            rangeEV: plan.rangeEV,
            sets: plan.sets.map { $0.map(\.label) },
            totalExposures: plan.totalExposures,
            notes: wanted.notes.map(\.sentence),
            warnings: changes + (camera == nil ? [] : remarks.map(\.text)),
            estimateMilliseconds: Int(estimate.shortest.milliseconds),
            estimateBasis: estimate.darkFrames > .zero
                ? "\(estimate.basis); up to \(TimeText.text(estimate.longest)) with long-exposure noise reduction"
                : estimate.basis,
            checkedAgainst: checked == nil ? nil : camera?.identity.name,
            timing: camera?.timing,
            hash: hash,
            input: input,
            exposures: plan.frames,
            substitutes: checked?.substitutes
        )
    }

    private static func refusal(of changes: [String]) -> RequestError {
        .planNotExact(
            warnings: changes,
            sentence: "The camera would change the plan, and --strict forbids that: \(changes.joined(separator: "; "))"
        )
    }

    private static func estimate(_ plan: Plan, on camera: Preflight.Camera?) -> Estimate {
        let mayReduceNoise = camera?.status.noiseReduction == .on || camera?.status.noiseReduction == .unknown
        return Estimate(
            plan,
            learned: camera?.timing?.learned,
            noiseReduction: mayReduceNoise ? .possible : .off,
            stepping: camera?.stepping
        )
    }

    /// The report with the costs of all other choices of frames and spacing on the same camera. That takes twelve more
    /// plans, so only a client's request for a plan makes it.
    var comparedReport: PlanReport {
        var report = report
        report.comparison = Comparison(
            request,
            as: { plan in camera.map { plan.validated(against: $0.status.speeds).plan } ?? plan },
            estimate: { Self.estimate($0, on: camera) }
        )
        return report
    }
}

extension Preflight.Camera {
    /// The way from speed to speed, as far as it takes time.
    var stepping: Estimate.Stepping? {
        guard case .stepwise(let assumed) = status.speedSetting else { return nil }
        let perNotch = learnedPerNotch ?? assumed
        guard case .speed(let speed) = status.speed else { return Estimate.Stepping(perNotch: perNotch, from: nil) }
        return Estimate.Stepping(perNotch: perNotch, from: speed)
    }

    private var learnedPerNotch: Duration? {
        guard let set = timing?.set, set.count >= Estimate.Learned.framesMin else { return nil }
        return .milliseconds(set.medianMilliseconds)
    }
}

extension PlanInput {
    /// The input for this plan, without defaults.
    package init(_ request: PlanRequest, strict: Bool) {
        self.init(
            shadow: request.shadow.label,
            highlight: request.highlight.label,
            frames: request.framesPerSet,
            spacing: request.spacing.ev,
            biasThirds: request.biasThirds,
            shareOnce: request.sharing == .once,
            strict: strict
        )
    }
}

extension PlanRequest {
    /// The request as a client wrote it.
    fileprivate init(_ input: PlanInput) throws(RequestError) {
        let shadow = try Self.speed(input.shadow, "shadow") ?? Self.defaultShadow
        let highlight = try Self.speed(input.highlight, "highlight") ?? Self.defaultHighlight
        var spacing = Spacing.one
        if let ev = input.spacing {
            guard let known = Spacing(ev: ev) else {
                throw .invalidPlan(
                    parameter: "spacing",
                    value: "\(ev)",
                    sentence: "Spacing \(ev) is not possible. Use 1, 1.5 or 2 EV."
                )
            }
            spacing = known
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
