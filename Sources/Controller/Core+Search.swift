import Cameras
import Statecharts

// How a camera is found: the search's chart says when to ask and to call, and the connection's chart which address is
// tried first. Asking, calling and what goes on at each address have files of their own.

extension Core {
    /// The interfaces that cameras are looked for by.
    var searchInterfaces: [NetworkInterface] {
        network.machine.behavior.snapshot.map { configuration.search.interfaces(of: $0) } ?? []
    }

    /// Whether cameras are looked for at all, beside the configured address.
    var isSearched: Bool { !configuration.search.ways.isEmpty }

    /// The camera that every other one is turned away for; nil: any will do.
    var wantedCamera: WantedCamera? {
        if shooting.chart.isActive(.active), let camera = shooting.shoot?.camera, !camera.id.isEmpty {
            return WantedCamera(id: camera.id, name: camera.name)
        }
        return requests.choice?.wanted
    }

    /// The address that a person named, where nobody is called elsewhere. A shoot's camera is called wherever it may
    /// be, whatever was named meanwhile.
    var onlyAddress: CameraAddress? { wantedCamera == nil ? requests.choice?.address : nil }

    /// Where cameras may be, the likeliest first, each once.
    var callList: [CameraAddress] {
        if let onlyAddress { return [onlyAddress] }
        let joined = network.machine.behavior.joinedNetworks
        var list = [requests.choice?.address].compactMap(\.self)
        if let named = requests.choice?.wanted { list += finder.cameras.addresses(wanted: named, joined: joined) }
        if let address = configuration.cameraAddress { list.append(address) }
        if isSearched || requests.choice != nil {
            if let address = network.machine.behavior.cameraAddress { list.append(address) }
            if configuration.search.ways.contains(.known) || requests.choice != nil {
                list += finder.cameras.addresses(wanted: wantedCamera, joined: joined)
            }
            list += finder.cameras.callable
        }
        var seen: Set<CameraAddress> = []
        return Array(list.filter { seen.insert($0).inserted }.prefix(CameraFinder.callsMax))
    }

    // MARK: The connection's wishes

    /// Names the address that is tried next; the others of the list have their turn after it.
    mutating func look(in turn: inout Turn) {
        guard !callList.isEmpty else {
            if !isSearched {
                turn.append(.journal(JournalEntry(level: .warning, kind: .note, message: aimlessSentence)))
            }
            return
        }
        lookAgain(in: &turn)
    }

    /// The same, where the connection waits for an address: there may be one by now.
    mutating func lookAgain(in turn: inout Turn) {
        guard connection.isActive(.discovering), finder.offer == nil else { return }
        let list = callList.filter { !isSearched || !finder.isResting($0, at: turn.now) }
        let start = finder.lastPick.flatMap { list.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        guard let address = (list[start...] + list[..<start]).first(where: { !isCalled($0) }) else { return }
        finder.lastPick = address
        name(address, in: &turn)
    }

    /// Tells the connection, which waits for an address, of this one.
    mutating func name(_ address: CameraAddress, in turn: inout Turn) {
        finder.offer = address
        turn.append(.enqueue(.cameraFound(address)))
    }

    // MARK: The search's chart

    mutating func deliver(_ input: Search.Input, in turn: inout Turn) {
        finish(finder.chart.handle(input, at: turn.now), in: &turn)
    }

    mutating func finish(_ outcome: ChartRun<SearchModel>.Outcome, in turn: inout Turn) {
        turn.publish(outcome.steps, level: .debug)
        for effect in outcome.effects {
            switch effect {
            case .listen:
                guard configuration.search.ways.contains(.ssdp) || subscriptions.contains(.cameras) else { break }
                finder.listen(on: searchInterfaces, in: &turn)
            case .stopListening: finder.stopListening(in: &turn)
            case .ask: finder.ask(in: &turn)
            case .callKnown: callKnown(in: &turn)
            case .beginWave: beginWave(in: &turn)
            case .callOff: callOff(in: &turn)
            }
        }
    }
}
