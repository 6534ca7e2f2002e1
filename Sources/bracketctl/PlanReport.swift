import Exposure
import Interface
import Varlink

/// The daemon's answer to `Plan`: the plan as the camera will fire it. Or a plan made without a daemon.
struct PlanReport {
    let sets: [[String]]
    let totalExposures: Int
    let notes: [String]
    let warnings: [String]
    let estimate: Duration
    let estimateBasis: String
    let checkedAgainst: String?
    /// The hash that identifies the plan on the daemon's camera; nil without a camera.
    let hash: String?
    /// The request, if it could be read.
    let request: PlanRequest?
    /// The cost of other choices of frames and spacing; nil if unknown.
    let comparison: Comparison?
    /// As `--json` prints it.
    let json: JSONValue

    init(_ plan: Bracketd.PlanDescription) {
        sets = plan.sets
        totalExposures = plan.totalExposures
        notes = plan.notes
        warnings = plan.warnings
        estimate = .milliseconds(plan.estimateMilliseconds)
        estimateBasis = plan.estimateBasis
        checkedAgainst = plan.checkedAgainst
        hash = plan.hash
        let request = plan.input.flatMap(PlanRequest.init)
        self.request = request
        comparison = request.flatMap { request in plan.comparison.flatMap { Comparison(request, $0) } }
        json = PrintedJSON.plan(plan.json)
    }

    init(_ plan: Plan, strict: Bool) {
        let estimate = Estimate(plan)
        sets = plan.sets.map { $0.map(\.label) }
        totalExposures = plan.totalExposures
        notes = plan.notes.map(\.sentence)
        warnings = []
        self.estimate = estimate.shortest
        estimateBasis = estimate.basis
        request = plan.request
        checkedAgainst = nil
        hash = nil
        comparison = nil
        json = PrintedJSON.plan([
            "rangeEV": .double(plan.rangeEV),
            "sets": .array(sets.map { .strings($0) }),
            "totalExposures": .int(totalExposures),
            "exposures": .array(plan.frames.map(PlanReport.exposure)),
            "notes": .strings(notes),
            "warnings": [],
            "estimateMilliseconds": .int(estimate.shortest.milliseconds),
            "estimateBasis": .string(estimateBasis),
            "input": PlanReport.input(plan.request).adding("strict", .bool(strict)),
        ])
    }

    private static func exposure(_ frame: PlannedFrame) -> JSONValue {
        [
            "set": .int(frame.position.set),
            "frame": .int(frame.position.frame),
            "speed": .string(frame.speed.label),
        ]
    }

    private static func input(_ request: PlanRequest) -> JSONValue {
        [
            "shadow": .string(request.shadow.label),
            "highlight": .string(request.highlight.label),
            "frames": .int(request.framesPerSet),
            "spacing": .double(request.spacing.ev),
            "biasThirds": .int(request.biasThirds),
            "shareOnce": .bool(request.sharing == .once),
        ]
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
        notes.map { "Note: " + PlanReport.sentence($0) } + warnings.map { "Warning: " + PlanReport.sentence($0) }
    }

    /// What the plan is based on.
    ///
    /// - Parameter reason: the daemon's sentence about its state, for a plan without a camera.
    func basis(uncheckedBecause reason: String) -> String { checkedSentence ?? PlanReport.unchecked(because: reason) }

    /// `Checked against Sony ILCE-7M4.`; nil without a camera.
    var checkedSentence: String? { checkedAgainst.map { "Checked against " + PlanReport.sentence($0) } }

    static func unchecked(because reason: String) -> String {
        "Not checked against a camera: \(sentence(reason))"
    }

    var estimateLine: String {
        PlanReport.sentence("About \(TimeText.text(estimate))" + (estimateBasis.isEmpty ? "" : ": \(estimateBasis)"))
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

    private static func sentence(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }
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
