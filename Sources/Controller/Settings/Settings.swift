import Cameras
import Exposure
import Statecharts

package enum SettingsEffect: Equatable, Sendable {
    case camera(CameraCommand)
    /// A setting to record in the ledger as pending; nil: it is no longer pending.
    case keep(SettingKey, SettingRow?)
    case report(JournalEntry)
    /// The stop of the daemon can continue.
    case over
}

/// The data behind `settings.scxml`.
package struct SettingsModel: Equatable, Sendable {
    /// The settings to restore, of every camera.
    var pending: [SettingKey: PendingSetting] = [:]
    /// The recorded rows of a shoot that a press of the button announced. They are not pending, because nothing has
    /// changed yet.
    var announced: [SettingKey: SettingRow] = [:]
    /// The last reading of the connected camera; nil: no camera is connected.
    var camera: SettingsReading?
    /// The properties that the current shoot changes, and their values.
    var changes: [CameraProperty: [String]] = [:]
    var failureCount = 0
    /// The restored values of the settings that the last shoot changed.
    var restored: [SettingKey: String] = [:]

    /// The limit of pending settings, for all cameras.
    package static let pendingMax = 64
    /// The wait before the next try, by the number of failures in a row.
    package static let delays: [Duration] = [
        .milliseconds(500), .seconds(1), .seconds(2), .seconds(5), .seconds(10), .seconds(30), .seconds(60),
        .seconds(300),
    ]

    /// The number of tries that follow within 2 s. After these tries a client no longer waits for the restored camera.
    package static let soonTriesMax = 3
    /// The time after which a try without an answer has failed. The driver answers earlier, so this limit matters only
    /// if the driver has a fault. Like `ShootingModel.speedDeadline`, it must be longer than the transfer of several
    /// large files. A body accepts no speed while files are in its buffer.
    package static let restoreLimitBase = Duration.seconds(180)
    /// The time for the last try before a stop, on a body that is set by value. The drivers allow 10 s until the body
    /// is free and 3 s until it shows the speed. The remaining 2 s are a margin.
    package static let lastTryLimitBase = Duration.seconds(15)
    /// The additional time on a body that steps, besides the time for each notch.
    static let steppingBase = Duration.seconds(20)
    /// The time that a body needs for one notch.
    static let perNotch = Duration.milliseconds(750)
    /// The longest time in the state `puttingBack`, which is one try.
    package static let restoreLimitMax = restoreLimitBase + steppingBase + perNotch * ShutterSpeed.all.count
    /// The longest time for which clients wait until the camera is restored: the first tries, one more try, and the
    /// waits between them. A try that ends without an answer is the last one.
    package static let restoringLimitMax = delays.prefix(soonTriesMax).reduce(
        restoreLimitMax * (soonTriesMax + 1) + recheckingMax,
        +
    )
    /// The longest time in the state `rechecking`.
    private static let recheckingMax = Duration.seconds(12)

    var pendingCount: Int { pending.count }

    func isPending(_ key: SettingKey) -> Bool { pending[key] != nil }

    /// The sentence for the user; nil: nothing is pending, or the first try is active.
    ///
    /// - Parameter isWaiting: whether a try has failed.
    package func sentence(isWaiting: Bool) -> String? {
        let keys = pending.keys.sorted()
        let shown = isWaiting ? keys.first { $0.cameraID == camera?.camera.id } : nil
        guard let key = shown ?? keys.first(where: { $0.cameraID != camera?.camera.id }), let entry = pending[key]
        else { return nil }
        return shown == nil ? SettingsSentences.putBackLater(entry.row) : entry.failureSentence
    }

    /// Whether the next try after a failed one comes within 2 s.
    var triesSoon: Bool { nextKey != nil && (1...Self.soonTriesMax).contains(failureCount) }

    /// The sentence for the setting that is being restored and for its last failed try; nil: none is being restored.
    var progressSentence: String? {
        guard let key = nextKey, let row = pending[key]?.row else { return nil }
        let failure = pending[key]?.failure.map { " \($0.sentence)" } ?? ""
        return SettingsSentences.isBeingPutBack(row) + failure
    }

    /// The sentence for the settings of a camera that are still pending; nil: none is pending.
    func pendingSentence(of cameraID: String) -> String? {
        guard let key = pending.keys.sorted().first(where: { $0.cameraID == cameraID }), let entry = pending[key] else {
            return nil
        }
        guard cameraID == camera?.camera.id else { return SettingsSentences.putBackLater(entry.row) }
        return entry.failure == nil ? SettingsSentences.isBeingPutBack(entry.row) : entry.failureSentence
    }

    /// The sentence for the result of restoring a camera after the last shoot; nil: the shoot changed no settings.
    func endSentence(of cameraID: String) -> String? {
        if let sentence = pendingSentence(of: cameraID) { return sentence }
        let values = restored.filter { $0.key.cameraID == cameraID }.sorted { $0.key < $1.key }
        return values.isEmpty ? nil : SettingsSentences.allPutBack(values)
    }
}
