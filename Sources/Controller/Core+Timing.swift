import Cameras
import Exposure
import Statecharts

// What is learned of how long a body takes: each frame is timed, and estimates are made with it.

extension Core {
    /// The shooting chart gives the camera a command.
    mutating func time(_ command: CameraCommand, at now: Duration) {
        let setting = timedSetting
        frameTimer.note(command, setting, at: now)
    }

    /// The camera answers the shooting chart, or the link is gone.
    mutating func time(_ event: CameraEvent, at now: Duration) {
        if event == .shutterReleased { lastRelease = now }
        guard let route = timedRoute else { return frameTimer.abandon() }
        for sample in frameTimer.note(event, at: now) {
            let row = TimingRow(
                cameraID: route.cameraID,
                link: route.link,
                step: sample.step,
                milliseconds: sample.milliseconds,
                at: .clock(now)
            )
            timings.note(row)
            records.notes.note(row)
        }
    }

    /// What was learned of the connected body over its link; nil: nothing, or there is none.
    var timingReport: TimingReport? { timedRoute.flatMap { timings.report(on: $0) } }

    private var timedRoute: TimingBook.Route? {
        let model = connection.machine.behavior
        guard connection.machine.isActive(.online), let identity = model.identity, let address = model.address else {
            return nil
        }
        return TimingBook.Route(cameraID: identity.id, link: address.host)
    }

    private var timedSetting: FrameTimer.Setting? {
        let model = shooting.machine.behavior
        guard let shoot = model.shoot, let index = shoot.current, let speed = shoot.frame?.speed else { return nil }
        let mayReduceNoise =
            model.camera?.noiseReduction != .off && speed.exposureTime >= ShootingModel.noiseReductionFrom
        return FrameTimer.Setting(
            frame: FrameKey(shoot: shoot.id, index: index),
            speed: speed,
            mayReduceNoise: mayReduceNoise,
            way: way(to: speed)
        )
    }

    private func way(to speed: ShutterSpeed) -> FrameTimer.Way {
        guard let camera = shooting.machine.behavior.camera, case .stepwise = camera.speedSetting else {
            return .atOnce
        }
        if let shown = frameTimer.shown { return .notches(abs(shown.thirds(to: speed))) }
        guard case .speed(let present) = camera.speed else { return .notches(nil) }
        return .notches(abs(present.thirds(to: speed)))
    }
}

// MARK: What is left of a shoot

extension Core {
    /// Shorter exposures are over before a person could count them.
    package static let countedExposureMin = Duration.seconds(2)

    /// The exposure of the frame in work, while the shutter is open for so long that it is counted down.
    var countedExposure: Duration? {
        guard let shoot = shooting.machine.behavior.shoot, shoot.attempt == .exposing,
            let exposure = shoot.frame?.speed.exposureTime, exposure >= Self.countedExposureMin
        else { return nil }
        return exposure
    }

    /// The progress with the times that are left now.
    func timed(_ progress: Progress, at now: Duration) -> Progress {
        let model = shooting.machine.behavior
        guard shooting.machine.isActive(.active), let shoot = model.shoot else { return progress }
        var progress = progress
        let open = min(now - lastRelease, countedExposure ?? .zero)
        progress.exposureLeft = countedExposure.map { $0 - open }
        let camera = checkedCamera
        let estimate = Estimate(
            speeds: shoot.speedsLeft,
            learned: camera?.timing?.learned,
            noiseReduction: model.camera?.noiseReduction == .on ? .possible : .off,
            stepping: camera?.stepping
        )
        progress.remaining = max(.zero, estimate.longest - open)
        return progress
    }
}
