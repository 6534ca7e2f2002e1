/// A setting of a body, with the same photographic name for all makers.
///
/// Users and programs use the raw value: `bracketctl get shutter-speed`.
package enum CameraProperty: String, CaseIterable, Hashable, Sendable {
    case shutterSpeed = "shutter-speed"
    case iso
    case aperture
    case exposureCompensation = "exposure-compensation"
    case whiteBalance = "white-balance"
    case drive
    case focusMode = "focus-mode"
    /// The files of a picture, and the compression of its JPEG: `RAW+JPEG fine`.
    case quality
    /// Where the body stores pictures: `card`, `host`, `host and card`.
    case saveTarget = "save-target"
    /// The position of the mode dial, on bodies where a program can change it.
    case exposureMode = "exposure-mode"
    case flash
    case selfTimer = "self-timer"
    /// The size of the picture that the body delivers after a shot, on bodies with such a picture.
    case postviewSize = "postview-size"
    /// How the body zooms: by the lens alone, or also digitally.
    case zoomSetting = "zoom-setting"
}

/// The state of one setting, as the body reports it.
package struct PropertyState: Hashable, Sendable {
    package var property: CameraProperty
    /// The value in photographic notation: `1/125`, `f/2.8`, `+0.3`, `AF-S`. nil: the body does not report it now.
    package var value: String?
    /// The values that can be set now, in the body's order. Empty: read-only, or the body lists no values.
    package var choices: [String]
    package var isWritable: Bool
    /// The kind of the drive mode in `value`; nil: another property, or the maker's part does not know the kind.
    package var driveKind: DriveKind?

    package init(
        property: CameraProperty,
        value: String?,
        choices: [String] = [],
        isWritable: Bool = false,
        driveKind: DriveKind? = nil
    ) {
        self.property = property
        self.value = value
        self.choices = choices
        self.isWritable = isWritable
        self.driveKind = driveKind
    }
}

/// How a body changes its shutter speed.
package enum SpeedSetting: Hashable, Sendable {
    /// By one command with the new value.
    case absolute
    /// By notches of a third of a stop. One notch takes about `perNotch`.
    case stepwise(perNotch: Duration)
}
