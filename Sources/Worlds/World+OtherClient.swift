import Bodies
import Cameras
import Controller

// Another client of the first camera.

extension World {
    /// Makes another client request the only session of the first camera. The faults of the network do not affect
    /// this client.
    package mutating func occupy() {
        guard client == nil, cameras[0].isOn,
            let client = type(of: cameras[0].body.body).otherClient(number: clientCount + 1)
        else { return }
        clientCount += 1
        self.client = client
        perform(client.begin())
    }

    /// Whether the other client has the session.
    package var isOccupied: Bool { client?.isInSession ?? false }

    /// Disconnects the other client from the camera.
    package mutating func vacate(isOrderly: Bool) {
        guard let client else { return }
        perform(client.end(isOrderly: isOrderly))
        self.client = nil
    }

    mutating func perform(_ actions: [OtherClientAction]) {
        for action in actions {
            var answers: [BodyAction] = []
            switch action {
            case .connect(let id):
                guard now >= cameras[0].refusesUntil, cameras[0].body.acceptsConnection(at: now) else {
                    client = nil
                    return
                }
                cameras[0].body.accepted(id, at: now, into: &answers)
            case .send(let id, let bytes): cameras[0].body.received(id, bytes, at: now, into: &answers)
            case .hangUp(let id): cameras[0].body.closed(id, at: now, into: &answers)
            }
            perform(answers, by: 0)
        }
    }

    /// Performs the first camera's actions on the connections of the other client.
    mutating func performForClient(_ action: BodyAction) {
        switch action {
        case .send(let id, let bytes):
            guard let actions = client?.receive(id, bytes) else { return }
            perform(actions)
        default: client = nil
        }
    }
}
