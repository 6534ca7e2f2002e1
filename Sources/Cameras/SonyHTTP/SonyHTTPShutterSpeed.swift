import Exposure

/// A shutter speed as the body's text: `BULB`, `30"`, `0.4"`, `1/3`, `1/4000` (a real ILCE-5000's list).
///
/// From 0.4 s on, the text is seconds with `"`, with one decimal below 10 s unless the number is whole. The driver
/// sends only texts that the body listed.
package struct SonyHTTPShutterSpeed: RawRepresentable, Hashable, Sendable {
    package var rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The shutter stays open until the next command. The driver never sets it.
    package static let bulb = Self(rawValue: "BULB")

    /// A speed of the third-stop scale in the body's form.
    package init(_ speed: ShutterSpeed) {
        rawValue = SonyShutterSpeed(speed).description
    }

    /// The speed of the third-stop scale; nil: BULB, a speed outside the scale, or no speed.
    package var shutterSpeed: ShutterSpeed? {
        Self.scale.first { $0.text == rawValue }?.speed ?? (try? ShutterSpeed(parsing: rawValue))
    }

    /// The value for the core; nil: the body shows no speed.
    package var reading: SpeedReading? {
        if let shutterSpeed { return .speed(shutterSpeed) }
        return rawValue.isEmpty ? nil : .other(rawValue)
    }

    private static let scale = ShutterSpeed.all.map { (text: SonyHTTPShutterSpeed($0).rawValue, speed: $0) }
}
