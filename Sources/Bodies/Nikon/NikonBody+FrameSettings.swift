import Cameras
import PTP

extension NikonBody {
    /// The body's present settings, for an exposure at this speed.
    func frameSettings(at speed: NikonShutterSpeed) -> FrameSettings {
        let isAuto = sheet.number(.nikonAutoISO) == 1
        let sensitivity = sheet.number(.nikonISO) ?? sheet.number(.exposureIndex) ?? 100
        let aperture = sheet.number(.fNumber) ?? 0
        var settings = FrameSettings(
            iso: Int(sensitivity),
            isAutoISO: isAuto,
            aperture: aperture > 0 ? Int(aperture) : nil,
            compensation: Self.rounded(Int(sheet.number(.exposureBiasCompensation) ?? 0)),
            mode: mode,
            whiteBalance: Int(sheet.number(.whiteBalance) ?? 2)
        )
        guard isAuto else { return settings }
        settings.chooseISO(from: sheet.choices(.nikonISO).map(Int.init), over: exposureTime(of: speed) ?? .seconds(1))
        return settings
    }

    /// Nikon cuts the thirds to 333 and 666. The settings have 300 and 700.
    private static func rounded(_ compensation: Int) -> Int {
        let rest = [333: 300, 500: 500, 666: 700][abs(compensation) % 1_000] ?? 0
        return compensation.signum() * (abs(compensation) / 1_000 * 1_000 + rest)
    }
}
