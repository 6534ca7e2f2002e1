import Cameras
import Exposure

/// The driver in use, and what the body last reported of itself.
struct CameraSession: Sendable {
    var driver: any Camera
    /// The driver's actions, until they are turned into effects.
    var actions: [CameraAction] = []
    /// Of the present or the last session's connections.
    private(set) var generation = LinkGeneration(rawValue: 0)
    /// The commands that each chart gave last; answers to older ones are dropped.
    private var lastTicket = Ticket(rawValue: 0)
    var connectionTicket = Ticket(rawValue: 0)
    var shootingTicket = Ticket(rawValue: 0)
    var settingsTicket = Ticket(rawValue: 0)
    var properties = PropertyTable()
    var propertyOrder: PropertyOrder?
    /// The speed that the body showed last; nil: it did not say.
    private var shownSpeed: SpeedReading?
    /// Which pictures the driver is to hand over.
    private(set) var pictureRequest: PictureRequest?

    init(_ driver: any Camera) {
        self.driver = driver
    }

    mutating func nextTicket() -> Ticket {
        lastTicket.rawValue &+= 1
        return lastTicket
    }

    /// A copy of the driver: all that it learned of bodies, and nothing of the session that it may be in.
    func driverWithoutSession(at now: Duration) -> any Camera {
        var copy = driver
        var actions: [CameraAction] = []
        copy.perform(.abandon, ticket: lastTicket, at: now, into: &actions)
        return copy
    }

    /// Takes over a session that a candidate opened.
    mutating func adopt(_ driver: any Camera, _ generation: LinkGeneration) {
        self.driver = driver
        self.generation = generation
        properties.forget()
    }

    /// Gives the driver a command and returns its ticket.
    ///
    /// - Parameter next: the number of the connections that the command opens; nil: it opens none.
    mutating func perform(_ command: CameraCommand, opening next: LinkGeneration?, in turn: inout Turn) -> Ticket {
        let ticket = nextTicket()
        let last = generation
        if let next { generation = next }
        if case .keepPictures(let wish) = command { pictureRequest = wish }
        driver.perform(command, ticket: ticket, at: turn.now, into: &actions)
        if generation != last { closeLinks(of: last, in: &turn) }
        return ticket
    }

    /// What a driver closes before it opens anything is of the session before.
    private mutating func closeLinks(of generation: LinkGeneration, in turn: inout Turn) {
        let opening = actions.firstIndex { if case .open = $0 { true } else { false } } ?? actions.endIndex
        for case .close(let link) in actions[..<opening] {
            turn.append(.closeLink(generation, link))
        }
        actions = actions.enumerated().compactMap { index, action in
            if index < opening, case .close = action { nil } else { action }
        }
    }

    // MARK: What the body shows

    /// Notes the speed that the body shows, before any chart receives it.
    mutating func noteSpeed(_ event: CameraEvent) {
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

    /// The speed that the body shows. The list of properties is reported less often than the speed alone.
    var shutterSpeed: String? {
        if case .speed(let speed) = shownSpeed { return speed.label }
        return properties[.shutterSpeed]?.value ?? shownSpeed?.description
    }
}

extension CameraAction {
    /// The effect of what a driver does on its connections; nil: it hands over a picture.
    ///
    /// - Parameter report: the message of an event.
    func effect(of generation: LinkGeneration, report: (CameraEvent, Ticket?) -> Message) -> Effect? {
        switch self {
        case .open(let link, let target, let timeout): .openLink(generation, link, target, timeout: timeout)
        case .send(let link, let bytes): .send(generation, link, bytes)
        case .close(let link): .closeLink(generation, link)
        case .report(let event, let ticket): .enqueue(report(event, ticket))
        case .note(let line): .journal(.debug(line))
        case .picture: nil
        }
    }
}

/// What the body says of its settings; one state for each kind, so it stays small whatever a driver tells.
struct PropertyTable: Equatable, Sendable {
    private var states: [CameraProperty: PropertyState] = [:]

    subscript(_ property: CameraProperty) -> PropertyState? { states[property] }

    /// Those that the body has, in the order of ``Cameras/CameraProperty``.
    var list: [PropertyState] { CameraProperty.allCases.compactMap { states[$0] } }

    /// What is absent stays as it was.
    mutating func merge(_ news: [PropertyState]) {
        for state in news { states[state.property] = state }
    }

    mutating func forget() {
        states.removeAll()
    }
}

/// A property that the camera was told to set and does not show yet.
struct PropertyOrder: Equatable, Sendable {
    var ticket: Ticket
    var property: CameraProperty
    var value: String
    var deadline: Duration
}

extension CameraProperty {
    /// The choice that a person means who leaves out what goes without saying: `5.6` for `f/5.6`, `auto` for `Auto`,
    /// `2s` for `2"`. A text that means none of them stays as it is, and the driver judges it.
    func value(meantBy text: String, among choices: [String]) -> String {
        if choices.contains(text) { return text }
        if let choice = choices.first(where: { $0.lowercased() == text.lowercased() }) { return choice }
        let readings: [String]
        switch self {
        case .shutterSpeed:
            return (try? ShutterSpeed(parsing: text))?.label ?? text
        case .aperture:
            let number = text.drop { "fF/".contains($0) }
            readings = ["f/\(number)", "f/\(number).0"]
        case .exposureCompensation:
            let number = text.hasPrefix("+") ? text.dropFirst() : text[...]
            readings = ["+\(number)", "\(number)", "+\(number).0", "\(number).0"]
        case .iso, .whiteBalance, .drive, .focusMode, .quality, .saveTarget:
            readings = []
        }
        return readings.first(where: choices.contains) ?? text
    }
}
