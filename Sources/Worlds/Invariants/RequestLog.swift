import Controller

/// The requests without a final answer, and their deadlines.
struct RequestLog: Sendable {
    private var open: [RequestID: Kind] = [:]
    /// The request with the earliest deadline, and that deadline.
    private(set) var due: (id: RequestID, time: Duration)?
    /// A request that the daemon did not answer at the last input, although the answer was due.
    private(set) var unanswered: RequestID?
    /// The number of open requests that end together with a shoot or a property change.
    private var followerCount = 0
    /// Requests to fire the last frame again that the daemon has not accepted yet.
    private var redos: [RequestID] = []

    enum Kind: Equatable, Sendable {
        /// The daemon must answer within the same input.
        case atOnce
        case by(Duration)
        /// The answer can wait for the ledger without a time limit.
        case whenever
        case stream
        /// The stream ends with its shoot. `firstBy`: the deadline of the first answer; nil: the first answer was sent.
        case shootStream(firstBy: Duration?)
        /// The request sets a property, and ends when the camera has the new value or the change has failed.
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

    /// The additional time of every limit, because a request can wait until the changed settings of a shoot are
    /// restored. The other limits are 60 s to connect, 180 s to set a property and 3 s to close a session.
    private static let slack = Duration.seconds(2) + SettingsModel.restoringLimitMax

    /// How long the answer to a request to fire can wait for the record of the shoot. The chart's timeout is 1 s.
    private static let recordingMax = Duration.seconds(2)
    /// How long a shoot waits for the opening of the ledger: the timeout of the chart.
    private static let openingMax = Duration.seconds(10)

    var isEmpty: Bool { open.isEmpty }

    var count: Int { open.count }

    /// A request that the daemon must still answer; nil: none.
    var waiting: RequestID? {
        open.filter { !$0.value.continues && $0.value != .whenever }.keys.min { $0.rawValue < $1.rawValue }
    }

    /// - Parameter isLedgerAwaited: Whether a request to fire, or to check, waits until the ledger is open.
    mutating func open(_ id: RequestID, _ request: Request, isLedgerAwaited: Bool, at now: Duration) {
        let recorded = now + Self.recordingMax + (isLedgerAwaited ? Self.openingMax : .zero)
        let kind: Kind
        switch request {
        case .watch, .watchPhotos, .watchCameras: kind = .stream
        case .shoot(_, streams: true, _), .retry(streams: true): kind = .shootStream(firstBy: recorded)
        case .shoot, .retry: kind = .by(recorded)
        case .resume where isLedgerAwaited, .preflight where isLedgerAwaited: kind = .by(recorded)
        case .follow(streams: true):
            kind = .shootStream(firstBy: nil)
            unanswered = id
        case .connect: kind = .by(now + ConnectModel.timeMax + Self.slack)
        case .setProperty: kind = .setter(by: now + PropertyModel.timeMax + Self.slack)
        case .files(let request):
            kind = .setter(by: now + PropertyRequest.Order.files(request).timeMax + Self.slack)
        case .snapshot(let size):
            kind = .setter(by: now + PropertyRequest.Order.liveView(size).timeMax + Self.slack)
        case .disconnect: kind = .by(now + .seconds(30) + Self.slack)
        case .arm: kind = .by(now + .seconds(30))
        case .inspect: kind = .by(now + .seconds(30))
        // The ledger is read before the first answer.
        case .retryShoot(_, streams: true, _), .extend(_, streams: true): kind = .stream
        case .readLedger, .retryShoot, .resumeShoot, .extend: kind = .whenever
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

    /// Notes an answer to a client.
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

    /// Removes an accepted request to fire the last frame again. Returns false if the request was for something else.
    mutating func takeRedo(_ id: RequestID) -> Bool {
        guard let index = redos.firstIndex(of: id) else { return false }
        redos.remove(at: index)
        return true
    }

    /// Finds a request that should be answered: a stream after the end of its shoot, or a property change that has
    /// ended.
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
        // The order does not matter for a minimum.
        for (id, kind) in open {
            guard let time = kind.deadline else { continue }
            if due.map({ (time, id.rawValue) < ($0.time, $0.id.rawValue) }) ?? true { due = (id, time) }
        }
    }
}
