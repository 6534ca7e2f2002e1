import Bodies
import Cameras
import Controller
import Exposure

// The events and the actions of the cameras.

extension World {
    /// Adds a camera. Returns the camera's number.
    @discardableResult
    package mutating func add(_ camera: SimulatedCamera, at place: WorldCamera.Place) -> Int {
        cameras.append(WorldCamera(body: camera, place: place))
        daemon.watcher?.added(camera, number: cameras.count - 1)
        return cameras.count - 1
    }

    /// Moves a camera. The camera ends its sessions, and the daemon is not informed.
    package mutating func move(_ number: Int = 0, to place: WorldCamera.Place) {
        cameras[number].place = place
        network.dropSilently(camera: number, at: now)
        reviewPlaces()
    }

    mutating func reviewPlaces() {
        let cameras = cameras
        network.review(at: now) { address in cameras.contains { $0.isOn && $0.isAt(address) } }
    }

    /// Ends the faults of a camera and switches the camera on: see ``SimulatedCamera/clearFaults(mode:at:into:)``.
    package mutating func clearFaults(_ number: Int, mode: DialMode = .manual) {
        if !cameras[number].isOn { powerOn(number) }
        cameras[number].refusesUntil = .zero
        var actions: [BodyAction] = []
        cameras[number].body.clearFaults(mode: mode, at: now, into: &actions)
        perform(actions, by: number)
    }

    /// Removes the battery of a camera, which then sends nothing: see ``SimulatedCamera/powerOff(at:into:)``.
    package mutating func powerOff(_ number: Int = 0) {
        guard cameras[number].isOn else { return }
        cameras[number].isOn = false
        if number == 0 { client = nil }
        network.dropSilently(camera: number, at: now)
        var actions: [BodyAction] = []
        cameras[number].body.powerOff(at: now, into: &actions)
        perform(actions, by: number)
        reviewPlaces()
    }

    /// Puts the battery back into a camera.
    package mutating func powerOn(_ number: Int = 0) {
        guard !cameras[number].isOn else { return }
        cameras[number].isOn = true
        cameras[number].refusesUntil = .zero
        reviewPlaces()
    }

    /// Turns the mode dial of a camera.
    package mutating func turnDial(_ number: Int = 0, to mode: DialMode) {
        cameras[number].body.turnDial(to: mode, at: now)
    }

    /// Turns the dial of a camera's shutter speed.
    package mutating func turnSpeed(_ number: Int = 0, to speed: ShutterSpeed) {
        cameras[number].body.turnSpeed(to: speed, at: now)
    }

    /// Changes the charge of a camera's battery, in percent; below zero: the camera does not report the charge.
    package mutating func setBattery(_ number: Int = 0, percent: Int) {
        cameras[number].body.setBattery(percent: percent, at: now)
    }

    /// Cuts every connection after the next bytes, so that bytes and end arrive together.
    package mutating func cutBehindNextBytes() {
        cutsBehindNextBytes = true
    }

    /// Performs the actions of a body.
    mutating func perform(_ actions: [BodyAction], by number: Int) {
        // The cut follows a whole answer, because a body can send an answer in several pieces.
        let cutsNow = cutsBehindNextBytes && isAnswer(actions)
        defer { if cutsNow { cut() } }
        for action in actions {
            daemon.watcher?.did(action, camera: number, at: now)
            if let id = action.connection, client?.has(id) == true {
                performForClient(action)
                continue
            }
            switch action {
            case .send(let id, let bytes):
                network.sendFromBody(id, bytes, at: now)
            case .close(let id):
                network.endFromBody(id, reason: nil, at: now)
            case .abort(let id):
                network.endFromBody(id, reason: "Connection reset by peer", at: now)
            case .refuseConnections(let until), .leave(_, let until):
                cameras[number].refusesUntil = max(cameras[number].refusesUntil, until)
            case .exposed, .fact:
                break
            case .log(let line):
                cameras[number].log.append(line)
            }
        }
    }

    /// Whether the body sends something on the first connection of a session.
    func isAnswer(_ actions: [BodyAction]) -> Bool {
        actions.contains { action in
            guard case .send(let id, _) = action else { return false }
            return network.isFirst(id)
        }
    }

    mutating func cut() {
        cutsBehindNextBytes = false
        for id in network.standing { network.endFromBody(id, reason: "Connection reset by peer", at: now) }
    }
}
