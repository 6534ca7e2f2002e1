import Bodies
import Cameras
import Controller
import Exposure

// What happens to the cameras, and what they do.

extension World {
    /// Another camera; its number.
    @discardableResult
    package mutating func add(_ camera: SimulatedCamera, at place: WorldCamera.Place) -> Int {
        cameras.append(WorldCamera(body: camera, place: place))
        daemon.watcher?.added(camera, number: cameras.count - 1)
        return cameras.count - 1
    }

    /// A camera goes somewhere else: its sessions end for it, and the daemon is not told.
    package mutating func move(_ number: Int = 0, to place: WorldCamera.Place) {
        cameras[number].place = place
        network.forsake(camera: number, at: now)
        reviewPlaces()
    }

    mutating func reviewPlaces() {
        let cameras = cameras
        network.review(at: now) { address in cameras.contains { $0.isOn && $0.isAt(address) } }
    }

    /// A camera's faults are over, and it is on: see ``SimulatedCamera/heal(mode:at:into:)``.
    package mutating func heal(_ number: Int, mode: DialMode = .manual) {
        if !cameras[number].isOn { powerOn(number) }
        cameras[number].refusesUntil = .zero
        var actions: [BodyAction] = []
        cameras[number].body.heal(mode: mode, at: now, into: &actions)
        perform(actions, by: number)
    }

    /// A person pulls a camera's battery: it sends nothing more. See ``SimulatedCamera/powerOff(at:into:)``.
    package mutating func powerOff(_ number: Int = 0) {
        guard cameras[number].isOn else { return }
        cameras[number].isOn = false
        if number == 0 { client = nil }
        network.forsake(camera: number, at: now)
        var actions: [BodyAction] = []
        cameras[number].body.powerOff(at: now, into: &actions)
        perform(actions, by: number)
        reviewPlaces()
    }

    /// The battery is put in again.
    package mutating func powerOn(_ number: Int = 0) {
        guard !cameras[number].isOn else { return }
        cameras[number].isOn = true
        cameras[number].refusesUntil = .zero
        reviewPlaces()
    }

    /// A person turns the mode dial of a camera, now.
    package mutating func turnDial(_ number: Int = 0, to mode: DialMode) {
        cameras[number].body.turnDial(to: mode, at: now)
    }

    /// A person turns the dial of the shutter speed, now.
    package mutating func turnSpeed(_ number: Int = 0, to speed: ShutterSpeed) {
        cameras[number].body.turnSpeed(to: speed, at: now)
    }

    /// A camera's battery has this much left, in per cent; below zero: not known.
    package mutating func setBattery(_ number: Int = 0, percent: Int) {
        cameras[number].body.setBattery(percent: percent, at: now)
    }

    /// Cuts every connection, so that the end arrives together with whatever arrives next.
    package mutating func cutBehindNextBytes() {
        cutsBehindNextBytes = true
    }

    /// The body's side.
    mutating func perform(_ actions: [BodyAction], by number: Int) {
        // Behind a whole answer: a body sends one in several pieces.
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

    /// Whether something goes out on the first connection of a session.
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
