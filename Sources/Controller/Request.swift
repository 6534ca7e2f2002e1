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
    /// Set a property of the camera, both as people write them.
    case setProperty(name: String, value: String)
    /// The pictures of the last shoot, and those that came outside of one.
    case getPhotos
    /// The same, and every one that follows.
    case watchPhotos
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
