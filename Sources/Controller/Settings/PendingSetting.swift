import Cameras

/// A setting to restore.
struct PendingSetting: Equatable, Sendable {
    var row: SettingRow
    var motion: Motion
    /// Why the last try failed; nil: none did.
    var failure: Failure?

    /// What is known of the body's value. It decides who set a value that the body shows.
    enum Motion: Equatable, Sendable {
        /// The body stopped here, and no command is active: another value is the user's.
        case settled(on: String)
        /// A command is active: no value that the body shows is the user's. Nil: the body showed its value before.
        case moving(to: String?)
        /// The camera or this daemon was away, and an earlier command may take effect late. On a body that is set by
        /// value, a value that was never set here is the user's. The end of a way by notches is not known.
        case unseen
    }

    /// Why a setting was not restored.
    enum Failure: Equatable, Sendable {
        case busy
        case failed(CameraFailure)
        case silent
    }

    /// The sentence for a failed try.
    var failureSentence: String { SettingsSentences.notPutBack(row, failure) }
}

extension SettingKey {
    /// Nil: only another version of the daemon has it.
    var kind: CameraProperty? { CameraProperty(rawValue: property) }

    /// `shutter speed`.
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
