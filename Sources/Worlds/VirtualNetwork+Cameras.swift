import Bodies
import Cameras
import Controller
import NIOCore
import PTP

/// The part of the network at the cameras.
extension VirtualNetwork {
    /// Accepts a connection for a camera. Returns the connection's id.
    package mutating func accept(_ opening: Opening, camera: Int, at now: Duration) -> ConnectionID {
        lastConnection += 1
        let id = ConnectionID(rawValue: lastConnection)
        let latency = conditions.isNormal ? ordinary.latency : random.duration(in: conditions.latency)
        let connection = VirtualConnection(
            id: id,
            generation: opening.generation,
            line: opening.line,
            camera: camera,
            address: opening.target.address,
            source: station?.address,
            latency: latency,
            openUntil: opening.deadline,
            note: now
        )
        connections.append(connection)
        let index = connections.count - 1
        plan(.opened, on: index, .toDaemon, at: now + latency)
        if now + latency > opening.deadline { flights.plan(.check(id), at: opening.deadline) }
        return id
    }

    /// Makes an attempt to connect fail, because no camera accepts it.
    mutating func miss(_ opening: Opening, _ failure: OpenFailure, at now: Duration) {
        let latency = conditions.isNormal ? ordinary.latency : random.duration(in: conditions.latency)
        let time = failure == .timedOut ? opening.deadline : now + latency
        flights.plan(.openFails(opening.generation, opening.line, failure), at: time)
    }

    /// Makes an attempt to connect fail, because no device has the address.
    mutating func missNeighbour(_ opening: Opening, at now: Duration) {
        let time = min(opening.deadline, now + Self.neighbourTime)
        flights.plan(.openFails(opening.generation, opening.line, .unreachable), at: time)
    }

    mutating func fail(_ opening: Opening, _ failure: OpenFailure, at now: Duration) {
        let time = failure == .timedOut ? opening.deadline : now
        flights.plan(.openFails(opening.generation, opening.line, failure), at: time)
    }

    /// Whether the network loses the SYN of an attempt to connect. The daemon's system sends the SYN again until the
    /// time limit.
    package mutating func losesOpening(_ opening: Opening, at now: Duration) -> Bool {
        if let station, !station.isNear {
            fail(opening, .timedOut, at: now)
            return true
        }
        guard outageUntil > now else { return false }
        connect(opening, at: outageUntil)
        return true
    }

    package mutating func sendFromBody(_ id: ConnectionID, _ bytes: ByteBuffer, at now: Duration) {
        guard let index = index(of: id), connections[index].isThere else { return }
        if connections[index].isHere {
            put(bytes, on: index, .toDaemon, at: now)
        } else if connections[index].isCloseUndelivered, !connections[index].isBlocked {
            // The camera has no such connection and answers with a reset.
            plan(.end(reason: nil), on: index, .toBody, at: now + connections[index].latency * 2)
        }
    }

    /// Ends a connection at the camera.
    ///
    /// - Parameter reason: The system's text; nil: the connection ends in order.
    mutating func endFromBody(_ id: ConnectionID, reason: String?, at now: Duration) {
        guard let index = index(of: id), connections[index].isThere else { return }
        let connection = connections[index]
        connections[index].closeAtCamera()
        flights.plan(.hangUp(id, camera: connection.camera), at: now)
        guard connection.isHere else {
            remove(index)
            return
        }
        // A camera sends a reset only once, so a blocked connection loses the reset.
        guard reason == nil || !connection.isBlocked else { return }
        plan(.end(reason: reason), on: index, .toDaemon, at: now + connection.latency)
    }

    /// Ends a camera's connections at the camera only. The daemon's system is not informed.
    mutating func dropSilently(camera: Int, at now: Duration) {
        for id in connections.filter({ $0.camera == camera && $0.isThere }).map(\.id) {
            flights.plan(.hangUp(id, camera: camera), at: now)
            guard let index = index(of: id) else { continue }
            connections[index].closeAtCamera()
            guard connections[index].isHere else { remove(index); continue }
            planCheck(index, at: now)
        }
    }
}
