import Cameras
import Controller
import Exposure
import Testing
import Varlink

@testable import Host

/// What the daemon says against the text of its interface.
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
        cause: "link-lost"
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

    private static let barePicture = PhotoReport(id: 1, state: .receiving, name: "n")

    /// Each kind of reply, full and as bare as it can be, with the method that it answers.
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
                    shoot: progress
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
        ("Shoot", .progress(progress)),
        ("Retry", .progress(Progress(shoot: 1, captured: 0, total: 1, phase: "idle", sentence: "s"))),
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
        ("SetProperty", .property(iso)), ("SetProperty", .property(PropertyState(property: .drive, value: nil))),
        ("GetPhotos", .photos(PhotosReport(policy: "none", sentence: "s", photos: []))),
        ("GetPhotos", .photos(PhotosReport(policy: "jpeg", sentence: "s", photos: [picture, barePicture]))),
        ("WatchPhotos", .photo(picture)), ("WatchPhotos", .photo(barePicture)),
        ("Pause", .done), ("Resume", .done), ("Cancel", .done), ("Dismiss", .done),
    ]

    private static let errors: [RequestError] = [
        .notConnected(sentence: "s"), .invalidPlan(parameter: "p", value: "v", sentence: "s"),
        .planNotExact(warnings: ["w"], sentence: "s"), .notNow(command: "c", state: "s", sentence: "s"),
        .propertyRefused(property: "iso", value: "v", sentence: "s"), .needsMore(method: "m"),
        .tooManyClients(limit: 64), .stopping,
    ]

    @Test func `the interface's text is well-formed`() throws {
        let interface = try VarlinkService.interface()
        #expect(interface.name == "io.bracketd")
        #expect(interface.text.hasPrefix("# Fires HDR brackets"))
    }

    @Test func `every reply is what its method promises, and every method has one here`() throws {
        let interface = try VarlinkService.interface()
        for (name, reply) in Self.replies {
            let method = try #require(interface.methods[name], "\(name)")
            // As a client reads it.
            let parameters = try JSONValue(parsing: reply.parameters.encoded())
            #expect(throws: Never.self, "\(name)") { try interface.check(parameters, against: method.output) }
        }
        #expect(Set(Self.replies.map(\.method)) == Set(interface.methods.keys))
    }

    @Test func `a setting is told under the name that people use, and without a value when there is none`() {
        #expect(
            Reply.property(Self.iso).parameters
                == ["property": ["name": "iso", "value": "100", "choices": ["Auto", "100"], "isWritable": true]]
        )
        let untold = PropertyState(property: .exposureCompensation, value: nil)
        #expect(
            Reply.property(untold).parameters
                == ["property": ["name": "exposure-compensation", "choices": [], "isWritable": false]]
        )
    }

    @Test func `a picture too large for the protocol's integers is told as the largest`() {
        var picture = Self.picture
        picture.byteCount = .max
        #expect(Reply.photo(picture).parameters["photo"]?["byteCount"] == .int(Int64.max))
    }

    @Test func `every error is one of the interface's, with its parameters, and every one can be said`() throws {
        let interface = try VarlinkService.interface()
        var names: Set<String> = []
        for error in Self.errors.map(\.varlinkError) {
            let name = String(error.name.dropFirst("io.bracketd.".count))
            let type = try #require(interface.errors[name], "\(name)")
            #expect(throws: Never.self, "\(name)") { try interface.check(error.parameters, against: type) }
            names.insert(name)
        }
        #expect(names == Set(interface.errors.keys))
    }

    @Test func `every method of the interface is served`() throws {
        for name in try VarlinkService.interface().methods.keys.sorted() {
            let call = VarlinkCall(method: "io.bracketd.\(name)", parameters: ["plan": [:]], more: true)
            #expect(throws: Never.self, "\(name)") { try Request(call) }
        }
    }
}
