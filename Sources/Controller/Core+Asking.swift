import Cameras
import Statecharts

// Cameras that tell of themselves by SSDP. Nothing is believed of what comes but that a camera may be there.

extension Core {
    package static let descriptionTimeout = Duration.seconds(3)
    /// One that cannot be read is not fetched again before.
    private static let fetchPause = Duration.seconds(10)

    /// The interfaces that cameras are looked for by.
    var searchInterfaces: [NetworkInterface] {
        network.machine.behavior.snapshot.map { configuration.search.interfaces(of: $0) } ?? []
    }

    mutating func listen(in turn: inout Turn) {
        guard configuration.search.ways.contains(.ssdp) || subscriptions.contains(.cameras) else { return }
        // The loopback has no flag for it and takes it all the same.
        let interfaces = searchInterfaces.filter { $0.isMulticast || $0.isLoopback }
        let indices = interfaces.map(\.index)
        let changed = interfaces.filter { listened[$0.index] != nil && listened[$0.index] != $0.addresses }.map(\.index)
        guard indices.sorted() != listened.keys.sorted() || !changed.isEmpty else { return }
        listened = Dictionary(uniqueKeysWithValues: interfaces.map { ($0.index, $0.addresses) })
        turn.append(.discovery(.listen(on: indices, rejoins: changed)))
    }

    mutating func stopListening(in turn: inout Turn) {
        for fetch in fetches.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            turn.append(.discovery(.cancelFetch(fetch)))
        }
        fetches.removeAll()
        guard !listened.isEmpty else { return }
        listened.removeAll()
        turn.append(.discovery(.listen(on: [], rejoins: [])))
    }

    mutating func ask(in turn: inout Turn) {
        book.forgetSilent(at: turn.now)
        guard !listened.isEmpty else { return }
        turn.append(.discovery(.ask(SSDPTarget.ofCameras.map { SSDPMessage.search(for: $0) })))
    }

    /// Somebody tells of a camera, or pretends to.
    mutating func hear(_ datagram: SSDPDatagram, in turn: inout Turn) {
        guard listened[datagram.interface] != nil, let message = try? SSDPMessage.parse(datagram.bytes),
            message.mayBeCamera, message.isTold(by: datagram.from), isNeighbour(datagram)
        else { return }
        let name = message.udn?.rawValue ?? datagram.from.description
        let present = book.announced[name]
        guard let url = message.location else {
            // Nobody takes leave for somebody else.
            if present?.url.host == datagram.from { book.forget(name) }
            return
        }
        var camera = CameraBook.Announcement(name: name, url: url, interface: datagram.interface, at: turn.now)
        if let present, present.url == url {
            camera.description = present.description
            camera.fetchedAt = present.fetchedAt
            // Who is heard by two interfaces stays where it was heard first.
            if listened[present.interface] != nil { camera.interface = present.interface }
        }
        guard book.note(camera) else { return }
        if camera.description == nil { fetch(url, of: name, in: &turn) }
        // Only bodies that speak PTP/IP have this service (Camera Control PTP 3, p.39); of others the description has
        // to tell.
        if message.target == .digitalImaging || camera.address != nil {
            call(CameraAddress(host: url.host.description), in: &turn)
        }
    }

    /// Whether the sender is in a network of the interface that it was heard by: nobody else may have us call him.
    private func isNeighbour(_ datagram: SSDPDatagram) -> Bool {
        let interface = network.machine.behavior.snapshot?.interface(datagram.interface)
        return interface.map { $0.isNear(datagram.from) || $0.addresses.contains { $0.address == datagram.from } }
            ?? false
    }

    private mutating func fetch(_ url: DescriptionURL, of name: String, in turn: inout Turn) {
        let isPausing = book.announced[name]?.fetchedAt.map { turn.now < $0 + Self.fetchPause } ?? false
        guard !isPausing, !fetches.values.contains(where: { $0.name == name }), fetches.count < CameraBook.announcedMax
        else { return }
        book.change(name) { $0.fetchedAt = turn.now }
        lastFetch.rawValue &+= 1
        fetches[lastFetch] = (name, url)
        let (max, timeout) = (DeviceDescription.byteCountMax, Self.descriptionTimeout)
        turn.append(.discovery(.fetch(lastFetch, url, byteCountMax: max, timeout: timeout)))
    }

    mutating func take(_ outcome: FetchOutcome, of id: FetchID, in turn: inout Turn) {
        guard let (name, url) = fetches.removeValue(forKey: id), book.announced[name]?.url == url else { return }
        var trouble: String?
        switch outcome {
        case .body(let bytes):
            do throws(DescriptionFault) {
                let description = try DeviceDescription.read(bytes)
                book.change(name) { $0.description = description }
            } catch {
                trouble = "\(error)"
            }
        case .failed(let reason): trouble = reason
        }
        guard let camera = book.announced[name] else { return }
        if let trouble {
            let message =
                "The camera at \(camera.url.host) told of itself, and its description cannot be read: \(trouble)."
            turn.append(.journal(.debug(message)))
        }
        if let address = camera.address { call(address, in: &turn) }
    }
}
