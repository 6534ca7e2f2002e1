import Bodies
import Cameras
import Controller

// The passing of time.

extension World {
    package mutating func pass(_ time: Duration) {
        let end = now + time
        pass(until: end) { _ in false }
        if !isLivelocked { now = end }
    }

    /// Lets time pass until a condition holds, or for an hour. Returns whether the condition held.
    @discardableResult
    package mutating func pass(until condition: (World) -> Bool) -> Bool {
        pass(until: now + .seconds(3600), condition)
        return condition(self)
    }

    /// Lets time pass until a condition holds, or until `end`. Returns whether the condition held.
    @discardableResult
    package mutating func advance(to end: Duration, until condition: (borrowing World) -> Bool) -> Bool {
        pass(until: end, condition)
        if condition(self) { return true }
        if !isLivelocked { now = max(now, end) }
        return false
    }

    /// Advances to the next instant with an event and handles all events of that instant. Returns false if no event is
    /// due until `end`.
    package mutating func advanceOnce(to end: Duration) -> Bool {
        guard !isLivelocked, !daemon.isRunaway, let next = nextTime, next <= end else { return false }
        now = max(now, next)
        step()
        return true
    }

    mutating func pass(until end: Duration, _ condition: (borrowing World) -> Bool) {
        var instants = 0
        while !condition(self), advanceOnce(to: end) {
            instants += 1
            isLivelocked = instants >= instantsMax
        }
    }

    /// When the next event is due; nil: only an input can cause the next event.
    package var nextTime: Duration? {
        var soonest = network.nextTime ?? Self.never
        if let time = daemon.nextDeadline { soonest = min(soonest, time) }
        if let time = exchanges.nextTime { soonest = min(soonest, time) }
        for index in cameras.indices {
            if let time = cameras[index].body.nextDeadline { soonest = min(soonest, time) }
        }
        return soonest < Self.never ? soonest : nil
    }

    static let never = Duration.seconds(1 << 50)

    /// Handles the events that are due now: first arriving bytes, then the body, then the daemon's clock.
    mutating func step() {
        var arrived: [Input] = []
        while let delivery = network.next(dueBy: now) { land(delivery, arrived: &arrived) }
        endLateRequests(arrived: &arrived)
        if !arrived.isEmpty { put(arrived) }
        for number in cameras.indices {
            var actions: [BodyAction] = []
            cameras[number].body.advance(to: now, into: &actions)
            perform(actions, by: number)
        }
        guard let due = daemon.nextDeadline, due <= now else { return }
        var links: [Effect] = []
        daemon.advance(to: now, links: &links)
        for effect in links { perform(effect) }
    }
}
