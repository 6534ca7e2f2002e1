import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// Shoots on simulated bodies with Sony's HTTP API through the whole system.
@Suite struct SonyHTTPWorldTests {
    private static let three = PlanInput(shadow: "1/60", highlight: "1/250", frames: 3, spacing: 1)

    private func world(
        _ model: SonyHTTPModel,
        _ faults: String...,
        policy: TransferPolicy = .jpeg,
        options change: (inout BodyOptions) -> Void = { _ in }
    ) throws -> World {
        var options = BodyOptions()
        options.faults = try faults.map { try Fault(parsing: $0, for: "sony-http") }
        change(&options)
        let port = options.selectedPictures == nil ? model.port : SonyHTTPBody.descriptionPort
        let address = CameraAddress(host: "192.0.2.1", port: port)
        let core = Core(
            configuration: CoreConfiguration(
                cameraAddress: address,
                identity: InitiatorIdentity(guid: Array(1...16), name: "world"),
                transfer: TransferConfiguration(policy: policy)
            )
        )
        return World(core: core, camera: model.row.camera(options), place: .at(address)).checked
    }

    private func fire(_ plan: PlanInput = Self.three, in world: inout World) throws -> (Progress, PhotosReport) {
        world.pass { $0.daemon.state("connection") == "connected" }
        let id = world.ask(.shoot(plan, streams: true))
        world.pass { $0.daemon.progress(of: id).last?.outcome != nil }
        world.pass(.seconds(30))
        let list = world.ask(.getPhotos)
        return (try #require(world.daemon.progress(of: id).last), try #require(world.daemon.photos(of: list)))
    }

    @Test(arguments: ["a6000", "a5000", "a6300", "rx100m4"])
    func `every picture of a bracket on a body with the HTTP API is stored and verified`(name: String) throws {
        var world = try world(try #require(SonyHTTPModel.named(name)))
        let (end, photos) = try fire(in: &world)
        #expect(end.outcome == .completed, "\(end)")
        let labels = world.camera.card.map(\.label)
        #expect(labels.count >= 3)
        #expect(photos.photos.filter { $0.state == .verified }.count == labels.count, "\(photos)")
        expectSound(world)
    }

    @Test(arguments: [
        "needs-focus", "not-ready-first=3", "not-ready-gap=500ms", "no-error-texts", "result-first", "plain-slashes",
        "closes-connections", "poll-end=error-2", "poll-end=error-1", "bad-reply=no-json", "bad-reply=other-id",
        "bad-reply=huge", "bad-reply=deep", "bad-reply=numbers", "bad-reply=redirect", "no-url@2", "expired-url@2",
        "foreign-urls", "stale@2", "ignore-sets=1", "wrong-speed@2=1/30,times=1", "busy=shutter:2", "busy=set:3",
        "jump@2", "fail@2", "events-silent", "event-storm=20", "never-idle@2,back=20s", "no-candidates",
        "bad-reply=slow", "busy@2=any:3", "locked=actHalfPressShutter", "locked=getAvailableShutterSpeed",
        "locked=setPostviewImageSize", "late-counter=1s",
    ])
    func `a shoot with a fault of these bodies completes`(fault: String) throws {
        var world = try world(.a6300, fault, policy: .none)
        let (end, _) = try fire(in: &world)
        #expect(end.outcome == .completed, "\(fault): \(end)")
        #expect(Set(world.camera.card.map(\.label)).isSuperset(of: ["1/60", "1/125", "1/250"]))
        expectSound(world)
    }

    @Test func `a frame without focus was certainly not fired`() throws {
        var world = try world(.a6300, "no-focus@2,times=9", policy: .none)
        let (end, _) = try fire(in: &world)
        #expect(end.outcome == .partial && world.camera.card.count == 1, "\(end)")
        #expect(!end.sentence.contains("may have been fired"), "\(end.sentence)")
        expectSound(world)
    }

    // A press that fails while the counter still shows the previous picture.
    @Test(arguments: ["fail@2", "no-url@2", "drop@2:press", "drop@2:expose", "mute@2:press"])
    func `a late counter of the remaining pictures proves no other frame`(fault: String) throws {
        var world = try world(.a6000, "late-counter=1500ms", fault, policy: .none)
        let (end, _) = try fire(in: &world)
        #expect(end.outcome == .completed, "\(fault): \(end)")
        #expect(Set(world.camera.card.map(\.label)).isSuperset(of: ["1/60", "1/125", "1/250"]))
        expectSound(world)
    }

    @Test func `a late counter does not turn an answer without a picture into a picture`() throws {
        var world = try world(.a6000, "late-counter=1500ms", "no-picture@2", policy: .none)
        let (end, _) = try fire(in: &world)
        #expect(end.outcome == .partial, "\(end)")
        #expect(world.camera.card.map(\.label) == ["1/250"])
        expectSound(world)
    }

    @Test(arguments: ["a6000", "rx100m4"])
    func `a picture whose URL ended with its session is given up, and the shoot completes`(name: String) throws {
        var world = try world(try #require(SonyHTTPModel.named(name)), "transfer-breaks@2=1000B,back=15s") {
            $0.pictureSize = 20_000
        }
        let (end, photos) = try fire(in: &world)
        #expect(end.outcome == .completed, "\(end)")
        #expect(world.camera.card.count == 3)
        #expect(photos.photos.filter { $0.state == .verified }.count >= 2, "\(photos)")
        expectSound(world)
    }

    // The daemon reaches a body that is back soon on new connections, as if nothing had happened.
    @Test(arguments: ["a6000", "a5000", "a6300", "rx100m4"], [1, 30])
    func `a changed battery loses no frame`(name: String, seconds: Int) throws {
        var world = try world(try #require(SonyHTTPModel.named(name)), policy: .none)
        world.pass { $0.daemon.state("connection") == "connected" }
        world.powerOff()
        world.pass(.seconds(seconds))
        world.powerOn()
        let (end, _) = try fire(in: &world)
        #expect(end.outcome == .completed, "\(end)")
        #expect(world.camera.card.map(\.label) == ["1/250", "1/125", "1/60"])
        expectSound(world)
    }

    // MARK: Files

    private func files(_ request: CameraFileRequest, in world: inout World) throws -> CameraFileAnswer {
        let id = world.ask(.files(request))
        world.pass { !$0.daemon.answers(to: id).isEmpty }
        let answers = world.daemon.answers(to: id)
        let files = answers.compactMap { if case .reply(.files(let answer), _) = $0 { answer } else { nil } }
        return try #require(files.last, "\(request): \(answers)")
    }

    private func photos(in world: inout World) throws -> [PhotoReport] {
        world.pass(.seconds(5))
        let list = world.ask(.getPhotos)
        return try #require(world.daemon.photos(of: list)).photos
    }

    @Test func `the files on the card are listed and fetched, with RAW files, and the body shoots again`() throws {
        var world = try world(.a6300, policy: .none)
        _ = try fire(in: &world)
        guard case .listed(let list) = try files(.list(since: nil, limit: 10), in: &world) else {
            Issue.record("no list")
            return
        }
        #expect(list.map(\.name) == ["DSC00003.JPG", "DSC00002.JPG", "DSC00001.JPG"])
        #expect(list.allSatisfy { $0.kinds == [.jpeg, .raw] })
        #expect(try files(.get(list.prefix(2).map(\.uri)), in: &world) == .sent(2))
        let photos = try photos(in: &world)
        #expect(Set(photos.map(\.name)) == ["DSC00003.JPG", "DSC00003.ARW", "DSC00002.JPG", "DSC00002.ARW"])
        #expect(photos.allSatisfy { ![.failed, .skipped].contains($0.state) }, "\(photos)")
        let (end, _) = try fire(in: &world)
        #expect(end.outcome == .completed && world.camera.card.count == 6)
        expectSound(world)
    }

    @Test func `the pictures that were selected for this computer are listed and fetched`() throws {
        var world = try world(.a6300) { $0.selectedPictures = 60 }
        world.pass { $0.daemon.state("connection") == "connected" }
        guard case .listed(let list) = try files(.listSelected, in: &world) else {
            Issue.record("no list")
            return
        }
        #expect(list.count == 60 && Set(list.map(\.name)).count == 60)
        #expect(try files(.getSelected, in: &world) == .sent(60))
        let photos = try photos(in: &world)
        #expect(Set(photos.map(\.name)) == Set(list.map(\.name)), "\(photos.count)")
        #expect(photos.allSatisfy { ![.failed, .skipped].contains($0.state) })
        #expect(world.cameraLog.contains { $0.contains("the transfer has ended") })
    }

    @Test func `an exposure of 30 s with noise reduction is waited for`() throws {
        var world = try world(.a6000) { $0.noiseReduction = true }
        let (end, photos) = try fire(PlanInput(shadow: "30\"", highlight: "8\"", frames: 3, spacing: 1), in: &world)
        #expect(end.outcome == .completed, "\(end)")
        #expect(photos.photos.map(\.state) == [.verified, .verified, .verified])
        expectSound(world)
    }

    @Test func `a body with the pre-installed app says that the app must be installed`() throws {
        var world = try world(.nex6Reduced)
        world.pass(.seconds(10))
        let id = world.ask(.shoot(Self.three, streams: true))
        world.pass(.seconds(30))
        #expect(world.camera.card.isEmpty)
        #expect(world.daemon.progress(of: id).last?.outcome == nil)
        let status = world.daemon.core.statusReport.sentence
        #expect(status.contains("Smart Remote Control"), "\(status)")
        expectSound(world)
    }

    @Test func `an idle body gets one poll and nothing else`() throws {
        var world = try world(.a6000)
        world.pass { $0.daemon.state("connection") == "connected" }
        world.pass(.seconds(5))
        let before = world.cameraLog.filter { $0.hasPrefix("POST") || $0.hasPrefix("GET") }.count
        world.pass(.seconds(600))
        let count = world.cameraLog.filter { $0.hasPrefix("POST") || $0.hasPrefix("GET") }.count - before
        // A poll of version 1.3 lasts 60 s.
        #expect((9...11).contains(count), "\(count) requests in 10 minutes")
        expectSound(world)
    }

    @Test func `the orderly end releases the button and leaves the recording mode`() throws {
        var world = try world(.a6300, "needs-focus")
        _ = try fire(in: &world)
        #expect(!world.camera.isButtonHeld && world.camera.isSessionOpen)
        world.ask(.disconnect)
        world.pass(.seconds(10))
        #expect(!world.camera.isSessionOpen)
        expectSound(world)
    }
}
