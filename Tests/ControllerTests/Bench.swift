import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// The core with a virtual clock and a scripted camera.
struct Bench {
    private(set) var daemon: VirtualDaemon
    private(set) var now = Duration.zero
    private var configuration: CoreConfiguration

    typealias Answer = VirtualDaemon.Answer.Content

    static let address = CameraAddress(host: "127.0.0.1", port: 15740)
    private static let stepsMax = 100_000

    init(
        _ camera: ScriptedCamera = ScriptedCamera(),
        address: CameraAddress? = Self.address,
        transfer: TransferConfiguration = TransferConfiguration(),
        ledger: LedgerMode = .required,
        change: (inout CoreConfiguration) -> Void = { _ in }
    ) {
        let identity = InitiatorIdentity(guid: Array(0..<16), name: "bench")
        configuration = CoreConfiguration(
            cameraAddress: address,
            identity: identity,
            transfer: transfer,
            ledger: ledger
        )
        change(&configuration)
        daemon = VirtualDaemon(Core(configuration: configuration, drivers: CameraDrivers(camera)))
        daemon.disk.metadata = { ScriptedPicture.read($0) }
        put(.started)
    }

    // MARK: Driving

    /// Adds an input to the queue, and handles everything that follows from the input at this instant.
    mutating func put(_ input: Input) {
        handle(input)
        settleInstant()
    }

    /// Advances the time, from deadline to deadline.
    mutating func pass(_ time: Duration) {
        let end = now + time
        pass(until: end) { _ in false }
        now = end
    }

    /// Advances the time while the daemon does not run. Deadlines in this time are handled later.
    mutating func stall(_ time: Duration) { now += time }

    /// Advances the time until the condition holds, but by at most an hour.
    mutating func pass(until condition: (Bench) -> Bool) {
        pass(until: now + .seconds(3600), condition)
    }

    /// Sends a request, and returns its number.
    @discardableResult
    mutating func ask(_ request: Request) -> RequestID {
        let id = daemon.nextRequest()
        put(.request(id, request))
        return id
    }

    /// Changes the script of the camera from now on.
    mutating func camera(_ change: (inout ScriptedCamera, Duration) -> Void) {
        var camera = scripted
        change(&camera, now)
        daemon.change { $0.camera = camera }
        settleInstant()
    }

    mutating func disk(_ change: (inout VirtualDisk) -> Void) {
        change(&daemon.disk)
    }

    mutating func ledger(_ change: (inout VirtualLedger) -> Void) {
        change(&daemon.ledger)
    }

    /// Kills the daemon at this instant. The camera keeps its state.
    mutating func kill(writesPending: Bool = false, isPowerCut: Bool = false) {
        var camera = scripted
        camera.hangUp()
        let core = Core(configuration: configuration, drivers: CameraDrivers(camera))
        daemon.crash(core, writesPending: writesPending, isPowerCut: isPowerCut, at: now)
    }

    mutating func restart() {
        put(.started)
    }

    private mutating func pass(until end: Duration, _ condition: (Bench) -> Bool) {
        var steps = 0
        while !condition(self), let due = daemon.nextDeadline, due <= end {
            steps += 1
            precondition(steps < Self.stepsMax, "the time does not advance")
            now = max(now, due)
            var links: [Effect] = []
            daemon.advance(to: now, links: &links)
            precondition(links.isEmpty, "a scripted camera has no connections")
        }
    }

    /// Handles the camera's answers at this instant.
    private mutating func settleInstant() {
        pass(until: now) { _ in false }
    }

    private mutating func handle(_ input: Input) {
        var links: [Effect] = []
        daemon.put(input, at: now, links: &links)
        precondition(links.isEmpty, "a scripted camera has no connections")
    }

    // MARK: Reading

    var scripted: ScriptedCamera {
        guard let camera = daemon.core.camera as? ScriptedCamera else {
            preconditionFailure("the bench has a scripted camera")
        }
        return camera
    }

    var status: StatusReport { daemon.core.statusReport }
    var journal: [JournalEntry] { daemon.journal }
    var isFinished: Bool { daemon.isFinished }

    func state(_ chart: String) -> String? { daemon.state(chart) }
    func answers(to id: RequestID) -> [Answer] { daemon.answers(to: id) }
    func progress(of id: RequestID) -> [Progress] { daemon.progress(of: id) }
    func transitions(_ chart: String) -> [String] { daemon.transitions(chart) }
}
