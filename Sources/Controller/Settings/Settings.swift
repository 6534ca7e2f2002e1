import Cameras
import Exposure
import Statecharts

/// What the settings chart asks for.
package enum SettingsEffect: Equatable, Sendable {
    case camera(CameraCommand)
    /// A setting is to be kept in the ledger as one to put back; nil: no longer.
    case keep(SettingKey, SettingRow?)
    case report(JournalEntry)
    /// The stop can go on.
    case over
}

/// The data behind `settings.scxml`.
package struct SettingsModel: Equatable, Sendable {
    /// What is to be put back, on every camera.
    var pending: [SettingKey: PendingSetting] = [:]
    /// What the camera that is there shows; nil: none is.
    var camera: SettingsReading?
    /// What the shoot that goes on changes, and to what.
    var changes: [CameraProperty: [String]] = [:]
    var failureCount = 0
    /// The values that the last shoot's changes were put back to.
    var restored: [SettingKey: String] = [:]

    /// More settings than these are kept for no cameras.
    package static let pendingMax = 64
    /// How long to wait before the next try, by the number of failures in a row.
    package static let delays: [Duration] = [
        .milliseconds(500), .seconds(1), .seconds(2), .seconds(5), .seconds(10), .seconds(30), .seconds(60),
        .seconds(300),
    ]

    /// The number of tries after which the camera counts as being set as before. The next try comes within 2 s.
    package static let soonTriesMax = 3
    /// The time after which a try without an answer has failed. The driver answers earlier; this only ends a fault of
    /// the driver. It must outlast the emptying of a buffer with several large files, for a body takes no speed while
    /// files stand there, as `ShootingModel.speedDeadline`.
    package static let puttingLimitBase = Duration.seconds(180)
    /// The time that a stop grants a body that takes a speed as a value: 10 s until it is free, 3 s until it shows
    /// the speed, as the drivers have it, and a margin.
    package static let lastTryLimitBase = Duration.seconds(15)
    /// The time for the way in notches, on top of the notches.
    static let steppingBase = Duration.seconds(20)
    /// The time for one notch.
    static let perNotch = Duration.milliseconds(750)
    /// The longest time in `puttingBack`, for one try.
    package static let puttingLimitMax = puttingLimitBase + steppingBase + perNotch * ShutterSpeed.all.count
    /// The longest time until the camera is set as before, or counts as one that cannot be: the first tries and the
    /// one after them, and the waits between. A try that ends without an answer is the last one.
    package static let restoringLimitMax = delays.prefix(soonTriesMax).reduce(
        puttingLimitMax * (soonTriesMax + 1) + lookingMax,
        +
    )
    /// The longest time in `looking`.
    private static let lookingMax = Duration.seconds(12)

    /// How many settings are to be put back.
    var pendingCount: Int { pending.count }

    /// Whether this one is.
    func isPending(_ key: SettingKey) -> Bool { pending[key] != nil }

    /// What a person should know; nil: nothing is pending, or it is being done.
    ///
    /// - Parameter isWaiting: whether it was tried in vain.
    package func sentence(isWaiting: Bool) -> String? {
        let keys = pending.keys.sorted()
        let shown = isWaiting ? keys.first { $0.cameraID == camera?.camera.id } : nil
        guard let key = shown ?? keys.first(where: { $0.cameraID != camera?.camera.id }), let entry = pending[key]
        else { return nil }
        return shown == nil ? Self.awaySentence(entry.row) : entry.failureSentence
    }

    private static func awaySentence(_ row: SettingRow) -> String {
        "The \(row.words) of \(row.cameraName) is put back to \(row.original) when the camera is connected again."
    }

    /// Whether the next try after a failed one comes within 2 s.
    var triesSoon: Bool { nextKey != nil && (1...Self.soonTriesMax).contains(failureCount) }

    /// The setting that is being put back now, and why the last try failed, in a sentence; nil: none is.
    var progressSentence: String? {
        guard let key = nextKey, let row = pending[key]?.row else { return nil }
        let trouble = pending[key]?.trouble.map { " \($0.sentence)" } ?? ""
        return "Putting the \(row.words) back to \(row.original).\(trouble)"
    }

    /// What is still to be put back on a camera, in a sentence; nil: nothing.
    func pendingSentence(of cameraID: String) -> String? {
        guard let key = pending.keys.sorted().first(where: { $0.cameraID == cameraID }), let entry = pending[key] else {
            return nil
        }
        guard cameraID == camera?.camera.id else { return Self.awaySentence(entry.row) }
        return entry.trouble == nil
            ? "The \(entry.row.words) is being put back to \(entry.row.original)." : entry.failureSentence
    }

    /// What became of the settings that the last shoot changed on a camera, in a sentence; nil: nothing was changed.
    func endSentence(of cameraID: String) -> String? {
        if let sentence = pendingSentence(of: cameraID) { return sentence }
        let values = restored.filter { $0.key.cameraID == cameraID }.sorted { $0.key < $1.key }
        let list = values.map { "\($0.key.words) \($0.value)" }.joined(separator: ", ")
        return list.isEmpty ? nil : "The camera is set as before the shoot: \(list)."
    }
}
