import Cameras
import Exposure

/// Takes the time of one frame after the other, from the commands of the shooting chart and the camera's answers.
///
/// Only a frame that goes straight on is timed: one that is set a second time, waits for the ledger's disk, fails, or
/// is withdrawn by a pause or a loss says nothing of the body.
struct FrameTimer: Sendable {
    /// What is set for a frame, and where the body comes from.
    struct Setting: Equatable, Sendable {
        var frame: FrameKey
        var speed: ShutterSpeed
        /// Whether a dark frame may follow: how long the body then takes is not its own pace.
        var mayReduceNoise: Bool
        /// Of a body that steps, the notches to the speed; nil: not known.
        var way: Way
    }

    enum Way: Equatable, Sendable {
        case atOnce
        case notches(Int?)
    }

    /// A time that was taken.
    struct Sample: Equatable, Sendable {
        var step: TimingRow.Step
        var milliseconds: Int
    }

    private enum Stage: Equatable {
        case resting
        case setting(Setting, since: Duration)
        case confirming(Setting, since: Duration, accepted: Duration)
        case confirmed(Setting, since: Duration, accepted: Duration, at: Duration)
        case releasing(Setting, since: Duration, accepted: Duration)
        case exposing(Setting, since: Duration, accepted: Duration, released: Duration)
        case captured(Setting, since: Duration, accepted: Duration, released: Duration)
        case saving(Setting, since: Duration, accepted: Duration, released: Duration)
    }

    private var stage = Stage.resting
    private var lastFrame: FrameKey?
    /// The speed that the body was seen at last.
    private(set) var shown: ShutterSpeed?

    init() {}

    /// The link is gone, or the daemon does something else.
    mutating func abandon() {
        stage = .resting
    }

    /// - Parameter setting: of the frame in work; nil: there is none.
    mutating func note(_ command: CameraCommand, _ setting: Setting?, at now: Duration) {
        switch (stage, command) {
        case (_, .setSpeed):
            stage = .resting
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
            stage = .resting
        }
    }

    /// - Returns: what is now known to have taken how long.
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
            stage = .resting
            let exposure = setting.speed.exposureTime
            guard !setting.mayReduceNoise else { break }
            // The notches of a body that steps are estimated by themselves.
            let began = setting.way == .atOnce ? since : accepted
            return [Sample(.release, now - released - exposure), Sample(.frame, now - began - exposure)]
        case (_, .busy), (_, .failed), (_, .lost), (_, .disconnected), (_, .captureResolved):
            stage = .resting
        default:
            break
        }
        return []
    }

    /// A body that steps takes as long as the way is: what is kept of it is the time per notch.
    private func setSample(_ setting: Setting, _ time: Duration) -> [Sample] {
        switch setting.way {
        case .atOnce: [Sample(.set, time)]
        case .notches(let notches?) where notches > 0: [Sample(.set, time / notches)]
        case .notches: []
        }
    }
}

extension FrameTimer.Sample {
    /// A body may be idle a little before its exposure is over by our clock.
    init(_ step: TimingRow.Step, _ time: Duration) {
        self.init(step: step, milliseconds: Int(max(time, .zero).milliseconds))
    }
}
