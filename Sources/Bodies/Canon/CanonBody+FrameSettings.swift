import Cameras
import PTP

extension CanonBody {
    /// The body's present settings, for an exposure at this speed.
    func frameSettings(at speed: CanonShutterSpeed) -> FrameSettings {
        let sensitivity = CanonISO(rawValue: sheet.number(.canonISO) ?? 0)
        var settings = FrameSettings(
            iso: CanonISO.labels.first { $0.raw == sensitivity.rawValue }?.number ?? 100,
            isAutoISO: sensitivity.isAuto,
            aperture: aperture,
            compensation: compensation,
            mode: mode,
            // The settings have Sony's numbers: 2 is auto, 4 is daylight.
            whiteBalance: sheet.number(.canonWhiteBalance) == 0 ? 2 : 4
        )
        guard sensitivity.isAuto else { return settings }
        settings.chooseISO(from: CanonISO.labels.map(\.number), over: speed.exposureTime ?? .seconds(1))
        return settings
    }

    /// The f-number × 100; nil: the lens reports none.
    private var aperture: Int? {
        let raw = sheet.number(.canonAperture)
        let label = CanonAperture.labels.first { $0.raw == raw }?.label
        return label.flatMap { Double($0) }.map { Int(($0 * 100).rounded()) }
    }

    /// Exposure compensation × 1000. Bodies round the thirds to 300 and 700.
    private var compensation: Int {
        let eighths = Int(Int8(truncatingIfNeeded: sheet.number(.canonExposureCompensation) ?? 0))
        let rest = [3: 300, 4: 500, 5: 700][abs(eighths) % 8] ?? 0
        return eighths.signum() * (abs(eighths) / 8 * 1_000 + rest)
    }
}
