import Bodies
import Cameras
import Controller
import Flight
import NIOCore
import Testing
import Worlds

/// Records every run of a daemon in a simulated world.
struct FlightLog: WorldWatcher {
    private let header: FlightHeader
    /// The maximum size of a file in bytes.
    private let partSize: Int
    private var writer: FlightWriter
    /// The last input. The process may end while it handles this input.
    private var last: (input: Input, effects: [Effect], time: Duration)?
    /// The files of the present run.
    private var files: [ByteBuffer] = []
    private var earlier: [[ByteBuffer]] = []
    /// The inputs of the present run.
    private(set) var inputs: [Input] = []
    private(set) var pictures: [ByteBuffer] = []

    init(_ configuration: CoreConfiguration, partSize: Int = .max) {
        header = FlightHeader(
            version: Version.current,
            configuration: configuration,
            charts: Core.chartDigests,
            began: 1_700_000_000_000,
            clock: .zero
        )
        self.partSize = partSize
        writer = FlightWriter(header)
    }

    mutating func took(_ input: Input, _ performed: ArraySlice<Effect>, core: Core, at now: Duration) {
        note()
        last = (input, Array(performed), now)
        inputs.append(input)
        for effect in performed {
            if case .picture(_, .bytes(let bytes)) = effect { pictures.append(bytes) }
        }
    }

    mutating func did(_ action: BodyAction, camera: Int, at now: Duration) {}

    mutating func died(ledger: VirtualLedger.Tables, isPowerCut: Bool, at now: Duration) {
        // The daemon did not complete the input in progress.
        last = nil
        end()
        earlier.append(files)
        files = []
        inputs = []
        var header = header
        header.clock = now
        writer = FlightWriter(header)
    }

    private mutating func note() {
        guard let (input, effects, time) = last else { return }
        last = nil
        writer.note(input, at: time, effects)
        guard writer.byteCount > partSize else { return }
        files.append(writer.takeBytes())
        writer.beginPart()
    }

    private mutating func end() {
        note()
        files.append(writer.takeBytes())
    }

    /// The files of each run.
    var runs: [[ByteBuffer]] {
        var log = self
        log.end()
        return log.earlier + [log.files]
    }
}

extension World {
    /// A world whose daemon is recorded from its first input on.
    static func recorded(
        _ configuration: CoreConfiguration,
        model: SonyModel = .ilce7M4,
        options: BodyOptions = BodyOptions(),
        place: WorldCamera.Place = .everywhere,
        network: World.Network = World.Network(),
        partSize: Int = .max
    ) -> World {
        let camera = SimulatedCamera(model: model, options: options)
        return recorded(configuration, camera, place: place, network: network, partSize: partSize)
    }

    /// A world with a camera of any maker.
    static func recorded(
        _ configuration: CoreConfiguration,
        _ camera: SimulatedCamera,
        place: WorldCamera.Place = .everywhere,
        network: World.Network = World.Network(),
        partSize: Int = .max
    ) -> World {
        let core = Core(configuration: configuration)
        // The first input comes when the world is created, so the recorder must be added before.
        var daemon = VirtualDaemon(core)
        daemon.watcher = FlightLog(configuration, partSize: partSize)
        var links: [Effect] = []
        daemon.put(.started, at: .zero, links: &links)
        var world = World(core: core, camera: camera, place: place, network: network)
        world.watcher = daemon.watcher
        return world
    }

    var log: FlightLog {
        get throws { try #require(watcher as? FlightLog) }
    }

    /// Connects and fires. Returns whether the shoot ended.
    @discardableResult
    mutating func fire(_ plan: PlanInput, rest: Duration = .seconds(20)) -> Bool {
        guard pass(until: { $0.daemon.state("connection") == "connected" }) else { return false }
        let id = ask(.shoot(plan, streams: true))
        let isOver = pass { $0.daemon.progress(of: id).last?.outcome != nil }
        pass(rest)
        return isOver
    }
}

struct Replayed: Equatable {
    var records = 0
    var transitions = 0
    var difference: FlightDifference?
    var warnings: [String] = []
}

/// Replays a run.
///
/// - Parameter change: a function that changes each record.
func replay(
    _ files: [ByteBuffer],
    configuration: CoreConfiguration? = nil,
    _ change: (inout FlightRecord) -> Void = { _ in }
) throws -> Replayed {
    var header = try FlightReader(try #require(files.first)).header
    if let configuration { header.configuration = configuration }
    var replay = FlightReplay(header)
    var result = Replayed(warnings: replay.warnings)
    for file in files {
        var reader = try FlightReader(file)
        #expect(reader.recordsBefore == replay.recordCount)
        while var record = try reader.next() {
            change(&record)
            switch replay.take(record) {
            case .success(let step): result.difference = step.difference
            case .failure(let difference): result.difference = difference
            }
            if result.difference != nil { break }
        }
        #expect(result.difference != nil || reader.tornByteCount == 0)
    }
    result.records = replay.recordCount
    result.transitions = replay.transitionCount
    return result
}
