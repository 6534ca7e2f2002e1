import Exposure
import PTP

/// One answer to 0x9209, in the driver's terms.
struct SonyReading: Sendable {
    /// When it was asked for: what it says is not older than this.
    let requestedAt: Duration
    let receivedAt: Duration
    let status: CameraStatus
    /// What can be set now, in the body's order and encoding.
    let settableSpeeds: [SonyShutterSpeed]
    /// False: the speed is not reliable now.
    let isSpeedReliable: Bool
    /// False: the mode is not reliable now.
    let isModeReliable: Bool
    let fileInfo: SonyShootingFileInfo
    let focus: SonyFocusIndication?
    /// The present priority of the dials when it could be given to us: 0.
    let positionKeyToTake: UInt8?

    init(_ dataset: SonyPropertyDataset, requestedAt: Duration, receivedAt: Duration) {
        self.requestedAt = requestedAt
        self.receivedAt = receivedAt
        let speed = dataset[.sonyShutterSpeed]
        settableSpeeds = speed.map(Self.settableSpeeds) ?? []
        isSpeedReliable = speed.map { $0.availability != .disabled } ?? false
        isModeReliable = dataset[.exposureProgramMode].map { $0.availability != .disabled } ?? false
        fileInfo = SonyShootingFileInfo(rawValue: dataset.number(.sonyShootingFileInfo) ?? 0)
        focus = dataset.number(.sonyFocusIndication).flatMap(SonyFocusIndication.init(rawValue:))
        status = Self.status(dataset, settableSpeeds)
        positionKeyToTake = Self.positionKeyToTake(dataset, status)
    }

    /// What 0x9205 is given for a speed: exactly the value of the body's list.
    func settableValue(of speed: ShutterSpeed) -> SonyShutterSpeed? {
        settableSpeeds.first { $0.shutterSpeed == speed }
    }

    private static func settableSpeeds(_ record: SonyPropertyRecord) -> [SonyShutterSpeed] {
        record.settableValues.compactMap { value in
            value.integer.flatMap(UInt32.init(exactly:)).map(SonyShutterSpeed.init(rawValue:))
        }
    }

    private static func status(_ dataset: SonyPropertyDataset, _ settable: [SonyShutterSpeed]) -> CameraStatus {
        let speed = dataset[.sonyShutterSpeed]
        let isReliable = speed.map { $0.availability != .disabled } ?? false
        let value = dataset.number(.sonyShutterSpeed).map(SonyShutterSpeed.init(rawValue:))
        let program = dataset.number(.exposureProgramMode).map(SonyExposureProgram.init(rawValue:))
        let focus = dataset.number(.focusMode).map(SonyFocusMode.init(rawValue:))
        let iso = dataset.number(.sonyISO).map(SonyISO.init(rawValue:))
        return CameraStatus(
            mode: program?.exposureMode ?? .other("unknown mode"),
            speeds: isReliable ? Set(settable.compactMap(\.shutterSpeed)).sorted() : [],
            speed: isReliable ? value?.reading : nil,
            speedIsWritable: speed?.isWritable ?? false,
            batteryPercent: battery(dataset),
            shotsLeft: shotsLeft(dataset),
            noiseReduction: noiseReduction(dataset),
            focusMode: focus?.description,
            isManualFocus: focus?.isManual,
            iso: iso?.description,
            isISOAuto: iso?.isAuto,
            aperture: dataset.number(.fNumber).map { SonyAperture(rawValue: $0).description },
            saveTarget: dataset.number(.sonySaveTarget).map { SonySaveTarget(rawValue: $0).description }
        )
    }

    /// Right even when the record says that it is not available (capture of an RX100 VII: 70, disabled).
    private static func battery(_ dataset: SonyPropertyDataset) -> Int? {
        guard let percent: Int = dataset.number(.sonyBatteryPercent), (0...100).contains(percent) else { return nil }
        return percent
    }

    /// Of the first slot with a card. A body that does not tell about its slots is taken at its first counter.
    private static func shotsLeft(_ dataset: SonyPropertyDataset) -> Int? {
        let cardIsGood = 1
        let first: Int? = dataset.number(.sonySlot1ShotsLeft)
        let second: Int? = dataset.number(.sonySlot2ShotsLeft)
        if let slot: Int = dataset.number(.sonySlot1Status), slot != cardIsGood {
            return dataset.number(.sonySlot2Status) == cardIsGood ? second : nil
        }
        return first
    }

    private static func noiseReduction(_ dataset: SonyPropertyDataset) -> NoiseReduction {
        guard let record = dataset[.sonyLongExposureNoiseReduction], record.availability != .disabled,
            let value = record.currentValue.integer.flatMap(UInt8.init(exactly:))
        else { return .unknown }
        switch SonyLongExposureNoiseReduction(rawValue: value) {
        case .off: return .off
        case .on: return .on
        case nil: return .unknown
        }
    }

    /// The dials' priority needs to be taken only where a mode that has a speed does not let it be set (on an RX100 VII
    /// in M it can be set with the priority at 0; libgphoto2 takes it always).
    private static func positionKeyToTake(_ dataset: SonyPropertyDataset, _ status: CameraStatus) -> UInt8? {
        guard status.mode == .manual || status.mode == .shutterPriority else { return nil }
        guard let speed = dataset[.sonyShutterSpeed], speed.availability == .displayOnly else { return nil }
        guard SonyShootingFileInfo(rawValue: dataset.number(.sonyShootingFileInfo) ?? 0) == .empty else { return nil }
        guard let key = dataset[.sonyPositionKey], key.isWritable, key.currentValue == .uint8(0),
            key.settableValues.contains(.uint8(1))
        else { return nil }
        return 0
    }
}

extension SonyPropertyDataset {
    /// The current value of an integer property, if the body has it and it fits.
    fileprivate func number<Number: FixedWidthInteger>(_ code: PropertyCode) -> Number? {
        self[code]?.currentValue.integer.flatMap(Number.init(exactly:))
    }
}
