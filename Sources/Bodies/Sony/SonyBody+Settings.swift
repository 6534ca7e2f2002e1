import Cameras
import Exposure
import NIOCore
import PTP

/// Properties: how an initiator reads and sets them, and the effects of a new value.
extension SonyBody {
    // MARK: Power-on

    /// The speed after power-on: the model's speed, or the middle of a given list without the model's speed.
    static func firstSpeed(_ sheet: SonyPropertySheet, _ speeds: [SonyShutterSpeed]?) -> SonyShutterSpeed {
        let own = SonyShutterSpeed(rawValue: UInt32(sheet.integer(.sonyShutterSpeed) ?? 0))
        guard let speeds, !speeds.isEmpty, !speeds.contains(own) else { return own }
        return speeds[speeds.count / 2]
    }

    mutating func applyOptions() {
        if let speeds = options.speeds?.map({ SonyShutterSpeed($0) }) {
            sheet.update(.sonyShutterSpeed) {
                $0.form = .enumeration(settable: speeds.map(\.value), supported: speeds.map(\.value))
            }
        }
        if let percent = options.batteryPercent { setBattery(percent: percent) }
        if let target = options.saveTarget { sheet.set(.sonySaveTarget, Int64(target.ofSony.rawValue)) }
        if let format = options.fileFormat { set(format.ofSony) }
        if let camera = options.scene?.scene.camera {
            sheet.set(.fNumber, Int64((camera.fNumber * 100).rounded()))
            sheet.set(.sonyISO, Int64(camera.iso))
            // The menu "Setting Effect" is off on a body whose live view does not show the exposure.
            if camera.liveView == .gain { sheet.set(.sonyLiveViewEffect, 2) }
        }
        let reduction: SonyLongExposureNoiseReduction = options.noiseReduction ? .on : .off
        sheet.set(.sonyLongExposureNoiseReduction, Int64(reduction.rawValue))
    }

    /// Sets the file format. On version 2, one value contains the format and the quality of the JPEG.
    private mutating func set(_ format: SonyFileFormat) {
        if sheet[.sonyFileFormat] != nil { return sheet.set(.sonyFileFormat, Int64(format.rawValue)) }
        if let both = SonyCompression(format, .fine) { sheet.set(.compressionSetting, Int64(both.rawValue)) }
    }

    /// Sets the charge of the battery in percent; nil: the charge after power-on.
    mutating func setBattery(percent: Int?) {
        guard let percent = percent ?? options.batteryPercent else {
            let own = SonyPropertySheet(model.properties)
            for code in [PropertyCode.sonyBatteryPercent, .sonyBatteryIndicator] {
                if let number = own.integer(code) { sheet.set(code, number) }
            }
            return
        }
        sheet.set(.sonyBatteryPercent, Int64(percent))
        sheet.set(.sonyBatteryIndicator, Self.indicator(percent))
    }

    /// The battery indicator: 3 is "nearly empty", 4 to 7 are quarters, 0xFF is unknown (PTP 3 p.447).
    private static func indicator(_ percent: Int) -> Int64 {
        switch percent {
        case ..<0: 0xFF
        case 0...5: 3
        default: Int64(4 + min(percent - 1, 99) / 25)
        }
    }

    // MARK: Reading

    mutating func readAll(onlyChanges: Bool, at now: Duration) -> ResponderAnswer? {
        if lastSet == .unread(frame: currentFrame) {
            lastSet = .read(frame: currentFrame)
            if fails(in: .confirm) { return nil }
        }
        // Since the last refresh, an event at the same time can have changed the state.
        refreshSheet()
        let answer = ResponderAnswer.ok(sessionDataset(onlyChanges: onlyChanges))
        readSpeed = speed
        switch shutter {
        case .releasing, .open: outputs.append(.fact(.shown(speed.ofBody)))
        case .ready, .darkFrame, .saving, .stuck: break
        }
        planFallBack(at: now)
        return answer
    }

    /// Plans the fault `jump`: after the initiator first read a frame's speed, the speed returns to the previous one.
    private mutating func planFallBack(at now: Duration) {
        let frame = currentFrame
        let isPending = schedule.last { $0.isShown(.sonyShutterSpeed) } != nil
        guard lastSet == .read(frame: frame), !isPending,
            let delay = faults.first({ if case .jump(frame, _, let delay) = $0 { delay } else { nil } })
        else { return }
        // The fault happens once for each new speed.
        lastSet = .none
        schedule.plan(.speedFallsBack(frame: frame), at: now + delay)
    }

    mutating func fallBack(_ frame: Int) {
        guard shutter == .ready, frame == currentFrame,
            faults.take({ if case .jump(frame, _, _) = $0 { true } else { nil } }) != nil
        else { return }
        let back = speedBefore != speed ? speedBefore : offeredSpeeds.first { $0 != speed } ?? speed
        outputs.append(.log("fault: the speed returns from \(speed.label) to \(back.label)"))
        outputs.append(.fact(.moved(back.ofBody)))
        showSpeed(back)
    }

    // MARK: Setting

    /// Handles 0x9205. "OK" means that the body has received the value. It can still ignore the value (PTP 3 p.120).
    mutating func set(_ code: PropertyCode, _ data: ByteBuffer, at now: Duration) -> ResponderAnswer? {
        if code == .compressionSetting, version != model.version {
            return setCompression(data, at: now)
        }
        // The property in the request decides the allowed values and the access.
        let named = code
        let code = ownProperty(code)
        guard let record = sheet[named] ?? sheet[code], let own = sheet[code] else {
            return ResponderAnswer(.devicePropNotSupported)
        }
        // The body ignores a value for a property that only notches change. libgphoto2 sends a value after its notches.
        // No log of an A6400 shows that the body rejects this value (UNSURE; libgphoto2#527).
        guard record.getSet & 1 == 1 || stepScale(of: code) != nil else { return ResponderAnswer(.accessDenied) }
        guard let value = sheet.decode(data, for: record) else { return ResponderAnswer(.invalidDevicePropFormat) }
        if speedProperties.contains(code) {
            let wanted = offered(SonyShutterSpeed(rawValue: UInt32(truncatingIfNeeded: value.integer ?? 0)))
            // libgphoto2 writes 0 after its notches. As a speed, 0 would be BULB.
            let isTaken = record.isWritable && record.allows(wanted.value) && stepScale(of: named) == nil
            return change(to: wanted, isTaken: isTaken, after: readbackDelay, at: now)
        }
        if code == .exposureProgramMode || code == .sonyPositionKey,
            faults.first({ if case .rejectMode = $0 { true } else { nil } }) != nil
        {
            outputs.append(.log("fault: remote change of the mode rejected"))
            return ResponderAnswer(.accessDenied)
        }
        let isTaken = record.availability == .enabled && record.allows(value)
        plan(value, of: own, isTaken: isTaken, after: readbackDelay, at: now)
        return .ok
    }

    /// Handles 0x5004 of version 2 on a body of version 3, which has two properties instead.
    private mutating func setCompression(_ data: ByteBuffer, at now: Duration) -> ResponderAnswer {
        var data = data
        guard let number: UInt8 = data.readInteger(), data.readableBytes == 0 else {
            return ResponderAnswer(.invalidDevicePropFormat)
        }
        for (code, value) in ownValues(ofCompression: .uint8(number)) {
            guard let record = sheet[code] else { continue }
            let isTaken = record.isWritable && record.allows(value)
            plan(value, of: record, isTaken: isTaken, after: readbackDelay, at: now)
        }
        return .ok
    }

    /// Plans a new value of a property, if the body accepts the value.
    mutating func plan(
        _ value: PTPValue,
        of record: SonyPropertyRecord,
        isTaken: Bool,
        after delay: Duration,
        at now: Duration
    ) {
        let code = record.code
        if consumeIgnored(code) {
            return outputs.append(.log("fault: set of \(code.rawValue.hexadecimal) ignored"))
        }
        guard isIdle, isTaken else { return outputs.append(.log("set of \(code.rawValue.hexadecimal) ignored")) }
        schedule.cancel { $0.isShown(code) }
        schedule.plan(.propertyShows(code, value), at: now + delay)
    }

    /// Whether a fault makes the body ignore a new value of this property.
    private mutating func consumeIgnored(_ code: PropertyCode) -> Bool {
        faults.take { fault -> Bool? in
            if case .ignoreProperty(let property, _) = fault, property.sonyCodes.contains(code) { true } else { nil }
        } != nil
    }

    private var readbackDelay: Duration { options.readbackDelay ?? model.readbackDelay }

    /// Plans a new speed after a write or a notch.
    ///
    /// - Parameter isTaken: Whether the property allows the new speed.
    mutating func change(
        to wanted: SonyShutterSpeed,
        isTaken: Bool,
        after delay: Duration,
        at now: Duration
    ) -> ResponderAnswer? {
        let frame = currentFrame
        if fails(in: .set) { return nil }
        lastSet = .unread(frame: frame)
        if faults.take({ fault -> Bool? in
            if case .ignoreSets(let only, _) = fault, only ?? frame == frame { true } else { nil }
        }) != nil || consumeIgnored(.sonyShutterSpeed) {
            outputs.append(.log("fault: set of \(wanted.label) ignored"))
            return .ok
        }
        guard isIdle, isTaken else {
            outputs.append(.log("set of \(wanted.label) ignored: \(reasonNotSettable(wanted))"))
            return .ok
        }
        var target = wanted
        if let wrong = faults.take({ if case .wrongSpeed(frame, let wrong, _) = $0 { wrong } else { nil } }) {
            target = nearestOffered(wrong)
            outputs.append(.fact(.moved(target.ofBody)))
            outputs.append(.log("fault: set of \(wanted.label) settles on \(target.label)"))
        } else {
            outputs.append(.log("set \(wanted.label) for frame \(frame)"))
        }
        speedBefore = speed
        schedule.cancel { event in
            if case .speedFallsBack = event { true } else { event.isShown(.sonyShutterSpeed) }
        }
        schedule.plan(.speedShows(target), at: now + delay)
        return .ok
    }

    /// The offered speed that is nearest to `speed`. A body can only have speeds that it offers.
    private func nearestOffered(_ speed: ShutterSpeed) -> SonyShutterSpeed {
        let wanted = offered(SonyShutterSpeed(speed))
        let distance: (SonyShutterSpeed) -> Int = { offered in
            guard let notch = offered.notch, let aim = wanted.notch else { return Int.max }
            return abs(notch - aim)
        }
        return offeredSpeeds.contains(wanted) ? wanted : offeredSpeeds.min { distance($0) < distance($1) } ?? wanted
    }

    /// The speed in the form of the body's list. 30″ is 30/1 on some bodies and 300/10 on others. All accept both.
    func offered(_ speed: SonyShutterSpeed) -> SonyShutterSpeed {
        offeredSpeeds.first { $0.isSameTime(as: speed) } ?? speed
    }

    private func reasonNotSettable(_ wanted: SonyShutterSpeed) -> String {
        if !mode.speedIsSettable { return "the dial is at \(mode)" }
        if !buffer.isEmpty { return "\(buffer.count) pictures wait in the buffer" }
        if shutter != .ready { return "the body is busy" }
        return "not in the body's list"
    }

    // MARK: Effects of a new value

    mutating func showSpeed(_ value: SonyShutterSpeed) {
        speed = value
        outputs.append(.log("speed is \(value.label)"))
    }

    mutating func show(_ value: PTPValue, of code: PropertyCode) {
        sheet.update(code) { $0.currentValue = value }
        guard code == .exposureProgramMode, let number = value.integer,
            let mode = DialMode.allCases.first(where: { Int64($0.program.rawValue) & 0xFFFF == number & 0xFFFF })
        else { return }
        self.mode = mode
    }

    package mutating func turnSpeed(to speed: ShutterSpeed, at now: Duration) {
        schedule.plan(.speedTurned(offered(SonyShutterSpeed(speed))), at: now)
    }

    mutating func turnDial(to mode: DialMode) {
        self.mode = mode
        outputs.append(.log("the dial is turned to \(mode)"))
    }

    /// Whether the link fails at this point of the current frame.
    mutating func fails(in phase: Fault.FramePhase) -> Bool {
        guard let fault = takeLinkFault(in: phase) else { return false }
        outputs.append(.link(fault))
        return true
    }

    mutating func takeLinkFault(in phase: Fault.FramePhase, of frame: Int? = nil) -> LinkFault? {
        faults.takeLinkFault(in: phase, of: frame ?? currentFrame)
    }
}

extension DialMode {
    /// The value of property 0x500E.
    var program: SonyExposureProgram {
        switch self {
        case .manual: .manual
        case .shutterPriority: .shutterPriority
        case .aperturePriority: .aperturePriority
        case .program: .program
        }
    }
}

extension SonyExposureProgram {
    /// The value of property 0x500E in this type. Version 2 has only the low half of the number.
    func value(as type: PTPDataType) -> PTPValue {
        type == .uint16 ? .uint16(UInt16(truncatingIfNeeded: rawValue)) : .uint32(rawValue)
    }
}

extension BodySaveTarget {
    fileprivate var ofSony: SonySaveTarget {
        switch self {
        case .host: .host
        case .card: .card
        case .both: .both
        }
    }
}

extension BodyFileFormat {
    fileprivate var ofSony: SonyFileFormat {
        switch self {
        case .jpeg: .jpeg
        case .raw: .raw
        case .rawAndJPEG: .rawAndJPEG
        }
    }
}
