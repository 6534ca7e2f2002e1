import Cameras
import PTP

extension SonyBody {
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
        settings.chooseISO(
            from: SonyPropertyTable.plainSensitivities.map(Int.init),
            over: speed.exposureTime ?? .seconds(1)
        )
        return settings
    }
}
