import Cameras
import Exposure
import NIOCore
import PTP

extension PTPIPMakerRow {
    static let heron = PTPIPMakerRow("Heron") { HeronMaker(common: $0) }
}

/// The part of the driver `PTPIP` for Heron's bodies.
struct HeronMaker: PTPIPMaker {
    enum Task: Hashable, Sendable {
        case remote(Bool)
        case state
        case speed(ShutterSpeed)
        case shoot
        case files
        case info(UInt32)
        case object(UInt32)
    }

    enum Activity: Sendable {
        case idle
        case setting(Ticket, ShutterSpeed, isProperty: Bool, since: Duration, sentAt: Duration?)
        case readingSpeed(Ticket, since: Duration)
        case capturing(Ticket, ShutterSpeed, since: Duration, isPressed: Bool, isCaptured: Bool)
        case awaitingIdle(Ticket, since: Duration)
        case resolving(Ticket, shotsLeftBefore: Int?, since: Duration)
    }

    /// The state of the frame that was commanded last.
    enum Frame: Sendable {
        case unknown
        case notPressed
        case pressed(Ticket, at: Duration, exposure: Duration, shotsLeft: Int, bodyID: String?)
    }

    struct Reading: Sendable {
        var state: HeronState
        var at: Duration
        var requestedAt: Duration
    }

    var common: PTPIPCommon
    var knowledge: (any Sendable)?
    var isRemote = false
    var isLeft = false
    var task: Task?
    var activity = Activity.idle
    var reading: Reading?
    var reported: CameraStatus?
    var questions: [Ticket] = []
    var frame = Frame.unknown
    /// The files to fetch, each with its frame.
    var waiting: [(handle: UInt32, capture: Ticket?)] = []
    var retryAt = Duration.zero
    /// The handle of a file that was described and is fetched next.
    var fetchNext: UInt32?

    static let poll = Duration.milliseconds(100)
    static let gate = Duration.seconds(10)
    /// The time after the end of an exposure at which the driver stops waiting for the picture.
    static let noPicture = Duration.seconds(12)
    private static let questionsMax = 16

    var isQuiet: Bool { if case .idle = activity { questions.isEmpty } else { false } }
    var overflow: (list: String, count: Int, limit: Int)? {
        questions.count > Self.questionsMax ? ("questions", questions.count, Self.questionsMax) : nil
    }

    init(common: PTPIPCommon) { self.common = common }

    // MARK: The session

    mutating func identify(in turn: inout DriverTurn) { isRemote = false }

    mutating func close() { activity = .idle }

    mutating func forgetSession() {
        (task, reading, reported, activity) = (nil, nil, nil, .idle)
        (isRemote, isLeft, questions, waiting, fetchNext) = (false, false, [], [], nil)
    }

    mutating func interrupt(in turn: inout DriverTurn) {
        if common.pictures.interrupt(in: &turn), !waiting.isEmpty { waiting.removeFirst() }
    }

    mutating func takePictureRequest(in turn: inout DriverTurn) {
        if common.pictures.request.policy == .none { waiting.removeAll() }
    }

    mutating func begin(_ command: CameraCommand, _ ticket: Ticket, in turn: inout DriverTurn) {
        if case .capture = command { frame = .notPressed }
        guard common.isConnected else { return }
        switch command {
        case .readStatus: questions.append(ticket)
        case .setSpeed(let speed): activity = .setting(ticket, speed, isProperty: false, since: turn.now, sentAt: nil)
        case .readSpeed: activity = .readingSpeed(ticket, since: turn.now)
        case .capture(let speed):
            activity = .capturing(ticket, speed, since: turn.now, isPressed: false, isCaptured: false)
        case .awaitIdle: activity = .awaitingIdle(ticket, since: turn.now)
        case .resolveCapture(let before): activity = .resolving(ticket, shotsLeftBefore: before, since: turn.now)
        case .setProperty(let property, let text):
            guard property == .shutterSpeed, let speed = ShutterSpeed.all.first(where: { $0.label == text }) else {
                return turn.report(.failed(.propertyUnknown(property)), ticket)
            }
            activity = .setting(ticket, speed, isProperty: true, since: turn.now, sentAt: nil)
        case .connect, .disconnect, .abandon, .keepPictures, .files: break
        case .liveView: turn.report(.failed(.other("Heron shows no live view.")), ticket)
        }
    }

    // MARK: The next step

    mutating func decide(in turn: inout DriverTurn) -> PTPIPNextAction {
        switch common.stage {
        case .disconnected, .handshake: return .wait(until: nil)
        case .settingUp: return isRemote ? perform(.state) : perform(.remote(true))
        case .leaving:
            guard isRemote, !isLeft else { return .close }
            isLeft = true
            return perform(.remote(false))
        case .connected: return decideConnected(in: &turn)
        }
    }

    private mutating func decideConnected(in turn: inout DriverTurn) -> PTPIPNextAction {
        guard let reading else { return perform(.state) }
        if let handle = fetchNext {
            fetchNext = nil
            return perform(.object(handle))
        }
        if reading.state.newFiles > 0 { return perform(.files) }
        if let next = waiting.first, turn.now >= retryAt { return perform(.info(next.handle)) }
        if !questions.isEmpty { return perform(.state) }
        let move = decideActivity(reading, in: &turn)
        guard case .wait(let until) = move else { return move }
        let due = reading.at + (isIdle ? keepAlive : Self.poll)
        if due <= turn.now { return perform(.state) }
        let retry = waiting.isEmpty ? nil : Optional(retryAt)
        return .wait(until: [until, due, retry].compactMap { $0 }.min())
    }

    private var isIdle: Bool { if case .idle = activity { true } else { false } }

    private mutating func decideActivity(_ reading: Reading, in turn: inout DriverTurn) -> PTPIPNextAction {
        let state = reading.state
        switch activity {
        case .idle: return .wait(until: nil)
        case .readingSpeed: return .wait(until: nil)
        case .setting(let ticket, let speed, let isProperty, let since, let sentAt):
            if let sentAt { return confirm(ticket, speed, sentAt, reading, in: &turn) }
            if state.activity != .idle || !waiting.isEmpty {
                return turn.now < since + Self.gate ? .wait(until: since + Self.gate) : end(.busy, ticket, in: &turn)
            }
            activity = .setting(ticket, speed, isProperty: isProperty, since: since, sentAt: nil)
            return perform(.speed(speed))
        case .capturing(let ticket, let speed, let since, let isPressed, let isCaptured):
            if isPressed { return follow(ticket, isCaptured: isCaptured, reading, in: &turn) }
            guard reading.requestedAt >= since, turn.now <= reading.at + Self.poll else { return perform(.state) }
            if state.activity != .idle {
                return turn.now < since + Self.gate ? .wait(until: since + Self.gate) : end(.busy, ticket, in: &turn)
            }
            let status = state.status
            guard status.speed == .speed(speed), status.speedIsWritable else {
                let found = status.speed ?? .other("--")
                return end(.failed(.speedChanged(found: found)), ticket, in: &turn)
            }
            frame = .pressed(
                ticket,
                at: turn.now,
                exposure: speed.exposureTime,
                shotsLeft: Int(state.shotsLeft),
                bodyID: common.identity?.id
            )
            return perform(.shoot)
        case .awaitingIdle(let ticket, let since):
            let isDone = state.activity == .idle && waiting.isEmpty
            guard reading.requestedAt >= since, isDone else { return .wait(until: nil) }
            return end(.idle, ticket, in: &turn)
        case .resolving(let ticket, let before, let since):
            return resolve(ticket, before, since, reading, in: &turn)
        }
    }

    private mutating func confirm(
        _ ticket: Ticket,
        _ speed: ShutterSpeed,
        _ sentAt: Duration,
        _ reading: Reading,
        in turn: inout DriverTurn
    ) -> PTPIPNextAction {
        guard reading.requestedAt >= sentAt else { return perform(.state) }
        if reading.state.speed == HeronSpeed(speed) {
            return end(.propertySet(reading.state.property), ticket, in: &turn)
        }
        if turn.now < sentAt + .seconds(3) { return .wait(until: sentAt + .seconds(3)) }
        let found = reading.state.property.value
        let failure = CameraFailure.propertyNotKept(.shutterSpeed, speed.label, found: found)
        return end(.failed(failure), ticket, in: &turn)
    }

    /// Follows a frame from the press until the body has finished the picture.
    private mutating func follow(
        _ ticket: Ticket,
        isCaptured: Bool,
        _ reading: Reading,
        in turn: inout DriverTurn
    ) -> PTPIPNextAction {
        guard case .pressed(_, let pressedAt, let exposure, let before, _) = frame else { return .again }
        if isCaptured {
            guard reading.state.activity == .idle, waiting.isEmpty else { return .wait(until: nil) }
            return end(.idle, ticket, in: &turn)
        }
        if reading.requestedAt > pressedAt, Int(reading.state.shotsLeft) < before {
            if case .capturing(_, let speed, let since, _, _) = activity {
                activity = .capturing(ticket, speed, since: since, isPressed: true, isCaptured: true)
            }
            turn.report(.captured, ticket)
            return .again
        }
        let deadline = pressedAt + exposure + Self.noPicture
        if turn.now < deadline { return .wait(until: deadline) }
        return end(.failed(.other("The camera reports no picture.")), ticket, in: &turn)
    }

    private mutating func resolve(
        _ ticket: Ticket,
        _ before: Int?,
        _ since: Duration,
        _ reading: Reading,
        in turn: inout DriverTurn
    ) -> PTPIPNextAction {
        var (before, settledAt) = (before, since)
        switch frame {
        case .unknown: break
        case .notPressed: return end(.captureResolved(.notFired), ticket, in: &turn)
        case .pressed(_, let pressedAt, let exposure, let shotsLeft, let bodyID):
            settledAt = max(settledAt, pressedAt + exposure + .seconds(1))
            before = bodyID == common.identity?.id ? shotsLeft : nil
        }
        let isSettled = reading.requestedAt >= settledAt && reading.state.activity == .idle && waiting.isEmpty
        guard isSettled else { return .wait(until: settledAt > turn.now ? settledAt : nil) }
        let left = Int(reading.state.shotsLeft)
        let resolution: CaptureResolution =
            switch before {
            case left + 1: .fired
            case left: .notFired
            default: .unknown
            }
        return end(.captureResolved(resolution), ticket, in: &turn)
    }

    private mutating func end(_ event: CameraEvent, _ ticket: Ticket, in turn: inout DriverTurn) -> PTPIPNextAction {
        activity = .idle
        turn.report(event, ticket)
        return .again
    }

    private mutating func perform(_ task: Task) -> PTPIPNextAction {
        self.task = task
        let timeout = Operation.Timeout(common.timing.answer)
        switch task {
        case .remote(let isOn):
            return .perform(Operation(.heronRemote, [isOn ? 1 : 0], timeout: timeout), name: "Remote")
        case .state:
            return .perform(Operation(.heronState, timeout: timeout, hasRecordableData: true), name: "State")
        case .speed(let speed):
            let data = PTPValue.uint16(HeronSpeed(speed).rawValue).encoded()
            return .perform(Operation(.heronSpeed, dataOut: data, timeout: timeout), name: "Speed")
        case .shoot: return .perform(Operation(.heronShoot, timeout: timeout), name: "Shoot")
        case .files:
            return .perform(Operation(.heronFiles, timeout: timeout, hasRecordableData: true), name: "Files")
        case .info(let handle):
            return .perform(Operation(.getObjectInfo, [handle], timeout: timeout), name: "GetObjectInfo")
        case .object(let handle):
            let offset = UInt32(clamping: common.pictures.current?.offset ?? 0)
            guard offset > 0, let size = common.pictures.current?.file.compressedSize, size > offset else {
                return .perform(.stream(handle, common.timing), name: "GetObject")
            }
            let rest = Operation.stream(handle, from: offset, count: size - offset, common.timing)
            return .perform(rest, name: "GetPartialObject")
        }
    }
}
