import Bodies
import Cameras
import Controller
import NIOCore
import PTP

/// The events that the network delivers.
extension VirtualNetwork {
    /// Returns the next event that is due; nil: none.
    package mutating func next(dueBy now: Duration) -> Delivery? {
        while let (_, flight) = flights.takeNext(dueBy: now) {
            if let delivery = land(flight, at: now) { return delivery }
        }
        return nil
    }

    mutating func land(_ flight: Flight, at now: Duration) -> Delivery? {
        switch flight {
        case .connect(let opening): return .call(opening)
        case .openFails(let generation, let line, let failure):
            return .toDaemon(generation, line, .openFailed(reason: failure.words, cause: failure))
        case .toBody(let id): return landAtBody(id, at: now)
        case .toDaemon(let id): return landAtDaemon(id, at: now)
        case .hangUp(let id, let camera): return .hangUp(id, camera: camera)
        case .reset(let id, let isHeardHere): return landReset(id, isHeardHere: isHeardHere, at: now)
        case .check(let id): return check(id, at: now)
        case .drop(let id):
            guard let index = index(of: id), connections[index].isBlocked else { return nil }
            connections[index].toBody.removeAll()
            dropClose(index, at: now)
        case .closeTimeout(let id):
            guard let index = index(of: id), connections[index].isCloseUndelivered else { return nil }
            return .hangUp(id, camera: remove(index).camera)
        case .updatePaths: updatePaths(at: now)
        case .report: return .report
        }
        return nil
    }

    mutating func landAtBody(_ id: ConnectionID, at now: Duration) -> Delivery? {
        guard let index = index(of: id), !connections[index].isBlocked,
            let content = connections[index].toBody.take(dueBy: now)
        else { return nil }
        connections[index].note = now
        switch content {
        case .opened: return nil
        case .bytes(let bytes): return .bytes(id, camera: connections[index].camera, bytes)
        case .end: return .hangUp(id, camera: remove(index).camera)
        }
    }

    mutating func landAtDaemon(_ id: ConnectionID, at now: Duration) -> Delivery? {
        guard let index = index(of: id), !connections[index].isBlocked, connections[index].isHere,
            let content = connections[index].toDaemon.take(dueBy: now)
        else { return nil }
        connections[index].note = now
        let connection = connections[index]
        switch content {
        case .opened:
            connections[index].isOpening = false
            return .toDaemon(connection.generation, connection.line, .opened)
        case .bytes(let bytes): return .toDaemon(connection.generation, connection.line, .received(bytes))
        case .end(let reason):
            remove(index)
            return .toDaemon(connection.generation, connection.line, connection.end(reason))
        }
    }

    mutating func landReset(_ id: ConnectionID, isHeardHere: Bool, at now: Duration) -> Delivery? {
        guard let index = index(of: id), !connections[index].isBlocked else { return nil }
        let connection = connections[index]
        if connection.isThere { flights.plan(.hangUp(id, camera: connection.camera), at: now) }
        guard connection.isHere else {
            remove(index)
            return nil
        }
        guard isHeardHere else {
            connections[index].closeAtCamera()
            connections[index].toDaemon.removeAll()
            planCheck(index, at: now)
            return nil
        }
        remove(index)
        return .toDaemon(connection.generation, connection.line, connection.end("Connection reset by peer"))
    }

    /// Ends a connection at the daemon's system if the system has detected that the connection is dead.
    mutating func check(_ id: ConnectionID, at now: Duration) -> Delivery? {
        guard let index = index(of: id), connections[index].isHere else { return nil }
        let connection = connections[index]
        if connection.isBlocked || connection.isOpening {
            let time = connection.isOpening ? connection.openUntil : connection.deadline
            guard now >= time else {
                flights.plan(.check(id), at: time)
                return nil
            }
        } else {
            guard connection.isDroppedSilently else { return nil }
            remove(index)
            return .toDaemon(connection.generation, connection.line, connection.end("Connection reset by peer"))
        }
        connections[index].closeAtDaemon()
        connections[index].toBody.removeAll()
        if connection.isBlocked { dropClose(index, at: now) } else { sendClose(index, at: now) }
        return .toDaemon(connection.generation, connection.line, connection.end(OpenFailure.timedOut.words, .timedOut))
    }
}
