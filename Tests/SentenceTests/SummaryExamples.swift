import Cameras
import Exposure
import NIOCore

@testable import Controller

extension Examples {
    static let inputSummary: [String] = SummaryValues.inputs.flatMap { $0.map(\.words) }

    static let effectSummary: [String] = SummaryValues.effects.compactMap(\.words)
}

private enum SummaryValues {
    private static let generation = LinkGeneration(rawValue: 7)
    private static let id = RequestID(rawValue: 12)
    private static let http = HTTPRequestID(rawValue: 5)
    private static let picture = PictureID(rawValue: 3)
    private static let link = LinkID(0)
    private static let bytes = ByteBuffer(string: "NOTIFY * HTTP/1.1\r\n\r\n")
    private static let plan = PlanInput(
        shadow: "1/4",
        highlight: "1/1000",
        frames: 5,
        spacing: 1.5,
        biasThirds: 2,
        shareOnce: true,
        strict: true,
        hash: "0123456789abcdef"
    )
    private static let emptyPlan = PlanInput()

    // MARK: Inputs

    static let inputs: [[Input]] = [
        others,
        links.map { .link(generation, $0) },
        replies.map { .http(generation, http, $0) },
        networks.map { .network($0) },
        ledger.map { .ledger($0) },
        button.map { .button($0) },
        requests.map { .request(id, $0) },
        cameraMessages.map { .message($0) },
        otherMessages.map { .message($0) },
        events.map { .message(.camera($0, ticket: nil, generation)) },
        updates.map { .message(.picture($0)) },
    ]

    private static let others: [Input] = [
        .started,
        .deadline,
        .stop,
        .light(LightReading(path: "shoot-1/set-1/DSC1.JPG", outcome: .failed("It is progressive."))),
        .coverage(ShootCoverage(shoot: 7, coverage: nil)),
        .room(isThere: true),
        .room(isThere: false),
        .requestCancelled(id),
        .ssdp(SSDPDatagram(from: CameraValues.host, interface: 3, bytes: bytes)),
        .http(.discovery, http, .failed(.closed(isAnswered: false))),
        .picture(
            picture,
            .stored(StoredPicture(path: "shoot-0007/DSC00001.JPG", byteCount: 12_582_912, metadata: .notRead("")))
        ),
        .picture(picture, .failed(sentence: "The disk for pictures is full.", isFull: true)),
        .inspected(HostFindings(machine: [Check("clock", .pass, "The clock is synchronized.")])),
        .configured(
            CoreConfiguration(
                cameraAddress: CameraValues.address,
                identity: InitiatorIdentity(guid: Array(repeating: 0, count: 16), name: "bracketd")
            )
        ),
        .planKept(id, failure: nil),
        .planKept(id, failure: "The disk is full."),
    ]

    private static let links: [LinkEvent] = [
        .opened(link),
        .openFailed(link, reason: "Connection refused", cause: .refused),
        .received(link, ByteBuffer(bytes: [1])),
        .closed(link, reason: "Connection reset by peer"),
        .closed(link, reason: nil),
    ]

    private static let replies: [HTTPEvent] = [
        .reply(HTTPReply(status: 200, body: bytes)),
        .head(HTTPHead(status: 206)),
        .body(bytes),
        .end,
        .failed(.notHTTP),
    ]

    private static let networks: [NetworkSnapshot] = [
        NetworkSnapshot(
            interfaces: [
                NetworkInterface(
                    index: 3,
                    name: "wlan0",
                    isUp: true,
                    radio: .joined(.init(ssid: CameraValues.ssid, bssid: "02:00:00:00:00:01"))
                ),
                NetworkInterface(index: 4, name: "eth0", isUp: false),
            ],
            route: .found(CameraRoute(to: CameraValues.host, interface: 3))
        ),
        NetworkSnapshot(route: .unwatched),
        NetworkSnapshot(route: .unknown),
        NetworkSnapshot(route: .none(reason: "Network is unreachable")),
    ]

    private static let ledger: [LedgerEvent] = [
        .opened(LedgerContents()),
        .unavailable("The ledger cannot be opened."),
        .committed,
        .failed("The disk is full."),
        .read(id, .noShoot(7)),
        .room(freeBytes: 24_900_000_000),
    ]

    private static let button: [ButtonLineEvent] = [
        .line(isPressed: true), .line(isPressed: false), .gone, .edge(isPressed: true, at: .seconds(1)),
        .edge(isPressed: false, at: .seconds(2)),
    ]

    // MARK: Requests

    private static let requests: [Request] = [
        .getStatus,
        .plan(emptyPlan),
        .plan(PlanInput(spacing: 2, goal: GoalInput())),
        .shoot(plan, streams: true, drops: true),
        .pause(withRedo: true),
        .pause(withRedo: false),
        .retry(streams: true),
        .follow(streams: true),
        .retryShoot(7, streams: true, drops: true),
        .extend(ExtensionInput(speeds: ["1/2000", "1/4000"]), streams: true),
        .extend(ExtensionInput(shoot: 7, speeds: ["1/2000"], drops: true), streams: false),
        .resumeShoot(7, drops: true),
        .files(.list(since: nil, limit: 20)),
        .files(.get(["image:content?contentId=1"])),
        .files(.listSelected),
        .files(.getSelected),
        .snapshot(nil),
        .snapshot(.large),
        .setProperty(name: "iso", value: "100"),
        .readLedger(.shoots(limit: 20, before: nil)),
        .readLedger(.shoot(7)),
        .preflight(plan),
        .connect(.text("ILCE-7M4")),
        .connect(.last),
        .arm(plan),
        .arm(nil),
    ]

    // MARK: Messages

    private static let cameraMessages: [Message] = [
        .cameraReady(CameraValues.status),
        .cameraGone(.lost(.closedByCamera)),
        .cameraGone(.released),
        .cameraNotReady(sentence: "The mode dial is on A. Turn it to M."),
        .networkLeft(.noRoute),
        .networkBack,
        .cameraFound(offer),
        .candidate(generation, .idle),
        .candidateOpened(
            generation,
            OpenedCamera(offer: offer, identity: CameraValues.alpha, status: CameraValues.status)
        ),
        .candidateRefused(.inUse),
        .waveOver,
        .searchWanted(true),
        .searchWanted(false),
        .cameraChosen,
        .cameraReleased,
        .othersAvailable,
        .cameraNeeded,
    ]

    private static let otherMessages: [Message] = [
        .record(.kept(upTo: 4)),
        .record(.refused(upTo: 5, sentence: "The disk is full.")),
        .range(RangeUpdate(shoot: 1, frameCount: 3, content: .frame(.fastest))),
        .range(RangeUpdate(shoot: 1, frameCount: 3, content: .found(FoundRange(kept: [.fastest, .slowest])))),
        .range(RangeUpdate(shoot: 1, frameCount: 3, content: .unknown("A picture was not read."))),
        .recordWanted,
        .buttonPressed(PressMeaning(.fire, shoot: nil)),
        .buttonHeld,
        .frameOver,
        .clientSetting(ClientSetting(property: .iso)),
        .clientSetting(ClientSetting(property: nil)),
    ]

    private static let updates: [PictureUpdate] = [
        update(.coming(byteCount: 12_582_912)),
        update(.gone("The connection to the camera was lost.")),
        update(.checked(.verified)),
        update(.checked(.suspect(.speed(found: "1/60")))),
        update(.checked(.none)),
    ]

    private static func update(_ content: PictureUpdate.Content) -> PictureUpdate {
        PictureUpdate(picture: picture, shoot: 7, frame: 2, shot: Ticket(rawValue: 9), content: content)
    }

    /// A JPEG of 640 × 424 pixels, as far as its header says.
    private static let jpeg: [UInt8] = [
        0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 1, 168, 2, 128, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 1, 0xFF,
        0xD9,
    ]

    private static let liveView: [CameraEvent] =
        (try? LiveViewJPEG(parsing: ByteBuffer(bytes: jpeg))).map { [.liveView(.frame(LiveViewFrame($0)))] } ?? []

    private static let events: [CameraEvent] = plainEvents + liveView + [.liveView(.unreadable(.cut))]

    private static let plainEvents: [CameraEvent] = [
        .confirmationAwaited,
        .prepared(CameraValues.alpha),
        .status(CameraValues.status),
        .properties([iso]),
        .propertySet(iso),
        .propertySet(PropertyState(property: .drive, value: nil)),
        .refused(.unpaired),
        .speedAccepted,
        .speedRead(.speed(CameraValues.frame.speed)),
        .shutterReleased,
        .captured,
        .saving,
        .idle,
        .captureResolved(.fired),
        .captureResolved(.notFired),
        .captureResolved(.unknown),
        .files(.listed([])),
        .files(.sent(2)),
        .busy,
        .failed(.focusFailed),
        .lost(.closedByCamera),
        .disconnected,
    ]

    private static let iso = PropertyState(property: .iso, value: "100")
    private static let offer = CameraOffer(.ptpip, CameraValues.address)

    // MARK: Effects

    static let effects: [Effect] = [
        .openLink(generation, link, LinkTarget(CameraValues.address), timeout: .seconds(1)),
        .send(generation, link, bytes),
        .closeLink(generation, link),
        .http(.discovery, http, .perform(description)),
        .http(generation, http, .cancel),
        .watchRoute(CameraValues.address),
        .watchRoute(nil),
        .discovery(.listen(on: [3, 4], rejoins: [])),
        .discovery(.listen(on: [], rejoins: [])),
        .discovery(.ask([bytes])),
        .reply(id, .done, continues: true),
        .fail(id, .stopping),
        .journal(JournalEntry(level: .info, kind: .note, message: LedgerSentences.isOpen)),
        .picture(picture, .begin(destination, offset: 0)),
        .picture(picture, .finish),
        .picture(picture, .interrupt),
        .picture(picture, .abandon),
        .manifest(Manifest(shoot: 7, camera: "Sony ILCE-7M4", plan: "1/4 to 1/1000", frames: [])),
        .readLight(path: "shoot-1/set-1/DSC1.JPG"),
        .readCoverage(CoverageOrder(shoot: 7, spacing: .two, frames: [])),
        .checkRoom,
        .ledger(.open),
        .ledger(.commit(LedgerCommit(isDurable: true))),
        .ledger(.read(id, .shoot(7))),
        .inspect,
        .keepPlan(plan, for: id),
        .keepPlan(nil, for: id),
        .lamp(.ready),
        .status("Sony ILCE-7M4 is ready."),
        .stopping(waiting: .seconds(35)),
        .stopping(waiting: nil),
        .finished,
    ]

    private static let description = HTTPRequest(
        .get,
        CameraAddress(host: "192.168.122.1", port: 64321),
        path: "/dd.xml",
        replyBytesMax: 65_536,
        timeout: .seconds(3)
    )

    private static let destination = PictureDestination(
        shoot: 7,
        set: 1,
        name: "DSC00001.JPG",
        kind: .jpeg,
        byteCount: 12_582_912
    )
}
