import Cameras
import Exposure
import Statecharts

/// The pictures that the camera hands over: what goes to the host, and the verdicts on what became of it.
struct PictureIntake: Sendable {
    var chart: ChartRun<TransferModel>
    var recent = RecentPictures()
    let policy: TransferPolicy

    init(_ policy: TransferPolicy) {
        self.policy = policy
        chart = ChartRun(TransferModel(policy))
    }

    /// What a picture is compared with, and who receives news of it.
    struct Context {
        /// The last one.
        var shoot: Shoot?
        /// The connected body.
        var cameraID: String?
        var subscriptions: Subscriptions
    }

    // MARK: From the camera

    /// Turns what the driver does with a picture into effects.
    mutating func handle(_ action: PictureAction, of id: PictureID, _ context: Context, in turn: inout Turn) {
        switch action {
        case .begin(let info, let offset): begin(id, info, offset: offset, context, in: &turn)
        case .bytes(let bytes):
            guard recent.incoming[id]?.phase == .receiving else { break }
            turn.append(.picture(id, .bytes(bytes)))
        case .end: end(id, in: &turn)
        case .interrupted: interrupt(id, in: &turn)
        case .abandoned: abandon(id, context, in: &turn)
        case .skipped(let info, let reason):
            var photo = recent.add(info, recent.frame(of: info.capture), .skipped)
            photo = recent.update(photo.id) { $0.reason = reason.sentence(of: info.kind) } ?? photo
            context.subscriptions.send(.photo(photo), to: .photos, in: &turn)
        }
    }

    private mutating func begin(
        _ id: PictureID,
        _ info: PictureInfo,
        offset: UInt64,
        _ context: Context,
        in turn: inout Turn
    ) {
        let known = recent.incoming[id]
        if offset > 0, known == nil || known?.phase == .dropped { return }
        let frame = recent.frame(of: info.capture) ?? leftFrame(of: info, context)
        let photo =
            known.flatMap { recent.update($0.photo) { $0.state = .receiving } }
            ?? recent.add(info, frame, .receiving)
        let picture = RecentPictures.Incoming(info: info, frame: frame, photo: photo.id, phase: .receiving)
        if let oldest = recent.receive(id, picture) { abandon(oldest, context, in: &turn) }
        let shoot = context.shoot.flatMap { $0.id == frame?.shot.shoot ? $0 : nil }
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
        context.subscriptions.send(.photo(photo), to: .photos, in: &turn)
    }

    /// The frame of an earlier run that a picture is of which the camera kept in its buffer; nil: none is for certain.
    /// A body may hand over an old picture again: the frame's own is newer than every other one of the shoot.
    private func leftFrame(of info: PictureInfo, _ context: Context) -> RecentPictures.FiredFrame? {
        guard info.wasLeft, let shoot = context.shoot,
            let index = recent.leftFrame(of: shoot.id) ?? shoot.lastOpen,
            shoot.camera.id == context.cameraID,
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
        announce(id, picture, .gone("The link broke on its way, and the camera no longer had it."), in: &turn)
    }

    private mutating func abandon(_ id: PictureID, _ context: Context, in turn: inout Turn) {
        guard let picture = recent.incoming[id], picture.phase != .finishing else { return }
        recent.forget(id)
        guard picture.phase != .dropped else { return }
        turn.append(.picture(id, .abandon))
        let reason = "It did not come whole."
        announce(id, picture, .gone(reason), in: &turn)
        let photo = recent.update(picture.photo) { photo in
            photo.state = .failed
            photo.reason = reason
        }
        if let photo { context.subscriptions.send(.photo(photo), to: .photos, in: &turn) }
    }

    /// A frame's picture concerns the shooting chart.
    private func announce(
        _ id: PictureID,
        _ picture: RecentPictures.Incoming,
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
    ///
    /// - Returns: what that is for the chart; nil: nothing.
    mutating func handle(
        _ outcome: PictureOutcome,
        of id: PictureID,
        for subscriptions: Subscriptions,
        in turn: inout Turn
    ) -> Transfer.Input? {
        guard let picture = recent.incoming[id], picture.phase != .dropped else { return nil }
        switch outcome {
        case .stored(let stored):
            recent.forget(id)
            keep(stored, id, picture, for: subscriptions, in: &turn)
            return .pictureStored
        case .failed(let reason, let isFull):
            let sentence = reason.hasSuffix(".") ? reason : reason + "."
            if picture.phase == .finishing { recent.forget(id) } else { recent.setPhase(.dropped, of: id) }
            announce(id, picture, .gone(sentence), in: &turn)
            let photo = recent.update(picture.photo) { photo in
                photo.state = .failed
                photo.reason = sentence
            }
            if let photo { subscriptions.send(.photo(photo), to: .photos, in: &turn) }
            return isFull ? .diskFull(sentence) : .pictureFailed(sentence)
        }
    }

    private mutating func keep(
        _ stored: StoredPicture,
        _ id: PictureID,
        _ picture: RecentPictures.Incoming,
        for subscriptions: Subscriptions,
        in turn: inout Turn
    ) {
        var verdict = Verdict.none
        var frame = picture.frame
        if let fired = frame {
            verdict = recent.verification.judge(
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
                recent.keep(file, picture.info, of: fired)
                announce(id, picture, .judged(verdict), in: &turn)
            }
        }
        let photo = recent.update(picture.photo) { photo in
            photo.path = stored.path
            photo.byteCount = stored.byteCount
            photo.state = verdict.photoState
            if case .suspect(let doubt) = verdict { photo.reason = doubt.sentence }
        }
        if let photo { subscriptions.send(.photo(photo), to: .photos, in: &turn) }
        if let frame, case .suspect(let doubt) = verdict {
            turn.append(.journal(.suspect(frame, doubt, path: stored.path)))
        }
    }

    /// The command that the shooting chart gave, remembered for the picture that is to come of it.
    mutating func note(_ command: CameraCommand, _ ticket: Ticket, of model: ShootingModel, at now: Duration) {
        guard case .capture(let speed) = command, let shoot = model.shoot, let index = shoot.current else { return }
        let shot = Verification.Shot(ticket: ticket, shoot: shoot.id, speed: speed, firedAt: now, camera: model.camera)
        recent.note(firedFrame(shot, index, of: shoot, wasLeft: false))
    }

    // MARK: Manifests

    /// The shoot's manifest, where it has a file or is over, and is not written yet as it is.
    mutating func writeManifest(of shoot: Shoot, isOver: Bool, camera: String?, in turn: inout Turn) {
        guard policy != .none, recent.hasFiles(of: shoot.id) || isOver && shoot.left == nil else { return }
        let frames = zip(shoot.plan.frames, shoot.outcomes).enumerated().map { index, frame in
            Manifest.Frame(frame.0, frame.1, files: recent.files(of: shoot.id, index))
        }
        write(
            Manifest(
                shoot: shoot.id,
                folder: recent.folder(of: shoot),
                camera: camera ?? recent.manifest(of: shoot.id)?.camera ?? "",
                plan: PlanText.headline(shoot.plan),
                frames: frames
            ),
            in: &turn
        )
    }

    /// A verdict about a frame of a shoot that is no longer the present one.
    mutating func amendManifest(_ news: PictureNews, _ verdict: Verdict, in turn: inout Turn) {
        guard var manifest = recent.manifest(of: news.shoot), manifest.frames.indices.contains(news.frame) else {
            return
        }
        manifest.frames[news.frame].files = recent.files(of: news.shoot, news.frame)
        switch verdict {
        case .none: break
        case .verified where manifest.frames[news.frame].doubt == nil: manifest.frames[news.frame].outcome = "verified"
        case .verified: break
        case .suspect(let doubt):
            manifest.frames[news.frame].outcome = "suspect"
            manifest.frames[news.frame].doubt = doubt.sentence
        }
        write(manifest, in: &turn)
    }

    private mutating func write(_ manifest: Manifest, in turn: inout Turn) {
        if recent.isNews(manifest) { turn.append(.manifest(manifest)) }
    }

    // MARK: Clients

    /// The pictures that were received in the last shoot, and those of none.
    ///
    /// - Parameter obstacle: why pictures cannot be stored.
    func report(of shoot: Shoot?, obstacle: String?) -> PhotosReport {
        let last = shoot?.id ?? recent.photos.compactMap(\.shoot).max()
        let photos = recent.photos.filter { $0.shoot == nil || $0.shoot == last }
        let sentences = [policy == .none ? Self.offSentence : PhotosReport.sentence(photos), obstacle]
        return PhotosReport(
            policy: policy.rawValue,
            sentence: sentences.compactMap(\.self).joined(separator: " "),
            photos: photos
        )
    }

    private static let offSentence =
        "Pictures are not taken over: set policy = \"jpeg\" or \"both\" under [transfer] to have them here."

    /// What keeps pictures from being stored; nil: nothing.
    var obstacle: String? {
        if chart.isActive(.full) { return "The disk for pictures is full or cannot be written" }
        return chart.isActive(.failing) ? "Pictures cannot be stored here" : nil
    }
}

extension FramePosition {
    /// This frame's set, where it shares the frame before as its first one; nil: it does not.
    fileprivate func setSharing(_ before: PlannedFrame) -> Int? {
        set != before.position.set && frame > 1 ? set : nil
    }
}

extension RecentPictures {
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
    fileprivate static func suspect(_ frame: RecentPictures.FiredFrame, _ doubt: Doubt, path: String) -> JournalEntry {
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
