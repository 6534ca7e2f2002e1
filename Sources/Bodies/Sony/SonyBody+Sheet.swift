import Cameras
import PTP

/// The properties of the body, as operation 0x9209 returns them.
extension SonyBody {
    /// Every speed of the body, in the body's order, also as values of the speed properties.
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

    /// Updates the sheet from the body's state. Writes each record at most once.
    mutating func refreshSheet() {
        let program = mode.program
        let (hasPriority, isRemote) = (sheet[.sonyPositionKey] != nil, sheet.integer(.sonyPositionKey) == 1)
        sheet.update(.exposureProgramMode) {
            $0.currentValue = program.value(as: $0.type)
            $0.availability = isRemote ? .enabled : .displayOnly
            let type = $0.type
            // On a body without the position key, the dial has no priority, so the list does not change.
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

    /// Every speed of the body, in the body's order.
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

    /// The properties that contain the speed. On version 3, 0xD229 has another meaning.
    var speedProperties: [PropertyCode] {
        model.version == .version2 ? [.sonyShutterSpeed, .sonyShutterSpeedVersion2] : [.sonyShutterSpeed]
    }

    /// Whether the body accepts settings and the shutter. It ignores both while the shutter works, and while pictures
    /// wait in the buffer (alpha-fairy).
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

    /// Whether noise reduction is on: the property's value, or the option if the body has no such property.
    var reducesNoise: Bool {
        guard let reported = sheet.integer(.sonyLongExposureNoiseReduction) else { return options.noiseReduction }
        return reported == Int64(SonyLongExposureNoiseReduction.on.rawValue)
    }
}
