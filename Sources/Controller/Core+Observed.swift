import Cameras
import Statecharts

// What tests see of the core beside its effects. Reads only.

/// A list that is longer than it may be.
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

    /// Whether pictures are taken over at all.
    package var keepsPictures: Bool { pictures.policy != .none }
    package var firesSuspectsAgain: Bool { shooting.chart.machine.behavior.firesSuspectsAgain }

    /// The last shoot, until it is dismissed or another begins.
    package var shoot: Shoot? { shooting.shoot }

    package var outcome: ShootOutcome? { shooting.outcome }

    /// Whether the camera is being set as it was before the last shoot.
    package var isRestoring: Bool { shooting.isRestoring }

    /// Whether something happened to the shooting chart at this instant. Nothing of the shoot changes otherwise.
    package func didShootMove(at now: Duration) -> Bool { shooting.chart.machine.now == now }

    /// Whether a stop waits for the frame that is being taken.
    package var isFinishingFrame: Bool { service.isActive(.finishingFrame) }

    package var isShootActive: Bool { shooting.chart.isActive(.active) }

    /// Whether the shutter command is with the camera.
    package var isCapturing: Bool { shooting.chart.isActive(.capturing) }

    /// Whether the camera was busy, and is left alone for a while.
    package var isHoldingOff: Bool { shooting.chart.isActive(.holdingOff) }

    package var isPausedByCommand: Bool { shooting.chart.isActive(.byCommand) }

    package var isCancelled: Bool { shooting.chart.isActive(.cancelled) }

    // MARK: The camera

    /// Whether a session is open with the camera.
    package var isOnline: Bool { connection.isActive(.online) }

    /// Whether a client's property is being set.
    package var isSettingProperty: Bool { session.propertyRequest != nil }

    /// Of the present or the last session's connections.
    package var sessionGeneration: LinkGeneration { session.generation }

    // MARK: Settings

    /// Whether a setting of a camera is known to be put back yet.
    package func isPending(_ key: SettingKey) -> Bool { shooting.settings.machine.behavior.isPending(key) }

    // MARK: The button

    /// What the button is for, as the configuration has it.
    package var buttonConfiguration: ButtonConfiguration { shooting.rules.button }

    // MARK: Charts

    /// How many addresses are called, or wait for it.
    package var candidateCount: Int { finder.candidates.count }

    // MARK: Bounds

    /// The first of the core's own lists that is longer than it may be; nil: none is.
    package var overflow: Overflow? {
        subscriptions.overflow ?? finder.overflow ?? bookOverflow ?? recordOverflow
    }

    private var bookOverflow: Overflow? {
        Overflow("pictures", pictures.recent.photos.count, RecentPictures.photosMax)
            ?? Overflow("shots", pictures.recent.shots.count, RecentPictures.shotsMax)
            ?? Overflow("pictures in transfer", pictures.recent.incoming.count, RecentPictures.incomingMax)
            ?? Overflow(
                "pictures that the shoot waits for",
                shooting.chart.machine.behavior.comingCount,
                Self.comingMax
            )
            ?? Overflow("manifests", pictures.recent.manifests.count, RecentPictures.manifestsMax)
            ?? Overflow("plans", shooting.plans.entries.count, RecentPlans.entriesMax)
            ?? Overflow("timed routes", shooting.timings.routes.count, RecentTimings.routesMax)
            ?? Overflow(
                "settings to put back",
                shooting.settings.machine.behavior.pendingCount,
                SettingsModel.pendingMax
            )
    }

    private var recordOverflow: Overflow? {
        let waiting = records.chart.machine.behavior.waiting
        return Overflow("frames to record", waiting.frames.count, RecordingModel.framesMax)
            ?? Overflow("timings to record", waiting.timings.count, RecordingModel.timingsMax)
            ?? Overflow("frames sent to the ledger", records.changes.frames.count, Self.notedFramesMax)
    }

    /// A picture that gave way is told of as gone with the next input.
    private static let comingMax = RecentPictures.incomingMax + 1
    /// Of the present shoot and the one before: each has the whole scale in sets of nine at the most.
    private static let notedFramesMax = 2 * 500
}
