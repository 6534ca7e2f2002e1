import Cameras
import Exposure
import NIOCore
import Testing

@testable import Controller

/// An input of every kind, without empty fields. A new field or kind must be added here. New inputs come at the end,
/// because `every-input-7.rec` contains the others.
enum Samples {
    static let generation = LinkGeneration(rawValue: 7)

    /// A PTP/IP event, which is recorded unchanged.
    static let eventPacket = ByteBuffer(bytes: [14, 0, 0, 0, 8, 0, 0, 0, 3, 0xC2, 0, 0, 0, 0])

    static func inputs() throws -> [Input] {
        let groups: [[Input]] = [
            [.started, .deadline, .stop, .room(isThere: true), .room(isThere: false)],
            links, requests, [network], networks, discovery, pictures, try ledger(),
            [.inspected(HostFindings(machine: checks, network: [checks[0]]))],
            board, try unfinished(), http, try incomplete(), [try opened(camera)], files,
            metering, liveView,
        ]
        return groups.flatMap { $0 }
    }

    static let liveView: [Input] = [
        .request(RequestID(rawValue: 306), .snapshot(nil)), .request(RequestID(rawValue: 307), .snapshot(.large)),
        .request(
            RequestID(rawValue: 308),
            .extend(ExtensionInput(shoot: 7, speeds: ["1/2000"], drops: true), streams: true)
        ),
    ]

    static let goal = GoalInput(framesMax: 9, clipPercent: 0.25, floorCode: 40, checksLight: true)

    static let metering: [Input] = {
        let counts = (0..<256).map { UInt32($0) }
        let light = CodeHistogram(counts: counts).flatMap { histogram in
            PictureMap(columns: 3, rows: 2, blocks: [0, 20, 118, 200, 254, 255]).map {
                PictureLight(brightest: histogram, luma: histogram, map: $0)
            }
        }
        let worst = Coverage(
            [(speed: ShutterSpeed.fastest, map: PictureMap(columns: 2, rows: 1, blocks: [255, 118]))],
            spacing: .two
        )
        return [
            .coverage(ShootCoverage(shoot: 7, coverage: worst)),
            .light(LightReading(path: "shoot-1/DSC1.JPG", outcome: .failed("It is progressive."))),
            .request(RequestID(rawValue: 305), .shoot(PlanInput(spacing: 2, goal: goal), streams: true)),
        ] + (light.map { [.light(LightReading(path: "shoot-1/DSC2.JPG", outcome: .read(LightNumbers($0))))] } ?? [])
    }()

    static func incomplete() throws -> [Input] {
        var contents = LedgerContents()
        contents.unfinished = .init(shoot: try shoots()[0], frames: frames, isRecordIncomplete: true)
        // A test replaces the last byte of the recording by zero, so this byte must not be zero.
        contents.notice = "The ledger lost its last change."
        return [.ledger(.opened(contents))]
    }

    static let board: [Input] = [
        .button(.line(isPressed: true)), .button(.line(isPressed: false)), .button(.gone),
        .button(.edge(isPressed: true, at: .milliseconds(1234))),
        .button(.edge(isPressed: false, at: .nanoseconds(1_234_567_890))),
        .planKept(RequestID(rawValue: 9), failure: nil),
        .planKept(RequestID(rawValue: 10), failure: "The disk is full."),
        .configured(configuration),
        .request(RequestID(rawValue: 301), .arm(plan)), .request(RequestID(rawValue: 302), .arm(nil)),
        .request(RequestID(rawValue: 303), .follow(streams: true)),
    ]

    static func unfinished() throws -> [Input] {
        let requests: [Request] = [
            .shoot(plan, streams: false, drops: false), .retryShoot(7, streams: true, drops: true),
            .resumeShoot(8, drops: false),
        ]
        let dismissals: [Dismissal?] = [nil, .request, .shoot(9, by: .client), .shoot(10, by: .button)]
        return try dismissals.map { dismissal in
            var shoot = try shoots()[0]
            shoot.dismissal = dismissal
            shoot.incidents = []
            return .ledger(.read(RequestID(rawValue: 304), .shoot(shoot, [])))
        } + requests.map { .request(RequestID(rawValue: 303), $0) }
    }

    static let files: [Input] = [
        CameraFileRequest.list(since: "2014", limit: 9), .get(["u"]), .listSelected, .getSelected,
    ].map { .request(RequestID(rawValue: 305), .files($0)) }

    static let incidents: [Incident] =
        Incident.Reason.allCases.map {
            Incident(.inDoubt, $0, frame: 3, outcome: .fired, began: .clock(.seconds(5)), ended: .wall(milliseconds: 6))
        }
        + Incident.Outcome.allCases.map { Incident(.inDoubt, .linkLost, frame: nil, outcome: $0) }
        + Incident.Kind.allCases.map { Incident($0, .interrupted, frame: nil) }

    static let links: [Input] = [
        .opened(.command), .opened(.event),
        .openFailed(.command, reason: "Connection refused", cause: .refused),
        .openFailed(.event, reason: "Connection timed out", cause: .timedOut),
        .openFailed(.event, reason: "No route to host", cause: .unreachable),
        .openFailed(.event, reason: "no such name", cause: .other),
        .received(.event, eventPacket),
        .closed(.command, reason: nil), .closed(.event, reason: "Connection reset by peer"),
    ].map { .link(generation, $0) }

    static let plan = PlanInput(
        shadow: "1/4",
        highlight: "1/1000",
        frames: -5,
        spacing: 1.5,
        biasThirds: .min,
        shareOnce: true,
        strict: false,
        hash: "0123456789abcdef"
    )

    static let requests: [Input] =
        ([
            .getStatus, .plan(plan), .shoot(plan, streams: true, drops: true), .pause(withRedo: true), .resume, .cancel,
            .retry(streams: false), .dismiss, .watch, .getCamera, .setProperty(name: "iso", value: "100"), .getPhotos,
            .watchPhotos, .readLedger(.shoots(limit: .max, before: 9)), .readLedger(.shoot(-1)), .redo,
            .preflight(PlanInput(hash: "x")), .inspect, .getCameras, .watchCameras, .connect(.text("ILCE-7M4")),
            .connect(.last), .disconnect,
        ] as [Request]).enumerated().map { .request(RequestID(rawValue: .max - UInt64($0)), $1) }
        + [.requestCancelled(RequestID(rawValue: 300))]

    static let network = Input.network(
        NetworkSnapshot(
            interfaces: [
                NetworkInterface(
                    index: 3,
                    name: "wlan0",
                    isUp: true,
                    isLoopback: true,
                    isMulticast: false,
                    addresses: [
                        .init(IPAddress(bytes: [192, 0, 2, 77]), prefixLength: 32),
                        .init(IPAddress(bytes: [0xFE, 0x80] + Array(repeating: 1, count: 14)), prefixLength: 128),
                    ],
                    radio: .joined(.init(ssid: "DIRECT-ü", bssid: "02:00:00:00:00:01", signal: -61))
                )
            ],
            route: .found(
                CameraRoute(
                    to: IPAddress(bytes: [192, 0, 2, 1]),
                    interface: 3,
                    source: IPAddress(bytes: [192, 0, 2, 77]),
                    gateway: IPAddress(bytes: [192, 0, 2, 254]),
                    isLocal: true
                )
            )
        )
    )

    static let networks: [Input] = [
        NetworkSnapshot(),
        NetworkSnapshot(
            interfaces: [NetworkInterface(index: 9, name: "wlan1", isUp: false, radio: .apart)],
            route: .unknown
        ),
        NetworkSnapshot(route: .none(reason: "Network is unreachable")),
    ].map { .network($0) }

    static let discovery: [Input] = [
        .ssdp(
            SSDPDatagram(
                from: IPAddress(bytes: [192, 0, 2, 8]),
                interface: 4,
                bytes: ByteBuffer(string: "NOTIFY * HTTP/1.1\r\n\r\n")
            )
        ),
        .http(
            .discovery,
            HTTPRequestID(rawValue: 5),
            .reply(HTTPReply(status: 200, body: ByteBuffer(string: "<root/>")))
        ),
        .http(.discovery, HTTPRequestID(rawValue: .max), .failed(.broken(reason: "404"))),
    ]

    static let http: [Input] = [
        HTTPEvent.head(
            HTTPHead(status: 206, headers: [HTTPHeader("Content-Type", "image/jpeg"), HTTPHeader("X", "")])
        ),
        .body(ByteBuffer(string: "a piece")), .end, .failed(.notConnected(.timedOut, reason: "Connection timed out")),
        .failed(.closed(isAnswered: true)), .failed(.timedOut(.milliseconds(1234))), .failed(.tooLong(byteCountMax: 9)),
        .failed(.headersTooLong), .failed(.tooManyBytes(10)), .failed(.notHTTP), .failed(.tooManyRequests(40)),
        .reply(HTTPReply(HTTPHead(status: 404, headers: [HTTPHeader("A", "b")]), body: ByteBuffer(string: "none"))),
    ].map { .http(generation, HTTPRequestID(rawValue: 3), $0) }

    static let pictures: [Input] = [
        .stored(
            StoredPicture(
                path: "shoot-0001/DSC00001.JPG",
                byteCount: .max,
                metadata: .read(
                    ExposureRecord(
                        exposureTime: .init(1, 250),
                        fNumber: .init(80, 10),
                        iso: 100,
                        capturedAt: "2026:11:22 10:00:00",
                        model: "ILCE-7M4"
                    )
                )
            )
        ),
        .stored(StoredPicture(path: "a", byteCount: 1, metadata: .unreadable("no EXIF"))),
        .stored(StoredPicture(path: "b", byteCount: 2, metadata: .notRead("no reader"))),
        .failed(sentence: "No room.", isFull: true),
    ].map { .picture(PictureID(rawValue: 12), $0) }

    static let checks = [
        Check("clock", .pass, "The clock is synchronized.", advice: "Nothing."), Check("a", .warn, "b"),
        Check("c", .fail, "d", advice: "e"), Check("f", .skipped, "g"),
    ]

    static let camera = CameraRow(
        id: "1",
        maker: "Sony",
        model: "ILCE-7M4",
        firmware: "1.0",
        address: "192.0.2.1:15740",
        protocol: .ptpip,
        path: "/sony",
        network: "DIRECT"
    )

    static func opened(_ camera: CameraRow) throws -> Input {
        var contents = LedgerContents()
        contents.lastShoot = 42
        contents.unfinished = .init(shoot: try shoots()[0], frames: frames)
        contents.settings = [
            SettingRow(
                cameraID: "1",
                cameraName: "Sony",
                property: "shutter-speed",
                original: "1/60",
                values: ["1/125", "1/250"]
            )
        ]
        contents.cameras = [camera]
        contents.timings = TimingRow.Step.allCases.map {
            TimingRow(cameraID: "1", link: "192.0.2.1", step: $0, milliseconds: 120, at: .wall(milliseconds: -1))
        }
        contents.notice = "A damaged file was moved aside."
        return .ledger(.opened(contents))
    }

    static func ledger() throws -> [Input] {
        let shoots = try shoots()
        // `every-input-7.rec` is older than the protocol and the path of a camera.
        var camera = camera
        (camera.protocol, camera.path) = (nil, nil)
        let summaries = shoots.map { ShootSummary(shoot: $0, captured: 3, total: 15) }
        let answers: [LedgerAnswer] = [
            .shoots(summaries), .shoot(shoots[0], frames), .noShoot(.min),
            .failed("It cannot be read."),
        ]
        let news: [LedgerEvent] =
            [.unavailable("No."), .committed, .failed("Disk full."), .room(freeBytes: .max)]
            + answers.map { .read(RequestID(rawValue: 8), $0) }
        return [try opened(camera)] + news.map { .ledger($0) }
    }

    static func shoots() throws -> [ShootRow] {
        let sharings = zip(Spacing.allCases, [Sharing.once, .twice, .once])
        let requests = try sharings.map { spacing, sharing in
            try PlanRequest(framesPerSet: 7, spacing: spacing, sharing: sharing, biasThirds: -3)
        }
        return ShootOutcome.allCases.enumerated().map { index, outcome in
            ShootRow(
                id: index,
                request: requests[index % requests.count],
                headline: "1/4 to 1/1000",
                cameraID: "1",
                cameraName: "Sony",
                began: .clock(.nanoseconds(1_234_567_890_123) + Duration(secondsComponent: 0, attosecondsComponent: 7)),
                ended: .wall(milliseconds: 1_700_000_000_000),
                outcome: outcome,
                cause: "It was to end.",
                requestedStop: RequestedStop.allCases[index % 2],
                dismissal: .unrecorded,
                incidents: index > 0 ? [] : incidents
            )
        }
    }

    static let frames: [FrameRow] = FrameState.allCases.enumerated().map { index, outcome in
        FrameRow(
            shoot: 42,
            index: index,
            planned: PlannedFrame(
                position: FramePosition(set: 1, frame: index + 1),
                speed: ShutterSpeed.all[index * 6]
            ),
            outcome: outcome,
            again: .failed,
            doubt: "Its picture shows 1/60.",
            attempted: .wall(milliseconds: 5),
            captured: .clock(.seconds(6)),
            shotsLeft: 999,
            files: ["shoot-0042/DSC00001.JPG"],
            taken: 1_795_000_000
        )
    }

    static let configuration = CoreConfiguration(
        cameraAddress: CameraAddress(host: "camera.example", port: 15741),
        identity: InitiatorIdentity(guid: Array(repeating: 0, count: 16), name: "bracketd"),
        transfer: TransferConfiguration(policy: .jpeg, firesSuspectsAgain: true),
        ledger: .bestEffort,
        resumesByItself: true,
        skippedChecks: ["battery", "card"],
        search: SearchRules(ways: [.known, .scan, .ssdp], interface: "wlan0", scanMax: 1000),
        button: ButtonConfiguration(
            rules: ButtonRules(
                pressMin: .milliseconds(20),
                hold: .seconds(3),
                settle: .seconds(1),
                lockout: .milliseconds(400)
            ),
            pressWhileShooting: .nothing,
            plan: plan
        ),
        armedPlan: plan
    )

    /// The kind of an input. A new kind needs a name here and a sample above.
    static func kind(_ input: Input) -> String {
        switch input {
        case .started: "started"
        case .deadline: "deadline"
        case .link(_, .opened): "opened"
        case .link(_, .openFailed): "openFailed"
        case .link(_, .received): "received"
        case .link(_, .closed): "closed"
        case .request(_, let request): "request \(request.kind)"
        case .requestCancelled: "requestCancelled"
        case .network: "network"
        case .ssdp: "ssdp"
        case .http(_, _, .reply): "reply"
        case .http(_, _, .head): "head"
        case .http(_, _, .body): "body"
        case .http(_, _, .end): "end"
        case .http(_, _, .failed): "request failed"
        case .picture(_, .stored): "stored"
        case .picture(_, .failed): "picture failed"
        case .light(let reading): if case .read = reading.outcome { "light" } else { "no light" }
        case .coverage: "coverage"
        case .room: "room"
        case .ledger(.opened): "ledger opened"
        case .ledger(.unavailable): "unavailable"
        case .ledger(.committed): "committed"
        case .ledger(.failed): "commit failed"
        case .ledger(.read(_, .shoots)): "shoots"
        case .ledger(.read(_, .shoot)): "shoot"
        case .ledger(.read(_, .noShoot)): "noShoot"
        case .ledger(.read(_, .failed)): "read failed"
        case .ledger(.room): "ledger room"
        case .button(.line): "button's line"
        case .button(.gone): "no button"
        case .button(.edge): "edge"
        case .planKept: "planKept"
        case .configured: "configured"
        case .inspected: "inspected"
        case .stop: "stop"
        case .message: "message"
        }
    }

    /// The number of kinds: one for each case above except requests and messages, plus one for each request.
    static let kindCount = 36 + 28
}

extension Request {
    fileprivate var kind: Int {
        switch self {
        case .getStatus: 0
        case .plan: 1
        case .shoot: 2
        case .pause: 3
        case .resume: 4
        case .cancel: 5
        case .retry: 6
        case .dismiss: 7
        case .watch: 8
        case .getCamera: 9
        case .setProperty: 10
        case .getPhotos: 11
        case .watchPhotos: 12
        case .readLedger: 13
        case .redo: 14
        case .preflight: 15
        case .inspect: 16
        case .getCameras: 17
        case .watchCameras: 18
        case .connect: 19
        case .disconnect: 20
        case .arm: 21
        case .follow: 22
        case .retryShoot: 23
        case .resumeShoot: 24
        case .files: 25
        case .snapshot: 26
        case .extend: 27
        }
    }
}
