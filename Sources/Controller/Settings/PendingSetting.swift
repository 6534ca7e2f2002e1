import Cameras

/// A setting that is to be put back.
struct PendingSetting: Equatable, Sendable {
    var row: SettingRow
    var motion: Motion
    /// Why the last try to put it back failed; nil: none did.
    var trouble: Trouble?

    /// What is known of where the body stands. It decides who set a value that the body shows.
    enum Motion: Equatable, Sendable {
        /// The body stopped here and no command is under way: another value is the user's.
        case settled(on: String)
        /// A command is under way: no value that the body shows is the user's. Nil: the body showed its value before.
        case moving(to: String?)
        /// The camera or this daemon was away, and an earlier command may take effect late. On a body that is set by
        /// value, a value that was never set here is the user's. Where notches led is not known.
        case unseen
    }

    /// Why a setting could not be put back.
    enum Trouble: Equatable, Sendable {
        case busy
        case failed(CameraFailure)
        /// The camera did not answer.
        case silent

        var sentence: String {
            switch self {
            case .busy: "The camera is busy."
            case .failed(let failure): failure.sentence
            case .silent: "The camera did not report the result."
            }
        }
    }

    /// That it could not be put back, and why.
    var failureSentence: String {
        let reason = trouble?.sentence ?? "The camera is busy or does not answer."
        return "The \(row.words) could not be put back to \(row.original). The daemon tries again. \(reason)"
    }
}

extension SettingKey {
    /// Nil: another version of the daemon knows it.
    var kind: CameraProperty? { CameraProperty(rawValue: property) }

    /// `shutter speed`.
    var words: String { property.split(separator: "-").joined(separator: " ") }
}

extension SettingRow {
    var key: SettingKey { SettingKey(cameraID: cameraID, property: property) }

    var words: String { key.words }

    /// A shoot sets it to these too.
    mutating func take(_ more: [String]) {
        for value in more where !values.contains(value) { values.append(value) }
    }
}
