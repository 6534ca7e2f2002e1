import Exposure
import PTP

/// The values of the store in the terms of the core.
extension NikonPropertyStore {
    // MARK: The speed

    /// The property of the speed: 0xD100, or 0x500D on a body without it; nil: neither was reported.
    package var speedCode: PropertyCode? { speedList?.source.code }

    /// The value of the speed in the body's form.
    private var speedValue: (NikonSpeedList, UInt32)? {
        guard let list = speedList, let value = number(list.source.code).flatMap(UInt32.init(exactly:)) else {
            return nil
        }
        return (list, value)
    }

    /// The speeds that can be set now, fastest first.
    package var speeds: [ShutterSpeed] { speedList?.speeds ?? [] }

    /// The present speed; nil: not reported.
    package var speed: SpeedReading? { speedValue.map { list, value in list.reading(of: value) } }

    /// The true time of an exposure with the present speed; nil: not reported, or no timed speed.
    package var exposureTime: Duration? { speedValue.flatMap { list, value in list.exposureTime(of: value) } }

    /// A time that an exposure with the present speed does not exceed, for timeouts.
    package var exposureTimeMax: Duration? { speedValue.flatMap { list, value in list.exposureTimeMax(of: value) } }

    /// Whether the speed can be set now. Outside M and S the body reports it as read-only.
    package var isSpeedWritable: Bool {
        guard let list = speedList, let entry = self[list.source.code] else { return false }
        return entry.isWritable && !list.speeds.isEmpty
    }

    /// The step toward a speed. The value is that of the body's own list.
    package func step(toward speed: ShutterSpeed) -> NikonPropertyStep {
        guard let list = speedList, let value = list.value(for: speed) else { return .notOffered }
        // The body may write the same time as another fraction.
        if list.speed(of: speedValue?.1 ?? 0) == speed { return .shown }
        return step(toward: Int64(value), list.source.code)
    }

    // MARK: Other values

    /// The value of a property of two bytes or one byte.
    private func value<Value: NamedNumber>(_ code: PropertyCode, as type: Value.Type) -> Value? {
        number(code).flatMap(Value.RawValue.init(exactly:)).map(Value.init(rawValue:))
    }

    package var mode: NikonExposureMode? { value(.exposureProgramMode, as: NikonExposureMode.self) }
    package var releaseMode: NikonReleaseMode? { value(.stillCaptureMode, as: NikonReleaseMode.self) }
    package var recordingMedia: NikonRecordingMedia? { value(.nikonRecordingMedia, as: NikonRecordingMedia.self) }

    /// Whether a release leaves the focus unchanged; nil: not reported.
    package var isManualFocus: Bool? {
        if let focus = value(.focusMode, as: NikonFocusMode.self) { return focus == .manual }
        let code: PropertyCode = self[.nikonFocusMode] == nil ? .nikonLiveViewFocusMode : .nikonFocusMode
        return value(code, as: NikonAutofocusMode.self)?.isManual
    }

    package var isLiveViewOn: Bool? { number(.nikonLiveViewStatus).map { $0 != 0 } }

    package var liveViewProhibition: NikonLiveViewProhibition? {
        number(.nikonLiveViewProhibition).flatMap(UInt32.init(exactly:)).map(NikonLiveViewProhibition.init(rawValue:))
    }

    package var noiseReduction: NoiseReduction {
        number(.nikonNoiseReduction).map { $0 == 0 ? .off : .on } ?? .unknown
    }

    /// How many pictures still fit on the card; nil: not reported.
    package var shotsLeft: Int? { number(.nikonShotsLeft).flatMap(Int.init(exactly:)) }

    package var batteryPercent: Int? {
        number(.batteryLevel).flatMap { (0...100).contains($0) ? Int($0) : nil }
    }

    /// Whether the body chooses the ISO; nil: not reported.
    package var isISOAuto: Bool? { number(.nikonAutoISO).map { $0 != 0 } }

    /// The quality with the numbering of this body; nil: not reported.
    package var quality: NikonQuality? {
        self[.compressionSetting].map { NikonQuality($0.value, NikonQuality.Numbering($0.choices)) }
    }

    /// The states of all properties that the body has, in the order of the table.
    package var states: [PropertyState] { NikonPropertyRow.table.compactMap { $0.state(in: self) } }

    package var status: CameraStatus {
        func text(_ property: CameraProperty) -> String? { NikonPropertyRow.row(of: property).state(in: self)?.value }
        return CameraStatus(
            mode: mode?.exposureMode ?? .other("unknown mode"),
            modeName: mode?.description,
            speeds: speeds,
            speed: speed,
            speedIsWritable: isSpeedWritable,
            batteryPercent: batteryPercent,
            shotsLeft: shotsLeft,
            noiseReduction: noiseReduction,
            focusMode: value(.focusMode, as: NikonFocusMode.self)?.description ?? text(.focusMode),
            isManualFocus: isManualFocus,
            iso: text(.iso),
            isISOAuto: isISOAuto,
            aperture: text(.aperture),
            saveTarget: text(.saveTarget),
            savesToHostAlone: recordingMedia == .host,
            fileKinds: quality?.kinds
        )
    }
}
