import Cameras
import Exposure

/// A camera that answers commands by a script. It answers with success, unless a deviation is due.
struct ScriptedCamera: Camera {
    /// A deviation from success. A number says in which command of its kind it occurs, counted from 1.
    enum Deviation: Equatable {
        /// The camera is busy at each of this number of first attempts to set the speed.
        case busyOnSet(Int)
        /// The camera accepts the n-th setting, which then has no effect.
        case ignoreSet(Int)
        /// The camera never answers the n-th setting.
        case silentOnSet(Int)
        /// From the n-th setting on, the body changes to this speed, whatever is set.
        case settleOn(ShutterSpeed, fromSet: Int)
        /// The camera refuses the n-th shutter command with a failure. It fires no frame.
        case failShutter(Int, CameraFailure)
        /// The camera is busy at the n-th shutter command.
        case busyOnShutter(Int)
        /// After the n-th picture the body never becomes idle.
        case neverIdle(Int)
        /// After the n-th picture the camera fails.
        case failAfterPicture(Int, CameraFailure)
        /// After the n-th picture a wait for idle fails, this long after the question.
        case failIdle(Int, after: Duration)
        /// The camera reports the n-th picture, and is idle at once.
        case idleAtOnce(Int)
        /// The camera accepts the n-th shutter command, but no picture ever arrives.
        case noPicture(Int)
        /// After the n-th shutter command the camera reports a picture that may be the previous one. Its file arrives
        /// nevertheless.
        case unclearPicture(Int)
        /// After the n-th picture the body reports several times that it saves the picture. Then it is idle.
        case saves(Int, times: Int)
        /// Instead of the answer to the n-th command of this kind, the link breaks.
        case loseOn(Kind, Int)
        /// The body does not answer a request for its status.
        case silentOnStatus
        /// The camera refuses the connection.
        case refuseConnect(Refusal)
        case cannotConnect(times: Int)
        /// Closing the session takes this long.
        case leavesAfter(Duration)
        /// The camera answers a greeting as soon as bytes arrive, whatever they contain.
        case greetsByBytes
        /// The body's answer to the question whether it fired.
        case resolve(CaptureResolution)
        /// The body does not answer the question whether it fired.
        case resolveNever
        /// The camera shows a property this long after the property was set.
        case showPropertyAfter(Duration)
        /// When a property is set, the body is busy, or it fails, or it never shows the value.
        case busyOnProperty
        case failProperty(CameraFailure)
        case ignoreProperty
        /// The file of the n-th picture contains this speed.
        case shows(Int, ShutterSpeed)
        /// The file of the n-th picture contains no data.
        case unreadable(Int)
        /// The n-th picture is the previous one.
        case stale(Int)
        /// The camera does not deliver the n-th picture.
        case noFile(Int)
        /// Each picture also has a RAW file.
        case alsoRaw
        /// The camera does not deliver the RAW file of the n-th picture, or never delivers its end.
        case noRaw(Int)
        case rawBreaks(Int)
        /// The camera delivers files this long after the picture. Without it, the files come with the picture.
        case filesLate(Duration)
        /// The delivery of a file takes this long. Without it, it takes no time.
        case fileTime(Duration)
        /// The camera does not resume an interrupted file.
        case abandons
    }

    enum Kind: Equatable { case set, read, shutter, idle, connect, property }

    var identity = CameraIdentity(maker: "Sony", model: "Script", firmware: "1", serial: "7", id: "7")
    var status: CameraStatus
    /// The settings that the body reports after it is connected.
    var properties: [PropertyState] = []
    /// The pictures on the body's card.
    var cardFiles: [CameraFile] = []
    /// Whether the body never answers a request for files.
    var isCardSilent = false
    /// The answer to a request for the live view; nil: none.
    var liveView: LiveViewAnswer?
    var twists: [Deviation]
    private(set) var commands: [CameraCommand] = []
    private(set) var fired: [ShutterSpeed] = []
    private(set) var isConnected = false
    private var counts: [Int] = [0, 0, 0, 0, 0, 0]
    private var pictures = 0
    private var held: Duration?
    /// The ticket of a property command that is not answered yet. The next command ends it.
    private var propertyTicket: Ticket?
    private var pending: [(due: Duration, step: Step)] = []
    private(set) var wish = PictureRequest(policy: .none)
    private var lastFile: UInt32 = 0
    private var lastContent = ""
    /// The files that are being delivered, or were being delivered when the link broke.
    private var files: [ScriptedPicture] = []

    private enum Step {
        case say(CameraEvent, Ticket?)
        case hand(ScriptedPicture, offset: Int)
        case end(PictureID)
        case interrupt(PictureID)
        case abandon(PictureID)
    }

    static let ready = CameraStatus(
        mode: .manual,
        speeds: ShutterSpeed.all,
        speed: .speed(.fastest),
        speedIsWritable: true,
        batteryPercent: 80,
        shotsLeft: 500,
        noiseReduction: .off
    )

    init(status: CameraStatus = Self.ready, twists: [Deviation] = []) {
        self.status = status
        self.twists = twists
    }

    var nextDeadline: Duration? { pending.map(\.due).min() }

    mutating func receive(_ event: LinkEvent, at now: Duration, into actions: inout [CameraAction]) {
        guard twists.contains(.greetsByBytes), case .received = event else { return }
        for index in pending.indices { pending[index].due = now }
        advance(to: now, into: &actions)
    }

    mutating func takeRecordableParts() -> [Range<Int>] { [] }

    mutating func advance(to now: Duration, into actions: inout [CameraAction]) {
        let due = pending.filter { $0.due <= now }.sorted { $0.due < $1.due }
        pending.removeAll { $0.due <= now }
        for answer in due { perform(answer.step, at: now, into: &actions) }
    }

    private mutating func perform(_ step: Step, at now: Duration, into actions: inout [CameraAction]) {
        switch step {
        case .say(let event, let ticket): actions.append(.report(event, ticket: ticket))
        case .hand(let picture, let offset): hand(picture, offset, at: now, into: &actions)
        case .end(let id):
            guard let file = files.first(where: { $0.id == id }) else { break }
            files.removeAll { $0.id == id }
            actions.append(.picture(id, .bytes(file.bytes(from: ScriptedPicture.half))))
            actions.append(.picture(id, .end))
        case .interrupt(let id): actions.append(.picture(id, .interrupted))
        case .abandon(let id): actions.append(.picture(id, .abandoned))
        }
    }

    private mutating func hand(
        _ picture: ScriptedPicture,
        _ offset: Int,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        guard wish.policy != .none else { return }
        let isWanted = picture.info.kind != .raw || wish.policy == .both
        guard isWanted, wish.hasRoom else {
            return actions.append(.picture(picture.id, .skipped(picture.info, isWanted ? .noRoom : .policy)))
        }
        actions.append(.picture(picture.id, .begin(picture.info, offset: UInt64(offset))))
        if picture.info.kind == .raw, twists.contains(.rawBreaks(pictures)) {
            return actions.append(.picture(picture.id, .abandoned))
        }
        files.append(picture)
        if offset == 0 { actions.append(.picture(picture.id, .bytes(picture.bytes(to: ScriptedPicture.half)))) }
        var time = Duration.zero
        for case .fileTime(let taken) in twists { time = taken }
        pending.append((now + time, .end(picture.id)))
        if time == .zero { advance(to: now, into: &actions) }
    }

    mutating func perform(
        _ command: CameraCommand,
        ticket: Ticket,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        commands.append(command)
        if case .keepPictures(let wish) = command { return self.wish = wish }
        if case .connect = command { return connect(ticket, now) }
        if command == .disconnect || command == .abandon {
            isConnected = false
            pending.removeAll()
            var due = now
            for case .leavesAfter(let time) in twists where command == .disconnect { due += time }
            return say(.disconnected, ticket, at: due)
        }
        guard isConnected else { return say(.lost(.notConnected), nil, at: now) }
        pending.removeAll {
            if case .say(_, let ticket?) = $0.step { ticket == propertyTicket } else { false }
        }
        switch command {
        case .readStatus: if !twists.contains(.silentOnStatus) { say(.status(status), ticket, at: now) }
        case .setSpeed(let speed): set(speed, ticket, now)
        case .readSpeed: read(ticket, now)
        case .capture(let speed): capture(speed, ticket, now)
        case .awaitIdle: awaitIdle(ticket, now)
        case .resolveCapture: resolve(ticket, now)
        case .setProperty(let property, let value): set(property, value, ticket, now)
        case .files where isCardSilent: break
        case .files(.listSelected), .files(.getSelected): break
        case .files(.list): say(.files(.listed(cardFiles)), ticket, at: now)
        case .files(.get(let uris)): say(.files(.sent(uris.count)), ticket, at: now)
        case .liveView: if let liveView { say(.liveView(liveView), ticket, at: now) }
        case .connect, .disconnect, .abandon, .keepPictures: break
        }
    }

    /// Delivers an event: the user turned the dial or pulled the cable, or the camera reports something.
    mutating func tell(_ event: CameraEvent, at now: Duration) {
        if case .status(let status) = event { self.status = status }
        if case .properties(let news) = event { properties = news }
        if case .lost = event { lose(now) } else { say(event, nil, at: now) }
    }

    /// Reports the next picture this long after the shutter, as with a dark frame, instead of after the exposure.
    mutating func holdPictures(for time: Duration) {
        held = time
        for index in pending.indices {
            if case .say(.captured, _) = pending[index].step { pending[index].due = time }
        }
    }

    /// Ends the connection, because the daemon has ended and sends nothing more.
    mutating func hangUp() {
        isConnected = false
        pending.removeAll()
        propertyTicket = nil
    }

    // MARK: Commands

    private mutating func connect(_ ticket: Ticket, _ now: Duration) {
        if loses(.connect) { return say(.lost(.closedByCamera), nil, at: now) }
        for case .refuseConnect(let refusal) in twists { return say(.refused(refusal), ticket, at: now) }
        for case .cannotConnect(let times) in twists where counts[4] <= times {
            return say(.lost(.cannotConnect("Connection refused")), nil, at: now)
        }
        isConnected = true
        let due = twists.contains(.greetsByBytes) ? now + .seconds(3600) : now
        say(.prepared(identity), ticket, at: due)
        if !properties.isEmpty { say(.properties(properties), nil, at: due) }
        say(.status(status), ticket, at: due)
        for file in files {
            pending.append(
                (now, twists.contains(.abandons) ? .abandon(file.id) : .hand(file, offset: ScriptedPicture.half))
            )
        }
        files.removeAll()
    }

    private mutating func set(_ property: CameraProperty, _ value: String, _ ticket: Ticket, _ now: Duration) {
        if loses(.property) { return lose(now) }
        propertyTicket = ticket
        if twists.contains(.ignoreProperty) { return }
        if twists.contains(.busyOnProperty) { return say(.busy, ticket, at: now) }
        for case .failProperty(let failure) in twists { return say(.failed(failure), ticket, at: now) }
        let speed = property == .shutterSpeed ? try? ShutterSpeed(parsing: value) : nil
        let ofStatus = speed.map { PropertyState(property: .shutterSpeed, value: $0.label, isWritable: true) }
        guard var state = properties.first(where: { $0.property == property }) ?? ofStatus else {
            return say(.failed(.propertyUnknown(property)), ticket, at: now)
        }
        state.value = value
        var due = now
        for case .showPropertyAfter(let time) in twists { due += time }
        if let speed {
            status.speed = .speed(speed)
            say(.status(status), ticket, at: due)
        }
        say(.propertySet(state), ticket, at: due)
    }

    private mutating func set(_ speed: ShutterSpeed, _ ticket: Ticket, _ now: Duration) {
        if loses(.set) { return lose(now) }
        let count = counts[0]
        for case .silentOnSet(count) in twists { return }
        for case .busyOnSet(let times) in twists where count <= times { return say(.busy, ticket, at: now) }
        say(.speedAccepted, ticket, at: now + way(to: speed))
        for case .ignoreSet(count) in twists { return }
        for case .settleOn(let other, let from) in twists where count >= from {
            status.speed = .speed(other)
            return
        }
        status.speed = .speed(speed)
    }

    /// The time that the body takes from its present speed to another one.
    private func way(to speed: ShutterSpeed) -> Duration {
        guard case .stepwise(let perNotch) = status.speedSetting, case .speed(let present) = status.speed else {
            return .zero
        }
        return perNotch * abs(present.thirds(to: speed))
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
        for case .unclearPicture(count) in twists {
            handOver(speed, ticket, fired: now, at: now)
            return say(.captureResolved(.unknown), ticket, at: now + .seconds(12))
        }
        fired.append(speed)
        pictures += 1
        status.shotsLeft = status.shotsLeft.map { $0 - 1 }
        let end = now + (held ?? speed.exposureTime)
        say(.captured, ticket, at: end)
        var due = end
        for case .filesLate(let time) in twists { due += time }
        handOver(speed, ticket, fired: now, at: due)
        for case .idleAtOnce(pictures) in twists { say(.idle, ticket, at: now + speed.exposureTime) }
    }

    private mutating func awaitIdle(_ ticket: Ticket, _ now: Duration) {
        if loses(.idle) { return lose(now) }
        for case .neverIdle(pictures) in twists { return }
        for case .failAfterPicture(pictures, let failure) in twists { return say(.failed(failure), ticket, at: now) }
        for case .failIdle(pictures, let wait) in twists {
            return say(.failed(.other("The buffer is stuck.")), ticket, at: now + wait)
        }
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

    private mutating func handOver(_ speed: ShutterSpeed, _ ticket: Ticket, fired now: Duration, at due: Duration) {
        if twists.contains(.noFile(pictures)) { return }
        var shown = speed
        for case .shows(pictures, let other) in twists { shown = other }
        var content = ScriptedPicture.content(shown, firedAt: now)
        if twists.contains(.unreadable(pictures)) { content = "no EXIF data" }
        if twists.contains(.stale(pictures)) { content = lastContent }
        lastContent = content
        for kind in twists.contains(.alsoRaw) ? [PictureInfo.Kind.jpeg, .raw] : [.jpeg] {
            if kind == .raw, twists.contains(.noRaw(pictures)) { continue }
            lastFile += 1
            let picture = ScriptedPicture(PictureID(rawValue: lastFile), kind, content, number: pictures, ticket)
            pending.append((due, .hand(picture, offset: 0)))
        }
    }

    private mutating func say(_ event: CameraEvent, _ ticket: Ticket?, at due: Duration) {
        pending.append((due, .say(event, ticket)))
    }

    mutating func lose(_ now: Duration) {
        isConnected = false
        pending.removeAll()
        pending += files.map { (now, .interrupt($0.id)) }
        say(.lost(.reset("Connection reset by peer")), nil, at: now)
    }

    /// Counts a command, and returns whether the link breaks on it.
    private mutating func loses(_ kind: Kind) -> Bool {
        let index = [Kind.set, .read, .shutter, .idle, .connect, .property].firstIndex(of: kind) ?? 0
        counts[index] += 1
        return twists.contains(.loseOn(kind, counts[index]))
    }
}

extension CameraDrivers {
    /// A set of drivers that uses this camera, whatever the protocol of the address is.
    init(_ camera: ScriptedCamera) { self.init([Row(.ptpip) { _ in camera }]) }
}
