import Exposure
import NIOCore
import PTP

@testable import Cameras

/// A Nikon body that a test controls: its properties, a shutter, a card, and a switch for every error.
struct NikonScriptedBody: BenchBody {
    /// The next actions of the body.
    enum ScheduledEvent {
        case shows(PropertyCode, Int64)
        case exposureEnds
        case ready
        case reports(NikonEvent)
        case counted
    }

    /// How the body reports its events.
    enum EventScript {
        case lists, packets, both
    }

    var manufacturer = "Nikon Corporation"
    var model = "NIKON Z 6_2"
    var serialNumber = "00000000000000000000000003001234"
    var operations: [OperationCode] = [
        .getDeviceInfo, .openSession, .closeSession, .getStorageIDs, .getObjectHandles, .getObjectInfo, .getObject,
        .deleteObject, .getDevicePropDesc, .getDevicePropValue, .setDevicePropValue, .getPartialObject,
        .nikonChangeCameraMode, .nikonDeleteFromMemory, .nikonGetEvent, .nikonDeviceReady, .nikonGetVendorPropCodes,
        .nikonCapture, .nikonGetEventEx, .nikonGetObjectSize, .nikonGetPartialObjectEx, .nikonChangeApplicationMode,
    ]
    var isMute = false
    var holdsAnswersUntil: Duration = .zero
    var properties: [PropertyCode: DevicePropDesc] = NikonScriptedBody.standard
    /// The next answers to these operations, which come before the ordinary answers.
    var overrides: [OperationCode: [ScriptedAnswer]] = [:]
    /// The answers to these operations for ever.
    var refusals: [OperationCode: ResponseCode] = [:]
    /// The time until a written value shows.
    var readbackDelay: Duration = .zero
    /// How many of the next writes are answered with OK and change nothing.
    var ignoredWrites = 0
    /// How many of the next requests of this property are rejected as busy.
    var ignoresShutter = false
    var eventScript = EventScript.lists
    var announcesObjects = true
    var reportsComplete = true
    /// Whether a new folder is announced before the first picture.
    var hasNewFolder = false
    var storesInMemory = false
    var countsShots = true
    var overhead: Duration = .milliseconds(200)
    /// The time from the end of the work until the files are announced.
    var objectDelay: Duration = .zero
    /// The time from an object until "capture complete".
    var completeDelay: Duration = .zero
    var hasRAW = false
    var fileSize = 3_000_000
    var partDelay: Duration = .milliseconds(2)
    /// The number of dark frames after an exposure.
    var darkFrames = 0
    /// The answer of DeviceReady while the body works.
    var busyCode = ResponseCode.deviceBusy
    /// The answer of DeviceReady when the body does not work.
    var readyCode = ResponseCode.ok
    /// Bytes that replace the next lists of events.
    var damagedLists: [ByteBuffer] = []
    private(set) var framesFired: [UInt32] = []
    private(set) var modes: [String: Bool] = [:]
    var files: [UInt32: ObjectInfo] = [:] { didSet { contents.removeAll() } }
    private var contents: [UInt32: ByteBuffer] = [:]
    private(set) var isWorking = false
    private var queue: [NikonEvent] = []
    private var fileNumber: UInt32 = 100
    private var happenings: [(at: Duration, what: ScheduledEvent)] = []
    private var packets: [PTPEvent] = []

    static func name(of code: OperationCode) -> String { code.nikonName }

    // MARK: Properties

    private static func property(
        _ code: PropertyCode,
        _ type: PTPDataType,
        _ value: Int64,
        _ list: [Int64] = []
    ) -> (PropertyCode, DevicePropDesc) {
        let values = list.compactMap { PTPValue($0, as: type) }
        let current = PTPValue(value, as: type) ?? .uint8(0)
        let descriptor = DevicePropDesc(
            code: code,
            type: type,
            isWritable: !list.isEmpty,
            defaultValue: current,
            currentValue: current,
            form: list.isEmpty ? .none : .enumeration(values)
        )
        return (code, descriptor)
    }

    static let speeds: [Int64] =
        ShutterSpeed.all.map { Int64(NikonShutterSpeed($0).rawValue) } + [0xFFFF_FFFF, 0xFFFF_FFFD, 0xFFFF_FFFE]

    static let standard = Dictionary(
        uniqueKeysWithValues: [
            property(.exposureProgramMode, .uint16, 1, [1, 2, 3, 4]),
            property(.nikonShutterSpeed, .uint32, 0x0001_007D, speeds),
            property(.fNumber, .uint16, 800, [280, 400, 560, 800]),
            property(.nikonISO, .uint32, 100, [100, 200, 400]),
            property(.nikonAutoISO, .uint8, 0, [0, 1]),
            property(.exposureBiasCompensation, .int16, 0, [-333, 0, 333]),
            property(.whiteBalance, .uint16, 2, [2, 4]),
            property(.stillCaptureMode, .uint16, 1, [1, 2, 0x8010, 0x8011]),
            property(.focusMode, .uint16, 1),
            property(.compressionSetting, .uint8, 4, Array(0...13)),
            property(.nikonRecordingMedia, .uint8, 0, [0, 1, 2]),
            property(.nikonNoiseReduction, .uint8, 0, [0, 1]),
            property(.batteryLevel, .uint8, 80),
            property(.nikonShotsLeft, .uint32, 500),
            property(.nikonLiveViewStatus, .uint8, 0),
            property(.nikonApplicationMode, .uint8, 0, [0, 1]),
        ]
    )

    /// Changes a value, and reports that.
    mutating func set(_ code: PropertyCode, _ value: Int64, reports: Bool = true) {
        guard let type = properties[code]?.type, let value = PTPValue(value, as: type) else { return }
        properties[code]?.currentValue = value
        if reports { report(NikonEvent(.propertyChanged, UInt32(code.rawValue))) }
    }

    func value(_ code: PropertyCode) -> Int64 { properties[code]?.currentValue.integer ?? 0 }

    /// Makes a property read-only, as the speed is outside the modes M and S.
    mutating func lock(_ code: PropertyCode) { properties[code]?.isWritable = false }

    // MARK: Events

    mutating func report(_ event: NikonEvent) {
        if eventScript != .packets { queue.append(event) }
        if eventScript != .lists { packets.append(PTPEvent(code: event.code, parameters: [event.parameter])) }
    }

    private mutating func takeList(isExtended: Bool) -> ByteBuffer {
        if !damagedLists.isEmpty { return damagedLists.removeFirst() }
        defer { queue.removeAll() }
        var list = ByteBuffer()
        if isExtended {
            list.writeInteger(UInt32(queue.count), endianness: .little)
        } else {
            list.writeInteger(UInt16(queue.count), endianness: .little)
        }
        for event in queue {
            list.writeInteger(event.code.rawValue, endianness: .little)
            if isExtended { list.writeInteger(UInt16(1), endianness: .little) }
            list.writeInteger(event.parameter, endianness: .little)
        }
        return list
    }

    // MARK: Operations

    mutating func answer(_ request: OperationRequest, _ data: ByteBuffer?, at now: Duration) -> ScriptedAnswer? {
        if isMute { return nil }
        if var answers = overrides[request.code], !answers.isEmpty {
            let answer = answers.removeFirst()
            overrides[request.code] = answers
            return answer
        }
        if let code = refusals[request.code] { return ScriptedAnswer(code: code) }
        guard operations.contains(request.code) else { return ScriptedAnswer(code: .operationNotSupported) }
        let parameter = request.parameters.first ?? 0
        switch request.code {
        case .openSession, .closeSession: return ScriptedAnswer()
        case .getDeviceInfo: return ScriptedAnswer(data: deviceInfo)
        case .nikonChangeApplicationMode, .nikonChangeCameraMode, .nikonStartLiveView, .nikonEndLiveView,
            .nikonConfirmPairing:
            modes[request.code.nikonName] = parameter != 0
            return ScriptedAnswer()
        case .nikonGetVendorPropCodes, .nikonGetVendorCodes:
            return ScriptedAnswer(data: vendorCodes(isWide: request.code == .nikonGetVendorCodes))
        case .getDevicePropDesc, .getDevicePropValue: return read(request)
        case .setDevicePropValue: return write(request, data, at: now)
        case .nikonGetEvent, .nikonGetEventEx:
            return ScriptedAnswer(data: takeList(isExtended: request.code == .nikonGetEventEx))
        case .nikonDeviceReady: return ScriptedAnswer(code: isWorking ? busyCode : readyCode)
        case .nikonCapture, .initiateCapture:
            if isWorking { return ScriptedAnswer(code: .deviceBusy) }
            if !ignoresShutter { fire(at: now) }
            return ScriptedAnswer()
        default: return answerAboutFiles(request)
        }
    }

    private mutating func answerAboutFiles(_ request: OperationRequest) -> ScriptedAnswer {
        let handle = request.parameters.first ?? 0
        if request.code == .getObjectHandles {
            var writer = DatasetWriter()
            writer.array(files.keys.filter { $0 != NikonEvent.memoryHandle }.sorted())
            return ScriptedAnswer(data: writer.buffer)
        }
        guard let file = files[handle] else { return ScriptedAnswer(code: .invalidObjectHandle) }
        switch request.code {
        case .getObjectInfo: return ScriptedAnswer(data: file.encoded())
        case .nikonGetObjectSize:
            var size = ByteBuffer()
            size.writeInteger(UInt64(file.compressedSize), endianness: .little)
            return ScriptedAnswer(data: size)
        case .deleteObject, .nikonDeleteFromMemory:
            files[handle] = nil
            return ScriptedAnswer()
        case .getObject: return ScriptedAnswer(data: content(handle, file), after: partDelay)
        case .getPartialObject, .nikonGetPartialObjectEx:
            let content = content(handle, file)
            let isWide = request.code == .nikonGetPartialObjectEx
            let (start, count) = (Int(request.parameters[1]), Int(request.parameters[isWide ? 3 : 2]))
            let length = max(min(count, content.readableBytes - start), 0)
            return ScriptedAnswer(data: content.getSlice(at: start, length: length), after: partDelay)
        default: return ScriptedAnswer(code: .operationNotSupported)
        }
    }

    private mutating func content(_ handle: UInt32, _ file: ObjectInfo) -> ByteBuffer {
        let content = contents[handle] ?? Self.content(of: file)
        contents[handle] = content
        return content
    }

    /// The bytes of a file. A JPEG begins like every JPEG.
    static func content(of file: ObjectInfo) -> ByteBuffer {
        var content = ScriptedBody.content(of: file)
        let head: [UInt8] = file.format == 0x3801 ? [0xFF, 0xD8, 0xFF, 0xE1] : [0x4D, 0x4D, 0x00, 0x2A]
        if content.readableBytes >= head.count { content.setBytes(head, at: 0) }
        return content
    }

    private var deviceInfo: ByteBuffer {
        var info = DeviceInfo()
        info.vendorExtensionID = .max
        info.operations = operations
        info.properties = properties.keys.filter { $0.rawValue < 0xD000 }.sorted { $0.rawValue < $1.rawValue }
        info.manufacturer = manufacturer
        info.model = model
        info.deviceVersion = "V1.00"
        info.serialNumber = serialNumber
        return info.encoded()
    }

    private func vendorCodes(isWide: Bool) -> ByteBuffer {
        let codes = properties.keys.filter { $0.rawValue >= 0xD000 }.map(\.rawValue).sorted()
        var writer = DatasetWriter()
        if isWide {
            writer.array(codes.map { UInt32($0) } + [0x0001_D001])
        } else {
            writer.array(codes)
        }
        return writer.buffer
    }

    private func read(_ request: OperationRequest) -> ScriptedAnswer {
        let code = PropertyCode(rawValue: UInt16(truncatingIfNeeded: request.parameters.first ?? 0))
        guard let descriptor = properties[code] else { return ScriptedAnswer(code: .devicePropNotSupported) }
        if request.code == .getDevicePropDesc { return ScriptedAnswer(data: descriptor.encoded()) }
        var writer = DatasetWriter()
        writer.value(descriptor.currentValue)
        return ScriptedAnswer(data: writer.buffer)
    }

    private mutating func write(_ request: OperationRequest, _ data: ByteBuffer?, at now: Duration) -> ScriptedAnswer {
        let code = PropertyCode(rawValue: UInt16(truncatingIfNeeded: request.parameters.first ?? 0))
        guard let descriptor = properties[code], let data else { return ScriptedAnswer(code: .devicePropNotSupported) }
        var reader = DatasetReader(data)
        guard let value = try? reader.value("Value", of: descriptor.type), reader.bytesLeft == 0 else {
            return ScriptedAnswer(code: .invalidDevicePropFormat)
        }
        if isWorking { return ScriptedAnswer(code: .deviceBusy) }
        guard descriptor.isWritable else { return ScriptedAnswer(code: .nikonSetPropertyNotSupported) }
        guard case .enumeration(let list) = descriptor.form, list.contains(value), let number = value.integer else {
            return ScriptedAnswer(code: .invalidDevicePropValue)
        }
        if ignoredWrites > 0 {
            ignoredWrites -= 1
        } else if readbackDelay > .zero {
            plan(.shows(code, number), at: now + readbackDelay)
        } else {
            set(code, number)
        }
        return ScriptedAnswer()
    }

    private mutating func fire(at now: Duration) {
        let raw = UInt32(truncatingIfNeeded: value(.nikonShutterSpeed))
        framesFired.append(raw)
        isWorking = true
        let exposure = NikonShutterSpeed(rawValue: raw).exposureTime ?? .zero
        plan(.exposureEnds, at: now + exposure * (1 + darkFrames))
    }

    // MARK: Files

    /// Adds the files of a picture to the card, or to the memory.
    private mutating func newFiles() -> [UInt32] {
        if storesInMemory {
            files[NikonEvent.memoryHandle] = .file("DSC_0000.JPG", size: UInt32(fileSize), date: "20261126T120000")
            return [NikonEvent.memoryHandle]
        }
        var handles: [UInt32] = []
        if hasNewFolder {
            hasNewFolder = false
            files[0x9100_0000] = .file("100NZ6_2", format: 0x3001, size: 0)
            handles.append(0x9100_0000)
        }
        fileNumber += 1
        var kinds: [(kind: UInt32, format: UInt16, ending: String)] = [(1, 0x3801, "JPG")]
        if hasRAW { kinds.insert((2, 0x3000, "NEF"), at: 0) }
        for kind in kinds {
            let handle = 0x9191_0000 + fileNumber << 4 + kind.kind
            let name = "DSC_0\(fileNumber).\(kind.ending)"
            files[handle] = .file(name, format: kind.format, size: UInt32(fileSize), date: "20261126T120000")
            handles.append(handle)
        }
        return handles
    }

    // MARK: Time

    private mutating func plan(_ what: ScheduledEvent, at time: Duration) { happenings.append((time, what)) }

    var nextHappening: Duration? { happenings.map(\.at).min() }

    mutating func advance(to now: Duration) -> [PTPEvent] {
        while let index = happenings.indices.filter({ happenings[$0].at <= now }).min(by: {
            happenings[$0].at < happenings[$1].at
        }) {
            let (at, what) = happenings.remove(at: index)
            perform(what, at: at)
        }
        defer { packets.removeAll() }
        return packets
    }

    private mutating func perform(_ what: ScheduledEvent, at now: Duration) {
        switch what {
        case .shows(let code, let value): set(code, value)
        case .exposureEnds: plan(.ready, at: now + overhead)
        case .ready:
            isWorking = false
            let handles = newFiles()
            let announcedAt = now + objectDelay
            if announcesObjects {
                let code: EventCode = storesInMemory ? .nikonObjectInMemory : .objectAdded
                for handle in handles { plan(.reports(NikonEvent(code, handle)), at: announcedAt) }
            }
            if reportsComplete, !storesInMemory {
                plan(.reports(NikonEvent(.captureComplete)), at: announcedAt + completeDelay)
            }
            if countsShots { plan(.counted, at: now) }
        case .reports(let event): report(event)
        case .counted: set(.nikonShotsLeft, value(.nikonShotsLeft) - 1)
        }
    }
}

/// The bench for Nikon's part of the driver.
typealias NikonBench = Bench<NikonScriptedBody>

extension NikonBench {
    /// A connected bench. Its set-up is over for a while.
    static func connected(
        keeping policy: TransferPolicy? = nil,
        _ change: (inout NikonScriptedBody) -> Void = { _ in }
    ) -> NikonBench {
        let bench = NikonBench(change)
        if let policy { bench.perform(.keepPictures(PictureRequest(policy: policy))) }
        bench.connect()
        bench.run(for: .milliseconds(1500))
        bench.forget()
        return bench
    }

    /// The operations without events, readiness and readings.
    var actions: [String] {
        let quiet = ["GetEvent", "DeviceReady", "GetDevicePropDesc", "GetDevicePropValue"]
        return operations.filter { name in !quiet.contains { name.hasPrefix($0) } }
    }

    func count(_ name: String) -> Int { operations.count { $0.hasPrefix(name) } }

    func breakLink() { receive(.closed(.command, reason: "reset")) }
}
