import Exposure

package struct CameraIdentity: Hashable, Sendable {
    /// The maker as the body reports it: `Sony Corporation`.
    package var maker: String
    /// The model: `ILCE-7M4`.
    package var model: String
    /// The firmware version as the body reports it: `1.00`.
    package var firmware: String
    /// The serial number; can be empty.
    package var serial: String
    /// The constant id of a body: the maker's prefix, and the serial number or the GUID in hexadecimal.
    package var id: String

    package init(maker: String, model: String, firmware: String, serial: String, id: String) {
        self.maker = maker
        self.model = model
        self.firmware = firmware
        self.serial = serial
        self.id = id
    }
}

extension CameraIdentity {
    /// The identity before a body has identified itself.
    package static let unknown = CameraIdentity(maker: "", model: "", firmware: "", serial: "", id: "")

    /// Maker and model, see ``name(maker:model:)``.
    package var name: String { Self.name(maker: maker, model: model) }

    /// The name for users: maker and model. A model that begins with the maker's first word is the whole name, because
    /// Canon Inc. gives its models names such as Canon EOS 60D.
    package static func name(maker: String, model: String) -> String {
        let first = firstWord(of: maker)
        let isRepeated = !first.isEmpty && first == firstWord(of: model)
        if model.isEmpty { return maker }
        return maker.isEmpty || isRepeated ? model : "\(maker) \(model)"
    }

    /// A word ends before the full stop of `Canon.Inc`.
    private static func firstWord(of text: String) -> String {
        text.prefix { $0.isLetter || $0.isNumber }.lowercased()
    }
}

/// What a body reports about itself.
package struct CameraStatus: Hashable, Sendable {
    /// The position of the mode dial.
    package var mode: ExposureMode
    /// The maker's name of the mode: `Tv`; nil: the name of ``mode``.
    package var modeName: String?
    /// How the user changes the mode.
    package var modeControl: ModeControl
    /// The speeds that can be set now: fastest first, no duplicates.
    package var speeds: [ShutterSpeed]
    /// The present speed; nil: the body does not report it.
    package var speed: SpeedReading?
    package var speedIsWritable: Bool
    /// How the body changes its speed.
    package var speedSetting: SpeedSetting
    /// The longest time from a capture command to its result, apart from the exposure.
    package var captureTimeMax: Duration
    /// The property that changes when the speed of this body is set. The core restores this property after a shoot.
    package var speedProperty: CameraProperty
    /// The charge of the battery, 0 to 100; nil: not known.
    package var batteryPercent: Int?
    /// How many pictures still fit on the card; nil: the body does not report it.
    package var shotsLeft: Int?
    /// Whether the body takes a dark frame after a long exposure.
    package var noiseReduction: NoiseReduction
    /// The focus mode in photographic notation: `MF`, `AF-S`.
    package var focusMode: String?
    /// Whether a half press leaves the focus unchanged; nil: the body does not report it.
    package var isManualFocus: Bool?
    /// Whether a body that is not in manual focus focuses before each frame.
    package var focusesForFrames: Bool
    /// The ISO: `100`, `Auto`.
    package var iso: String?
    /// Whether the body chooses the ISO; nil: the body does not report it.
    package var isISOAuto: Bool?
    /// The aperture: `f/2.8`.
    package var aperture: String?
    /// Where the body stores pictures: `card`.
    package var saveTarget: String?
    /// Whether the body reports that pictures go to this computer and not to a card.
    package var savesToHostAlone: Bool
    /// The kinds of files that the body delivers for each picture, one file of each kind; nil: not known.
    package var fileKinds: Set<PictureInfo.Kind>?
    /// The name of a tone setting that is on and adapts to the scene: `DRO`; nil: none is on, or the body does not
    /// report it.
    package var adaptiveTone: String?
    /// By how much the present exposure is brighter than the body's own meter wants, in thirds of a stop; nil: not
    /// reported. It is a first guess, and never a proof.
    package var meterThirds: Int?

    /// The default values mean "not known".
    package init(
        mode: ExposureMode,
        modeName: String? = nil,
        modeControl: ModeControl = .dial,
        speeds: [ShutterSpeed] = [],
        speed: SpeedReading? = nil,
        speedIsWritable: Bool = false,
        speedSetting: SpeedSetting = .absolute,
        captureTimeMax: Duration = Self.usualCaptureTimeMax,
        speedProperty: CameraProperty = .shutterSpeed,
        batteryPercent: Int? = nil,
        shotsLeft: Int? = nil,
        noiseReduction: NoiseReduction = .unknown,
        focusMode: String? = nil,
        isManualFocus: Bool? = nil,
        focusesForFrames: Bool = true,
        iso: String? = nil,
        isISOAuto: Bool? = nil,
        aperture: String? = nil,
        saveTarget: String? = nil,
        savesToHostAlone: Bool = false,
        fileKinds: Set<PictureInfo.Kind>? = nil,
        adaptiveTone: String? = nil,
        meterThirds: Int? = nil
    ) {
        self.mode = mode
        self.modeName = modeName
        self.modeControl = modeControl
        self.speeds = speeds
        self.speed = speed
        self.speedIsWritable = speedIsWritable
        self.speedSetting = speedSetting
        self.captureTimeMax = captureTimeMax
        self.speedProperty = speedProperty
        self.batteryPercent = batteryPercent
        self.shotsLeft = shotsLeft
        self.noiseReduction = noiseReduction
        self.focusMode = focusMode
        self.isManualFocus = isManualFocus
        self.focusesForFrames = focusesForFrames
        self.iso = iso
        self.isISOAuto = isISOAuto
        self.aperture = aperture
        self.saveTarget = saveTarget
        self.savesToHostAlone = savesToHostAlone
        self.fileKinds = fileKinds
        self.adaptiveTone = adaptiveTone
        self.meterThirds = meterThirds
    }

    /// The longest time from a capture command to its result on most bodies, apart from the exposure. It includes focus
    /// (up to 1 s), shutter buttons, file (ready after 2.5 to 4.5 s, VIEW) and a margin.
    package static let usualCaptureTimeMax: Duration = .seconds(15)

    /// The position of the mode dial as the maker names it. It is only for the user, and no code depends on it.
    package var modeLabel: String { modeName ?? mode.description }
}

/// The way in which the user of a body changes its mode.
package enum ModeControl: Hashable, Sendable {
    case dial
    /// The body has no mode dial, or a program can change its mode: ``CameraProperty/exposureMode``.
    case property
    /// The body is in a menu and cannot shoot. The text says how to leave the menu.
    case menu(advice: String)
}

/// The position of the mode dial.
package enum ExposureMode: Hashable, Sendable, CustomStringConvertible {
    /// M: the photographer sets shutter speed and aperture.
    case manual
    /// S, or Canon's Tv: the photographer sets the shutter speed, and the body sets the aperture.
    case shutterPriority
    /// A, or Canon's Av: the photographer sets the aperture, and the body sets the shutter speed.
    case aperturePriority
    /// P: the body sets both.
    case program
    /// Any other mode, by the maker's name.
    case other(String)

    /// The name of the mode: M, S, A, P, or the maker's name for another mode.
    package var description: String {
        switch self {
        case .manual: "M"
        case .shutterPriority: "S"
        case .aperturePriority: "A"
        case .program: "P"
        case .other(let name): name
        }
    }
}

/// Whether the body takes a dark frame after a long exposure. A dark frame doubles the time of the frame.
package enum NoiseReduction: Hashable, Sendable {
    /// The body takes no dark frame.
    case off
    /// After a long exposure the body takes a dark frame of the same duration.
    case on
    /// The body does not report the setting, so noise reduction can be on.
    case unknown
}
