import Cameras
import Exposure
import NIOCore
import PTP

/// A body that a test controls: the properties of a real RX100 VII, a shutter, a buffer, and a switch for every error.
/// It knows only its own side of the connection, and gets the time from the bench.
struct ScriptedBody: BenchBody {
    typealias Answer = ScriptedAnswer

    /// The next actions of the body.
    enum ScheduledEvent {
        case event(EventCode)
        case exposureEnds(files: Int)
        case filesReady(Int)
        case lateFile
        case written
        case counted
        case speedShows(UInt32)
        case focused
    }

    /// The way in which a transfer is interrupted.
    enum Break {
        case link(after: Int)
        case answer(ResponseCode, after: Int)
    }

    var records: [SonyPropertyRecord]
    var manufacturer = "Sony Corporation"
    var model = "TEST-1"
    var serialNumber = "0000000000000000000000000001234"
    var extensionVersion: UInt16 = 0x012C
    var controls: [SonyControl] = [.halfPress]
    /// Properties that are listed in 0x9202 and missing in 0x9209.
    var listedOnly: [PropertyCode] = []
    /// Whether the body shows an empty buffer until the file is ready.
    var hidesPreparation = false
    /// The dial that moves the shutter speed by steps; nil: the body has version 3.
    var stepper: SteppingDial?
    /// The number of times that 0x9202 returns an empty answer.
    var emptyExtDeviceInfos = 0
    var sendsEvents = true
    /// Whether the body sends 0xC206 when the exposure ends.
    var announcesPictures = false
    /// Whether pictures are stored on the card only: no file for the host, and no 0xC201.
    var storesOnCardOnly = false
    /// The time from the end of an exposure until the shot counter decreases.
    var countsAfter: Duration = .zero
    /// The time for which the body writes; it then shows an empty buffer and ignores settings.
    var locksWhileWriting: Duration?
    var filesPerFrame = 1
    /// The properties that a version 2 body moves by notches, with their values. A notch of +1 moves forward in the
    /// list.
    var dials: [PropertyCode: [PTPValue]] = [:]
    /// The time from the fetch of the first file until the second file is ready; nil: it is ready at once.
    var secondFileDelay: Duration?
    var readbackDelay: Duration = .milliseconds(50)
    var saveTime: Duration = .milliseconds(300)
    /// The time until focus is found, and then the value of 0xD213.
    var focusTime: Duration = .milliseconds(150)
    var focusResult: UInt8 = 2
    /// Whether the full press takes no picture.
    var ignoresShutter = false
    /// The speed to which the body jumps at the shutter.
    var jumpsTo: ShutterSpeed?
    /// Whether the body no longer answers.
    var isMute = false
    /// The time until which the body performs every request and answers none.
    var holdsAnswersUntil: Duration = .zero
    /// The operations that DeviceInfo lists.
    var operations: [OperationCode] = []
    /// The size of the next files.
    var fileSize: UInt32 = 1000
    /// The files of the next frames, which come before ordinary files.
    var nextFiles: [ObjectInfo] = []
    /// The interruptions of the next transfers of a file. The file then stays in the buffer.
    var breaks: [Break] = []
    /// The maximum number of bytes that 0x101B returns at once.
    var partMax = Int.max
    /// The next answers to these operations, which come before the ordinary answers.
    var overrides: [OperationCode: [Answer]] = [:]
    /// The name and the format of each file that the driver will fetch; by default DSC0000n.JPG, .ARW.
    private(set) var files: [ObjectInfo] = []
    private(set) var framesFired: [UInt32] = []
    private(set) var isHalfDown = false
    private(set) var isFullDown = false
    var happenings: [(at: Duration, what: ScheduledEvent)] = []
    private var fileNumber = 0
    private var owedFile: ObjectInfo?

    private static let recordsOfRX100M7 =
        SonyPropertyDataset(decoding: SonyVectors.propertiesOfRX100M7, version: .version3).records

    static func name(of code: OperationCode) -> String { code.sonyName }

    init() {
        records = Self.recordsOfRX100M7
        set(.focusMode, .uint16(SonyFocusMode.manual.rawValue))
    }

    // MARK: Properties

    subscript(code: PropertyCode) -> SonyPropertyRecord {
        get { records.first { $0.code == code } ?? records[0] }
        set {
            if let index = records.firstIndex(where: { $0.code == code }) { records[index] = newValue }
        }
    }

    mutating func set(_ code: PropertyCode, _ value: PTPValue) {
        self[code].currentValue = value
    }

    var speed: UInt32 { UInt32(self[.sonyShutterSpeed].currentValue.integer ?? 0) }

    private mutating func setFileInfo() {
        let info: SonyShootingFileInfo = files.isEmpty ? .empty : .ready(files.count)
        set(.sonyShootingFileInfo, .uint16(info.rawValue))
    }

    /// Puts files into the buffer that belong to no command.
    mutating func leaveFiles(_ count: Int) {
        for _ in 0..<count { files.append(nextFile(format: 0x3801)) }
        setFileInfo()
    }

    mutating func leave(_ file: ObjectInfo) {
        files.append(file)
        setFileInfo()
    }

    mutating func removeFiles() {
        files.removeAll()
        setFileInfo()
    }

    private mutating func nextFile(format: UInt16) -> ObjectInfo {
        fileNumber += 1
        return file(number: fileNumber, format: format)
    }

    private func file(number: Int, format: UInt16) -> ObjectInfo {
        var info = ObjectInfo()
        info.format = format
        info.compressedSize = fileSize
        info.filename = "DSC\(10000 + number)." + (format == 0xB101 ? "ARW" : "JPG")
        return info
    }

    // MARK: Operations

    mutating func answer(_ request: OperationRequest, _ data: ByteBuffer?, at now: Duration) -> Answer? {
        if isMute { return nil }
        if var queue = overrides[request.code], !queue.isEmpty {
            let answer = queue.removeFirst()
            overrides[request.code] = queue
            return answer
        }
        switch request.code {
        case .openSession, .closeSession:
            return Answer()
        case .getDeviceInfo:
            return Answer(data: deviceInfo)
        case .sdioConnect:
            return Answer(data: ByteBuffer(repeating: 0, count: 8))
        case .sdioGetExtDeviceInfo:
            return extDeviceInfo()
        case .sdioGetAllExtDevicePropInfo:
            let version = SonyExtensionVersion(rawValue: extensionVersion) ?? .version3
            return Answer(data: SonyPropertyDataset(records: records).encoded(version: version))
        case .sdioSetExtDevicePropValue:
            return setProperty(request, data, at: now)
        case .sdioControlDevice:
            return control(request, data, at: now)
        case .getObjectInfo:
            return files.first.map { Answer(data: $0.encoded()) } ?? Answer(code: .invalidObjectHandle)
        case .getObject:
            return getObject(from: 0, atMost: Int.max, at: now)
        case .getPartialObject where operations.contains(.getPartialObject):
            return getObject(
                from: Int(request.parameters[1]),
                atMost: min(partMax, Int(request.parameters[2])),
                at: now
            )
        default:
            return Answer(code: .operationNotSupported)
        }
    }

    private var deviceInfo: ByteBuffer {
        var info = DeviceInfo()
        info.operations = operations
        info.manufacturer = manufacturer
        info.model = model
        info.deviceVersion = "1.00"
        info.serialNumber = serialNumber
        return info.encoded()
    }

    private mutating func extDeviceInfo() -> Answer {
        if emptyExtDeviceInfos > 0 {
            emptyExtDeviceInfos -= 1
            return Answer(data: ByteBuffer())
        }
        let codes = records.map(\.code) + listedOnly
        let info = SonyExtDeviceInfo(version: extensionVersion, properties: codes, controls: controls)
        return Answer(parameters: [UInt32(extensionVersion)], data: info.encoded())
    }

    private mutating func setProperty(_ request: OperationRequest, _ data: ByteBuffer?, at now: Duration) -> Answer {
        guard let code = request.parameters.first, let data else { return Answer(code: .invalidParameter) }
        let property = PropertyCode(rawValue: UInt16(truncatingIfNeeded: code))
        var reader = DatasetReader(data)
        let type = property == .sonyShutterSpeedVersion2 ? .uint32 : self[property].type
        guard let value = try? reader.value("value", of: type) else {
            return Answer(code: .invalidDevicePropFormat)
        }
        if property == .sonyShutterSpeed || property == .sonyShutterSpeedVersion2 {
            guard files.isEmpty else { return Answer() }
            plan(.speedShows(UInt32(value.integer ?? 0)), at: now + readbackDelay)
        } else {
            set(property, value)
        }
        return Answer()
    }

    private mutating func control(_ request: OperationRequest, _ data: ByteBuffer?, at now: Duration) -> Answer {
        if let answer = turnDial(request, data, at: now) { return answer }
        let isPressed = data == ByteBuffer(bytes: [2, 0])
        switch request.parameters.first {
        case UInt32(SonyControl.halfPress.rawValue):
            isHalfDown = isPressed
            set(.sonyFocusIndication, .uint8(1))
            let isManual = self[.focusMode].currentValue == .uint16(SonyFocusMode.manual.rawValue)
            if isPressed, !isManual { plan(.focused, at: now + focusTime) }
        case UInt32(SonyControl.fullPress.rawValue):
            isFullDown = isPressed
            if isPressed, isHalfDown, !ignoresShutter { fire(at: now) }
        case UInt32(SonyControl.shutterSpeed.rawValue):
            guard stepper != nil, let data else { return Answer(code: .parameterNotSupported) }
            for shown in stepper?.take(data, at: now) ?? [] { plan(.speedShows(shown.raw), at: shown.at) }
        default:
            return Answer(code: .parameterNotSupported)
        }
        return Answer()
    }

    private mutating func fire(at now: Duration) {
        if let jumpsTo { set(.sonyShutterSpeed, SonyShutterSpeed(jumpsTo).value) }
        framesFired.append(speed)
        let exposure = SonyShutterSpeed(rawValue: speed).shutterSpeed?.exposureTime ?? .zero
        if !storesOnCardOnly, !hidesPreparation { set(.sonyShootingFileInfo, .uint16(1)) }
        plan(.exposureEnds(files: filesPerFrame), at: now + exposure)
    }

    private mutating func getObject(from offset: Int, atMost count: Int, at now: Duration) -> Answer {
        guard let file = files.first else { return Answer(code: .invalidObjectHandle) }
        let content = Self.content(of: file)
        let data = content.getSlice(at: offset, length: min(count, content.readableBytes - offset))
        if !breaks.isEmpty {
            let size = data?.readableBytes ?? 0
            switch breaks.removeFirst() {
            case .link(let limit):
                return Answer(data: data, linkBreaksAfter: min(limit, size))
            case .answer(let code, let limit):
                let part = data?.getSlice(at: 0, length: min(limit, size))
                return Answer(code: code, data: part, announced: UInt64(size))
            }
        }
        guard offset + (data?.readableBytes ?? 0) == content.readableBytes else { return Answer(data: data) }
        files.removeFirst()
        setFileInfo()
        if sendsEvents { plan(.event(.sonyObjectRemoved), at: now + .milliseconds(10)) }
        if owedFile != nil, let secondFileDelay { plan(.lateFile, at: now + secondFileDelay) }
        return Answer(data: data)
    }

    /// The content of a file. It differs for each file.
    static func content(of file: ObjectInfo) -> ByteBuffer {
        let seed = file.filename.utf8.reduce(Int(file.format)) { $0 &* 31 &+ Int($1) } & 0xFFFF
        let size = Int(file.compressedSize)
        return ByteBuffer(bytes: (0..<size).map { UInt8(truncatingIfNeeded: $0 * 7 + ($0 >> 8) + seed) })
    }

    // MARK: Time

    mutating func plan(_ what: ScheduledEvent, at time: Duration) {
        happenings.append((time, what))
    }

    var nextHappening: Duration? { happenings.map(\.at).min() }

    /// Performs the actions that are due. Returns the events that the body sends.
    mutating func advance(to now: Duration) -> [PTPEvent] {
        var events: [PTPEvent] = []
        while let index = happenings.indices.filter({ happenings[$0].at <= now }).min(by: {
            happenings[$0].at < happenings[$1].at
        }) {
            let (at, what) = happenings.remove(at: index)
            events += perform(what, at: at)
        }
        return sendsEvents ? events : []
    }

    private mutating func countPicture() {
        let left = self[.sonySlot1ShotsLeft].currentValue.integer ?? 0
        set(.sonySlot1ShotsLeft, .uint32(UInt32(left - 1)))
    }

    private mutating func perform(_ what: ScheduledEvent, at now: Duration) -> [PTPEvent] {
        switch what {
        case .event(let code):
            return [
                PTPEvent(code: code, parameters: code == .sonyDevicePropChanged ? [0] : [SonyObjectHandle.shotImage])
            ]
        case .speedShows(let raw):
            set(.sonyShutterSpeed, .uint32(raw))
            return [PTPEvent(code: .sonyDevicePropChanged, parameters: [0])]
        case .focused:
            set(.sonyFocusIndication, .uint8(focusResult))
            return []
        case .exposureEnds(let count):
            if countsAfter > .zero { plan(.counted, at: now + countsAfter) } else { countPicture() }
            if !storesOnCardOnly { plan(.filesReady(count), at: now + saveTime) }
            if let locksWhileWriting {
                self[.sonyShutterSpeed].availability = .displayOnly
                plan(.written, at: now + locksWhileWriting)
            }
            return announcesPictures ? [PTPEvent(code: .sonyCaptured)] : []
        case .filesReady(let count):
            files.append(nextFiles.isEmpty ? nextFile(format: 0x3801) : nextFiles.removeFirst())
            if count > 1 {
                let raw = file(number: fileNumber, format: 0xB101)
                if secondFileDelay == nil { files.append(raw) } else { owedFile = raw }
            }
            setFileInfo()
            return [PTPEvent(code: .sonyObjectAdded, parameters: [SonyObjectHandle.shotImage])]
        case .written:
            self[.sonyShutterSpeed].availability = .enabled
            return [PTPEvent(code: .sonyDevicePropChanged, parameters: [0])]
        case .counted:
            countPicture()
            return [PTPEvent(code: .sonyDevicePropChanged, parameters: [0])]
        case .lateFile:
            if let owedFile { files.append(owedFile) }
            owedFile = nil
            setFileInfo()
            return []
        }
    }
}

extension ScriptedBody {
    /// Moves a dial by a signed byte of notches. A value beyond an end of the range becomes that end.
    private mutating func turnDial(_ request: OperationRequest, _ data: ByteBuffer?, at now: Duration) -> Answer? {
        guard let code = request.parameters.first.map({ PropertyCode(rawValue: UInt16(truncatingIfNeeded: $0)) }),
            let scale = dials[code], let data, data.readableBytes == 1,
            let notches = data.getInteger(at: data.readerIndex, as: Int8.self),
            let index = scale.firstIndex(of: self[code].currentValue)
        else { return nil }
        set(code, scale[min(max(index + Int(notches), 0), scale.count - 1)])
        plan(.event(.sonyDevicePropChanged), at: now + .milliseconds(10))
        return Answer()
    }
}
