/// What a client can ask of the daemon: the methods of `io.bracketd`, already parsed, not yet judged.
package enum Request: Codable, Equatable, Sendable {
    case getStatus
    case plan(PlanInput)
    /// `streams`: the client wants a reply per step. `drops`: the frames that an earlier shoot lacks are dropped.
    case shoot(PlanInput, streams: Bool, drops: Bool = false)
    /// `withRedo`: the frame in work is fired again when it goes on.
    case pause(withRedo: Bool = false)
    case resume
    case cancel
    case retry(streams: Bool)
    /// Where the shoot stands, and with `streams` each step from now on.
    case follow(streams: Bool)
    /// Fire what the shoot of this number lacks; answered as `retry`.
    case retryShoot(Int, streams: Bool, drops: Bool = false)
    /// Fire what the shoot of this number lacks, or go on with it after a pause; answered as `resume`.
    case resumeShoot(Int, drops: Bool = false)
    case dismiss
    case watch
    case getCamera
    /// Set a property of the camera, both as people write them.
    case setProperty(name: String, value: String)
    /// The pictures of the last shoot, and those that came outside of one.
    case getPhotos
    /// The same, and every one that follows.
    case watchPhotos
    /// What the ledger holds.
    case readLedger(LedgerQuery)
    /// Fire the last frame once more.
    case redo
    /// Whether the plan could be fired now.
    case preflight(PlanInput)
    /// The button is to fire this plan; nil: what the configuration says.
    case arm(PlanInput?)
    /// What is wrong with the daemon, and with what it runs on.
    case inspect
    /// The cameras that are known, and those that are there now.
    case getCameras
    /// The same, and again whenever something of it changes. Cameras are looked for all the while.
    case watchCameras
    /// Connect to this camera, whatever the present one is.
    case connect(ConnectTarget)
    /// Let go of the camera in order, and look for none until somebody says so.
    case disconnect
}

/// Which camera is meant.
package enum ConnectTarget: Codable, Hashable, Sendable {
    /// A camera of the list, by its name or its id; or an address, `HOST` or `HOST:PORT`.
    case text(String)
    /// The one that was connected last.
    case last
}

/// The plan as the client wrote it; nil is the default. The core parses and refuses.
package struct PlanInput: Codable, Hashable, Sendable {
    package var shadow: String?
    package var highlight: String?
    package var frames: Int?
    package var spacing: Double?
    package var biasThirds: Int?
    package var shareOnce: Bool?
    package var strict: Bool?
    /// The plan that is meant, by its ``PlanIdentity/hash``. Without any of the rest: as it was when it was shown.
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

    /// Whether it says nothing of the frames.
    package var isBare: Bool {
        shadow == nil && highlight == nil && frames == nil && spacing == nil && biasThirds == nil && shareOnce == nil
    }
}
