import Controller
import Exposure
import Interface
import Varlink

/// The daemon's answer to `Plan`: the plan as the camera will fire it. A plan that bracketctl makes without a daemon
/// has the same form.
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

    /// The plan in the form of `--json`.
    var printed: JSONValue { PrintedJSON.plan(json) }

    /// The request for the plan; nil: it has values that this client does not know.
    var request: PlanRequest? { input.flatMap(PlanRequest.init) }

    /// The cost of every choice of frames and spacing; nil: unknown.
    var choices: Comparison? {
        request.flatMap { request in comparison.flatMap { Comparison(request, $0) } }
    }

    /// The plan as text: a ruler for each set, the estimate, the remarks and the warnings.
    ///
    /// - Parameters:
    ///   - plan: The plan that bracketctl made from the same options; nil: only the daemon can make it.
    ///   - reason: The daemon's status sentence, which the text contains if no camera is connected.
    func text(_ plan: Plan?, uncheckedBecause reason: String, columns: Int) -> String {
        let rulers = rulers(sharing: plan?.request.sharing ?? .twice, columns: columns)
        var lines = plan.map { [PlanText.headline($0)] + rulers } ?? Array(rulers.drop(while: \.isEmpty))
        lines += ["", estimateLine]
        lines.append(basis(uncheckedBecause: reason))
        if !remarks.isEmpty { lines.append("") }
        return (lines + remarks).joined(separator: "\n")
    }

    /// The remarks and the warnings, one line each.
    var remarks: [String] {
        notes.map(PlanSentences.note) + warnings.map(PlanSentences.warning)
    }

    /// A sentence about the basis of the plan: the connected camera, or only the options.
    ///
    /// - Parameter reason: The daemon's status sentence, which the basis contains if no camera is connected.
    func basis(uncheckedBecause reason: String) -> String {
        checkedSentence ?? PlanSentences.unchecked(because: reason)
    }

    /// The plan for a headline; nil: unknown. Only the daemon knows the first frame of a bracket that finds its own
    /// range.
    func shown(_ own: Plan) -> Plan? { own.request.goal == nil ? own : request.map { Plan($0) } }

    /// The sentence `Checked against Sony ILCE-7M4.`; nil: no camera is connected.
    var checkedSentence: String? { checkedAgainst.map(PlanSentences.checked) }

    var estimateLine: String {
        PlanSentences.estimate(TimeText.text(.milliseconds(estimateMilliseconds)), basis: estimateBasis)
    }

    /// A ruler for each set. An empty line precedes each ruler.
    func rulers(sharing: Sharing, columns: Int) -> [String] {
        let speeds = sets.map { $0.compactMap { try? ShutterSpeed(parsing: $0) } }
        guard speeds.map(\.count) == sets.map(\.count) else {
            // The daemon can report speeds that this client does not know.
            return [""] + sets.enumerated().map { "Set \($0 + 1)  \($1.joined(separator: "  "))" }
        }
        return PlanText.rulers(speeds, sharing: sharing, columns: columns)
    }
}

extension PlanRequest {
    /// Converts the daemon's input of a plan to a request; nil: the input has unknown values.
    fileprivate init?(_ input: Bracketd.PlanInput) {
        if let goal = input.goal {
            guard let start = input.highlight.flatMap({ try? ShutterSpeed(parsing: $0) }),
                let spacing = input.spacing.flatMap(Spacing.init(ev:)),
                let goal = try? BracketGoal(
                    framesMax: goal.framesMax,
                    clipPercent: goal.clipPercent,
                    floorCode: goal.floorCode,
                    checksLight: goal.checkLight
                )
            else { return nil }
            self = PlanRequest(from: start, spacing: spacing, goal: goal)
            return
        }
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
