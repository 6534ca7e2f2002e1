import Cameras
import Statecharts
import Testing

@testable import Controller

/// Tests the connect requests alone, by the messages that they receive and send.
@Suite struct ConnectRequestsTests {
    private var requests = ConnectRequests()
    private var turn = Turn(at: .zero)

    init() {
        _ = requests.chart.start(at: .zero)
    }

    private func facts(
        _ connection: ChartRun<ConnectionModel> = Probe.seeking,
        shoot: ConnectRequests.ShootFacts? = nil,
        releasesWaiting: Int = 0
    ) -> ConnectRequests.Facts {
        ConnectRequests.Facts(
            goal: Probe.goal([.known], choice: requests.choice),
            connection: connection.facts,
            isOnCamerasNetwork: true,
            cameras: KnownCameras(),
            wasAddressPicked: true,
            releasesWaiting: releasesWaiting,
            shoot: shoot
        )
    }

    private static func id(_ number: UInt64) -> RequestID { RequestID(rawValue: number) }

    private mutating func connect(_ address: CameraAddress, _ id: RequestID, _ facts: ConnectRequests.Facts) {
        requests.connect(.text(address.description), id, among: [], facts, in: &turn)
    }

    @Test mutating func `a request sets the search's target, and waits`() {
        connect(Probe.near, Self.id(1), facts())
        #expect(requests.choice == CameraChoice(address: Probe.near))
        #expect(requests.chart.isActive(.waiting))
        #expect(turn.takeMessages().contains(.wait(Self.id(1), for: .connection)))
        #expect(turn.queued == [.cameraChosen])
    }

    @Test mutating func `a second request replaces the first, whose client is answered before`() throws {
        connect(Probe.near, Self.id(1), facts())
        _ = turn.takeMessages()
        connect(Probe.far, Self.id(2), facts())
        #expect(requests.choice == CameraChoice(address: Probe.far))
        let messages = turn.takeMessages()
        let end = try #require(messages.firstIndex { if case .fail(.connection, _) = $0 { true } else { false } })
        let wait = try #require(messages.firstIndex(of: .wait(Self.id(2), for: .connection)))
        #expect(end < wait)
    }

    @Test mutating func `a camera that waits for another program can be requested`() {
        let entry = CameraEntry(state: .there, name: "EOS R6", address: Probe.near.host, remark: "r")
        requests.connect(.text("EOS R6"), Self.id(1), among: [entry], facts(), in: &turn)
        #expect(requests.choice == CameraChoice(address: Probe.near))
        #expect(turn.failures.isEmpty)
    }

    @Test mutating func `a typed address means any camera there, because many cameras have the same address`() {
        let entry = CameraEntry(state: .known, name: "Sony ILCE-6000", id: "sony:1", address: Probe.near.description)
        let texts = [Probe.near.description: nil, "sony ilce-6000": "sony:1", "sony:1": "sony:1", "1": "sony:1"]
        for (text, id) in texts {
            requests.connect(.text(text), Self.id(1), among: [entry], facts(), in: &turn)
            #expect(requests.choice?.wanted?.id == id && requests.choice?.address == Probe.near, "\(text)")
        }
        #expect(turn.failures.isEmpty)
    }

    @Test mutating func `a typed address of the connected camera means this camera`() {
        let id = Probe.identity.id
        let entry = CameraEntry(state: .connected, name: "Script", id: id, address: Probe.near.description)
        requests.connect(.text(entry.address ?? ""), Self.id(1), among: [entry], facts(Probe.online), in: &turn)
        #expect(requests.choice?.wanted?.id == id && turn.queued.isEmpty)
    }

    @Test mutating func `a typed address where the connected camera was before connects there again`() {
        let id = Probe.identity.id
        let entry = CameraEntry(state: .known, name: "Script", id: id, address: Probe.far.description)
        requests.connect(.text(entry.address ?? ""), Self.id(1), among: [entry], facts(Probe.online), in: &turn)
        #expect(requests.choice == CameraChoice(address: Probe.far) && turn.queued == [.cameraChosen])
    }

    @Test mutating func `clients are answered when the camera is connected`() {
        connect(Probe.near, Self.id(1), facts())
        _ = turn.takeMessages()
        requests.receive(.connectionMoved, facts(), in: &turn)
        #expect(!turn.hasMessages)
        requests.receive(.connectionMoved, facts(Probe.online), in: &turn)
        #expect(turn.takeMessages() == [.describeCamera(to: .connection)])
        #expect(requests.chart.isActive(.free))
    }

    @Test mutating func `a failed request is forgotten, and the target before it applies again`() {
        connect(Probe.near, Self.id(1), facts())
        _ = turn.takeMessages()
        #expect(requests.chart.machine.nextDeadline == ConnectModel.timeMax)
        turn = Turn(at: ConnectModel.timeMax, turn.numbers)
        let outcome = requests.chart.advance(to: turn.now)
        requests.perform(outcome, facts(), in: &turn)
        #expect(requests.choice == nil)
        let messages = turn.takeMessages()
        #expect(messages.first == .goalChanged)
        #expect(messages.contains { if case .fail(.connection, .notConnected) = $0 { true } else { false } })
    }

    @Test mutating func `a failed request for the camera that stays wanted does not say that the daemon gives up`() {
        func configured() -> ConnectRequests.Facts {
            ConnectRequests.Facts(
                goal: Probe.goal(address: Probe.near, choice: requests.choice),
                connection: Probe.seeking.facts,
                isOnCamerasNetwork: true,
                cameras: KnownCameras(),
                wasAddressPicked: true,
                releasesWaiting: 0,
                shoot: nil
            )
        }
        connect(Probe.near, Self.id(1), configured())
        _ = turn.takeMessages()
        turn = Turn(at: ConnectModel.timeMax, turn.numbers)
        let outcome = requests.chart.advance(to: turn.now)
        requests.perform(outcome, configured(), in: &turn)
        #expect(requests.choice == nil)
        #expect(turn.takeMessages().suffix(2) == [.goalChanged, .failWithoutCamera(.connection)])
    }

    @Test mutating func `a request that fails after a disconnect disconnects again`() {
        let released = Probe.connection(after: [], [.cameraReleased])
        connect(Probe.near, Self.id(1), facts(released))
        turn = Turn(at: ConnectModel.timeMax, turn.numbers)
        let outcome = requests.chart.advance(to: turn.now)
        requests.perform(outcome, facts(released), in: &turn)
        #expect(turn.queued == [.cameraReleased])
    }

    @Test mutating func `no other camera is connected during a shoot`() {
        let shoot = ConnectRequests.ShootFacts(state: "capturing", cameraID: "7")
        connect(Probe.far, Self.id(1), facts(Probe.online, shoot: shoot))
        requests.disconnect(Self.id(2), facts(Probe.online, shoot: shoot), in: &turn)
        #expect(turn.failures.count == 2)
        for case .notNow(_, _, let sentence) in turn.failures {
            #expect(!sentence.contains("this camera") && sentence.hasSuffix("bracketctl cancel."), "\(sentence)")
        }
        #expect(requests.choice == nil)
        #expect(turn.queued.isEmpty)
    }

    @Test mutating func `an address means the camera that answered there last`() {
        connect(Probe.near, Self.id(1), facts())
        requests.receive(.cameraReady(ScriptedCamera.ready), facts(Probe.online), in: &turn)
        #expect(requests.choice?.wanted?.id == Probe.identity.id)
        #expect(requests.choice?.address == Probe.near)
    }

    @Test mutating func `the number of clients that wait for the end of a session is bounded`() {
        requests.disconnect(Self.id(1), facts(Probe.online), in: &turn)
        #expect(turn.queued == [.cameraReleased])
        requests.disconnect(
            Self.id(2),
            facts(Probe.online, releasesWaiting: Subscriptions.clientsMax),
            in: &turn
        )
        #expect(turn.failures == [.tooManyClients(limit: Subscriptions.clientsMax)])
    }
}
