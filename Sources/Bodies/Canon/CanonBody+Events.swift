import Cameras
import PTP

/// The event list, by which the body reports everything.
extension CanonBody {
    /// The greatest number of records that wait for the initiator. Older ones are lost.
    private static let queueMax = 2_000

    /// Answers GetEvent: every property in the first list, the changes afterwards.
    mutating func readEvents(at now: Duration) -> ResponderAnswer? {
        if lastSet == .unread(frame: currentFrame) {
            lastSet = .read(frame: currentFrame)
            if fails(in: .confirm) { return nil }
        }
        let records = session.events == .first ? sheet.records : session.queue
        if session.events == .first {
            session.events = .changes
        } else {
            session.queue.removeAll()
        }
        noteRead(records)
        planFallBack(at: now)
        return .ok(CanonEventRecord.encoded(records))
    }

    private mutating func noteRead(_ records: [CanonEventRecord]) {
        let shown = records.last { $0.type == .propertyValue && $0.code == .canonShutterSpeed }
        guard let raw = shown?.words.first else { return }
        let speed = CanonShutterSpeed(rawValue: raw)
        session.readSpeed = speed
        switch shutter {
        case .releasing, .open: outputs.append(.fact(.shown(speed.ofBody)))
        case .ready, .darkFrame, .saving, .stuck: break
        }
    }

    /// Adds a record to the next event list.
    mutating func report(_ record: CanonEventRecord) {
        // The first list contains the present values.
        guard session.events != .off, session.events == .changes || record.code == nil else { return }
        let storm = faults.first { if case .eventStorm(let times) = $0 { times } else { nil } } ?? 1
        session.queue += repeatElement(record, count: record.code == nil ? 1 : storm)
        let surplus = session.queue.count - Self.queueMax
        if surplus > 0 { session.queue.removeFirst(surplus) }
    }

    /// Reports the present value of a property.
    mutating func reportValue(of code: PropertyCode) {
        if let record = sheet.value(of: code) { report(record) }
    }

    mutating func reportChoices(of code: PropertyCode) {
        if let record = sheet.choices(of: code) { report(record) }
    }

    /// Reports whether the body works on a picture.
    mutating func reportStatus(isBusy: Bool) {
        if !omits(.status) { report(CanonEventRecord(.status, isBusy ? 1 : 0)) }
    }

    /// Reports a change on the card.
    mutating func reportStorage() { report(CanonEventRecord(.storageInfoChanged, storage)) }

    // MARK: The shot counter

    /// The counter as the body shows it. A picture in work counts already.
    private var shownCounter: Int {
        if saveTarget.isHost, !saveTarget.isCard { return session.hasCapacity ? Self.hostCounter : 0 }
        return max(0, shotsLeft - (isInWork ? 1 : 0))
    }

    /// The counter of a 60D that saves to a host with free space.
    private static let hostCounter = 43_779

    /// Whether the shutter has opened and the picture is not saved yet.
    private var isInWork: Bool {
        switch shutter {
        case .ready, .releasing: false
        case .open, .darkFrame, .saving, .stuck: true
        }
    }

    /// Updates the counter, at once or later because of a fault.
    mutating func refreshCounter(at now: Duration) {
        let late = faults.first { if case .lateCounter(let delay) = $0 { delay } else { nil } }
        guard let late else { return showCounter() }
        if isInWork { return schedule.plan(.counterShows, at: now + late) }
        if schedule.last(where: { $0 == .counterShows }) == nil { showCounter() }
    }

    mutating func showCounter() {
        let counter = UInt32(clamping: shownCounter)
        guard !omits(.counter), sheet.number(.canonShotsLeft) != counter else { return }
        sheet.set(.canonShotsLeft, counter)
        reportValue(of: .canonShotsLeft)
    }

    // MARK: Display data

    enum FocusReport {
        case idle, searching, found, failed
    }

    /// Reports the state of the focus, if the initiator requested this group (0x0100). The last two bytes are the
    /// result and the activity.
    mutating func reportFocus(_ state: FocusReport) {
        guard session.displayGroups & 0x0100 != 0 else { return }
        let size = (sheet.number(.canonDisplayInfoVersion) ?? 0) >= 0x12 ? 7 : 6
        let end: [UInt8] =
            switch state {
            case .idle: [0, 0]
            case .searching: [0, 1]
            case .found: [1, 1]
            case .failed: [2, 2]
            }
        reportDisplay(mask: 0x0100, [UInt8](repeating: 0, count: size - 2) + end)
    }

    /// Reports the result of the button, if the initiator requested this group (0x0001).
    mutating func reportButton(_ result: CanonButtonResult) {
        guard model.pressesBothStages, session.displayGroups & 0x0001 != 0 else { return }
        reportDisplay(mask: 0x0001, [result.rawValue, 0])
    }

    /// A record has the length of its rest, the mask and the blocks.
    private mutating func reportDisplay(mask: UInt32, _ block: [UInt8]) {
        report(CanonEventRecord(.displayInfo, words: [UInt32(8 + block.count), mask], tail: block))
    }

    // MARK: Automatic power-off

    /// How long before its power-off the body announces it.
    static let powerOffWarning = Duration.seconds(5)
    /// How long the body is off, until the user turns it on again.
    static let powerOffTime = Duration.seconds(3)

    /// Starts the timer of the power-off again, if the body has one.
    mutating func delayPowerOff(at now: Duration) {
        guard let limit = faults.first({ if case .autoOff(let limit) = $0 { limit } else { nil } }) else { return }
        schedule.cancel { $0 == .warnsOfPowerOff || $0 == .powersOff }
        schedule.plan(.warnsOfPowerOff, at: now + max(Duration.zero, limit - Self.powerOffWarning))
        schedule.plan(.powersOff, at: now + limit)
    }
}

extension CanonRecordType {
    /// The content of a card has changed. The body is the storage id.
    static let storageInfoChanged = Self(rawValue: 0xC185)
}
