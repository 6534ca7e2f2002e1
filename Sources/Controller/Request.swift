import Cameras

/// A client's request: a parsed call of a method of `io.bracketd`. The request is neither accepted nor refused yet.
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
    /// Report the progress of the shoot. With `streams`, also report each later step.
    case follow(streams: Bool)
    /// Fire the missing frames of the shoot with this number. Answered like `retry`.
    case retryShoot(Int, streams: Bool, drops: Bool = false)
    /// Fire the missing frames of the shoot with this number, or resume the paused shoot. Answered like `resume`.
    case resumeShoot(Int, drops: Bool = false)
    /// Fire frames with these speeds as an extension of a shoot. Answered like `retry`.
    case extend(ExtensionInput, streams: Bool)
    case dismiss
    case watch
    case getCamera
    /// Set a property of the camera. The name and the value are as the user wrote them.
    case setProperty(name: String, value: String)
    /// Report the pictures of the last shoot, and those outside of any shoot.
    case getPhotos
    /// Report the same pictures as `getPhotos`, and every later picture.
    case watchPhotos
    /// Report the answer of the ledger to this query.
    case readLedger(LedgerQuery)
    /// Fire the last frame once more.
    case redo
    /// Check whether the plan could be fired now.
    case preflight(PlanInput)
    /// Arm this plan for the button; nil: the configured plan.
    case arm(PlanInput?)
    /// Check the daemon, the machine and the network.
    case inspect
    /// Report the known and the announced cameras.
    case getCameras
    /// Report the list of `getCameras` now and after each change. The search for cameras runs while a client watches.
    case watchCameras
    /// Connect to this camera, even if another one is connected.
    case connect(ConnectTarget)
    /// List or transfer files on the camera's card.
    case files(CameraFileRequest)
    /// One picture of the camera's live view; nil: in its present size.
    case snapshot(LiveViewSize?)
    /// Close the session with the camera. The daemon then does not search until a user requests a camera.
    case disconnect
}

/// The camera to connect to.
package enum ConnectTarget: Codable, Hashable, Sendable {
    /// The name or the id of a camera in the list, or an address: `HOST` or `HOST:PORT`.
    case text(String)
    /// The most recently connected camera.
    case last
}

/// The extension of a shoot as the client wrote it.
package struct ExtensionInput: Codable, Hashable, Sendable {
    /// The number of the shoot; nil: the last one.
    package var shoot: Int?
    package var speeds: [String]
    /// The missing frames of the last shoot are dropped, if an older shoot is extended.
    package var drops = false

    package init(shoot: Int? = nil, speeds: [String], drops: Bool = false) {
        (self.shoot, self.speeds, self.drops) = (shoot, speeds, drops)
    }
}

/// The plan as the client wrote it. Nil is the default. The core parses the plan and may refuse it.
package struct PlanInput: Codable, Hashable, Sendable {
    package var shadow: String?
    package var highlight: String?
    package var frames: Int?
    package var spacing: Double?
    package var biasThirds: Int?
    package var shareOnce: Bool?
    package var strict: Bool?
    /// The ``PlanIdentity/hash`` of a plan that was shown. Without other parameters, the input means that plan.
    package var hash: String?
    /// The bracket finds its own range; nil: the two ends are given. The search begins at `highlight`, or at the
    /// camera's present speed.
    package var goal: GoalInput?

    package init(
        shadow: String? = nil,
        highlight: String? = nil,
        frames: Int? = nil,
        spacing: Double? = nil,
        biasThirds: Int? = nil,
        shareOnce: Bool? = nil,
        strict: Bool? = nil,
        hash: String? = nil,
        goal: GoalInput? = nil
    ) {
        self.shadow = shadow
        self.highlight = highlight
        self.frames = frames
        self.spacing = spacing
        self.biasThirds = biasThirds
        self.shareOnce = shareOnce
        self.strict = strict
        self.hash = hash
        self.goal = goal
    }

    /// Whether the input has no parameter that decides the frames.
    package var isBare: Bool {
        shadow == nil && highlight == nil && frames == nil && spacing == nil && biasThirds == nil && shareOnce == nil
            && goal == nil
    }
}

/// The goal of a bracket that finds its own range, as the client wrote it. Nil is the default.
package struct GoalInput: Codable, Hashable, Sendable {
    package var framesMax: Int?
    /// The share of the picture that may be white, in percent.
    package var clipPercent: Double?
    /// The code of luma that the shadows must reach.
    package var floorCode: Int?
    /// Whether the first frame is fired once more at the end.
    package var checksLight: Bool?

    package init(
        framesMax: Int? = nil,
        clipPercent: Double? = nil,
        floorCode: Int? = nil,
        checksLight: Bool? = nil
    ) {
        self.framesMax = framesMax
        self.clipPercent = clipPercent
        self.floorCode = floorCode
        self.checksLight = checksLight
    }
}
