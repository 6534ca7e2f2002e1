import Cameras
import Exposure
import NIOCore
import PTP

/// A body that does what a test tells it to: the property table of a real RX100 VII, a shutter, a buffer, and switches
/// for everything that goes wrong. It knows only its own side of the wire and takes its time from the bench.
struct ScriptedBody {
    struct Answer {
        var code = ResponseCode.ok
        var parameters: [UInt32] = []
        var data: ByteBuffer?
        var after: Duration = .milliseconds(2)
    }

    /// What the body will do by itself.
    enum Happening {
        case event(EventCode)
        case exposureEnds(files: Int)
        case filesReady(Int)
        case lateFile
        case written
        case speedShows(UInt32)
        case focused
    }

    var records: [SonyPropertyRecord]
    var manufacturer = "Sony Corporation"
    var model = "TEST-1"
    var extensionVersion: UInt16 = 0x012C
    /// How often 0x9202 comes back empty.
    var emptyExtDeviceInfos = 0
    var sendsEvents = true
    /// Sends 0xC206 when the exposure ends.
    var announcesPictures = false
    /// Pictures go to the card alone: no file, no 0xC201.
    var storesOnCardOnly = false
    /// Shows an empty buffer and takes no setting while it writes for so long.
    var locksWhileWriting: Duration?
    var filesPerFrame = 1
    /// The second file is ready only so long after the first was fetched; nil: at once.
    var secondFileDelay: Duration?
    var readbackDelay: Duration = .milliseconds(50)
    var saveTime: Duration = .milliseconds(300)
    /// When focus is found, and what 0xD213 then says.
    var focusTime: Duration = .milliseconds(150)
    var focusResult: UInt8 = 2
    /// The full press takes no picture.
    var ignoresShutter = false
    /// Nothing is answered any more.
    var isMute = false
    /// The next answers to these operations, before the ordinary ones.
    var overrides: [OperationCode: [Answer]] = [:]
    /// A pair with the name and format of each file that will be fetched; else DSC0000n.JPG, .ARW.
    private(set) var files: [ObjectInfo] = []
    private(set) var framesFired: [UInt32] = []
    private(set) var isHalfDown = false
    private(set) var isFullDown = false
    var happenings: [(at: Duration, what: Happening)] = []
    private var fileNumber = 0
    private var owedFile: ObjectInfo?

    private static let recordsOfRX100M7 =
        SonyPropertyDataset(decoding: SonyVectors.propertiesOfRX100M7, version: .version3).records

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

    /// Puts files into the buffer that nobody asked for.
    mutating func leaveFiles(_ count: Int) {
        for _ in 0..<count { files.append(nextFile(format: 0x3801)) }
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
        info.compressedSize = 1000
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
            return Answer(data: SonyPropertyDataset(records: records).encoded(version: .version3))
        case .sdioSetExtDevicePropValue:
            return setProperty(request, data, at: now)
        case .sdioControlDevice:
            return control(request, data, at: now)
        case .getObjectInfo:
            return files.first.map { Answer(data: $0.encoded()) } ?? Answer(code: .invalidObjectHandle)
        case .getObject:
            return getObject(at: now)
        default:
            return Answer(code: .operationNotSupported)
        }
    }

    private var deviceInfo: ByteBuffer {
        var info = DeviceInfo()
        info.manufacturer = manufacturer
        info.model = model
        info.deviceVersion = "1.00"
        info.serialNumber = "0000000000000000000000000001234"
        return info.encoded()
    }

    private mutating func extDeviceInfo() -> Answer {
        if emptyExtDeviceInfos > 0 {
            emptyExtDeviceInfos -= 1
            return Answer(data: ByteBuffer())
        }
        let info = SonyExtDeviceInfo(version: extensionVersion, properties: records.map(\.code), controls: [.halfPress])
        return Answer(parameters: [UInt32(extensionVersion)], data: info.encoded())
    }

    private mutating func setProperty(_ request: OperationRequest, _ data: ByteBuffer?, at now: Duration) -> Answer {
        guard let code = request.parameters.first, let data else { return Answer(code: .invalidParameter) }
        let property = PropertyCode(rawValue: UInt16(truncatingIfNeeded: code))
        var reader = DatasetReader(data)
        guard let value = try? reader.value("value", of: self[property].type) else {
            return Answer(code: .invalidDevicePropFormat)
        }
        if property == .sonyShutterSpeed {
            guard files.isEmpty else { return Answer() }
            plan(.speedShows(UInt32(value.integer ?? 0)), at: now + readbackDelay)
        } else {
            set(property, value)
        }
        return Answer()
    }

    private mutating func control(_ request: OperationRequest, _ data: ByteBuffer?, at now: Duration) -> Answer {
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
        default:
            return Answer(code: .parameterNotSupported)
        }
        return Answer()
    }

    private mutating func fire(at now: Duration) {
        framesFired.append(speed)
        let exposure = SonyShutterSpeed(rawValue: speed).shutterSpeed?.exposureTime ?? .zero
        if !storesOnCardOnly { set(.sonyShootingFileInfo, .uint16(1)) }
        plan(.exposureEnds(files: filesPerFrame), at: now + exposure)
    }

    private mutating func getObject(at now: Duration) -> Answer {
        guard !files.isEmpty else { return Answer(code: .invalidObjectHandle) }
        let size = Int(files.removeFirst().compressedSize)
        setFileInfo()
        if sendsEvents { plan(.event(.sonyObjectRemoved), at: now + .milliseconds(10)) }
        if owedFile != nil, let secondFileDelay { plan(.lateFile, at: now + secondFileDelay) }
        return Answer(data: ByteBuffer(repeating: 7, count: size))
    }

    // MARK: Time

    mutating func plan(_ what: Happening, at time: Duration) {
        happenings.append((time, what))
    }

    var nextHappening: Duration? { happenings.map(\.at).min() }

    /// Does what is due; returns the events that it sends.
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

    private mutating func perform(_ what: Happening, at now: Duration) -> [PTPEvent] {
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
            let left = self[.sonySlot1ShotsLeft].currentValue.integer ?? 0
            set(.sonySlot1ShotsLeft, .uint32(UInt32(left - 1)))
            if !storesOnCardOnly { plan(.filesReady(count), at: now + saveTime) }
            if let locksWhileWriting {
                self[.sonyShutterSpeed].availability = .displayOnly
                plan(.written, at: now + locksWhileWriting)
            }
            return announcesPictures ? [PTPEvent(code: .sonyCaptured)] : []
        case .filesReady(let count):
            let jpeg = nextFile(format: 0x3801)
            files.append(jpeg)
            if count > 1 {
                let raw = file(number: fileNumber, format: 0xB101)
                if secondFileDelay == nil { files.append(raw) } else { owedFile = raw }
            }
            setFileInfo()
            return [PTPEvent(code: .sonyObjectAdded, parameters: [SonyObjectHandle.shotImage])]
        case .written:
            self[.sonyShutterSpeed].availability = .enabled
            return [PTPEvent(code: .sonyDevicePropChanged, parameters: [0])]
        case .lateFile:
            if let owedFile { files.append(owedFile) }
            owedFile = nil
            setFileInfo()
            return []
        }
    }
}
