/// A photographer's request: the two ends of the light range, the number of frames per set, and their spacing.
package struct PlanRequest: Codable, Hashable, Sendable {
    /// The speed that exposes the shadows well.
    package let shadow: ShutterSpeed
    /// The speed that exposes the highlights well.
    package let highlight: ShutterSpeed
    /// The number of frames in a set: 3, 5, 7 or 9.
    package let framesPerSet: Int
    package let spacing: Spacing
    package let sharing: Sharing
    /// The thirds of a stop by which every planned frame is moved; positive is brighter.
    package let biasThirds: Int
    /// The goal of a bracket that finds its own range. It begins with one frame, at the speed of both ends. nil: the
    /// range is given.
    package private(set) var goal: BracketGoal?

    /// The speed 1/4.
    package static let defaultShadow = ShutterSpeed(onScale: 33)
    /// The speed 1/1000.
    package static let defaultHighlight = ShutterSpeed(onScale: 9)
    package static let defaultFramesPerSet = 5
    package static let framesPerSetChoices = [3, 5, 7, 9]
    /// The largest bias in either direction: 5 EV, the range of exposure compensation dials.
    package static let biasThirdsMax = 15
    static let biasThirdsRange = -biasThirdsMax...biasThirdsMax

    /// The request with all defaults.
    package static let usual = PlanRequest(
        checkedShadow: defaultShadow,
        highlight: defaultHighlight,
        framesPerSet: defaultFramesPerSet,
        spacing: .one,
        sharing: .twice,
        biasThirds: 0
    )

    /// A request with these defaults: 1/4 to 1/1000, 5 frames, 1 EV, shared frames fired twice, no bias.
    package init(
        shadow: ShutterSpeed = PlanRequest.defaultShadow,
        highlight: ShutterSpeed = PlanRequest.defaultHighlight,
        framesPerSet: Int = PlanRequest.defaultFramesPerSet,
        spacing: Spacing = .one,
        sharing: Sharing = .twice,
        biasThirds: Int = 0
    ) throws(PlanError) {
        guard PlanRequest.framesPerSetChoices.contains(framesPerSet) else { throw .framesPerSet(framesPerSet) }
        guard PlanRequest.biasThirdsRange.contains(biasThirds) else { throw .biasThirds(biasThirds) }
        self.init(
            checkedShadow: shadow,
            highlight: highlight,
            framesPerSet: framesPerSet,
            spacing: spacing,
            sharing: sharing,
            biasThirds: biasThirds
        )
    }

    private init(
        checkedShadow shadow: ShutterSpeed,
        highlight: ShutterSpeed,
        framesPerSet: Int,
        spacing: Spacing,
        sharing: Sharing,
        biasThirds: Int
    ) {
        self.shadow = shadow
        self.highlight = highlight
        self.framesPerSet = framesPerSet
        self.spacing = spacing
        self.sharing = sharing
        self.biasThirds = biasThirds
    }

    /// A bracket that finds its own range, one frame after the other, from this speed on.
    package init(from start: ShutterSpeed, spacing: Spacing, goal: BracketGoal) {
        self.init(
            checkedShadow: start,
            highlight: start,
            framesPerSet: PlanRequest.defaultFramesPerSet,
            spacing: spacing,
            sharing: .twice,
            biasThirds: 0
        )
        self.goal = goal
    }

    func with(framesPerSet: Int, spacing: Spacing) -> PlanRequest {
        precondition(PlanRequest.framesPerSetChoices.contains(framesPerSet), "a set has 3, 5, 7 or 9 frames")
        return PlanRequest(
            checkedShadow: shadow,
            highlight: highlight,
            framesPerSet: framesPerSet,
            spacing: spacing,
            sharing: sharing,
            biasThirds: biasThirds
        )
    }
}

extension PlanRequest {
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            shadow: fields.decode(ShutterSpeed.self, forKey: .shadow),
            highlight: fields.decode(ShutterSpeed.self, forKey: .highlight),
            framesPerSet: fields.decode(Int.self, forKey: .framesPerSet),
            spacing: fields.decode(Spacing.self, forKey: .spacing),
            sharing: fields.decode(Sharing.self, forKey: .sharing),
            biasThirds: fields.decode(Int.self, forKey: .biasThirds)
        )
        goal = try fields.decodeIfPresent(BracketGoal.self, forKey: .goal)
    }
}
