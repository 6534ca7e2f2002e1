import Exposure
import PTP

/// The texts of replies and the journal for a Sony body that does not set its shutter speed.
enum SonySpeedSentences {
    static func absoluteRejected(_ code: ResponseCode) -> String {
        "the camera lists the absolute shutter speed but rejects it (\(code.sonyName)): the speed is stepped"
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
        "The camera changes its shutter speed but does not reach \(speed.label). It shows "
            + "\(text(shown)). Do not touch its dials, or set the speed by hand."
    }

    static func notReachedInTime(_ speed: ShutterSpeed, shown: SpeedReading?) -> String {
        "The camera shows \(text(shown)). It did not reach \(speed.label) in time."
    }

    private static func text(_ shown: SpeedReading?) -> String { shown?.description ?? "no shutter speed" }
}

/// The texts of replies and the journal for a failed shutter command of a Sony body.
enum SonyCaptureSentences {
    static let fileUnfinished = "The camera does not finish the file of its picture. Switch it off and on again."
    static let noPictureReported = "The camera accepted the shutter command, but reported no picture."

    // MARK: The journal

    static let commandIgnored = "the camera ignored the shutter command: no picture was taken"
    static let noPictureExpected = "no picture was reported for the last shutter command"
    static let releaseUnconfirmed = "the camera does not confirm the release of the shutter button"
}
