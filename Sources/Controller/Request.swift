/// A client's request: the methods of `io.bracketd`, parsed, and neither accepted nor refused yet.
package enum Request: Codable, Equatable, Sendable {
    case getStatus
    case plan(PlanInput)
    /// `streams`: the client wants a reply for each step. `drops`: the missing frames of an earlier shoot are dropped.
    case shoot(PlanInput, streams: Bool, drops: Bool = false)
    /// `withRedo`: the current frame is fired again when the shoot continues.
    case pause(withRedo: Bool = false)
    case resume
    case cancel
    case retry(streams: Bool)
    /// Where the shoot is now; with `streams`, also each later step.
    case follow(streams: Bool)
    /// Fire the missing frames of this shoot; answered as `retry`.
    case retryShoot(Int, streams: Bool, drops: Bool = false)
    /// Fire the missing frames of this shoot, or continue it after a pause; answered as `resume`.
    case resumeShoot(Int, drops: Bool = false)
    case dismiss
    case watch
    case getCamera
    /// Set a property of the camera; name and value are as the user writes them.
    case setProperty(name: String, value: String)
    /// The pictures of the last shoot, and those outside of any shoot.
    case getPhotos
    /// The same, and every later picture.
    case watchPhotos
    /// The client reads the ledger.
    case readLedger(LedgerQuery)
    /// Fire the last frame once more.
    case redo
    /// Whether the plan could be fired now.
    case preflight(PlanInput)
    /// Arm this plan for the button; nil: the configured one.
    case arm(PlanInput?)
    /// Check the daemon, the machine and the network.
    case inspect
    /// The known and the announced cameras.
    case getCameras
    /// The same, and again after each change. The search for cameras runs for this time.
    case watchCameras
    /// Connect to this camera, whatever the present one is.
    case connect(ConnectTarget)
    /// Disconnect the camera in order, and search for none until a user requests one.
    case disconnect
}

/// The camera to connect to.
package enum ConnectTarget: Codable, Hashable, Sendable {
    /// A camera of the list, by its name or its id; or an address, `HOST` or `HOST:PORT`.
    case text(String)
    /// The camera that was connected last.
    case last
}

/// The plan as the client wrote it; nil is the default. The core parses it, and may refuse it.
package struct PlanInput: Codable, Hashable, Sendable {
    package var shadow: String?
    package var highlight: String?
    package var frames: Int?
    package var spacing: Double?
    package var biasThirds: Int?
    package var shareOnce: Bool?
    package var strict: Bool?
    /// The ``PlanIdentity/hash`` of a plan that was shown. Alone it means that plan as it was shown.
    package var hash: String?

    package init(
        shadow: String? = nil,
        highlight: String? = nil,
        frames: Int? = nil,
        spacing: Double? = nil,
        biasThirds: Int? = nil,
        shareOnce: Bool? = nil,
        strict: Bool? = nil,
        hash: String? = nil
    ) {
        self.shadow = shadow
        self.highlight = highlight
        self.frames = frames
        self.spacing = spacing
        self.biasThirds = biasThirds
        self.shareOnce = shareOnce
        self.strict = strict
        self.hash = hash
    }

    /// Whether it has no parameter of the frames.
    package var isBare: Bool {
        shadow == nil && highlight == nil && frames == nil && spacing == nil && biasThirds == nil && shareOnce == nil
    }
}
