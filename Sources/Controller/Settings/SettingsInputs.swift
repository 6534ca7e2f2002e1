import Cameras

/// A camera's values of the settings that a shoot changes.
package struct SettingsReading: Equatable, Sendable {
    package var camera: CameraIdentity
    /// The values of the properties. Unknown values are absent.
    package var values: [CameraProperty: String]
    /// Whether the body steps: a new speed is set by notches, and the result depends on the speed before.
    package var isStepwise: Bool
    /// Whether a shown value may change further, because the driver has not reported the end of the steps.
    package var isPassing = false

    /// The value of a camera's setting; nil: another camera is connected, or the value is unknown.
    func value(of key: SettingKey) -> String? {
        key.cameraID == camera.id ? key.kind.flatMap { values[$0] } : nil
    }
}

/// The values that a shoot is going to set.
package struct SettingsShoot: Equatable, Sendable {
    package var reading: SettingsReading
    package var changes: [CameraProperty: [String]]
}

package struct PropertySetting: Equatable, Sendable {
    package var property: CameraProperty
    package var value: String
}

/// The result of a client's request to set a property.
package struct ClientSetting: Equatable, Sendable {
    /// The property that was set; nil: no property was set.
    package var property: CameraProperty?
}

/// The settings that an earlier run of the daemon has not restored.
package struct SettingsRecovery: Equatable, Sendable {
    package var rows: [SettingRow]
}

/// The state of the shoot when the daemon stops.
package struct SettingsStop: Equatable, Sendable {
    /// Whether settings may be changed. They must not change while the shutter may be open.
    package var mayTouch: Bool
}
