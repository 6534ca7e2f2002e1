import Bodies
import Cameras
import Controller
import NIOCore
import PTP

/// The part of the network at the daemon.
extension VirtualNetwork {
    package mutating func open(_ opening: Opening, at now: Duration) {
        if !connections.contains(where: { $0.isHere && $0.generation == opening.generation }) {
            resendCloses(at: now) { $0.address == opening.target.address }
        }
        if let station, !station.isNear {
            switch station.change {
            case .near, .elsewhere: return fail(opening, .timedOut, at: now)
            case .noRoute, .apart, .unplugged: return fail(opening, .unreachable, at: now)
            }
        }
        guard !conditions.isNormal else { return connect(opening, at: now + ordinary.latency) }
        if random.chance(oneIn: conditions.refusesOneIn) { return miss(opening, .refused, at: now) }
        if random.chance(oneIn: conditions.swallowsOneIn) { return fail(opening, .timedOut, at: now) }
        let late = conditions.lateOpens.draw(from: &random) ?? .zero
        connect(opening, at: now + random.duration(in: conditions.latency) + late)
    }

    mutating func connect(_ opening: Opening, at time: Duration) {
        // The daemon's system does not repeat an attempt that timed out.
        guard time < opening.deadline else { return fail(opening, .timedOut, at: opening.deadline) }
        flights.plan(.connect(opening), at: time)
    }

    package mutating func send(
        _ generation: LinkGeneration,
        _ line: VirtualLine,
        _ bytes: ByteBuffer,
        at now: Duration
    ) {
        guard let index = index(generation, line) else { return }
        if connections[index].isThere { put(bytes, on: index, .toBody, at: now) }
        if connections[index].isBlocked {
            if connections[index].unacknowledgedSince == nil {
                connections[index].unacknowledgedSince = now
                flights.plan(.check(connections[index].id), at: now + Self.userTimeout)
            }
        } else if connections[index].isDroppedSilently {
            flights.plan(.check(connections[index].id), at: now + connections[index].latency * 2)
        }
    }

    /// Closes a connection at the daemon, or stops opening it. No event of the connection follows. Bytes that have not
    /// reached the camera's system are removed.
    package mutating func close(_ generation: LinkGeneration, _ line: VirtualLine, at now: Duration) {
        flights.cancel { $0.isOpening(generation, line) }
        guard let index = index(generation, line) else { return }
        connections[index].closeAtDaemon()
        connections[index].cancelRetransmission(at: now, conditions)
        if connections[index].isBlocked {
            dropClose(index, at: now)
        } else {
            sendClose(index, at: now)
        }
    }

    /// Ends all connections when the process ends.
    package mutating func endAll(at now: Duration) {
        forgetOpenings()
        for id in standing {
            guard let index = index(of: id) else { continue }
            connections[index].closeAtDaemon()
            connections[index].isForgotten = true
            sendClose(index, at: now)
        }
    }

    /// Ends all connections when the process ends, with random effects. The system sends the remaining bytes, or drops
    /// them if it had unread bytes. After a power cut the system sends nothing.
    package mutating func endAll(isPowerCut: Bool, drawing random: inout SeededGenerator, at now: Duration) {
        forgetOpenings()
        for id in standing {
            guard let index = index(of: id) else { continue }
            connections[index].closeAtDaemon()
            connections[index].isForgotten = true
            let isReset = random.chance(oneIn: 2)
            if isPowerCut || isReset { connections[index].cancelRetransmission(at: now, conditions) }
            if isPowerCut || isReset && connections[index].isBlocked {
                // The camera is the access point. After a power cut it notices that the computer has left the network.
                let time = isPowerCut ? random.duration(in: .zero...Self.closeTimeout) : Self.closeTimeout
                dropClose(index, for: time, at: now)
            } else {
                if connections[index].isBlocked {
                    flights.plan(.drop(connections[index].id), at: now + Self.userTimeout)
                }
                sendClose(index, at: now)
            }
        }
    }

    mutating func forgetOpenings() {
        // The numbers of links start again. Attempts of the ended process must not reach the next process.
        flights.cancel { $0.isOpening }
    }

    mutating func sendClose(_ index: Int, at now: Duration) {
        guard connections[index].isThere else {
            remove(index)
            return
        }
        plan(.end(reason: nil), on: index, .toBody, at: now + connections[index].latency)
    }

    /// Loses the end of the connection. The camera's system ends the connection after this time.
    mutating func dropClose(_ index: Int, for time: Duration = closeTimeout, at now: Duration) {
        guard connections[index].isThere else {
            remove(index)
            return
        }
        flights.plan(.closeTimeout(connections[index].id), at: now + time)
    }

    /// Sends again the ends of connections that perhaps did not reach the camera.
    mutating func resendCloses(at now: Duration, where isSelected: (VirtualConnection) -> Bool) {
        for index in connections.indices where connections[index].isCloseUndelivered && !connections[index].isBlocked {
            if !connections[index].isForgotten, isSelected(connections[index]) { sendClose(index, at: now) }
        }
    }
}
