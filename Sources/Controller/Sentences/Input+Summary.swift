import Cameras
import Exposure
import NIOCore

extension Input {
    /// The input in one line for the reader of a recording.
    package var words: String {
        switch self {
        case .started: "the daemon starts"
        case .deadline: "a deadline passed"
        case .link(let generation, let event): "connection \(generation.rawValue): \(event.words)"
        case .request(let id, let request): "request \(id.rawValue): \(request.words)"
        case .requestCancelled(let id): "request \(id.rawValue): its client disconnected"
        case .network(let snapshot): "the network: \(snapshot.words)"
        case .ssdp(let datagram):
            "\(datagram.from) announces itself on interface \(datagram.interface): \(datagram.bytes.byteCountText)"
        case .http(.discovery, let id, let event): "description \(id.rawValue): \(event.words)"
        case .http(let generation, let id, let event):
            "connection \(generation.rawValue), request \(id.rawValue): \(event.words)"
        case .picture(let id, let outcome): "picture \(id.rawValue): \(outcome.words)"
        case .light(let reading): "the light of \(reading.path): \(reading.words)"
        case .coverage(let reading):
            "the coverage of shoot \(reading.shoot): \(reading.coverage?.sentence ?? "no picture could be read")"
        case .room(let isThere): "the disk for pictures has \(isThere ? "" : "no ")free space"
        case .ledger(let news): "the ledger: \(news.words)"
        case .inspected(let findings):
            "results of the checks of this machine: \((findings.machine + findings.network).count)"
        case .message(let message): "message inside the core: \(message.words)"
        case .configured: "the configuration was read again"
        case .button(.line(let isPressed)): "the button's line is open: the button is \(isPressed ? "down" : "up")"
        case .button(.gone): "the button's line was lost"
        case .button(.edge(let isPressed, _)): isPressed ? "the button is pressed" : "the button is released"
        case .planKept(let id, nil): "request \(id.rawValue): its plan is on disk"
        case .planKept(let id, let failure?): "request \(id.rawValue): its plan is not on disk: \(failure)"
        case .stop: "the daemon must stop"
        }
    }
}

extension LightReading {
    fileprivate var words: String {
        switch outcome {
        case .read: "read"
        case .failed(let sentence): "not read: \(sentence)"
        }
    }
}

extension HTTPEvent {
    fileprivate var words: String {
        switch self {
        case .reply(let reply): "status \(reply.head.status), \(reply.body.byteCountText)"
        case .head(let head): "status \(head.status)"
        case .body(let bytes): bytes.byteCountText
        case .end: "complete"
        case .failed(let failure): "failed: \(failure)"
        }
    }
}

extension LinkEvent {
    fileprivate var words: String {
        switch self {
        case .opened(let link): "\(link) opened"
        case .openFailed(let link, let reason, _): "\(link) not opened: \(reason)"
        case .received(let link, let bytes): "\(link) received \(bytes.byteCountText)"
        case .closed(let link, let reason?): "\(link) lost: \(reason)"
        case .closed(let link, nil): "\(link) closed by the camera"
        }
    }
}

extension Request {
    private static func options(streams: Bool = false, drops: Bool = false) -> String {
        (streams ? ", with a reply for each step" : "") + (drops ? ", dropping missing frames" : "")
    }

    fileprivate var words: String {
        switch self {
        case .plan(let plan): "Plan \(plan.words)"
        case .shoot(let plan, let streams, let drops):
            "Shoot \(plan.words)\(Self.options(streams: streams, drops: drops))"
        case .pause(let withRedo): withRedo ? "Pause, and redo the frame" : "Pause"
        case .retry(let streams): "Retry\(Self.options(streams: streams))"
        case .follow(let streams): "Follow\(Self.options(streams: streams))"
        case .retryShoot(let shoot, let streams, let drops):
            "Retry of shoot \(shoot)\(Self.options(streams: streams, drops: drops))"
        case .extend(let input, let streams):
            "Extend \(input.shoot.map { "shoot \($0)" } ?? "the last shoot") by \(input.speeds.joined(separator: " "))"
                + Self.options(streams: streams, drops: input.drops)
        case .resumeShoot(let shoot, let drops):
            "Resume of shoot \(shoot)\(Self.options(drops: drops))"
        case .setProperty(let name, let value): "SetProperty \(name) to \(value)"
        case .files(.list(_, let limit)): "GetFiles, the newest \(limit)"
        case .files(.get(let uris)): "FetchFiles of \(uris.count)"
        case .files(.listSelected): "GetFiles, the selected ones"
        case .files(.getSelected): "FetchFiles, the selected ones"
        case .snapshot(let size): size.map { "Snapshot, \($0.rawValue)" } ?? "Snapshot"
        case .readLedger(.shoots(let limit, _)): "GetHistory of \(limit)"
        case .readLedger(.shoot(let id)): "GetShoot \(id)"
        case .preflight(let plan): "Preflight \(plan.words)"
        case .connect(.text(let text)): "Connect to \(text)"
        case .connect(.last): "Connect to the last camera"
        case .arm(let plan?): "Arm \(plan.words)"
        case .arm(nil): "Arm the default plan"
        case .getStatus, .resume, .cancel, .dismiss, .watch, .getCamera, .getPhotos, .watchPhotos, .redo, .inspect,
            .getCameras, .watchCameras, .disconnect:
            "\(self)".prefix(1).uppercased() + "\(self)".dropFirst()
        }
    }
}

extension PlanInput {
    var words: String {
        let frames = self.frames.map { "\($0) frames" }
        let spacing = self.spacing.map { "\($0) EV" }
        let bias = biasThirds.map { "bias \($0)/3 EV" }
        let hash = self.hash.map { "hash \($0)" }
        let words = [
            shadow.map { "from \($0)" }, highlight.map { "to \($0)" }, frames, spacing, bias,
            shareOnce == true ? "shared once" : nil, goal.map { _ in "finding its range" },
            strict == true ? "strict" : nil, hash,
        ]
        return words.contains { $0 != nil } ? words.compactMap(\.self).joined(separator: " ") : "with default values"
    }
}

extension NetworkSnapshot {
    fileprivate var words: String {
        let interfaces = self.interfaces.map { interface in
            [interface.name, interface.isUp ? "up" : "down", interface.ssid.map { "on \($0)" }]
                .compactMap(\.self).joined(separator: " ")
        }
        let route =
            switch self.route {
            case .unwatched: "no route is watched"
            case .unknown: "the route is not known"
            case .none(let reason): "no route: \(reason)"
            case .found(let route): "the route to \(route.to) uses interface \(route.interface)"
            }
        return (interfaces + [route]).joined(separator: ", ")
    }
}

extension PictureOutcome {
    fileprivate var words: String {
        switch self {
        case .stored(let picture): "stored as \(picture.path), \(picture.byteCount) bytes"
        case .failed(let sentence, _): "not stored: \(sentence)"
        }
    }
}

extension LedgerEvent {
    fileprivate var words: String {
        switch self {
        case .opened(let contents): "open, and the number of the last shoot is \(contents.lastShoot)"
        case .unavailable(let sentence): "not usable: \(sentence)"
        case .committed: "committed"
        case .failed(let sentence): "not committed: \(sentence)"
        case .read(let id, _): "the answer to request \(id.rawValue)"
        case .room(let bytes): "free space on its disk: \(bytes) bytes"
        }
    }
}

extension Message {
    fileprivate var words: String {
        switch self {
        case .camera(let event, _, _): "camera event (\(event.words))"
        case .cameraReady: "the camera is ready"
        case .cameraGone(let absence): "the camera is gone: \(absence.words)"
        case .cameraNotReady(let sentence): "the camera's settings do not allow a shoot: \(sentence)"
        case .networkLeft(let departure): departure.sentence
        case .networkBack: "this computer is on the camera's network again"
        case .cameraFound(let offer): "a camera was found at \(offer.address)"
        case .candidate(let generation, let event): "probe \(generation.rawValue): \(event.words)"
        case .candidateOpened(let generation, _): "probe \(generation.rawValue): a camera answered"
        case .candidateRefused(let refusal): refusal.sentence
        case .waveOver: "every address was probed"
        case .searchWanted(let isWanted): isWanted ? "the search for cameras begins" : "the search for cameras ends"
        case .cameraChosen: "a user wants a camera"
        case .cameraReleased: "no user wants a camera any more"
        case .othersAvailable: "the named camera refused the connection, but other cameras can be tried"
        case .cameraNeeded: "a client wants to shoot, and no camera is connected"
        case .picture(let news): "picture \(news.picture.rawValue) of frame \(news.frame): \(news.words)"
        case .range(let update): "the choice after \(update.frameCount) frames: \(update.words)"
        case .record(.kept): "the requested rows are on disk"
        case .record(.refused(_, let sentence)): "the requested rows are not on disk: \(sentence)"
        case .recordWanted: "a shoot waits for the ledger's disk"
        case .buttonPressed: "the button was pressed"
        case .buttonHeld: "the button was held"
        case .frameOver: "no exposure is running any more"
        case .clientSetting(let setting): "the request to set \(setting.property?.rawValue ?? "a property") has ended"
        }
    }
}

extension RangeUpdate {
    fileprivate var words: String {
        switch content {
        case .frame(let speed): "fire \(speed)"
        case .found(let range): "the search ends, and \(range.kept.count) frames are kept"
        case .unknown(let reason): reason
        }
    }
}

extension PictureUpdate {
    fileprivate var words: String {
        switch content {
        case .coming: "its bytes arrive"
        case .gone(let reason): reason
        case .checked(.verified): "verified"
        case .checked(.suspect(let doubt)): doubt.clause
        case .checked(.none): "it contains no exposure data"
        }
    }
}

extension Absence {
    fileprivate var words: String {
        switch self {
        case .lost(let reason): reason.sentence
        case .released: "disconnected"
        }
    }
}

extension CameraEvent {
    fileprivate var words: String {
        switch self {
        case .confirmationAwaited: "may wait for a confirmation"
        case .prepared(let identity): "the camera is \(identity.name)"
        case .status: "reports its status"
        case .properties(let properties): "reports \(properties.count) properties"
        case .propertySet(let state): "\(state.property.rawValue) is \(state.value ?? "not known")"
        case .refused(let refusal): refusal.sentence
        case .speedAccepted: "accepted the speed"
        case .speedRead(let reading): "shows \(reading)"
        case .shutterReleased: "accepted the shutter command"
        case .captured: "reports the picture"
        case .saving: "saves the picture"
        case .idle: "is idle"
        case .captureResolved(.fired): "the shutter had fired"
        case .captureResolved(.notFired): "the shutter had not fired"
        case .captureResolved(.unknown): "it is unknown whether the shutter fired"
        case .files(.listed(let files)): "lists \(files.count) files on its card"
        case .files(.sent(let count)): "sent \(count) files of its card"
        case .liveView(.frame(let frame)): "sends a live view picture of \(frame.width) x \(frame.height) pixels"
        case .liveView(.unreadable(let error)): error.sentence
        case .busy: "is busy"
        case .failed(let failure): failure.sentence
        case .lost(let reason): reason.sentence
        case .disconnected: "disconnected"
        }
    }
}

extension ByteBuffer {
    var byteCountText: String { readableBytes == 1 ? "1 byte" : "\(readableBytes) bytes" }
}
