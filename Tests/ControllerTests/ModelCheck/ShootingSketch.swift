import Cameras
import Exposure
import Statecharts

@testable import Controller

/// The shooting chart with little data. It knows only whether frames are missing, and only whether a busy camera may be
/// asked again.
///
/// The sketch is sound: each real shoot is among those that the oracle's answers and the order of events produce. After
/// each picture, frames may be missing or not, so plans of every length are covered. A guard that counts may hold or
/// not at each call, and a picture may be suspect at any time. Guards that ask about the same fact share one note,
/// because contradictory answers would lead to impossible situations.
struct ShootingSketch: ChartSketch, ShootingBehavior {
    /// The additional events of the world. An operation without such events succeeds at once.
    struct Extent: OptionSet {
        let rawValue: Int
        /// The disk is slow or fails. The ledger is required; a best-effort ledger is like one that never refuses.
        static let disk = Extent(rawValue: 1)
        /// Pictures arrive, and suspects are fired again; users request frames again.
        static let again = Extent(rawValue: 2)
    }

    /// The known state of the present or the last frame.
    enum Attempt: Hashable {
        /// Nothing is known, or the frame was not exposed.
        case planned
        /// The record says that the frame is about to be fired.
        case armed
        case attempting
        case exposing
        /// The camera reported the picture. The picture's only copy will be on this computer, and is not stored yet.
        case exposed
        case captured
        case unknown
    }

    enum Wish: Hashable {
        case none
        /// The frame to fire again has no picture yet.
        case later
        case now
    }

    enum Writing: Hashable {
        case pending
        case refused
        case kept
    }

    struct Notes: Hashable {
        /// Whether no shoot was known before.
        var isNew = true
        var isMissing = false
        var attempt = Attempt.planned
        /// Whether the present frame already has a picture.
        var isAgain = false
        /// Whether the shutter was released once.
        var wasReleased = false
        var wish = Wish.none
        var isSetEnd = false
        var isComing = false
        var isSuspect = false
        /// Whether pictures without another copy were lost.
        var isLost = false
        /// Whether the last shoot ended with a cause.
        var hasFailed = false
        /// Whether there is no camera because the computer left the network.
        var isAway = false
        /// Whether the record that must be on disk before a change was stored, and the state of the last record.
        var isBeginKept = true
        var writing = Writing.kept
    }

    enum Effect: Hashable {
        case command(Question)
        case requestCamera
    }

    /// The present command to the driver.
    enum Question: Int {
        case setSpeed = 1
        case readSpeed
        case capture
        case awaitIdle
        case resolve
    }

    enum News: Int, CaseIterable {
        case start, retry, retryWithRedo, pause, resume, redo, cancel, dismiss
        case cameraReady, cameraLost, cameraNotReady, cameraStatus, networkLeft
        case speedAccepted, speedRight, speedWrong, shutterReleased, captured, saving, idle
        case fired, notFired, unresolved, busy, failed, speedChanged
        case pictureComing, pictureGone, pictureSuspect
        case keptBegin, kept, refused
        case recoveredShoot, recoveredNothing
    }

    var notes = Notes()
    let oracle: Oracle
    let extent: Extent

    init(_ oracle: Oracle, _ extent: Extent) {
        self.oracle = oracle
        self.extent = extent
    }

    private static let order: ShootOrder = {
        guard let request = try? PlanRequest() else { preconditionFailure("the defaults are no valid plan") }
        return ShootOrder(
            plan: Plan(request),
            camera: .unknown,
            began: .clock(.zero),
            request: RequestID(rawValue: 0),
            streams: false
        )
    }()

    private static func picture(_ content: PictureUpdate.Content) -> Shooting.Input {
        let (id, shot) = (PictureID(rawValue: 0), Ticket(rawValue: 0))
        return .picture(PictureUpdate(picture: id, shoot: 1, frame: 0, shot: shot, content: content))
    }

    static func input(_ news: News) -> Shooting.Input {
        switch news {
        case .start: .start(order)
        case .retry: .retry(RetryOrder(request: nil, streams: false))
        case .retryWithRedo: .retry(RetryOrder(request: nil, streams: false, withRedo: true))
        case .pause: .pause
        case .resume: .resume
        case .redo: .redo
        case .cancel: .cancel
        case .dismiss: .dismiss
        case .cameraReady: .cameraReady(ConnectionSketch.fit)
        case .cameraLost: .cameraLost(.released)
        case .cameraNotReady: .cameraNotReady("")
        case .cameraStatus: .cameraStatus(ConnectionSketch.fit)
        case .networkLeft: .networkLeft(.noRoute)
        case .speedAccepted: .cameraSpeedAccepted
        case .speedRight: .cameraSpeedRead(.speed(.fastest))
        case .speedWrong: .cameraSpeedRead(.speed(.slowest))
        case .shutterReleased: .cameraShutterReleased
        case .captured: .cameraCaptured
        case .saving: .cameraSaving
        case .idle: .cameraIdle
        case .fired: .cameraResolved(.fired)
        case .notFired: .cameraResolved(.notFired)
        case .unresolved: .cameraResolved(.unknown)
        case .busy: .cameraBusy
        case .failed: .cameraFailed(.focusFailed)
        case .speedChanged: .cameraFailed(.speedChanged(found: .speed(.slowest)))
        case .pictureComing: picture(.coming(byteCount: nil))
        case .pictureGone: picture(.gone(""))
        case .pictureSuspect: picture(.checked(.suspect(.silent)))
        case .keptBegin: .record(.kept(upTo: 1))
        case .kept: .record(.kept(upTo: 2))
        case .refused: .record(.refused(upTo: 2, sentence: ""))
        case .recoveredShoot: .recovered(Recovery(lastShoot: 1, shoot: nil))
        case .recoveredNothing: .recovered(Recovery(lastShoot: 0, shoot: nil))
        }
    }

    // MARK: Guards

    func hasUnfinishedShoot(_ recovery: Recovery) -> Bool { notes.isNew && recovery.lastShoot > 0 }

    func mayRetry(_ order: RetryOrder) -> Bool {
        notes.isMissing || notes.isLost || notes.hasFailed || isRedoWanted() || order.withRedo && mayRedo()
    }

    func mayRedo() -> Bool { notes.wasReleased && notes.wish == .none }
    func isPlanDone() -> Bool { !notes.isLost && isRestFired }
    func areMissingFramesLost() -> Bool { notes.isLost && isRestFired }
    private var isRestFired: Bool { !notes.isMissing && !isRedoWanted() && !isVerdictAwaited() }
    func hasEveryFrame() -> Bool { !notes.isMissing && !notes.isLost && !isRedoWanted() }
    /// The plans of the model have their range. `RangeFindingTests` checks brackets that find theirs.
    func isChoiceAwaited() -> Bool { false }
    func isPictureExpected() -> Bool { notes.attempt == .exposed }
    func isPictureStored() -> Bool { oracle.ask("the picture is stored") }
    func isPictureLost() -> Bool { oracle.ask("the picture is lost") }
    func hasEveryPicture() -> Bool { !notes.hasFailed && hasEveryFrame() }
    func isVerdictAwaited() -> Bool { notes.isComing && notes.isSetEnd }
    func isRedoWanted() -> Bool { notes.wish == .now || notes.isSuspect && notes.isSetEnd }
    func isNextInDoubt() -> Bool {
        notes.isMissing && (notes.attempt == .unknown || notes.attempt == .exposed) && !notes.isAgain
    }

    func isShootUnrecorded() -> Bool { !notes.isBeginKept }
    func isRecorded() -> Bool { notes.writing == .kept }
    func isRecordRefused() -> Bool { notes.writing == .refused }
    func isAway() -> Bool { notes.isAway }
    func mayAskAgain() -> Bool { oracle.ask("the camera may be asked again") }
    func maySetAgain() -> Bool { oracle.ask("the speed may be set again") }
    func speedMatches(_ reading: SpeedReading) -> Bool { reading == .speed(.fastest) }
    func mayRelease(_ reading: SpeedReading) -> Bool { speedMatches(reading) && isRecorded() }

    func speedChangedAndMaySetAgain(_ failure: CameraFailure) -> Bool {
        guard case .speedChanged = failure else { return false }
        return maySetAgain()
    }

    func isExposureLonger(_ status: CameraStatus) -> Bool { oracle.ask("the exposure is longer") }

    func didFire(_ resolution: CaptureResolution) -> Bool {
        notes.attempt == .exposed ? oracle.ask("the picture came") : resolution == .fired
    }
    func didNotFire(_ resolution: CaptureResolution) -> Bool { resolution == .notFired && notes.attempt != .exposed }

    // MARK: Delays

    func speedDeadline() -> Duration { .seconds(1) }
    func confirmDeadline() -> Duration { .seconds(1) }
    func captureDeadline() -> Duration { .seconds(1) }
    func idleLimit() -> Duration { .seconds(1) }
    func doubtDeadline() -> Duration { .seconds(1) }
    func verdictDeadline() -> Duration { .seconds(1) }
    func busyDelay() -> Duration { .seconds(1) }
    func recordDeadline() -> Duration { .seconds(1) }

    // MARK: Actions of a shoot's beginning and end

    mutating func adoptPlan(_ order: ShootOrder, _ effects: inout [Effect]) {
        notes = Notes(isNew: false, isMissing: true, isAway: notes.isAway)
        beginRecord()
    }

    mutating func adoptMissingFrames(_ order: RetryOrder, _ effects: inout [Effect]) {
        if !mayRetry(order) { oracle.fault("a shoot without missing frames continues") }
        notes.hasFailed = false
        if notes.isLost { notes.isMissing = true }
        notes.isLost = false
        if order.withRedo { want() }
        beginRecord()
    }

    mutating func refuseStart(_ order: ShootOrder, _ effects: inout [Effect]) { effects.append(.requestCamera) }

    mutating func forgetShoot(_ effects: inout [Effect]) { notes = Notes(isNew: false, isAway: notes.isAway) }

    mutating func adoptRecovery(_ recovery: Recovery, _ effects: inout [Effect]) {
        let isAdopted = hasUnfinishedShoot(recovery)
        if recovery.lastShoot > 0 { notes.isNew = false }
        guard isAdopted else { return }
        notes.isMissing = true
        notes.attempt = oracle.ask("the next frame may have been fired") ? .unknown : .planned
        guard extent.contains(.again), notes.attempt == .planned else { return }
        if oracle.ask("only pictures are missing") {
            notes.wasReleased = true
            notes.isMissing = false
            notes.isLost = true
            return
        }
        guard oracle.ask("a frame is to be fired again") else { return }
        notes.wasReleased = true
        notes.wish = .now
    }

    mutating func reportCompleted(_ effects: inout [Effect]) {
        if notes.isMissing || notes.isLost { oracle.fault("a shoot is completed that lacks a frame") }
        end()
    }

    mutating func reportPartial(_ effects: inout [Effect]) { end() }
    mutating func reportCancelled(_ effects: inout [Effect]) { end() }
    mutating func reportInterrupted(_ effects: inout [Effect]) {}

    // MARK: Actions of a frame

    mutating func selectNextFrame(_ effects: inout [Effect]) {
        if !notes.isMissing { oracle.fault("the next frame is fired though none is missing") }
        notes.isAgain = false
        notes.attempt = .planned
    }

    mutating func selectInDoubt(_ effects: inout [Effect]) {
        if !notes.isMissing { oracle.fault("the frame in doubt is fired though none is missing") }
    }

    mutating func selectRedo(_ effects: inout [Effect]) {
        if !isRedoWanted() { oracle.fault("a frame is fired again without a request") }
        if notes.wish != .now { notes.isSuspect = false }
        notes.isAgain = true
        notes.attempt = .planned
    }

    mutating func requestSpeed(_ effects: inout [Effect]) {
        if !extent.contains(.disk) || oracle.ask("the body was seen idle") { arm() }
        effects.append(.command(.setSpeed))
    }

    mutating func requestReading(_ effects: inout [Effect]) {
        if notes.attempt != .armed { arm() }
        effects.append(.command(.readSpeed))
    }

    mutating func noteReading(_ reading: SpeedReading, _ effects: inout [Effect]) {}

    mutating func releaseShutter(_ effects: inout [Effect]) {
        note(.attempting)
        notes.wasReleased = extent.contains(.again)
        effects.append(.command(.capture))
    }

    mutating func noteRelease(_ effects: inout [Effect]) { note(.exposing) }

    mutating func recordCaptured(_ effects: inout [Effect]) {
        let isExpected = notes.attempt == .exposed
        if isExpected || extent.contains(.again) && oracle.ask("the camera keeps no copy") {
            if !isExpected { note(.exposed) }
            return record()
        }
        note(.captured)
        leaveFrame()
    }

    mutating func recordStored(_ effects: inout [Effect]) {
        note(.captured)
        leaveFrame()
    }

    mutating func recordLost(_ effects: inout [Effect]) {
        // If the frame was fired again, its first picture still exists.
        if !notes.isAgain { notes.isLost = true }
        note(.captured)
        leaveFrame()
    }

    mutating func recordLate(_ effects: inout [Effect]) { recordLost(&effects) }

    /// Ends the work on the present frame.
    private mutating func leaveFrame() {
        record()
        if notes.isAgain {
            let isLast = notes.wish != .now || !oracle.ask("one more frame is to be fired again")
            if isLast { notes.wish = .none }
            return
        }
        notes.isMissing = oracle.ask("more frames are missing")
        let hasSets = notes.isMissing && extent.contains(.again)
        notes.isSetEnd = !notes.isMissing || hasSets && oracle.ask("the set is whole")
        if notes.wish == .later { notes.wish = .now }
    }

    mutating func requestChoice(_ effects: inout [Effect]) {}
    mutating func addFrame(_ frame: ChosenFrame, _ effects: inout [Effect]) { notes.isMissing = true }
    mutating func noteRange(_ range: FoundRange, _ effects: inout [Effect]) {}
    mutating func recordUnknownRange(_ reason: String, _ effects: inout [Effect]) { fail() }
    mutating func requestIdle(_ effects: inout [Effect]) { effects.append(.command(.awaitIdle)) }
    mutating func noteSaving(_ effects: inout [Effect]) {}
    mutating func finishFrame(_ effects: inout [Effect]) {}
    mutating func countBusy(_ effects: inout [Effect]) { note(.planned) }
    mutating func countSetting(_ effects: inout [Effect]) { note(.planned) }
    mutating func recordBusy(_ effects: inout [Effect]) { fail() }
    mutating func recordWrongSpeed(_ effects: inout [Effect]) { fail() }
    mutating func recordFailure(_ failure: CameraFailure, _ effects: inout [Effect]) { fail() }

    mutating func recordTimeout(_ effects: inout [Effect]) {
        if notes.attempt == .attempting { note(.unknown) }
        fail()
    }

    /// Withdraws a command that was requested and has not begun.
    mutating func withdraw(_ effects: inout [Effect]) {
        if notes.attempt == .armed { notes.attempt = .planned }
        effects.append(.command(.awaitIdle))
    }

    // MARK: Actions of doubt

    mutating func reportDoubt(_ effects: inout [Effect]) {
        if notes.attempt != .exposed { note(.unknown) }
        record()
    }

    mutating func noteUnclear(_ resolution: CaptureResolution, _ effects: inout [Effect]) {
        note(.unknown)
        record()
    }

    mutating func recordDoubt(_ effects: inout [Effect]) { notes.hasFailed = true }
    mutating func askWhetherFired(_ effects: inout [Effect]) { effects.append(.command(.resolve)) }

    mutating func fireAgain(_ effects: inout [Effect]) { planAgain() }
    mutating func replacePicture(_ resolution: CaptureResolution, _ effects: inout [Effect]) { planAgain() }
    mutating func noteNotFired(_ resolution: CaptureResolution, _ effects: inout [Effect]) { planAgain() }
    mutating func recordUnresolved(_ effects: inout [Effect]) { notes.hasFailed = !hasEveryFrame() }

    // MARK: Actions of pauses

    mutating func requestRedo(_ effects: inout [Effect]) {
        want()
        record()
    }

    mutating func continueWithoutVerdict(_ effects: inout [Effect]) { notes.isComing = false }
    mutating func requestRecord(_ effects: inout [Effect]) {}
    mutating func requestCamera(_ effects: inout [Effect]) { effects.append(.requestCamera) }
    mutating func reportPausedByCommand(_ effects: inout [Effect]) { record() }
    mutating func reportPausedByLoss(_ effects: inout [Effect]) { record() }
    mutating func reportPausedByNetwork(_ effects: inout [Effect]) { record() }
    mutating func reportPausedByCamera(_ effects: inout [Effect]) { record() }
    mutating func reportPausedByDisk(_ effects: inout [Effect]) {}
    mutating func reportRecorded(_ effects: inout [Effect]) {}
    mutating func reportResumed(_ effects: inout [Effect]) {}

    // MARK: Actions beside the shoot

    mutating func noteReturn(_ status: CameraStatus, _ effects: inout [Effect]) {}
    mutating func noteReady(_ status: CameraStatus, _ effects: inout [Effect]) {}
    mutating func adoptReadiness(_ status: CameraStatus, _ effects: inout [Effect]) { notes.isAway = false }
    mutating func adoptStatus(_ status: CameraStatus, _ effects: inout [Effect]) {}
    mutating func noteLoss(_ absence: Absence, _ effects: inout [Effect]) { notes.isAway = false }
    mutating func noteNotReady(_ sentence: String, _ effects: inout [Effect]) { notes.isAway = false }
    mutating func noteDeparture(_ departure: NetworkDeparture, _ effects: inout [Effect]) { notes.isAway = true }

    mutating func notePicture(_ news: PictureUpdate, _ effects: inout [Effect]) {
        switch news.content {
        case .coming: notes.isComing = true
        case .gone: notes.isComing = false
        case .checked:
            notes.isComing = false
            notes.isSuspect = true
        }
    }

    mutating func settlePicture(_ news: PictureUpdate, _ effects: inout [Effect]) {
        guard notes.isLost, case .checked = news.content else { return }
        notes.isLost = oracle.ask("more pictures are lost")
        if !notes.isLost, oracle.ask("the late picture fits the plan") { notes.isSuspect = false }
    }

    mutating func noteRecord(_ news: RecordUpdate, _ effects: inout [Effect]) {
        switch news {
        case .kept(let mark):
            notes.isBeginKept = true
            if mark > 1 { notes.writing = .kept }
        case .refused:
            if notes.writing == .pending { notes.writing = .refused }
        }
    }
}

extension ShootingSketch {
    private mutating func beginRecord() {
        record()
        notes.isBeginKept = !extent.contains(.disk)
    }

    private mutating func record() {
        if extent.contains(.disk) { notes.writing = .pending }
    }

    private mutating func planAgain() {
        // A suspect frame is fired again only once.
        if notes.isAgain, notes.wish != .now { return }
        note(.planned)
    }

    private mutating func note(_ attempt: Attempt) {
        if notes.attempt == .captured { oracle.fault("a captured frame becomes \(attempt)") }
        notes.attempt = attempt
    }

    private mutating func arm() {
        note(.armed)
        record()
    }

    private mutating func want() {
        switch notes.attempt {
        case .attempting, .exposing, .exposed, .unknown: notes.wish = notes.isAgain ? .now : .later
        case .planned, .armed:
            let isOfWork = notes.isMissing && !notes.isAgain && oracle.ask("the last frame released is the present one")
            notes.wish = isOfWork ? .later : .now
        case .captured: notes.wish = .now
        }
    }

    private mutating func fail() {
        switch notes.attempt {
        case .exposing: notes.attempt = .unknown
        case .planned, .armed, .attempting: notes.attempt = .planned
        case .captured, .exposed, .unknown: break
        }
        notes.hasFailed = true
    }

    /// Resets the values that the next shoot resets, so that they do not distinguish situations: the records, and the
    /// state of the present frame. Whether that frame may have been fired is kept.
    private mutating func end() {
        notes.isBeginKept = true
        notes.writing = .kept
        if notes.attempt != .unknown && notes.attempt != .exposed || notes.isAgain { notes.attempt = .planned }
        notes.isAgain = false
    }
}
