import Exposure

/// The tone curve of a simulated camera: JPEG codes against light.
package enum SceneCurve: String, Hashable, Sendable, CaseIterable {
    /// The median of real cameras, which the meter's table has too.
    case camera
    /// A display's curve without a camera's contrast (IEC 61966-2-1).
    case srgb
    /// More contrast than most cameras.
    case hard
    /// Less contrast, as with a flat picture profile.
    case soft

    /// The code, 0 to 255, of a light in EV from mid-grey.
    package func code(at ev: Double) -> Int {
        Int((exactCode(at: ev) + 0.5).rounded(.down))
    }

    private func exactCode(at ev: Double) -> Double {
        switch self {
        case .camera: ToneTable.camera.code(at: ev)
        case .hard: Self.hardTable.code(at: ev)
        case .soft: Self.softTable.code(at: ev)
        case .srgb: Self.display(Self.greyLight * Logarithm.power(ev)) * 255
        }
    }

    /// The light of code 118 relative to white.
    private static let greyLight = Logarithm.power(Logarithm.base2((118.0 / 255 + 0.055) / 1.055) * 2.4)

    private static func display(_ light: Double) -> Double {
        if light >= 1 { return 1 }
        return light <= 0.0031308 ? 12.92 * light : 1.055 * Logarithm.power(Logarithm.base2(light) / 2.4) - 0.055
    }

    private static let hardTable = ToneTable(
        knots: [
            .init(-8, 0), .init(-6, 1), .init(-4, 5), .init(-3, 12), .init(-2, 29), .init(-1, 63), .init(0, 118),
            .init(0.5, 150), .init(1, 184), .init(1.5, 216), .init(2, 242), .init(2.25, 250), .init(2.5, 255),
        ]
    )

    private static let softTable = ToneTable(
        knots: [
            .init(-10, 0), .init(-8, 3), .init(-6, 9), .init(-5, 15), .init(-4, 26), .init(-3, 41), .init(-2, 61),
            .init(-1, 87), .init(0, 118), .init(1, 153), .init(2, 191), .init(3, 226), .init(3.75, 250),
            .init(4, 255),
        ]
    )
}
