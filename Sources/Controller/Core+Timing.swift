import Cameras
import Exposure
import Statecharts

// What is learned of how long a body takes: each frame is timed, and estimates are made with it.

extension Core {
    /// What was learned of the connected body over its link; nil: nothing, or there is none.
    var timingReport: TimingReport? { timedRoute.flatMap { shooting.timings.report(on: $0) } }

    var timedRoute: TimingBook.Route? {
        let model = connection.machine.behavior
        guard connection.isActive(.online), let identity = model.identity, let address = model.address else {
            return nil
        }
        return TimingBook.Route(cameraID: identity.id, link: address.host)
    }
}

// MARK: What is left of a shoot

extension Core {
    /// Shorter exposures are over before a person could count them.
    package static let countedExposureMin = Duration.seconds(2)

    /// The progress with the times that are left now.
    func timed(_ progress: Progress, at now: Duration) -> Progress {
        let model = shooting.chart.machine.behavior
        guard shooting.chart.isActive(.active), let shoot = model.shoot else { return progress }
        var progress = progress
        let open = min(now - shooting.lastRelease, shooting.countedExposure ?? .zero)
        progress.exposureLeft = shooting.countedExposure.map { $0 - open }
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
