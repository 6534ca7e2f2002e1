/// The drive mode of a body.
package struct DriveMode: Hashable, Sendable {
    package var kind: DriveKind
    /// The maker's name: `continuous hi`.
    package var name: String

    package init(kind: DriveKind, name: String) {
        self.kind = kind
        self.name = name
    }
}

/// The effect of a shutter command in a drive mode.
package enum DriveKind: Hashable, Sendable {
    /// The body fires one frame at once.
    case single
    /// The body fires several frames.
    case continuous
    /// The body fires several frames, and changes a setting between them.
    case bracket
    /// The body fires after a delay, or when it finds a face.
    case selfTimer
    /// The body fires at intervals.
    case timeLapse
    /// The body only raises its mirror.
    case mirrorUp
    /// The effect is not known.
    case other
}

extension PropertyState {
    /// The drive mode; nil: this is another property, or the body reports no drive mode.
    package var driveMode: DriveMode? {
        guard property == .drive, let value else { return nil }
        return DriveMode(kind: driveKind ?? .other, name: value)
    }
}
