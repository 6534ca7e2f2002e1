import Cameras
import Exposure
import Statecharts

/// The transfer of pictures. This part passes pictures to the host, and compares their EXIF data with the plan.
struct PictureIntake: Sendable {
    /// The chart of the transfer. The core starts and advances it as a row of `ChartEntry.charts`.
    var chart: ChartRun<TransferModel>
    var recent = RecentPictures()

    init(_ policy: TransferPolicy) {
        chart = ChartRun(TransferModel(policy))
    }

    /// The facts that this part reads about the shoot and the camera.
    struct Facts {
        /// The active shoot, or else the last one.
        var shoot: Shoot?
        /// Whether the shoot is over.
        var isOver = true
        var isPaused = false
        /// Whether the daemon has begun to stop.
        var isStopping = false
        /// The camera's status that the shoot received most recently.
        var status: CameraStatus?
        /// The id of the connected body; nil: no body is connected.
        var cameraID: String?
        var cameraName: String?
    }

    var policy: TransferPolicy { chart.machine.behavior.policy }

    // MARK: Messages

    /// Receives a message of the queue. The shooting chart has already received this message.
    mutating func receive(_ message: Message, _ facts: Facts, in turn: inout Turn) {
        guard case .picture(let news) = message, case .checked(let verdict) = news.content else { return }
        let isOfShoot = news.shoot == facts.shoot?.id
        if isOfShoot {
            orderCoverage(facts, in: &turn)
            writeManifest(facts, in: &turn)
        }
        // After the daemon has begun to stop, the shooting chart accepts no verdict.
        if !isOfShoot || facts.isStopping { amend(news, verdict, in: &turn) }
        // The row of a stored file does not wait for the next frame's commit, because an exposure can come before it.
        turn.send(.commit(mark: nil, isDurable: false))
    }

    mutating func receive(_ message: TurnMessage, _ facts: Facts, in turn: inout Turn) {
        switch message {
        case .commandGiven(.capture(let speed), let ticket, .shooting):
            recordShot(speed, ticket, facts, at: turn.now)
        case .cameraShows(.shutterReleased, let ticket?): recent.recordRelease(of: ticket, at: turn.now)
        case .sessionBegins: recent.forgetClock()
        case .pictureAction(let action, let id): handle(action, of: id, facts, in: &turn)
        case .shootOver:
            orderCoverage(facts, in: &turn)
            writeManifest(facts, in: &turn)
        case .shootRestored(let kept): recent.restore(kept)
        case .ledgerOpened(let contents): if let left = contents.unfinished { recent.restore(left) }
        default: break
        }
    }

    mutating func receive(_ request: Request, _ id: RequestID, _ facts: Facts, in turn: inout Turn) {
        let report = report(of: facts)
        guard request == .watchPhotos else { return turn.answer(id, .photos(report)) }
        let effects = report.photos.map { Effect.reply(id, .photo($0), continues: true) }
        turn.send(.subscribe(Subscription(id, to: .photos, effects: effects)))
    }

    /// Handles the host's report on the free space for pictures.
    mutating func receiveRoom(isThere: Bool, in turn: inout Turn) {
        deliver(isThere ? .roomFound : .roomMissing, in: &turn)
    }

    // MARK: The chart

    private mutating func deliver(_ input: Transfer.Input, in turn: inout Turn) {
        turn.perform(chart.handle(input, at: turn.now))
    }

    // MARK: From the camera

    /// Makes effects from a driver's action for a picture.
    private mutating func handle(_ action: PictureAction, of id: PictureID, _ facts: Facts, in turn: inout Turn) {
        switch action {
        case .begin(let info, let offset): begin(id, info, offset: offset, facts, in: &turn)
        case .bytes(let bytes):
            guard recent.incoming[id]?.phase == .receiving else { break }
            turn.append(.picture(id, .bytes(bytes)))
        case .end: end(id, in: &turn)
        case .interrupted: interrupt(id, in: &turn)
        case .abandoned: abandon(id, in: &turn)
        case .skipped(let info, let reason):
            var photo = recent.add(info, recent.frame(of: info.capture), .skipped)
            photo = recent.update(photo.id) { $0.reason = reason.sentence(of: info.kind) } ?? photo
            turn.send(.publish(.photo(photo), to: .photos))
        }
    }

    private mutating func begin(
        _ id: PictureID,
        _ info: PictureInfo,
        offset: UInt64,
        _ facts: Facts,
        in turn: inout Turn
    ) {
        let known = recent.incoming[id]
        if offset > 0, known == nil || known?.phase == .dropped { return }
        let frame = recent.frame(of: info.capture) ?? leftFrame(of: info, facts)
        let photo =
            known.flatMap { recent.update($0.photo) { $0.state = .receiving } }
            ?? recent.add(info, frame, .receiving)
        let picture = RecentPictures.Incoming(info: info, frame: frame, photo: photo.id, phase: .receiving)
        if let oldest = recent.receive(id, picture) { abandon(oldest, in: &turn) }
        let shoot = facts.shoot.flatMap { $0.id == frame?.shot.shoot ? $0 : nil }
        let destination = PictureDestination(
            shoot: frame?.shot.shoot,
            folder: shoot.map { recent.folder(of: $0) } ?? .new,
            set: frame?.position.set,
            nextSet: frame?.nextSet,
            name: info.name,
            kind: info.kind,
            byteCount: info.byteCount
        )
        turn.append(.picture(id, .begin(destination, offset: offset)))
        announce(id, picture, .coming(byteCount: info.byteCount), in: &turn)
        turn.send(.publish(.photo(photo), to: .photos))
    }

    /// The frame of an earlier run to which a picture in the camera's buffer belongs; nil: not known for certain.
    ///
    /// A body may transfer an old picture again. The frame's picture is newer than all other pictures of the shoot.
    private func leftFrame(of info: PictureInfo, _ facts: Facts) -> RecentPictures.FiredFrame? {
        guard info.wasLeft, let shoot = facts.shoot,
            let index = recent.leftFrame(of: shoot.id) ?? shoot.lastOpen,
            shoot.camera.id == facts.cameraID,
            recent.isNewest(info, of: shoot.id, index)
        else { return nil }
        var shot = Verification.Shot(ticket: Ticket(rawValue: 0), shoot: shoot.id, speed: .fastest, firedAt: .zero)
        shot.speed = shoot.plan.frames[index].speed
        return firedFrame(shot, index, of: shoot, wasLeft: true)
    }

    private func firedFrame(
        _ shot: Verification.Shot,
        _ index: Int,
        of shoot: Shoot,
        wasLeft: Bool
    ) -> RecentPictures.FiredFrame {
        let frames = shoot.plan.frames
        let next = frames.indices.contains(index + 1) ? frames[index + 1].position.setSharing(frames[index]) : nil
        return .init(shot: shot, index: index, position: frames[index].position, nextSet: next, wasLeft: wasLeft)
    }

    private mutating func end(_ id: PictureID, in turn: inout Turn) {
        switch recent.incoming[id]?.phase {
        case .receiving:
            recent.setPhase(.finishing, of: id)
            turn.append(.picture(id, .finish))
        case .dropped: recent.forget(id)
        case .interrupted, .finishing, nil: break
        }
    }

    private mutating func interrupt(_ id: PictureID, in turn: inout Turn) {
        guard let picture = recent.incoming[id], picture.phase == .receiving else { return }
        recent.setPhase(.interrupted, of: id)
        turn.append(.picture(id, .interrupt))
        announce(id, picture, .gone(PictureSentences.lostWithLink), in: &turn)
    }

    private mutating func abandon(_ id: PictureID, in turn: inout Turn) {
        guard let picture = recent.incoming[id], picture.phase != .finishing else { return }
        recent.forget(id)
        guard picture.phase != .dropped else { return }
        turn.append(.picture(id, .abandon))
        let reason = PictureSentences.incomplete
        announce(id, picture, .gone(reason), in: &turn)
        fail(picture, reason, in: &turn)
    }

    /// Reports to the shooting chart about a picture of a frame.
    private func announce(
        _ id: PictureID,
        _ picture: RecentPictures.Incoming,
        _ content: PictureUpdate.Content,
        in turn: inout Turn
    ) {
        guard let frame = picture.frame else { return }
        let news = PictureUpdate(
            picture: id,
            shoot: frame.shot.shoot,
            frame: frame.index,
            shot: frame.shot.ticket,
            name: picture.info.name,
            kind: picture.info.kind,
            content: content
        )
        turn.append(.enqueue(.picture(news)))
    }

    private mutating func fail(_ picture: RecentPictures.Incoming, _ reason: String, in turn: inout Turn) {
        change(picture, in: &turn) { photo in
            photo.state = .failed
            photo.reason = reason
        }
    }

    /// Changes the report on a picture, and sends the report to the clients that watch pictures.
    private mutating func change(
        _ picture: RecentPictures.Incoming,
        in turn: inout Turn,
        _ change: (inout PhotoReport) -> Void
    ) {
        if let photo = recent.update(picture.photo, change) { turn.send(.publish(.photo(photo), to: .photos)) }
    }

    // MARK: From the host

    /// Handles the result of storing a picture.
    mutating func handle(_ outcome: PictureOutcome, of id: PictureID, _ facts: Facts, in turn: inout Turn) {
        guard let picture = recent.incoming[id], picture.phase != .dropped else { return }
        switch outcome {
        case .stored(let stored):
            recent.forget(id)
            keep(stored, id, picture, in: &turn)
            deliver(.pictureStored, facts, in: &turn)
        case .failed(let reason, let isFull):
            let sentence = reason.hasSuffix(".") ? reason : reason + "."
            if picture.phase == .finishing { recent.forget(id) } else { recent.setPhase(.dropped, of: id) }
            announce(id, picture, .gone(sentence), in: &turn)
            fail(picture, sentence, in: &turn)
            deliver(isFull ? .diskFull(sentence) : .pictureFailed(sentence), facts, in: &turn)
        }
    }

    /// A daemon that stops transfers no other picture, so its chart does not check the disk.
    private mutating func deliver(_ result: Transfer.Input, _ facts: Facts, in turn: inout Turn) {
        if !facts.isStopping { deliver(result, in: &turn) }
    }

    private mutating func keep(
        _ stored: StoredPicture,
        _ id: PictureID,
        _ picture: RecentPictures.Incoming,
        in turn: inout Turn
    ) {
        var verdict = Verdict.none
        var frame = picture.frame
        if let fired = frame {
            verdict = recent.verify(stored.metadata, picture.info.kind, of: fired)
            if fired.wasLeft, case .suspect = verdict {
                // The user took this picture after the frame, so the picture belongs to no frame.
                announce(id, picture, .gone(PictureSentences.ofAnotherFrame), in: &turn)
                (frame, verdict) = (nil, .none)
            } else {
                let file = Manifest.File(path: stored.path, byteCount: stored.byteCount, metadata: stored.metadata)
                recent.keep(file, picture.info, of: fired)
                announce(id, picture, .checked(verdict), in: &turn)
            }
        }
        change(picture, in: &turn) { photo in
            photo.path = stored.path
            photo.byteCount = stored.byteCount
            photo.state = verdict.photoState
            photo.reason = verdict.doubt?.sentence ?? photo.reason
        }
        if let frame, let doubt = verdict.doubt {
            turn.append(.journal(.suspect(frame, doubt, path: stored.path)))
        }
    }

    /// Stores the data of a shutter command for the comparison with the next picture.
    private mutating func recordShot(_ speed: ShutterSpeed, _ ticket: Ticket, _ facts: Facts, at now: Duration) {
        guard let shoot = facts.shoot, let index = shoot.current else { return }
        let shot = Verification.Shot(
            ticket: ticket,
            shoot: shoot.id,
            speed: speed,
            firedAt: now,
            camera: facts.status
        )
        recent.record(firedFrame(shot, index, of: shoot, wasLeft: false))
    }

    // MARK: Manifests

    mutating func writeManifest(_ facts: Facts, in turn: inout Turn) {
        if let manifest = manifest(facts) { write(manifest, in: &turn) }
    }

    /// Records a file and its verification result for a frame that the shooting chart does not record.
    private mutating func amend(_ news: PictureUpdate, _ verdict: Verdict, in turn: inout Turn) {
        let files = recent.files(of: news.shoot, news.frame).map(\.path)
        turn.send(.keep(.verdict(verdict, FrameKey(shoot: news.shoot, index: news.frame), files: files)))
        if let manifest = amendedManifest(news, verdict) { write(manifest, in: &turn) }
    }

    private mutating func write(_ manifest: Manifest, in turn: inout Turn) {
        if recent.isNews(manifest) { turn.append(.manifest(manifest)) }
    }
}

extension FramePosition {
    /// The set of this frame, if the previous frame is also the first frame of this set; nil: it is not.
    fileprivate func setSharing(_ before: PlannedFrame) -> Int? {
        set != before.position.set && frame > 1 ? set : nil
    }
}
