import Cameras

/// A setting to restore.
struct PendingSetting: Equatable, Sendable {
    var row: SettingRow
    var motion: Motion
    /// The reason why the last try to restore the setting failed; nil: no try has failed.
    var failure: Failure?

    /// The known state of the body's value. It decides whether the user or the daemon set a value that the body shows.
    enum Motion: Equatable, Sendable {
        /// The body shows this value, and no command is active. If another value appears, the user has set it.
        case settled(on: String)
        /// A command sets this value, so no shown value is the user's. Nil: the body already showed the value.
        case moving(to: String?)
        /// The camera was not connected or the daemon did not run, and an earlier command may take effect late. On a
        /// body that is set by value, a value that the daemon never set is the user's. On a body that steps, the final
        /// notch is not known.
        case unseen
    }

    /// The reason why a setting was not restored.
    enum Failure: Equatable, Sendable {
        case busy
        case failed(CameraFailure)
        case silent
    }

    /// The sentence for a failed try.
    var failureSentence: String { SettingsSentences.notPutBack(row, failure) }
}

extension SettingKey {
    /// The property; nil: this version of the daemon does not have the property.
    var kind: CameraProperty? { CameraProperty(rawValue: property) }

    /// The name of the property in a sentence: `shutter speed`.
    var words: String { property.split(separator: "-").joined(separator: " ") }
}

extension SettingRow {
    var key: SettingKey { SettingKey(cameraID: cameraID, property: property) }

    var words: String { key.words }

    /// Adds values that a shoot sets.
    mutating func take(_ more: [String]) {
        for value in more where !values.contains(value) { values.append(value) }
    }
}
