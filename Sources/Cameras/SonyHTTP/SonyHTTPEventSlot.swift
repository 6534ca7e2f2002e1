import JSON

/// The places of a `getEvent` result (API Reference v2.40; versions 1.3 and 1.4 by a real ILCE-5000's
/// `getMethodTypes`). A place without news is null.
package enum SonyHTTPEventSlot {
    /// The types by their position. The reader of a result uses the type of an object and not its position.
    package static let types: [String] = [
        "availableApiList", "cameraStatus", "zoomInformation", "liveviewStatus", "liveviewOrientation", "takePicture",
        "continuousError", "triggeredError", "sceneRecognition", "formatStatus", "storageInformation", "beepMode",
        "cameraFunction", "movieQuality", "stillSize", "cameraFunctionResult", "steadyMode", "viewAngle",
        "exposureMode", "postviewImageSize", "selfTimer", "shootMode", "aeLock", "bracketShootMode", "creativeStyle",
        "exposureCompensation", "flashMode", "fNumber", "focusMode", "isoSpeedRate", "pictureEffect", "programShift",
        "shutterSpeed", "whiteBalance", "touchAFPosition", "focusStatus", "zoomSetting", "stillQuality",
        "contShootingMode", "contShootingSpeed", "contShooting", "flipSetting", "sceneSelection", "intervalTime",
        "colorSetting", "movieFileFormat", "timeCodePreset", "userBitPreset", "timeCodeFormat", "timeCodeRunMode",
        "timeCodeMakeMode", "userBitTimeRec", "infraredRemoteControl", "tvColorSystem", "trackingFocusStatus",
        "trackingFocus", "batteryInfo", "recordingTime", "numberOfShots", "autoPowerOff", "loopRecTime",
        "audioRecording", "windNoiseReduction", "silentShooting", "bulbCapturingTime", "bulbShooting",
    ]

    /// The number of places by the version of `getEvent`, the newest version first.
    package static let counts: [(version: String, count: Int)] = [
        ("1.4", 66), ("1.3", 63), ("1.2", 60), ("1.1", 36), ("1.0", 35),
    ]

    /// The positions whose value is a list of objects.
    package static let listPositions: Set<Int> = [5, 6, 10]

    package static func position(of type: String) -> Int? { types.firstIndex(of: type) }
}

extension SonyHTTPEventSlot {
    /// The version that every body has.
    package static let oldestVersion = "1.0"

    /// The newest version among those that the body reported.
    package static func newest(of reported: [String]) -> String {
        counts.map(\.version).first { reported.contains($0) } ?? oldestVersion
    }

    /// The version to try after a body rejected this one; nil: this is the oldest one.
    package static func version(before version: String) -> String? {
        guard let index = counts.firstIndex(where: { $0.version == version }), index + 1 < counts.count else {
            return nil
        }
        return counts[index + 1].version
    }
}
