import Cameras
import Exposure
import NIOCore
import PTP

/// An EOS body that a test controls: its event list, a shutter, a card, and a switch for every error.
struct CanonScriptedBody: BenchBody {
    /// The next actions of the body.
    enum ScheduledEvent {
        case shows(PropertyCode, UInt32)
        case focused
        case exposureEnds
        case announces([CanonObject])
        case ready
        case counted
    }

    /// What the body reports after a half press.
    enum FocusScript {
        case succeeds, fails, isSilent
        /// All reports from the search to the rest come in one list, as on an R8.
        case succeedsInOneList
    }

    var manufacturer = "Canon.Inc"
    var model = "Canon EOS R6m2"
    var serialNumber = "0123456789abcdef0123456789abcdef"
    var operations: [OperationCode] = [
        .getDeviceInfo, .openSession, .closeSession, .getStorageIDs, .getObjectHandles, .getObjectInfo, .getObject,
        .getPartialObject, .canonSetProperty, .canonSetRemoteMode, .canonSetEventMode, .canonGetEvent,
        .canonTransferComplete, .canonPCHDDCapacity, .canonKeepDeviceOn, .canonRequestProperty, .canonPress,
        .canonRelease, .canonRequestDisplayInfo,
    ]
    var isMute = false
    var holdsAnswersUntil: Duration = .zero
    var values: [PropertyCode: UInt32] = [
        .canonExposureMode: 3, .canonShutterSpeed: 0x70, .canonAperture: 0x38, .canonISO: 0x48, .canonDriveMode: 0,
        .canonFocusMode: 3, .canonWhiteBalance: 0, .canonBattery: 2, .canonShotsLeft: 500, .canonSaveTarget: 2,
        .canonDisplayInfoVersion: 0x0B,
    ]
    var lists: [PropertyCode: [UInt32]] = [
        .canonShutterSpeed: ShutterSpeed.all.reversed().map { CanonShutterSpeed($0).rawValue },
        .canonAperture: [0x30, 0x33, 0x35, 0x38], .canonISO: [0, 0x48, 0x4B], .canonDriveMode: [0, 4, 5, 0x10, 0x11],
        .canonSaveTarget: [2, 4, 6],
    ]
    /// The next answers to these operations, which come before the ordinary answers.
    var overrides: [OperationCode: [ScriptedAnswer]] = [:]
    /// The time until a written value is reported.
    var readbackDelay: Duration = .milliseconds(30)
    /// How many of the next writes are answered with OK and change nothing.
    var ignoredWrites = 0
    var focusScript = FocusScript.succeeds
    var ignoresShutter = false
    var reportsStatus = true
    var announcesObjects = true
    var announcesTwice = false
    var countsShots = true
    /// The time from the end of an exposure until the files are announced.
    var objectDelay: Duration = .milliseconds(100)
    /// The time from the end of an exposure until the body is ready.
    var saveTime: Duration = .milliseconds(200)
    /// The time from the press until the counter decreases.
    var countDelay: Duration = .zero
    var hasRAW = false
    var fileSize = 3_000_000
    /// The time until the answer to a request for a part of a file.
    var partDelay: Duration = .milliseconds(2)
    /// Whether every list reports a change without a meaning.
    var isChatty = false
    /// The time of a dark frame after an exposure, in exposures.
    var darkFrames = 0
    /// Bytes that replace the next event lists.
    var damagedLists: [ByteBuffer] = []
    private(set) var framesFired: [UInt32] = []
    /// The stages of the button that are pressed.
    private(set) var pressed: Set<UInt32> = []
    var files: [UInt32: ObjectInfo] = [:] { didSet { contents.removeAll() } }
    /// The contents of the files that were fetched.
    private var contents: [UInt32: ByteBuffer] = [:]
    private(set) var isExposing = false
    private var records = ByteBuffer()
    private var fileNumber: UInt32 = 100
    private var happenings: [(at: Duration, what: ScheduledEvent)] = []

    static func name(of code: OperationCode) -> String { code.canonName }

    // MARK: Records

    mutating func report(_ type: UInt32, _ words: [UInt32]) {
        records.writeMultipleIntegers(UInt32(8 + words.count * 4), type, endianness: .little)
        for word in words { records.writeInteger(word, endianness: .little) }
    }

    mutating func set(_ code: PropertyCode, _ value: UInt32) {
        values[code] = value
        report(0xC189, [UInt32(code.rawValue), value])
    }

    mutating func setList(_ code: PropertyCode, _ list: [UInt32]) {
        lists[code] = list
        report(0xC18A, [UInt32(code.rawValue), 3, UInt32(list.count)] + list)
    }

    /// Reports one block of the display data.
    private mutating func reportDisplay(mask: UInt16, _ block: [UInt8]) {
        records.writeMultipleIntegers(UInt32(16 + block.count), UInt32(0xC1A5), endianness: .little)
        records.writeMultipleIntegers(UInt32(8 + block.count), mask, UInt16(0), endianness: .little)
        records.writeBytes(block)
    }

    mutating func announce(_ object: CanonObject) {
        let name = Array(object.name.utf8.prefix(15))
        records.writeMultipleIntegers(UInt32(64), UInt32(0xC1A7), object.handle, endianness: .little)
        records.writeInteger(UInt32(0x0002_0001), endianness: .little)
        records.writeMultipleIntegers(UInt32(object.format ?? 0), UInt32(0), UInt32(0x20), endianness: .little)
        records.writeInteger(object.byteCount ?? 0, endianness: .little)
        records.writeMultipleIntegers(UInt32(0x9190_0000), object.group ?? 0, endianness: .little)
        records.writeBytes(name + Array(repeating: 0, count: 16 - name.count))
        records.writeInteger(object.takenAt ?? 1_700_000_000, endianness: .little)
    }

    /// Requests the transfer of a file that exists only in the buffer (0xC186), and has the file.
    mutating func announceInBuffer(_ handle: UInt32, _ info: ObjectInfo) {
        files[handle] = info
        report(0xC186, [handle, UInt32(info.format), 0, info.compressedSize, 0, 0])
    }

    private mutating func reportAll() {
        for code in values.keys.sorted(by: { $0.rawValue < $1.rawValue }) { set(code, values[code] ?? 0) }
        for code in lists.keys.sorted(by: { $0.rawValue < $1.rawValue }) { setList(code, lists[code] ?? []) }
    }

    private mutating func takeList() -> ByteBuffer {
        if !damagedLists.isEmpty { return damagedLists.removeFirst() }
        if isChatty { report(0xC1F6, [0]) }
        defer { records.clear() }
        var list = records
        list.writeMultipleIntegers(UInt32(8), UInt32(0), endianness: .little)
        return list
    }

    // MARK: Operations

    mutating func answer(_ request: OperationRequest, _ data: ByteBuffer?, at now: Duration) -> ScriptedAnswer? {
        if isMute { return nil }
        if var queue = overrides[request.code], !queue.isEmpty {
            let answer = queue.removeFirst()
            overrides[request.code] = queue
            return answer
        }
        let parameter = request.parameters.first ?? 0
        switch request.code {
        case .openSession, .closeSession, .canonSetRemoteMode, .canonRequestDisplayInfo, .canonKeepDeviceOn,
            .canonPCHDDCapacity, .canonTransferComplete:
            return ScriptedAnswer()
        case .getDeviceInfo: return ScriptedAnswer(data: deviceInfo)
        case .getStorageIDs: return ScriptedAnswer(data: ByteBuffer(hex: "0100000001000200"))
        case .canonSetEventMode:
            // The first list has the present values, and no earlier change.
            records.clear()
            if parameter > 0 { reportAll() }
            return ScriptedAnswer()
        case .canonGetEvent: return ScriptedAnswer(data: takeList())
        case .canonRequestProperty:
            let code = PropertyCode(rawValue: UInt16(truncatingIfNeeded: parameter))
            set(code, values[code] ?? 0)
            return ScriptedAnswer()
        case .canonSetProperty: return write(data, at: now)
        case .canonPress: return press(request, at: now)
        case .canonRelease:
            pressed.remove(parameter)
            return ScriptedAnswer()
        case .canonRemoteRelease:
            if !ignoresShutter { fire(at: now) }
            return ScriptedAnswer(parameters: [0])
        case .getObjectInfo:
            return files[parameter].map { ScriptedAnswer(data: $0.encoded()) }
                ?? ScriptedAnswer(code: .invalidObjectHandle)
        case .getPartialObject:
            guard let file = files[parameter] else { return ScriptedAnswer(code: .invalidObjectHandle) }
            let content = contents[parameter] ?? Self.content(of: file)
            contents[parameter] = content
            let (start, count) = (Int(request.parameters[1]), Int(request.parameters[2]))
            let length = min(count, content.readableBytes - start)
            return ScriptedAnswer(data: content.getSlice(at: start, length: length), after: partDelay)
        case .getObjectHandles:
            var writer = DatasetWriter()
            writer.array(files.keys.sorted())
            return ScriptedAnswer(data: writer.buffer)
        default: return ScriptedAnswer(code: .operationNotSupported)
        }
    }

    private var deviceInfo: ByteBuffer {
        var info = DeviceInfo()
        info.operations = operations
        info.manufacturer = manufacturer
        info.model = model
        info.deviceVersion = "1.0.0"
        info.serialNumber = serialNumber
        return info.encoded()
    }

    private mutating func write(_ data: ByteBuffer?, at now: Duration) -> ScriptedAnswer {
        guard let data, let code = data.getInteger(at: 4, endianness: .little, as: UInt32.self),
            let value = data.getInteger(at: 8, endianness: .little, as: UInt32.self)
        else { return ScriptedAnswer(code: .invalidParameter) }
        let property = PropertyCode(rawValue: UInt16(truncatingIfNeeded: code))
        // A real 60D answers in this way to a value outside its list.
        guard !isExposing, lists[property]?.contains(value) == true else { return ScriptedAnswer(code: .deviceBusy) }
        if ignoredWrites > 0 {
            ignoredWrites -= 1
        } else {
            plan(.shows(property, value), at: now + readbackDelay)
        }
        return ScriptedAnswer()
    }

    private mutating func press(_ request: OperationRequest, at now: Duration) -> ScriptedAnswer {
        guard !isExposing else { return ScriptedAnswer(code: .deviceBusy) }
        let stages = request.parameters.first ?? 0
        pressed.insert(stages)
        if stages == 1 {
            plan(.focused, at: now + .milliseconds(20))
        } else if !ignoresShutter {
            fire(at: now)
        }
        return ScriptedAnswer()
    }

    private mutating func fire(at now: Duration) {
        let raw = values[.canonShutterSpeed] ?? 0
        framesFired.append(raw)
        isExposing = true
        if reportsStatus { report(0xC18B, [1]) }
        if countsShots { plan(.counted, at: now + countDelay) }
        plan(.exposureEnds, at: now + (CanonShutterSpeed(rawValue: raw).exposureTime ?? .zero) * (1 + darkFrames))
    }

    // MARK: Files

    /// Adds the files of a picture to the card.
    private mutating func newFiles() -> [CanonObject] {
        fileNumber += 1
        let group = 0x9190_0000 + fileNumber << 4
        var kinds: [(kind: UInt32, format: UInt16, ending: String)] = [(2, 0x3801, "JPG")]
        // An R6 Mark II announces the RAW file first.
        if hasRAW { kinds.insert((1, 0xB108, "CR3"), at: 0) }
        return kinds.map { kind in
            let name = "IMG_\(fileNumber).\(kind.ending)"
            let handle = group + kind.kind
            files[handle] = .file(name, format: kind.format, size: UInt32(fileSize), date: "20261126T120000")
            return CanonObject(
                handle: handle,
                format: kind.format,
                byteCount: UInt64(fileSize),
                group: group,
                name: name
            )
        }
    }

    static func content(of file: ObjectInfo) -> ByteBuffer { ScriptedBody.content(of: file) }

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
        return []
    }

    private mutating func perform(_ what: ScheduledEvent, at now: Duration) {
        switch what {
        case .shows(let code, let value): set(code, value)
        case .focused:
            switch focusScript {
            case .succeeds: reportDisplay(mask: 0x0100, [0, 0, 0, 0, 1, 1])
            case .fails: reportDisplay(mask: 0x0100, [0, 0, 0, 0, 2, 0])
            case .succeedsInOneList:
                for end: [UInt8] in [[0, 1], [1, 1], [0, 0]] { reportDisplay(mask: 0x0100, [0, 0, 0, 0] + end) }
            case .isSilent: break
            }
        case .exposureEnds:
            let objects = newFiles()
            if announcesObjects { plan(.announces(objects), at: now + objectDelay) }
            plan(.ready, at: now + saveTime)
        case .announces(let objects):
            for object in objects { announce(object) }
            if announcesTwice { for object in objects { announce(object) } }
        case .ready:
            isExposing = false
            if reportsStatus { report(0xC18B, [0]) }
        case .counted: set(.canonShotsLeft, (values[.canonShotsLeft] ?? 1) - 1)
        }
    }
}

/// The bench for Canon's part of the driver.
typealias CanonBench = Bench<CanonScriptedBody>

extension CanonBench {
    /// A connected bench. Its set-up is over for a while.
    static func connected(
        keeping policy: TransferPolicy? = nil,
        _ change: (inout CanonScriptedBody) -> Void = { _ in }
    ) -> CanonBench {
        let bench = CanonBench(change)
        if let policy { bench.perform(.keepPictures(PictureRequest(policy: policy))) }
        bench.connect()
        bench.run(for: .milliseconds(700))
        bench.forget()
        return bench
    }

    /// The operations without the requests for lists and the signs of life.
    var actions: [String] { operations.filter { $0 != "GetEvent" && $0 != "KeepDeviceOn" } }

    var listCount: Int { operations.filter { $0 == "GetEvent" }.count }

    /// The values that were written, without the size: `1cd10000 02000000`.
    var writes: [String] {
        let writes = requests.filter { $0.request.code == .canonSetProperty }
        return writes.compactMap(\.data).map { String($0.hex.dropFirst(8)) }
    }

    func breakLink() { receive(.closed(.command, reason: "reset")) }
}
