import Cameras
import Statecharts

// What tests read of the core besides its effects.

/// A list that is longer than its limit.
package struct Overflow: Equatable, Sendable {
    package var list: String
    package var count: Int
    package var limit: Int

    /// nil: it is not longer.
    init?(_ list: String, _ count: Int, _ limit: Int) {
        guard count > limit else { return nil }
        (self.list, self.count, self.limit) = (list, count, limit)
    }
}

extension Core {
    // MARK: The shoot

    package var ledgerMode: LedgerMode { records.mode }

    /// Whether pictures are transferred at all.
    package var keepsPictures: Bool { pictures.policy != .none }
    package var firesSuspectsAgain: Bool { shooting.chart.machine.behavior.firesSuspectsAgain }

    /// The last shoot, until it is dismissed or another begins.
    package var shoot: Shoot? { shooting.shoot }

    package var outcome: ShootOutcome? { shooting.outcome }

    /// Whether the camera's settings are being restored after the last shoot.
    package var isRestoring: Bool { shooting.isRestoring }

    /// Whether the shooting chart changed at this instant. Nothing of the shoot changes otherwise.
    package func didShootChange(at now: Duration) -> Bool { shooting.chart.machine.now == now }

    /// Whether a stop waits for the current frame.
    package var isFinishingFrame: Bool { service.isActive(.finishingFrame) }

    package var isShootActive: Bool { shooting.chart.isActive(.active) }

    /// Whether the camera has the shutter command.
    package var isCapturing: Bool { shooting.chart.isActive(.capturing) }

    /// Whether the camera was busy, and the next try waits.
    package var isHoldingOff: Bool { shooting.chart.isActive(.waitingWhileBusy) }

    package var isPausedByCommand: Bool { shooting.chart.isActive(.byCommand) }

    package var isCancelled: Bool { shooting.chart.isActive(.cancelled) }

    // MARK: The camera

    package var isOnline: Bool { connection.isActive(.online) }

    /// Whether a client's property is being set.
    package var isSettingProperty: Bool { session.propertyRequest != nil }

    /// The generation of the connections of the present or the last session.
    package var sessionGeneration: LinkGeneration { session.generation }

    // MARK: Settings

    /// Whether a setting of a camera is still to be restored.
    package func isPending(_ key: SettingKey) -> Bool { shooting.settings.machine.behavior.isPending(key) }

    // MARK: The button

    /// The configuration of the button.
    package var buttonConfiguration: ButtonConfiguration { shooting.rules.button }

    // MARK: Charts

    /// The number of addresses that are called, or wait for it.
    package var candidateCount: Int { finder.candidates.count }

    // MARK: Bounds

    /// The first of the core's own lists that is longer than its limit; nil: none.
    package var overflow: Overflow? {
        subscriptions.overflow ?? finder.overflow ?? listOverflow
    }

    private var listOverflow: Overflow? {
        let recent = pictures.recent
        let waiting = records.chart.machine.behavior.waiting.rows
        let settings = shooting.settings.machine.behavior
        let lists = [
            ("pictures", recent.photos.count, RecentPictures.photosMax),
            ("shots", recent.shots.count, RecentPictures.shotsMax),
            ("pictures in transfer", recent.incoming.count, RecentPictures.incomingMax),
            ("pictures that the shoot waits for", shooting.chart.machine.behavior.comingCount, Self.comingMax),
            ("manifests", recent.manifests.count, RecentPictures.manifestsMax),
            ("plans", shooting.plans.entries.count, RecentPlans.entriesMax),
            ("timed routes", shooting.timings.routes.count, RecentTimings.routesMax),
            ("settings to put back", settings.pendingCount, SettingsModel.pendingMax),
            ("frames to record", waiting.frames.count, RecordingModel.framesMax),
            ("timings to record", waiting.timings.count, RecordingModel.timingsMax),
            ("frames sent to the ledger", records.changes.frames.count, Self.notedFramesMax),
        ]
        return lists.lazy.compactMap { Overflow($0.0, $0.1, $0.2) }.first
    }

    /// The report of a replaced picture comes with the next input.
    private static let comingMax = RecentPictures.incomingMax + 1
    /// The present shoot and the one before: each has the whole scale in sets of nine at most.
    private static let notedFramesMax = 2 * 500
}
