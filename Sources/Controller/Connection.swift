import Cameras
import Statecharts

package enum ConnectionEffect: Equatable, Sendable {
    case camera(CameraCommand)
    case lookForCamera
    /// Begin and end of a search for the camera, by all ways.
    case beginSearch
    case endSearch
    case announceReady(CameraStatus)
    case announceGone(Absence)
    /// The camera answers, but its settings do not allow a shoot; the sentence says what to change.
    case announceUnfit(sentence: String)
    case report(JournalEntry)
    case stopped
}

/// What a shoot that waits for the camera needs before it continues without a request.
package struct Demands: Equatable, Sendable {
    package var firing: Preflight.Firing
    /// The camera's drive mode, which is in no status.
    package var drive: String?
    package var rules: Preflight.Rules
}

/// The data behind `connection.scxml`.
package struct ConnectionModel: Equatable, Sendable {
    package private(set) var address: CameraAddress?
    /// The way to call the camera at the address.
    private var offer: CameraOffer?
    package private(set) var identity: CameraIdentity?
    package private(set) var status: CameraStatus?
    /// Why no camera is connected, in a sentence; the last reported one.
    package private(set) var trouble: String?
    /// nil: any camera.
    package var wanted: WantedCamera?
    /// Whether another camera can be called if this one refuses.
    package var othersAreLeft = false
    private var failureCount = 0
    /// The obstacles that were reported since the camera was connected last, each once.
    private var warned: Set<Obstacle> = []
    /// Another client holds the camera's session.
    package private(set) var isInUse = false
    private var explained: String?
    /// The demands of a shoot that waits for this camera; nil: none waits.
    package var demands: Demands?

    /// The wait before the next search, by the number of failures in a row.
    package static let backoffDelays: [Duration] = [.seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(30)]
    /// A camera that is in use is called no more often than this: our rule, because reports say that some bodies hang.
    package static let inUseDelayMin = Duration.seconds(5)

    /// So many failures in a row take an hour or more; then one entry sums them up.
    package static let failuresPerSummary = 125

    private enum Obstacle: Hashable {
        case loss
        case inUse
        case refusal
        case stranger
    }

    /// Whether the camera has been away for so long that further attempts are not reported.
    package var isRepeating: Bool { failureCount >= Self.backoffDelays.count && !warned.isEmpty }

    private mutating func warning(
        _ obstacle: Obstacle,
        _ kind: JournalEntry.Kind,
        _ message: String
    ) -> ConnectionEffect {
        entry(warned.insert(obstacle).inserted ? .warning : .debug, kind, message)
    }

    private func entry(_ level: JournalEntry.Level, _ kind: JournalEntry.Kind, _ message: String) -> ConnectionEffect {
        var fields: [JournalEntry.Field] = []
        if let address { fields.append(.init("CAMERA_ADDRESS", address.description)) }
        if let identity { fields.append(.init("CAMERA", identity.id)) }
        return .report(JournalEntry(level: level, kind: kind, message: message, fields: fields))
    }
}

// Only the functions that the chart names; a test compares both lists.
extension ConnectionModel: ConnectionBehavior {
    package typealias Effect = ConnectionEffect

    // MARK: Guards

    package func mayTryAgain(_ refusal: Refusal) -> Bool { !refusal.isFinal || othersAreLeft }

    package func isWanted(_ identity: CameraIdentity) -> Bool { wanted.map { $0.id == identity.id } ?? true }

    /// Whether a session was open when the network was left. The body may still hold its only session.
    package func hadSession() -> Bool { identity != nil }

    package func modeIsRight() -> Bool { status != nil && hindrance == nil }

    package func modeStaysRight(_ status: CameraStatus) -> Bool { Preflight.unfitness(status).isEmpty }

    // MARK: Delays

    /// The first pairing asks the camera's user, and the camera answers only then.
    package func connectDeadline() -> Duration { .seconds(90) }

    /// A body keeps its only session for a while after a link broke. A second hello in that time has made some hang.
    package func reconnectDelay() -> Duration { .milliseconds(1200) }

    package func backoffDelay() -> Duration {
        let delay = Self.backoffDelays[min(failureCount, Self.backoffDelays.count) - 1]
        return isInUse ? max(delay, Self.inUseDelayMin) : delay
    }

    package func disconnectDeadline() -> Duration { .seconds(3) }

    // MARK: Actions

    package mutating func lookForCamera(_ effects: inout [ConnectionEffect]) {
        effects.append(.lookForCamera)
    }

    package mutating func beginSearch(_ effects: inout [ConnectionEffect]) {
        effects.append(.beginSearch)
    }

    package mutating func endSearch(_ effects: inout [ConnectionEffect]) {
        effects.append(.endSearch)
    }

    /// A user's request starts with new attempts, however many have failed.
    package mutating func startAfresh(_ effects: inout [ConnectionEffect]) {
        failureCount = 0
        warned = []
        isInUse = false
        trouble = nil
    }

    package mutating func adoptMeeting(_ meeting: Meeting, _ effects: inout [ConnectionEffect]) {
        warned = []
        address = meeting.address
        identity = meeting.identity
        status = meeting.status
        explained = nil
    }

    package mutating func noteStranger(_ identity: CameraIdentity, _ effects: inout [ConnectionEffect]) {
        guard let wanted, let address else { return }
        isInUse = false
        trouble = wanted.sentence(about: identity, at: address)
        effects.append(warning(.stranger, .cameraRefused, wanted.sentence(about: identity, at: address)))
    }

    package mutating func adoptAddress(_ offer: CameraOffer, _ effects: inout [ConnectionEffect]) {
        address = offer.address
        self.offer = offer
    }

    package mutating func openSession(_ effects: inout [ConnectionEffect]) {
        guard let offer else { preconditionFailure("the address was adopted on the way here") }
        identity = nil
        status = nil
        explained = nil
        effects.append(.camera(.connect(offer.address, by: offer.protocol, path: offer.path)))
    }

    package mutating func adoptIdentity(_ identity: CameraIdentity, _ effects: inout [ConnectionEffect]) {
        self.identity = identity
    }

    package mutating func adoptStatus(_ status: CameraStatus, _ effects: inout [ConnectionEffect]) {
        self.status = status
        warned = []
    }

    package mutating func noteRefusal(_ refusal: Refusal, _ effects: inout [ConnectionEffect]) {
        trouble = refusal.sentence
        isInUse = refusal == .inUse
        effects.append(warning(isInUse ? .inUse : .refusal, .cameraRefused, refusal.sentence))
    }

    package mutating func noteLoss(_ reason: LossReason, _ effects: inout [ConnectionEffect]) {
        trouble = reason.sentence
        isInUse = false
        effects.append(warning(.loss, .cameraLost, reason.sentence))
    }

    package mutating func noteDeparture(_ departure: NetworkDeparture, _ effects: inout [ConnectionEffect]) {
        trouble = departure.sentence
        warned = []
        effects.append(entry(.warning, .cameraLost, departure.sentence))
    }

    /// The other network's problems say nothing about this one. A network that is seen first after the start was never
    /// left: its warnings are not repeated.
    package mutating func noteReturn(_ effects: inout [ConnectionEffect]) {
        trouble = nil
        failureCount = 0
    }

    package mutating func abandonSession(_ effects: inout [ConnectionEffect]) {
        if trouble == nil { trouble = "The camera did not finish connecting." }
        effects.append(.camera(.abandon))
    }

    package mutating func countFailure(_ effects: inout [ConnectionEffect]) {
        failureCount += 1
        guard failureCount.isMultiple(of: Self.failuresPerSummary) else { return }
        let reason = trouble.map { " \($0)" } ?? ""
        let message = "No connection after \(failureCount) attempts.\(reason) The daemon keeps trying."
        effects.append(entry(.warning, .cameraLost, message))
    }

    package mutating func explainMode(_ effects: inout [ConnectionEffect]) {
        guard let sentence = hindrance, sentence != explained else { return }
        explained = sentence
        trouble = sentence
        effects.append(entry(.warning, .modeWrong, sentence))
        effects.append(.announceUnfit(sentence: sentence))
    }

    package mutating func announceReady(_ effects: inout [ConnectionEffect]) {
        guard let status else { preconditionFailure("the mode check has a status") }
        failureCount = 0
        warned = []
        isInUse = false
        trouble = nil
        explained = nil
        effects.append(entry(.notice, .cameraConnected, readySentence(status)))
        let mode = Preflight.mode(status)
        if mode.result == .warn { effects.append(entry(.warning, .modeWrong, mode.text)) }
        effects.append(.announceReady(status))
    }

    package mutating func announceLoss(_ reason: LossReason, _ effects: inout [ConnectionEffect]) {
        effects.append(.announceGone(.lost(reason)))
    }

    package mutating func announceRelease(_ effects: inout [ConnectionEffect]) {
        effects.append(.announceGone(.released))
    }

    package mutating func closeSession(_ effects: inout [ConnectionEffect]) {
        effects.append(.camera(.disconnect))
    }

    package mutating func reportStopped(_ effects: inout [ConnectionEffect]) {
        effects.append(.stopped)
    }
}

extension ConnectionModel {
    /// The camera's name for users.
    package var name: String? { identity?.name }

    /// The checks that this camera fails now: those of its dial, or those of a shoot that waits for it.
    var hindrances: [Check] {
        guard let status else { return [] }
        let unfitness = Preflight.unfitness(status)
        guard unfitness.isEmpty, let demands, let identity else { return unfitness }
        let camera = Preflight.Camera(identity: identity, status: status, drive: demands.drive)
        return Preflight.hindrances(demands.firing, on: camera, rules: demands.rules)
    }

    private var hindrance: String? { PreflightReport(checks: hindrances).obstacle }

    private func readySentence(_ status: CameraStatus) -> String {
        var sentence = "Connected to \(name ?? "the camera")"
        if let address { sentence += " at \(address)" }
        sentence += ", mode \(status.mode)"
        if let battery = status.batteryPercent { sentence += ", battery \(battery) %" }
        if let shots = status.shotsLeft { sentence += ", \(shots) shots left" }
        return sentence + "."
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
