import Cameras

extension SonyModel {
    /// The version as a number: 2 or 3.
    package var versionNumber: Int { version == .version2 ? 2 : 3 }

    /// The quirks of the model, one sentence each.
    package var quirks: [String] {
        var quirks: [String] = []
        if let stepping {
            let time = DurationText.milliseconds(stepping.moveTime)
            quirks.append("speed, ISO, aperture and compensation change by notches, \(time) ms each")
            switch stepAccuracy ?? stepping.accuracy {
            case .exact: break
            case .short(let notches): quirks.append("jumps end \(notches) notches short")
            case .capped(let notches): quirks.append("jumps end after \(notches) notches")
            }
            if properties.contains(where: { $0.code == .sonyShutterSpeedVersion2 }) {
                quirks.append("accepts the speed as a value in 0xD229")
            }
        }
        if let idleLimit {
            quirks.append("disconnects \(DurationText.milliseconds(idleLimit) / 1_000) s after the last command")
        }
        if alwaysStoresOnCard { quirks.append("stores on its card with any save target") }
        if !keepsBufferOverSessions { quirks.append("deletes pictures that were not transferred") }
        if properties.contains(where: { $0.code == .sonyLongExposureNoiseReduction }) {
            quirks.append("reports long-exposure noise reduction")
        }
        return quirks
    }
}
