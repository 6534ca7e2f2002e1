import Bodies
import Cameras
import Controller
import NIOCore
import PTP

/// The faults of sent bytes and of connections.
extension VirtualNetwork {
    mutating func put(
        _ bytes: ByteBuffer,
        on index: Int,
        _ direction: VirtualConnection.Direction,
        at now: Duration
    ) {
        let latency = connections[index].latency
        guard !conditions.isNormal else {
            guard let size = ordinary.segment else {
                return plan(.bytes(bytes), on: index, direction, at: now + latency)
            }
            var rest = bytes
            while let part = rest.readSlice(length: min(size, rest.readableBytes)), part.readableBytes > 0 {
                plan(.bytes(part), on: index, direction, at: now + latency)
            }
            return
        }
        var time = now + latency + random.duration(in: .zero...conditions.jitter)
        // The stalls because of several lost packets overlap.
        if let stall = conditions.stalls.draw(from: &random) { time += min(stall, NetworkConditions.stallMax) }
        time = max(time, connections[index].last(direction))
        var rest = bytes
        var cuts = random.chance(oneIn: conditions.cutsOneIn) ? NetworkConditions.cutsMax : 0
        while cuts > 0 {
            let size = random.next(in: conditions.pieces)
            guard size < rest.readableBytes, let piece = rest.readSlice(length: size) else { break }
            plan(.bytes(piece), on: index, direction, at: time)
            time += random.duration(in: .microseconds(1)...max(conditions.jitter, .microseconds(1)))
            cuts -= 1
        }
        plan(.bytes(rest), on: index, direction, at: time)
        drawFault(index, at: now)
    }

    mutating func drawFault(_ index: Int, at now: Duration) {
        let id = connections[index].id
        if let after = conditions.resets.draw(from: &random) {
            flights.plan(.reset(id, isHeardHere: !random.chance(oneIn: 4)), at: now + after)
        }
        if let time = conditions.holes.draw(from: &random) {
            let end = random.chance(oneIn: conditions.endlessOneIn) ? Self.never : now + time
            connections[index].holeUntil = max(connections[index].holeUntil, end)
            if end < Self.never { flights.plan(.updatePaths, at: end) }
            updatePaths(at: now)
        }
        if let time = conditions.outages.draw(from: &random) { beginOutage(until: now + time, at: now) }
    }

    /// Starts an outage: nothing passes until `end`.
    package mutating func beginOutage(until end: Duration, at now: Duration) {
        outageUntil = max(outageUntil, end)
        flights.plan(.updatePaths, at: end)
        updatePaths(at: now)
    }

    /// Makes the present connections lose all bytes permanently.
    package mutating func lose(at now: Duration) {
        for index in connections.indices { connections[index].holeUntil = Self.never }
        updatePaths(at: now)
    }

    mutating func reset(_ camera: Int?, at now: Duration) {
        for connection in connections where camera == nil || connection.camera == camera {
            flights.plan(.reset(connection.id, isHeardHere: true), at: now)
        }
    }

    /// Ends all faults. Everything that is not lost permanently continues.
    mutating func clearFaults(at now: Duration) {
        conditions = .normal
        outageUntil = .zero
        for index in connections.indices where connections[index].holeUntil < Self.never {
            connections[index].holeUntil = .zero
        }
        flights.cancel { if case .reset = $0 { true } else { false } }
        if var station {
            station.change = .near
            moveStation(station, at: now)
        } else {
            updatePaths(at: now)
        }
    }

    package mutating func moveStation(_ station: Station, at now: Duration) {
        let wasNear = self.station?.isNear ?? true
        self.station = station
        updatePaths(at: now)
        if !wasNear, station.isNear { resendCloses(at: now) { _ in true } }
        flights.plan(.report, at: now)
    }

    /// Plans a report to the daemon, because the daemon now watches the route to another address.
    mutating func reportSoon(at now: Duration) { flights.plan(.report, at: now + .milliseconds(1)) }

    /// Updates for each connection whether its destination exists, after cameras disappeared, returned or lost power.
    mutating func review(at now: Duration, _ isReached: (CameraAddress) -> Bool) {
        for index in connections.indices { connections[index].isReached = isReached(connections[index].address) }
        updatePaths(at: now)
    }

    /// Updates which connections work.
    mutating func updatePaths(at now: Duration) {
        for index in connections.indices {
            let isBlocked = isBlocked(connections[index], at: now)
            guard isBlocked != connections[index].isBlocked else { continue }
            connections[index].isBlocked = isBlocked
            if isBlocked { planCheck(index, at: now) } else { resume(index, at: now) }
        }
    }

    func isBlocked(_ connection: VirtualConnection, at now: Duration) -> Bool {
        if connection.holeUntil > now || outageUntil > now || !connection.isReached { return true }
        guard let station else { return false }
        return !station.isNear || connection.source.map { $0 != station.address } ?? false
    }

    /// Sends the waiting bytes again, in order.
    mutating func resume(_ index: Int, at now: Duration) {
        connections[index].note = now
        let hadUnheard = connections[index].unacknowledgedSince != nil
        connections[index].unacknowledgedSince = nil
        let connection = connections[index]
        for _ in 0..<connection.toBody.dueCount(by: now) { flights.plan(.toBody(connection.id), at: now) }
        for _ in 0..<connection.toDaemon.dueCount(by: now) { flights.plan(.toDaemon(connection.id), at: now) }
        if connection.isDroppedSilently {
            let time = hadUnheard ? connection.latency * 2 : Self.probeInterval
            flights.plan(.check(connection.id), at: now + time)
        }
    }

    /// Plans the next check of a connection on which nothing arrives.
    mutating func planCheck(_ index: Int, at now: Duration) {
        guard connections[index].isHere else { return }
        // The camera answered the last keep-alive probe before this time.
        while connections[index].note + Self.probeInterval <= now { connections[index].note += Self.probeInterval }
        if connections[index].isBlocked, !connections[index].toBody.isEmpty {
            connections[index].unacknowledgedSince = connections[index].unacknowledgedSince ?? now
        }
        let time: Duration
        if connections[index].isOpening {
            time = connections[index].openUntil
        } else if connections[index].isBlocked {
            time = connections[index].deadline
        } else {
            time = connections[index].note + Self.probeInterval
        }
        flights.plan(.check(connections[index].id), at: max(now, time))
    }
}
