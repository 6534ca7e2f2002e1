import Cameras
import Exposure
import Statecharts

@testable import Controller

/// The connection's chart with hardly any data.
///
/// The sketch leaves out addresses, names, sentences, and the number of failures, which only makes waits longer. It has
/// three kinds of status: fit for shooting, with a wrong dial, or without something that a waiting shoot needs
/// (`CameraRequirements`).
struct ConnectionSketch: ChartSketch, ConnectionBehavior {
    struct Notes: Hashable {
        /// Whether a shoot can continue with the last status.
        var isFit = false
        /// Whether a camera identified itself since the last call.
        var hadSession = false
    }

    enum Effect: Hashable {
        case connect
        case disconnect
        case abandon
        case ready
        case gone
        /// The link is open, but the camera cannot shoot.
        case unfit
    }

    enum News: Int, CaseIterable {
        case found
        case preparedWanted
        case preparedStranger
        case metFit
        case metLacking
        case metUnfit
        case statusFit
        case statusLacking
        case statusUnfit
        /// A refusal after which automatic attempts are useless; and a refusal because another device uses the camera.
        case refused
        case inUse
        case lost
        case disconnected
        case wanted
        case called
        case released
        case networkLeft
        case networkBack
        case stop
    }

    var notes = Notes()
    let oracle: Oracle

    init(_ oracle: Oracle) { self.oracle = oracle }

    private static let address = CameraAddress(host: "192.0.2.1", port: 15740)
    private static let wanted = CameraIdentity(maker: "", model: "", firmware: "", serial: "", id: "wanted")
    private static let stranger = CameraIdentity(maker: "", model: "", firmware: "", serial: "", id: "stranger")
    static let fit = CameraStatus(mode: .manual, speeds: [.fastest], batteryPercent: 50)
    private static let lacking = CameraStatus(mode: .manual, speeds: [.fastest], batteryPercent: 0)
    private static let unfit = CameraStatus(mode: .program)

    static func input(_ news: News) -> Connection.Input {
        switch news {
        case .found: .cameraFound(CameraOffer(.ptpip, address))
        case .preparedWanted: .cameraPrepared(wanted)
        case .preparedStranger: .cameraPrepared(stranger)
        case .metFit: .cameraOpened(OpenedCamera(offer: CameraOffer(.ptpip, address), identity: wanted, status: fit))
        case .metLacking:
            .cameraOpened(OpenedCamera(offer: CameraOffer(.ptpip, address), identity: wanted, status: lacking))
        case .metUnfit:
            .cameraOpened(OpenedCamera(offer: CameraOffer(.ptpip, address), identity: wanted, status: unfit))
        case .statusFit: .cameraStatus(fit)
        case .statusLacking: .cameraStatus(lacking)
        case .statusUnfit: .cameraStatus(unfit)
        case .refused: .cameraRefused(.unpaired)
        case .inUse: .cameraRefused(.inUse)
        case .lost: .cameraLost(.closedByCamera)
        case .disconnected: .cameraDisconnected
        case .wanted: .cameraNeeded
        case .called: .cameraChosen
        case .released: .cameraReleased
        case .networkLeft: .networkLeft(.noRoute)
        case .networkBack: .networkBack
        case .stop: .stop
        }
    }

    // MARK: Guards

    func mayTryAgain(_ refusal: Refusal) -> Bool { refusal == .inUse || oracle.ask("others can still be called") }
    func isWanted(_ identity: CameraIdentity) -> Bool { identity == Self.wanted }
    func hadSession() -> Bool { notes.hadSession }
    func isModeRight() -> Bool { notes.isFit }
    func isModeStillRight(_ status: CameraStatus) -> Bool { status.mode == .manual }

    // MARK: Delays

    func connectDeadline() -> Duration { .seconds(1) }
    func reconnectDelay() -> Duration { .seconds(1) }
    func backoffDelay() -> Duration { .seconds(1) }
    func disconnectDeadline() -> Duration { .seconds(1) }

    // MARK: Actions

    mutating func requestAddress(_ effects: inout [Effect]) {}
    mutating func beginSearch(_ effects: inout [Effect]) {}
    mutating func endSearch(_ effects: inout [Effect]) {}
    mutating func startSearchOver(_ effects: inout [Effect]) {}
    mutating func noteOtherCamera(_ identity: CameraIdentity, _ effects: inout [Effect]) {}
    mutating func adoptAddress(_ offer: CameraOffer, _ effects: inout [Effect]) {}
    mutating func noteRefusal(_ refusal: Refusal, _ effects: inout [Effect]) {}
    mutating func noteReturn(_ effects: inout [Effect]) {}
    mutating func countFailure(_ effects: inout [Effect]) {}
    // The real chart announces the sentence only if it differs from the previous one. Here it may differ each time.
    mutating func explainMode(_ effects: inout [Effect]) { if !notes.isFit { effects.append(.unfit) } }
    mutating func reportStopped(_ effects: inout [Effect]) {}
    mutating func adoptIdentity(_ identity: CameraIdentity, _ effects: inout [Effect]) { notes.hadSession = true }
    mutating func announceLoss(_ reason: LossReason, _ effects: inout [Effect]) { effects.append(.gone) }
    mutating func announceRelease(_ effects: inout [Effect]) { effects.append(.gone) }

    mutating func adoptOpenedCamera(_ meeting: OpenedCamera, _ effects: inout [Effect]) {
        notes.hadSession = true
        notes.isFit = meeting.status == Self.fit
    }

    mutating func openSession(_ effects: inout [Effect]) {
        notes = Notes()
        effects.append(.connect)
    }

    mutating func adoptStatus(_ status: CameraStatus, _ effects: inout [Effect]) { notes.isFit = status == Self.fit }

    // Only a connected camera's status is read, so the last status of a lost camera does not distinguish situations.

    mutating func noteLoss(_ reason: LossReason, _ effects: inout [Effect]) { notes.isFit = false }
    mutating func noteDeparture(_ departure: NetworkDeparture, _ effects: inout [Effect]) { notes.isFit = false }

    mutating func abandonSession(_ effects: inout [Effect]) {
        notes.isFit = false
        effects.append(.abandon)
    }

    mutating func closeSession(_ effects: inout [Effect]) {
        notes.isFit = false
        effects.append(.disconnect)
    }

    mutating func announceReady(_ effects: inout [Effect]) {
        if !notes.isFit { oracle.fault("a camera is announced that is not fit") }
        effects.append(.ready)
    }
}
