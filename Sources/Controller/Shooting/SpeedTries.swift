import Cameras
import Exposure

/// What is known of the speed that the body stands at, and how often it was set for the frame in work.
struct SpeedTries: Equatable, Sendable {
    private(set) var busyCount = 0
    private(set) var settingCount = 0
    /// What the body said last for the frame in work.
    private(set) var reading: SpeedReading?
    /// The speed of the last frame that came as far as the shutter.
    private var confirmed: ShutterSpeed?

    /// Tries are counted for each frame anew.
    mutating func beginFrame() { (busyCount, settingCount) = (0, 0) }

    mutating func countBusy() { busyCount += 1 }

    mutating func countSetting() { settingCount += 1 }

    mutating func note(_ reading: SpeedReading?) { self.reading = reading }

    mutating func confirm(_ speed: ShutterSpeed) { confirmed = speed }

    /// The farthest that a speed may be from the body's present one. What the body said of that last may be older than
    /// the last frame; if it said nothing, it may stand anywhere.
    ///
    /// - Parameter shown: what the body showed in its status.
    func notchesMax(to speed: ShutterSpeed, shown: SpeedReading?) -> Int {
        var known = [confirmed].compactMap(\.self)
        for reading in [shown, reading].compactMap(\.self) {
            if case .speed(let speed) = reading { known.append(speed) } else { known += [.fastest, .slowest] }
        }
        if known.isEmpty { known = [.fastest, .slowest] }
        return known.map { abs($0.thirds(to: speed)) }.max() ?? 0
    }

    /// That the body stands at another speed than was set.
    func mismatch(_ speed: ShutterSpeed) -> String {
        guard let reading else { return "The camera does not confirm \(speed.label)." }
        return "The camera shows \(reading), but \(speed.label) was set."
    }
}
