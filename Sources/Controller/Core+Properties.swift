import Cameras
import Exposure
import Statecharts

// What clients ask of the camera's settings. A driver does one thing at a time and a new command ends the one before
// it; so one property is set at a time, nothing is fired meanwhile, and nothing is set while something is fired.

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

extension Core {
    /// Longer than any driver needs, even for the whole scale of speeds in notches of 0.7 s, each tried three times:
    /// nothing may keep a shoot waiting for ever.
    package static let propertyTimeMax = Duration.seconds(180)

    mutating func setProperty(_ name: String, _ text: String, _ id: RequestID, in turn: inout Turn) {
        func refuse(_ sentence: String) {
            turn.append(.fail(id, .propertyRefused(property: name, value: text, sentence: sentence)))
        }
        guard let property = CameraProperty(rawValue: name.lowercased()) else {
            let names = CameraProperty.allCases.map(\.rawValue).joined(separator: ", ")
            return refuse("There is no property \(Quoted.text(name)): name one of \(names).")
        }
        guard connection.machine.isActive(.online) else {
            return turn.append(.fail(id, .notConnected(sentence: absenceSentence)))
        }
        if let sentence = whyNotSet() {
            let error = RequestError.notNow(command: "SetProperty", state: shooting.state, sentence: sentence)
            return turn.append(.fail(id, error))
        }
        let choices = properties[property]?.choices ?? []
        guard !text.isEmpty else {
            let advice = choices.isEmpty ? "" : ": name one of \(choices.joined(separator: ", "))"
            return refuse("The value for \(property.rawValue) is empty\(advice).")
        }
        let value = property.value(meantBy: text, among: choices)
        deliver(Settings.Input.personSets, in: &turn)
        let ticket = perform(.setProperty(property, value), in: &turn)
        propertyOrder = PropertyOrder(
            ticket: ticket,
            property: property,
            value: value,
            deadline: turn.now + Self.propertyTimeMax
        )
        subscriptions.add(id, to: .property)
    }

    private func whyNotSet() -> String? {
        if shooting.machine.isActive(.paused) {
            return "A shoot is paused: its settings stay as they are until it ends."
        }
        if shooting.machine.isActive(.active) {
            return "A shoot is being fired: its settings stay as they are until it ends."
        }
        return propertyOrder.map { "The camera's \($0.property.rawValue) is being set: ask again when that is done." }
    }

    /// Whether a shoot may begin: not while a setting is on its way, for nobody knows which frame it would come in.
    func mayFire(_ command: String, _ id: RequestID, in turn: inout Turn) -> Bool {
        if let sentence = records.objection {
            turn.append(.fail(id, .notNow(command: command, state: shooting.state, sentence: sentence)))
            turn.append(.enqueue(.recordWanted))
            return false
        }
        guard let order = propertyOrder else { return true }
        let sentence = "The camera's \(order.property.rawValue) is being set to \(order.value): ask again in a moment."
        turn.append(.fail(id, .notNow(command: command, state: shooting.state, sentence: sentence)))
        return false
    }

    // MARK: What the camera says

    /// What an event of the camera says of its settings, before the charts hear of it.
    ///
    /// - Returns: whether the event answers a client's order, and so concerns no chart.
    mutating func notePropertyEvent(_ event: CameraEvent, _ ticket: Ticket?, in turn: inout Turn) -> Bool {
        let isAnswer = ticket != nil && ticket == propertyOrder?.ticket
        switch event {
        case .properties(let news) where ticket == nil || isAnswer:
            properties.merge(news)
        case .prepared where ticket == connectionTicket:
            properties.forget()
        case .lost(let reason) where ticket == nil || isAnswer:
            if ticket == nil { properties.forget() }
            endPropertyOrder(.notConnected(sentence: reason.sentence), in: &turn)
        case .propertySet(let state) where isAnswer:
            properties.merge([state])
            finishPropertyOrder(state, in: &turn)
        case .busy where isAnswer:
            refuseProperty("The camera is busy: ask again in a moment.", in: &turn)
        case .failed(let failure) where isAnswer:
            refuseProperty(failure.sentence, in: &turn)
        default:
            break
        }
        return isAnswer
    }

    private mutating func finishPropertyOrder(_ state: PropertyState, in turn: inout Turn) {
        guard let order = propertyOrder else { return }
        propertyOrder = nil
        turn.append(.enqueue(.personalSetting(PersonalSetting(order.property))))
        let message = "The camera's \(order.property.rawValue) was set to \(state.value ?? order.value)."
        turn.append(.journal(JournalEntry(level: .info, kind: .note, message: message)))
        subscriptions.answer(.property, .property(state), in: &turn)
    }

    private mutating func refuseProperty(_ sentence: String, in turn: inout Turn) {
        guard let order = propertyOrder else { return }
        endPropertyOrder(
            .propertyRefused(property: order.property.rawValue, value: order.value, sentence: sentence),
            in: &turn
        )
    }

    // MARK: Ends that the camera does not tell

    /// Answers who waits for a property, if anybody does.
    mutating func endPropertyOrder(_ error: RequestError, in turn: inout Turn) {
        guard let order = propertyOrder else { return }
        propertyOrder = nil
        turn.append(.enqueue(.personalSetting(PersonalSetting(nil))))
        let message = "The camera's \(order.property.rawValue) was not set to \(order.value)."
        turn.append(.journal(JournalEntry(level: .info, kind: .note, message: message)))
        subscriptions.fail(.property, error, in: &turn)
    }

    /// A command is about to go to the camera, and most end the one before.
    mutating func endPropertyOrder(before command: CameraCommand, in turn: inout Turn) {
        switch command {
        case .keepPictures:
            break
        case .connect, .disconnect, .abandon:
            properties.forget()
            endPropertyOrder(.notConnected(sentence: absenceSentence), in: &turn)
        case .readStatus, .setSpeed, .readSpeed, .capture, .awaitIdle, .resolveCapture, .setProperty:
            refuseProperty("Something else was asked of the camera before it showed the value.", in: &turn)
        }
    }

    /// The driver says nothing: whoever waits is told, and the camera does not do it later.
    mutating func expireProperty(in turn: inout Turn) {
        guard let order = propertyOrder, order.deadline <= turn.now else { return }
        refuseProperty("The camera did not say what became of it.", in: &turn)
        _ = perform(.awaitIdle, in: &turn)
    }
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
