import Bodies
import Cameras
import Controller
import Exposure
import Flight
import NIOCore
import Testing
import Worlds

extension World {
    /// A world with one body at an address, whose daemon is recorded from its first input on.
    init(of model: BodyModel, _ core: Core, _ configuration: CoreConfiguration, at address: CameraAddress) {
        // The first input comes when the world is created, so the recorder must be added before.
        var daemon = VirtualDaemon(core)
        daemon.watcher = MakerLog(configuration)
        var links: [Effect] = []
        daemon.put(.started, at: .zero, links: &links)
        var options = BodyOptions()
        options.pictureSize = 100_000
        self.init(core: core, camera: model.camera(options), place: .at(address))
        watcher = daemon.watcher
    }

    /// Fires a plan and receives its pictures. Then replays the recording, which does not contain the pictures.
    mutating func shootAndReplay(_ plan: PlanInput, _ newReplay: (FlightHeader) -> FlightReplay) throws {
        let id = ask(.shoot(plan, streams: true))
        #expect(pass { $0.daemon.progress(of: id).last?.outcome != nil })
        pass(.seconds(20))
        #expect(daemon.core.outcome == .completed)
        let log = try #require(watcher as? MakerLog)
        #expect(log.pictureByteCount > 100_000 * camera.card.count - 1)
        let file = log.file
        #expect(file.readableBytes < 100_000)

        var reader = try FlightReader(file)
        var replay = newReplay(reader.header)
        while let record = try reader.next() {
            switch replay.take(record) {
            case .success(let step): #expect(step.difference == nil)
            case .failure(let difference): Issue.record("\(difference)")
            }
        }
        #expect(replay.transitionCount > 50)
    }
}

/// Runs a scenario to its end.
func expectEveryRule(in scenario: Scenario) {
    var run = ScenarioRun(scenario, channel: DirectChannel())
    let outcome = run.finish()
    #expect(outcome.violation == nil, "\(outcome.violation?.description ?? "")")
    #expect(outcome.shoots > 0 && outcome.exposures > 0)
}

/// Records a daemon in a simulated world.
struct MakerLog: WorldWatcher {
    private var writer: FlightWriter
    private(set) var pictureByteCount = 0

    init(_ configuration: CoreConfiguration) {
        let header = FlightHeader(
            version: Version.current,
            configuration: configuration,
            charts: Core.chartDigests,
            began: 1_700_000_000_000,
            clock: .zero
        )
        writer = FlightWriter(header)
    }

    mutating func took(_ input: Input, _ performed: ArraySlice<Effect>, core: Core, at now: Duration) {
        writer.note(input, at: now, Array(performed))
        for case .picture(_, .bytes(let bytes)) in performed { pictureByteCount += bytes.readableBytes }
    }

    mutating func did(_ action: BodyAction, camera: Int, at now: Duration) {}
    mutating func died(ledger: VirtualLedger.Tables, isPowerCut: Bool, at now: Duration) {}

    var file: ByteBuffer {
        var writer = writer
        return writer.takeBytes()
    }
}
