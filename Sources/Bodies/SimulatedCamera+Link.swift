import NIOCore
import PTP

/// The link between the body and the initiator, with faults, latency and transfer rate.
extension SimulatedCamera {
    mutating func fail(_ fault: BodyLinkFault, at now: Duration, into actions: inout [BodyAction]) {
        switch fault {
        case .broken(let back):
            actions.append(.log("fault: the link breaks for \(DurationText.milliseconds(back)) ms"))
            breakLink(until: now + back, isOrderly: false, at: now)
            actions.append(.refuseConnections(until: now + back))
        case .closed(let back):
            actions.append(.log("fault: the body closes its connections"))
            breakLink(until: now + (back ?? .zero), isOrderly: true, at: now)
            if back != nil { actions.append(.refuseConnections(until: now + (back ?? .zero))) }
        case .leaves(let departure):
            depart(departure, at: now, into: &actions)
        case .silent(let back):
            actions.append(.log("fault: the body stops answering"))
            outbox.cancel { $0.connection != nil }
            link = .silent(until: back.map { now + $0 })
        }
    }

    /// Takes the body away from its network. The body returns after the planned time.
    package mutating func leave(_ departure: Departure, at now: Duration, into actions: inout [BodyAction]) {
        advance(to: now, into: &actions)
        if case .broken = link { return actions.append(.log("the body is already off the network")) }
        depart(departure, at: now, into: &actions)
        run(at: now, into: &actions)
    }

    private mutating func depart(_ departure: Departure, at now: Duration, into actions: inout [BodyAction]) {
        let time = "\(DurationText.milliseconds(departure.back)) ms"
        let place = departure.place.map { " and returns at \($0)" } ?? ""
        actions.append(.log("the body leaves the network for \(time)\(place)"))
        breakLink(until: now + departure.back, isOrderly: departure.isOrderly, at: now)
        actions.append(.leave(departure, until: now + departure.back))
    }

    /// Breaks the link and discards bytes that have not arrived. An absent body returns at the later of the two times.
    private mutating func breakLink(until time: Duration, isOrderly: Bool, at now: Duration) {
        outbox.cancel { $0.connection != nil }
        var time = time
        if case .broken(let before, _) = link { time = max(time, before) }
        link = .broken(until: time, isOrderly: isOrderly)
        body.disconnect(at: now)
    }

    mutating func refuseAfterUncleanEnd(at now: Duration, into actions: inout [BodyAction]) {
        guard
            let time = faults.first({
                if case .refuseAfterUncleanEnd(let time, isBusy: false) = $0 { time } else { nil }
            })
        else { return }
        actions.append(.log("fault: connections are refused for \(DurationText.milliseconds(time)) ms"))
        breakLink(until: now + time, isOrderly: false, at: now)
        actions.append(.refuseConnections(until: now + time))
    }

    /// Sends bytes in order, after the latency and at the transfer rate. A silent body sends no bytes. A broken link
    /// resets its connections.
    mutating func emit(_ action: BodyAction, at now: Duration, into actions: inout [BodyAction]) {
        switch (link, action) {
        case (.silent, .send): return
        case (.broken(_, isOrderly: false), .close(let id)): actions.append(.abort(id))
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
    /// The connection of the action; nil: the action has no connection.
    package var connection: ConnectionID? {
        switch self {
        case .send(let id, _), .close(let id), .abort(let id): id
        case .refuseConnections, .leave, .exposed, .fact, .log: nil
        }
    }
}
