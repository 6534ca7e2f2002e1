import ArgumentParser
import Exposure
import Interface
import Varlink

struct PlanOptions: ParsableArguments {
    @Option(plan: "The speed that exposes the shadows well. (default: 1/4)", "speed", ValueCompletion.speeds)
    var shadow: String?

    @Option(plan: "The speed that exposes the highlights well. (default: 1/1000)", "speed", ValueCompletion.speeds)
    var highlight: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "The speeds of the shadows and of the highlights, as bracketctl meter shows them. Replaces the two above.",
            valueName: "speed"
        )
    )
    var metered: [String] = []

    @Option(plan: "Frames per set: 3, 5, 7 or 9. (default: 5)", "count", ValueCompletion.framesPerSet)
    var frames: String?

    @Option(plan: "EV between frames: 1, 1.5 or 2. (default: 1)", "ev", ValueCompletion.spacings)
    var spacing: String?

    @Option(plan: "Moves every frame by thirds of a stop: +1/3, -2/3, 1. (default: 0)", "ev", ValueCompletion.biases)
    var bias: String?

    @Option(
        help: ArgumentHelp(
            "Fires the frame that two sets share once or twice. (default: twice)",
            valueName: "once|twice"
        ),
        completion: ValueCompletion.sharing
    )
    var share: String?

    @Flag(help: "Refuse a plan that the camera would change.")
    var strict = false

    @OptionGroup(title: "Brackets that find their own range") var automatic: AutomaticOptions

    var isAnyGiven: Bool {
        strict || automatic.isAnyGiven || !metered.isEmpty
            || [shadow, highlight, frames, spacing, bias, share].contains { $0 != nil }
    }

    func request() throws(Failure) -> PlanRequest {
        let range = try meteredRange()
        let shadow = try parsed(shadow, "--shadow", ShutterSpeed.init(parsing:))
        let highlight = try parsed(highlight, "--highlight", ShutterSpeed.init(parsing:))
        let frames = try parsed(frames, "--frames", PlanOptions.framesPerSet)
        let spacing = try parsed(spacing, "--spacing", Spacing.init(parsing:))
        let bias = try parsed(bias, "--bias", PlanRequest.biasThirds(parsing:))
        let sharing = try parsed(share, "--share", PlanOptions.sharing)
        if let goal = try automatic.goal() {
            try refuseRange()
            return PlanRequest(from: PlanRequest.defaultHighlight, spacing: spacing ?? .one, goal: goal)
        }
        do throws(PlanError) {
            return try PlanRequest(
                shadow: range?.shadow ?? shadow ?? PlanRequest.defaultShadow,
                highlight: range?.highlight ?? highlight ?? PlanRequest.defaultHighlight,
                framesPerSet: frames ?? PlanRequest.defaultFramesPerSet,
                spacing: spacing ?? .one,
                sharing: sharing ?? .twice,
                biasThirds: bias ?? 0
            )
        } catch {
            // All other options were checked before this point.
            throw Failure.usage(PlanSentences.invalidOption("--frames", error.sentence))
        }
    }

    /// The ends of the plan for the metered speeds; nil: none are given.
    private func meteredRange() throws(Failure) -> MeteredRange? {
        guard !metered.isEmpty else { return nil }
        for (option, value) in [("--shadow", shadow), ("--highlight", highlight)] where value != nil {
            throw Failure.usage(UsageSentences.exclusive("--metered", option))
        }
        // A line of a plan's file has both speeds in one word.
        let texts = metered.flatMap { $0.split(separator: " ") }
        guard texts.count == 2, let shadow = try parsed(String(texts[0]), "--metered", ShutterSpeed.init(parsing:)),
            let highlight = try parsed(String(texts[1]), "--metered", ShutterSpeed.init(parsing:))
        else { throw Failure.usage(MeterSentences.metersTwoSpeeds) }
        return MeteredRange(shadow: shadow, highlight: highlight)
    }

    /// Refuses the options of a given range.
    private func refuseRange() throws(Failure) {
        let others = [
            ("--shadow", shadow), ("--highlight", highlight), ("--metered", metered.first), ("--frames", frames),
            ("--bias", bias), ("--share", share),
        ]
        for (option, value) in others where value != nil {
            throw Failure.usage(UsageSentences.exclusive("--auto", option))
        }
    }

    /// The options for the daemon. An option that the user did not give is left out, so that the daemon's default
    /// applies.
    func input() throws(Failure) -> Bracketd.PlanInput {
        let request = try request()
        return Bracketd.PlanInput(
            shadow: shadow == nil && metered.isEmpty ? nil : request.shadow.label,
            highlight: highlight == nil && metered.isEmpty ? nil : request.highlight.label,
            frames: frames.map { _ in request.framesPerSet },
            spacing: spacing.map { _ in request.spacing.ev },
            biasThirds: bias.map { _ in request.biasThirds },
            shareOnce: share.map { _ in request.sharing == .once },
            strict: strict ? true : nil,
            goal: request.goal.map { _ in automatic.input }
        )
    }

    private func parsed<Value, Refusal: Error & CustomStringConvertible>(
        _ text: String?,
        _ option: String,
        _ parse: (String) throws(Refusal) -> Value
    ) throws(Failure) -> Value? {
        guard let text else { return nil }
        do throws(Refusal) {
            return try parse(text)
        } catch {
            throw Failure.usage(PlanSentences.invalidOption(option, error.description))
        }
    }

    /// An invalid value of an option for which `Exposure` has no message.
    private struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    private static func framesPerSet(_ text: String) throws(Refusal) -> Int {
        guard let count = Int(text) else {
            throw Refusal(description: PlanSentences.invalidFrames(text.prefix(40)))
        }
        return count
    }

    private static func sharing(_ text: String) throws(Refusal) -> Sharing {
        switch text {
        case "once": return .once
        case "twice": return .twice
        default: throw Refusal(description: PlanSentences.invalidSharing(text.prefix(40)))
        }
    }
}

extension Option where Value == String? {
    /// An option of a plan. Its value can begin with a minus sign.
    fileprivate init(plan help: String, _ valueName: String, _ completion: CompletionKind) {
        self.init(parsing: .unconditional, help: ArgumentHelp(help, valueName: valueName), completion: completion)
    }
}
