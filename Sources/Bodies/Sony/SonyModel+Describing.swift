import Cameras

extension SonyModel {
    /// 2 or 3.
    package var versionNumber: Int { version == .version2 ? 2 : 3 }

    /// In what the body differs from a plain one, a sentence each.
    package var quirks: [String] {
        var quirks: [String] = []
        if let stepping {
            let time = DurationText.milliseconds(stepping.moveTime)
            quirks.append("speed, ISO, aperture and compensation move by notches, \(time) ms a move")
            switch stepAccuracy ?? stepping.accuracy {
            case .exact: break
            case .short(let notches): quirks.append("jumps land \(notches) short")
            case .capped(let notches): quirks.append("jumps end after \(notches) notches")
            }
            if properties.contains(where: { $0.code == .sonyShutterSpeedVersion2 }) {
                quirks.append("takes the speed as a value in 0xD229")
            }
        }
        if let idleLimit {
            quirks.append("leaves \(DurationText.milliseconds(idleLimit) / 1_000) s after the last command")
        }
        if alwaysStoresOnCard { quirks.append("stores on its card whatever the save target says") }
        if !keepsBufferOverSessions { quirks.append("forgets pictures that were not fetched") }
        if properties.contains(where: { $0.code == .sonyLongExposureNoiseReduction }) {
            quirks.append("reports long-exposure noise reduction")
        }
        return quirks
    }
}
