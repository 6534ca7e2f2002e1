import Cameras
import Exposure
import Statecharts
import Testing

@testable import Controller

/// Tests the session alone, by the messages that it receives and sends.
@Suite struct CameraSessionTests {
    private var session = CameraSession(Probe.driver)
    private var turn = Turn(at: .zero)

    init() {
        _ = session.request.start(at: .zero)
    }

    private static func facts(
        isShootActive: Bool = false,
        settings: CameraSession.SettingsWait = .nothing
    ) -> CameraSession.Facts {
        CameraSession.Facts(
            isOnline: true,
            shootState: "idle",
            isShootActive: isShootActive,
            isShootPaused: false,
            settings: settings
        )
    }

    private var driver: ProbeCamera {
        guard let probe = session.driver.camera as? ProbeCamera else { preconditionFailure("the test has a probe") }
        return probe
    }

    /// Gives the session a command, and returns its ticket.
    private mutating func command(_ command: CameraCommand, _ source: CommandSource) throws -> Ticket {
        session.receive(.command(command, from: source), Self.facts(), in: &turn)
        let ticket = try #require(driver.tickets.last)
        #expect(turn.takeMessages().last == .commandGiven(command, ticket, from: source))
        return ticket
    }

    private mutating func report(_ event: CameraEvent, _ ticket: Ticket?, _ facts: CameraSession.Facts = Self.facts()) {
        session.receive(.camera(event, ticket: ticket, session.generation), facts, in: &turn)
    }

    @Test mutating func `an answer to an older command goes to no part`() throws {
        let older = try command(.setSpeed(.fastest), .shooting)
        let newer = try command(.capture(.fastest), .shooting)
        report(.captured, older)
        #expect(turn.takeMessages() == [.cameraShows(.captured, older)])
        report(.captured, newer)
        let readers = EventReaders(connection: false, settings: false, shooting: true)
        #expect(
            turn.takeMessages() == [
                .cameraShows(.captured, newer), .shootAnswered(.captured), .cameraReported(.captured, to: readers),
            ]
        )
    }

    @Test mutating func `a status goes to every part, whichever requested it`() throws {
        let ticket = try command(.readStatus, .connection)
        report(.status(ScriptedCamera.ready), ticket)
        let all = EventReaders(connection: true, settings: true, shooting: true)
        #expect(turn.takeMessages().last == .cameraReported(.status(ScriptedCamera.ready), to: all))
    }

    @Test mutating func `an answer to the settings chart goes to it alone`() throws {
        let ticket = try command(.setProperty(.iso, "100"), .settings)
        report(.busy, ticket, Self.facts(settings: .setting))
        #expect(turn.takeMessages() == [.settingsAnswered(.busy)])
    }

    @Test mutating func `an event of another session is dropped`() {
        let other = LinkGeneration(rawValue: 99)
        session.receive(.camera(.captured, ticket: nil, other), Self.facts(), in: &turn)
        #expect(!turn.hasMessages)
    }

    @Test mutating func `a new session closes the links of the old one by the old session's number`() throws {
        _ = try command(.connect(Probe.near), .connection)
        let old = session.generation
        turn.effects.removeAll()
        _ = try command(.connect(Probe.far), .connection)
        #expect(session.generation != old)
        #expect(turn.effects.list.first == .closeLink(old, ProbeCamera.link))
    }

    @Test mutating func `a session of the search replaces the driver`() {
        session.receive(.sessionAdopted(Probe.session(5)), Self.facts(), in: &turn)
        #expect(session.generation == LinkGeneration(rawValue: 5))
        #expect(session.shutterSpeed == ScriptedCamera.ready.speed?.description)
    }

    // MARK: The request to set a property

    private mutating func setISO() {
        session.setProperty("iso", "100", RequestID(rawValue: 1), Self.facts(), in: &turn)
        for message in turn.takeMessages() { session.receive(message, Self.facts(), in: &turn) }
    }

    @Test mutating func `a request is answered when the camera shows the value`() throws {
        setISO()
        #expect(driver.commands == [.setProperty(.iso, "100")])
        _ = turn.takeMessages()
        let state = PropertyState(property: .iso, value: "100", choices: [], isWritable: true)
        report(.propertySet(state), driver.tickets.last)
        #expect(turn.takeMessages() == [.answer(.property, .property(state))])
        #expect(session.propertyRequest == nil)
        #expect(turn.queued == [.clientSetting(ClientSetting(property: .iso))])
    }

    @Test mutating func `a second request is refused while one is under way`() {
        setISO()
        session.setProperty("iso", "200", RequestID(rawValue: 2), Self.facts(), in: &turn)
        #expect(turn.failures.count == 1)
        #expect(driver.commands.count == 1)
    }

    @Test mutating func `a request is refused during a shoot`() {
        session.setProperty("iso", "100", RequestID(rawValue: 1), Self.facts(isShootActive: true), in: &turn)
        #expect(turn.failures.count == 1)
        #expect(!turn.hasMessages)
    }

    @Test(arguments: [CameraCommand.awaitIdle, .disconnect])
    mutating func `another command ends a request`(other: CameraCommand) {
        setISO()
        session.receive(.command(other, from: .connection), Self.facts(), in: &turn)
        #expect(session.propertyRequest == nil)
        #expect(turn.queued == [.clientSetting(ClientSetting(property: nil))])
        let isAnswered = turn.takeMessages().contains { message in
            switch message {
            case .fail(.property, .propertyRefused): other == .awaitIdle
            case .failWithoutCamera(.property): other == .disconnect
            default: false
            }
        }
        #expect(isAnswered)
    }

    @Test mutating func `a request ends after its time limit, and the driver abandons it`() {
        setISO()
        #expect(session.request.machine.nextDeadline == PropertyModel.timeMax)
        turn = Turn(at: PropertyModel.timeMax, turn.numbers)
        let outcome = session.request.advance(to: turn.now)
        session.perform(outcome, in: &turn)
        #expect(session.propertyRequest == nil)
        #expect(driver.commands.last == .awaitIdle)
    }
}
