import Cameras
import Exposure

/// The known speed of the body, and the number of tries for the current frame.
struct SpeedTries: Equatable, Sendable {
    private(set) var busyCount = 0
    private(set) var settingCount = 0
    /// The body's last report for the current frame.
    private(set) var reading: SpeedReading?
    /// The speed of the last frame for which the shutter was pressed.
    private var confirmed: ShutterSpeed?

    /// Resets the numbers of tries for a new frame.
    mutating func beginFrame() { (busyCount, settingCount) = (0, 0) }

    mutating func countBusy() { busyCount += 1 }

    mutating func countSetting() { settingCount += 1 }

    mutating func note(_ reading: SpeedReading?) { self.reading = reading }

    mutating func confirm(_ speed: ShutterSpeed) { confirmed = speed }

    /// The largest possible distance, in notches, between a speed and the body's present speed. The body's last report
    /// may be older than the last frame. Without a report, the body may have any speed.
    ///
    /// - Parameter shown: the speed in the body's status.
    func notchesMax(to speed: ShutterSpeed, shown: SpeedReading?) -> Int {
        var known = [confirmed].compactMap(\.self)
        for reading in [shown, reading].compactMap(\.self) {
            if case .speed(let speed) = reading { known.append(speed) } else { known += [.fastest, .slowest] }
        }
        if known.isEmpty { known = [.fastest, .slowest] }
        return known.map { abs($0.thirds(to: speed)) }.max() ?? 0
    }

    /// The sentence for a body that shows another speed than the one that was set.
    func mismatch(_ speed: ShutterSpeed) -> String { ShootSentences.wrongSpeed(speed, shown: reading) }
}
