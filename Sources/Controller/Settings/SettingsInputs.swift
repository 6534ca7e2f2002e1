import Cameras

/// What a camera shows of the settings that a shoot changes.
package struct SettingsReading: Equatable, Sendable {
    package var camera: CameraIdentity
    /// What is not known is absent.
    package var values: [CameraProperty: String]
    /// Whether a new speed is taken by notches, so that it depends on where the body stood before.
    package var isStepwise: Bool
    /// Whether a value may be one that the body only passes: the driver has not reported the end of a way by notches.
    package var isPassing = false
}

/// A shoot that begins: what it is going to change, and to what.
package struct SettingsShoot: Equatable, Sendable {
    package var reading: SettingsReading
    package var changes: [CameraProperty: [String]]
}

/// A property and what it is set to.
package struct PropertySetting: Equatable, Sendable {
    package var property: CameraProperty
    package var value: String

    package init(_ property: CameraProperty, _ value: String) {
        self.property = property
        self.value = value
    }
}

/// What became of a client's order to set a property.
package struct PersonalSetting: Equatable, Sendable {
    /// Nil: nothing was set.
    package var property: CameraProperty?

    package init(_ property: CameraProperty?) {
        self.property = property
    }
}

/// What an earlier run of the daemon has not put back.
package struct SettingsRecovery: Equatable, Sendable {
    package var rows: [SettingRow]
}

/// How things stand when the daemon is told to stop.
package struct SettingsStop: Equatable, Sendable {
    /// Nothing is touched while the shutter may be open.
    package var mayTouch: Bool
}
