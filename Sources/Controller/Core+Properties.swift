import Cameras
import Exposure
import Statecharts

// What clients ask of the camera's settings. A driver does one thing at a time and a new command ends the one before
// it; so one property is set at a time, nothing is fired meanwhile, and nothing is set while something is fired.

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
        guard connection.isActive(.online) else {
            return turn.append(.fail(id, .notConnected(sentence: absenceSentence)))
        }
        if let sentence = whyNotSet() {
            let error = RequestError.notNow(command: "SetProperty", state: shooting.chart.state, sentence: sentence)
            return turn.append(.fail(id, error))
        }
        let choices = session.properties[property]?.choices ?? []
        guard !text.isEmpty else {
            let advice = choices.isEmpty ? "" : ": name one of \(choices.joined(separator: ", "))"
            return refuse("The value for \(property.rawValue) is empty\(advice).")
        }
        let value = property.value(meantBy: text, among: choices)
        deliver(Settings.Input.personSets, in: &turn)
        let ticket = perform(.setProperty(property, value), in: &turn)
        session.propertyOrder = PropertyOrder(
            ticket: ticket,
            property: property,
            value: value,
            deadline: turn.now + Self.propertyTimeMax
        )
        subscriptions.add(id, to: .property)
    }

    private func whyNotSet() -> String? {
        if shooting.chart.isActive(.paused) {
            return "A shoot is paused: its settings stay as they are until it ends."
        }
        if shooting.chart.isActive(.active) {
            return "A shoot is being fired: its settings stay as they are until it ends."
        }
        return session.propertyOrder.map {
            "The camera's \($0.property.rawValue) is being set: ask again when that is done."
        }
    }

    /// Whether a shoot may begin: not while a setting is on its way, for nobody knows which frame it would come in.
    func mayFire(_ command: String, _ id: RequestID, in turn: inout Turn) -> Bool {
        if let sentence = records.objection {
            turn.append(.fail(id, .notNow(command: command, state: shooting.chart.state, sentence: sentence)))
            turn.append(.enqueue(.recordWanted))
            return false
        }
        guard let order = session.propertyOrder else { return true }
        let sentence = "The camera's \(order.property.rawValue) is being set to \(order.value): ask again in a moment."
        turn.append(.fail(id, .notNow(command: command, state: shooting.chart.state, sentence: sentence)))
        return false
    }

    // MARK: What the camera says

    /// What an event of the camera says of its settings, before the charts hear of it.
    ///
    /// - Returns: whether the event answers a client's order, and so concerns no chart.
    mutating func notePropertyEvent(_ event: CameraEvent, _ ticket: Ticket?, in turn: inout Turn) -> Bool {
        let isAnswer = ticket != nil && ticket == session.propertyOrder?.ticket
        switch event {
        case .properties(let news) where ticket == nil || isAnswer:
            session.properties.merge(news)
        case .prepared where ticket == session.connectionTicket:
            session.properties.forget()
        case .lost(let reason) where ticket == nil || isAnswer:
            if ticket == nil { session.properties.forget() }
            endPropertyOrder(.notConnected(sentence: reason.sentence), in: &turn)
        case .propertySet(let state) where isAnswer:
            session.properties.merge([state])
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
        guard let order = session.propertyOrder else { return }
        session.propertyOrder = nil
        turn.append(.enqueue(.personalSetting(PersonalSetting(order.property))))
        let message = "The camera's \(order.property.rawValue) was set to \(state.value ?? order.value)."
        turn.append(.journal(JournalEntry(level: .info, kind: .note, message: message)))
        subscriptions.answer(.property, .property(state), in: &turn)
    }

    private mutating func refuseProperty(_ sentence: String, in turn: inout Turn) {
        guard let order = session.propertyOrder else { return }
        endPropertyOrder(
            .propertyRefused(property: order.property.rawValue, value: order.value, sentence: sentence),
            in: &turn
        )
    }

    // MARK: Ends that the camera does not tell

    /// Answers who waits for a property, if anybody does.
    mutating func endPropertyOrder(_ error: RequestError, in turn: inout Turn) {
        guard let order = session.propertyOrder else { return }
        session.propertyOrder = nil
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
            session.properties.forget()
            endPropertyOrder(.notConnected(sentence: absenceSentence), in: &turn)
        case .readStatus, .setSpeed, .readSpeed, .capture, .awaitIdle, .resolveCapture, .setProperty:
            refuseProperty("Something else was asked of the camera before it showed the value.", in: &turn)
        }
    }

    /// The driver says nothing: whoever waits is told, and the camera does not do it later.
    mutating func expireProperty(in turn: inout Turn) {
        guard let order = session.propertyOrder, order.deadline <= turn.now else { return }
        refuseProperty("The camera did not say what became of it.", in: &turn)
        _ = perform(.awaitIdle, in: &turn)
    }
}
