/// What a client can ask of the daemon: the methods of `io.bracketd`, already parsed, not yet judged.
package enum Request: Equatable, Sendable {
    case getStatus
    case plan(PlanInput)
    /// `streams`: the client wants a reply per step.
    case shoot(PlanInput, streams: Bool)
    case pause
    case resume
    case cancel
    case retry(streams: Bool)
    case dismiss
    case watch
    case getCamera
}

/// The plan as the client wrote it; nil is the default. The core parses and refuses.
package struct PlanInput: Hashable, Sendable {
    package var shadow: String?
    package var highlight: String?
    package var frames: Int?
    package var spacing: Double?
    package var biasThirds: Int?
    package var shareOnce: Bool?
    package var strict: Bool?

    package init(
        shadow: String? = nil,
        highlight: String? = nil,
        frames: Int? = nil,
        spacing: Double? = nil,
        biasThirds: Int? = nil,
        shareOnce: Bool? = nil,
        strict: Bool? = nil
    ) {
        self.shadow = shadow
        self.highlight = highlight
        self.frames = frames
        self.spacing = spacing
        self.biasThirds = biasThirds
        self.shareOnce = shareOnce
        self.strict = strict
    }
}
