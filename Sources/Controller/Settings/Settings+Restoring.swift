import Cameras
import Exposure
import Statecharts

extension SettingsModel {
    // MARK: Pending settings

    mutating func noteOriginals(_ effects: inout [SettingsEffect]) {
        guard let camera else { preconditionFailure("a shoot begins with a camera") }
        for property in CameraProperty.allCases {
            guard let values = changes[property], let key = key(property) else { continue }
            if pending[key] == nil {
                guard let value = camera.values[property] else {
                    effects.append(.report(.debug(SettingsSentences.unreadable(property))))
                    continue
                }
                guard pending.count < Self.pendingMax else {
                    effects.append(.report(.debug(SettingsSentences.tooMany)))
                    continue
                }
                let row = SettingRow(
                    cameraID: key.cameraID,
                    cameraName: camera.camera.name,
                    property: key.property,
                    original: value
                )
                pending[key] = PendingSetting(row: row, motion: .settled(on: value))
            } else {
                adoptUserValue(key, &effects)
            }
            pending[key]?.failure = nil
            pending[key]?.row.take(values)
            if announced[key] != pending[key]?.row { keep(key, &effects) }
        }
    }

    /// The rows that a shoot records when it begins.
    func rows(of shoot: SettingsShoot) -> [SettingKey: SettingRow] {
        var after = self
        after.announced = [:]
        var effects: [SettingsEffect] = []
        after.noteOriginals(shoot, &effects)
        var rows: [SettingKey: SettingRow] = [:]
        for case .keep(let key, let row?) in effects { rows[key] = row }
        return rows
    }

    /// Whether the ledger has the rows of this shoot, or is writing them.
    func isAnnounced(_ shoot: SettingsShoot) -> Bool { !announced.isEmpty && rows(of: shoot) == announced }

    /// Removes the rows of an announced shoot, except those that are pending now.
    mutating func dropAnnounced(_ effects: inout [SettingsEffect]) {
        for key in announced.keys.sorted() where pending[key] == nil { effects.append(.keep(key, nil)) }
        announced = [:]
    }

    mutating func adoptUserValues(isQuiet: Bool = false, _ effects: inout [SettingsEffect]) {
        for key in keysHere { adoptUserValue(key, isQuiet: isQuiet, &effects) }
    }

    mutating func adoptUserValue(_ key: SettingKey, isQuiet: Bool = false, _ effects: inout [SettingsEffect]) {
        guard let entry = pending[key], let shown = shown(key), isSetByUser(key, to: shown, isQuiet: isQuiet) else {
            return
        }
        pending[key]?.row.original = shown
        if entry.motion != .unseen { pending[key]?.motion = .settled(on: shown) }
        keep(key, &effects)
        effects.append(self.entry(.notice, SettingsSentences.changedByUser(entry.row, to: shown)))
    }

    mutating func keep(_ key: SettingKey, on value: String, _ effects: inout [SettingsEffect]) {
        guard let row = pending[key]?.row else { return }
        if let property = key.kind { camera?.values[property] = value }
        drop(key, &effects)
        effects.append(entry(.notice, SettingsSentences.leftByUser(row, on: value)))
    }

    mutating func drop(_ key: SettingKey, _ effects: inout [SettingsEffect]) {
        pending[key] = nil
        effects.append(.keep(key, nil))
    }

    func keep(_ key: SettingKey, _ effects: inout [SettingsEffect]) {
        guard let row = pending[key]?.row else { return }
        effects.append(.keep(key, row))
    }

    /// Notes that a setting was not restored. Each reason is reported once.
    mutating func note(_ failure: PendingSetting.Failure, _ effects: inout [SettingsEffect]) {
        failureCount = min(failureCount + 1, Self.delays.count)
        guard let key = nextKey, let entry = pending[key] else { return }
        // A shown value that equals the value to restore may be older than the command. The next try confirms it.
        if shown(key) != entry.row.original { settle() }
        guard entry.failure != failure else { return }
        pending[key]?.failure = failure
        effects.append(self.entry(.warning, pending[key]?.failureSentence ?? ""))
    }

    func entry(_ level: JournalEntry.Level, _ message: String) -> SettingsEffect {
        .report(JournalEntry(level: level, kind: .settings, message: message))
    }
}
