import Exposure
import JSON

/// The notation of a setting: the text for users, and the text or number of the body.
package struct SonyHTTPPropertyText: Sendable {
    /// The text for a value of the body; nil: the value means that the body shows nothing.
    package let format: @Sendable (JSONValue) -> String?

    init(format: @escaping @Sendable (JSONValue) -> String?) { self.format = format }

    /// A text that is the same for users; empty: the body shows nothing (API Reference: "not valid now").
    package static let plain = Self { $0.shownText }

    /// `1/125`, `0.3"`, `BULB`.
    package static let shutterSpeed = Self { value in
        value.shownText.flatMap { SonyHTTPShutterSpeed(rawValue: $0).reading?.description }
    }

    /// `Auto`, `100`.
    package static let iso = Self { value in value.shownText.map { $0 == "AUTO" ? "Auto" : $0 } }

    /// `f/5.6`, `f/4`. The body sends `4.0`.
    package static let aperture = Self { value in
        value.shownText.map { "f/" + ($0.hasSuffix(".0") ? String($0.dropLast(2)) : $0) }
    }

    /// Small letters, as for the values of other protocols: `single`, `continuous`.
    package static let drive = names([
        "Single": "single", "Continuous": "continuous", "Spd Priority Cont.": "continuous speed priority",
        "Burst": "burst", "MotionShot": "motion shot", "Motion Shot": "motion shot",
    ])

    package static let exposureMode = names([
        "Manual": "M", "Shutter": "S", "Aperture": "A", "Program Auto": "P",
    ])

    package static let whiteBalance = names([
        "Auto WB": "auto", "Daylight": "daylight", "Shade": "shade", "Cloudy": "cloudy",
        "Incandescent": "incandescent", "Fluorescent: Warm White (-1)": "fluorescent -1",
        "Fluorescent: Cool White (0)": "fluorescent 0", "Fluorescent: Day White (+1)": "fluorescent +1",
        "Fluorescent: Daylight (+2)": "fluorescent +2", "Flash": "flash", "Color Temperature": "colour temperature",
        "Custom": "custom", "Custom 1": "custom 1", "Custom 2": "custom 2", "Custom 3": "custom 3",
    ])

    package static let flash = names(["slowSync": "slow sync", "rearSync": "rear sync"])

    /// `off`, `2 s`.
    package static let selfTimer = Self { value in
        value.intValue.map { $0 == 0 ? "off" : "\($0) s" }
    }

    /// Texts with a table of names for users. A text without a row is shown as it is.
    private static func names(_ table: [String: String]) -> Self {
        Self { value in value.shownText.map { table[$0] ?? $0 } }
    }
}

extension JSONValue {
    /// The text; nil: another kind of value, an empty text or a text that is too long.
    var shownText: String? {
        guard let text = stringValue, !text.isEmpty, text.utf8.count <= SonyHTTPLimits.textLengthMax else { return nil }
        return text
    }
}
