import Cameras
import Exposure
import Statecharts

/// What the shooting chart asks for.
package enum ShootingEffect: Equatable, Sendable {
    case camera(CameraCommand)
    /// The order was taken; from now on the client hears of the shoot's progress.
    case accepted(RequestID, streams: Bool)
    /// There is no camera to shoot with; the client is to hear why.
    case refusedWithoutCamera(RequestID)
    /// Somebody waits for the camera: one that refused us is to be asked again.
    case wantCamera
    /// How the shoot stands now is to be kept, under this number; see ``RecordOrder``.
    case record(mark: Int, isDurable: Bool)
    /// Somebody waits for the disk: it is to be tried again.
    case wantRecord
    case report(JournalEntry)
}

/// Who commands a pause.
package enum PauseCommander: Hashable, Sendable {
    case person
    /// The daemon is to end.
    case stop
}

/// The data behind `shooting.scxml`. What is going on is in the chart; here is only what it is about.
package struct ShootingModel: Equatable, Sendable {
    /// The last shoot, until it is dismissed or another begins.
    package private(set) var shoot: Shoot?
    /// How the camera said it stands.
    package private(set) var camera: CameraStatus?
    package private(set) var lastShootID = 0
    private var busyCount = 0
    private var settingCount = 0
    private var lastReading: SpeedReading?
    /// The speed of the last frame that came as far as the shutter.
    private var confirmedSpeed: ShutterSpeed?
    private var interruption = ""
    /// How the camera's network was left, while that is why there is no camera.
    private var departure: NetworkDeparture?
    /// Whether a frame whose picture does not fit the plan is fired again.
    /// The configuration says so, and may say another thing meanwhile.
    package var firesSuspectsAgain: Bool
    /// Who has the shoot pause at the frame's end.
    package var pauseCommander = PauseCommander.person
    /// Whether frames are fired that cannot be recorded.
    private let firesUnrecorded: Bool
    /// The last order to keep something, and the one without which nothing of the shoot may be changed.
    private var lastMark = 0
    private var beginMark = 0
    /// What is on disk, and what will not be soon.
    private var keptMark = 0
    private var refusedMark = 0
    private var refusal = ""
    private var releaseCount = ReleaseCount.none
    /// Whether the body was seen idle since it was connected: no picture of an earlier frame stands in its buffer.
    private var wasSeenIdle = false
    /// The pictures of this shoot that are on their way, with what they weigh.
    private var coming: [PictureID: ComingPicture] = [:]
    /// What became of the files of each frame, by its index.
    private var files: [Int: FrameFiles] = [:]
    /// Whether pictures are taken over at all.
    private let keepsPictures: Bool

    /// The camera is asked this often before its being busy ends the shoot.
    package static let busyAttemptsMax = 3
    /// The speed is set this often before a camera that keeps another one ends the shoot.
    package static let settingAttemptsMax = 3
    /// From here on a body with noise reduction takes a dark frame as long as the exposure. Which exposures get one is
    /// a setting of the body and not told on the wire; one second is what most do, so that is assumed.
    package static let noiseReductionFrom = Duration.seconds(1)
    /// A slow link carries half a megabyte a second.
    private static let bytesPerMillisecond: Int64 = 500
    /// A picture whose length the body does not tell.
    private static let byteCountAssumed: UInt64 = 30_000_000
    /// Longer ones are not waited for any longer, whatever the body says.
    private static let byteCountMax: UInt64 = 150_000_000

    package init(firesSuspectsAgain: Bool = false, firesUnrecorded: Bool = false, keepsPictures: Bool = false) {
        self.firesSuspectsAgain = firesSuspectsAgain
        self.firesUnrecorded = firesUnrecorded
        self.keepsPictures = keepsPictures
    }

    /// What the camera said of its shots left when the shutter was released last.
    private enum ReleaseCount: Equatable {
        case none
        case left(Int)
        /// It did not say, or whether it fired is not known.
        case unclear
    }

    /// A picture on its way.
    private struct ComingPicture: Equatable {
        var frame: Int
        /// Nil: the camera does not say.
        var byteCount: UInt64?
    }

    /// How many pictures of the shoot are on their way.
    var comingCount: Int { coming.count }

    /// What interrupted the shoot last, in a sentence.
    package var interruptionSentence: String { interruption }

    /// The speed of the frame in work.
    private var speed: ShutterSpeed {
        guard let speed = shoot?.frame?.speed else { preconditionFailure("no frame is in work") }
        return speed
    }

    /// How long the exposure may be: as planned, or as long as the speed that the body shows.
    private var exposureMax: Duration {
        guard case .speed(let shown)? = camera?.speed else { return speed.exposureTime }
        return max(speed.exposureTime, shown.exposureTime)
    }

    /// How long the body may be occupied with the exposure: with the dark frame, where it may take one.
    private var occupied: Duration {
        let exposure = exposureMax
        let mayReduceNoise = camera?.noiseReduction != .off && exposure >= Self.noiseReductionFrom
        return mayReduceNoise ? exposure * 2 : exposure
    }

    /// The farthest that the speed of the frame in work may be from the body's present one. What the body said of that
    /// last may be older than the last frame; if it said nothing, it may stand anywhere.
    private var notchesMax: Int {
        var known = [confirmedSpeed].compactMap(\.self)
        for reading in [camera?.speed, lastReading].compactMap(\.self) {
            if case .speed(let speed) = reading { known.append(speed) } else { known += [.fastest, .slowest] }
        }
        if known.isEmpty { known = [.fastest, .slowest] }
        return known.map { abs($0.thirds(to: speed)) }.max() ?? 0
    }

    /// Whether a picture that the body takes now is kept on this computer and nowhere else.
    private var isOnlyCopyHere: Bool { keepsPictures && camera?.savesToHostAlone == true }

    /// How the picture of the frame in work stands.
    private var standing: FrameFiles.Standing { standing(of: shoot?.current) }

    private func standing(of frame: Int?) -> FrameFiles.Standing {
        var frameFiles = frame.flatMap { files[$0] } ?? FrameFiles(kinds: nil)
        frameFiles.kinds = frameFiles.kinds ?? camera?.fileKinds
        return frameFiles.standing
    }

    private mutating func begin(_ shoot: Shoot) {
        if shoot.id != self.shoot?.id { forgetPictures() }
        self.shoot = shoot
        busyCount = 0
        settingCount = 0
        wasSeenIdle = false
        lastReading = nil
    }

    private mutating func forgetPictures() {
        coming.removeAll()
        files.removeAll()
    }

    private mutating func fail(_ cause: String) {
        shoot?.cause = cause
    }

    private var fields: [JournalEntry.Field] {
        guard let shoot else { return [] }
        var fields = [JournalEntry.Field("SHOOT", String(shoot.id))]
        if let frame = shoot.frame {
            fields.append(.init("SET", String(frame.position.set)))
            fields.append(.init("FRAME", String(frame.position.frame)))
            fields.append(.init("SPEED", frame.speed.label))
        }
        fields.append(.init("CAPTURED", String(shoot.captured)))
        fields.append(.init("TOTAL", String(shoot.total)))
        return fields
    }

    private func entry(
        _ level: JournalEntry.Level,
        _ kind: JournalEntry.Kind,
        _ message: String,
        _ more: JournalEntry.Field...
    ) -> ShootingEffect {
        .report(JournalEntry(level: level, kind: kind, message: message, fields: fields + more))
    }
}

// Only what the chart names stands here; a test compares the two.
extension ShootingModel: ShootingBehavior {
    package typealias Effect = ShootingEffect

    // MARK: Guards

    package func isPlanDone() -> Bool {
        guard let shoot else { preconditionFailure("no shoot") }
        return shoot.isDone && !isAgainWanted() && !isVerdictAwaited()
    }

    /// Nothing of it is left to be fired; what its last pictures show may be on its way.
    package func isWhole() -> Bool {
        guard let shoot else { preconditionFailure("no shoot") }
        return shoot.isDone && !isAgainWanted()
    }

    /// The pictures of a set are waited for, and once its suspects were fired again theirs.
    package func isVerdictAwaited() -> Bool {
        guard firesSuspectsAgain, let shoot, shoot.isAtSetEnd else { return false }
        return coming.values.contains { !shoot.wasFiredAgain($0.frame) } || !shoot.isSuspectLeft && !coming.isEmpty
    }

    package func isAgainWanted() -> Bool {
        shoot.map { isAgainWanted(of: $0) } ?? false
    }

    package func isShootLeft(_ recovery: Recovery) -> Bool {
        // A shoot that this run fired without a ledger stands before what an earlier one left.
        lastShootID == 0 && isAnythingMissing(recovery)
    }

    package func mayRetry(_ order: RetryOrder) -> Bool {
        guard let shoot = order.shoot ?? shoot else { return false }
        // One that has every frame and ended early all the same is completed by it.
        return !shoot.isDone || shoot.cause != nil || isAgainWanted(of: shoot) || order.withRedo && shoot.mayWantAgain
    }

    package func mayRedo() -> Bool { shoot?.mayWantAgain ?? false }

    package func isShootUnrecorded() -> Bool { !isSettled(beginMark) }

    package func isRecorded() -> Bool { isSettled(lastMark) }

    package func isRecordRefused() -> Bool { !isRecorded() && lastMark <= refusedMark }

    package func isNextInDoubt() -> Bool { shoot?.isNextInDoubt ?? false }

    package func isRestLost() -> Bool {
        guard let shoot else { preconditionFailure("no shoot") }
        return shoot.isRestLost && !isAgainWanted() && !isVerdictAwaited()
    }

    package func isPictureOwed() -> Bool { shoot?.isPictureOwed ?? false }

    package func isPictureStored() -> Bool { standing == .stored }

    package func isPictureLost() -> Bool { if case .missing = standing { true } else { false } }

    /// Only pictures were missing when it ended early, and the last of them is stored now.
    package func isMended() -> Bool { shoot?.cause == nil && isWhole() }

    package func isAway() -> Bool { departure != nil }

    package func mayAskAgain() -> Bool { busyCount + 1 < Self.busyAttemptsMax }

    package func maySetAgain() -> Bool { settingCount + 1 < Self.settingAttemptsMax }

    package func speedMatches(_ reading: SpeedReading) -> Bool { reading == .speed(speed) }

    package func mayRelease(_ reading: SpeedReading) -> Bool { speedMatches(reading) && isRecorded() }

    package func speedChangedAndMaySetAgain(_ failure: CameraFailure) -> Bool {
        guard case .speedChanged = failure else { return false }
        return maySetAgain()
    }

    package func isExposureLonger(_ status: CameraStatus) -> Bool {
        guard case .speed(let shown)? = status.speed else { return false }
        return shown.exposureTime > exposureMax
    }

    /// Where the only copy is to be here, the camera has handed over all that it has of the frame by now: the picture
    /// itself says whether there is one.
    package func didFire(_ resolution: CaptureResolution) -> Bool {
        guard isOnlyCopyHere || isPictureOwed() else { return resolution == .fired }
        return !isPictureLost()
    }

    package func didNotFire(_ resolution: CaptureResolution) -> Bool {
        resolution == .notFired && !didFire(resolution) && !isPictureOwed()
    }

    // MARK: Delays

    /// The driver answers long before: it is the one that knows whether the body is silent (5 s), or busy without any
    /// file leaving its buffer (10 s). This only ends a driver's fault, and must outlast the emptying of a buffer: a
    /// body takes no speed while files stand there, and 200 MB over slow WiFi take a minute. A body that steps may need
    /// three rounds, for some skip notches (libgphoto2#775, #854), or take single notches only, at the pace of the
    /// slowest body known (0.7 s on an SLT-A58).
    package func speedDeadline() -> Duration {
        guard case .stepwise(let perNotch) = camera?.speedSetting else { return .seconds(120) }
        return .seconds(120) + max(perNotch * 3, .milliseconds(750)) * notchesMax
    }

    /// Bodies show a new speed within 0.1 to 0.8 s (Alpha Fairy's measurements); the rest is for the link.
    package func confirmDeadline() -> Duration { .seconds(3) }

    /// Focus up to 1 s, buttons, exposure and dark frame, and 2.5 to 4.5 s until the file is ready (VIEW), with room.
    package func captureDeadline() -> Duration { occupied + .seconds(15) }

    /// Longer than the driver bears a silent transfer (10 s, told of every 2 s): a dead link is lost, not failed.
    package func idleLimit() -> Duration { occupied + .seconds(15) }

    /// The exposure may have begun right before the link broke and still be going on.
    package func doubtDeadline() -> Duration { occupied + .seconds(20) }

    /// By what is on its way, at the rate of poor Wi-Fi; each picture also is synced and read. What does not come in
    /// this time is not waited for any more, and not lost.
    package func verdictDeadline() -> Duration {
        coming.values.reduce(Duration.seconds(5)) { sum, picture in
            let byteCount = min(picture.byteCount ?? Self.byteCountAssumed, Self.byteCountMax)
            return sum + .seconds(2) + .milliseconds(Int64(byteCount) / Self.bytesPerMillisecond)
        }
    }

    package func busyDelay() -> Duration { .milliseconds(250 << (busyCount - 1)) }

    /// A disk takes milliseconds; only a longer wait is worth the user's attention.
    package func recordPatience() -> Duration { .seconds(1) }

    // MARK: Actions

    package mutating func adoptPlan(_ order: ShootOrder, _ effects: inout [ShootingEffect]) {
        let dropped = shoot?.unfinished
        lastShootID += 1
        let trigger: ShootTrigger = order.request == .button ? .button : .client
        let next = Shoot(id: lastShootID, plan: order.plan, camera: order.camera, began: order.began, trigger: trigger)
        begin(next)
        effects.append(.accepted(order.request, streams: order.streams))
        record(isDurable: true, &effects)
        beginMark = lastMark
        var message = "Shoot \(lastShootID) begins: \(order.plan.frames.count) exposures."
        if let dropped {
            message +=
                " Shoot \(dropped.id) lacked \(dropped.missing) of \(dropped.total), which are not fired any more."
        }
        effects.append(entry(.notice, .shootStarted, message))
    }

    package mutating func adoptRest(_ order: RetryOrder, _ effects: inout [ShootingEffect]) {
        guard var shoot = order.shoot ?? shoot else { preconditionFailure("an unfinished shoot is kept") }
        shoot.cause = nil
        shoot.requestedStop = nil
        shoot.takeOver()
        shoot.planLost()
        if order.withRedo { shoot.wantAgain() }
        begin(shoot)
        if let request = order.request { effects.append(.accepted(request, streams: order.streams)) }
        record(isDurable: true, &effects)
        beginMark = lastMark
        let missing = shoot.total - shoot.captured
        let rest =
            if missing > 0 {
                "\(missing) of \(shoot.total) exposures are missing."
            } else if shoot.isWantedAgain {
                "a frame is fired again."
            } else {
                isAgainWanted() ? "suspect frames are fired again." : "nothing is missing."
            }
        effects.append(entry(.notice, .shootStarted, "Shoot \(shoot.id) goes on: \(rest)"))
    }

    package mutating func refuseStart(_ order: ShootOrder, _ effects: inout [ShootingEffect]) {
        effects.append(.refusedWithoutCamera(order.request))
    }

    package mutating func forgetShoot(_ effects: inout [ShootingEffect]) {
        shoot = nil
        forgetPictures()
    }

    package mutating func adoptRecovery(_ recovery: Recovery, _ effects: inout [ShootingEffect]) {
        let isAdopted = isShootLeft(recovery)
        lastShootID = max(lastShootID, recovery.lastShoot)
        guard isAdopted, let shoot = recovery.shoot else { return }
        forgetPictures()
        self.shoot = shoot
        releaseCount = shoot.shotsLeftBefore.map { .left($0) } ?? .unclear
    }

    package mutating func takeNextFrame(_ effects: inout [ShootingEffect]) {
        take { $0.takeNext() }
        shoot?.note(.planned)
    }

    package mutating func takeAgain(_ effects: inout [ShootingEffect]) {
        if shoot?.isWantedAgain == true {
            take { $0.takeWanted() }
            effects.append(entry(.notice, .note, "The frame is fired again, as was asked for."))
        } else {
            take { $0.takeSuspect() }
            effects.append(entry(.notice, .note, "The frame is suspect and is fired again."))
        }
        guard let frame = shoot?.current else { return }
        files[frame] = FrameFiles(kinds: nil, after: files[frame].flatMap { $0.shot ?? $0.floor })
    }

    package mutating func wantAgain(_ effects: inout [ShootingEffect]) {
        shoot?.wantAgain()
        record(isDurable: true, &effects)
        effects.append(entry(.notice, .note, "The last frame is to be fired again."))
    }

    package mutating func noteRecord(_ news: RecordNews, _ effects: inout [ShootingEffect]) {
        switch news {
        case .kept(let mark): keptMark = max(keptMark, mark)
        case .refused(let mark, let sentence):
            refusedMark = max(refusedMark, mark)
            refusal = sentence
        }
    }

    package mutating func notePicture(_ news: PictureNews, _ effects: inout [ShootingEffect]) {
        guard let shoot, news.shoot == shoot.id else { return }
        switch news.content {
        case .coming(let byteCount):
            coming[news.picture] = ComingPicture(frame: news.frame, byteCount: byteCount)
            note(news)
        case .gone:
            coming[news.picture] = nil
            note(news)
        case .judged(let verdict):
            coming[news.picture] = nil
            note(news)
            self.shoot?.judge(news.frame, verdict, shot: news.shot)
            // A late one of a frame that is not in work any more, or was called lost.
            if news.frame != shoot.current || shoot.attempt?.isLost == true { settle(news.frame) }
        }
    }

    package mutating func settlePicture(_ news: PictureNews, _ effects: inout [ShootingEffect]) {
        if let shoot, news.shoot == shoot.id { settle(news.frame) }
    }

    package mutating func recordStored(_ effects: inout [ShootingEffect]) {
        shoot?.note(.captured)
        record(isDurable: false, &effects)
    }

    package mutating func recordLost(_ effects: inout [ShootingEffect]) {
        guard case .missing(let reason) = standing else { preconditionFailure("the chart asks isPictureLost first") }
        lose(reason, &effects)
    }

    package mutating func recordLate(_ effects: inout [ShootingEffect]) {
        lose("The disk did not store it in time.", &effects)
    }

    package mutating func goOn(_ effects: inout [ShootingEffect]) {
        let count = coming.count == 1 ? "A picture" : "\(coming.count) pictures"
        effects.append(entry(.warning, .note, "\(count) of the set did not come in time: the shoot goes on."))
        coming.removeAll()
    }

    package mutating func takeDoubtful(_ effects: inout [ShootingEffect]) {
        shoot?.takeNext()
        shoot?.noteDoubt(.interrupted)
        lastReading = nil
    }

    /// What was asked of the camera and is not begun shall not be done; what is begun is brought to its end.
    package mutating func withdraw(_ effects: inout [ShootingEffect]) {
        shoot?.disarm()
        effects.append(.camera(.awaitIdle))
    }

    package mutating func wantRecord(_ effects: inout [ShootingEffect]) {
        effects.append(.wantRecord)
    }

    package mutating func wantCamera(_ effects: inout [ShootingEffect]) {
        effects.append(.wantCamera)
    }

    package mutating func requestSpeed(_ effects: inout [ShootingEffect]) {
        // Meanwhile the disk writes: the shutter waits for it, the speed need not.
        if wasSeenIdle { arm(&effects) }
        effects.append(.camera(.setSpeed(speed)))
    }

    package mutating func requestReading(_ effects: inout [ShootingEffect]) {
        // A body takes a speed once its buffer is empty. Before, a picture there may be of an earlier frame, and must
        // not be taken for this one's by whoever finds this frame recorded.
        if shoot?.isArmed == false { arm(&effects) }
        effects.append(.camera(.readSpeed))
    }

    package mutating func noteReading(_ reading: SpeedReading, _ effects: inout [ShootingEffect]) {
        lastReading = reading
    }

    package mutating func releaseShutter(_ effects: inout [ShootingEffect]) {
        shoot?.note(.attempting)
        releaseCount = countAtRelease
        wasSeenIdle = false
        confirmedSpeed = speed
        if let frame = shoot?.current {
            files[frame] = FrameFiles(kinds: camera?.fileKinds, after: files[frame]?.floor)
        }
        effects.append(.camera(.capture(speed)))
    }

    package mutating func noteRelease(_ effects: inout [ShootingEffect]) {
        shoot?.note(.exposing)
        effects.append(entry(.debug, .note, "The camera took the shutter command."))
    }

    package mutating func recordCaptured(_ effects: inout [ShootingEffect]) {
        shoot?.resolveDoubt(.fired)
        let isOwed = isOnlyCopyHere || isPictureOwed()
        shoot?.note(isOwed ? .exposed : .captured)
        // The next frame's commit is durable, and this one with it: the act that depends on it is that frame.
        record(isDurable: false, &effects)
        effects.append(entry(.debug, .note, "The camera reports the picture."))
    }

    package mutating func requestIdle(_ effects: inout [ShootingEffect]) {
        effects.append(.camera(.awaitIdle))
    }

    package mutating func noteSaving(_ effects: inout [ShootingEffect]) {
        effects.append(entry(.debug, .note, "The camera is saving."))
    }

    package mutating func finishFrame(_ effects: inout [ShootingEffect]) {
        busyCount = 0
        settingCount = 0
        wasSeenIdle = true
    }

    package mutating func countBusy(_ effects: inout [ShootingEffect]) {
        busyCount += 1
        shoot?.note(.planned)
        effects.append(entry(.info, .note, "The camera is busy; asking again in \(TimeText.text(busyDelay()))."))
    }

    package mutating func countSetting(_ effects: inout [ShootingEffect]) {
        settingCount += 1
        shoot?.note(.planned)
        effects.append(
            entry(
                .warning,
                .note,
                "\(wrongSpeed) Setting it again, attempt \(settingCount + 1) of \(Self.settingAttemptsMax)."
            )
        )
    }

    package mutating func recordBusy(_ effects: inout [ShootingEffect]) {
        shoot?.giveUp()
        shoot?.noteDoubt(.noPicture)
        fail("The camera was busy \(Self.busyAttemptsMax) times in a row.")
    }

    package mutating func recordWrongSpeed(_ effects: inout [ShootingEffect]) {
        shoot?.giveUp()
        fail("\(wrongSpeed) It was set \(Self.settingAttemptsMax) times; nothing was fired at a wrong speed.")
    }

    package mutating func recordFailure(_ failure: CameraFailure, _ effects: inout [ShootingEffect]) {
        shoot?.giveUp()
        shoot?.noteDoubt(.noPicture)
        fail(isCardFull ? CameraFailure.storageFull.sentence : failure.sentence)
    }

    package mutating func recordTimeout(_ effects: inout [ShootingEffect]) {
        guard let attempt = shoot?.attempt else { preconditionFailure("no frame is in work") }
        // Even without the camera's word that it took the command: it may have.
        if attempt == .attempting { shoot?.note(.unknown) }
        shoot?.giveUp()
        shoot?.noteDoubt(.noPicture)
        if !attempt.isCaptured, !isPictureOwed(), isCardFull { return fail(CameraFailure.storageFull.sentence) }
        switch attempt {
        case .captured, .verified, .suspect, .exposed, .lost:
            fail("The camera took the picture and was not idle again within \(TimeText.text(idleLimit())).")
        case .attempting, .exposing, .unknown, .failed:
            fail("The camera reported no picture within \(TimeText.text(captureDeadline())) of the shutter command.")
        case .planned, .preparing:
            fail("The camera did not answer when the speed was set.")
        }
    }

    package mutating func noteLoss(_ absence: Absence, _ effects: inout [ShootingEffect]) {
        departure = nil
        switch absence {
        case .lost(let reason): interruption = reason.sentence
        case .released: interruption = "The camera was let go by command."
        }
    }

    package mutating func noteUnfit(_ sentence: String, _ effects: inout [ShootingEffect]) {
        departure = nil
        interruption = sentence
    }

    package mutating func noteDeparture(_ departure: NetworkDeparture, _ effects: inout [ShootingEffect]) {
        self.departure = departure
        interruption = departure.sentence
    }

    package mutating func reportDoubt(_ effects: inout [ShootingEffect]) {
        if !isPictureOwed() { shoot?.note(.unknown) }
        shoot?.noteDoubt(departure == nil ? .linkLost : .wifiSwitched)
        record(isDurable: false, &effects)
        effects.append(
            entry(
                .warning,
                .shutterInDoubt,
                "\(interruption) The shutter may have fired; the camera is asked when it is back.",
                .init("REASON", departure == nil ? "link-lost" : "wifi-switched")
            )
        )
    }

    package mutating func noteUnclear(_ resolution: CaptureResolution, _ effects: inout [ShootingEffect]) {
        shoot?.note(.unknown)
        shoot?.noteDoubt(.noPicture)
        // A file that came may be of the frame before.
        if let frame = shoot?.current {
            files[frame] = FrameFiles(kinds: nil, after: files[frame].flatMap { $0.shot ?? $0.floor })
        }
        record(isDurable: false, &effects)
        effects.append(
            entry(
                .warning,
                .shutterInDoubt,
                "The shutter may have fired. The camera's signs of a picture may belong to the frame before. "
                    + "The camera is asked.",
                .init("REASON", "no-picture")
            )
        )
    }

    package mutating func recordDoubt(_ effects: inout [ShootingEffect]) {
        fail("It was cancelled before the camera could be asked.")
    }

    package mutating func askWhetherFired(_ effects: inout [ShootingEffect]) {
        effects.append(.camera(.resolveCapture(shotsLeftBefore: shoot?.shotsLeftBefore)))
    }

    package mutating func fireAgain(_ effects: inout [ShootingEffect]) {
        shoot?.resolveDoubt(.unknown)
        let sign = isPictureOwed() ? "The camera no longer has its picture" : "No sign that the shutter fired"
        planAgain(sign, "the frame is fired again", &effects)
    }

    package mutating func replacePicture(_ resolution: CaptureResolution, _ effects: inout [ShootingEffect]) {
        guard resolution == .fired, !isPictureOwed() else { return fireAgain(&effects) }
        shoot?.resolveDoubt(.fired)
        planAgain("The shutter fired, and its picture did not come", "the frame is fired again", &effects)
    }

    package mutating func noteNotFired(_ resolution: CaptureResolution, _ effects: inout [ShootingEffect]) {
        shoot?.resolveDoubt(.notFired)
        planAgain("The shutter did not fire", "the frame is planned again", &effects)
    }

    package mutating func recordUntold(_ effects: inout [ShootingEffect]) {
        if isWhole() { return effects.append(staysSuspect("The shoot was cancelled")) }
        fail("It was cancelled before it was certain that its picture is kept.")
    }

    package mutating func reportPausedByCommand(_ effects: inout [ShootingEffect]) {
        record(isDurable: true, &effects)
        switch pauseCommander {
        case .person:
            shoot?.note(.paused, .command)
            effects.append(entry(.notice, .shootPaused, "Paused by command.", .init("REASON", "command")))
        case .stop:
            let message = "Paused, since the daemon is to stop."
            effects.append(entry(.notice, .shootPaused, message, .init("REASON", "stopping")))
        }
    }

    package mutating func reportPausedByLoss(_ effects: inout [ShootingEffect]) {
        shoot?.note(.paused, .linkLost)
        record(isDurable: true, &effects)
        effects.append(
            entry(
                .warning,
                .shootPaused,
                "Paused: \(interruption) Goes on by itself when the camera is back.",
                .init("REASON", "link-lost")
            )
        )
    }

    package mutating func reportPausedByNetwork(_ effects: inout [ShootingEffect]) {
        shoot?.note(.paused, .wifiSwitched)
        record(isDurable: true, &effects)
        effects.append(entry(.warning, .shootPaused, "Paused: \(interruption)", .init("REASON", "wifi-switched")))
    }

    package mutating func reportPausedByCamera(_ effects: inout [ShootingEffect]) {
        shoot?.note(.paused, .cameraNotFit)
        record(isDurable: true, &effects)
        effects.append(
            entry(
                .warning,
                .shootPaused,
                "Paused: \(interruption) The shoot continues by itself when the camera is set right.",
                .init("REASON", "camera-not-fit")
            )
        )
    }

    package mutating func reportResumed(_ effects: inout [ShootingEffect]) {
        effects.append(entry(.notice, .note, "Goes on by command."))
    }

    package mutating func reportPausedByDisk(_ effects: inout [ShootingEffect]) {
        shoot?.note(.paused, .notRecorded)
        effects.append(
            entry(
                .warning,
                .shootPaused,
                "Paused: \(refusal) Goes on by itself when the disk takes it.",
                .init("REASON", "not-recorded")
            )
        )
    }

    package mutating func reportRecorded(_ effects: inout [ShootingEffect]) {
        effects.append(entry(.notice, .note, "The ledger is written again: goes on."))
    }

    package mutating func reportInterrupted(_ effects: inout [ShootingEffect]) {
        effects.append(end(shoot?.left == .interrupted ? .warning : .notice, .shootInterrupted))
    }

    package mutating func noteReturn(_ status: CameraStatus, _ effects: inout [ShootingEffect]) {
        effects.append(entry(.notice, .note, "The camera is back: goes on."))
    }

    package mutating func noteFit(_ status: CameraStatus, _ effects: inout [ShootingEffect]) {
        effects.append(entry(.notice, .note, "The camera is set right: the shoot continues."))
    }

    package mutating func adoptReadiness(_ status: CameraStatus, _ effects: inout [ShootingEffect]) {
        camera = status
        wasSeenIdle = false
        departure = nil
    }

    package mutating func adoptStatus(_ status: CameraStatus, _ effects: inout [ShootingEffect]) {
        camera = status
        // A counter may lag behind its picture. Its row is written again without a sync, and nothing waits for it:
        // without the count a crash costs a doubled frame at most.
        guard shoot?.isArmed == true, shoot?.shotsLeftBefore == nil, let shotsLeft = certainShotsLeft else { return }
        shoot?.noteShotsLeft(shotsLeft)
        effects.append(.record(mark: lastMark, isDurable: false))
    }

    package mutating func reportCompleted(_ effects: inout [ShootingEffect]) {
        shoot?.takeOver()
        record(isDurable: true, &effects)
        effects.append(end(.notice, .shootCompleted))
    }

    package mutating func reportPartial(_ effects: inout [ShootingEffect]) {
        record(isDurable: true, &effects)
        effects.append(end(.warning, .shootPartial))
    }

    package mutating func reportCancelled(_ effects: inout [ShootingEffect]) {
        record(isDurable: true, &effects)
        effects.append(end(.notice, .shootCancelled))
    }
}

extension ShootingModel {
    /// Whether frames of the shoot that was left are to be fired.
    package func isAnythingMissing(_ recovery: Recovery) -> Bool {
        guard let shoot = recovery.shoot else { return false }
        return !shoot.isDone || shoot.isWantedAgain || firesSuspectsAgain && shoot.isSuspectLeft
    }

    private func isAgainWanted(of shoot: Shoot) -> Bool {
        shoot.isWantedAgain || firesSuspectsAgain && shoot.isAtSetEnd && shoot.isSuspectLeft
    }

    private mutating func note(_ news: PictureNews) {
        guard shoot?.outcomes.indices.contains(news.frame) == true else { return }
        var frameFiles = files[news.frame] ?? FrameFiles(kinds: nil)
        // A body with a wrong mode hands over what is left in its buffer before its status is adopted.
        frameFiles.kinds = frameFiles.kinds ?? camera?.fileKinds
        frameFiles.note(news)
        files[news.frame] = frameFiles
    }

    /// A frame without a picture counts as captured once all its files are stored.
    private mutating func settle(_ frame: Int) {
        // Without a status it is not known how many files a picture becomes.
        guard camera != nil, standing(of: frame) == .stored else { return }
        let isOnlyCopy = isOnlyCopyHere
        shoot?.settle(frame, isOnlyCopy: isOnlyCopy)
    }

    private mutating func lose(_ reason: String, _ effects: inout [ShootingEffect]) {
        guard let shoot, let frame = shoot.frame else { preconditionFailure("no frame is in work") }
        let sentence = shoot.isAgain ? frame.secondLossSentence(reason) : frame.lossSentence(reason)
        self.shoot?.note(.lost(reason))
        record(isDurable: false, &effects)
        effects.append(entry(shoot.isAgain ? .warning : .error, .note, sentence))
    }

    private func isSettled(_ mark: Int) -> Bool { mark <= keptMark || firesUnrecorded && mark <= refusedMark }

    private var isCardFull: Bool { camera?.shotsLeft == 0 }

    /// Why nothing can be recorded, in a sentence; what was said last.
    package var refusalSentence: String { refusal }

    /// What the camera said of its shots left, where the last frame is certain to be counted in it.
    private var certainShotsLeft: Int? {
        guard let left = camera?.shotsLeft else { return nil }
        return switch releaseCount {
        case .none: left
        case .left(let before): left < before ? left : nil
        case .unclear: nil
        }
    }

    /// What the camera has left now, less what it has not counted yet.
    private var countAtRelease: ReleaseCount {
        guard let left = camera?.shotsLeft else { return .unclear }
        guard case .left(let before) = releaseCount, left >= before else { return .left(left) }
        return .left(before - 1)
    }

    /// Turns to a frame. Tries are counted for each frame anew.
    private mutating func take(_ turn: (inout Shoot) -> Void) {
        guard var shoot else { preconditionFailure("no shoot") }
        turn(&shoot)
        if shoot.current != self.shoot?.current {
            busyCount = 0
            settingCount = 0
        }
        self.shoot = shoot
        lastReading = nil
    }

    private mutating func arm(_ effects: inout [ShootingEffect]) {
        let shotsLeft = certainShotsLeft
        shoot?.arm(shotsLeft: shotsLeft)
        record(isDurable: true, &effects)
    }

    /// The frame in doubt is to be fired, unless its picture exists already: it is fired again only once.
    private mutating func planAgain(_ reason: String, _ result: String, _ effects: inout [ShootingEffect]) {
        releaseCount = .unclear
        if shoot?.isAgain == true, shoot?.isWantedAgain == false { return effects.append(staysSuspect(reason)) }
        shoot?.note(.planned)
        effects.append(entry(.warning, .note, "\(reason): \(result)."))
    }

    private func staysSuspect(_ reason: String) -> ShootingEffect {
        entry(.warning, .note, "\(reason): the frame stays suspect.")
    }

    private mutating func record(isDurable: Bool, _ effects: inout [ShootingEffect]) {
        lastMark += 1
        effects.append(.record(mark: lastMark, isDurable: isDurable))
    }

    private var wrongSpeed: String {
        guard let lastReading else { return "The camera does not confirm \(speed.label)." }
        return "The camera reports \(lastReading) where \(speed.label) was set."
    }

    private func end(_ level: JournalEntry.Level, _ kind: JournalEntry.Kind) -> ShootingEffect {
        guard let shoot else { preconditionFailure("a shoot ends") }
        guard let remark = shoot.remark else { return entry(level, kind, shoot.sentence) }
        return entry(level, kind, "\(shoot.fullSentence) \(remark)")
    }
}
