import Controller

/// What time it is, by the calendar and by the daemon's clock.
package struct LedgerClock: Sendable {
    /// Milliseconds since 1970-01-01 00:00 UTC, and the time of ``Controller/Moment/clock(_:)``.
    package var now: @Sendable () -> (wall: Int64, clock: Duration)

    package init(now: @escaping @Sendable () -> (wall: Int64, clock: Duration)) {
        self.now = now
    }

    /// By the calendar, in milliseconds: what time it was then if the calendar's clock was not set meanwhile.
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
