import Cameras
import PTP

extension SonyBody {
    /// The ISO range of auto ISO. The body chooses the lowest ISO that makes the picture bright enough.
    static let automaticSensitivities = 100...6_400

    /// The body's present settings, for an exposure at this speed.
    func frameSettings(at speed: SonyShutterSpeed) -> FrameSettings {
        let sensitivity = SonyISO(rawValue: UInt32(clamping: sheet.integer(.sonyISO) ?? 100))
        let aperture = sheet.integer(.fNumber).map(Int.init) ?? 0
        var settings = FrameSettings(
            iso: Int(sensitivity.rawValue & 0xFF_FFFF),
            isAutoISO: sensitivity.isAuto,
            aperture: (1..<0xFFFE).contains(aperture) ? aperture : nil,
            compensation: Int(sheet.integer(.exposureBiasCompensation) ?? 0),
            mode: mode,
            whiteBalance: Int(sheet.integer(.whiteBalance) ?? 2)
        )
        guard sensitivity.isAuto else { return settings }
        // Compensation is in 1/1000 EV. Bodies round thirds to 300 and 700. The ISO allows 1/6 stop less light.
        let half = settings.compensation < 0 ? -167 : 167
        let wanted = PowerOfTwo.sixths((settings.compensation + half) / 333 * 2 - 1)
        for iso in SonyPropertyTable.plainSensitivities.map(Int.init)
        where Self.automaticSensitivities.contains(iso) {
            settings.iso = iso
            if settings.light(over: speed.exposureTime ?? .seconds(1)) >= wanted { break }
        }
        return settings
    }
}
