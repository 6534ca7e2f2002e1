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
        // Bodies round thirds of a stop to 300 and 700. A picture is bright enough at a sixth of a stop less.
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
