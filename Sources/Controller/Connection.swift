import Cameras
import Exposure
import Statecharts

/// What a waiting shoot requires of the camera before the shoot resumes without a request.
package struct CameraRequirements: Equatable, Sendable {
    package var firing: Preflight.Firing
    /// The camera's drive mode. The camera's status does not include this mode.
    package var drive: DriveMode?
    package var rules: Preflight.Rules
}

/// The data behind `connection.scxml`.
struct ConnectionModel: Equatable, Sendable {
    /// The protocol and address of the camera that is being connected or is connected.
    private(set) var offer: CameraOffer?
    private(set) var identity: CameraIdentity?
    private(set) var status: CameraStatus?
    /// The latest reported reason why no camera is connected.
    private(set) var absenceReason: String?
    /// The wanted camera; nil: any camera.
    var wanted: WantedCamera?
    /// Whether the daemon searches for any camera, see ``SearchGoal/isOpen``.
    var isGoalOpen = false
    /// Whether nothing answered at the latest address.
    private var isAway = false
    /// Whether another camera can be tried if this camera refuses.
    var othersAreLeft = false
    private var failureCount = 0
    /// The obstacles that were already reported since the previous session. Each obstacle is reported once.
    private var warned: Set<AbsenceReason> = []
    /// The reason of the camera's last rejection; nil: the last attempt did not end with a rejection.
    private(set) var refusal: Refusal?
    /// The latest report about a camera that is not ready; nil: no report.
    private var explained: ReportedChecks?
    /// The demands of a shoot that waits for this camera; nil: none waits.
    var requirements: CameraRequirements?

    /// The wait before the next search, by the number of consecutive failures.
    static let backoffDelays: [Duration] = [.seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(30)]
    /// The same, if the daemon searches for any camera and nothing answers. The attempts become as rare as the waves of
    /// the search, which probe this address too.
    static let openBackoffDelays: [Duration] = [
        .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(30), .seconds(30), .seconds(60), .seconds(120),
        .seconds(420), .seconds(1800),
    ]
    /// The minimum wait before the next attempt at a camera that is in use.
    ///
    /// This is our rule, because some bodies reportedly hang after more frequent attempts.
    static let inUseDelayMin = Duration.seconds(5)

    /// The number of consecutive failures that one journal entry summarizes. So many failures take at least one hour.
    static let failuresPerSummary = 125

    var address: CameraAddress? { offer?.address }

    /// Whether another program uses the camera's session.
    var isInUse: Bool { refusal == .inUse }

    /// The content of a report on a camera that is not ready. Equal content is reported once.
    private struct ReportedChecks: Equatable {
        /// The names of the failing checks.
        var names: [String]
        // The facts that the reports of these checks name; nil: that check does not fail.
        var mode: ExposureMode?
        var speeds: [ShutterSpeed]?
        var drive: DriveMode?
        var saveTarget: String?
    }

    private enum AbsenceReason: Hashable {
        case loss
        case inUse
        case refusal
        case stranger
    }

    /// Whether so many attempts have failed that later attempts are not reported.
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

// This extension has only the functions that the chart names. A test compares it with the chart.
extension ConnectionModel: ConnectionBehavior {
    typealias Effect = PartEffect

    // MARK: Guards

    func mayTryAgain(_ refusal: Refusal) -> Bool { !refusal.isFinal || othersAreLeft }

    func isWanted(_ identity: CameraIdentity) -> Bool { wanted.map { $0.id == identity.id } ?? true }

    /// Whether a session was open when this computer left the network. The body may still keep its only session open.
    func hadSession() -> Bool { identity != nil }

    func isModeRight() -> Bool { status != nil && failedChecks.isEmpty }

    func isModeStillRight(_ status: CameraStatus) -> Bool { Preflight.failedModeChecks(status).isEmpty }

    // MARK: Delays

    /// During the first pairing, the camera answers only after its user has confirmed.
    func connectDeadline() -> Duration { .seconds(90) }

    /// A body keeps its only session open for a while after a lost link. A new session request during that time made
    /// some bodies hang.
    func reconnectDelay() -> Duration { .milliseconds(1200) }

    func backoffDelay() -> Duration {
        let delays = isGoalOpen && isAway ? Self.openBackoffDelays : Self.backoffDelays
        let delay = delays[min(failureCount, delays.count) - 1]
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

    /// Forgets the failed attempts, because a user requested a camera.
    mutating func startSearchOver(_ effects: inout [PartEffect]) {
        failureCount = 0
        warned = []
        refusal = nil
        absenceReason = nil
    }

    mutating func adoptOpenedCamera(_ meeting: OpenedCamera, _ effects: inout [PartEffect]) {
        warned = []
        refusal = nil
        offer = meeting.offer
        identity = meeting.identity
        status = meeting.status
        explained = nil
    }

    mutating func noteOtherCamera(_ identity: CameraIdentity, _ effects: inout [PartEffect]) {
        guard let wanted, let address else { return }
        refusal = nil
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
        explained = nil
        isAway = false
        effects.append(command(.connect(offer.address, by: offer.protocol, path: offer.path, maker: offer.maker)))
    }

    mutating func adoptIdentity(_ identity: CameraIdentity, _ effects: inout [PartEffect]) {
        self.identity = identity
    }

    mutating func adoptStatus(_ status: CameraStatus, _ effects: inout [PartEffect]) {
        self.status = status
        warned = []
        refusal = nil
    }

    mutating func noteRefusal(_ refusal: Refusal, _ effects: inout [PartEffect]) {
        absenceReason = refusal.sentence
        self.refusal = refusal
        effects.append(warning(isInUse ? .inUse : .refusal, .cameraRefused, refusal.sentence))
    }

    mutating func noteLoss(_ reason: LossReason, _ effects: inout [PartEffect]) {
        absenceReason = reason.sentence
        refusal = nil
        isAway = if case .cannotConnect = reason { true } else { false }
        effects.append(warning(.loss, .cameraLost, reason.sentence))
    }

    mutating func noteDeparture(_ departure: NetworkDeparture, _ effects: inout [PartEffect]) {
        absenceReason = departure.sentence
        refusal = nil
        warned = []
        effects.append(entry(.warning, .cameraLost, departure.sentence))
    }

    /// Forgets the failures on the other network. This keeps `warned`, so that the first network after the start causes
    /// no repeated warning.
    mutating func noteReturn(_ effects: inout [PartEffect]) {
        absenceReason = nil
        refusal = nil
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
        guard let sentence = PreflightReport(checks: failedChecks).failureSentence else { return }
        absenceReason = sentence
        let names = failedChecks.map(\.name)
        let found = ReportedChecks(
            names: names,
            mode: status?.mode,
            speeds: names.contains("speeds") ? status?.speeds : nil,
            drive: names.contains("drive") ? requirements?.drive : nil,
            saveTarget: names.contains("save-target") ? status?.saveTarget : nil
        )
        guard found != explained else { return }
        explained = found
        effects.append(entry(.warning, .modeWrong, sentence))
        effects.append(.enqueue(.cameraNotReady(sentence: sentence)))
    }

    mutating func announceReady(_ effects: inout [PartEffect]) {
        guard let status else { preconditionFailure("the mode check has a status") }
        failureCount = 0
        warned = []
        absenceReason = nil
        explained = nil
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

    /// The checks that this camera fails now: the mode checks, or else the checks of a waiting shoot.
    var failedChecks: [Check] {
        guard let status else { return [] }
        let failedModeChecks = Preflight.failedModeChecks(status)
        guard failedModeChecks.isEmpty, let requirements, let identity else { return failedModeChecks }
        let camera = Preflight.Camera(identity: identity, status: status, drive: requirements.drive)
        return Preflight.failedChecks(requirements.firing, on: camera, rules: requirements.rules)
    }
}

extension Refusal {
    /// Whether the camera refuses until its user changes something.
    var isFinal: Bool {
        switch self {
        case .notWaiting, .inUse, .protocolError: false
        case .unpaired, .unsupported: true
        }
    }
}
