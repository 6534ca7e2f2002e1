import Exposure

/// Which body answered.
package struct CameraIdentity: Hashable, Sendable {
    /// As the body writes it: `Sony Corporation`.
    package var maker: String
    /// `ILCE-7M4`.
    package var model: String
    /// As the body writes it: `1.00`.
    package var firmware: String
    /// May be empty.
    package var serial: String
    /// The same each time this body is met: its serial number, else its GUID in hexadecimal.
    package var id: String

    /// All of it, as the body says it.
    package init(maker: String, model: String, firmware: String, serial: String, id: String) {
        self.maker = maker
        self.model = model
        self.firmware = firmware
        self.serial = serial
        self.id = id
    }
}

extension CameraIdentity {
    /// Nobody answered yet.
    package static let unknown = CameraIdentity(maker: "", model: "", firmware: "", serial: "", id: "")

    /// The body as people call it.
    package var name: String { maker.isEmpty ? model : "\(maker) \(model)" }
}

/// What a body reports about itself.
package struct CameraStatus: Hashable, Sendable {
    /// Where the mode dial stands.
    package var mode: ExposureMode
    /// What can be set now: fastest first, no duplicates.
    package var speeds: [ShutterSpeed]
    /// nil: the body does not say.
    package var speed: SpeedReading?
    /// Whether the speed can be set now.
    package var speedIsWritable: Bool
    /// How a new speed is taken.
    package var speedSetting: SpeedSetting
    /// The setting that a new speed changes on this body: what is put back after a shoot.
    package var speedProperty: CameraProperty
    /// 0 to 100; nil: unknown.
    package var batteryPercent: Int?
    /// How many pictures the card still takes; nil: the body does not say.
    package var shotsLeft: Int?
    /// Whether long exposures take twice their time.
    package var noiseReduction: NoiseReduction
    /// As photographers call it: `MF`, `AF-S`.
    package var focusMode: String?
    /// Whether a half press leaves the focus alone; nil: the body does not say.
    package var isManualFocus: Bool?
    /// `100`, `Auto`.
    package var iso: String?
    /// Whether the body chooses the sensitivity; nil: it does not say.
    package var isISOAuto: Bool?
    /// `f/2.8`.
    package var aperture: String?
    /// Where pictures go: `card`.
    package var saveTarget: String?
    /// Whether the body shows that pictures go to this computer and to no card.
    package var savesToHostAlone: Bool
    /// The kinds of files that the body hands over of each picture, one of each; nil: not known.
    package var fileKinds: Set<PictureInfo.Kind>?

    /// What is not given is not known.
    package init(
        mode: ExposureMode,
        speeds: [ShutterSpeed] = [],
        speed: SpeedReading? = nil,
        speedIsWritable: Bool = false,
        speedSetting: SpeedSetting = .absolute,
        speedProperty: CameraProperty = .shutterSpeed,
        batteryPercent: Int? = nil,
        shotsLeft: Int? = nil,
        noiseReduction: NoiseReduction = .unknown,
        focusMode: String? = nil,
        isManualFocus: Bool? = nil,
        iso: String? = nil,
        isISOAuto: Bool? = nil,
        aperture: String? = nil,
        saveTarget: String? = nil,
        savesToHostAlone: Bool = false,
        fileKinds: Set<PictureInfo.Kind>? = nil
    ) {
        self.mode = mode
        self.speeds = speeds
        self.speed = speed
        self.speedIsWritable = speedIsWritable
        self.speedSetting = speedSetting
        self.speedProperty = speedProperty
        self.batteryPercent = batteryPercent
        self.shotsLeft = shotsLeft
        self.noiseReduction = noiseReduction
        self.focusMode = focusMode
        self.isManualFocus = isManualFocus
        self.iso = iso
        self.isISOAuto = isISOAuto
        self.aperture = aperture
        self.saveTarget = saveTarget
        self.savesToHostAlone = savesToHostAlone
        self.fileKinds = fileKinds
    }
}

/// The position of the mode dial.
package enum ExposureMode: Hashable, Sendable, CustomStringConvertible {
    /// M: shutter speed and aperture are set by the photographer.
    case manual
    /// S: the body answers a new speed with another aperture.
    case shutterPriority
    /// A: the body sets the speed.
    case aperturePriority
    /// P: the body sets both.
    case program
    /// Anything else, named as the body's maker does.
    case other(String)

    /// The name as on the dial: M, S, A, P or the other mode's name.
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

/// Whether the body makes a dark frame after a long exposure, which doubles its time.
package enum NoiseReduction: Hashable, Sendable {
    /// No dark frame is made.
    case off
    /// A dark frame as long as the exposure follows it.
    case on
    /// The body does not say: it may be on.
    case unknown
}
