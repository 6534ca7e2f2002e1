import Cameras
import Exposure
import JSON

/// Settings: how an initiator reads and sets them, and the effects of a new value.
extension SonyHTTPBody {
    mutating func applyInitialValues() {
        for setting in model.settings { values[setting.stem] = setting.choices.first }
        values["ExposureCompensation"] = 0
        values["FNumber"] = "8.0"
        values["IsoSpeedRate"] = "100"
        values["PostviewImageSize"] = "2M"
        values["FocusMode"] = .string(model.focusMode)
        values["FlashMode"] = "off"
        values["SilentShootingSetting"] = "Off"
        values["StillQuality"] = model.hasRAW ? "RAW+JPEG" : "Fine"
        switch options.fileFormat {
        case .jpeg?: values["StillQuality"] = "Fine"
        case .raw?: values["StillQuality"] = "RAW"
        case .rawAndJPEG?: values["StillQuality"] = "RAW+JPEG"
        case nil: break
        }
        values["ExposureMode"] = .string(mode.ofSonyHTTP)
        guard let camera = options.scene?.scene.camera else { return }
        values["FNumber"] = .string(Self.fNumber(camera.fNumber))
        values["IsoSpeedRate"] = .string("\(Int(camera.iso.rounded()))")
    }

    /// An f-number as the body writes it: "8.0", "11".
    private static func fNumber(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(tenths / 10)"
    }

    /// The present value of a setting.
    func value(of setting: SonyHTTPSetting) -> JSONValue {
        setting.stem == "ShutterSpeed" ? .string(speed.rawValue) : values[setting.stem] ?? ""
    }

    /// The values that can be set now.
    func candidates(of setting: SonyHTTPSetting) -> [JSONValue] {
        guard isSettable(setting), !has(.withoutCandidates) else { return [] }
        return choices(of: setting)
    }

    private func choices(of setting: SonyHTTPSetting) -> [JSONValue] {
        switch setting.stem {
        case "ShutterSpeed": settableSpeeds.map { .string($0.rawValue) }
        default: setting.choices
        }
    }

    /// The speeds that can be set now. BULB can be set in M only.
    var settableSpeeds: [SonyHTTPShutterSpeed] {
        mode == .manual ? speeds : mode == .shutterPriority ? speeds.filter { $0 != .bulb } : []
    }

    // MARK: Calls

    mutating func performSetting(_ waiter: Waiter, at now: Duration) {
        let method = waiter.call.method
        for prefix in ["getAvailable", "getSupported", "set", "get"] where method.hasPrefix(prefix) {
            guard let setting = SonyHTTPSetting.named(method.dropFirst(prefix.count)) else { continue }
            switch prefix {
            case "set": return set(setting, waiter, at: now)
            case "get":
                noteRead(of: setting)
                guard let fault = linkFaultOfRead(setting) else { return reply(present(setting), to: waiter, at: now) }
                return outputs.append(.link(fault))
            case "getAvailable":
                noteRead(of: setting)
                return reply(available(setting), to: waiter, at: now)
            default: return reply(supported(setting), to: waiter, at: now)
            }
        }
        performOther(waiter, at: now)
    }

    private func present(_ setting: SonyHTTPSetting) -> [JSONValue] {
        let value = value(of: setting)
        switch setting.form {
        case .value, .compensation: return [value]
        case .object(let key): return [[key: value]]
        case .whiteBalance: return [whiteBalance]
        }
    }

    private var whiteBalance: JSONValue {
        let mode = values["WhiteBalance"] ?? "Auto WB"
        return ["whiteBalanceMode": mode, "colorTemperature": .int(mode == "Color Temperature" ? temperature : -1)]
    }

    private func available(_ setting: SonyHTTPSetting) -> [JSONValue] {
        let list = candidates(of: setting)
        switch setting.form {
        case .value: return present(setting) + [.array(list)]
        case .object(let key): return [[key: value(of: setting), "candidate": .array(list)]]
        case .compensation: return compensation
        case .whiteBalance: return [whiteBalance, .array(list.map(Self.whiteBalanceRange))]
        }
    }

    /// The present compensation, its limits and its step; all zero if it cannot be set (a real ILCE-5000).
    var compensation: [JSONValue] {
        guard let setting = SonyHTTPSetting.named("ExposureCompensation"), !candidates(of: setting).isEmpty else {
            return [0, 0, 0, 0]
        }
        let limit = SonyHTTPSetting.compensationMax
        return [value(of: setting), .int(limit), .int(-limit), 1]
    }

    private func supported(_ setting: SonyHTTPSetting) -> [JSONValue] {
        let list = setting.stem == "ShutterSpeed" ? speeds.map { .string($0.rawValue) } : setting.choices
        switch setting.form {
        case .value: return [.array(list)]
        case .object: return [["candidate": .array(list)]]
        case .compensation:
            let limit = SonyHTTPSetting.compensationMax
            return [[.int(limit)], [.int(-limit)], [1]]
        case .whiteBalance: return [.array(list.map(Self.whiteBalanceRange))]
        }
    }

    private static func whiteBalanceRange(_ mode: JSONValue) -> JSONValue {
        let range = mode == "Color Temperature" ? SonyHTTPSetting.temperatures : []
        return ["whiteBalanceMode": mode, "colorTemperatureRange": range]
    }

    // MARK: Setting

    private mutating func set(_ setting: SonyHTTPSetting, _ waiter: Waiter, at now: Duration) {
        let params = waiter.call.params
        let wanted: JSONValue?
        switch setting.form {
        case .value, .compensation, .whiteBalance: wanted = params.first
        case .object(let key): wanted = params.first?[key]
        }
        guard let wanted else { return reply(.illegalArgument, to: waiter, at: now) }
        if setting.stem == "ShutterSpeed" {
            return change(to: SonyHTTPShutterSpeed(rawValue: wanted.stringValue ?? ""), waiter, at: now)
        }
        guard choices(of: setting).contains(wanted) else { return reply(model.unknownValue, to: waiter, at: now) }
        if case .whiteBalance = setting.form, wanted == "Color Temperature" {
            guard let kelvin = params.dropFirst(2).first?.intValue, (2_500...9_900).contains(kelvin) else {
                return reply(.illegalArgument, to: waiter, at: now)
            }
            temperature = kelvin
        }
        if consumeIgnored(setting) {
            outputs.append(.log("fault: \(waiter.call.method) is ignored"))
        } else {
            schedule.cancel { if case .valueShows(setting.stem, _) = $0 { true } else { false } }
            schedule.plan(.valueShows(setting.stem, wanted), at: now + readbackDelay)
        }
        reply(setting.isObject ? [] : [0], to: waiter, at: now)
    }

    mutating func consumeIgnored(_ setting: SonyHTTPSetting) -> Bool {
        faults.take { fault -> Bool? in
            guard case .ignoreProperty(let property, _) = fault else { return nil }
            return SonyHTTPPropertyRow.table.contains { $0.property == property && $0.setting == setting.stem }
                ? true : nil
        } != nil
    }

    var readbackDelay: Duration { options.readbackDelay ?? model.readbackDelay }

    // MARK: Effects of a new value

    mutating func show(_ stem: String, _ value: JSONValue) {
        if stem == "ExposureMode", let mode = DialMode(ofSonyHTTP: value.stringValue ?? "") {
            return dialTurns(to: mode)
        }
        values[stem] = value
        if let setting = SonyHTTPSetting.named(stem) { note(setting.type) }
        note("availableApiList")
    }

    // MARK: The dial

    mutating func dialTurns(to mode: DialMode) {
        self.mode = mode
        values["ExposureMode"] = .string(mode.ofSonyHTTP)
        outputs.append(.log("the dial is turned to \(mode)"))
        for type in ["exposureMode", "shutterSpeed", "fNumber", "exposureCompensation", "availableApiList"] {
            note(type)
        }
    }

    mutating func turnDialForFrame(at now: Duration) {
        let frame = currentFrame
        if let mode = faults.take({ if case .modeAtFrame(frame, let mode) = $0 { mode } else { nil } }) {
            dialTurns(to: mode)
        }
    }

    mutating func takeLinkFault(in phase: Fault.FramePhase, of frame: Int? = nil) -> BodyLinkFault? {
        faults.takeLinkFault(in: phase, of: frame ?? currentFrame)
    }
}

extension SonyHTTPSetting {
    fileprivate var isObject: Bool { if case .object = form { true } else { false } }
}

extension DialMode {
    /// The text of the exposure mode.
    fileprivate var ofSonyHTTP: String {
        switch self {
        case .manual: "Manual"
        case .shutterPriority: "Shutter"
        case .aperturePriority: "Aperture"
        case .program: "Program Auto"
        }
    }

    /// The automatic mode is simulated as the program mode.
    fileprivate init?(ofSonyHTTP text: String) {
        switch text {
        case "Manual": self = .manual
        case "Shutter": self = .shutterPriority
        case "Aperture": self = .aperturePriority
        case "Program Auto", "Intelligent Auto": self = .program
        default: return nil
        }
    }
}
