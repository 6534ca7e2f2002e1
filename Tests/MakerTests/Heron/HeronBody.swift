import Bodies
import Cameras
import Exposure
import NIOCore
import PTP

/// A simulated body of Heron.
struct HeronBody: PTPBody {
    private enum Shutter: Equatable, Sendable {
        case ready
        case releasing
        case open(ShutterSpeed, since: Duration)
        case writing
    }

    private enum ScheduledEvent: Sendable {
        case speedShows(ShutterSpeed)
        case turned(ShutterSpeed)
        case opens
        case closes
        case written(CardFrame)
    }

    private struct File: Sendable {
        let name: String
        let content: ResponderContent
        let taken: Duration
    }

    private let options: BodyOptions
    private let serial: String
    private let speeds: [ShutterSpeed]
    private var schedule = Schedule<ScheduledEvent>()
    private var isRemote = false
    private var speed: ShutterSpeed
    private var readSpeed: ShutterSpeed?
    private var shutter = Shutter.ready
    private var shotsLeft: Int
    private var battery = 80
    private var files: [UInt32: File] = [:]
    private var unresolved: [UInt32] = []
    package var outputs: [PTPBodyOutput] = []
    private(set) var card: [CardFrame] = []
    private(set) var mode: DialMode

    private static let releaseLag = Duration.milliseconds(40)

    init(options: BodyOptions) {
        self.options = options
        serial = options.serial ?? "4711"
        speeds = options.speeds ?? ShutterSpeed.all
        speed = speeds[speeds.count / 2]
        shotsLeft = options.shotsLeft ?? 500
        mode = options.mode
    }

    // MARK: Identity

    static let dataOutOperations: [OperationCode] = [.heronSpeed]
    var operations: [OperationCode] {
        [
            .getDeviceInfo, .openSession, .closeSession, .getObjectInfo, .getObject, .getPartialObject, .heronRemote,
            .heronState, .heronSpeed, .heronShoot, .heronFiles,
        ]
    }

    static func name(of code: OperationCode) -> String { "\(code)" }

    static func transactionOfPress(_ bytes: ByteBuffer) -> UInt32? {
        let start = bytes.readerIndex
        guard bytes.getInteger(at: start + 12, endianness: .little, as: UInt16.self) == 0x9A04 else { return nil }
        return bytes.getInteger(at: start + 14, endianness: .little)
    }

    var guid: GUID {
        guard let guid = GUID(bytes: Array(repeating: 0x4E, count: 16)) else {
            preconditionFailure("a GUID has 16 bytes")
        }
        return guid
    }
    var cameraID: String { "heron:\(serial)" }
    var modelName: String { "H1" }
    var shownSpeed: BodySpeed { BodySpeed(speed) }
    var isButtonHeld: Bool { false }
    var slotHold: Duration { options.slotHold ?? .milliseconds(500) }
    var idleLimit: Duration? { nil }

    private var deviceInfo: DeviceInfo {
        var info = DeviceInfo()
        info.operations = operations
        info.manufacturer = "Heron Instruments"
        info.model = modelName
        info.deviceVersion = "1"
        info.serialNumber = serial
        return info
    }

    private var state: HeronState {
        let activity: HeronState.Activity =
            switch shutter {
            case .ready: .idle
            case .releasing, .open: .exposing
            case .writing: .writing
            }
        return HeronState(
            mode: mode.rawValue.utf8.first ?? 0,
            activity: activity,
            speed: HeronSpeed(speed),
            shotsLeft: UInt16(clamping: shotsLeft),
            battery: UInt8(clamping: battery),
            newFiles: UInt16(unresolved.count),
            speeds: speeds.map { HeronSpeed($0) }
        )
    }

    // MARK: Operations

    mutating func perform(_ request: ResponderRequest, at now: Duration) -> ResponderAnswer? {
        let parameter = request.parameters.first ?? 0
        switch request.code {
        case .getDeviceInfo: return .ok(deviceInfo.encoded())
        case .openSession: return .ok
        case .closeSession:
            initiatorDisconnected(at: now)
            return .ok
        case .heronRemote:
            isRemote = parameter == 1
            return .ok
        case .heronState:
            readSpeed = speed
            if shutter != .ready { outputs.append(.fact(.shown(BodySpeed(speed)))) }
            return .ok(state.encoded)
        case .heronSpeed: return set(request.data, at: now)
        case .heronShoot: return shoot(request.transaction, at: now)
        case .heronFiles:
            defer { unresolved = [] }
            var writer = DatasetWriter()
            writer.array(unresolved)
            return .ok(writer.buffer)
        case .getObjectInfo: return objectInfo(parameter)
        case .getObject: return files[parameter].map { .ok($0.content) } ?? ResponderAnswer(.invalidObjectHandle)
        case .getPartialObject:
            guard let file = files[parameter], request.parameters.count == 3 else {
                return ResponderAnswer(.invalidObjectHandle)
            }
            return .ok(file.content.part(from: Int(request.parameters[1]), count: Int(request.parameters[2])))
        default: return ResponderAnswer(.operationNotSupported)
        }
    }

    private mutating func set(_ data: ByteBuffer, at now: Duration) -> ResponderAnswer {
        guard isRemote, mode.speedIsSettable else { return ResponderAnswer(.accessDenied) }
        guard shutter == .ready else { return ResponderAnswer(.deviceBusy) }
        var data = data
        let raw: UInt16? = data.readInteger(endianness: .little)
        guard let wanted = raw.flatMap({ HeronSpeed(rawValue: $0).speed }), speeds.contains(wanted) else {
            return ResponderAnswer(.invalidDevicePropValue)
        }
        schedule.plan(.speedShows(wanted), at: now + (options.readbackDelay ?? .milliseconds(50)))
        return .ok
    }

    private mutating func shoot(_ transaction: UInt32, at now: Duration) -> ResponderAnswer {
        let isTaken = isRemote && shutter == .ready && shotsLeft > 0
        let command = CommandID(rawValue: UInt64(transaction))
        let shown = readSpeed.map { BodySpeed($0) }
        outputs.append(
            .fact(.pressed(BodyPress(command: command, shown: shown, actual: BodySpeed(speed), isTaken: isTaken)))
        )
        guard isTaken else { return ResponderAnswer(shotsLeft > 0 ? .deviceBusy : .storeFull) }
        shutter = .releasing
        schedule.plan(.opens, at: now + Self.releaseLag)
        return .ok
    }

    private func objectInfo(_ handle: UInt32) -> ResponderAnswer {
        guard let file = files[handle] else { return ResponderAnswer(.invalidObjectHandle) }
        var info = ObjectInfo()
        info.format = 0x3801
        info.compressedSize = UInt32(clamping: file.content.count)
        info.filename = file.name
        info.captureDate = BodyClock(file.taken).ptp
        return .ok(info.encoded())
    }

    mutating func answered(_ transaction: UInt32, at now: Duration) {}
    mutating func brokeOff(_ transaction: UInt32, arriving time: Duration) {}
    mutating func cancelled(_ transaction: UInt32) {}

    mutating func initiatorDisconnected(at now: Duration) {
        isRemote = false
        readSpeed = nil
    }

    // MARK: Time

    var nextDeadline: Duration? { schedule.nextTime }

    mutating func advance(to now: Duration) {
        while let (time, event) = schedule.takeNext(dueBy: now) { perform(event, at: time) }
    }

    private mutating func perform(_ event: ScheduledEvent, at now: Duration) {
        switch event {
        case .speedShows(let value): speed = value
        case .turned(let value):
            outputs.append(.fact(.moved(BodySpeed(value))))
            speed = value
        case .opens:
            shutter = .open(speed, since: now)
            outputs.append(.fact(.opened(BodySpeed(speed))))
            schedule.plan(.closes, at: now + speed.exposureTime)
        case .closes:
            guard case .open(let speed, let since) = shutter else { return }
            let settings = FrameSettings(iso: 100, aperture: 800, mode: mode)
            let frame = CardFrame(
                number: card.count + 1,
                speed: BodySpeed(speed),
                at: since,
                exposure: now - since,
                settings: settings
            )
            card.append(frame)
            outputs.append(.exposed(frame))
            shutter = .writing
            schedule.plan(.written(frame), at: now + (options.saveTime ?? .milliseconds(200)))
        case .written(let frame): write(frame, at: now)
        }
    }

    private mutating func write(_ frame: CardFrame, at now: Duration) {
        shutter = .ready
        shotsLeft -= 1
        card[frame.number - 1].written = now
        let picture = SimulatedPicture(
            maker: "HERON",
            model: modelName,
            firmware: "1",
            frame: frame,
            byteCount: options.pictureSize
        )
        let handle = UInt32(frame.number) << 8 | 1
        let digits = String(100_000 + frame.number).dropFirst()
        files[handle] = File(name: "HRN\(digits).JPG", content: picture.jpeg(), taken: frame.at)
        unresolved.append(handle)
    }

    mutating func clearFaults(mode: DialMode, at now: Duration) -> Bool {
        self.mode = mode
        battery = 80
        return false
    }

    // MARK: The user's actions

    mutating func turnDial(to mode: DialMode, at now: Duration) { self.mode = mode }

    mutating func turnSpeed(to speed: ShutterSpeed, at now: Duration) {
        if speeds.contains(speed) { schedule.plan(.turned(speed), at: now) }
    }

    mutating func setBattery(percent: Int, at now: Duration) { battery = percent }

    mutating func losePower(at now: Duration) {
        schedule = Schedule()
        shutter = .ready
        isRemote = false
        readSpeed = nil
        unresolved = []
    }
}

extension BodyMaker {
    static let heron = BodyMaker(
        name: "heron",
        models: [
            BodyModel(shortName: "h1", name: "H1", summary: "exists in tests only") {
                PTPIPBody(HeronBody(options: $0), options: $0)
            }
        ],
        drivers: .withHeron
    )
}

extension CameraDrivers {
    /// The product's makers, and Heron.
    static let withHeron = CameraDrivers([
        Row(.ptpip) { PTPIP(identity: $0, makers: PTPIPMakerRow.all + [.heron]) }
    ])
}
