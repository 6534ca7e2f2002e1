import Cameras
import Exposure
import Testing

@testable import Controller

/// Tests the control of the shoot alone: it receives messages, and sends messages and effects.
@Suite struct ShootControlTests {
    private static let client = RequestID(rawValue: 1)
    private static let identity = CameraIdentity(maker: "Sony", model: "Bench", firmware: "1", serial: "7", id: "7")
    private static let plan = PlanInput(shadow: "1/60", highlight: "1/250", frames: 3)

    private var control: ShootControl
    private var facts: ShootFacts

    init() {
        let initiator = InitiatorIdentity(guid: Array(0..<16), name: "bench")
        control = ShootControl(CoreConfiguration(cameraAddress: nil, identity: initiator, ledger: .required))
        facts = ShootFacts(
            camera: CameraView(refusal: "No camera."),
            ledger: Preflight.Ledger(mode: .required),
            service: ServiceView()
        )
        var turn = Turn(at: .zero)
        control.finish(control.chart.start(at: .zero), facts, in: &turn)
        control.finish(control.settings.start(at: .zero), facts, in: &turn)
    }

    /// The messages and effects that follow from a message.
    private mutating func after(
        _ receive: (inout ShootControl, ShootFacts, inout Turn) -> Void
    ) -> (messages: [TurnMessage], effects: [Effect]) {
        var turn = Turn(at: .zero)
        receive(&control, facts, &turn)
        return (turn.takeMessages(), turn.effects.list)
    }

    private mutating func connect() {
        facts.camera.identity = Self.identity
        facts.camera.status = ScriptedCamera.ready
        facts.camera.isOnline = true
        facts.camera.isConnected = true
        facts.camera.shutterSpeed = "1/125"
        _ = after { $0.receive(.cameraReady(ScriptedCamera.ready), $1, in: &$2) }
    }

    private mutating func shoot() -> (messages: [TurnMessage], effects: [Effect]) {
        after { $0.receive(.shoot(Self.plan, streams: false), Self.client, $1, in: &$2) }
    }

    private static func commands(_ messages: [TurnMessage]) -> [CameraCommand] {
        messages.compactMap { if case .command(let command, .shooting) = $0 { command } else { nil } }
    }

    @Test mutating func `a shoot without a camera is refused, and a camera is requested`() {
        let (messages, effects) = shoot()
        #expect(effects.contains(.fail(Self.client, .notConnected(sentence: "No camera."))))
        #expect(effects.contains(.enqueue(.cameraNeeded)))
        #expect(Self.commands(messages).isEmpty)
    }

    @Test mutating func `a shoot is recorded before the camera receives a command`() throws {
        connect()
        let begun = shoot().messages
        #expect(Self.commands(begun).isEmpty)
        #expect(begun.contains(.subscribe(Subscription(Self.client, to: .shootRecord))))
        #expect(!begun.contains(.shootRecorded))
        let mark = try #require(begun.firstMark)
        let recorded = after { $0.receive(.record(.kept(upTo: mark)), $1, in: &$2) }.messages
        #expect(Self.commands(recorded).count == 1)
        #expect(recorded.contains(.shootRecorded))
    }

    @Test mutating func `the settings that a shoot changes on the camera are kept with the shoot`() {
        connect()
        let items = shoot().messages.compactMap { if case .keep(let item) = $0 { item } else { nil } }
        let originals = items.compactMap { if case .setting(_, let row) = $0 { row?.original } else { nil } }
        #expect(originals == ["1/125"])
        #expect(items.contains { if case .shoot = $0 { true } else { false } })
    }

    @Test mutating func `a stop pauses a shoot, and asks the service for the time of its frame`() throws {
        connect()
        let mark = try #require(shoot().messages.firstMark)
        _ = after { $0.receive(.record(.kept(upTo: mark)), $1, in: &$2) }
        let stopped = after { $0.receive(.stopRequested, $1, in: &$2) }.messages
        let orders = stopped.compactMap { if case .stop(let order) = $0 { order } else { nil } }
        #expect(orders.count == 1)
        #expect(orders.first?.requestedStop == nil)
    }

    @Test mutating func `after the beginning of the ordered stop the shoot receives nothing`() throws {
        connect()
        let mark = try #require(shoot().messages.firstMark)
        facts.service = ServiceView(state: .stopping)
        let left = after { $0.receive(.stopping, $1, in: &$2) }.messages
        #expect(
            left.contains {
                if case .keep(.shoot(let standing)) = $0 { standing.outcome == .interrupted } else { false }
            }
        )
        #expect(left.contains(.commit(mark: nil, isDurable: true)))
        let late = after { $0.receive(.record(.kept(upTo: mark)), $1, in: &$2) }
        #expect(late.messages.isEmpty)
        #expect(late.effects.isEmpty)
    }

    @Test mutating func `a button that goes down records the settings of its shoot, and nothing else`() throws {
        connect()
        control.arm(Self.plan)
        let pressed = after { $0.receive(.pressBegan(PressMeaning(.fire, shoot: nil)), $1, in: &$2) }.messages
        let items = pressed.compactMap { if case .keep(let item) = $0 { item } else { nil } }
        #expect(items.count == 1)
        #expect(items.contains { if case .setting(_, let row) = $0 { row?.original == "1/125" } else { false } })
        let mark = try #require(pressed.firstMark)
        #expect(pressed.contains(.commit(mark: mark, isDurable: true)))
        #expect(Self.commands(pressed).isEmpty)
    }

    @Test(arguments: [false, true])
    mutating func `a press changes the speed at once if its settings are on disk, and waits otherwise`(
        isKept: Bool
    ) throws {
        connect()
        control.arm(Self.plan)
        let pressed = after { $0.receive(.pressBegan(PressMeaning(.fire, shoot: nil)), $1, in: &$2) }.messages
        let mark = try #require(pressed.firstMark)
        if isKept { _ = after { $0.receive(.record(.kept(upTo: mark)), $1, in: &$2) } }
        let fired = after {
            $0.receive(.buttonPressed(PressMeaning(.fire, shoot: nil)), $1, in: &$2)
        }.messages
        #expect(Self.commands(fired).count == (isKept ? 1 : 0))
        #expect(fired.contains(.commit(mark: mark + 1, isDurable: false)))
    }

    @Test(arguments: [PressMeaning.Action.pause, .goOn, .resume, .retry, .nothing])
    mutating func `a press with another meaning records nothing when the button goes down`(
        action: PressMeaning.Action
    ) {
        connect()
        control.arm(Self.plan)
        let (messages, effects) = after { $0.receive(.pressBegan(PressMeaning(action, shoot: 1)), $1, in: &$2) }
        #expect(messages.isEmpty && effects.isEmpty)
    }

    @Test mutating func `a press acts like a client's request, and its refusal is journaled`() {
        let (messages, effects) = after {
            $0.receive(.buttonPressed(PressMeaning(.fire, shoot: nil)), $1, in: &$2)
        }
        #expect(Self.commands(messages).isEmpty)
        #expect(effects.contains { if case .journal(let entry) = $0 { entry.kind == .button } else { false } })
        #expect(!effects.contains { if case .fail = $0 { true } else { false } })
    }

    @Test mutating func `a shoot of the ledger is requested, and an unknown one is refused`() {
        connect()
        let asked = after { $0.receive(.retryShoot(7, streams: false), Self.client, $1, in: &$2) }.messages
        #expect(asked == [.ledgerWanted(.shoot(7), .retryShoot(7, streams: false), Self.client)])
    }

    @Test mutating func `settings that an earlier run left are restored when their camera is connected`() {
        var contents = LedgerContents()
        contents.settings = [
            SettingRow(cameraID: "7", cameraName: "Bench", property: "shutter-speed", original: "1/30", values: ["1/8"])
        ]
        _ = after { $0.receive(.ledgerOpened(contents), $1, in: &$2) }
        facts.camera.shutterSpeed = "1/8"
        facts.camera.identity = Self.identity
        facts.camera.status = ScriptedCamera.ready
        facts.camera.isConnected = true
        let ready = after { $0.settingsReceive(.cameraReady(ScriptedCamera.ready), $1, in: &$2) }.messages
        #expect(ready.contains(.command(.setProperty(.shutterSpeed, "1/30"), from: .settings)))
    }
}

extension [TurnMessage] {
    fileprivate var firstMark: Int? {
        compactMap { if case .commit(let mark?, _) = $0 { mark } else { nil } }.first
    }
}
