import Cameras
import JSON

/// The methods that can be called now (SR 4.x, AvailabilityDetector; its order is another one).
extension SonyHTTPBody {
    private static let basics = [
        "getVersions", "getMethodTypes", "getApplicationInfo", "getAvailableApiList", "getEvent",
    ]
    private static let functions = ["setCameraFunction", "getCameraFunction", "getAvailableCameraFunction"]

    /// Every method of a service of this model, whether it is available now or not.
    func methodTypes(of service: String) -> [SonyHTTPMethodType] {
        let rows = SonyHTTPMethodType.table.filter { $0.service == service && has($0.name) }
        guard service == "camera" else { return rows }
        return rows + model.settings.flatMap(SonyHTTPMethodType.methods).filter { !isOfDial($0.name) }
    }

    /// Whether the model has a method that is not one of a setting.
    private func has(_ method: String) -> Bool {
        switch method {
        case "actHalfPressShutter", "cancelHalfPressShutter": model.hasHalfPress
        case "startRecMode", "stopRecMode": model.needsRecMode
        case "actZoom": model.hasPowerZoom
        case "setCameraFunction", "getCameraFunction", "getAvailableCameraFunction", "getSupportedCameraFunction":
            model.hasContents
        case "setTouchAFPosition", "getTouchAFPosition", "cancelTouchAFPosition", "startBulbShooting",
            "stopBulbShooting", "startContShooting", "stopContShooting":
            !model.isReduced
        case "setLiveviewFrameInfo", "getLiveviewFrameInfo": model.versions.contains("1.2")
        default: true
        }
    }

    /// Whether only a body without a mode dial has this method (sonycam).
    private func isOfDial(_ method: String) -> Bool {
        !model.setsMode && method.hasSuffix("ExposureMode") && method != "getExposureMode"
    }

    package var availableMethods: [String] {
        let names: [String]
        switch function {
        case .none, .entering, .changing:
            names = Self.basics + ["startRecMode", "stopRecMode"] + Self.functions
        case .contents: names = Self.basics + ["stopRecMode"] + Self.functions + ["getStorageInformation"]
        case .shooting: names = shootingMethods
        }
        return names.filter { has($0) && !isOfDial($0) }
    }

    private var shootingMethods: [String] {
        let isIdle = shutter == .ready
        var names = Self.basics
        if isIdle {
            names.append(pressMethod)
        } else if series == .bulb {
            names.append("stopBulbShooting")
        } else if case .continuous = series {
            names.append("stopContShooting")
        }
        names.append("stopRecMode")
        if isIdle || series == .single { names += ["startLiveview", "stopLiveview", "startLiveviewWithSize"] }
        names += isIdle ? Self.functions : Array(Self.functions.dropFirst())
        if isIdle { names.append("actZoom") }
        if capture != .none { names.append("awaitTakePicture") }
        names += ["actHalfPressShutter", "cancelHalfPressShutter"]
        for setting in model.settings { names += methods(of: setting, isIdle: isIdle) }
        names += ["getLiveviewSize", "getAvailableLiveviewSize", "getSupportedLiveviewSize"]
        if isIdle { names += ["setTouchAFPosition", "cancelTouchAFPosition"] }
        names += ["getTouchAFPosition", "getStorageInformation"]
        return names + ["setLiveviewFrameInfo", "getLiveviewFrameInfo"]
    }

    /// The method that opens the shutter: actTakePicture disappears at BULB and in a continuous mode (SR 4.x).
    private var pressMethod: String {
        if isContinuous { return "startContShooting" }
        return speed == .bulb && mode == .manual ? "startBulbShooting" : "actTakePicture"
    }

    var isContinuous: Bool { values["ContShootingMode"] != "Single" && values["ContShootingMode"] != nil }

    private func methods(of setting: SonyHTTPSetting, isIdle: Bool) -> [String] {
        let stem = setting.stem
        let getters = ["get\(stem)", "getAvailable\(stem)", "getSupported\(stem)"]
        return (isIdle && isSettable(setting) ? ["set\(stem)"] : []) + getters
    }

    /// Whether the mode and the model allow a new value (SR 4.x).
    func isSettable(_ setting: SonyHTTPSetting) -> Bool {
        switch setting.stem {
        case "ShutterSpeed": mode.speedIsSettable
        case "FNumber": mode == .manual || mode == .aperturePriority
        case "ExposureCompensation": mode != .manual || values["IsoSpeedRate"] == "AUTO"
        case "ExposureMode": model.setsMode && faults.first { if case .rejectMode = $0 { true } else { nil } } == nil
        case "ContShootingSpeed": isContinuous
        default: true
        }
    }
}
