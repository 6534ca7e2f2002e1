import Cameras
import Exposure
import Statecharts

/// What a camera shows of the settings that a shoot changes.
package struct SettingsReading: Equatable, Sendable {
    package var camera: CameraIdentity
    /// What is not known is absent.
    package var values: [CameraProperty: String]
    /// Whether a new speed is taken by notches, so that it depends on where the body stood before.
    package var isStepwise: Bool
    /// Whether a value may be one that the body only passes: the driver has not reported the end of a way by notches.
    package var isPassing: Bool

    package init(
        camera: CameraIdentity,
        values: [CameraProperty: String],
        isStepwise: Bool,
        isPassing: Bool = false
    ) {
        self.camera = camera
        self.values = values
        self.isStepwise = isStepwise
        self.isPassing = isPassing
    }
}

/// A shoot that begins: what it is going to change, and to what.
package struct SettingsShoot: Equatable, Sendable {
    package var reading: SettingsReading
    package var changes: [CameraProperty: [String]]

    package init(reading: SettingsReading, changes: [CameraProperty: [String]]) {
        self.reading = reading
        self.changes = changes
    }
}

/// A property and what it is set to.
package struct PropertySetting: Equatable, Sendable {
    package var property: CameraProperty
    package var value: String

    package init(_ property: CameraProperty, _ value: String) {
        self.property = property
        self.value = value
    }
}

/// What became of a client's order to set a property.
package struct PersonalSetting: Equatable, Sendable {
    /// Nil: nothing was set.
    package var property: CameraProperty?

    package init(_ property: CameraProperty?) {
        self.property = property
    }
}

/// What an earlier run of the daemon has not put back.
package struct SettingsRecovery: Equatable, Sendable {
    package var rows: [SettingRow]

    package init(rows: [SettingRow]) {
        self.rows = rows
    }
}

/// How things stand when the daemon is told to stop.
package struct SettingsStop: Equatable, Sendable {
    /// Nothing is touched while the shutter may be open.
    package var mayTouch: Bool

    package init(mayTouch: Bool) {
        self.mayTouch = mayTouch
    }
}

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
    private var pending: [SettingKey: Pending] = [:]
    /// What the camera that is there shows; nil: none is.
    private var camera: SettingsReading?
    /// What the shoot that goes on changes, and to what.
    private var changes: [CameraProperty: [String]] = [:]
    private var failureCount = 0
    /// The values that the last shoot's changes were put back to.
    private var restored: [SettingKey: String] = [:]

    private struct Pending: Equatable {
        var row: SettingRow
        var motion: Motion
        /// Why it could not be put back, as said last.
        var trouble: String?

        func sentence(_ trouble: String) -> String {
            "The \(row.words) could not be put back to \(row.original), and is tried again. \(trouble)"
        }
    }

    /// What is known of where the body stands. It decides who set a value that the body shows.
    private enum Motion: Equatable {
        /// The body stopped here and no command is under way: another value is the user's.
        case settled(on: String)
        /// A command is under way: no value that the body shows is the user's. Nil: the body showed its value before.
        case moving(to: String?)
        /// The camera or this daemon was away, and an earlier command may take effect late. On a body that is set by
        /// value, a value that was never set here is the user's. Where notches led is not known.
        case unseen
    }

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
    /// The time that a stop grants a body that takes a speed as a value: 10 s until it is free (`SonyTiming.gate`), 3 s
    /// until it shows the speed (`SonyTiming.propertyGiveUp`), and a margin.
    package static let lastTryLimitBase = Duration.seconds(15)
    /// The time for the way in notches, on top of the notches (`SonyTiming.stepping`).
    private static let steppingBase = Duration.seconds(20)
    /// The time for one notch (`SonyTiming.singleNotch`).
    private static let perNotch = Duration.milliseconds(750)
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

    package init() {}

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
        return shown == nil ? Self.awaySentence(entry.row) : entry.sentence(entry.trouble ?? Self.noAnswer)
    }

    private static let noAnswer = "The camera is busy or does not answer."

    private static func awaySentence(_ row: SettingRow) -> String {
        "The \(row.words) of \(row.cameraName) is put back to \(row.original) when the camera is there again."
    }

    /// Whether the next try after a failed one comes within 2 s.
    var triesSoon: Bool { nextKey != nil && (1...Self.soonTriesMax).contains(failureCount) }

    /// The setting that is being put back now, and why the last try failed, in a sentence; nil: none is.
    var progressSentence: String? {
        guard let key = nextKey, let row = pending[key]?.row else { return nil }
        let trouble = pending[key]?.trouble.map { " \($0)" } ?? ""
        return "Putting the \(row.words) back to \(row.original).\(trouble)"
    }

    /// What is still to be put back on a camera, in a sentence; nil: nothing.
    func pendingSentence(of cameraID: String) -> String? {
        guard let key = pending.keys.sorted().first(where: { $0.cameraID == cameraID }), let entry = pending[key] else {
            return nil
        }
        guard cameraID == camera?.camera.id else { return Self.awaySentence(entry.row) }
        return entry.trouble.map(entry.sentence)
            ?? "The \(entry.row.words) is being put back to \(entry.row.original)."
    }

    /// What became of the settings that the last shoot changed on a camera, in a sentence; nil: nothing was changed.
    func endSentence(of cameraID: String) -> String? {
        if let sentence = pendingSentence(of: cameraID) { return sentence }
        let values = restored.filter { $0.key.cameraID == cameraID }.sorted { $0.key < $1.key }
        let list = values.map { "\($0.key.words) \($0.value)" }.joined(separator: ", ")
        return list.isEmpty ? nil : "The camera is set as before the shoot: \(list)."
    }
}

// Only what the chart names stands here; a test compares the two.
extension SettingsModel: SettingsBehavior {
    package typealias Effect = SettingsEffect

    // MARK: Guards

    package func isAnythingPending() -> Bool { !pending.isEmpty }

    package func isAnythingToPutBack() -> Bool { nextKey != nil }

    /// Whether a reading ends the wait: the body shows what it should, or what a person set.
    package func isDecidedBy(_ reading: SettingsReading) -> Bool {
        var after = self
        after.camera = reading
        return after.keysHere.contains { after.isDecided($0) }
    }

    package func mayBeLeft() -> Bool {
        guard let key = nextKey, let shown = shown(key) else { return false }
        return pending[key]?.motion == .unseen && isTurned(key, to: shown)
    }

    package func isTurned(_ failure: CameraFailure) -> Bool {
        guard case .propertyNotKept(_, _, let found?) = failure, let key = nextKey else { return false }
        return camera?.isStepwise == false && !isOurs(found, key)
    }

    package func mayPutBackNow(_ stop: SettingsStop) -> Bool {
        guard stop.mayTouch else { return false }
        return keysHere.contains { !isDecided($0) }
    }

    // MARK: Delays

    package func waitingDelay() -> Duration { Self.delays[min(failureCount, Self.delays.count) - 1] }

    package func puttingLimit() -> Duration { Self.puttingLimitBase + wayLimit }

    package func lastTryLimit() -> Duration { Self.lastTryLimitBase + wayLimit }

    // MARK: Actions

    package mutating func adoptRows(_ recovery: SettingsRecovery, _ effects: inout [SettingsEffect]) {
        var inLedger: [SettingKey: SettingRow] = [:]
        for row in recovery.rows.prefix(Self.pendingMax) {
            let kept = pending[row.key]
            inLedger[row.key] = row
            pending[row.key] = Pending(row: row, motion: .unseen)
            // Noted in this run, before the ledger could be read: where it stood then may be a person's doing.
            if let kept {
                let wasOurs = isOurs(kept.row.original, row.key)
                pending[row.key] = kept
                if wasOurs { pending[row.key]?.row.original = row.original }
                pending[row.key]?.row.take(row.values)
            }
        }
        // What was noted while there was no ledger.
        for key in pending.keys.sorted() where pending[key]?.row != inLedger[key] { keep(key, &effects) }
    }

    package mutating func noteOriginals(_ shoot: SettingsShoot, _ effects: inout [SettingsEffect]) {
        camera = shoot.reading
        changes = shoot.changes
        restored = [:]
        failureCount = 0
        noteOriginals(&effects)
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

    package mutating func adoptTurn(_ reading: SettingsReading, _ effects: inout [SettingsEffect]) {
        camera = reading
        noteArrival()
        adoptTurns(&effects)
    }

    package mutating func adoptQuietTurn(_ reading: SettingsReading, _ effects: inout [SettingsEffect]) {
        camera = reading
        adoptTurns(isQuiet: true, &effects)
        settle()
    }

    package mutating func adoptReturn(_ reading: SettingsReading, _ effects: inout [SettingsEffect]) {
        camera = reading
        // No command was given meanwhile. A way by notches that was under way ended somewhere; one that was over did
        // not begin again.
        if !reading.isStepwise { for key in keysHere { pending[key]?.motion = .unseen } }
        adoptTurns(&effects)
        // Perhaps it is another camera.
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

    package mutating func leaveTurned(_ reading: SettingsReading, _ effects: inout [SettingsEffect]) {
        camera = reading
        if mayBeLeft(), let key = nextKey, let shown = shown(key) { leave(key, on: shown, &effects) }
    }

    package mutating func forgetCamera(_ effects: inout [SettingsEffect]) {
        camera = nil
    }

    package mutating func dropWhatStands(_ effects: inout [SettingsEffect]) {
        for key in keysHere {
            if isBack(key) {
                drop(key, &effects)
            } else if case .settled? = pending[key]?.motion, let shown = shown(key),
                isTurned(key, to: shown, isQuiet: true)
            {
                leave(key, on: shown, &effects)
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
        effects.append(entry(.info, "The \(row.words) was put back to \(row.original)."))
    }

    package mutating func noteBusy(_ effects: inout [SettingsEffect]) {
        note("The camera is busy.", &effects)
    }

    package mutating func noteFailure(_ failure: CameraFailure, _ effects: inout [SettingsEffect]) {
        note(failure.sentence, &effects)
    }

    package mutating func noteSilence(_ effects: inout [SettingsEffect]) {
        // Another try may take as long, so no request waits for it.
        failureCount = max(failureCount, Self.soonTriesMax)
        note("The camera did not say what became of it.", &effects)
    }

    package mutating func noteUnseen(_ effects: inout [SettingsEffect]) {
        // Another question may take as long, so no request waits for it.
        failureCount = min(max(failureCount, Self.soonTriesMax) + 1, Self.delays.count)
        // Said once in a row: from the second time on the count is above this one.
        guard failureCount == Self.soonTriesMax + 1, let key = nextKey, let row = pending[key]?.row else { return }
        let message = "The camera did not say where its \(row.words) stands. It is asked again."
        effects.append(entry(.warning, message))
    }

    package mutating func leaveFound(_ failure: CameraFailure, _ effects: inout [SettingsEffect]) {
        guard case .propertyNotKept(_, _, let found?) = failure, let key = nextKey else { return }
        leave(key, on: found, &effects)
    }

    package mutating func notePersonal(_ personal: PersonalSetting, _ effects: inout [SettingsEffect]) {
        guard let key = personal.property.flatMap(key), pending[key] != nil else { return }
        drop(key, &effects)
    }

    package mutating func noteLeft(_ effects: inout [SettingsEffect]) {
        for key in pending.keys.sorted() {
            guard let row = pending[key]?.row else { continue }
            if key.cameraID == camera?.camera.id, isBack(key) {
                drop(key, &effects)
                continue
            }
            let condition = key == nextKey && mayBeLeft() ? ", unless you turned the dial" : ""
            let message =
                "The \(row.words) of \(row.cameraName) was not put back to \(row.original): it is when the daemon runs "
                + "again and the camera is there\(condition)."
            effects.append(entry(.warning, message))
        }
    }

    package mutating func reportOver(_ effects: inout [SettingsEffect]) {
        effects.append(.over)
    }
}

extension SettingsModel {
    // MARK: Whose doing it is

    /// What is pending on the camera that is there.
    private var keysHere: [SettingKey] {
        pending.keys.filter { $0.cameraID == camera?.camera.id && $0.kind != nil }.sorted()
    }

    private var nextKey: SettingKey? { keysHere.first }

    /// The time that a body which takes its speed in notches needs for the way back, at the most.
    private var wayLimit: Duration {
        guard camera?.isStepwise == true, let key = nextKey, let original = pending[key]?.row.original
        else { return .zero }
        let speeds = [original, shown(key)].compactMap { label in ShutterSpeed.all.firstIndex { $0.label == label } }
        let notches = speeds.count == 2 ? abs(speeds[0] - speeds[1]) : ShutterSpeed.all.count
        return Self.steppingBase + Self.perNotch * notches
    }

    private func key(_ property: CameraProperty) -> SettingKey? {
        camera.map { SettingKey(cameraID: $0.camera.id, property: property.rawValue) }
    }

    private func shown(_ key: SettingKey) -> String? { key.kind.flatMap { camera?.values[$0] } }

    /// Whether the body may show this by our doing.
    private func isOurs(_ value: String, _ key: SettingKey) -> Bool {
        guard let row = pending[key]?.row else { return false }
        // A row without values is from a daemon that did not record what it set.
        return value == row.original || row.values.isEmpty || row.values.contains(value)
    }

    /// Whether the user turned the dial to this value: no command leads to it.
    ///
    /// - Parameter isQuiet: No command was given for so long that none can take effect late.
    private func isTurned(_ key: SettingKey, to value: String, isQuiet: Bool = false) -> Bool {
        guard let entry = pending[key], value != entry.row.original else { return false }
        switch entry.motion {
        case .settled(let place): return value != place && (isQuiet || !isOurs(value, key))
        case .moving: return false
        case .unseen: return camera?.isStepwise == false && !isOurs(value, key)
        }
    }

    /// Whether the body stands as it was, or as the user left it.
    private func isDecided(_ key: SettingKey) -> Bool {
        isBack(key) || shown(key).map { isTurned(key, to: $0, isQuiet: true) } ?? false
    }

    /// Whether the body shows what is to be put back, and no command is under way.
    private func isBack(_ key: SettingKey) -> Bool {
        guard let entry = pending[key], case .settled = entry.motion else { return false }
        return shown(key) == entry.row.original
    }

    private mutating func command(_ key: SettingKey, _ value: String) {
        let isShown = shown(key) == value
        if isShown, pending[key]?.motion == .settled(on: value) { return }
        pending[key]?.motion = .moving(to: isShown ? nil : value)
    }

    /// The body shows what it was told to take, and does not just pass it.
    private mutating func noteArrival() {
        for key in keysHere where camera?.isPassing == false {
            guard case .moving(let target?)? = pending[key]?.motion, shown(key) == target else { continue }
            pending[key]?.motion = .settled(on: target)
        }
    }

    /// The body had the time that it needs: it stands where it is shown. A value that was not set here is not believed
    /// to be where a body stays that is set by value.
    private mutating func settle() {
        for key in keysHere {
            guard let entry = pending[key], let shown = shown(key) else { continue }
            if case .settled = entry.motion { continue }
            if camera?.isStepwise == true || isOurs(shown, key) { pending[key]?.motion = .settled(on: shown) }
        }
    }

    // MARK: What is to be put back

    private mutating func noteOriginals(_ effects: inout [SettingsEffect]) {
        guard let camera else { preconditionFailure("a shoot begins with a camera") }
        for property in CameraProperty.allCases {
            guard let values = changes[property], let key = key(property) else { continue }
            if pending[key] == nil {
                guard let value = camera.values[property] else {
                    let words = property.rawValue
                    effects.append(.report(.debug("The camera does not say its \(words): it is not put back.")))
                    continue
                }
                guard pending.count < Self.pendingMax else {
                    effects.append(.report(.debug("Too many settings are to be put back: one more is not kept.")))
                    continue
                }
                let row = SettingRow(
                    cameraID: key.cameraID,
                    cameraName: camera.camera.name,
                    property: key.property,
                    original: value
                )
                pending[key] = Pending(row: row, motion: .settled(on: value))
            } else {
                adoptTurn(key, &effects)
            }
            pending[key]?.trouble = nil
            pending[key]?.row.take(values)
            keep(key, &effects)
        }
    }

    private mutating func adoptTurns(isQuiet: Bool = false, _ effects: inout [SettingsEffect]) {
        for key in keysHere { adoptTurn(key, isQuiet: isQuiet, &effects) }
    }

    private mutating func adoptTurn(_ key: SettingKey, isQuiet: Bool = false, _ effects: inout [SettingsEffect]) {
        guard let entry = pending[key], let shown = shown(key), isTurned(key, to: shown, isQuiet: isQuiet) else {
            return
        }
        pending[key]?.row.original = shown
        if entry.motion != .unseen { pending[key]?.motion = .settled(on: shown) }
        keep(key, &effects)
        let message =
            "The \(entry.row.words) stands on \(shown), which was not set here: that is what is put back after the "
            + "shoot."
        effects.append(self.entry(.notice, message))
    }

    private mutating func leave(_ key: SettingKey, on value: String, _ effects: inout [SettingsEffect]) {
        guard let row = pending[key]?.row else { return }
        camera?.values[key.kind ?? .shutterSpeed] = value
        drop(key, &effects)
        let message = "The \(row.words) stands on \(value), which was not set here: it is left as it is."
        effects.append(entry(.notice, message))
    }

    private mutating func drop(_ key: SettingKey, _ effects: inout [SettingsEffect]) {
        pending[key] = nil
        effects.append(.keep(key, nil))
    }

    private func keep(_ key: SettingKey, _ effects: inout [SettingsEffect]) {
        guard let row = pending[key]?.row else { return }
        effects.append(.keep(key, row))
    }

    /// It could not be put back; said once for each reason.
    private mutating func note(_ trouble: String, _ effects: inout [SettingsEffect]) {
        failureCount = min(failureCount + 1, Self.delays.count)
        guard let key = nextKey, let entry = pending[key] else { return }
        // What was to come is shown: that may be from before the command, and the next try confirms it.
        if shown(key) != entry.row.original { settle() }
        guard entry.trouble != trouble else { return }
        pending[key]?.trouble = trouble
        effects.append(self.entry(.warning, entry.sentence(trouble)))
    }

    private func entry(_ level: JournalEntry.Level, _ message: String) -> SettingsEffect {
        .report(JournalEntry(level: level, kind: .settings, message: message))
    }
}

extension SettingKey {
    /// Nil: another version of the daemon knows it.
    fileprivate var kind: CameraProperty? { CameraProperty(rawValue: property) }

    /// `shutter speed`.
    fileprivate var words: String { property.split(separator: "-").joined(separator: " ") }
}

extension SettingRow {
    fileprivate var key: SettingKey { SettingKey(cameraID: cameraID, property: property) }

    fileprivate var words: String { key.words }

    /// A shoot sets it to these too.
    fileprivate mutating func take(_ more: [String]) {
        for value in more where !values.contains(value) { values.append(value) }
    }
}
