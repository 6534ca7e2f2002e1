import Bodies
import Cameras
import Controller

// Checks at the end of the ordered stop, and of a world.

extension Invariants {
    /// The conditions at the end of a world, which decide what must hold there.
    package struct Expectation: Equatable, Sendable {
        /// Whether the daemon was stopped in order and had enough time for the stop.
        package var isStopped: Bool
        /// Whether the camera and the network worked during the stop, so that the daemon could close the session in
        /// order.
        package var isLinkSound: Bool

        package init(isStopped: Bool = false, isLinkSound: Bool = true) {
            self.isStopped = isStopped
            self.isLinkSound = isLinkSound
        }
    }

    /// Checks the state after the ordered stop.
    mutating func finish(at now: Duration) {
        switch stop {
        case .none: note(.silentAfterTheEnd, at: now, "The daemon ends without a request.")
        case .finished: note(.silentAfterTheEnd, at: now, "The ordered stop ends twice.")
        case .asked(let camera): stop = .finished(camera: camera)
        }
        if !requests.isEmpty {
            note(.answeredOnce, at: now, "The daemon ends with \(requests.count) unanswered requests.")
        }
    }

    /// Checks that the process ends with ``Controller/Effect/finished``. Afterwards only the rejection of a request is
    /// allowed.
    mutating func checkAfterEnd(_ effect: Effect, at now: Duration) {
        switch effect {
        case .fail, .journal, .record, .status, .lamp, .enqueue, .finished: break
        case .openLink, .send, .closeLink, .http, .watchRoute, .discovery, .reply, .picture, .manifest, .readLight,
            .readCoverage, .checkRoom, .ledger, .keepPlan, .inspect, .stopping:
            note(.silentAfterTheEnd, at: now, "An effect follows the end of the ordered stop.")
        }
    }

    /// Checks the rules that can be decided only after all work has ended.
    ///
    /// - Parameter scene: what all bodies see; nil: the range of a bracket is not judged.
    package mutating func checkEnd(
        of world: World,
        _ expectation: Expectation = Expectation(),
        scene: SceneEye? = nil
    ) {
        let core = world.daemon.core
        checkUnanswered(at: world.now)
        checkAllBounds(core, at: world.now)
        if let id = requests.waiting {
            note(.answeredOnce, at: world.now, "Request \(id.rawValue) was never answered.")
        }
        if let sentence = ledger.difference(from: world.daemon.ledger.tables) {
            note(.ledgerIsDurable, at: world.now, sentence)
        }
        checkPictures(at: world.now)
        if let scene { checkRange(of: world, scene) }
        checkSettings(of: world)
        checkCameras(of: world, expectation)
    }

    private mutating func checkSettings(of world: World) {
        // If the ledger is not required, the end of a process can lose the original setting.
        if processEnds > 0, mode != .required { return }
        for (number, track) in shutters.cameras.enumerated() where track.wasUsed && !track.isSpeedForgotten {
            let shown = world.cameras[number].body.shownSpeed.reading
            let key = SettingKey(cameraID: track.id, property: CameraProperty.shutterSpeed.rawValue)
            guard !track.speeds.contains(shown), !world.daemon.core.isPending(key), !ledger.isRowPending(key) else {
                continue
            }
            let allowed = track.speeds.map(\.description).joined(separator: ", ")
            note(.settingsComeBack, at: world.now, "\(track.id) ends with \(shown), but had \(allowed).")
        }
    }

    private mutating func checkCameras(of world: World, _ expectation: Expectation) {
        for (number, camera) in world.cameras.enumerated() where camera.body.isLinkUp {
            if !world.daemon.core.isShootActive, camera.body.isButtonHeld {
                note(.cameraClosedOrderly, at: world.now, "A button of camera \(number) is still pressed.")
            }
            if expectation.isStopped, camera.body.isSessionOpen {
                note(.cameraClosedOrderly, at: world.now, "The session with camera \(number) is still open.")
            }
        }
        guard expectation.isStopped else { return }
        guard case .finished(let camera) = stop else {
            return note(.cameraClosedOrderly, at: world.now, "The ordered stop has not ended.")
        }
        guard expectation.isLinkSound, let camera, shutters.cameras[camera].leftInOrder == false else { return }
        note(.cameraClosedOrderly, at: world.now, "Camera \(camera) was disconnected without CloseSession.")
    }
}
