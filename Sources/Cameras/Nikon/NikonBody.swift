import PTP

/// What the driver knows about a connected body.
struct NikonBody: Sendable {
    var quirks = NikonQuirks()
    var abilities = NikonAbilities()
    /// The properties of the body among those that the driver uses.
    var properties: [PropertyCode] = []
    var store = NikonPropertyStore()
    var modes = NikonModes()
    /// The end of the live view that a `.liveView` started; nil: none did, or it has ended.
    var liveViewEnd: LiveViewEnd?
    /// A task that the command needs next, because the body rejected an operation.
    var dueStep: NikonTask?
    /// The operations that the body denies in its present mode, although it advertises them.
    var denied: Set<OperationCode> = []

    // MARK: Events

    /// The last list of events; nil: none was received in this session.
    var poll: NikonPollTimes?
    /// The number of pauses in a row before lists, since the last command. The pauses grow.
    var pauses = 0
    /// The time since which requests for lists have failed; nil: the last one succeeded.
    var pollsFailSince: Duration?
    var retryPollAt: Duration = .zero
    var recentEvents = NikonRecentEvents()

    /// The number of lists since the last command.
    var listsOfCommand = 0
    /// The time of the next list of all files, because a list of events was damaged, and the end of the attempts; nil:
    /// none is needed.
    var fileListDue: (at: Duration, until: Duration)?
    /// The lists of single cards, while they are requested.
    var cards = NikonCardLists()
    /// Whether the files were listed in this session.
    var hasListedFiles = false

    // MARK: Readiness

    /// The last answer of DeviceReady.
    var readiness: NikonReadinessReport?
    /// The time since which the body rejects requests as busy; nil: it does not.
    var busySince: Duration?
    /// The time of the last rejected request, as busy or for another reason.
    var rejectedAt: Duration = .zero

    // MARK: Properties

    /// The properties to read again.
    var unread: [PropertyCode] = []
    /// The time since which the body rejects the readings of a property as busy; nil: it does not.
    var unreadBusySince: Duration?
    /// The last accepted write of each property that no reading has shown since.
    var unshown: [NikonUnshownWrite] = []
    var ownChanges = NikonOwnChanges()
    /// The time of the last request for the shot counter.
    var countRequestedAt: Duration = .zero
    /// The time of the request to read all properties; nil: none is being performed.
    var readAllSince: Duration?
    /// The time of the next reading of one property of an idle body.
    var refreshAt: Duration = .zero
    /// The index in `properties` of that reading.
    var refreshIndex = 0
    /// The last status that was reported.
    var reported: CameraStatus?
    /// The property states that were reported.
    var reportedStates: [PropertyState] = []
    /// The revision of the store whose status was reported.
    var checkedRevision: Int?
    /// The revision of the store whose properties were reported completely.
    var reportedRevision: Int?
    /// The remarks that were already reported. Each is reported once.
    var remarks: Set<String> = []

    mutating func markUnread(_ codes: [PropertyCode]) {
        for code in codes where properties.contains(code) && !unread.contains(code) {
            if unread.count < NikonLimits.unreadMax { unread.append(code) }
        }
    }

    func unshown(_ code: PropertyCode) -> NikonUnshownWrite? { unshown.first { $0.write.code == code } }

    /// Notes that the body accepted a write.
    mutating func noteAccepted(_ write: NikonPropertyWrite, at now: Duration) {
        unshown.removeAll { $0.write.code == write.code }
        unshown.append(NikonUnshownWrite(write: write, at: now))
        ownChanges.note(NikonPropertyStore.affected(by: write.code), at: now)
    }

    /// Ignores a property that another one shows more exactly.
    mutating func ignore(_ code: PropertyCode) {
        properties.removeAll { $0 == code }
        unread.removeAll { $0 == code }
    }

    /// Whether a value that decides about a frame may be old.
    var isSpeedInDoubt: Bool {
        unread.contains { $0 == store.speedCode || $0 == .exposureProgramMode }
    }
}

/// The modes that the driver has entered.
struct NikonModes: Sendable {
    var isApplication = false
    /// UNSURE: the property can be 1 for another application. The driver sets it to 0 in any case.
    var isApplicationProperty = false
    var isCamera = false
    var hasLiveView = false
}

/// The times of a list of events.
struct NikonPollTimes: Sendable {
    let requestedAt: Duration
    let receivedAt: Duration
    let isEmpty: Bool
}

/// An answer of DeviceReady.
struct NikonReadinessReport: Sendable {
    let requestedAt: Duration
    let receivedAt: Duration
    let value: NikonReadiness
    /// Whether the body may have released the shutter, as far as the answer shows.
    let hasFired: Bool
}

/// What the driver learned about a body. The data outlive the sessions.
struct NikonBodyData: Sendable {
    /// Whether the body accepted the application mode, so that it is paired.
    var isPaired = false
    /// Whether each picture so far decreased the shot counter in time; nil: the driver knows no picture.
    var countsShots: Bool?
    /// The form of the release that the body accepts; nil: the form of its abilities.
    var shutterForm: NikonShutterCommand.Form?
    /// Whether the body releases only with autofocus.
    var needsAutofocus = false
    var fileList = FileList.always
    /// The value of the recording media before the driver changed it; nil: it was not changed.
    var mediaBefore: NikonPropertyWrite?
    /// The modes that the driver entered and has not left, also in an earlier session.
    var entered = NikonModes()
    /// The number of a pairing that waits for the confirmation on the body, and the end of the wait.
    var awaitedPIN: (pin: NikonPairingPIN, until: Duration)?

    /// When the body is asked for the list of all files.
    enum FileList: Sendable {
        case always
        /// The list takes long, so only a frame in doubt is worth it.
        case inDoubt
        /// The body disconnected, fell silent or refused.
        case never
    }
}

/// An accepted write whose value no reading has shown yet.
struct NikonUnshownWrite: Sendable {
    let write: NikonPropertyWrite
    /// The time of the body's answer.
    let at: Duration
}

/// The properties that the driver itself changed. The event about such a change needs no reading: the driver reads the
/// written value anyway.
struct NikonOwnChanges: Sendable {
    private var changedAt: [PropertyCode: Duration] = [:]

    mutating func note(_ codes: [PropertyCode], at now: Duration) {
        for code in codes { changedAt[code] = now }
    }

    /// Whether an event is the first one about a change by the driver.
    mutating func take(_ code: PropertyCode, at now: Duration, _ timing: NikonTiming) -> Bool {
        changedAt.removeValue(forKey: code).map { now <= $0 + timing.eventTwin } ?? false
    }
}

/// The last events, to recognize an event that comes by a packet and by a list.
struct NikonRecentEvents: Sendable {
    enum Way: Sendable { case packet, list }

    private var waiting: [(event: NikonEvent, way: Way, at: Duration)] = []

    var count: Int { waiting.count }

    /// Notes an event.
    ///
    /// - Returns: false if the event came before in the other way.
    mutating func note(_ reported: NikonEvent, by way: Way, at now: Duration, _ timing: NikonTiming) -> Bool {
        // The parameter of "capture complete" is a transaction in a packet, and 0 in a list.
        let event = reported.meaning == .complete ? NikonEvent(reported.code) : reported
        waiting.removeAll { now > $0.at + timing.eventTwin }
        if let twin = waiting.firstIndex(where: { $0.event == event && $0.way != way }) {
            waiting.remove(at: twin)
            return false
        }
        if waiting.count >= NikonLimits.eventsMax { waiting.removeFirst() }
        waiting.append((event, way, now))
        return true
    }
}
