import CLinux
import Glibc

/// The time since the daemon started. It never decreases, and it advances while the machine is suspended.
struct DaemonClock: Sendable {
    private let origin: Duration

    init() {
        origin = Self.sinceBoot
    }

    var now: Duration { Self.sinceBoot - origin }

    func systemTime(of time: Duration) -> timespec {
        let (seconds, attoseconds) = max(.zero, origin + time).components
        return timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    }

    /// Converts a time of CLOCK_MONOTONIC, the kernel's clock for edges of a line. CLOCK_MONOTONIC stops while the
    /// machine is suspended, so the result is correct only for recent times.
    func time(ofMonotonic time: Duration) -> Duration {
        // The kernel can interrupt the thread between two clock calls. The pair with the smallest difference is used.
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
