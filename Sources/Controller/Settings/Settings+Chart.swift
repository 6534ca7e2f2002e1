import Cameras
import Exposure
import Statecharts

// This extension has only the functions that the chart names. A test compares it with the chart.
extension SettingsModel: SettingsBehavior {
    package typealias Effect = SettingsEffect

    // MARK: Guards

    package func isAnythingPending() -> Bool { !pending.isEmpty }

    package func isAnythingToPutBack() -> Bool { nextKey != nil }

    /// Whether a reading ends the wait: the body shows the value to restore, or a value that the user set.
    package func isDecidedBy(_ reading: SettingsReading) -> Bool {
        var after = self
        after.camera = reading
        return after.keysHere.contains { after.isDecided($0) }
    }

    package func maySkipRestoring() -> Bool {
        guard let key = nextKey, let shown = shown(key) else { return false }
        return pending[key]?.motion == .unseen && isSetByUser(key, to: shown)
    }

    package func isSetByUser(_ failure: CameraFailure) -> Bool {
        guard case .propertyNotKept(_, _, let found?) = failure, let key = nextKey else { return false }
        return camera?.isStepwise == false && !isOurs(found, key)
    }

    package func isAnnouncementOutdated(_ reading: SettingsReading) -> Bool {
        announced.values.contains { $0.original != reading.value(of: $0.key) }
    }

    package func mayPutBackNow(_ stop: SettingsStop) -> Bool {
        guard stop.mayTouch else { return false }
        return keysHere.contains { !isDecided($0) }
    }

    // MARK: Delays

    package func waitingDelay() -> Duration { Self.delays[min(failureCount, Self.delays.count) - 1] }

    package func restoreLimit() -> Duration { Self.restoreLimitBase + notchLimit }

    package func lastTryLimit() -> Duration { Self.lastTryLimitBase + notchLimit }

    // MARK: Actions

    package mutating func adoptRows(_ recovery: SettingsRecovery, _ effects: inout [SettingsEffect]) {
        var inLedger: [SettingKey: SettingRow] = [:]
        for row in recovery.rows.prefix(Self.pendingMax) {
            let kept = pending[row.key]
            inLedger[row.key] = row
            pending[row.key] = PendingSetting(row: row, motion: .unseen)
            // If this run noted the setting before the ledger was open, the user may have set its original value.
            if let kept {
                let wasOurs = isOurs(kept.row.original, row.key)
                pending[row.key] = kept
                if wasOurs { pending[row.key]?.row.original = row.original }
                pending[row.key]?.row.take(row.values)
            }
        }
        // The ledger does not have the settings that this run noted before the ledger was open.
        for key in pending.keys.sorted() where pending[key]?.row != inLedger[key] { keep(key, &effects) }
    }

    package mutating func announce(_ shoot: SettingsShoot, _ effects: inout [SettingsEffect]) {
        camera = shoot.reading
        let rows = rows(of: shoot)
        for key in rows.keys.sorted() where announced[key] != rows[key] { effects.append(.keep(key, rows[key])) }
        for key in announced.keys.sorted() where rows[key] == nil { effects.append(.keep(key, nil)) }
        announced = rows
    }

    package mutating func noteOriginals(_ shoot: SettingsShoot, _ effects: inout [SettingsEffect]) {
        camera = shoot.reading
        changes = shoot.changes
        restored = [:]
        failureCount = 0
        noteOriginals(&effects)
        dropAnnounced(&effects)
    }

    package mutating func noteCommand(_ setting: PropertySetting, _ effects: inout [SettingsEffect]) {
        if let key = key(setting.property) { command(key, setting.value) }
    }

    package mutating func noteProgress(_ reading: SettingsReading, _ effects: inout [SettingsEffect]) {
        camera = reading
        for key in keysHere {
            guard case .settled(let place)? = pending[key]?.motion, let shown = shown(key), shown != place else {
                continue
            }
            pending[key]?.motion = .moving(to: place)
        }
        noteArrival()
    }

    package mutating func adoptUserValue(_ reading: SettingsReading, _ effects: inout [SettingsEffect]) {
        camera = reading
        noteArrival()
        adoptUserValues(&effects)
    }

    package mutating func adoptSettledUserValue(_ reading: SettingsReading, _ effects: inout [SettingsEffect]) {
        camera = reading
        adoptUserValues(isQuiet: true, &effects)
        settle()
    }

    package mutating func adoptReturn(_ reading: SettingsReading, _ effects: inout [SettingsEffect]) {
        camera = reading
        // No command was given since the camera was last connected. A body that steps has ended its movement, so its
        // `motion` stays known.
        if !reading.isStepwise { for key in keysHere { pending[key]?.motion = .unseen } }
        adoptUserValues(&effects)
        // The shoot may continue on another camera, whose settings are not noted yet.
        let isAnotherNew = changes.keys.contains { property in key(property).map { pending[$0] == nil } ?? false }
        if isAnotherNew { noteOriginals(&effects) }
    }

    package mutating func adoptCamera(_ reading: SettingsReading, _ effects: inout [SettingsEffect]) {
        camera = reading
        failureCount = 0
        for key in keysHere { pending[key]?.motion = .unseen }
    }

    package mutating func adoptReading(_ reading: SettingsReading, _ effects: inout [SettingsEffect]) {
        camera = reading
    }

    package mutating func askStatus(_ effects: inout [SettingsEffect]) {
        effects.append(.camera(.readStatus))
    }

    package mutating func keepUserValue(_ reading: SettingsReading, _ effects: inout [SettingsEffect]) {
        camera = reading
        if maySkipRestoring(), let key = nextKey, let shown = shown(key) { keep(key, on: shown, &effects) }
    }

    package mutating func forgetCamera(_ effects: inout [SettingsEffect]) {
        camera = nil
    }

    package mutating func dropRestored(_ effects: inout [SettingsEffect]) {
        dropAnnounced(&effects)
        for key in keysHere {
            if isRestored(key) {
                drop(key, &effects)
            } else if case .settled? = pending[key]?.motion, let shown = shown(key),
                isSetByUser(key, to: shown, isQuiet: true)
            {
                keep(key, on: shown, &effects)
            }
        }
    }

    package mutating func putBack(_ effects: inout [SettingsEffect]) {
        guard let key = nextKey, let property = key.kind, let original = pending[key]?.row.original else {
            preconditionFailure("the chart asks whether there is anything to put back")
        }
        command(key, original)
        effects.append(.camera(.setProperty(property, original)))
    }

    package mutating func notePutBack(_ state: PropertyState, _ effects: inout [SettingsEffect]) {
        guard let key = key(state.property), let row = pending[key]?.row else { return }
        camera?.values[state.property] = row.original
        restored[key] = row.original
        failureCount = 0
        drop(key, &effects)
        effects.append(entry(.info, SettingsSentences.wasPutBack(row)))
    }

    package mutating func noteBusy(_ effects: inout [SettingsEffect]) {
        note(.busy, &effects)
    }

    package mutating func noteFailure(_ failure: CameraFailure, _ effects: inout [SettingsEffect]) {
        note(.failed(failure), &effects)
    }

    package mutating func noteSilence(_ effects: inout [SettingsEffect]) {
        // No client's request waits for the next try, because it may take as long as this one.
        failureCount = max(failureCount, Self.soonTriesMax)
        note(.silent, &effects)
    }

    package mutating func noteUnread(_ effects: inout [SettingsEffect]) {
        // No client's request waits for the next question to the camera, because it may take as long as this one.
        failureCount = min(max(failureCount, Self.soonTriesMax) + 1, Self.delays.count)
        // Only the first of several such failures in a row is reported. The later ones have a higher count.
        guard failureCount == Self.soonTriesMax + 1, let key = nextKey, let row = pending[key]?.row else { return }
        effects.append(entry(.warning, SettingsSentences.notReported(row)))
    }

    package mutating func keepFoundValue(_ failure: CameraFailure, _ effects: inout [SettingsEffect]) {
        guard case .propertyNotKept(_, _, let found?) = failure, let key = nextKey else { return }
        keep(key, on: found, &effects)
    }

    package mutating func noteClientSetting(_ personal: ClientSetting, _ effects: inout [SettingsEffect]) {
        guard let key = personal.property.flatMap(key), pending[key] != nil else { return }
        drop(key, &effects)
    }

    package mutating func notePending(_ effects: inout [SettingsEffect]) {
        dropAnnounced(&effects)
        for key in pending.keys.sorted() {
            guard let row = pending[key]?.row else { continue }
            if key.cameraID == camera?.camera.id, isRestored(key) {
                drop(key, &effects)
                continue
            }
            let mayBeChanged = key == nextKey && maySkipRestoring()
            effects.append(entry(.warning, SettingsSentences.notPutBackByStop(row, mayBeChanged: mayBeChanged)))
        }
    }

    package mutating func reportOver(_ effects: inout [SettingsEffect]) {
        effects.append(.over)
    }
}
