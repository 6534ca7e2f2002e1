import Exposure
import PTP

/// One answer to 0x9209 in the driver's terms.
struct SonyReading: Sendable {
    /// The time of the request. No value is older than the request.
    let requestedAt: Duration
    let receivedAt: Duration
    private(set) var status: CameraStatus
    /// The speeds that can be set now, in the body's order and encoding.
    let settableSpeeds: [SonyShutterSpeed]
    /// The way to set a new speed.
    let speedWay: SonySpeedSetter.Method
    /// The speed in the body's form; nil: the speed is not reliable now.
    let shownSpeed: SonyShutterSpeed?
    /// Whether the speed is reliable now.
    let isSpeedReliable: Bool
    /// Whether the mode is reliable now.
    let isModeReliable: Bool
    let fileInfo: SonyShootingFileInfo
    let focus: SonyFocusIndication?
    /// Whether a picture is on the body's card besides the delivered file.
    let storesOnCard: Bool
    /// The value 0 of 0xD25A, if the driver must take priority over the dials to set the speed; otherwise nil.
    let positionKeyToTake: UInt8?
    /// Whether the driver could take priority over the dials, even if the speed can be set without it.
    let mayTakePriority: Bool
    /// Whether the body can show live view, as far as it reports.
    let supportsLiveView: Bool
    let liveViewExposure: LiveViewExposure

    /// - Parameter previous: The previous reading, the source of waiting files and the mode if the data are damaged.
    init(
        _ dataset: SonyPropertyDataset,
        _ setter: SonySpeedSetter,
        after previous: Self?,
        requestedAt: Duration,
        receivedAt: Duration
    ) {
        self.requestedAt = requestedAt
        self.receivedAt = receivedAt
        let speed = dataset[.sonyShutterSpeed]
        settableSpeeds = setter.settableSpeeds(dataset)
        speedWay = setter.method
        isSpeedReliable = speed.map { $0.availability != .disabled } ?? false
        isModeReliable = dataset[.exposureProgramMode].map { $0.availability != .disabled } ?? false
        let known = dataset.damage == nil ? nil : previous
        fileInfo =
            dataset.number(.sonyShootingFileInfo).map(SonyShootingFileInfo.init(rawValue:)) ?? known?.fileInfo ?? .empty
        focus = dataset.number(.sonyFocusIndication).flatMap(SonyFocusIndication.init(rawValue:))
        let shown = dataset.number(.sonyShutterSpeed).map(SonyShutterSpeed.init(rawValue:))
        shownSpeed = isSpeedReliable ? shown : nil
        status = Self.status(dataset, setter, shownSpeed)
        if shownSpeed != nil { status.speeds = Self.speeds(settableSpeeds, previous) }
        if let known, dataset[.exposureProgramMode] == nil { status.mode = known.status.mode }
        // If the damage is between the two properties, the format alone names more files than the body delivers.
        if let known, status.fileKinds == nil || dataset[.sonyRawAndJPEGTransfer] == nil {
            status.fileKinds = known.status.fileKinds
        }
        mayTakePriority = fileInfo == .empty && Self.mayTakePriority(dataset, status)
        positionKeyToTake = mayTakePriority && speed?.availability == .displayOnly ? 0 : nil
        storesOnCard = dataset.storesOnCard
        supportsLiveView = dataset.number(.sonyLiveViewStatus) != UInt8(2)
        let effect: UInt8? = dataset.number(.sonyLiveViewEffect)
        liveViewExposure = effect == 1 ? .shown : effect == 2 ? .notShown : .unknown
    }

    /// The value of 0x9205 for a speed, exactly as in the body's list.
    func settableValue(of speed: ShutterSpeed) -> SonyShutterSpeed? {
        settableSpeeds.first { $0.shutterSpeed == speed }
    }

    /// The speeds for the controller: fastest first, no duplicates. An unchanged list is not built again.
    private static func speeds(_ settable: [SonyShutterSpeed], _ previous: Self?) -> [ShutterSpeed] {
        if let previous, previous.shownSpeed != nil, previous.settableSpeeds == settable {
            return previous.status.speeds
        }
        return Set(settable.compactMap(\.shutterSpeed)).sorted()
    }

    /// The status without the speeds.
    private static func status(
        _ dataset: SonyPropertyDataset,
        _ setter: SonySpeedSetter,
        _ shown: SonyShutterSpeed?
    ) -> CameraStatus {
        let program = dataset.number(.exposureProgramMode).map(SonyExposureProgram.init(rawValue:))
        let mode = program?.exposureMode ?? .other("unknown mode")
        let focus = dataset.number(.focusMode).map(SonyFocusMode.init(rawValue:))
        let iso = dataset.number(.sonyISO).map(SonyISO.init(rawValue:))
        return CameraStatus(
            mode: mode,
            speed: shown?.reading,
            speedIsWritable: setter.isWritable(dataset, mode),
            speedSetting: setter.setting,
            batteryPercent: battery(dataset),
            shotsLeft: shotsLeft(dataset),
            noiseReduction: noiseReduction(dataset),
            focusMode: focus?.description,
            isManualFocus: focus?.isManual,
            iso: iso?.description,
            isISOAuto: iso?.isAuto,
            aperture: dataset.number(.fNumber).map { SonyAperture(rawValue: $0).description },
            saveTarget: dataset.number(.sonySaveTarget).map { SonySaveTarget(rawValue: $0).description },
            savesToHostAlone: dataset.number(.sonySaveTarget) == SonySaveTarget.host.rawValue,
            fileKinds: dataset.fileKinds,
            adaptiveTone: adaptiveTone(dataset),
            meterThirds: meterThirds(dataset)
        )
    }

    /// The battery percentage, which is correct even if the record is disabled (capture of an RX100 VII: 70).
    private static func battery(_ dataset: SonyPropertyDataset) -> Int? {
        guard let percent: Int = dataset.number(.sonyBatteryPercent), (0...100).contains(percent) else { return nil }
        return percent
    }

    /// The shot counter of the first slot with a card. If the body reports no slot states, the first counter is used.
    private static func shotsLeft(_ dataset: SonyPropertyDataset) -> Int? {
        let cardIsGood = 1
        let first = dataset.count(.sonySlot1ShotsLeft)
        let second = dataset.count(.sonySlot2ShotsLeft)
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

    /// The tone setting that is on; nil: off, or not reported. See ``PropertyCode/sonyDRO``.
    private static func adaptiveTone(_ dataset: SonyPropertyDataset) -> String? {
        guard let value: Int = dataset.number(.sonyDRO), value > 0x01 else { return nil }
        return value < 0x20 ? "DRO" : "Auto HDR"
    }

    /// The reading of the body's meter, rounded; nil: not reported, or not in the range of ``PropertyCode/sonyMeter``.
    private static func meterThirds(_ dataset: SonyPropertyDataset) -> Int? {
        guard let value: Int = dataset.number(.sonyMeter), -8000...8000 ~= value else { return nil }
        return (value * 3 + (value < 0 ? -500 : 500)) / 1000
    }

    /// Whether the driver can take priority over the dials, which it needs only if the speed cannot be set in M or S.
    /// In M, an RX100 VII accepts a speed at priority 0. libgphoto2 always takes the priority.
    private static func mayTakePriority(_ dataset: SonyPropertyDataset, _ status: CameraStatus) -> Bool {
        guard status.mode == .manual || status.mode == .shutterPriority else { return false }
        guard let key = dataset[.sonyPositionKey] else { return false }
        return key.isWritable && key.currentValue == .uint8(0) && key.settableValues.contains(.uint8(1))
    }
}

extension SonyPropertyDataset {
    /// The kinds of files that the body delivers for each picture; nil: not known.
    fileprivate var fileKinds: Set<PictureInfo.Kind>? {
        let combined: UInt8? = number(.compressionSetting)
        let format = number(.sonyFileFormat).map(SonyFileFormat.init(rawValue:))
        guard let kinds = (format ?? combined.flatMap { SonyCompression(rawValue: $0).format })?.kinds else {
            return nil
        }
        guard kinds.count > 1 else { return kinds }
        // 0xD269 selects the files for the host. A body without 0xD269 delivers both files.
        guard let choice = self[.sonyRawAndJPEGTransfer] else { return kinds }
        switch choice.currentValue.integer {
        case _ where choice.availability == .disabled: return nil
        case 1: return kinds
        case 2: return kinds.subtracting([.raw])
        case 3: return [.raw]
        default: return nil
        }
    }

    /// The value of a property that is a count, of any integer type.
    fileprivate func count(_ code: PropertyCode) -> Int? {
        let number: UInt32? = number(code)
        return number.map { Int($0) }
    }

    /// The current value of an integer property; nil: the body does not have it, or the value does not fit the type.
    fileprivate func number<Number: FixedWidthInteger>(_ code: PropertyCode) -> Number? {
        records.place(of: code).flatMap { records[$0].currentValue.integer }.flatMap(Number.init(exactly:))
    }
}
