/// A frame whose shutter was released, as a maker's part knows it.
protocol ReleasedFrame: Sendable {
    /// The ticket of the `.capture` command.
    var ticket: Ticket { get }
    /// The id of the body that received the command.
    var bodyID: String? { get }
    /// The picture of this frame brings the shot counter below this value; nil: not known.
    var shotsLeftBefore: Int? { get }
    var isCaptured: Bool { get }
    /// Whether the driver expects no more signs of the picture.
    var isOver: Bool { get }
}

/// How far the picture of a frame is known.
enum FrameStage: Hashable, Sendable {
    case exposing
    case captured(at: Duration)
    /// The body has completed the frame, or the driver expects no more signs of the picture.
    case over(wasCaptured: Bool)
}

/// A frame with a stage, on a body that counts the pictures that still fit.
protocol StagedFrame: ReleasedFrame {
    var stage: FrameStage { get set }
    /// The time at which the counter showed a decrease.
    var countedAt: Duration? { get }
    /// The latest end of the frame.
    var latestEnd: Duration { get }
}

extension StagedFrame {
    var isCaptured: Bool {
        switch stage {
        case .exposing: false
        case .captured: true
        case .over(let wasCaptured): wasCaptured
        }
    }

    var isOver: Bool {
        if case .over = stage { true } else { false }
    }

    /// The value below which the next picture brings the counter. The counter can lag behind this frame's picture.
    func shotsLeftForNext(shown left: Int) -> Int {
        guard isCaptured, countedAt == nil, let before = shotsLeftBefore, left <= before else { return left }
        return min(left, before - 1)
    }

    /// Whether the counter can still decrease for this frame, although no picture is known.
    ///
    /// - Parameter time: how long the body can store a picture.
    func mayBeCounted(on bodyID: String?, storing time: Duration, at now: Duration) -> Bool {
        isOver && !isCaptured && countedAt == nil && self.bodyID == bodyID && now < latestEnd + time
    }
}

extension LastFrame where Frame: StagedFrame {
    /// Notes whether the last frame was fired.
    mutating func resolve(_ resolution: CaptureResolution) {
        update { $0.stage = .over(wasCaptured: resolution == .fired) }
        if resolution == .notFired, frame != nil { self = .notPressed(previous: beforeLast) }
    }
}

/// The driver's data of the last frame. They outlive the session, to resolve a frame in doubt after a reconnect.
enum LastFrame<Frame: ReleasedFrame>: Sendable {
    /// The driver is new and does not know earlier frames.
    case unknown
    /// A capture command arrived, and the shutter was not released yet.
    case notPressed(previous: Frame?)
    case pressed(Frame, previous: Frame?)

    /// The frame of the last release, until the next capture command arrives.
    var frame: Frame? {
        if case .pressed(let frame, _) = self { frame } else { nil }
    }

    /// The frame before the present one; the last frame if no frame is in progress.
    var previous: Frame? {
        switch self {
        case .unknown: nil
        case .notPressed(let previous): previous
        case .pressed(let frame, let previous): frame.isOver || frame.isCaptured ? frame : previous
        }
    }

    /// The frame of the last release, also after the next capture command arrived.
    var lastPressed: Frame? {
        switch self {
        case .unknown: nil
        case .notPressed(let previous): previous
        case .pressed(let frame, _): frame
        }
    }

    /// The frame of the release before the last one.
    var beforeLast: Frame? {
        if case .pressed(_, let previous) = self { previous } else { nil }
    }

    /// The frames to which a new file can belong, the older one first.
    var candidates: [Frame] {
        switch self {
        case .unknown, .notPressed(nil): []
        case .notPressed(let previous?): [previous]
        case .pressed(let frame, let previous): [previous, frame].compactMap { $0 }
        }
    }

    /// Whether the shutter was released and the driver knows nothing of the picture yet.
    var isOpen: Bool { frame.map { !$0.isOver && !$0.isCaptured } ?? false }

    /// Whether the driver still expects signs of the last frame.
    var isInWork: Bool { frame.map { !$0.isOver } ?? false }

    /// The shot counter of a body before the last frame: from the driver, or from the core's record if the driver does
    /// not know the frame. nil: not known, or another body received the frame.
    func shotsLeftBefore(recorded: Int?, bodyID: String?) -> Int? {
        guard let frame else { return recorded }
        return frame.bodyID == bodyID ? frame.shotsLeftBefore : nil
    }

    /// Notes a capture command. In a session, a frame that is still open continues.
    mutating func order(isConnected: Bool) {
        if isConnected, isOpen { return }
        self = .notPressed(previous: previous)
    }

    /// Changes the frame of the last release, until the next capture command arrives.
    mutating func update(_ change: (inout Frame) -> Void) {
        guard case .pressed(var frame, let previous) = self else { return }
        change(&frame)
        self = .pressed(frame, previous: previous)
    }

    /// Changes the frame of this capture command, if it is one of the last two.
    mutating func update(of ticket: Ticket, _ change: (inout Frame) -> Void) {
        switch self {
        case .notPressed(var previous?) where previous.ticket == ticket:
            change(&previous)
            self = .notPressed(previous: previous)
        case .pressed(var frame, let previous) where frame.ticket == ticket:
            change(&frame)
            self = .pressed(frame, previous: previous)
        case .pressed(let frame, var previous?) where previous.ticket == ticket:
            change(&previous)
            self = .pressed(frame, previous: previous)
        case .unknown, .notPressed, .pressed: break
        }
    }
}
