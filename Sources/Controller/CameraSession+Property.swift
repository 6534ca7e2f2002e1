import Cameras

// The check of a client's request to set a property, and the answer to the client.

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
            return refuse(RequestSentences.noProperty(name))
        }
        guard facts.isOnline else { return turn.send(.refuseWithoutCamera(id)) }
        if let sentence = reasonNotSet(facts) {
            let error = RequestError.notNow(command: "SetProperty", state: facts.shootState, sentence: sentence)
            return turn.append(.fail(id, error))
        }
        let choices = properties[property]?.choices ?? []
        guard !text.isEmpty else {
            return refuse(RequestSentences.emptyValue(for: property, choices))
        }
        let value = property.value(meantBy: text, among: choices)
        turn.send(.propertyRequested(PropertyRequest(client: id, property: property, value: value)))
    }

    private func reasonNotSet(_ facts: Facts) -> String? {
        if facts.isShootPaused { return RequestSentences.settingsLockedByPausedShoot }
        if facts.isShootActive { return RequestSentences.settingsLockedByShoot }
        return propertyRequest.map { RequestSentences.beingSet($0.property) }
    }
}

extension PropertyRequest {
    /// The message that answers the client.
    func answer(_ refusal: PropertyRefusal) -> TurnMessage {
        let sentence = refusal.sentence
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
