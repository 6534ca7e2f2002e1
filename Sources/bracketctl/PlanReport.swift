import Controller
import Exposure
import Interface
import Varlink

/// The daemon's answer to `Plan`: the plan as the camera will fire it. Or a plan made without a daemon.
typealias PlanReport = Bracketd.PlanDescription

extension PlanReport {
    init(_ plan: Plan, strict: Bool) {
        let estimate = Estimate(plan)
        self.init(
            rangeEV: plan.rangeEV,
            sets: plan.sets.map { $0.map(\.label) },
            totalExposures: plan.totalExposures,
            notes: plan.notes.map(\.sentence),
            warnings: [],
            estimateMilliseconds: Int(estimate.shortest.milliseconds),
            estimateBasis: estimate.basis,
            input: Bracketd.PlanInput(PlanInput(plan.request, strict: strict)),
            exposures: plan.frames.map {
                Bracketd.PlannedExposure(set: $0.position.set, frame: $0.position.frame, speed: $0.speed.label)
            }
        )
    }

    /// As `--json` prints it.
    var printed: JSONValue { PrintedJSON.plan(json) }

    /// The request, if it could be read.
    var request: PlanRequest? { input.flatMap(PlanRequest.init) }

    /// The cost of other choices of frames and spacing; nil if unknown.
    var choices: Comparison? {
        request.flatMap { request in comparison.flatMap { Comparison(request, $0) } }
    }

    /// The plan as text: a ruler per set, the estimate, remarks and warnings.
    ///
    /// - Parameters:
    ///   - plan: bracketctl's own plan of the same options; nil: only the daemon can plan them.
    ///   - reason: the daemon's sentence about its state, shown when no camera is connected.
    func text(_ plan: Plan?, uncheckedBecause reason: String, columns: Int) -> String {
        let rulers = rulers(sharing: plan?.request.sharing ?? .twice, columns: columns)
        var lines = plan.map { [PlanText.headline($0)] + rulers } ?? Array(rulers.drop(while: \.isEmpty))
        lines += ["", estimateLine]
        lines.append(basis(uncheckedBecause: reason))
        if !remarks.isEmpty { lines.append("") }
        return (lines + remarks).joined(separator: "\n")
    }

    /// The remarks and warnings, one per line.
    var remarks: [String] {
        notes.map(PlanSentences.note) + warnings.map(PlanSentences.warning)
    }

    /// What the plan is based on.
    ///
    /// - Parameter reason: the daemon's sentence about its state, for a plan without a camera.
    func basis(uncheckedBecause reason: String) -> String {
        checkedSentence ?? PlanSentences.unchecked(because: reason)
    }

    /// `Checked against Sony ILCE-7M4.`; nil without a camera.
    var checkedSentence: String? { checkedAgainst.map(PlanSentences.checked) }

    var estimateLine: String {
        PlanSentences.estimate(TimeText.text(.milliseconds(estimateMilliseconds)), basis: estimateBasis)
    }

    /// A ruler per set, each after an empty line.
    func rulers(sharing: Sharing, columns: Int) -> [String] {
        let speeds = sets.map { $0.compactMap { try? ShutterSpeed(parsing: $0) } }
        guard speeds.map(\.count) == sets.map(\.count) else {
            // The daemon knows speeds that this client does not know.
            return [""] + sets.enumerated().map { "Set \($0 + 1)  \($1.joined(separator: "  "))" }
        }
        return PlanText.rulers(speeds, sharing: sharing, columns: columns)
    }
}

extension PlanRequest {
    /// The request that the daemon reports; nil if it has unknown values.
    fileprivate init?(_ input: Bracketd.PlanInput) {
        guard let shadow = input.shadow.flatMap({ try? ShutterSpeed(parsing: $0) }),
            let highlight = input.highlight.flatMap({ try? ShutterSpeed(parsing: $0) }),
            let frames = input.frames, let biasThirds = input.biasThirds,
            let spacing = input.spacing.flatMap(Spacing.init(ev:)),
            let request = try? PlanRequest(
                shadow: shadow,
                highlight: highlight,
                framesPerSet: frames,
                spacing: spacing,
                sharing: input.shareOnce == true ? .once : .twice,
                biasThirds: biasThirds
            )
        else { return nil }
        self = request
    }
}
