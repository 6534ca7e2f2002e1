import Exposure
import PTP

/// What the replies and the journal report when a Sony body does not set its shutter speed.
enum SonySpeedSentences {
    static func absoluteRejected(_ code: ResponseCode) -> String {
        "the absolute shutter speed is listed but not accepted (\(code.sonyName)): the speed is stepped"
    }

    static let nothingShown = "The camera shows no shutter speed. Close its menus and check its mode dial."

    static func notThirdStop(_ shown: SonyShutterSpeed) -> String {
        "The camera shows \(shown), which is not a third-stop value. Set its exposure steps to 1/3 EV (0.3 EV)."
    }

    static func notStepping(to speed: ShutterSpeed, shown: SpeedReading?) -> String {
        "The camera stays at \(text(shown)) and does not step to \(speed.label). "
            + "Close its menus and check its mode dial."
    }

    static func wrongDirection(to speed: ShutterSpeed, shown: SpeedReading?) -> String {
        "The camera moves its shutter speed but does not reach \(speed.label); it shows "
            + "\(text(shown)). Do not touch its dials, or set the speed by hand."
    }

    static func notReachedInTime(_ speed: ShutterSpeed, shown: SpeedReading?) -> String {
        "The camera shows \(text(shown)) and did not reach \(speed.label) in time, step by step."
    }

    private static func text(_ shown: SpeedReading?) -> String { shown?.description ?? "no shutter speed" }
}

/// What the replies and the journal report when a shutter command of a Sony body fails.
enum SonyCaptureSentences {
    static let fileUnfinished = "The camera does not finish the file of its picture. Switch it off and on again."
    static let noPictureReported = "The camera accepted the shutter command, but reported no picture."

    // MARK: The journal

    static let commandIgnored = "the camera ignored the shutter command: no frame was taken"
    static let noPictureExpected = "no picture was reported for the last shutter command"
    static let releaseUnconfirmed = "the camera does not confirm the release of the shutter button"
}
