import Cameras
import Exposure

/// Measures the duration of each step of a frame, from the shooting chart's commands and the camera's answers.
///
/// Only an undisturbed frame counts. A repeated setting, a wait for the ledger's disk, a failure, a pause or a lost
/// link makes the frame invalid.
struct FrameTimer: Sendable {
    /// The speed to set for a frame, and the body's state before that.
    struct Setting: Equatable, Sendable {
        var frame: FrameKey
        var speed: ShutterSpeed
        /// Whether a dark frame may follow, which the measured time would include.
        var mayReduceNoise: Bool
        /// The way to set the speed: at once, or by a number of notches.
        var route: Route
    }

    enum Route: Equatable, Sendable {
        case atOnce
        case notches(Int?)
    }

    /// A measured time.
    struct Sample: Equatable, Sendable {
        var step: TimingRow.Step
        var milliseconds: Int
    }

    private enum Stage: Equatable {
        case idle
        case setting(Setting, since: Duration)
        case confirming(Setting, since: Duration, accepted: Duration)
        case confirmed(Setting, since: Duration, accepted: Duration, at: Duration)
        case releasing(Setting, since: Duration, accepted: Duration)
        case exposing(Setting, since: Duration, accepted: Duration, released: Duration)
        case captured(Setting, since: Duration, accepted: Duration, released: Duration)
        case saving(Setting, since: Duration, accepted: Duration, released: Duration)
    }

    private var stage = Stage.idle
    private var lastFrame: FrameKey?
    /// The latest speed that the body reported.
    private(set) var shown: ShutterSpeed?

    init() {}

    /// Stops the measurement, because the link is lost or the shoot no longer fires this frame.
    mutating func abandon() {
        stage = .idle
    }

    /// Notes a command of the shooting chart.
    ///
    /// - Parameter setting: the current frame's setting; nil: there is no current frame.
    mutating func note(_ command: CameraCommand, _ setting: Setting?, at now: Duration) {
        switch (stage, command) {
        case (_, .setSpeed):
            stage = .idle
            guard let setting, setting.frame != lastFrame else { return }
            lastFrame = setting.frame
            stage = .setting(setting, since: now)
        case (.confirming, .readSpeed):
            break
        case (.confirmed(let setting, let since, let accepted, let at), .capture) where at == now:
            stage = .releasing(setting, since: since, accepted: accepted)
        case (.captured(let setting, let since, let accepted, let released), .awaitIdle):
            stage = .saving(setting, since: since, accepted: accepted, released: released)
        default:
            stage = .idle
        }
    }

    /// Notes an event of the camera.
    ///
    /// - Returns: the times that this event completes.
    mutating func note(_ event: CameraEvent, at now: Duration) -> [Sample] {
        switch event {
        case .speedRead(.speed(let speed)): shown = speed
        case .status(let status):
            if case .speed(let speed) = status.speed { shown = speed }
        case .lost, .disconnected: shown = nil
        default: break
        }
        switch (stage, event) {
        case (.setting(let setting, let since), .speedAccepted):
            stage = .confirming(setting, since: since, accepted: now)
            return setSample(setting, now - since)
        case (.confirming(let setting, let since, let accepted), .speedRead(.speed(let shown)))
        where shown == setting.speed:
            stage = .confirmed(setting, since: since, accepted: accepted, at: now)
            return [Sample(.confirm, now - accepted)]
        case (.releasing(let setting, let since, let accepted), .shutterReleased):
            stage = .exposing(setting, since: since, accepted: accepted, released: now)
        case (.exposing(let setting, let since, let accepted, let released), .captured):
            stage = .captured(setting, since: since, accepted: accepted, released: released)
        case (.saving(let setting, let since, let accepted, let released), .idle):
            stage = .idle
            let exposure = setting.speed.exposureTime
            guard !setting.mayReduceNoise else { break }
            // On a body that sets speeds by notches, the time for the notches is estimated separately.
            let began = setting.route == .atOnce ? since : accepted
            return [Sample(.release, now - released - exposure), Sample(.frame, now - began - exposure)]
        case (_, .busy), (_, .failed), (_, .lost), (_, .disconnected), (_, .captureResolved):
            stage = .idle
        default:
            break
        }
        return []
    }

    /// The sample for the time to set a speed. On a body that sets speeds by notches, this is the time for one notch.
    private func setSample(_ setting: Setting, _ time: Duration) -> [Sample] {
        switch setting.route {
        case .atOnce: [Sample(.set, time)]
        case .notches(let notches?) where notches > 0: [Sample(.set, time / notches)]
        case .notches: []
        }
    }
}

extension FrameTimer.Sample {
    /// Replaces a negative time by zero. By the daemon's clock, a body may be idle before its exposure has ended.
    init(_ step: TimingRow.Step, _ time: Duration) {
        self.init(step: step, milliseconds: Int(max(time, .zero).milliseconds))
    }
}
