import Exposure

/// The frames of a bracket that finds its own range, for the choice of the next one.
package struct MeteringOrder: Equatable, Sendable {
    package var shoot: Int
    package var goal: BracketGoal
    package var spacing: Spacing
    /// The speed of the first frame.
    package var start: ShutterSpeed
    /// The camera's speeds, at least one.
    package var available: [ShutterSpeed]
    /// The captured frames, in the order fired.
    package var frames: [Frame]

    package struct Frame: Equatable, Sendable {
        package var speed: ShutterSpeed
        /// The path of the frame's newest JPEG; nil: it is not stored.
        package var path: String?
        /// Whether the picture differs from the plan. Then it counts only as a fired frame.
        package var isSuspect = false
    }
}

/// The choice after a frame of a bracket that finds its own range.
package struct RangeUpdate: Equatable, Sendable {
    package var shoot: Int
    /// The number of frames on which the choice rests. A choice for another number of frames is outdated.
    package var frameCount: Int
    package var content: Content

    package enum Content: Equatable, Sendable {
        case frame(ShutterSpeed)
        case found(FoundRange)
        /// A picture cannot be read, for this reason.
        case unknown(String)
    }
}

/// The next frame of a bracket that finds its own range.
package struct ChosenFrame: Equatable, Sendable {
    package var speed: ShutterSpeed
}

/// The range that a bracket covers.
package struct FoundRange: Equatable, Sendable {
    /// The speeds of the smallest set that covers the range, fastest first.
    package var kept: [ShutterSpeed]
    package var warnings: [MeteringWarning]

    package init(kept: [ShutterSpeed], warnings: [MeteringWarning] = []) {
        self.kept = kept
        self.warnings = warnings
    }
}
