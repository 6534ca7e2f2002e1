import Cameras
import Statecharts

/// What a shoot that waits for the camera needs before it continues without a request.
package struct CameraRequirements: Equatable, Sendable {
    package var firing: Preflight.Firing
    /// The camera's drive mode, which is in no status.
    package var drive: String?
    package var rules: Preflight.Rules
}

/// The data behind `connection.scxml`.
struct ConnectionModel: Equatable, Sendable {
    /// The camera that is called or connected, and how.
    private(set) var offer: CameraOffer?
    private(set) var identity: CameraIdentity?
    private(set) var status: CameraStatus?
    /// Why no camera is connected, in a sentence; the last reported one.
    private(set) var absenceReason: String?
    /// nil: any camera.
    var wanted: WantedCamera?
    /// Whether another camera can be called if this one refuses.
    var othersAreLeft = false
    private var failureCount = 0
    /// The obstacles that were reported since the camera was connected last, each once.
    private var warned: Set<AbsenceReason> = []
    /// Another client holds the camera's session.
    private(set) var isInUse = false
    /// The failing checks that were reported last; empty: none.
    private var explained: [Check] = []
    /// The demands of a shoot that waits for this camera; nil: none waits.
    var requirements: CameraRequirements?

    /// The wait before the next search, by the number of failures in a row.
    static let backoffDelays: [Duration] = [.seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(30)]
    /// A camera that is in use is called no more often than this: our rule, because reports say that some bodies hang.
    static let inUseDelayMin = Duration.seconds(5)

    /// So many failures in a row take an hour or more; then one entry sums them up.
    static let failuresPerSummary = 125

    var address: CameraAddress? { offer?.address }

    private enum AbsenceReason: Hashable {
        case loss
        case inUse
        case refusal
        case stranger
    }

    /// Whether the camera has been away for so long that further attempts are not reported.
    var isRepeating: Bool { failureCount >= Self.backoffDelays.count && !warned.isEmpty }

    private func command(_ command: CameraCommand) -> PartEffect { .send(.command(command, from: .connection)) }

    private mutating func warning(
        _ obstacle: AbsenceReason,
        _ kind: JournalEntry.Kind,
        _ message: String
    ) -> PartEffect {
        entry(warned.insert(obstacle).inserted ? .warning : .debug, kind, message)
    }

    private func entry(_ level: JournalEntry.Level, _ kind: JournalEntry.Kind, _ message: String) -> PartEffect {
        var fields: [JournalEntry.Field] = []
        if let address { fields.append(.init("CAMERA_ADDRESS", address.description)) }
        if let identity { fields.append(.init("CAMERA", identity.id)) }
        return .journal(JournalEntry(level: level, kind: kind, message: message, fields: fields))
    }
}

// Only the functions that the chart names; a test compares both lists.
extension ConnectionModel: ConnectionBehavior {
    typealias Effect = PartEffect

    // MARK: Guards

    func mayTryAgain(_ refusal: Refusal) -> Bool { !refusal.isFinal || othersAreLeft }

    func isWanted(_ identity: CameraIdentity) -> Bool { wanted.map { $0.id == identity.id } ?? true }

    /// Whether a session was open when the network was left. The body may still hold its only session.
    func hadSession() -> Bool { identity != nil }

    func isModeRight() -> Bool { status != nil && failedChecks.isEmpty }

    func isModeStillRight(_ status: CameraStatus) -> Bool { Preflight.failedModeChecks(status).isEmpty }

    // MARK: Delays

    /// The first pairing asks the camera's user, and the camera answers only then.
    func connectDeadline() -> Duration { .seconds(90) }

    /// A body keeps its only session for a while after a link broke. A second hello in that time has made some hang.
    func reconnectDelay() -> Duration { .milliseconds(1200) }

    func backoffDelay() -> Duration {
        let delay = Self.backoffDelays[min(failureCount, Self.backoffDelays.count) - 1]
        return isInUse ? max(delay, Self.inUseDelayMin) : delay
    }

    func disconnectDeadline() -> Duration { .seconds(3) }

    // MARK: Actions

    mutating func requestAddress(_ effects: inout [PartEffect]) {
        effects.append(.send(.addressWanted))
    }

    mutating func beginSearch(_ effects: inout [PartEffect]) {
        effects.append(.send(.searchWanted(true)))
    }

    mutating func endSearch(_ effects: inout [PartEffect]) {
        effects.append(.send(.searchWanted(false)))
    }

    /// A user's request starts with new attempts, however many have failed.
    mutating func startSearchOver(_ effects: inout [PartEffect]) {
        failureCount = 0
        warned = []
        isInUse = false
        absenceReason = nil
    }

    mutating func adoptOpenedCamera(_ meeting: OpenedCamera, _ effects: inout [PartEffect]) {
        warned = []
        offer = meeting.offer
        identity = meeting.identity
        status = meeting.status
        explained = []
    }

    mutating func noteOtherCamera(_ identity: CameraIdentity, _ effects: inout [PartEffect]) {
        guard let wanted, let address else { return }
        isInUse = false
        absenceReason = wanted.sentence(about: identity, at: address)
        effects.append(warning(.stranger, .cameraRefused, wanted.sentence(about: identity, at: address)))
    }

    mutating func adoptAddress(_ offer: CameraOffer, _ effects: inout [PartEffect]) {
        self.offer = offer
    }

    mutating func openSession(_ effects: inout [PartEffect]) {
        guard let offer else { preconditionFailure("the address was adopted on the way here") }
        identity = nil
        status = nil
        explained = []
        effects.append(command(.connect(offer.address, by: offer.protocol, path: offer.path)))
    }

    mutating func adoptIdentity(_ identity: CameraIdentity, _ effects: inout [PartEffect]) {
        self.identity = identity
    }

    mutating func adoptStatus(_ status: CameraStatus, _ effects: inout [PartEffect]) {
        self.status = status
        warned = []
    }

    mutating func noteRefusal(_ refusal: Refusal, _ effects: inout [PartEffect]) {
        absenceReason = refusal.sentence
        isInUse = refusal == .inUse
        effects.append(warning(isInUse ? .inUse : .refusal, .cameraRefused, refusal.sentence))
    }

    mutating func noteLoss(_ reason: LossReason, _ effects: inout [PartEffect]) {
        absenceReason = reason.sentence
        isInUse = false
        effects.append(warning(.loss, .cameraLost, reason.sentence))
    }

    mutating func noteDeparture(_ departure: NetworkDeparture, _ effects: inout [PartEffect]) {
        absenceReason = departure.sentence
        warned = []
        effects.append(entry(.warning, .cameraLost, departure.sentence))
    }

    /// The other network's problems say nothing about this one. A network that is seen first after the start was never
    /// left: its warnings are not repeated.
    mutating func noteReturn(_ effects: inout [PartEffect]) {
        absenceReason = nil
        failureCount = 0
    }

    mutating func abandonSession(_ effects: inout [PartEffect]) {
        if absenceReason == nil { absenceReason = CameraSentences.connectingUnfinished }
        effects.append(command(.abandon))
    }

    mutating func countFailure(_ effects: inout [PartEffect]) {
        failureCount += 1
        guard failureCount.isMultiple(of: Self.failuresPerSummary) else { return }
        let message = CameraSentences.stillAway(after: failureCount, absenceReason)
        effects.append(entry(.warning, .cameraLost, message))
    }

    mutating func explainMode(_ effects: inout [PartEffect]) {
        let failedChecks = failedChecks
        guard failedChecks != explained, let sentence = PreflightReport(checks: failedChecks).obstacle else { return }
        explained = failedChecks
        absenceReason = sentence
        effects.append(entry(.warning, .modeWrong, sentence))
        effects.append(.enqueue(.cameraNotReady(sentence: sentence)))
    }

    mutating func announceReady(_ effects: inout [PartEffect]) {
        guard let status else { preconditionFailure("the mode check has a status") }
        failureCount = 0
        warned = []
        isInUse = false
        absenceReason = nil
        explained = []
        effects.append(entry(.notice, .cameraConnected, CameraSentences.connected(name, at: address, status)))
        let mode = Check("mode", Preflight.mode(status))
        if mode.result == .warn { effects.append(entry(.warning, .modeWrong, mode.text)) }
        effects.append(.enqueue(.cameraReady(status)))
    }

    mutating func announceLoss(_ reason: LossReason, _ effects: inout [PartEffect]) {
        effects.append(.enqueue(.cameraGone(.lost(reason))))
    }

    mutating func announceRelease(_ effects: inout [PartEffect]) {
        effects.append(.enqueue(.cameraGone(.released)))
    }

    mutating func closeSession(_ effects: inout [PartEffect]) {
        effects.append(command(.disconnect))
    }

    mutating func reportStopped(_ effects: inout [PartEffect]) {
        effects.append(.send(.connectionStopped))
    }
}

extension ConnectionModel {
    /// The camera's name for users.
    var name: String? { identity?.name }

    /// The checks that this camera fails now: those of its dial, or those of a shoot that waits for it.
    var failedChecks: [Check] {
        guard let status else { return [] }
        let failedModeChecks = Preflight.failedModeChecks(status)
        guard failedModeChecks.isEmpty, let requirements, let identity else { return failedModeChecks }
        let camera = Preflight.Camera(identity: identity, status: status, drive: requirements.drive)
        return Preflight.failedChecks(requirements.firing, on: camera, rules: requirements.rules)
    }
}

extension Refusal {
    /// Whether nothing changes until the camera's user acts.
    var isFinal: Bool {
        switch self {
        case .inUse, .protocolError: false
        case .unpaired, .unsupported: true
        }
    }
}
