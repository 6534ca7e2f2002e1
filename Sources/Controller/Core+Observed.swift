import Cameras
import Statecharts

// The values that tests read from the core, in addition to its effects.

/// A list that is longer than its limit.
package struct Overflow: Equatable, Sendable {
    package var list: String
    package var count: Int
    package var limit: Int

    /// Returns nil if the list is not longer than its limit.
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

    /// The last shoot; nil: none began, or its missing frames were dropped.
    package var shoot: Shoot? { shooting.shoot }

    package var outcome: ShootOutcome? { shooting.outcome }

    /// Whether the camera's settings are being restored after the last shoot.
    package var isRestoring: Bool { shooting.isRestoring }

    /// Whether the shooting chart changed at this instant. If not, the shoot has not changed either.
    package func didShootChange(at now: Duration) -> Bool { shooting.chart.machine.now == now }

    /// Whether a stop waits for the current frame.
    package var isFinishingFrame: Bool { service.isActive(.finishingFrame) }

    package var isShootActive: Bool { shooting.chart.isActive(.active) }

    /// Whether the speed of a frame was sent to the camera, and the camera has not accepted it yet.
    package var isSettingSpeed: Bool { shooting.chart.isActive(.settingSpeed) }

    /// Whether the shutter command was given to the camera, and the capture is not over.
    package var isCapturing: Bool { shooting.chart.isActive(.capturing) }

    /// Whether the next attempt waits for its time, because the camera was busy.
    package var isHoldingOff: Bool { shooting.chart.isActive(.waitingWhileBusy) }

    package var isPausedByCommand: Bool { shooting.chart.isActive(.byCommand) }

    package var isCancelled: Bool { shooting.chart.isActive(.cancelled) }

    // MARK: The camera

    package var isOnline: Bool { connection.isActive(.online) }

    /// Whether a client's property is being set.
    package var isSettingProperty: Bool { session.propertyRequest != nil }

    /// The generation of the present session's connections; without a session, of the previous session's.
    package var sessionGeneration: LinkGeneration { session.generation }

    // MARK: Settings

    /// Whether a setting of a camera must still be restored.
    package func isPending(_ key: SettingKey) -> Bool { shooting.settings.machine.behavior.isPending(key) }

    // MARK: The button

    /// The configuration of the button.
    package var buttonConfiguration: ButtonConfiguration { shooting.rules.button }

    // MARK: Charts

    /// The number of addresses that are probed or wait for a probe.
    package var candidateCount: Int { finder.candidates.count }

    // MARK: Bounds

    /// The first list of the core that is longer than its limit; nil: no list is too long.
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

    /// The limit includes one replaced picture, because the report of its end comes only with the next input.
    private static let comingMax = RecentPictures.incomingMax + 1
    /// The maximum number of frames in the present and the previous shoot. The longest plan covers all shutter speeds
    /// in sets of nine frames.
    private static let notedFramesMax = 2 * 500
}
