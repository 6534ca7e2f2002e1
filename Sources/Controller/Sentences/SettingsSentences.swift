import Cameras

/// The texts of the journal, the status and the replies about the camera's settings that a shoot changes.
enum SettingsSentences {
    // MARK: Putting back

    static func putBackLater(_ row: SettingRow) -> String {
        "The \(row.words) of \(row.cameraName) is put back to \(row.original) when the camera is connected again."
    }

    static func isBeingPutBack(_ row: SettingRow) -> String {
        "The \(row.words) is being put back to \(row.original)."
    }

    static func wasPutBack(_ row: SettingRow) -> String { "The \(row.words) was put back to \(row.original)." }

    /// - Parameter values: the settings and their values, in the order of the sentence.
    static func allPutBack(_ values: [(key: SettingKey, value: String)]) -> String {
        let list = values.map { "\($0.key.words) \($0.value)" }.joined(separator: ", ")
        return "The camera is set as before the shoot: \(list)."
    }

    static func notPutBack(_ row: SettingRow, _ failure: PendingSetting.Failure?) -> String {
        let reason = failure?.sentence ?? "The camera is busy or does not answer."
        return "The \(row.words) could not be put back to \(row.original). The daemon tries again. \(reason)"
    }

    static func notReported(_ row: SettingRow) -> String {
        "The camera did not report its \(row.words). The daemon asks again."
    }

    /// - Parameter mayBeChanged: whether the user may have changed the setting on the camera.
    static func notPutBackByStop(_ row: SettingRow, mayBeChanged: Bool) -> String {
        let condition = mayBeChanged ? ", unless you changed it on the camera" : ""
        return "The \(row.words) of \(row.cameraName) was not put back to \(row.original). It is put back when the "
            + "daemon runs and the camera is connected again\(condition)."
    }

    // MARK: Values of the user

    static func changedByUser(_ row: SettingRow, to value: String) -> String {
        "The \(row.words) is now \(value), which the daemon did not set. That value is put back after the shoot."
    }

    static func leftByUser(_ row: SettingRow, on value: String) -> String {
        "The \(row.words) is now \(value), which the daemon did not set. That value stays."
    }

    // MARK: Not kept

    static func unreadable(_ property: CameraProperty) -> String {
        "The camera does not report its \(property.rawValue), so the daemon cannot put it back."
    }

    static let tooMany = "Too many settings wait to be put back. The daemon does not put back this one."
}

extension PendingSetting.Failure {
    var sentence: String {
        switch self {
        case .busy: "The camera is busy."
        case .failed(let failure): failure.sentence
        case .silent: "The camera did not report the result."
        }
    }
}
