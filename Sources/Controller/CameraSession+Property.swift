import Cameras
import Exposure

// Whether a client's request to set a property is accepted, and its answer.

extension CameraSession {
    func setProperty(
        _ name: String,
        _ text: String,
        _ id: RequestID,
        _ facts: Facts,
        in turn: inout Turn
    ) {
        func refuse(_ sentence: String) {
            turn.append(.fail(id, .propertyRefused(property: name, value: text, sentence: sentence)))
        }
        guard let property = CameraProperty(rawValue: name.lowercased()) else {
            let names = CameraProperty.allCases.map(\.rawValue).joined(separator: ", ")
            return refuse("The camera has no property \(Quoted.text(name)). Choose one of \(names).")
        }
        guard facts.isOnline else { return turn.send(.refuseWithoutCamera(id)) }
        if let sentence = reasonNotSet(facts) {
            let error = RequestError.notNow(command: "SetProperty", state: facts.shootState, sentence: sentence)
            return turn.append(.fail(id, error))
        }
        let choices = properties[property]?.choices ?? []
        guard !text.isEmpty else {
            let advice = choices.isEmpty ? "" : ". Choose one of \(choices.joined(separator: ", "))"
            return refuse("The value for \(property.rawValue) is empty\(advice).")
        }
        let value = property.value(meantBy: text, among: choices)
        turn.send(.propertyRequested(PropertyRequest(client: id, property: property, value: value)))
    }

    private func reasonNotSet(_ facts: Facts) -> String? {
        if facts.isShootPaused { return "A shoot is paused. Its settings cannot change until it ends." }
        if facts.isShootActive { return "A shoot is running. Its settings cannot change until it ends." }
        return propertyRequest.map {
            "The camera's \($0.property.rawValue) is being set. Try again when that is done."
        }
    }
}

extension PropertyRequest {
    /// The message that answers the client.
    func answer(_ refusal: PropertyRefusal) -> TurnMessage {
        let sentence =
            switch refusal {
            case .busy: "The camera is busy. Try again in a moment."
            case .failed(let failure): failure.sentence
            case .superseded: "Another command reached the camera before it showed the value."
            case .silent: "The camera did not report the result."
            case .lost(let reason): reason.sentence
            case .absent, .stopping: ""
            }
        switch refusal {
        case .absent: return .failWithoutCamera(.property)
        case .stopping: return .fail(.property, .stopping)
        case .lost: return .fail(.property, .notConnected(sentence: sentence))
        case .busy, .failed, .superseded, .silent:
            let error = RequestError.propertyRefused(property: property.rawValue, value: value, sentence: sentence)
            return .fail(.property, error)
        }
    }
}
