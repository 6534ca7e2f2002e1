import Cameras
import Exposure
import Statecharts

/// A part of the core that gives commands to the camera. The part receives only answers to its latest command.
enum CommandSource: Int, CaseIterable, Sendable {
    case connection, shooting, settings
    /// A client's request to set a property.
    case client
    /// A part that waits for no answer.
    case unanswered
}

/// The driver in use, the body's latest reports, and a client's request to set a property.
struct CameraSession: Sendable {
    /// The driver in use. Only an adopted session, or a test, replaces the whole driver.
    var driver: DriverSet
    /// The generation of the present session's connections; without a session, of the previous session's.
    private(set) var generation = LinkGeneration(rawValue: 0)
    private(set) var link = LinkNetwork()
    /// The ticket of the latest command from each source. Answers to older commands are ignored.
    private var tickets = [Ticket](repeating: Ticket(rawValue: 0), count: CommandSource.allCases.count)
    private(set) var properties = PropertyTable()
    /// The request to set a property.
    var request = ChartRun(PropertyModel())
    /// The latest speed that the body reported; nil: the body has reported none.
    private var shownSpeed: SpeedReading?
    /// Whether the body that is being connected may wait until its user confirms this computer.
    private(set) var isConfirmationAwaited = false
    /// The pictures that the driver must transfer; nil: no part has requested pictures.
    private var pictureRequest: PictureRequest?

    /// The facts that the session reads about other parts. The session never stores these facts.
    struct Facts: Sendable {
        let isOnline: Bool
        let shootState: String
        let isShootActive: Bool
        let isShootPaused: Bool
        let settings: SettingsWait
    }

    /// What the settings chart waits for.
    enum SettingsWait: Sendable {
        case nothing
        case reading
        /// The chart waits for the camera to set a value. No other part receives this answer.
        case setting
    }

    init(_ driver: DriverSet) {
        self.driver = driver
    }

    /// The client's active request; nil: there is none.
    var propertyRequest: PropertyRequest? { request.machine.behavior.request }

    // MARK: Messages

    mutating func receive(_ message: Message, _ facts: Facts, in turn: inout Turn) {
        // Reports of an ended session are ignored.
        guard case .camera(let event, let ticket, generation) = message else { return }
        if case .refused(let refusal) = event, ticket == self[.connection] { turn.send(.cameraRefused(refusal)) }
        receive(event, ticket, facts, in: &turn)
    }

    mutating func receive(_ message: TurnMessage, _ facts: Facts, in turn: inout Turn) {
        switch message {
        case .command(let command, let source): perform(command, from: source, in: &turn)
        case .sessionReleased(let address):
            turn.send(.sessionToClose(OpenSession(generation: generation, driver: driver, address: address)))
        case .sessionAdopted(let session): adopt(session, facts, in: &turn)
        case .propertyRequested(let request): begin(request, in: &turn)
        case .stopping: deliver(.stop, in: &turn)
        default: break
        }
    }

    /// Adopts a session that a candidate opened.
    private mutating func adopt(_ session: OpenSession, _ facts: Facts, in turn: inout Turn) {
        guard let meeting = session.meeting else { return }
        driver = session.driver
        generation = session.generation
        link = session.link
        properties.forget()
        turn.send(.sessionBegins)
        if let pictureRequest { perform(.keepPictures(pictureRequest), from: .unanswered, in: &turn) }
        for event in session.properties { receive(event, nil, facts, in: &turn) }
        noteSpeed(.status(meeting.status))
    }

    // MARK: Commands

    private subscript(_ source: CommandSource) -> Ticket { tickets[source.rawValue] }

    /// Gives a command to the driver.
    private mutating func perform(_ command: CameraCommand, from source: CommandSource, in turn: inout Turn) {
        if source != .client { endRequest(before: command, in: &turn) }
        let last = generation
        if case .connect = command {
            generation = turn.nextGeneration()
            link = LinkNetwork()
            isConfirmationAwaited = false
            turn.send(.sessionBegins)
        }
        let ticket = turn.nextTicket()
        tickets[source.rawValue] = ticket
        if case .keepPictures(let request) = command { pictureRequest = request }
        var actions = driver.perform(command, ticket, in: turn)
        if generation != last { closeLinks(of: last, &actions, in: &turn) }
        perform(actions, in: &turn)
        turn.send(.commandGiven(command, ticket, from: source))
    }

    /// Performs and removes the actions that close the previous session's connections.
    ///
    /// A driver closes the connections of the previous session before it opens new connections.
    private func closeLinks(of generation: LinkGeneration, _ actions: inout [CameraAction], in turn: inout Turn) {
        let opening = actions.firstIndex(where: \.isOpening) ?? actions.endIndex
        for action in actions[..<opening] where action.isClosing {
            append(action, of: generation, in: &turn)
        }
        actions = actions.enumerated().compactMap { $0 < opening && $1.isClosing ? nil : $1 }
    }

    // MARK: The driver

    mutating func receive(_ event: SessionEvent, over network: NetworkSnapshot?, in turn: inout Turn) {
        link.noteAnswer(event, over: network)
        let actions = driver.receive(event, in: &turn)
        perform(actions, in: &turn)
    }

    mutating func advanceDriver(in turn: inout Turn) {
        let actions = driver.advance(in: turn)
        perform(actions, in: &turn)
    }

    private func perform(_ actions: [CameraAction], in turn: inout Turn) {
        for action in actions {
            if case .picture(let id, let action) = action { turn.send(.pictureAction(action, of: id)) }
            append(action, of: generation, in: &turn)
        }
    }

    private func append(_ action: CameraAction, of generation: LinkGeneration, in turn: inout Turn) {
        let effect = action.effect(of: generation) { .camera($0, ticket: $1, generation) }
        if let effect { turn.append(effect) }
    }

    // MARK: Events

    /// Passes an event on. An answer to a source's latest command goes to that source. A report without a ticket goes
    /// to all parts.
    private mutating func receive(_ event: CameraEvent, _ ticket: Ticket?, _ facts: Facts, in turn: inout Turn) {
        if event == .confirmationAwaited {
            isConfirmationAwaited = ticket == self[.connection]
            return
        }
        noteSpeed(event)
        if facts.settings == .setting, ticket == self[.settings] {
            noteProperties(event)
            return turn.send(.settingsAnswered(event))
        }
        if noteForRequest(event, ticket, in: &turn) { return }
        turn.send(.cameraShows(event, ticket))
        let isForConnection = ticket.map { $0 == self[.connection] } ?? true
        let isForShooting = ticket.map { $0 == self[.shooting] } ?? true
        let isForSettings = facts.settings == .reading && ticket == self[.settings]
        guard isForConnection || isForShooting || isForSettings else {
            turn.append(.journal(.debug(CameraSentences.answerIgnored(event.name))))
            return
        }
        if isForShooting { turn.send(.shootAnswered(event)) }
        let readers = EventReaders(
            connection: isForConnection || event.isNews,
            settings: event.isReading,
            shooting: isForShooting || event.isNews
        )
        turn.send(.cameraReported(event, to: readers))
    }

    private mutating func noteProperties(_ event: CameraEvent) {
        switch event {
        case .propertySet(let state): properties.merge([state])
        case .properties(let states): properties.merge(states)
        default: break
        }
    }

    /// Stores the speed that the body reports, before any chart receives the event.
    private mutating func noteSpeed(_ event: CameraEvent) {
        switch event {
        case .status(let status): shownSpeed = status.speed
        case .speedRead(let reading): shownSpeed = reading
        case .propertySet(let state) where state.property == .shutterSpeed:
            shownSpeed = state.value.map { value in
                ShutterSpeed.all.first { $0.label == value }.map { .speed($0) } ?? .other(value)
            }
        default: break
        }
    }

    /// The latest speed that the body reported. The body reports its speed more often than its list of properties.
    var shutterSpeed: String? {
        if case .speed(let speed) = shownSpeed { return speed.label }
        return properties[.shutterSpeed]?.value ?? shownSpeed?.description
    }

    // MARK: The request to set a property

    // A driver performs one command at a time, and a new command ends the previous one. So only one property is set at
    // a time. No frame is fired during that time, and no property is set during a shoot.

    private mutating func begin(_ request: PropertyRequest, in turn: inout Turn) {
        perform(self.request.handle(.request(request), at: turn.now), in: &turn)
        let command: CameraCommand =
            switch request.order {
            case .set(let property, let value): .setProperty(property, value)
            case .files(let request): .files(request)
            case .liveView(let size): .liveView(size)
            }
        perform(command, from: .client, in: &turn)
        turn.send(.wait(request.client, for: .property))
    }

    /// Stores the camera's settings from an event.
    ///
    /// - Returns: whether the event answers the client's request. No other part receives such an answer.
    private mutating func noteForRequest(_ event: CameraEvent, _ ticket: Ticket?, in turn: inout Turn) -> Bool {
        let isAnswer = propertyRequest != nil && ticket == self[.client]
        switch event {
        case .properties(let states) where ticket == nil || isAnswer:
            properties.merge(states)
        case .prepared where ticket == self[.connection]:
            properties.forget()
        case .lost(let reason) where ticket == nil || isAnswer:
            if ticket == nil { properties.forget() }
            deliver(.cameraLost(reason), in: &turn)
        case .propertySet(let state) where isAnswer:
            properties.merge([state])
            deliver(.cameraSet(state), in: &turn)
        case .files(let answer) where isAnswer:
            deliver(.cameraFiles(answer), in: &turn)
        case .liveView(let answer) where isAnswer:
            deliver(.cameraLiveView(answer), in: &turn)
        case .busy where isAnswer:
            deliver(.cameraBusy, in: &turn)
        case .failed(let failure) where isAnswer:
            deliver(.cameraFailed(failure), in: &turn)
        default:
            break
        }
        return isAnswer
    }

    /// Ends the client's request, because most commands end the previous command.
    private mutating func endRequest(before command: CameraCommand, in turn: inout Turn) {
        switch command {
        case .keepPictures:
            break
        case .connect, .disconnect, .abandon:
            properties.forget()
            deliver(.sessionOver, in: &turn)
        case .readStatus, .setSpeed, .readSpeed, .capture, .awaitIdle, .resolveCapture, .setProperty, .files,
            .liveView:
            deliver(.superseded, in: &turn)
        }
    }

    private mutating func deliver(_ input: Property.Input, in turn: inout Turn) {
        guard propertyRequest != nil else { return }
        perform(request.handle(input, at: turn.now), in: &turn)
    }

    mutating func perform(_ outcome: ChartRun<PropertyModel>.Outcome, in turn: inout Turn) {
        turn.publish(outcome.steps, level: .debug)
        for effect in outcome.effects {
            switch effect {
            case .set(let request, let state):
                turn.append(.enqueue(.clientSetting(ClientSetting(property: state.property))))
                note(CameraSentences.done(request.order, showing: state), in: &turn)
                turn.send(.answer(.property, .property(state)))
            case .files(let request, let answer):
                turn.append(.enqueue(.clientSetting(ClientSetting(property: nil))))
                note(CameraSentences.done(request.order, showing: nil), in: &turn)
                turn.send(.answer(.property, .files(answer)))
            case .liveView(let request, let answer):
                turn.append(.enqueue(.clientSetting(ClientSetting(property: nil))))
                switch answer {
                case .frame(let frame):
                    note(CameraSentences.done(request.order, showing: nil), in: &turn)
                    turn.send(.answer(.property, .liveView(LiveViewReport(frame, speed: shutterSpeed))))
                case .unreadable(let error):
                    note(CameraSentences.notDone(request.order), in: &turn)
                    turn.send(.fail(.property, .liveViewRefused(sentence: error.sentence)))
                }
            case .notSet(let request, let refusal):
                turn.append(.enqueue(.clientSetting(ClientSetting(property: nil))))
                note(CameraSentences.notDone(request.order), in: &turn)
                turn.send(request.answer(refusal))
                // Without this command, the driver could still set the property later.
                if refusal == .silent { perform(.awaitIdle, from: .unanswered, in: &turn) }
            }
        }
    }

    private func note(_ message: String, in turn: inout Turn) {
        turn.journal(.info, .note, message)
    }
}

/// The parts that receive an event of the camera.
struct EventReaders: Equatable, Sendable {
    var connection: Bool
    var settings: Bool
    var shooting: Bool
}

extension CameraEvent {
    /// Whether the event concerns every chart, and not only the source of the command.
    fileprivate var isNews: Bool {
        if case .status = self { true } else { false }
    }

    /// Whether the event reports the values of settings.
    fileprivate var isReading: Bool {
        switch self {
        case .status, .speedRead, .properties: true
        default: false
        }
    }

    /// The event without its data, for the journal.
    fileprivate var name: String {
        String(describing: self).prefix { $0 != "(" }.description
    }
}

extension CameraAction {
    /// The host's effect for a driver's action; nil: the action transfers a picture.
    ///
    /// - Parameter report: makes the message for an event of the camera.
    func effect(of generation: LinkGeneration, report: (CameraEvent, Ticket?) -> Message) -> Effect? {
        switch self {
        case .open(let link, let target, let timeout): .openLink(generation, link, target, timeout: timeout)
        case .send(let link, let bytes): .send(generation, link, bytes)
        case .close(let link): .closeLink(generation, link)
        case .http(let id, let action): .http(generation, id, action)
        case .report(let event, let ticket): .enqueue(report(event, ticket))
        case .note(let line): .journal(.debug(line))
        case .picture: nil
        }
    }
}

extension CameraAction {
    /// Whether the action opens a connection or starts an HTTP request.
    fileprivate var isOpening: Bool {
        switch self {
        case .open, .http(_, .perform): true
        default: false
        }
    }

    /// Whether the action closes a connection or cancels an HTTP request.
    fileprivate var isClosing: Bool {
        switch self {
        case .close, .http(_, .cancel): true
        default: false
        }
    }
}
