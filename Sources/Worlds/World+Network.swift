import Bodies
import Cameras
import Controller

// The network between the daemon's computer and the cameras.

extension World {
    /// The faults of the network. A change does not end a fault that is in progress: see ``clearNetworkFaults()``.
    package var conditions: NetworkConditions {
        get { network.conditions }
        set { network.conditions = newValue }
    }

    /// The network state of the daemon's computer; nil: near the camera, and not reported to the daemon.
    package var station: Station? { network.station }

    /// Resets the connections of a camera, or of all cameras. Bytes under way are lost.
    package mutating func reset(_ number: Int? = nil) {
        network.reset(number, at: now)
    }

    /// Changes the network state of the daemon's computer and reports it to the daemon.
    package mutating func moveStation(_ station: Station) {
        network.moveStation(station, at: now)
    }

    /// Ends all faults of the network and puts the computer near the camera. Connections that are lost permanently stay
    /// dead until one side ends them.
    package mutating func clearNetworkFaults() {
        network.clearFaults(at: now)
    }

    /// Ends all faults of the network, the disks and the cameras.
    package mutating func clearFaults() {
        clearNetworkFaults()
        clearDiskFaults()
        for number in cameras.indices { clearFaults(number) }
    }

    /// Performs an effect of the daemon on the network.
    mutating func perform(_ effect: Effect) {
        switch effect {
        case .openLink(let generation, let link, let target, let timeout):
            connectionLog.noteOpening(.init(generation: generation, link: link), target.address, at: now)
            open(generation, .link(link), target, for: timeout)
        case .send(let generation, let link, let bytes):
            network.send(generation, .link(link), bytes, at: now)
        case .closeLink(let generation, let link):
            connectionLog.noteClosed(.init(generation: generation, link: link))
            network.close(generation, .link(link), at: now)
        case .http(let generation, let id, let action):
            perform(action, .init(generation: generation, id: id))
        default:
            break
        }
    }

    private mutating func open(
        _ generation: LinkGeneration,
        _ line: VirtualLine,
        _ target: LinkTarget,
        for timeout: Duration
    ) {
        network.open(.init(generation: generation, line: line, target: target, deadline: now + timeout), at: now)
    }

    mutating func land(_ delivery: VirtualNetwork.Delivery, arrived: inout [Input]) {
        var actions: [BodyAction] = []
        switch delivery {
        case .call(let opening):
            call(opening)
        case .bytes(let id, let number, let bytes):
            cameras[number].body.received(id, bytes, at: now, into: &actions)
            perform(actions, by: number)
        case .hangUp(let id, let number):
            cameras[number].body.closed(id, at: now, into: &actions)
            perform(actions, by: number)
        case .toDaemon(let generation, .link(let link), let news):
            let event = news.event(on: link)
            connectionLog.note(event, of: generation)
            arrived.append(.link(generation, event))
        case .toDaemon(let generation, .request(let id), let news):
            land(news, of: .init(generation: generation, id: id), arrived: &arrived)
        case .report:
            guard let snapshot = network.station?.snapshot(watched: daemon.watchedRoute), snapshot != reportedNetwork
            else {
                break
            }
            reportedNetwork = snapshot
            arrived.append(.network(snapshot))
        }
    }

    // MARK: HTTP requests

    private mutating func perform(_ action: HTTPAction, _ key: VirtualExchanges.Key) {
        switch action {
        case .perform(let request):
            if let failure = exchanges.begin(request, key, at: now) {
                return put(.http(key.generation, key.id, .failed(failure)))
            }
            // The request must time out before its connection does.
            open(key.generation, .request(key.id), LinkTarget(request.address), for: request.timeout + .seconds(1))
        case .cancel: end(key)
        }
    }

    /// Ends a request that has an answer or was cancelled.
    private mutating func end(_ key: VirtualExchanges.Key) {
        exchanges.remove(key)
        network.close(key.generation, .request(key.id), at: now)
    }

    /// Handles an event on the connection of a request.
    private mutating func land(
        _ news: VirtualNetwork.LinkUpdate,
        of key: VirtualExchanges.Key,
        arrived: inout [Input]
    ) {
        if news == .opened, let request = exchanges.request(key) {
            network.send(key.generation, .request(key.id), request.bytes, at: now)
        }
        for event in exchanges.receive(news, of: key) {
            if event.isLast { end(key) }
            arrived.append(.http(key.generation, key.id, event))
        }
    }

    /// Ends the requests that timed out.
    mutating func endLateRequests(arrived: inout [Input]) {
        while let (key, failure) = exchanges.takeDue(by: now) {
            end(key)
            arrived.append(.http(key.generation, key.id, .failed(failure)))
        }
    }

    // MARK: Openings

    /// Handles the daemon's attempt to connect.
    mutating func call(_ opening: VirtualNetwork.Opening) {
        guard let number = cameras.firstIndex(where: { $0.isOn && $0.isAt(opening.target.address) }) else {
            if cameras.contains(where: { $0.isAt(opening.target.address) }) {
                return network.missNeighbour(opening, at: now)
            }
            return network.miss(opening, openFailure(opening.target.address), at: now)
        }
        guard !network.losesOpening(opening, at: now) else { return }
        guard now >= cameras[number].refusesUntil, cameras[number].body.acceptsConnection(at: now) else {
            return network.miss(opening, .refused, at: now)
        }
        let id = network.accept(opening, camera: number, at: now)
        if opening.generation != .discovery { daemon.watcher?.linked(opening.generation, to: number, at: now) }
        var actions: [BodyAction] = []
        cameras[number].body.accepted(id, on: opening.target.address.port, at: now, into: &actions)
        perform(actions, by: number)
    }
}
