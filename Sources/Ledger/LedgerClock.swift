import Controller

/// The time of the calendar and of the daemon's monotonic clock.
package struct LedgerClock: Sendable {
    /// Returns the calendar time, in milliseconds since 1970-01-01 00:00 UTC, and the time of
    /// ``Controller/Moment/clock(_:)``.
    package var now: @Sendable () -> (wall: Int64, clock: Duration)

    package init(now: @escaping @Sendable () -> (wall: Int64, clock: Duration)) {
        self.now = now
    }

    /// Returns a function that converts a moment to calendar time in milliseconds. The function assumes that the system
    /// clock was not set since the moment.
    func reader() -> (Moment) -> Int64 {
        let (wall, clock) = now()
        return { moment in
            switch moment {
            case .wall(let milliseconds): milliseconds
            case .clock(let time): wall - Int64((clock - time) / .milliseconds(1))
            }
        }
    }
}
