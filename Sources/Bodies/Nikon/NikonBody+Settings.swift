import Cameras
import Exposure
import NIOCore
import PTP

/// Properties: how an initiator reads and sets them, and the effects of a new value.
extension NikonBody {
    // MARK: Power-on

    mutating func applyOptions() {
        if faults.first({ $0 == .withoutShutterProperty ? true : nil }) != nil { sheet.remove(.nikonShutterSpeed) }
        if !speeds.contains(speed), let middle = speeds.isEmpty ? nil : speeds[speeds.count / 2] {
            speed = middle
            speedBefore = middle
        }
        if let percent = options.batteryPercent { sheet.set(.batteryLevel, Self.batteryLevel(percent)) }
        if let target = options.saveTarget { sheet.set(.nikonRecordingMedia, target.ofNikon) }
        if let format = options.fileFormat { sheet.set(.compressionSetting, format.ofNikon) }
        if let camera = options.scene?.scene.camera {
            sheet.set(.fNumber, Int64((camera.fNumber * 100).rounded()))
            for code in [PropertyCode.nikonISO, .exposureIndex] { sheet.set(code, Int64(camera.iso)) }
            sheet.set(.nikonAutoISO, 0)
        }
        if options.noiseReduction { sheet.set(.nikonNoiseReduction, 1) }
        sheet.set(.nikonShotsLeft, Int64(shotsLeft))
        if faults.first({ if case .unpaired = $0 { true } else { nil } }) != nil { pairing = .none }
        showDial()
    }

    /// UNSURE: an unknown charge is a number outside the range 1 to 100.
    static func batteryLevel(_ percent: Int) -> Int64 { percent < 0 ? 255 : Int64(percent) }

    /// Sets the properties that depend on the dial.
    private mutating func showDial() {
        sheet.set(.exposureProgramMode, mode.ofNikon)
        let offered = offeredSpeeds
        sheet.setChoices(.nikonShutterSpeed, offered.map { Int64($0.rawValue) }, isWritable: mode.speedIsSettable)
        var tenths: [Int64] = []
        for value in offered.compactMap(Self.tenths).map(Int64.init) where !tenths.contains(value) {
            tenths.append(value)
        }
        sheet.setChoices(.exposureTime, tenths, isWritable: mode.speedIsSettable)
        setSpeedValues()
    }

    private mutating func setSpeedValues() {
        sheet.set(.nikonShutterSpeed, Int64(speed.rawValue))
        if let tenths = Self.tenths(of: speed) { sheet.set(.exposureTime, Int64(tenths)) }
    }

    /// The speeds in the body's list. Bulb and Time occur in M only. A DSLR in A or P lists the speeds that the program
    /// can reach, and after them the present one.
    private var offeredSpeeds: [NikonShutterSpeed] {
        switch mode {
        case .manual: return speeds + Self.special
        case .shutterPriority: return speeds + [.flashSync]
        case .aperturePriority, .program:
            guard model.shortensSpeedList else { return speeds + [.flashSync] }
            let list = Array(speeds.prefix(23))
            return list.contains(speed) ? list : list + [speed]
        }
    }

    // MARK: Reading

    /// Answers GetDevicePropDesc and GetDevicePropValue, which are for codes with two bytes only (OpenZCine).
    mutating func read(_ number: UInt32, describes: Bool, at now: Duration) -> ResponderAnswer? {
        let code = PropertyCode(rawValue: UInt16(truncatingIfNeeded: number))
        guard number <= UInt32(UInt16.max) else { return ResponderAnswer(.generalError) }
        guard let row = sheet[code] else { return ResponderAnswer(.devicePropNotSupported) }
        if Self.speedCodes.contains(code) {
            if lastSet == .unread(frame: currentFrame) {
                lastSet = .read(frame: currentFrame)
                if fails(in: .confirm) { return nil }
            }
            noteSpeedRead()
            planFallBack(at: now)
        }
        return .ok(describes ? row.encoded() : row.currentValue.encoded())
    }

    private static let speedCodes: [PropertyCode] = [.nikonShutterSpeed, .exposureTime]

    private mutating func noteSpeedRead() {
        session?.readSpeed = speed
        switch shutter {
        case .focusing, .releasing, .open: outputs.append(.fact(.shown(ofBody(speed))))
        case .ready, .darkFrame, .saving, .stuck: break
        }
    }

    // MARK: Setting

    /// Why the body accepts no change and no release now; nil: it accepts them.
    var modeRefusal: ResponseCode? {
        // The fault cannot happen on a body that refuses the mode.
        let hasFault = faults.first { $0 == .needsRemoteMode ? true : nil } ?? false
        let needsRemote = hasFault && !model.refusesCameraMode
        let (isApplication, isRemote) = (session?.isApplication == true, session?.isRemote == true)
        // UNSURE: libgphoto2 enters the remote mode alone, OpenZCine the application mode alone. Either is enough.
        if model.needsApplicationMode, !isApplication, !isRemote { return .accessDenied }
        return needsRemote && !isRemote ? .accessDenied : nil
    }

    /// Handles SetDevicePropValue.
    mutating func set(_ number: UInt32, _ data: ByteBuffer, at now: Duration) -> ResponderAnswer? {
        let code = PropertyCode(rawValue: UInt16(truncatingIfNeeded: number))
        guard number <= UInt32(UInt16.max) else { return ResponderAnswer(.generalError) }
        guard let row = sheet[code] else { return ResponderAnswer(.devicePropNotSupported) }
        var reader = DatasetReader(data)
        guard let value = try? reader.value("Value", of: row.type), reader.bytesLeft == 0 else {
            return ResponderAnswer(.invalidDevicePropFormat)
        }
        if code == .nikonApplicationMode { return changeApplicationMode(value.integer == 1) }
        if let modeRefusal { return ResponderAnswer(modeRefusal) }
        if Self.speedCodes.contains(code) {
            return change(code, to: UInt32(truncatingIfNeeded: value.integer ?? 0), at: now)
        }
        guard shutter == .ready else { return ResponderAnswer(.deviceBusy) }
        if code == .exposureProgramMode { return changeMode(to: value.integer ?? 0, at: now) }
        guard row.isWritable else { return ResponderAnswer(model.refusal) }
        guard sheet.offers(code, value) else { return ResponderAnswer(.invalidDevicePropValue) }
        if consumeIgnored(code) {
            outputs.append(.log("fault: set of \(code.rawValue.hexadecimal) ignored"))
            return .ok
        }
        schedule.cancel { $0.shows(code) }
        schedule.plan(.propertyShows(code, value), at: now + readbackDelay)
        return .ok
    }

    private mutating func changeApplicationMode(_ isOn: Bool) -> ResponderAnswer {
        session?.isApplication = isOn
        sheet.set(.nikonApplicationMode, isOn ? 1 : 0)
        return .ok
    }

    /// Changes the mode, on a body without a mode dial.
    private mutating func changeMode(to number: Int64, at now: Duration) -> ResponderAnswer {
        let isFixed = faults.first { if case .rejectMode = $0 { true } else { nil } } ?? false
        guard sheet[.exposureProgramMode]?.isWritable == true, !isFixed else { return ResponderAnswer(model.refusal) }
        guard let mode = DialMode.allCases.first(where: { $0.ofNikon == number }) else {
            return ResponderAnswer(.invalidDevicePropValue)
        }
        schedule.plan(.dialTurns(mode), at: now + readbackDelay)
        return .ok
    }

    /// Whether a fault makes the body ignore a new value of this property.
    private mutating func consumeIgnored(_ code: PropertyCode) -> Bool {
        ignoresSet { Self.codes[$0]?.contains(code) ?? false }
    }

    private static let codes: [CameraProperty: [PropertyCode]] = [
        .shutterSpeed: speedCodes, .iso: [.nikonISO, .exposureIndex], .aperture: [.fNumber],
        .exposureCompensation: [.exposureBiasCompensation], .whiteBalance: [.whiteBalance],
        .drive: [.stillCaptureMode], .focusMode: [.focusMode, .nikonLiveViewFocusMode, .nikonFocusMode],
        .quality: [.compressionSetting], .saveTarget: [.nikonRecordingMedia],
    ]

    private var readbackDelay: Duration { options.readbackDelay ?? model.readbackDelay }

    /// Plans a new speed after a write of 0xD100 or 0x500D. A value of 0x500D that two speeds share means the first.
    private mutating func change(_ code: PropertyCode, to raw: UInt32, at now: Duration) -> ResponderAnswer? {
        let frame = currentFrame
        if fails(in: .set) { return nil }
        guard shutter == .ready else { return ResponderAnswer(.deviceBusy) }
        guard mode.speedIsSettable else { return ResponderAnswer(model.refusal) }
        let isTenths = code == .exposureTime
        guard let wanted = offeredSpeeds.first(where: { (isTenths ? Self.tenths(of: $0) : $0.rawValue) == raw }) else {
            return ResponderAnswer(.invalidDevicePropValue)
        }
        lastSet = .unread(frame: frame)
        if ignoresSpeed(for: frame) || consumeIgnored(code) {
            outputs.append(.log("fault: set of \(ofBody(wanted).label) ignored"))
            return .ok
        }
        plan(wanted, at: now)
        return .ok
    }

    var isIdle: Bool { shutter == .ready }

    var isSpeedPending: Bool { schedule.last { $0.shows(.nikonShutterSpeed) } != nil }

    func ofMaker(_ speed: ShutterSpeed) -> NikonShutterSpeed { NikonSpeedScale.value(of: speed) }

    mutating func planShown(_ speed: NikonShutterSpeed, at now: Duration) {
        schedule.cancel { event in
            if case .speedFallsBack = event { true } else { event.shows(.nikonShutterSpeed) }
        }
        schedule.plan(.speedShows(speed), at: now + readbackDelay)
    }

    mutating func planFallBack(of frame: Int, at time: Duration) {
        schedule.plan(.speedFallsBack(frame: frame), at: time)
    }

    // MARK: Effects of a new value

    mutating func showSpeed(_ value: NikonShutterSpeed) {
        speed = value
        setSpeedValues()
        outputs.append(.log("speed is \(ofBody(value).label)"))
        for code in Self.speedCodes where sheet[code] != nil { reportChange(of: code) }
    }

    mutating func show(_ code: PropertyCode, _ value: PTPValue) {
        sheet.set(code, value)
        reportChange(of: code)
        guard let number = value.integer, let (other, shown) = twin(of: code, number),
            sheet.choices(other).contains(shown)
        else { return }
        sheet.set(other, shown)
        reportChange(of: other)
    }

    /// The other property that shows the same setting, and its value. Newer bodies have the ISO in two properties. The
    /// focus mode of 0x500A follows 0xD161, on bodies without that one 0xD061 (libgphoto2's dumps).
    private func twin(of code: PropertyCode, _ number: Int64) -> (PropertyCode, Int64)? {
        switch code {
        case .nikonISO: return (.exposureIndex, number)
        case .exposureIndex: return (.nikonISO, number)
        case .nikonLiveViewFocusMode where sheet[.nikonFocusMode] != nil: return nil
        case .nikonFocusMode, .nikonLiveViewFocusMode:
            let modes: [Int64: Int64] = [0: 0x8010, 1: 0x8011, 2: 0x8012, 3: 1, 4: 1, 5: 0x8012]
            return modes[number].map { (.focusMode, $0) }
        default: return nil
        }
    }

    // MARK: The dial

    mutating func turnDial(to mode: DialMode) {
        self.mode = mode
        outputs.append(.log("the dial is turned to \(mode)"))
        showDial()
        for code in [.exposureProgramMode] + Self.speedCodes where sheet[code] != nil { reportChange(of: code) }
    }

    package mutating func planTurn(to mode: DialMode, at time: Duration) { schedule.plan(.dialTurns(mode), at: time) }

    package mutating func plan(_ fault: BodyLinkFault, at time: Duration) { schedule.plan(.linkFails(fault), at: time) }
}

extension NikonBody.ScheduledEvent {
    /// Whether the event changes the value of this property.
    func shows(_ code: PropertyCode) -> Bool {
        switch self {
        case .speedShows, .speedTurned: code == .nikonShutterSpeed
        case .propertyShows(let other, _): other == code
        default: false
        }
    }
}
