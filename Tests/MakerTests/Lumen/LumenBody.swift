import Bodies
import Cameras
import Exposure
import NIOCore
import PTP

/// A simulated body of Lumen: one session, a sheet of settings, a shutter, pictures to fetch.
struct LumenBody: HTTPMakerBody {
    private enum Work: Sendable {
        case none
        case exposing(BodySpeed, since: Duration, until: Duration)
        case saving(until: Duration)
    }

    static let ports = [BodyPort(Lumen.port, .http)]

    let modelName = "Lumen L1"
    private let options: BodyOptions
    private let serial: String
    package var outputs: [HTTPMakerOutput] = []
    private(set) var card: [CardFrame] = []
    /// The files of the frames on the card.
    private var files: [ByteBuffer] = []
    private(set) var mode: DialMode
    private var exposure: ShutterSpeed
    private let speeds: [ShutterSpeed]
    private var battery: Int
    private var left: Int
    private(set) var isSessionOpen = false
    /// The number of changes so far, by which a client can name the last change that it received.
    private var sequence = 1
    private var work = Work.none
    /// The speed that the session received last.
    private var shown: ShutterSpeed?
    /// The clients that wait for changes after a certain change.
    private var polls: [(id: ConnectionID, after: Int, until: Duration)] = []
    /// The time of the last call by the client of the session.
    private var calledAt = Duration.zero
    /// The time without a call after which the session ends.
    private static let silenceMax = Duration.seconds(40)

    init(_ options: BodyOptions) {
        self.options = options
        serial = options.serial ?? "L0001"
        mode = options.mode
        speeds = options.speeds ?? ShutterSpeed.all
        exposure = speeds[speeds.count / 2]
        battery = options.batteryPercent ?? 80
        left = options.shotsLeft ?? 500
    }

    var cameraID: String { "lumen:\(serial)" }
    var shownSpeed: BodySpeed { BodySpeed(exposure) }
    var isButtonHeld: Bool { false }

    func discovery(at host: IPAddress, port: UInt16) -> BodyDiscovery? { nil }

    static func meaning(of request: ServedRequest) -> DriverSignal? {
        switch "\(request.method) \(request.path)" {
        case "POST /v1/shutter": .press(Self.command(request))
        case "DELETE /v1/session": .sessionClosing
        default: nil
        }
    }

    private static func command(_ request: ServedRequest) -> CommandID {
        let call = request.headers.first { $0.name == "Call" }.flatMap { UInt64($0.value) }
        return CommandID(rawValue: call ?? 0)
    }

    // MARK: The user

    mutating func turnDial(to mode: DialMode, at now: Duration) {
        self.mode = mode
        sequence += 1
    }

    mutating func turnSpeed(to speed: ShutterSpeed, at now: Duration) {
        exposure = speed
        moved.append(shownSpeed)
        sequence += 1
    }

    /// The speeds to which the user turned the dial and that were not reported yet.
    private var moved: [BodySpeed] = []

    mutating func setBattery(percent: Int, at now: Duration) {
        battery = percent
        sequence += 1
    }

    mutating func losePower(at now: Duration) {
        work = .none
        polls.removeAll()
        isSessionOpen = false
        shown = nil
        isPowerLost = true
    }

    private var isPowerLost = false

    // MARK: Calls

    mutating func answer(_ request: ServedRequest, on id: ConnectionID, at now: Duration) {
        let path = request.path.hasPrefix(Lumen.root) ? request.path.dropFirst(Lumen.root.count) : request.path[...]
        let target = path.split(separator: "?", maxSplits: 1)
        calledAt = now
        switch "\(request.method) \(target[0])" {
        case "POST /v1/session":
            guard !isSessionOpen else { return reply(423, on: id) }
            isSessionOpen = true
            reply(200, on: id)
        case _ where !isSessionOpen: reply(403, on: id)
        case "DELETE /v1/session":
            reply(204, on: id)
            endSession(isOrderly: true)
        case "GET /v1/camera": show(on: id)
        case "GET /v1/events":
            let after = target.last?.split(separator: "=").last.flatMap { Int($0) } ?? 0
            polls.append((id, after, now + Lumen.pollTime))
        case "PUT /v1/exposure": setExposure(request, on: id)
        case "POST /v1/shutter": press(request, on: id, at: now)
        default: sendPicture("\(target[0])", on: id)
        }
        answerPolls(at: now)
    }

    mutating func gone(_ id: ConnectionID, at now: Duration) {
        // If a client waits for changes and disconnects, its session ends. Another waiting client keeps the session.
        guard polls.contains(where: { $0.id == id }) else { return }
        polls.removeAll { $0.id == id }
        if polls.isEmpty { endSession(isOrderly: false) }
    }

    private mutating func endSession(isOrderly: Bool) {
        guard isSessionOpen else { return }
        isSessionOpen = false
        shown = nil
        outputs.append(.fact(.left(isOrderly: isOrderly)))
        for poll in polls { reply(410, on: poll.id) }
        polls.removeAll()
    }

    private mutating func reply(_ status: UInt16, _ text: String = "", on id: ConnectionID) {
        outputs.append(.reply(id, HTTPReply(status: status, body: ByteBuffer(string: text))))
    }

    private mutating func show(on id: ConnectionID) {
        shown = exposure
        if case .exposing = work { outputs.append(.fact(.shown(shownSpeed))) }
        reply(200, sheet.text, on: id)
    }

    private mutating func setExposure(_ request: ServedRequest, on id: ConnectionID) {
        guard case .none = work else { return reply(409, on: id) }
        guard mode == .manual else { return reply(403, on: id) }
        guard let speed = Int(String(buffer: request.body)).flatMap(Lumen.speed), speeds.contains(speed) else {
            return reply(422, on: id)
        }
        exposure = speed
        sequence += 1
        reply(204, on: id)
    }

    private mutating func press(_ request: ServedRequest, on id: ConnectionID, at now: Duration) {
        let isFree = if case .none = work { true } else { false }
        let isSame = Int(String(buffer: request.body)) == Lumen.microseconds(exposure)
        let isTaken = isFree && left > 0 && isSame
        let press = BodyPress(
            command: Self.command(request),
            shown: shown.map { BodySpeed($0) },
            actual: shownSpeed,
            isTaken: isTaken
        )
        outputs.append(.fact(.pressed(press)))
        guard isTaken else { return reply(isFree ? (isSame ? 507 : 412) : 409, on: id) }
        work = .exposing(shownSpeed, since: now, until: now + exposure.exposureTime)
        outputs.append(.fact(.opened(shownSpeed)))
        sequence += 1
        reply(202, "shot=\(card.count + 1)\n", on: id)
    }

    private mutating func sendPicture(_ path: String, on id: ConnectionID) {
        guard let index = card.firstIndex(where: { path == "/v1/pictures/\(name($0))" }) else {
            return reply(404, on: id)
        }
        card[index].isFetched = true
        outputs.append(.reply(id, HTTPReply(status: 200, body: files[index])))
    }

    private mutating func answerPolls(at now: Duration) {
        for poll in polls {
            if sequence > poll.after {
                show(on: poll.id)
            } else if poll.until <= now {
                reply(204, on: poll.id)
            } else {
                continue
            }
            polls.removeAll { $0.id == poll.id }
        }
    }

    // MARK: The sheet

    private var sheet: LumenSheet {
        let state =
            switch work {
            case .none: "ready"
            case .exposing: "exposing"
            case .saving: "saving"
            }
        let pictures = card.suffix(16).filter { $0.written != nil }.map { frame in
            let count = UInt64(files[frame.number - 1].readableBytes)
            return LumenPicture(name: name(frame), shot: frame.number, byteCount: count, date: "")
        }
        return LumenSheet([
            ("seq", "\(sequence)"), ("model", modelName), ("serial", serial), ("firmware", "1.0"),
            ("mode", mode == .manual ? "M" : "A"), ("exposure", "\(Lumen.microseconds(exposure))"),
            ("exposures", speeds.map { "\(Lumen.microseconds($0))" }.joined(separator: ",")),
            ("battery", "\(battery)"), ("left", "\(left)"), ("state", state), ("taken", "\(card.count)"),
            ("pictures", pictures.map(\.text).joined(separator: ",")),
        ])
    }

    private func name(_ frame: CardFrame) -> String { "LUM\(10_000 + frame.number).JPG" }

    private func file(_ frame: CardFrame) -> ByteBuffer {
        let picture = SimulatedPicture(
            maker: "LUMEN",
            model: modelName,
            firmware: "1.0",
            frame: frame,
            byteCount: options.pictureSize
        )
        var content = picture.jpeg()
        return content.read(upTo: content.count).reduce(into: ByteBuffer()) { $0.writeImmutableBuffer($1) }
    }

    // MARK: Time

    var nextDeadline: Duration? {
        var times = polls.map(\.until)
        if case .exposing(_, _, let time) = work { times.append(time) }
        if case .saving(let time) = work { times.append(time) }
        if let silenceEnd { times.append(silenceEnd) }
        return times.min()
    }

    private var silenceEnd: Duration? { isSessionOpen && polls.isEmpty ? calledAt + Self.silenceMax : nil }

    mutating func advance(to now: Duration) {
        if isPowerLost {
            isPowerLost = false
            outputs.append(.fact(.lostPower))
        }
        outputs += moved.map { .fact(.moved($0)) }
        moved.removeAll()
        if case .exposing(let speed, let start, let end) = work, end <= now {
            var frame = CardFrame(
                number: card.count + 1,
                speed: speed,
                at: start,
                exposure: end - start,
                settings: FrameSettings(iso: 100, aperture: 800, mode: mode)
            )
            frame.fileKinds = [.jpeg]
            card.append(frame)
            files.append(file(frame))
            left -= 1
            outputs.append(.exposed(frame))
            work = .saving(until: end + (options.saveTime ?? .milliseconds(800)))
            sequence += 1
        }
        if case .saving(let end) = work, end <= now {
            card[card.count - 1].written = end
            work = .none
            sequence += 1
        }
        answerPolls(at: now)
        if let silenceEnd, silenceEnd <= now { endSession(isOrderly: false) }
    }

    mutating func clearFaults(mode: DialMode, at now: Duration) {
        turnDial(to: mode, at: now)
        answerPolls(at: now)
    }
}

extension BodyMaker {
    static let lumen = BodyMaker(
        name: "lumen",
        models: [
            BodyModel(shortName: "l1", name: "Lumen L1", summary: "invented, over HTTP") { HTTPBody(LumenBody($0)) }
        ],
        drivers: .withLumen,
        discovery: .withLumen
    )
}

extension CameraDrivers {
    static let withLumen = CameraDrivers(CameraDrivers.all.rows + [Row(.lumen) { _ in LumenDriver() }])
}

extension DiscoveryTable {
    static let withLumen = {
        var table = DiscoveryTable.standard
        table.protocols.append(ProtocolRow(.lumen, name: "Lumen's HTTP", port: Lumen.port, isScanned: true))
        return table
    }()
}
