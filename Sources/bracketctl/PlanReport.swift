import Exposure
import Varlink

/// The daemon's answer to `Plan`: the plan as the camera will fire it.
struct PlanReport {
    let sets: [[String]]
    let totalExposures: Int
    let notes: [String]
    let warnings: [String]
    let estimate: Duration
    let estimateBasis: String
    let checkedAgainst: String?
    /// What names the plan on the daemon's camera; nil without one.
    let hash: String?
    /// What was asked for, when that could be read.
    let request: PlanRequest?
    /// The answer as it came.
    let json: JSONValue

    init(_ reply: JSONValue) throws(Failure) {
        let fields = try ReplyFields("plan", of: reply)
        sets = try fields.stringLists("sets")
        totalExposures = try fields.int("totalExposures")
        notes = try fields.strings("notes")
        warnings = try fields.strings("warnings")
        estimate = .milliseconds(try fields.int("estimateMilliseconds"))
        estimateBasis = try fields.string("estimateBasis")
        checkedAgainst = try fields.optionalString("checkedAgainst")
        hash = try fields.optionalString("hash")
        request = reply["plan"]?["input"].flatMap(PlanRequest.init)
        json = reply["plan"] ?? .emptyObject
    }

    /// The plan for people: a ruler per set, the estimate, what to know and what to be warned of.
    ///
    /// - Parameters:
    ///   - plan: what bracketctl itself makes of the same options; nil: only the daemon knows them.
    ///   - reason: the daemon's sentence about how things stand, told when no camera was there to ask.
    func text(_ plan: Plan?, uncheckedBecause reason: String) -> String {
        let rulers = rulers(sharing: plan?.request.sharing ?? .twice)
        var lines = plan.map { [PlanText.headline($0)] + rulers } ?? Array(rulers.drop(while: \.isEmpty))
        lines += ["", estimateLine]
        lines.append(checkedSentence ?? "Not checked against a camera: \(sentence(reason))")
        if !notes.isEmpty || !warnings.isEmpty { lines.append("") }
        lines += notes.map { "Note: " + sentence($0) }
        lines += warnings.map { "Warning: " + sentence($0) }
        return lines.joined(separator: "\n")
    }

    /// `Checked against Sony ILCE-7M4.`; nil when no camera could be asked.
    var checkedSentence: String? { checkedAgainst.map { "Checked against " + sentence($0) } }

    /// The time once, whether the basis is a whole sentence or only what the time is made of.
    private var estimateLine: String {
        if estimateBasis.hasPrefix("About ") { return sentence(estimateBasis) }
        return sentence("About \(TimeText.text(estimate))" + (estimateBasis.isEmpty ? "" : ": \(estimateBasis)"))
    }

    private func rulers(sharing: Sharing) -> [String] {
        let speeds = sets.map { $0.compactMap { try? ShutterSpeed(parsing: $0) } }
        guard speeds.map(\.count) == sets.map(\.count) else {
            // A daemon that knows more speeds than this client.
            return [""] + sets.enumerated().map { "Set \($0 + 1)  \($1.joined(separator: "  "))" }
        }
        return PlanText.rulers(speeds, sharing: sharing)
    }

    private func sentence(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }
}

extension PlanRequest {
    /// What the daemon says that it was asked for; nil when it has other words.
    fileprivate init?(_ input: JSONValue) {
        guard let shadow = input["shadow"]?.stringValue.flatMap({ try? ShutterSpeed(parsing: $0) }),
            let highlight = input["highlight"]?.stringValue.flatMap({ try? ShutterSpeed(parsing: $0) }),
            let frames = input["frames"]?.intValue, let biasThirds = input["biasThirds"]?.intValue,
            let spacing = input["spacing"]?.doubleValue.flatMap(Spacing.init(ev:)),
            let request = try? PlanRequest(
                shadow: shadow,
                highlight: highlight,
                framesPerSet: frames,
                spacing: spacing,
                sharing: input["shareOnce"]?.boolValue == true ? .once : .twice,
                biasThirds: biasThirds
            )
        else { return nil }
        self = request
    }
}
