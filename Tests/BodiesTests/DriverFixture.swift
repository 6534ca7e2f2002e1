import Bodies
import Cameras
import Exposure
import Testing

/// The real driver, a virtual network and a simulated body.
final class DriverFixture {
    static let address = CameraAddress(host: "192.168.122.1")

    private(set) var driver = PTPIP(identity: InitiatorIdentity(guid: Array(1...16), name: "bracketd"))
    var network: VirtualNetwork
    private(set) var now = Duration.seconds(100)
    private(set) var events: [CameraEvent] = []
    private(set) var pictures: [(id: PictureID, action: PictureAction)] = []
    private var tickets: UInt32 = 0
    private var actions: [CameraAction] = []

    init(
        _ faults: String...,
        model: SonyModel = .ilce7M4,
        delay: Duration = .milliseconds(2),
        options change: (inout BodyOptions) -> Void = { _ in }
    ) throws {
        var options = BodyOptions()
        options.faults = try faults.map { try Fault(parsing: $0) }
        change(&options)
        network = VirtualNetwork(delay: delay)
        network.add(SimulatedCamera(model: model, options: options), at: Self.address)
    }

    /// The driver with a camera of any maker.
    init(_ camera: SimulatedCamera, delay: Duration = .milliseconds(2)) {
        network = VirtualNetwork(delay: delay)
        network.add(camera, at: Self.address)
    }

    var card: [CardFrame] { network.camera(at: Self.address)?.card ?? [] }
    var labels: [String] { card.map(\.label) }

    func perform(_ command: CameraCommand) {
        tickets += 1
        events = []
        driver.perform(command, ticket: Ticket(rawValue: tickets), at: now, into: &actions)
        performActions()
    }

    /// Performs a command and advances the time until an event ends the command.
    ///
    /// - Returns: that event; nil if none arrived within the limit.
    @discardableResult
    func perform(
        _ command: CameraCommand,
        limit: Duration = .seconds(120),
        until isEnd: (CameraEvent) -> Bool
    ) -> CameraEvent? {
        perform(command)
        let end = now + limit
        while true {
            if let event = events.first(where: isEnd) { return event }
            guard let next = nextDeadline, next <= end else { return nil }
            step(to: max(next, now))
        }
    }

    func advance(_ duration: Duration) {
        let end = now + duration
        while let next = nextDeadline, next <= end { step(to: max(next, now)) }
        now = end
    }

    private var nextDeadline: Duration? {
        [driver.nextDeadline, network.nextDeadline].compactMap(\.self).min()
    }

    private func step(to time: Duration) {
        now = time
        var links: [LinkEvent] = []
        network.advance(to: now, into: &links)
        for link in links {
            driver.receive(link, at: now, into: &actions)
            performActions()
        }
        driver.advance(to: now, into: &actions)
        performActions()
    }

    func kick() {
        var links: [LinkEvent] = []
        network.kick(at: now, into: &links)
        for link in links {
            driver.receive(link, at: now, into: &actions)
            performActions()
        }
    }

    private func performActions() {
        let pending = actions
        actions = []
        for action in pending {
            switch action {
            case .report(let event, _): events.append(event)
            case .picture(let id, let action): pictures.append((id, action))
            default: break
            }
            network.perform(action, at: now)
        }
    }

    // MARK: The controller's commands

    @discardableResult
    func connect() -> CameraEvent? {
        perform(.connect(Self.address)) { event in
            switch event {
            case .status, .refused, .lost: true
            default: false
            }
        }
    }

    /// Sets a speed, confirms it and fires, each once.
    ///
    /// - Returns: `.idle`, or the error.
    func shoot(_ text: String) throws -> CameraEvent? {
        let speed = try ShutterSpeed(parsing: text)
        let set = perform(.setSpeed(speed)) { Self.isEnd($0) || $0 == .speedAccepted }
        guard set == .speedAccepted else { return set }
        let read = perform(.readSpeed, limit: .seconds(5)) { Self.isEnd($0) || $0 == .speedRead(.speed(speed)) }
        guard read == .speedRead(.speed(speed)) else { return read }
        return perform(.capture(speed)) { Self.isEnd($0) || $0 == .idle }
    }

    private static func isEnd(_ event: CameraEvent) -> Bool {
        switch event {
        case .busy, .failed, .lost: true
        default: false
        }
    }
}
