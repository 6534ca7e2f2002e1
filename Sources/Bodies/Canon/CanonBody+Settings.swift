import Cameras
import Exposure
import NIOCore
import PTP

/// Properties: how an initiator sets them, and the effects of a new value.
extension CanonBody {
    // MARK: Power-on

    mutating func applyOptions() {
        showDial()
        if !speeds.contains(speed), let middle = speeds.isEmpty ? nil : speeds[speeds.count / 2] {
            sheet.set(.canonShutterSpeed, middle.rawValue)
            speedBefore = middle
        }
        if let percent = options.batteryPercent { sheet.set(.canonBattery, Self.batteryLevel(percent)) }
        if let target = options.saveTarget { sheet.set(.canonSaveTarget, target.ofCanon(cards: cardBits)) }
        if let format = options.fileFormat { set(format) }
        if let camera = options.scene?.scene.camera { adopt(camera) }
        showCounter()
    }

    /// Sets the aperture and the ISO of a scene's camera, or the next larger ones that the body has.
    private mutating func adopt(_ camera: SceneCamera) {
        let aperture = CanonAperture.labels.first { Double($0.label) ?? 0 >= camera.fNumber }
        let sensitivity = CanonISO.labels.first { Double($0.number) >= camera.iso }
        if let aperture { sheet.set(.canonAperture, aperture.raw) }
        if let sensitivity { sheet.set(.canonISO, sensitivity.raw) }
    }

    /// Every property with the format of pictures.
    private mutating func set(_ format: BodyFileFormat) {
        let codes = [PropertyCode.canonImageFormat, PropertyCode(rawValue: 0xD121), PropertyCode(rawValue: 0xD122)]
        for code in codes where sheet.value(of: code) != nil { sheet.set(code, words: format.ofCanon.words) }
    }

    /// The bits of the save target that mean a card on this body.
    private var cardBits: UInt32 { (sheet.choices(of: .canonSaveTarget)?.words ?? []).contains(1) ? 1 : 2 }

    /// Sets the properties that depend on the dial. A captured list keeps its values.
    private mutating func showDial() {
        guard !model.isAsCaptured else { return }
        sheet.set(.canonExposureMode, mode.ofCanon.rawValue)
        if sheet.value(of: .canonModeDial) != nil { sheet.set(.canonModeDial, mode.ofCanon.rawValue) }
        sheet.setChoices(.canonShutterSpeed, settableSpeeds.map(\.rawValue))
    }

    /// The speeds that can be set now. Bulb can be set in M only.
    private var settableSpeeds: [CanonShutterSpeed] {
        switch mode {
        case .manual: speeds
        case .shutterPriority: speeds.filter { $0 != .bulb }
        case .aperturePriority, .program: []
        }
    }

    /// The steps of the battery that a body shows; 0xFF: unknown.
    static func batteryLevel(_ percent: Int) -> UInt32 {
        switch percent {
        case ..<0: 0xFF
        case ..<13: CanonBattery.low.rawValue
        case ..<38: CanonBattery.quarter.rawValue
        case ..<63: CanonBattery.half.rawValue
        case ..<88: CanonBattery.threeQuarters.rawValue
        default: CanonBattery.full.rawValue
        }
    }

    // MARK: Setting

    /// Handles SetDevicePropValueEx: size, property, value.
    mutating func set(_ data: ByteBuffer, at now: Duration) -> ResponderAnswer? {
        var data = data
        let count = data.readableBytes
        guard let (size, number) = data.readMultipleIntegers(endianness: .little, as: (UInt32, UInt32).self),
            size == count, count % 4 == 0
        else { return ResponderAnswer(.invalidDevicePropFormat) }
        var words: [UInt32] = []
        while let word: UInt32 = data.readInteger(endianness: .little) { words.append(word) }
        let code = PropertyCode(rawValue: UInt16(truncatingIfNeeded: number))
        if code == .canonShutterSpeed { loseRemoteMode() }
        guard session.isRemote else { return ResponderAnswer(.canonOperationRefused) }
        if code == .canonShutterSpeed {
            return change(to: CanonShutterSpeed(rawValue: words.first ?? 0), words.count == 1, at: now)
        }
        guard sheet.value(of: code) != nil else { return ResponderAnswer(.devicePropNotSupported) }
        guard shutter == .ready else { return ResponderAnswer(.deviceBusy) }
        guard sheet.offers(code, words) else { return ResponderAnswer(model.rejection) }
        if consumeIgnored(code) {
            outputs.append(.log("fault: set of \(code.rawValue.hexadecimal) ignored"))
            return .ok
        }
        schedule.cancel { $0.shows(code) }
        schedule.plan(.propertyShows(code, words), at: now + readbackDelay)
        return .ok
    }

    /// Leaves the remote mode, if a fault of the current frame says so.
    private mutating func loseRemoteMode() {
        let frame = currentFrame
        guard faults.take({ if case .remoteModeLost(frame) = $0 { true } else { nil } }) != nil else { return }
        outputs.append(.log("fault: the body leaves the remote mode"))
        session.isRemote = false
    }

    /// Whether a fault makes the body ignore a new value of this property.
    private mutating func consumeIgnored(_ code: PropertyCode) -> Bool {
        ignoresSet { property in CanonPropertyRow.table.contains { $0.property == property && $0.code == code } }
    }

    private var readbackDelay: Duration { options.readbackDelay ?? model.readbackDelay }

    /// Plans a new speed after a write.
    ///
    /// - Parameter isNumber: Whether the written value is one number.
    private mutating func change(
        to wanted: CanonShutterSpeed,
        _ isNumber: Bool,
        at now: Duration
    ) -> ResponderAnswer? {
        let frame = currentFrame
        if fails(in: .set) { return nil }
        guard shutter == .ready else { return ResponderAnswer(.deviceBusy) }
        guard isNumber, settableSpeeds.contains(wanted) else { return ResponderAnswer(model.rejection) }
        lastSet = .unread(frame: frame)
        if ignoresSpeed(for: frame) || consumeIgnored(.canonShutterSpeed) {
            outputs.append(.log("fault: set of \(wanted.ofBody.label) ignored"))
            return .ok
        }
        plan(wanted, at: now)
        return .ok
    }

    var isIdle: Bool { shutter == .ready }

    var isSpeedPending: Bool { schedule.last { $0.shows(.canonShutterSpeed) } != nil }

    func ofBody(_ speed: CanonShutterSpeed) -> BodySpeed { speed.ofBody }

    func ofMaker(_ speed: ShutterSpeed) -> CanonShutterSpeed { CanonShutterSpeed(speed) }

    mutating func planShown(_ speed: CanonShutterSpeed, at now: Duration) {
        schedule.cancel { event in
            if case .speedFallsBack = event { true } else { event.shows(.canonShutterSpeed) }
        }
        schedule.plan(.speedShows(speed), at: now + readbackDelay)
    }

    mutating func planFallBack(of frame: Int, at time: Duration) {
        schedule.plan(.speedFallsBack(frame: frame), at: time)
    }

    // MARK: Effects of a new value

    mutating func showSpeed(_ value: CanonShutterSpeed) {
        sheet.set(.canonShutterSpeed, value.rawValue)
        outputs.append(.log("speed is \(value.ofBody.label)"))
        reportValue(of: .canonShutterSpeed)
        reportChoices(of: .canonShutterSpeed)
    }

    mutating func show(_ code: PropertyCode, _ words: [UInt32], at now: Duration) {
        sheet.set(code, words: words)
        reportValue(of: code)
        if code == .canonSaveTarget { refreshCounter(at: now) }
    }

    // MARK: The dial

    mutating func turnDial(to mode: DialMode) {
        self.mode = mode
        outputs.append(.log("the dial is turned to \(mode)"))
        showDial()
        reportValue(of: .canonExposureMode)
        reportValue(of: .canonModeDial)
        reportValue(of: .canonShutterSpeed)
        reportChoices(of: .canonShutterSpeed)
    }

    package mutating func planTurn(to mode: DialMode, at time: Duration) { schedule.plan(.dialTurns(mode), at: time) }

    package mutating func plan(_ fault: BodyLinkFault, at time: Duration) { schedule.plan(.linkFails(fault), at: time) }
}

extension CanonBody.ScheduledEvent {
    /// Whether the event changes the value of this property.
    func shows(_ code: PropertyCode) -> Bool {
        switch self {
        case .speedShows, .speedTurned: code == .canonShutterSpeed
        case .propertyShows(let other, _): other == code
        default: false
        }
    }
}

extension DialMode {
    /// The value of property 0xD105.
    fileprivate var ofCanon: CanonExposureMode {
        switch self {
        case .manual: .manual
        case .shutterPriority: .timeValue
        case .aperturePriority: .apertureValue
        case .program: .program
        }
    }
}

extension BodySaveTarget {
    /// - Parameter cards: The bits of a card.
    fileprivate func ofCanon(cards: UInt32) -> UInt32 {
        switch self {
        case .host: 4
        case .card: cards
        case .both: cards | 4
        }
    }
}

extension BodyFileFormat {
    fileprivate var ofCanon: CanonImageFormat {
        let jpeg = CanonImageFormat.File(type: 1, size: 0, compression: 3)
        let raw = CanonImageFormat.File(type: 6, size: 0, compression: 4)
        return switch self {
        case .jpeg: CanonImageFormat(files: [jpeg])
        case .raw: CanonImageFormat(files: [raw])
        case .rawAndJPEG: CanonImageFormat(files: [raw, jpeg])
        }
    }
}
