import NIOCore
import PTP

/// What stands between the body and the initiator: a link that fails, latency and pace.
extension SimulatedCamera {
    mutating func fail(_ fault: SonyBody.LinkFault, at now: Duration, into actions: inout [BodyAction]) {
        switch fault {
        case .broken(let back):
            actions.append(.log("fault: the link drops for \(DurationText.milliseconds(back)) ms"))
            outbox.cancel { $0.connection != nil }
            link = .broken(until: now + back)
            responder.disconnect(at: now)
            actions.append(.refuseConnections(until: now + back))
        case .silent(let back):
            actions.append(.log("fault: the body falls silent"))
            outbox.cancel { $0.connection != nil }
            link = .silent(until: back.map { now + $0 })
        }
    }

    mutating func decide(
        on id: ConnectionID,
        _ request: InitCommandRequest,
        at now: Duration,
        into actions: inout [BodyAction]
    ) {
        if let reason = faults.take({ if case .initFail(let reason, _) = $0 { reason } else { nil } }) {
            actions.append(.log("fault: initiator turned away with reason \(reason)"))
            return responder.turnAway(id, InitFailReason(rawValue: reason), at: now)
        }
        if let delay = faults.first({ if case .pairing(let delay) = $0 { delay } else { nil } }) {
            actions.append(.log("fault: the initiator waits for the OK on the body"))
            return pairings.plan(id, at: now + delay)
        }
        responder.admit(id, at: now)
    }

    mutating func refuseAfterUncleanEnd(at now: Duration, into actions: inout [BodyAction]) {
        guard
            let time = faults.first({
                if case .refuseAfterUncleanEnd(let time, isBusy: false) = $0 { time } else { nil }
            })
        else { return }
        actions.append(.log("fault: connects are refused for \(DurationText.milliseconds(time)) ms"))
        link = .broken(until: now + time)
        responder.disconnect(at: now)
        actions.append(.refuseConnections(until: now + time))
    }

    /// Bytes leave after the latency, and one after the other at the pace; while the body is silent, none do. A broken
    /// link resets.
    mutating func emit(_ action: BodyAction, at now: Duration, into actions: inout [BodyAction]) {
        switch (link, action) {
        case (.silent, .send): return
        case (.broken, .close(let id)): actions.append(.abort(id))
        case (.broken, .send): return
        case (_, _) where latency == .zero && pace == nil: actions.append(action)
        case (_, _): outbox.plan(action, at: departure(of: action, at: now))
        }
    }

    private mutating func departure(of action: BodyAction, at now: Duration) -> Duration {
        guard let id = action.connection, let pace else { return now + latency }
        let start = max(now + latency, busyUntil[id] ?? .zero)
        guard case .send(_, let bytes) = action else { return start }
        busyUntil[id] = start + .nanoseconds(bytes.readableBytes * 1_000_000_000 / pace)
        return start
    }
}

extension BodyAction {
    /// The connection whose bytes or end this is.
    var connection: ConnectionID? {
        switch self {
        case .send(let id, _), .close(let id), .abort(let id): id
        case .refuseConnections, .exposed, .log: nil
        }
    }
}
