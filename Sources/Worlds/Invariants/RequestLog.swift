import Controller

/// The requests without a final answer, and their deadlines.
struct RequestLog: Sendable {
    private var open: [RequestID: Kind] = [:]
    /// The request with the earliest deadline, and that deadline.
    private(set) var due: (id: RequestID, time: Duration)?
    /// A request that the last input should have answered.
    private(set) var unanswered: RequestID?
    /// How many of them end with the object that they follow.
    private var followerCount = 0
    /// Requests to fire the last frame again, until they are accepted.
    private var redos: [RequestID] = []

    enum Kind: Equatable, Sendable {
        /// Answered by the same input.
        case atOnce
        case by(Duration)
        /// As late as the disk.
        case whenever
        case stream
        /// Ends with the shoot. nil: it had its first answer.
        case shootStream(firstBy: Duration?)
        /// Ends when its property is set, or is not set any more.
        case setter(by: Duration)

        var continues: Bool { self == .stream || isShootStream }

        var isShootStream: Bool { if case .shootStream = self { true } else { false } }

        var isSetter: Bool { if case .setter = self { true } else { false } }

        var deadline: Duration? {
            switch self {
            case .by(let time), .setter(let time): time
            case .shootStream(let time): time
            case .atOnce, .whenever, .stream: nil
            }
        }
    }

    /// The limits: 60 s to connect a camera, 180 s to show a property, and 3 s to close each session in order. All may
    /// wait for the settings that a shoot changed.
    private static let slack = Duration.seconds(2) + SettingsModel.restoringLimitMax

    /// A shoot is on disk before its request is answered, unless the disk takes longer than the timeout of the chart: 1
    /// s.
    private static let recordingMax = Duration.seconds(2)
    /// How long a shoot waits for a ledger that is being opened: the chart's timeout.
    private static let openingMax = Duration.seconds(10)

    var isEmpty: Bool { open.isEmpty }

    var count: Int { open.count }

    /// A request whose answer is required; nil: none.
    var waiting: RequestID? {
        open.filter { !$0.value.continues && $0.value != .whenever }.keys.min { $0.rawValue < $1.rawValue }
    }

    /// - Parameter isLedgerAwaited: Whether a request to fire waits until the ledger is open.
    mutating func open(_ id: RequestID, _ request: Request, isLedgerAwaited: Bool, at now: Duration) {
        let recorded = now + Self.recordingMax + (isLedgerAwaited ? Self.openingMax : .zero)
        let kind: Kind
        switch request {
        case .watch, .watchPhotos, .watchCameras: kind = .stream
        case .shoot(_, streams: true, _), .retry(streams: true): kind = .shootStream(firstBy: recorded)
        case .shoot, .retry: kind = .by(recorded)
        case .resume where isLedgerAwaited: kind = .by(recorded)
        case .follow(streams: true):
            kind = .shootStream(firstBy: nil)
            unanswered = id
        case .connect: kind = .by(now + ConnectModel.timeMax + Self.slack)
        case .setProperty: kind = .setter(by: now + PropertyModel.timeMax + Self.slack)
        case .disconnect: kind = .by(now + .seconds(30) + Self.slack)
        case .arm: kind = .by(now + .seconds(30))
        case .inspect: kind = .by(now + .seconds(30))
        case .readLedger, .retryShoot, .resumeShoot: kind = .whenever
        case .redo, .pause(withRedo: true):
            redos.append(id)
            kind = .atOnce
        case .getStatus, .plan, .pause, .resume, .cancel, .dismiss, .getCamera, .getPhotos, .preflight,
            .getCameras, .follow:
            kind = .atOnce
        }
        open[id] = kind
        if kind.isShootStream || kind.isSetter { followerCount += 1 }
        if kind == .atOnce { unanswered = id }
        if kind.deadline != nil { findDue() }
    }

    mutating func cancel(_ id: RequestID) { close(id) }

    /// An answer is sent to a client.
    ///
    /// - Returns: whether the client waits for such an answer.
    mutating func answer(_ id: RequestID, continues: Bool) -> Bool {
        guard let kind = open[id], !continues || kind.continues else { return false }
        if unanswered == id { unanswered = nil }
        if !continues {
            close(id)
        } else if kind.isShootStream, kind.deadline != nil {
            open[id] = .shootStream(firstBy: nil)
            findDue()
        }
        return true
    }

    /// Whether this accepted request asked for the last frame again.
    mutating func takeRedo(_ id: RequestID) -> Bool {
        guard let index = redos.firstIndex(of: id) else { return false }
        redos.remove(at: index)
        return true
    }

    /// Without a running shoot, its streams have ended. Without a property in progress, its client was answered.
    mutating func owe(isShootOver: Bool, isPropertyFree: Bool) {
        guard followerCount > 0, unanswered == nil else { return }
        let owed = open.filter { isShootOver && $0.value.isShootStream || isPropertyFree && $0.value.isSetter }
        unanswered = owed.keys.min { $0.rawValue < $1.rawValue }
    }

    private mutating func close(_ id: RequestID) {
        guard let kind = open.removeValue(forKey: id) else { return }
        if unanswered == id { unanswered = nil }
        if kind.isShootStream || kind.isSetter { followerCount -= 1 }
        if due?.id == id { findDue() }
    }

    private mutating func findDue() {
        due = nil
        // In any order: the minimum is the same.
        for (id, kind) in open {
            guard let time = kind.deadline else { continue }
            if due.map({ (time, id.rawValue) < ($0.time, $0.id.rawValue) }) ?? true { due = (id, time) }
        }
    }
}
