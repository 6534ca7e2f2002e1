import Cameras
import Exposure
import Statecharts

// Pictures: what the camera hands over goes to the host; what became of it goes to the charts and to people.

extension Core {
    // MARK: From the camera

    /// The driver's word about a picture, made an effect.
    mutating func handle(_ action: PictureAction, of id: PictureID, in turn: inout Turn) {
        switch action {
        case .begin(let info, let offset): begin(id, info, offset: offset, in: &turn)
        case .bytes(let bytes):
            guard pictures.incoming[id]?.phase == .receiving else { break }
            turn.append(.picture(id, .bytes(bytes)))
        case .end: end(id, in: &turn)
        case .interrupted: interrupt(id, in: &turn)
        case .abandoned: abandon(id, in: &turn)
        case .skipped(let info, let reason):
            var photo = pictures.add(info, pictures.frame(of: info.capture), .skipped)
            photo = pictures.update(photo.id) { $0.reason = reason.sentence(of: info.kind) } ?? photo
            tell(photo, in: &turn)
        }
    }

    private mutating func begin(_ id: PictureID, _ info: PictureInfo, offset: UInt64, in turn: inout Turn) {
        let known = pictures.incoming[id]
        if offset > 0, known == nil || known?.phase == .dropped { return }
        let frame = pictures.frame(of: info.capture) ?? leftFrame(of: info)
        let photo =
            known.flatMap { pictures.update($0.photo) { $0.state = .receiving } }
            ?? pictures.add(info, frame, .receiving)
        let picture = PictureBook.Incoming(info: info, frame: frame, photo: photo.id, phase: .receiving)
        if let oldest = pictures.receive(id, picture) { abandon(oldest, in: &turn) }
        let destination = PictureDestination(
            shoot: frame?.shot.shoot,
            folder: folder(ofShoot: frame?.shot.shoot),
            set: frame?.position.set,
            nextSet: frame?.nextSet,
            name: info.name,
            kind: info.kind,
            byteCount: info.byteCount
        )
        turn.append(.picture(id, .begin(destination, offset: offset)))
        announce(id, picture, .coming(byteCount: info.byteCount), in: &turn)
        tell(photo, in: &turn)
    }

    private func folder(ofShoot id: Int?) -> ShootFolder {
        guard let shoot = shooting.machine.behavior.shoot, shoot.id == id else { return .new }
        return pictures.folder(of: shoot)
    }

    /// The frame of an earlier run that a picture is of which the camera kept in its buffer; nil: none is for certain.
    /// A body may hand over an old picture again: the frame's own is newer than every other one of the shoot.
    private func leftFrame(of info: PictureInfo) -> PictureBook.FiredFrame? {
        guard info.wasLeft, let shoot = shooting.machine.behavior.shoot,
            let index = pictures.leftFrame(of: shoot.id) ?? shoot.lastOpen,
            shoot.camera.id == connection.machine.behavior.identity?.id,
            pictures.isNewest(info, of: shoot.id, index)
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
    ) -> PictureBook.FiredFrame {
        let frames = shoot.plan.frames
        let next = frames.indices.contains(index + 1) ? frames[index + 1].position.setSharing(frames[index]) : nil
        return .init(shot: shot, index: index, position: frames[index].position, nextSet: next, wasLeft: wasLeft)
    }

    private mutating func end(_ id: PictureID, in turn: inout Turn) {
        switch pictures.incoming[id]?.phase {
        case .receiving:
            pictures.setPhase(.finishing, of: id)
            turn.append(.picture(id, .finish))
        case .dropped: pictures.forget(id)
        case .interrupted, .finishing, nil: break
        }
    }

    private mutating func interrupt(_ id: PictureID, in turn: inout Turn) {
        guard let picture = pictures.incoming[id], picture.phase == .receiving else { return }
        pictures.setPhase(.interrupted, of: id)
        turn.append(.picture(id, .interrupt))
        announce(id, picture, .gone("The link broke on its way, and the camera no longer had it."), in: &turn)
    }

    private mutating func abandon(_ id: PictureID, in turn: inout Turn) {
        guard let picture = pictures.incoming[id], picture.phase != .finishing else { return }
        pictures.forget(id)
        guard picture.phase != .dropped else { return }
        turn.append(.picture(id, .abandon))
        let reason = "It did not come whole."
        announce(id, picture, .gone(reason), in: &turn)
        let photo = pictures.update(picture.photo) { photo in
            photo.state = .failed
            photo.reason = reason
        }
        if let photo { tell(photo, in: &turn) }
    }

    /// A frame's picture concerns the shooting chart.
    private func announce(
        _ id: PictureID,
        _ picture: PictureBook.Incoming,
        _ content: PictureNews.Content,
        in turn: inout Turn
    ) {
        guard let frame = picture.frame else { return }
        let news = PictureNews(
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

    // MARK: From the host

    /// What became of a picture.
    mutating func handle(_ outcome: PictureOutcome, of id: PictureID, in turn: inout Turn) {
        guard let picture = pictures.incoming[id], picture.phase != .dropped else { return }
        switch outcome {
        case .stored(let stored):
            pictures.forget(id)
            keep(stored, id, picture, in: &turn)
            deliver(Transfer.Input.pictureStored, in: &turn)
        case .failed(let reason, let isFull):
            let sentence = reason.hasSuffix(".") ? reason : reason + "."
            if picture.phase == .finishing { pictures.forget(id) } else { pictures.setPhase(.dropped, of: id) }
            announce(id, picture, .gone(sentence), in: &turn)
            let photo = pictures.update(picture.photo) { photo in
                photo.state = .failed
                photo.reason = sentence
            }
            if let photo { tell(photo, in: &turn) }
            deliver(isFull ? .diskFull(sentence) : .pictureFailed(sentence), in: &turn)
        }
    }

    private mutating func keep(
        _ stored: StoredPicture,
        _ id: PictureID,
        _ picture: PictureBook.Incoming,
        in turn: inout Turn
    ) {
        var verdict = Verdict.none
        var frame = picture.frame
        if let fired = frame {
            verdict = pictures.verification.judge(
                stored.metadata,
                picture.info.kind,
                of: fired.shot,
                isTimeKnown: !fired.wasLeft
            )
            if fired.wasLeft, case .suspect = verdict {
                // Taken by hand since then.
                announce(id, picture, .gone("The picture in the camera's buffer is not of this frame."), in: &turn)
                (frame, verdict) = (nil, .none)
            } else {
                let file = Manifest.File(path: stored.path, byteCount: stored.byteCount, metadata: stored.metadata)
                pictures.keep(file, picture.info, of: fired)
                announce(id, picture, .judged(verdict), in: &turn)
            }
        }
        let photo = pictures.update(picture.photo) { photo in
            photo.path = stored.path
            photo.byteCount = stored.byteCount
            photo.state = verdict.photoState
            if case .suspect(let doubt) = verdict { photo.reason = doubt.sentence }
        }
        if let photo { tell(photo, in: &turn) }
        if let frame, case .suspect(let doubt) = verdict {
            turn.append(.journal(.suspect(frame, doubt, path: stored.path)))
        }
    }

    /// The queue brought the shooting chart news of a picture.
    mutating func route(_ news: PictureNews, in turn: inout Turn) {
        deliver(Shooting.Input.picture(news), in: &turn)
        guard case .judged(let verdict) = news.content else { return }
        if news.shoot == shooting.machine.behavior.shoot?.id {
            tellManifest(in: &turn)
        } else {
            amendManifest(news, verdict, in: &turn)
        }
    }

    /// The command that the shooting chart gave, remembered for the picture that is to come of it.
    mutating func note(_ command: CameraCommand, _ ticket: Ticket, at now: Duration) {
        let model = shooting.machine.behavior
        guard case .capture(let speed) = command, let shoot = model.shoot, let index = shoot.current else { return }
        let shot = Verification.Shot(
            ticket: ticket,
            shoot: shoot.id,
            speed: speed,
            firedAt: now,
            camera: model.camera
        )
        pictures.note(firedFrame(shot, index, of: shoot, wasLeft: false))
    }

    // MARK: The chart

    @discardableResult
    mutating func deliver(_ input: Transfer.Input, in turn: inout Turn) -> Bool {
        finish(transfer.handle(input, at: turn.now), in: &turn)
    }

    @discardableResult
    mutating func finish(_ outcome: ChartRun<TransferModel>.Outcome, in turn: inout Turn) -> Bool {
        publisher.publish(outcome.steps, to: subscriptions, in: &turn)
        for effect in outcome.effects {
            switch effect {
            // Not answered: no chart waits for its ticket.
            case .keep(let wish): _ = perform(.keepPictures(wish), in: &turn)
            case .checkRoom: turn.append(.checkRoom)
            case .report(let entry): turn.append(.journal(entry))
            }
        }
        return outcome.wasTaken
    }

    // MARK: Manifests

    /// The shoot's manifest, where it has a file or is over, and is not written yet as it is.
    mutating func tellManifest(in turn: inout Turn) {
        let model = shooting.machine.behavior
        guard configuration.transfer.policy != .none, let shoot = model.shoot,
            pictures.hasFiles(of: shoot.id) || !shooting.machine.isActive(.active) && shoot.left == nil
        else { return }
        let frames = zip(shoot.plan.frames, shoot.outcomes).enumerated().map { index, frame in
            Manifest.Frame(frame.0, frame.1, files: pictures.files(of: shoot.id, index))
        }
        tell(
            Manifest(
                shoot: shoot.id,
                folder: pictures.folder(of: shoot),
                camera: connection.machine.behavior.name ?? pictures.manifest(of: shoot.id)?.camera ?? "",
                plan: PlanText.headline(shoot.plan),
                frames: frames
            ),
            in: &turn
        )
    }

    /// A verdict about a frame of a shoot that is no longer the present one.
    private mutating func amendManifest(_ news: PictureNews, _ verdict: Verdict, in turn: inout Turn) {
        let word: FrameWord? =
            switch verdict {
            case .none: nil
            case .verified: .verified
            case .suspect: .suspect
            }
        let doubt: String? = if case .suspect(let doubt) = verdict { doubt.sentence } else { nil }
        records.notes.amend(
            FrameKey(shoot: news.shoot, index: news.frame),
            word,
            doubt: doubt,
            files: pictures.files(of: news.shoot, news.frame).map(\.path)
        )
        guard var manifest = pictures.manifest(of: news.shoot), manifest.frames.indices.contains(news.frame) else {
            return
        }
        manifest.frames[news.frame].files = pictures.files(of: news.shoot, news.frame)
        switch verdict {
        case .none: break
        case .verified where manifest.frames[news.frame].doubt == nil: manifest.frames[news.frame].outcome = "verified"
        case .verified: break
        case .suspect(let doubt):
            manifest.frames[news.frame].outcome = "suspect"
            manifest.frames[news.frame].doubt = doubt.sentence
        }
        tell(manifest, in: &turn)
    }

    private mutating func tell(_ manifest: Manifest, in turn: inout Turn) {
        if pictures.isNews(manifest) { turn.append(.manifest(manifest)) }
    }

    // MARK: Clients

    func getPhotos(_ id: RequestID, in turn: inout Turn) {
        turn.append(.reply(id, .photos(photosReport), continues: false))
    }

    mutating func watchPhotos(_ id: RequestID, in turn: inout Turn) {
        guard subscriptions.hasRoom(for: .photos, id, in: &turn) else { return }
        subscriptions.add(id, to: .photos)
        for photo in photosReport.photos { turn.append(.reply(id, .photo(photo), continues: true)) }
    }

    private func tell(_ photo: PhotoReport, in turn: inout Turn) {
        subscriptions.send(.photo(photo), to: .photos, in: &turn)
    }

    private var photosReport: PhotosReport {
        let last = shooting.machine.behavior.shoot?.id ?? pictures.photos.compactMap(\.shoot).max()
        let photos = pictures.photos.filter { $0.shoot == nil || $0.shoot == last }
        let policy = configuration.transfer.policy
        let sentences = [policy == .none ? Self.offSentence : PhotosReport.sentence(photos), transferSentence]
        return PhotosReport(
            policy: policy.rawValue,
            sentence: sentences.compactMap(\.self).joined(separator: " "),
            photos: photos
        )
    }

    private static let offSentence =
        "Pictures are not taken over: set policy = \"jpeg\" or \"both\" under [transfer] to have them here."

    /// What keeps pictures from being stored; nil: nothing.
    var transferSentence: String? {
        let obstacle: String? =
            if transfer.machine.isActive(.full) {
                "The disk for pictures is full or cannot be written"
            } else {
                transfer.machine.isActive(.failing) ? "Pictures cannot be stored here" : nil
            }
        let isFiring = shooting.machine.isActive(.active) && !shooting.machine.isActive(.paused)
        let rest =
            if shooting.machine.behavior.camera?.savesToHostAlone == true {
                "the camera keeps no picture on its card\(isFiring ? ", and the shoot cannot go on" : "")."
            } else {
                "pictures stay on the camera's card\(isFiring ? "; frames go on" : "")."
            }
        return obstacle.map { "\($0): \(rest)" }
    }
}

extension FramePosition {
    /// This frame's set, where it shares the frame before as its first one; nil: it does not.
    fileprivate func setSharing(_ before: PlannedFrame) -> Int? {
        set != before.position.set && frame > 1 ? set : nil
    }
}

extension PictureBook {
    /// As it was written last.
    fileprivate func manifest(of shoot: Int) -> Manifest? { manifests.last { $0.shoot == shoot } }
}

extension PhotosReport {
    /// How many came, and what they are worth: `12 pictures, 11 verified, 1 suspect; 3 RAW skipped.`
    static func sentence(_ photos: [PhotoReport]) -> String {
        func count(_ states: PhotoReport.State...) -> Int { photos.count { states.contains($0.state) } }
        let stored = count(.stored, .verified, .suspect)
        var parts = [stored == 0 ? "No pictures" : stored == 1 ? "1 picture" : "\(stored) pictures"]
        let rest = [
            (count(.verified), "verified"), (count(.suspect), "suspect"), (count(.receiving), "on the way"),
            (count(.failed), "not stored"),
        ]
        parts += rest.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let skipped = count(.skipped)
        return parts.joined(separator: ", ") + (skipped > 0 ? "; \(skipped) skipped." : ".")
    }
}

extension PictureSkip {
    fileprivate func sentence(of kind: PictureInfo.Kind) -> String {
        switch self {
        case .policy: kind == .raw ? "RAW files are not kept here." : "Files of this kind are not kept here."
        case .noRoom: "It cannot be stored here now; it is on the camera's card."
        }
    }
}

extension Verdict {
    fileprivate var photoState: PhotoReport.State {
        switch self {
        case .none: .stored
        case .verified: .verified
        case .suspect: .suspect
        }
    }
}

extension Manifest.Frame {
    fileprivate init(_ frame: PlannedFrame, _ outcome: Shoot.FrameOutcome, files: [Manifest.File]) {
        let words: (outcome: String, doubt: String?) =
            switch outcome {
            case .planned: ("planned", nil)
            case .preparing: ("planned", nil)
            case .failed: ("failed", nil)
            // The shutter was to be released, and the camera reported no picture.
            case .attempting, .exposing, .unknown: ("unknown", nil)
            case .exposed: ("exposed", nil)
            case .lost(let reason): ("lost", reason)
            case .captured: ("captured", nil)
            case .verified: ("verified", nil)
            case .suspect(let doubt): ("suspect", doubt.sentence)
            }
        self.init(
            set: frame.position.set,
            frame: frame.position.frame,
            speed: frame.speed.label,
            outcome: words.outcome,
            doubt: words.doubt,
            files: files
        )
    }
}

extension JournalEntry {
    fileprivate static func suspect(_ frame: PictureBook.FiredFrame, _ doubt: Doubt, path: String) -> JournalEntry {
        let planned = PlannedFrame(position: frame.position, speed: frame.shot.speed)
        return JournalEntry(
            level: .warning,
            kind: .note,
            message: planned.doubtSentence(doubt),
            fields: [
                .init("SHOOT", String(frame.shot.shoot)), .init("SET", String(frame.position.set)),
                .init("FRAME", String(frame.position.frame)), .init("SPEED", frame.shot.speed.label),
                .init("PICTURE", path),
            ]
        )
    }
}
