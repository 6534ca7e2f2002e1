/// The drivers of all protocols, used as one driver. Each connect command selects the driver of its protocol. The other
/// drivers keep the data that they learned about bodies.
package struct DriverSet: Camera {
    private let drivers: CameraDrivers
    private let identity: InitiatorIdentity
    private var present: CameraProtocol
    /// The driver in use.
    package var camera: any Camera
    /// The drivers that were in use before. They have no session.
    private var others: [CameraProtocol: any Camera] = [:]
    private var pictureRequest: PictureRequest?

    /// - Parameter identity: The identity of this computer; the cameras remember it.
    package init(_ drivers: CameraDrivers, _ identity: InitiatorIdentity) {
        self.drivers = drivers
        self.identity = identity
        present = drivers.rows[0].cameraProtocol
        camera = drivers.rows[0].make(identity)
    }

    package mutating func perform(
        _ command: CameraCommand,
        ticket: Ticket,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        switch command {
        case .connect(_, let wanted, _, _) where wanted != present:
            guard change(to: wanted, ticket, at: now, into: &actions) else {
                let sentence = ConnectionSentences.protocolUnsupported(wanted)
                return actions.append(.report(.refused(.unsupported(sentence)), ticket: ticket))
            }
        case .keepPictures(let request): pictureRequest = request
        default: break
        }
        camera.perform(command, ticket: ticket, at: now, into: &actions)
    }

    package mutating func receive(_ event: LinkEvent, at now: Duration, into actions: inout [CameraAction]) {
        camera.receive(event, at: now, into: &actions)
    }

    package mutating func receive(
        _ event: HTTPEvent,
        of request: HTTPRequestID,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        camera.receive(event, of: request, at: now, into: &actions)
    }

    package mutating func takeRecordableParts() -> [Range<Int>] { camera.takeRecordableParts() }

    package mutating func advance(to now: Duration, into actions: inout [CameraAction]) {
        camera.advance(to: now, into: &actions)
    }

    package var nextDeadline: Duration? { camera.nextDeadline }

    package var overflow: (list: String, count: Int, limit: Int)? { camera.overflow }

    /// Selects another driver. The previous driver ends its session at once.
    private mutating func change(
        to wanted: CameraProtocol,
        _ ticket: Ticket,
        at now: Duration,
        into actions: inout [CameraAction]
    ) -> Bool {
        guard let next = others[wanted] ?? drivers.driver(for: wanted, identity) else { return false }
        var ended: [CameraAction] = []
        camera.perform(.abandon, ticket: ticket, at: now, into: &ended)
        for action in ended {
            if case .report = action { continue }
            actions.append(action)
        }
        others[present] = camera
        others[wanted] = nil
        present = wanted
        camera = next
        if let pictureRequest {
            camera.perform(.keepPictures(pictureRequest), ticket: ticket, at: now, into: &actions)
        }
        return true
    }
}
