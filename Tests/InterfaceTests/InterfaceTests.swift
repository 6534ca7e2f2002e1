import Cameras
import Exposure
import Interface
import NIOCore
import Testing
import Varlink

@testable import Controller

extension Plan {
    /// The default plan.
    fileprivate static var example: Plan {
        do {
            return Plan(try PlanRequest())
        } catch {
            preconditionFailure("the defaults are possible: \(error)")
        }
    }
}

/// Compares the daemon's messages with the text of its interface.
struct InterfaceTests {
    private static let progress = Progress(
        shoot: 1,
        captured: 2,
        total: 15,
        set: 1,
        frame: 3,
        speed: "1/250",
        phase: "capturing",
        sentence: "Exposing.",
        outcome: .partial,
        cause: "link-lost",
        remaining: .milliseconds(12_500),
        exposureLeft: .seconds(2),
        range: RangeReport(
            shots: ["1/8", "1/30"],
            kept: ["1/30"],
            warnings: [RangeReport.Warning(code: "frame-limit", sentence: "s")]
        )
    )
    private static let identity = CameraIdentity(
        maker: "Sony",
        model: "ILCE-7M4",
        firmware: "3.00",
        serial: "1",
        id: "1"
    )

    private static func camera(_ status: CameraStatus, _ properties: [PropertyState] = []) -> Reply {
        .camera(
            CameraReport(
                identity: identity,
                address: CameraAddress(host: "::1", port: 15740),
                status: status,
                properties: properties
            )
        )
    }

    private static let iso = PropertyState(property: .iso, value: "100", choices: ["Auto", "100"], isWritable: true)

    private static let jpeg: [UInt8] = [
        0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 64, 0, 96, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 1, 0xFF,
        0xD9,
    ]

    private static var liveView: LiveViewFrame {
        do {
            return LiveViewFrame(try LiveViewJPEG(parsing: ByteBuffer(bytes: jpeg)), exposure: .notShown)
        } catch {
            preconditionFailure("the bytes are a JPEG: \(error)")
        }
    }

    private static let picture = PhotoReport(
        id: 3,
        state: .suspect,
        name: "DSC00001.JPG",
        path: "shoot-1/set-1/DSC00001.JPG",
        byteCount: 25_000_000,
        shoot: 1,
        set: 1,
        frame: 1,
        speed: "1/1000",
        reason: "r"
    )

    private static let wholeInput = PlanInput(
        shadow: "1/4",
        highlight: "1/1000",
        frames: 5,
        spacing: 1.5,
        biasThirds: -1,
        shareOnce: true,
        strict: true,
        hash: "0123456789",
        goal: GoalInput(framesMax: 9, clipPercent: 0.25, floorCode: 40, checksLight: true)
    )

    private static let checks = [
        Check("drive", .fail, "s", advice: "a"), Check("link", .pass, "s"),
    ]

    private static let figure = TimingReport.Figure(medianMilliseconds: 1, p95Milliseconds: 2, count: 3)

    private static let coverage = Coverage(
        [(speed: ShutterSpeed.oneSecond, map: PictureMap(columns: 2, rows: 1, blocks: [255, 118]))],
        spacing: .two
    )
    private static let barePicture = PhotoReport(id: 1, state: .receiving, name: "n")

    private static let request = Plan.example.request
    private static let summary = ShootSummary(
        shoot: ShootRow(
            id: 3,
            request: request,
            headline: "h",
            cameraID: "1",
            cameraName: "Sony ILCE-7M4",
            began: .wall(milliseconds: 1_795_314_859_007),
            ended: .wall(milliseconds: 1_795_314_860_000),
            outcome: .interrupted,
            cause: "c",
            dismissal: .shoot(8, by: .button),
            incidents: [
                Incident(.paused, .command, frame: nil),
                Incident(
                    .inDoubt,
                    .linkLost,
                    frame: 0,
                    outcome: .notFired,
                    began: .wall(milliseconds: 0),
                    ended: .wall(milliseconds: 1)
                ),
            ]
        ),
        captured: 2,
        total: 2
    )
    private static let bareSummary = ShootSummary(
        shoot: ShootRow(id: 1, request: request, headline: "", cameraID: "", cameraName: "", began: .clock(.zero)),
        captured: 0,
        total: 1
    )
    private static let plan = Plan.example
    private static let frames = [
        FrameRow(
            shoot: 3,
            index: 0,
            planned: plan.frames[0],
            outcome: .suspect,
            again: .verified,
            doubt: "d",
            attempted: .wall(milliseconds: 1_795_314_859_100),
            captured: .wall(milliseconds: -1),
            files: ["a/b.JPG"]
        ),
        FrameRow(shoot: 3, index: 1, planned: plan.frames[1]),
    ]

    /// Each kind of reply, once with all and once with the fewest fields, and the method that it answers.
    private static let replies: [(method: String, reply: Reply)] = [
        ("GetStatus", .status(StatusReport(sentence: "Idle.", charts: [], camera: nil, shoot: nil))),
        (
            "GetStatus",
            .status(
                StatusReport(
                    sentence: "Idle.",
                    charts: [
                        ChartState(name: "shooting", state: "idle", configuration: ["idle"], digest: "9f31c2")
                    ],
                    camera: "Sony",
                    shoot: progress,
                    armed: "1/1000 to 1/4",
                    nextSearch: .seconds(420)
                )
            )
        ),
        (
            "Plan",
            .plan(
                PlanReport(
                    rangeEV: 8,
                    sets: [["1/1000", "1/4"], []],
                    totalExposures: 15,
                    notes: ["n"],
                    warnings: ["w"],
                    estimateMilliseconds: 1,
                    estimateBasis: "b",
                    checkedAgainst: nil
                )
            )
        ),
        (
            "Plan",
            .plan(
                PlanReport(
                    rangeEV: 8,
                    sets: [],
                    totalExposures: 15,
                    notes: [],
                    warnings: [],
                    estimateMilliseconds: 1,
                    estimateBasis: "b",
                    checkedAgainst: "Sony ILCE-7M4",
                    timing: TimingReport(set: figure, frame: figure),
                    hash: "0123456789",
                    input: wholeInput,
                    exposures: plan.frames,
                    substitutes: [Substitute(planned: .fastest, used: .slowest)],
                    comparison: Comparison(request)
                )
            )
        ),
        ("Preflight", .preflight(PreflightReport(checks: []))),
        (
            "Preflight",
            .preflight(PreflightReport(checks: checks, drops: UnfinishedShoot(id: 7, missing: 2, total: 15)))
        ),
        ("Shoot", .progress(progress)),
        ("Retry", .progress(Progress(shoot: 1, captured: 0, total: 1, phase: "idle", sentence: "s"))),
        ("Extend", .progress(Progress(shoot: 1, captured: 0, total: 1, phase: "idle", sentence: "s"))),
        ("Follow", .progress(progress)),
        ("Watch", .transition(TransitionReport(at: 5, chart: "c", event: "e", from: [], to: ["t"], message: "m"))),
        (
            "Watch",
            .transition(
                TransitionReport(
                    at: 5,
                    chart: "c",
                    event: "e",
                    from: ["f"],
                    to: [],
                    shoot: 1,
                    set: 2,
                    frame: 3,
                    speed: "1/4",
                    message: "m"
                )
            )
        ),
        ("GetCamera", camera(CameraStatus(mode: .other("Movie")))),
        (
            "GetCamera",
            camera(
                CameraStatus(
                    mode: .manual,
                    speeds: Array(ShutterSpeed.all.prefix(3)),
                    speed: .other("BULB"),
                    speedIsWritable: true,
                    batteryPercent: 70,
                    shotsLeft: 999,
                    noiseReduction: .on,
                    focusMode: "MF",
                    isManualFocus: true,
                    iso: "100",
                    isISOAuto: false,
                    aperture: "f/8",
                    saveTarget: "card"
                ),
                [iso, PropertyState(property: .saveTarget, value: nil)]
            )
        ),
        ("GetCameras", .cameras([])),
        (
            "GetCameras",
            .cameras([
                CameraEntry(
                    state: .connected,
                    name: "Sony ILCE-7M4",
                    id: "1",
                    address: "192.0.2.1:15740",
                    network: "DIRECT-a1E0:ILCE-7M4",
                    isLast: true
                ), CameraEntry(state: .unfit, name: "ILCE-5100", address: "192.0.2.2", remark: "r"),
            ])
        ), ("WatchCameras", .cameras(CameraEntry.State.allCases.map { CameraEntry(state: $0, name: "n") })),
        ("Connect", camera(CameraStatus(mode: .manual))), ("Disconnect", .disconnected(settings: nil)),
        ("Disconnect", .disconnected(settings: "s")), ("Arm", .done),
        ("SetProperty", .property(iso)), ("SetProperty", .property(PropertyState(property: .drive, value: nil))),
        ("GetFiles", .files(.listed([]))), ("FetchFiles", .files(.sent(2))),
        ("GetFiles", .files(.listed([CameraFile(uri: "u", name: "n", kinds: [.jpeg, .raw], time: "t")]))),
        ("Snapshot", .liveView(LiveViewReport(liveView, speed: nil))),
        ("Snapshot", .liveView(LiveViewReport(liveView, speed: "1/60"))),
        ("GetPhotos", .photos(PhotosReport(policy: "none", sentence: "s", photos: []))),
        ("GetPhotos", .photos(PhotosReport(policy: "jpeg", sentence: "s", photos: [picture, barePicture]))),
        ("GetPhotos", .photos(PhotosReport(policy: "jpeg", sentence: "s", photos: [], coverage: coverage))),
        ("WatchPhotos", .photo(picture)), ("WatchPhotos", .photo(barePicture)),
        ("GetHistory", .ledger(.shoots([]))), ("GetHistory", .ledger(.shoots([summary, bareSummary]))),
        ("GetShoot", .ledger(.shoot(bareSummary.shoot, []))), ("GetShoot", .ledger(.shoot(summary.shoot, frames))),
        ("Inspect", .checks([Check("disk", .fail, "s", advice: "a"), Check("clock", .skipped, "s")])),
        ("Redo", .done), ("Pause", .done), ("Resume", .done), ("Cancel", .done), ("Dismiss", .done),
    ]

    private static let errors: [RequestError] = [
        .notConnected(sentence: "s"), .invalidPlan(parameter: "p", value: "v", sentence: "s"),
        .planNotExact(warnings: ["w"], sentence: "s"), .notNow(command: "c", state: "s", sentence: "s"),
        .propertyRefused(property: "iso", value: "v", sentence: "s"), .filesRefused(sentence: "s"),
        .liveViewRefused(sentence: "s"),
        .noSuchShoot(id: 9, sentence: "s"),
        .ledgerUnavailable(sentence: "s"), .needsMore(method: "m"),
        .tooManyClients(limit: 64), .stopping,
        .planChanged(was: "w", now: "n", sentence: "s"), .planChanged(was: "w", now: nil, sentence: "s"),
        .preflightFailed(checks: checks, sentence: "s"),
        .noSuchCamera(text: "t", known: ["k"], sentence: "s"), .planNotKept(sentence: "s"),
        .framesMissing(UnfinishedShoot(id: 7, missing: 2, total: 15), sentence: "s"),
    ]

    @Test func `the interface's text is well-formed`() throws {
        let interface = try DaemonInterface.parsed()
        #expect(interface.name == "io.bracketd")
        #expect(interface.text.hasPrefix("# Fires HDR brackets"))
    }

    @Test func `every reply has the type of its method, and no method is missing`() throws {
        let interface = try DaemonInterface.parsed()
        for (name, reply) in Self.replies {
            let method = try #require(interface.methods[name], "\(name)")
            // The client reads the encoded reply, so the test reads it too.
            let parameters = try JSONValue(parsing: reply.parameters.encoded())
            #expect(throws: Never.self, "\(name)") { try interface.check(parameters, against: method.output) }
        }
        #expect(Set(Self.replies.map(\.method)) == Set(interface.methods.keys))
    }

    @Test func `a shoot has its frames, and times in UTC`() {
        let shoot = Reply.ledger(.shoot(Self.summary.shoot, Self.frames)).parameters["shoot"]
        #expect(
            shoot?["shoot"] == [
                "id": 3, "began": "2026-11-22T02:34:19.007Z", "ended": "2026-11-22T02:34:20.000Z",
                "camera": "Sony ILCE-7M4", "cameraId": "1", "plan": "h", "outcome": "interrupted", "cause": "c",
                "captured": 1, "total": 2,
            ]
        )
        #expect(shoot?["isDismissed"] == true)
        #expect(
            shoot?["incidents"] == [
                ["kind": "paused", "reason": "command"],
                [
                    "kind": "in-doubt", "reason": "link-lost", "set": 1, "frame": 1, "speed": "1/1000",
                    "outcome": "not-fired", "began": "1970-01-01T00:00:00.000Z", "ended": "1970-01-01T00:00:00.001Z",
                ],
            ]
        )
        #expect(shoot?["dismissedBy"] == "button" && shoot?["dismissedByShoot"] == 8)
        #expect(
            shoot?["frames"] == [
                [
                    "set": 1, "frame": 1, "speed": "1/1000", "seconds": 0.001, "outcome": "suspect",
                    "again": "verified", "doubt": "d", "attempted": "2026-11-22T02:34:19.100Z",
                    "captured": "1969-12-31T23:59:59.999Z", "files": ["a/b.JPG"],
                ],
                ["set": 1, "frame": 2, "speed": "1/500", "seconds": 0.002, "outcome": "planned", "files": []],
            ]
        )
    }

    @Test func `the texts of a call are printable and not long`() throws {
        func connect(_ text: String) throws -> Request {
            try Request(VarlinkCall(method: "io.bracketd.Connect", parameters: ["camera": .string(text)]))
        }
        #expect(try connect("a\r\nb\u{1B}[2J\u{202E}") == .connect(.text("a??b?[2J?")))
        #expect(try connect("Sony ILCE-7M4") == .connect(.text("Sony ILCE-7M4")))
        guard case .connect(.text(let text)) = try connect(String(repeating: "x", count: 100_000)) else {
            Issue.record("no text")
            return
        }
        #expect(text.unicodeScalars.count == 1024)
        let plan: JSONValue = ["shadow": "1/4\u{7}", "highlight": "30\u{2033}"]
        let request = try Request(VarlinkCall(method: "io.bracketd.Plan", parameters: ["plan": plan]))
        #expect(request == .plan(PlanInput(shadow: "1/4?", highlight: "30\u{2033}")))
    }

    @Test func `a list of shoots has its bounds`() throws {
        func query(_ parameters: JSONValue) throws -> Request {
            try Request(VarlinkCall(method: "io.bracketd.GetHistory", parameters: parameters))
        }
        #expect(try query([:]) == .readLedger(.shoots(limit: 20, before: nil)))
        #expect(try query(["limit": 200, "before": 1]) == .readLedger(.shoots(limit: 200, before: 1)))
        for (parameters, parameter, sentence): (JSONValue, String, String) in [
            (["limit": 0], "limit", "limit: expected 1 to 200, found 0"),
            (["limit": 201], "limit", "limit: expected 1 to 200, found 201"),
            (["before": 0], "before", "before: shoots are numbered from 1, found 0"),
        ] {
            let error = #expect(throws: VarlinkError.self) { try query(parameters) }
            #expect(error?.name == "org.varlink.service.InvalidParameter")
            #expect(error?.parameters == ["parameter": .string(parameter), "sentence": .string(sentence)])
        }
    }

    @Test(arguments: ["2014", "2014-08", "2014-08-18", "2014-08-18T12", "2014-08-18T12:34", "2014-08-18T12:34:56"])
    func `a time of files has every form`(text: String) throws {
        let call = VarlinkCall(method: "io.bracketd.GetFiles", parameters: ["since": .string(text)])
        #expect(try Request(call) == .files(.list(since: text, limit: 100)))
    }

    @Test(arguments: [
        "", "yesterday", "2014-8-1", "2014-13", "2014-00", "2014-08-32", "2014-08-18 12:34", "2014-08-18T24",
        "2014-08-18T12:60", "2014-08-18T12:34:5", "2014-08-18T12:34:56+09:00", String(repeating: "2", count: 1 << 20),
    ])
    func `a time of files in another form is an error`(text: String) {
        let call = VarlinkCall(method: "io.bracketd.GetFiles", parameters: ["since": .string(text)])
        let error = #expect(throws: VarlinkError.self) { try Request(call) }
        #expect(error?.parameters["parameter"] == "since")
    }

    @Test func `a picture of the live view is sent as text, with its size`() {
        let parameters = Reply.liveView(LiveViewReport(Self.liveView, speed: "1/60")).parameters
        #expect(parameters["picture"]?["jpeg"]?.stringValue.flatMap(Base64.bytes) == Self.jpeg)
        #expect(parameters["picture"]?["width"] == 96 && parameters["picture"]?["height"] == 64)
        #expect(parameters["picture"]?["exposure"] == "not-shown")
    }

    @Test func `the longest picture of the live view fits in a message`() {
        let text = Base64.text(repeatElement(UInt8(0), count: LiveViewLimits.jpegMax))
        #expect(text.utf8.count + 1000 < Frame.replyLengthMax)
    }

    @Test(arguments: ["", "L", "Large"])
    func `a size of the live view that does not exist is an error`(text: String) {
        let call = VarlinkCall(method: "io.bracketd.Snapshot", parameters: ["size": .string(text)])
        let error = #expect(throws: VarlinkError.self) { try Request(call) }
        #expect(error?.parameters["sentence"] == "size: expected small or large")
    }

    @Test func `a setting has its usual name, and no value when there is none`() {
        #expect(
            Reply.property(Self.iso).parameters
                == ["property": ["name": "iso", "value": "100", "choices": ["Auto", "100"], "isWritable": true]]
        )
        let unresolved = PropertyState(property: .exposureCompensation, value: nil)
        #expect(
            Reply.property(unresolved).parameters
                == ["property": ["name": "exposure-compensation", "choices": [], "isWritable": false]]
        )
    }

    @Test func `the size of a picture too large for the protocol's integers is the largest integer`() {
        var picture = Self.picture
        picture.byteCount = .max
        #expect(Reply.photo(picture).parameters["photo"]?["byteCount"] == .int(Int64.max))
    }

    @Test func `every error is defined in the interface, with its parameters, and none is missing`() throws {
        let interface = try DaemonInterface.parsed()
        var names: Set<String> = []
        for error in Self.errors.map(\.varlinkError) {
            let name = String(error.name.dropFirst("io.bracketd.".count))
            let type = try #require(interface.errors[name], "\(name)")
            #expect(throws: Never.self, "\(name)") { try interface.check(error.parameters, against: type) }
            names.insert(name)
        }
        #expect(names == Set(interface.errors.keys))
    }

    @Test func `a camera has all its known values, and nothing else`() {
        let bare = CameraEntry(state: .there, name: "n")
        let whole = CameraEntry(
            state: .unfit,
            name: "n",
            id: "i",
            address: "a",
            network: "w",
            isLast: true,
            remark: "r",
            waitsFor: AwaitedProgram(code: "p", remark: "")
        )
        #expect(
            Reply.cameras([bare, whole]).parameters == [
                "cameras": [
                    ["state": "there", "name": "n", "isLast": false],
                    [
                        "state": "unfit", "name": "n", "id": "i", "address": "a", "network": "w", "isLast": true,
                        "remark": "r", "waitsFor": "p",
                    ],
                ]
            ]
        )
    }

    @Test func `requests about cameras reach the core`() throws {
        func request(_ method: String, _ parameters: JSONValue = .emptyObject, more: Bool = false) throws -> Request {
            try Request(VarlinkCall(method: "io.bracketd.\(method)", parameters: parameters, more: more))
        }
        #expect(try request("GetCameras") == .getCameras)
        #expect(try request("WatchCameras", more: true) == .watchCameras)
        #expect(throws: RequestError.needsMore(method: "io.bracketd.WatchCameras").varlinkError) {
            try request("WatchCameras")
        }
        #expect(try request("Connect") == .connect(.last))
        #expect(try request("Connect", ["camera": "192.0.2.1"]) == .connect(.text("192.0.2.1")))
        #expect(try request("Disconnect") == .disconnect)
        #expect(try request("Arm") == .arm(nil))
        #expect(try request("Arm", ["plan": ["shadow": "1/4"]]) == .arm(PlanInput(shadow: "1/4")))
    }

    @Test func `a plan's hash and a preflight reach the core`() throws {
        func request(_ method: String, _ parameters: JSONValue) throws -> Request {
            try Request(VarlinkCall(method: "io.bracketd.\(method)", parameters: parameters))
        }
        #expect(try request("Shoot", ["plan": ["hash": "h"]]) == .shoot(PlanInput(hash: "h"), streams: false))
        #expect(
            try request("Shoot", ["plan": [:], "drop": true]) == .shoot(PlanInput(), streams: false, drops: true)
        )
        let extension7 = ExtensionInput(shoot: 7, speeds: ["1/2000"], drops: true)
        #expect(
            try request("Extend", ["shoot": 7, "speeds": ["1/2000"], "drop": true])
                == .extend(extension7, streams: false)
        )
        #expect(try request("Retry", ["shoot": 7]) == .retryShoot(7, streams: false))
        #expect(try request("Resume", ["shoot": 7]) == .resumeShoot(7))
        #expect(try request("Retry", ["shoot": 7, "drop": true]) == .retryShoot(7, streams: false, drops: true))
        #expect(try request("Resume", ["shoot": 7, "drop": true]) == .resumeShoot(7, drops: true))
        #expect(try request("Retry", ["shoot": .null]) == .retry(streams: false))
        #expect(try request("Preflight", .emptyObject) == .preflight(PlanInput()))
        let goal: JSONValue = ["framesMax": 9, "clipPercent": 0.25, "floorCode": 40, "checkLight": true]
        let whole = GoalInput(framesMax: 9, clipPercent: 0.25, floorCode: 40, checksLight: true)
        #expect(try request("Preflight", ["plan": ["goal": goal]]) == .preflight(PlanInput(goal: whole)))
        #expect(try request("Shoot", ["plan": ["goal": [:]]]) == .shoot(PlanInput(goal: GoalInput()), streams: false))
        #expect(try request("Preflight", ["plan": ["frames": 7]]) == .preflight(PlanInput(frames: 7)))
        let failed = RequestError.preflightFailed(checks: Self.checks, sentence: "s").varlinkError.parameters
        #expect(
            failed["checks"] == [
                ["name": "drive", "result": "fail", "sentence": "s", "advice": "a"],
                ["name": "link", "result": "pass", "sentence": "s"],
            ]
        )
    }

    @Test func `every method of the interface is served`() throws {
        for name in try DaemonInterface.parsed().methods.keys.sorted() {
            let parameters: JSONValue = [
                "plan": [:], "id": 1, "name": "iso", "value": "100", "speeds": ["1/60"],
            ]
            let call = VarlinkCall(method: "io.bracketd.\(name)", parameters: parameters, more: true)
            #expect(throws: Never.self, "\(name)") { try Request(call) }
        }
    }
}
