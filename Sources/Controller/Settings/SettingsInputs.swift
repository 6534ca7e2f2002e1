import Cameras

/// A camera's values of the settings that a shoot changes.
package struct SettingsReading: Equatable, Sendable {
    package var camera: CameraIdentity
    /// Unknown values are absent.
    package var values: [CameraProperty: String]
    /// Whether a new speed is set by notches, so that the result depends on the body's speed before.
    package var isStepwise: Bool
    /// Whether the body may only pass a value: the driver has not reported the end of a way by notches.
    package var isPassing = false
}

/// The values that a new shoot is going to set.
package struct SettingsShoot: Equatable, Sendable {
    package var reading: SettingsReading
    package var changes: [CameraProperty: [String]]
}

package struct PropertySetting: Equatable, Sendable {
    package var property: CameraProperty
    package var value: String
}

/// The end of a client's request to set a property.
package struct ClientSetting: Equatable, Sendable {
    /// Nil: nothing was set.
    package var property: CameraProperty?
}

/// The settings that an earlier run of the daemon has not restored.
package struct SettingsRecovery: Equatable, Sendable {
    package var rows: [SettingRow]
}

/// The state at a stop of the daemon.
package struct SettingsStop: Equatable, Sendable {
    /// Nothing is changed while the shutter may be open.
    package var mayTouch: Bool
}
