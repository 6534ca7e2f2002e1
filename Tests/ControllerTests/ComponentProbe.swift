import Cameras
import Statecharts

@testable import Controller

/// A driver for tests of one component. It opens a connection and keeps the commands that it receives.
struct ProbeCamera: Camera {
    private(set) var commands: [CameraCommand] = []
    private(set) var tickets: [Ticket] = []
    private(set) var nextDeadline: Duration?
    private var isOpen = false

    static let link = LinkID(0)

    mutating func perform(
        _ command: CameraCommand,
        ticket: Ticket,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        commands.append(command)
        tickets.append(ticket)
        guard case .connect(let address, _, _, _) = command else { return }
        if isOpen { actions.append(.close(Self.link)) }
        isOpen = true
        actions.append(.open(Self.link, LinkTarget(address), timeout: .seconds(5)))
    }

    mutating func receive(_ event: LinkEvent, at now: Duration, into actions: inout [CameraAction]) {}

    mutating func takeRecordableParts() -> [Range<Int>] { [] }

    mutating func advance(to now: Duration, into actions: inout [CameraAction]) {}
}

/// Inputs that components receive in tests without a core.
enum Probe {
    static let near = CameraAddress(host: "10.0.0.7")
    static let far = CameraAddress(host: "10.0.0.8")
    static let offer = CameraOffer(.ptpip, near)
    static let identity = CameraIdentity(maker: "Sony", model: "Script", firmware: "1", serial: "7", id: "7")
    static let row = CameraRow(
        id: "7",
        maker: "Sony",
        model: "Script",
        firmware: "1",
        address: near.description,
        network: nil
    )

    static var driver: DriverSet {
        let identity = InitiatorIdentity(guid: Array(0..<16), name: "probe")
        return DriverSet(CameraDrivers([.init(.ptpip) { _ in ProbeCamera() }]), identity)
    }

    /// A connection that waits for an address.
    static var seeking: ChartRun<ConnectionModel> {
        var chart = ChartRun(ConnectionModel())
        _ = chart.start(at: .zero)
        return chart
    }

    static func connection(after messages: [TurnMessage] = [], _ queued: [Message] = []) -> ChartRun<ConnectionModel> {
        var chart = seeking
        var turn = Turn(at: .zero)
        for message in messages { chart.receive(message, in: &turn) }
        for message in queued { chart.receive(message, in: &turn) }
        return chart
    }

    static var online: ChartRun<ConnectionModel> {
        connection(after: [.sessionAdopted(session(1))])
    }

    static func session(_ number: UInt32) -> OpenSession {
        let meeting = OpenedCamera(offer: CameraOffer(.ptpip, near), identity: identity, status: ScriptedCamera.ready)
        let generation = LinkGeneration(rawValue: number)
        return OpenSession(generation: generation, driver: driver, address: near, meeting: meeting)
    }

    /// A network of 254 hosts.
    static var network: NetworkModel {
        let own = NetworkInterface.Address(IPAddress(bytes: [10, 0, 0, 5]), prefixLength: 24)
        let interface = NetworkInterface(index: 2, name: "wlan0", isUp: true, addresses: [own])
        var model = NetworkModel()
        _ = model.assess(NetworkSnapshot(interfaces: [interface]), by: SearchRules())
        return model
    }

    static func goal(
        _ ways: Set<SearchMethod> = [],
        address: CameraAddress? = nil,
        choice: CameraChoice? = nil,
        shootCamera: WantedCamera? = nil
    ) -> SearchGoal {
        SearchGoal(
            rules: SearchRules(ways: ways),
            configuredAddress: address,
            choice: choice,
            shootCamera: shootCamera,
            network: network
        )
    }
}

extension Turn {
    /// The messages that were added to the queue.
    var queued: [Message] {
        effects.list.compactMap { if case .enqueue(let message) = $0 { message } else { nil } }
    }

    var failures: [RequestError] {
        effects.list.compactMap { if case .fail(_, let error) = $0 { error } else { nil } }
    }
}
