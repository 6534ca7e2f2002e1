import Cameras
import PTP

/// The content of 0x9209.
extension SonyBody {
    /// Every speed of the body in its order, and in the form of the speed records.
    struct SpeedList: Sendable {
        let speeds: [SonyShutterSpeed]
        let values: [PTPValue]
        let valuesWithoutBulb: [PTPValue]

        init(_ speeds: [SonyShutterSpeed]) {
            self.speeds = speeds
            values = speeds.map(\.value)
            valuesWithoutBulb = values.filter { $0 != SonyShutterSpeed.bulb.value }
        }
    }

    /// Updates the sheet from the body's state. Writes no record twice.
    mutating func refreshSheet() {
        let program = mode.program
        let (hasPriority, isRemote) = (sheet[.sonyPositionKey] != nil, sheet.integer(.sonyPositionKey) == 1)
        sheet.update(.exposureProgramMode) {
            $0.currentValue = program.value(as: $0.type)
            $0.availability = isRemote ? .enabled : .displayOnly
            let type = $0.type
            // A body without the position key has no dial with priority: its list stays.
            guard hasPriority else { return }
            $0.setSettable(isRemote ? DialMode.allCases.map { $0.program.value(as: type) } : [])
        }
        let availability: SonyPropertyRecord.Availability = mode.speedIsSettable && isIdle ? .enabled : .displayOnly
        for code in speedProperties {
            sheet.update(code) {
                $0.currentValue = speed.value
                $0.availability = availability
                let values = code == .sonyShutterSpeed ? speeds.values : speeds.valuesWithoutBulb
                $0.setSettable(mode.speedIsSettable ? values : [])
            }
        }
        if model.version == .version2 {
            for (absolute, own) in SonyProfile.absolutes {
                if let number = sheet.integer(own) { sheet.set(absolute, number) }
            }
        }
        sheet.set(.sonyFocusIndication, Int64(focusIndication.rawValue))
        sheet.set(.sonyShootingFileInfo, Int64(fileInfo.rawValue))
        sheet.set(.sonySlot1ShotsLeft, Int64(shotsLeft))
    }

    /// Every speed of the body, in its order.
    var offeredSpeeds: [SonyShutterSpeed] { speeds.speeds }

    static func offeredSpeeds(
        _ model: SonyModel,
        _ options: BodyOptions,
        _ sheet: SonyPropertySheet
    ) -> [SonyShutterSpeed] {
        if let speeds = options.speeds { return speeds.map { SonyShutterSpeed($0) } }
        if let values = model.stepping?.values(of: .sonyShutterSpeed) {
            return values.map { SonyShutterSpeed(rawValue: UInt32(clamping: $0)) }
        }
        guard case .enumeration(_, let supported?) = sheet[.sonyShutterSpeed]?.form else { return [] }
        return supported.compactMap(\.integer).map { SonyShutterSpeed(rawValue: UInt32($0)) }
    }

    /// The properties of the speed in the sheet. 0xD229 is something else on version 3.
    var speedProperties: [PropertyCode] {
        model.version == .version2 ? [.sonyShutterSpeed, .sonyShutterSpeedVersion2] : [.sonyShutterSpeed]
    }

    /// The body ignores settings and shutter while the shutter works and while pictures wait in the buffer
    /// (alpha-fairy).
    var isIdle: Bool { shutter == .ready && buffer.isEmpty }

    private var fileInfo: SonyShootingFileInfo {
        if !buffer.isEmpty { return .ready(buffer.count) }
        switch shutter {
        case .darkFrame, .saving, .stuck: return saveTarget == .card ? .empty : .inPreparation
        case .ready, .releasing, .open: return .empty
        }
    }

    private var focusIndication: SonyFocusIndication {
        switch focus {
        case .idle, .searching: .unlocked
        case .locked: .singleFocused
        case .failed: .singleFailed
        }
    }

    var saveTarget: SonySaveTarget {
        SonySaveTarget(rawValue: UInt16(truncatingIfNeeded: sheet.integer(.sonySaveTarget) ?? 0x11))
    }

    var focusMode: SonyFocusMode {
        SonyFocusMode(rawValue: UInt16(truncatingIfNeeded: sheet.integer(.focusMode) ?? 1))
    }

    /// As the body reports it, else as it was switched on.
    var reducesNoise: Bool {
        guard let reported = sheet.integer(.sonyLongExposureNoiseReduction) else { return options.noiseReduction }
        return reported == Int64(SonyLongExposureNoiseReduction.on.rawValue)
    }
}
