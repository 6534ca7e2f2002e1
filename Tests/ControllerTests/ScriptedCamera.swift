import Cameras
import Exposure

/// A camera that answers commands as a script says: well, unless a twist is due.
struct ScriptedCamera: Camera {
    /// What is to go otherwise, and in which command of its kind, counted from 1.
    enum Twist: Equatable {
        /// The first so many settings of the speed find the camera busy.
        case busyOnSet(Int)
        /// The n-th setting is accepted and not done.
        case ignoreSet(Int)
        /// From the n-th setting on the body takes this speed, whatever is set.
        case settleOn(ShutterSpeed, fromSet: Int)
        /// The n-th shutter command is refused with a failure; nothing fires.
        case failShutter(Int, CameraFailure)
        /// The n-th shutter command finds the camera busy.
        case busyOnShutter(Int)
        /// After the n-th picture the body never is idle.
        case neverIdle(Int)
        /// After the n-th picture the camera fails.
        case failAfterPicture(Int, CameraFailure)
        /// The n-th picture is reported, and idle with it at once.
        case idleAtOnce(Int)
        /// The n-th shutter command is taken and no picture ever comes.
        case noPicture(Int)
        /// The body tells of saving so many times, a while apart, before it is idle.
        case saves(Int, times: Int)
        /// The link breaks instead of the answer to the n-th command of this kind.
        case loseOn(Kind, Int)
        /// Connecting comes to nothing.
        case refuseConnect(Refusal)
        case cannotConnect(times: Int)
        /// Asked whether it fired, the body says this.
        case resolve(CaptureResolution)
        /// Asked whether it fired, the body says nothing.
        case resolveNever
    }

    enum Kind: Equatable { case set, read, shutter, idle, connect }

    var status: CameraStatus
    var twists: [Twist]
    private(set) var commands: [CameraCommand] = []
    private(set) var fired: [ShutterSpeed] = []
    private(set) var isConnected = false
    private var counts: [Int] = [0, 0, 0, 0, 0]
    private var pictures = 0
    private var held: Duration?
    private var pending: [(due: Duration, event: CameraEvent, ticket: Ticket?)] = []

    static let ready = CameraStatus(
        mode: .manual,
        speeds: ShutterSpeed.all,
        speed: .speed(.fastest),
        speedIsWritable: true,
        batteryPercent: 80,
        shotsLeft: 500,
        noiseReduction: .off
    )

    init(status: CameraStatus = Self.ready, twists: [Twist] = []) {
        self.status = status
        self.twists = twists
    }

    var nextDeadline: Duration? { pending.map(\.due).min() }

    mutating func receive(_ event: LinkEvent, at now: Duration, into actions: inout [CameraAction]) {}

    mutating func advance(to now: Duration, into actions: inout [CameraAction]) {
        let due = pending.filter { $0.due <= now }.sorted { $0.due < $1.due }
        pending.removeAll { $0.due <= now }
        for answer in due { actions.append(.report(answer.event, ticket: answer.ticket)) }
    }

    mutating func perform(
        _ command: CameraCommand,
        ticket: Ticket,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        commands.append(command)
        if case .connect = command { return connect(ticket, now) }
        if command == .disconnect || command == .abandon {
            isConnected = false
            pending.removeAll()
            return say(.disconnected, ticket, at: now)
        }
        guard isConnected else { return say(.lost(.notConnected), nil, at: now) }
        switch command {
        case .readStatus: say(.status(status), ticket, at: now)
        case .setSpeed(let speed): set(speed, ticket, now)
        case .readSpeed: read(ticket, now)
        case .capture(let speed): capture(speed, ticket, now)
        case .awaitIdle: awaitIdle(ticket, now)
        case .resolveCapture: resolve(ticket, now)
        case .connect, .disconnect, .abandon: break
        }
    }

    /// Somebody turns the dial, pulls the cable, or the camera tells something unasked.
    mutating func tell(_ event: CameraEvent, at now: Duration) {
        if case .status(let status) = event { self.status = status }
        if case .lost = event { lose(now) } else { say(event, nil, at: now) }
    }

    /// The next picture is reported so long after the shutter, as with a dark frame, and not by its exposure.
    mutating func holdPictures(for time: Duration) {
        held = time
        for index in pending.indices where pending[index].event == .captured { pending[index].due = time }
    }

    // MARK: Commands

    private mutating func connect(_ ticket: Ticket, _ now: Duration) {
        if loses(.connect) { return say(.lost(.closedByCamera), nil, at: now) }
        for case .refuseConnect(let refusal) in twists { return say(.refused(refusal), ticket, at: now) }
        for case .cannotConnect(let times) in twists where counts[4] <= times {
            return say(.lost(.cannotConnect("Connection refused")), nil, at: now)
        }
        isConnected = true
        say(
            .prepared(CameraIdentity(maker: "Sony", model: "Script", firmware: "1", serial: "7", id: "7")),
            ticket,
            at: now
        )
        say(.status(status), ticket, at: now)
    }

    private mutating func set(_ speed: ShutterSpeed, _ ticket: Ticket, _ now: Duration) {
        if loses(.set) { return lose(now) }
        let count = counts[0]
        for case .busyOnSet(let times) in twists where count <= times { return say(.busy, ticket, at: now) }
        say(.speedAccepted, ticket, at: now)
        for case .ignoreSet(count) in twists { return }
        for case .settleOn(let other, let from) in twists where count >= from {
            status.speed = .speed(other)
            return
        }
        status.speed = .speed(speed)
    }

    private mutating func read(_ ticket: Ticket, _ now: Duration) {
        if loses(.read) { return lose(now) }
        if let speed = status.speed { say(.speedRead(speed), ticket, at: now) }
    }

    private mutating func capture(_ speed: ShutterSpeed, _ ticket: Ticket, _ now: Duration) {
        let lost = loses(.shutter)
        let count = counts[2]
        for case .failShutter(count, let failure) in twists { return say(.failed(failure), ticket, at: now) }
        for case .busyOnShutter(count) in twists { return say(.busy, ticket, at: now) }
        if lost { return lose(now) }
        say(.shutterReleased, ticket, at: now)
        for case .noPicture(count) in twists { return }
        fired.append(speed)
        pictures += 1
        status.shotsLeft = status.shotsLeft.map { $0 - 1 }
        say(.captured, ticket, at: now + (held ?? speed.exposureTime))
        for case .idleAtOnce(pictures) in twists { say(.idle, ticket, at: now + speed.exposureTime) }
    }

    private mutating func awaitIdle(_ ticket: Ticket, _ now: Duration) {
        if loses(.idle) { return lose(now) }
        for case .neverIdle(pictures) in twists { return }
        for case .failAfterPicture(pictures, let failure) in twists { return say(.failed(failure), ticket, at: now) }
        var wait = Duration.milliseconds(500)
        for case .saves(pictures, let times) in twists {
            for number in 1...times { say(.saving, ticket, at: now + .seconds(8) * number) }
            wait = .seconds(8) * times + .seconds(1)
        }
        for case .idleAtOnce(pictures) in twists { wait = .zero }
        say(.idle, ticket, at: now + wait)
    }

    private mutating func resolve(_ ticket: Ticket, _ now: Duration) {
        if twists.contains(.resolveNever) { return }
        for case .resolve(let resolution) in twists { return say(.captureResolved(resolution), ticket, at: now) }
        say(.captureResolved(.unknown), ticket, at: now)
    }

    private mutating func say(_ event: CameraEvent, _ ticket: Ticket?, at due: Duration) {
        pending.append((due, event, ticket))
    }

    private mutating func lose(_ now: Duration) {
        isConnected = false
        pending.removeAll()
        say(.lost(.reset("Connection reset by peer")), nil, at: now)
    }

    /// Counts a command, and whether the link breaks on it.
    private mutating func loses(_ kind: Kind) -> Bool {
        let index = [Kind.set, .read, .shutter, .idle, .connect].firstIndex(of: kind) ?? 0
        counts[index] += 1
        return twists.contains(.loseOn(kind, counts[index]))
    }
}
