import CLinux
import Glibc

/// Time since the daemon started. Never goes back, and goes on while the machine is suspended.
struct DaemonClock: Sendable {
    private let origin: Duration

    init() {
        origin = Self.sinceBoot
    }

    var now: Duration { Self.sinceBoot - origin }

    /// A time of this clock as the system's CLOCK_BOOTTIME has it.
    func systemTime(of time: Duration) -> timespec {
        let (seconds, attoseconds) = max(.zero, origin + time).components
        return timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    }

    /// A time of CLOCK_MONOTONIC, by which the kernel stamps the edges of a line, as this clock has it. That one stands
    /// still while the machine is suspended, so it is good for what has just been.
    func time(ofMonotonic time: Duration) -> Duration {
        // Whoever is put to sleep between the two readings is wrong by that sleep: the closest pair of three counts.
        let pairs = (0..<3).map { _ in
            let monotonic = Self.read(CLOCK_MONOTONIC)
            return (offset: now - monotonic, width: Self.read(CLOCK_MONOTONIC) - monotonic)
        }
        let closest = pairs.min { $0.width < $1.width } ?? pairs[0]
        return time + closest.offset
    }

    private static var sinceBoot: Duration { read(CLOCK_BOOTTIME) }

    private static func read(_ clock: clockid_t) -> Duration {
        var time = timespec()
        let status = clock_gettime(clock, &time)
        precondition(status == 0, "Linux has had CLOCK_BOOTTIME since 2.6.39")
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
