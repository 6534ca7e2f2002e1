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
        let locked =
            facts.isShootPaused ? RequestSentences.settingsLockedByPausedShoot : RequestSentences.settingsLockedByShoot
        if let sentence = reasonNotSet(facts, locked) {
            let error = RequestError.notNow(command: "SetProperty", state: facts.shootState, sentence: sentence)
            return turn.append(.fail(id, error))
        }
        let choices = properties[property]?.choices ?? []
        guard !text.isEmpty else {
            return refuse(RequestSentences.emptyValue(for: property, choices))
        }
        let value = property.value(meantBy: text, among: choices)
        turn.send(.propertyRequested(PropertyRequest(client: id, order: .set(property, value))))
    }

    /// Lists or transfers files on the camera's card. The camera cannot shoot during that time.
    func handleFiles(_ request: CameraFileRequest, _ id: RequestID, _ facts: Facts, in turn: inout Turn) {
        guard facts.isOnline else { return turn.send(.refuseWithoutCamera(id)) }
        if let sentence = reasonNotSet(facts, RequestSentences.filesLockedByShoot) {
            let command = request.isTransfer ? "FetchFiles" : "GetFiles"
            let error = RequestError.notNow(command: command, state: facts.shootState, sentence: sentence)
            return turn.append(.fail(id, error))
        }
        turn.send(.propertyRequested(PropertyRequest(client: id, order: .files(request))))
    }

    /// Fetches one picture of the live view. The camera cannot shoot during that time.
    func showLiveView(_ size: LiveViewSize?, _ id: RequestID, _ facts: Facts, in turn: inout Turn) {
        guard facts.isOnline else { return turn.send(.refuseWithoutCamera(id)) }
        if let sentence = reasonNotSet(facts, RequestSentences.liveViewLockedByShoot) {
            let error = RequestError.notNow(command: "Snapshot", state: facts.shootState, sentence: sentence)
            return turn.append(.fail(id, error))
        }
        turn.send(.propertyRequested(PropertyRequest(client: id, order: .liveView(size))))
    }

    /// - Parameter locked: the sentence for a shoot that is running or paused.
    private func reasonNotSet(_ facts: Facts, _ locked: String) -> String? {
        if facts.isShootPaused || facts.isShootActive { return locked }
        return propertyRequest.map { request in
            switch request.order {
            case .set(let property, _): RequestSentences.beingSet(property)
            case .files: RequestSentences.filesInTransfer
            case .liveView: RequestSentences.liveViewInTransfer
            }
        }
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
            switch order {
            case .set(let property, let value):
                let error = RequestError.propertyRefused(property: property.rawValue, value: value, sentence: sentence)
                return .fail(.property, error)
            case .files: return .fail(.property, .filesRefused(sentence: sentence))
            case .liveView: return .fail(.property, .liveViewRefused(sentence: sentence))
            }
        }
    }
}
