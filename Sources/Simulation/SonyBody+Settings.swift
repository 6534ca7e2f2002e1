import Cameras
import NIOCore
import PTP

/// Properties: what is read, what is set, and what a set comes to.
extension SonyBody {
    // MARK: Power-on

    /// The speed the model has, or the middle one of a person's list that lacks it.
    static func firstSpeed(_ sheet: SonyPropertySheet, _ speeds: [SonyShutterSpeed]?) -> SonyShutterSpeed {
        let own = SonyShutterSpeed(rawValue: UInt32(sheet.integer(.sonyShutterSpeed) ?? 0))
        guard let speeds, !speeds.isEmpty, !speeds.contains(own) else { return own }
        return speeds[speeds.count / 2]
    }

    mutating func applyOptions() {
        if let speeds = options.speeds {
            sheet.update(.sonyShutterSpeed) {
                $0.form = .enumeration(settable: speeds.map(\.value), supported: speeds.map(\.value))
            }
        }
        if let percent = options.batteryPercent {
            sheet.set(.sonyBatteryPercent, Int64(percent))
            sheet.set(.sonyBatteryIndicator, Self.indicator(percent))
        }
        if let target = options.saveTarget { sheet.set(.sonySaveTarget, Int64(target.rawValue)) }
        let reduction: SonyLongExposureNoiseReduction = options.noiseReduction ? .on : .off
        sheet.set(.sonyLongExposureNoiseReduction, Int64(reduction.rawValue))
    }

    /// 3 is "nearly empty", 4 to 7 are quarters, 0xFF is unknown (PTP 3 p.447).
    private static func indicator(_ percent: Int) -> Int64 {
        switch percent {
        case ..<0: 0xFF
        case 0...5: 3
        default: Int64(4 + min(percent - 1, 99) / 25)
        }
    }

    // MARK: What 0x9209 shows

    /// Writes into the sheet whatever follows from the body's state.
    mutating func refreshSheet() {
        let program = mode.program
        let isRemote = sheet.integer(.sonyPositionKey) == 1
        sheet.update(.exposureProgramMode) {
            $0.currentValue = .uint32(program.rawValue)
            $0.availability = isRemote ? .enabled : .displayOnly
            $0.setSettable(isRemote ? DialMode.allCases.map { .uint32($0.program.rawValue) } : [])
        }
        let speeds = mode.speedIsSettable ? offeredSpeeds.map(\.value) : []
        let isWritable = mode.speedIsSettable && isIdle
        sheet.update(.sonyShutterSpeed) {
            $0.currentValue = speed.value
            $0.availability = isWritable ? .enabled : .displayOnly
            $0.setSettable(speeds)
        }
        sheet.set(.sonyFocusIndication, Int64(focusIndication.rawValue))
        sheet.set(.sonyShootingFileInfo, Int64(fileInfo.rawValue))
        sheet.set(.sonySlot1ShotsLeft, Int64(shotsLeft))
    }

    /// Every speed that the body has, in its order.
    var offeredSpeeds: [SonyShutterSpeed] {
        if let speeds = options.speeds { return speeds }
        guard case .enumeration(_, let supported?) = sheet[.sonyShutterSpeed]?.form else { return [] }
        return supported.compactMap(\.integer).map { SonyShutterSpeed(rawValue: UInt32($0)) }
    }

    /// Settings and shutter are ignored while the shutter works and while pictures wait in the buffer (alpha-fairy).
    var isIdle: Bool { shutter == .ready && buffer.isEmpty }

    private var fileInfo: SonyShootingFileInfo {
        if !buffer.isEmpty { return .ready(buffer.count) }
        switch shutter {
        case .darkFrame, .saving, .stuck: return saveTarget == .card ? .empty : .inPreparation
        case .ready, .releasing, .open: return .empty
        }
    }

    private var focusIndication: SonyFocusIndication {
        switch focus {
        case .idle, .searching: .unlocked
        case .locked: .singleFocused
        case .failed: .singleFailed
        }
    }

    var saveTarget: SonySaveTarget {
        SonySaveTarget(rawValue: UInt16(truncatingIfNeeded: sheet.integer(.sonySaveTarget) ?? 0x11))
    }

    var focusMode: SonyFocusMode {
        SonyFocusMode(rawValue: UInt16(truncatingIfNeeded: sheet.integer(.focusMode) ?? 1))
    }

    /// As the body reports it, else as it was switched on.
    var reducesNoise: Bool {
        guard let reported = sheet.integer(.sonyLongExposureNoiseReduction) else { return options.noiseReduction }
        return reported == Int64(SonyLongExposureNoiseReduction.on.rawValue)
    }

    // MARK: Reading

    mutating func readAll(at now: Duration, into outputs: inout [Output]) -> ResponderAnswer? {
        if lastSet == .unread(frame: currentFrame) {
            lastSet = .read(frame: currentFrame)
            if fails(in: .confirm, into: &outputs) { return nil }
        }
        // The sheet may be a step behind a happening of this very instant.
        refreshSheet()
        let answer = ResponderAnswer.ok(sheet.encoded())
        jump(at: now, into: &outputs)
        return answer
    }

    /// A fault: the reading that first shows the speed set for this frame is followed by the one before.
    private mutating func jump(at now: Duration, into outputs: inout [Output]) {
        let frame = currentFrame
        let isPending = agenda.lastTime { if case .speedShows = $0 { true } else { false } } != nil
        guard lastSet == .read(frame: frame), !isPending, shutter == .ready,
            faults.take({ if case .jump(frame, _) = $0 { true } else { nil } }) != nil
        else { return }
        let back = speedBefore != speed ? speedBefore : offeredSpeeds.first { $0 != speed } ?? speed
        outputs.append(.log("fault: the speed jumps back from \(speed.label) to \(back.label)"))
        agenda.plan(.speedShows(back), at: now)
    }

    // MARK: Setting

    /// 0x9205: "OK" means received, not done (PTP 3 p.120).
    mutating func set(
        _ code: PropertyCode,
        _ data: ByteBuffer,
        at now: Duration,
        into outputs: inout [Output]
    ) -> ResponderAnswer? {
        guard let record = sheet[code] else { return ResponderAnswer(.devicePropNotSupported) }
        guard record.getSet & 1 == 1 else { return ResponderAnswer(.accessDenied) }
        guard let value = sheet.decode(data, for: record) else { return ResponderAnswer(.invalidDevicePropFormat) }
        if code == .sonyShutterSpeed { return setSpeed(value, record, at: now, into: &outputs) }
        if code == .exposureProgramMode || code == .sonyPositionKey,
            faults.first({ if case .rejectMode = $0 { true } else { nil } }) != nil
        {
            outputs.append(.log("fault: remote change of the mode refused"))
            return ResponderAnswer(.accessDenied)
        }
        guard isIdle, record.availability == .enabled, record.allows(value) else {
            outputs.append(.log("set of \(code.rawValue.hexadecimal) ignored"))
            return .ok
        }
        agenda.cancel { if case .propertyShows(code, _) = $0 { true } else { false } }
        agenda.plan(.propertyShows(code, value), at: now + readbackDelay)
        return .ok
    }

    private var readbackDelay: Duration { options.readbackDelay ?? model.readbackDelay }

    private mutating func setSpeed(
        _ value: PTPValue,
        _ record: SonyPropertyRecord,
        at now: Duration,
        into outputs: inout [Output]
    ) -> ResponderAnswer? {
        let frame = currentFrame
        if fails(in: .set, into: &outputs) { return nil }
        lastSet = .unread(frame: frame)
        let wanted = SonyShutterSpeed(rawValue: UInt32(truncatingIfNeeded: value.integer ?? 0))
        if faults.take({ fault -> Bool? in
            if case .ignoreSets(let only, _) = fault, only ?? frame == frame { true } else { nil }
        }) != nil {
            outputs.append(.log("fault: set of \(wanted.label) ignored"))
            return .ok
        }
        guard isIdle, record.isWritable, record.allows(value) else {
            outputs.append(.log("set of \(wanted.label) ignored: \(reasonNotSettable(wanted))"))
            return .ok
        }
        var target = wanted
        if let wrong = faults.take({ if case .wrongSpeed(frame, let wrong, _) = $0 { wrong } else { nil } }) {
            target = SonyShutterSpeed(wrong)
            outputs.append(.log("fault: set of \(wanted.label) settles on \(target.label)"))
        } else {
            outputs.append(.log("set \(wanted.label) for frame \(frame)"))
        }
        speedBefore = speed
        agenda.cancel { if case .speedShows = $0 { true } else { false } }
        agenda.plan(.speedShows(target), at: now + readbackDelay)
        return .ok
    }

    private func reasonNotSettable(_ wanted: SonyShutterSpeed) -> String {
        if !mode.speedIsSettable { return "the dial is at \(mode)" }
        if !buffer.isEmpty { return "\(buffer.count) pictures wait in the buffer" }
        if shutter != .ready { return "the body is busy" }
        return "not in the body's list"
    }

    // MARK: What comes of it

    mutating func showSpeed(_ value: SonyShutterSpeed, into outputs: inout [Output]) {
        speed = value
        outputs.append(.log("speed is \(value.label)"))
    }

    mutating func show(_ value: PTPValue, of code: PropertyCode) {
        sheet.update(code) { $0.currentValue = value }
        guard code == .exposureProgramMode, let number = value.integer,
            let mode = DialMode.allCases.first(where: { Int64($0.program.rawValue) == number })
        else { return }
        self.mode = mode
    }

    mutating func turnDial(to mode: DialMode, into outputs: inout [Output]) {
        self.mode = mode
        outputs.append(.log("the dial is turned to \(mode)"))
    }

    /// Whether the link fails at this point of the current frame.
    mutating func fails(in phase: Fault.FramePhase, into outputs: inout [Output]) -> Bool {
        guard let fault = takeLinkFault(in: phase) else { return false }
        outputs.append(.link(fault))
        return true
    }

    mutating func takeLinkFault(in phase: Fault.FramePhase, of frame: Int? = nil) -> LinkFault? {
        let frame = frame ?? currentFrame
        return faults.take { fault in
            switch fault {
            case .drop(frame, phase, let back): .broken(back: back)
            case .mute(frame, phase, let back): .silent(back: back)
            default: nil
            }
        }
    }
}

extension DialMode {
    /// As property 0x500E has it.
    var program: SonyExposureProgram {
        switch self {
        case .manual: .manual
        case .shutterPriority: .shutterPriority
        case .aperturePriority: .aperturePriority
        case .program: .program
        }
    }
}
