import Exposure
import JSON

/// What the body reports, and its form for the core.
extension SonyHTTP {
    /// Adopts an event and reports what it means.
    mutating func adoptEvent(_ result: [JSONValue], askedAt: Duration, isWhole: Bool, in turn: inout DriverTurn) {
        state.adopt(result, askedAt: askedAt, isWhole: isWhole, at: turn.now)
        for remark in state.remarks.dropFirst(notedRemarks) { turn.note(SonyHTTPSentences.unreadablePart(remark)) }
        notedRemarks = state.remarks.count
        // An answer to a request from before the release shows an older state.
        noteFrame(in: &turn)
        let isFirst = settled == nil
        settleState()
        guard isConnected else { return }
        // The body was busy during the whole set-up.
        if isFirst, isReducedApp { return lose(.protocolError(SonyHTTPSentences.reducedApp(application)), in: &turn) }
        reportStatus(askedAt: isWhole ? askedAt : .zero, in: &turn)
        reportProperties(in: &turn)
        reportSpeed(in: &turn)
    }

    /// Keeps the state of a body that is ready. A busy body withdraws its setters, and that is no change of its dial.
    mutating func settleState() {
        if state.isReadyToShoot { settled = state }
    }

    /// The state with the setters and choices of the body at rest.
    var offered: SonyHTTPState { settled ?? state }

    // MARK: The status

    var status: CameraStatus {
        let focus = state[.focusMode]?.current.shownText
        let iso = state[.iso]
        return CameraStatus(
            mode: mode,
            // An A5000 has no mode dial. A body with a dial does not offer the method.
            modeControl: offered.has(.set("ExposureMode")) ? .property : .dial,
            speeds: speeds,
            speed: shownSpeed,
            speedIsWritable: !speeds.isEmpty,
            captureTimeMax: timing.capture,
            batteryPercent: state.batteryPercent,
            shotsLeft: state.shotsLeft,
            focusMode: focus,
            isManualFocus: focus.map { $0 == "MF" },
            iso: iso.flatMap { SonyHTTPPropertyText.iso.format($0.current) },
            isISOAuto: iso.map { $0.current.stringValue == "AUTO" },
            aperture: state[.aperture].flatMap { SonyHTTPPropertyText.aperture.format($0.current) },
            saveTarget: state.hasCard == true ? saveTarget : nil,
            // The post-view picture is a JPEG file, whatever the body stores on its card.
            fileKinds: [.jpeg]
        )
    }

    /// Users who keep pictures must know that no RAW file is transferred.
    private var saveTarget: String {
        pictures.request.policy == .none ? "card" : SonyHTTPSentences.cardWithJPEG
    }

    private var mode: ExposureMode {
        guard let text = state[.exposureMode]?.current.shownText else { return .other("--") }
        switch text {
        case "Manual": return .manual
        case "Shutter": return .shutterPriority
        case "Aperture": return .aperturePriority
        case "Program Auto": return .program
        default: return .other(text)
        }
    }

    /// The speeds that can be set: in M and S, while the body offers the setter.
    private var speeds: [ShutterSpeed] {
        guard offered.has(.setShutterSpeed) else { return [] }
        let row = SonyHTTPPropertyRow.shutterSpeed
        let texts = offered[.shutterSpeed].map { row.settable(in: $0).compactMap(\.stringValue) } ?? []
        return Array(Set(texts.compactMap { SonyHTTPShutterSpeed(rawValue: $0).shutterSpeed })).sorted()
    }

    var shownSpeed: SpeedReading? {
        state[.shutterSpeed]?.current.stringValue.flatMap { SonyHTTPShutterSpeed(rawValue: $0).reading }
    }

    private mutating func reportStatus(askedAt: Duration, in turn: inout DriverTurn) {
        let status = status
        statusQuestions.answer(status, after: reported, requestedAt: askedAt, in: &turn)
        reported = status
    }

    // MARK: Properties

    /// Reports the changed properties of a body that is ready.
    mutating func reportProperties(in turn: inout DriverTurn) {
        var news: [PropertyState] = []
        for row in SonyHTTPPropertyRow.table {
            guard let state = propertyState(row), reportedStates[row.property] != state else { continue }
            reportedStates[row.property] = state
            news.append(state)
        }
        if !news.isEmpty { turn.report(.properties(news), nil) }
    }

    /// nil: the body does not have the property.
    func propertyState(_ row: SonyHTTPPropertyRow) -> PropertyState? {
        guard let value = offered[row.property] else { return row.property == .drive ? plainDrive : nil }
        var state = row.state(value, hasSetter: offered.has(row.setter))
        if row.property == .drive { state.driveKind = Self.driveKind(value.current.stringValue) }
        if row.property == .drive, let seconds = selfTimer {
            state.value = SonyHTTPSentences.selfTimer(seconds)
            state.driveKind = .selfTimer
        }
        return state
    }

    /// The drive mode of a body that has only one, if its shutter call takes one picture.
    private var plainDrive: PropertyState? {
        guard offered.has(.actTakePicture) else { return nil }
        if let seconds = selfTimer {
            return PropertyState(property: .drive, value: SonyHTTPSentences.selfTimer(seconds), driveKind: .selfTimer)
        }
        return PropertyState(property: .drive, value: "single", driveKind: .single)
    }

    /// The delay of the self-timer; nil: off or not reported.
    var selfTimer: Int? {
        offered[.selfTimer]?.current.intValue.flatMap { $0 > 0 ? $0 : nil }
    }

    private static func driveKind(_ text: String?) -> DriveKind {
        switch text {
        case "Single": .single
        case "Continuous", "Spd Priority Cont.", "Burst", "MotionShot", "Motion Shot": .continuous
        default: .other
        }
    }

    // MARK: The speed

    /// Reports the speed while the core waits for a reading.
    mutating func reportSpeed(in turn: inout DriverTurn) {
        guard case .readingSpeed(let ticket, _) = activity, let speed = shownSpeed else { return }
        turn.report(.speedRead(speed), ticket)
    }
}
