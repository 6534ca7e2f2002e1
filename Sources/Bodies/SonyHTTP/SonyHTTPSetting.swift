import Cameras
import JSON

/// A setting of a body with Sony's HTTP API: the names of its methods, and its values (API Reference v2.40).
struct SonyHTTPSetting: Sendable {
    /// The form of the values in methods and events.
    enum Form: Equatable, Sendable {
        /// The value itself.
        case value
        /// An object with this member, and a list `candidate`.
        case object(String)
        /// A number of steps with its limits.
        case compensation
        /// A mode with a colour temperature.
        case whiteBalance
    }

    /// The common part of the methods: `FNumber`.
    let stem: String
    var form = Form.value
    let choices: [JSONValue]
    /// Whether the pre-installed app has the setting (SR, `Name.java`).
    var isReduced = false

    /// The type of the object in an event, and its first position.
    var type: String {
        switch stem {
        case "SilentShootingSetting": "silentShooting"
        default: stem.prefix(1).lowercased() + stem.dropFirst()
        }
    }

    /// The settings whose methods are in the API list.
    static let table: [SonyHTTPSetting] = [
        SonyHTTPSetting(stem: "SelfTimer", choices: [0, 2, 10], isReduced: true),
        object("ContShootingMode", "contShootingMode", ["Single", "Continuous", "Spd Priority Cont."]),
        object("ContShootingSpeed", "contShootingSpeed", ["Hi", "Low"]),
        SonyHTTPSetting(stem: "ExposureMode", choices: texts(modes)),
        SonyHTTPSetting(
            stem: "ExposureCompensation",
            form: .compensation,
            choices: (-compensationMax...compensationMax).map { .int($0) },
            isReduced: true
        ),
        SonyHTTPSetting(stem: "FNumber", choices: texts(apertures)),
        SonyHTTPSetting(stem: "IsoSpeedRate", choices: texts(["AUTO"] + sensitivities.map { "\($0)" })),
        SonyHTTPSetting(stem: "PostviewImageSize", choices: ["Original", "2M"]),
        SonyHTTPSetting(stem: "ShootMode", choices: ["still"], isReduced: true),
        SonyHTTPSetting(stem: "ShutterSpeed", choices: []),
        SonyHTTPSetting(stem: "WhiteBalance", form: .whiteBalance, choices: texts(whiteBalances)),
        SonyHTTPSetting(stem: "FlashMode", choices: ["off", "auto", "on", "slowSync", "rearSync"], isReduced: true),
        SonyHTTPSetting(stem: "FocusMode", choices: ["AF-S", "AF-C", "DMF", "MF"]),
        object("StillQuality", "stillQuality", ["RAW+JPEG", "Fine", "Standard"]),
        object(
            "ZoomSetting",
            "zoom",
            ["Optical Zoom Only", "On:Clear Image Zoom", "On:Digital Zoom"]
        ),
        object("SilentShootingSetting", "silentShooting", ["On", "Off"]),
    ]

    static func named(_ stem: some StringProtocol) -> SonyHTTPSetting? { table.first { $0.stem == stem } }

    static let modes = ["Program Auto", "Aperture", "Shutter", "Manual", "Intelligent Auto"]
    /// The greatest exposure compensation in steps of 1/3 EV (a real ILCE-5000).
    static let compensationMax = 9
    static let apertures = [
        "2.8", "3.2", "3.5", "4.0", "4.5", "5.0", "5.6", "6.3", "7.1", "8.0", "9.0", "10", "11", "13", "14", "16", "18",
        "20", "22",
    ]
    static let sensitivities = [
        100, 125, 160, 200, 250, 320, 400, 500, 640, 800, 1_000, 1_250, 1_600, 2_000, 2_500, 3_200, 4_000, 5_000, 6_400,
        8_000, 10_000, 12_800, 16_000, 20_000, 25_600,
    ]
    static let whiteBalances = [
        "Auto WB", "Daylight", "Shade", "Cloudy", "Incandescent", "Fluorescent: Warm White (-1)",
        "Fluorescent: Cool White (0)", "Fluorescent: Day White (+1)", "Fluorescent: Daylight (+2)", "Flash",
        "Color Temperature", "Custom",
    ]
    /// The greatest, the least and the step of a colour temperature in kelvins.
    static let temperatures: JSONValue = [9_900, 2_500, 100]

    private static func object(_ stem: String, _ key: String, _ choices: [JSONValue]) -> SonyHTTPSetting {
        SonyHTTPSetting(stem: stem, form: .object(key), choices: choices)
    }

    private static func texts(_ texts: [String]) -> [JSONValue] { texts.map { .string($0) } }
}

extension SonyHTTPModel {
    /// The settings that the model has.
    var settings: [SonyHTTPSetting] {
        SonyHTTPSetting.table.filter { setting in
            if isReduced { return setting.isReduced }
            switch setting.stem {
            case "StillQuality": return versions.contains("1.2")
            case "ZoomSetting": return hasPowerZoom
            case "SilentShootingSetting": return versions.contains("1.4")
            default: return true
            }
        }
    }

    /// The body's speeds, slow to fast, with BULB (SR 4.x; a real ILCE-5000).
    var speedTexts: [String] {
        let scale = ["BULB"] + SonyHTTPBody.speedScale
        let last = scale.firstIndex(of: "1/\(fastest)") ?? scale.count - 1
        return Array(scale[...last])
    }
}
