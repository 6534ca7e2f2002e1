/// A setting of a body in photographers' words, whatever its maker calls it on the wire.
///
/// The raw value is how people and programs name it: `bracketctl get shutter-speed`.
package enum CameraProperty: String, CaseIterable, Hashable, Sendable {
    case shutterSpeed = "shutter-speed"
    case iso
    case aperture
    case exposureCompensation = "exposure-compensation"
    case whiteBalance = "white-balance"
    case drive
    case focusMode = "focus-mode"
    /// Which files a picture becomes, and how strongly a JPEG is compressed: `RAW+JPEG fine`.
    case quality
    /// Where pictures go: `card`, `host`, `host and card`.
    case saveTarget = "save-target"
}

/// What a body says of one of its settings.
package struct PropertyState: Hashable, Sendable {
    package var property: CameraProperty
    /// In photographers' words: `1/125`, `f/2.8`, `+0.3`, `AF-S`. Nil: the body does not say now.
    package var value: String?
    /// What can be set now, in the body's order. Empty where nothing can be set, or where the body does not list it.
    package var choices: [String]
    /// Whether it can be set now.
    package var isWritable: Bool

    /// See the fields.
    package init(property: CameraProperty, value: String?, choices: [String] = [], isWritable: Bool = false) {
        self.property = property
        self.value = value
        self.choices = choices
        self.isWritable = isWritable
    }
}

/// How a body takes a new shutter speed.
package enum SpeedSetting: Hashable, Sendable {
    /// As a value: one command, whatever the distance.
    case absolute
    /// By notches of a third stop; each takes the body about so long.
    case stepwise(perNotch: Duration)
}
