import Cameras
import Statecharts

// What clients ask of cameras: which there are, to have this one, to let it go.

extension Core {
    /// Three waves over a network, or a first pairing with a person at the camera.
    package static let connectTimeMax = Duration.seconds(60)

    // MARK: The list

    /// The connected camera, those that are there, those that are known; each once.
    var cameraEntries: [CameraEntry] {
        var entries: [CameraEntry] = []
        let model = connection.machine.behavior
        let last = finder.cameras.known.last?.id
        if connection.isActive(.online), let identity = model.identity, let address = model.address {
            entries.append(
                CameraEntry(
                    state: .connected,
                    name: identity.name,
                    id: identity.id,
                    address: address.description,
                    network: network.machine.behavior.ssid,
                    isLast: true
                )
            )
        } else if connection.isActive(.connecting), let address = model.address {
            let row = finder.cameras.known.last { $0.address == address.description }
            entries.append(
                CameraEntry(
                    state: .connecting,
                    name: row?.name ?? "camera",
                    id: row?.id,
                    address: address.description,
                    network: network.machine.behavior.ssid,
                    isLast: row != nil && row?.id == last
                )
            )
        }
        for camera in finder.cameras.announced.values.sorted(by: { $0.name < $1.name })
        where !finder.isBeingRead(camera) {
            let address = camera.address?.description
            let place = address ?? CameraAddress(host: camera.url.host.description).description
            if let index = entries.firstIndex(where: { $0.address == place }) {
                if entries[index].id == nil { entries[index].name = camera.title }
                continue
            }
            let row = finder.cameras.known.last { $0.address == address && address != nil }
            entries.append(
                CameraEntry(
                    state: camera.complaint == nil ? .there : .unfit,
                    name: row?.name ?? camera.title,
                    id: row?.id,
                    address: address ?? camera.url.host.description,
                    network: network.machine.behavior.snapshot?.interface(camera.interface)?.ssid,
                    isLast: row != nil && row?.id == last,
                    remark: camera.complaint
                )
            )
        }
        for row in finder.cameras.known.reversed() where !entries.contains(where: { $0.id == row.id }) {
            entries.append(
                CameraEntry(
                    state: .known,
                    name: row.name,
                    id: row.id,
                    address: row.address,
                    network: row.network,
                    isLast: row.id == last
                )
            )
        }
        return entries
    }

    mutating func watchCameras(_ id: RequestID, in turn: inout Turn) {
        guard subscriptions.hasRoom(for: .cameras, id, in: &turn) else { return }
        let entries = cameraEntries
        publisher.publish(entries, to: subscriptions, in: &turn)
        subscriptions.add(id, to: .cameras)
        turn.append(.reply(id, .cameras(entries), continues: true))
        if subscriptions.count(of: .cameras) == 1 { deliver(Search.Input.watched, in: &turn) }
    }

    // MARK: Connecting by order

    mutating func connect(_ target: ConnectTarget, _ id: RequestID, in turn: inout Turn) {
        // A name that somebody read in the list a moment ago is good.
        finder.cameras.forgetSilent(at: turn.now)
        let choice: CameraChoice
        switch self.choice(of: target) {
        case .success(let chosen): choice = chosen
        case .failure(let error): return turn.append(.fail(id, error))
        }
        let model = connection.machine.behavior
        // One that was named meanwhile and has not come about yet is nothing to go back to.
        let order = ConnectOrder(deadline: turn.now + Self.connectTimeMax, before: requests.order?.before ?? wish)
        // It is being greeted already: whoever looks at its screen now is not to begin anew.
        if connection.isActive(.connecting), choice.address == model.address {
            failConnectOrder("Another client asked for another camera.", in: &turn)
            requests.choice = choice
            requests.order = order
            subscriptions.add(id, to: .connection)
            return
        }
        if connection.isActive(.online), let identity = model.identity,
            choice.wanted.map({ $0.id == identity.id }) ?? (choice.address == model.address)
        {
            failConnectOrder("Another client asked for another camera.", in: &turn)
            requests.choice = choice
            return getCamera(id, in: &turn)
        }
        if shooting.chart.isActive(.active) {
            let shoot = shooting.shoot
            let isOfShoot = choice.wanted.map { $0.id == shoot?.camera.id } ?? true
            guard !connection.isActive(.online), isOfShoot else {
                return refuseWhileShooting("Connect", id, in: &turn)
            }
        }
        failConnectOrder("Another client asked for another camera.", in: &turn)
        // The camera was disconnected, and is to be connected again.
        answerReleaseOrders(in: &turn)
        requests.choice = choice
        finder.lastPick = nil
        requests.order = order
        subscriptions.add(id, to: .connection)
        turn.append(.enqueue(.cameraCalled))
    }

    private var wish: CameraGoal {
        if connection.isActive(.released) || subscriptions.contains(.disconnection) { return .none }
        return requests.choice.map { .this($0) } ?? .any
    }

    mutating func disconnect(_ id: RequestID, in turn: inout Turn) {
        guard !shooting.chart.isActive(.active) else { return refuseWhileShooting("Disconnect", id, in: &turn) }
        requests.choice = nil
        failConnectOrder("Another client disconnected the camera.", in: &turn)
        guard subscriptions.hasRoom(for: .disconnection, id, in: &turn) else { return }
        subscriptions.add(id, to: .disconnection)
        turn.append(.enqueue(.cameraReleased))
    }

    private func refuseWhileShooting(_ command: String, _ id: RequestID, in turn: inout Turn) {
        let sentence = "A shoot is being fired with this camera: bracketctl cancel ends it after the frame."
        turn.append(.fail(id, .notNow(command: command, state: shooting.chart.state, sentence: sentence)))
    }

    private func choice(of target: ConnectTarget) -> Result<CameraChoice, RequestError> {
        switch target {
        case .last:
            if let row = finder.cameras.known.last {
                return .success(CameraChoice(wanted: WantedCamera(id: row.id, name: row.name)))
            }
            guard let address = configuration.cameraAddress else {
                return .failure(noSuchCamera("", "No camera was connected yet: name its address."))
            }
            return .success(CameraChoice(address: address))
        case .text(let text):
            // One whose name is a part of another's can be named as well.
            let exact = cameraEntries.filter { $0.name.lowercased() == text.lowercased() }
            let entries = exact.isEmpty ? cameraEntries.filter { $0.isMeant(by: text) } : exact
            if entries.count > 1 {
                let list = entries.map { $0.id ?? $0.address ?? $0.name }.joined(separator: ", ")
                return .failure(
                    noSuchCamera(text, "\(entries.count) cameras are called \"\(text)\": name one of \(list).")
                )
            }
            if let entry = entries.first {
                if let remark = entry.remark { return .failure(noSuchCamera(text, "\(entry.name): \(remark)")) }
                let address = entry.address.flatMap { try? CameraAddress.parse($0).get() }
                let wanted = entry.id.map { WantedCamera(id: $0, name: entry.name) }
                return .success(CameraChoice(wanted: wanted, address: address))
            }
            let isAddress = text.contains { ".:".contains($0) }
            switch CameraAddress.parse(text) {
            case .success(let address) where isAddress: return .success(CameraChoice(address: address))
            case .failure(let fault) where isAddress: return .failure(noSuchCamera(text, fault.reason))
            default:
                let sentence = "There is no camera \"\(text)\": bracketctl cameras lists them, or name an address."
                // What can be named, in the shortest way that is clear.
                let names = cameraEntries.map(\.name)
                let known = cameraEntries.map { entry in
                    names.count { $0 == entry.name } == 1 ? entry.name : entry.id ?? entry.address ?? entry.name
                }
                return .failure(noSuchCamera(text, sentence, known: known))
            }
        }
    }

    private func noSuchCamera(_ text: String, _ sentence: String, known: [String] = []) -> RequestError {
        .noSuchCamera(text: text, known: known, sentence: sentence)
    }

    // MARK: The answers

    /// The connection's chart came somewhere: those who wait for that are answered.
    mutating func answerConnectOrders(in turn: inout Turn) {
        if requests.order != nil {
            let machine = connection.machine
            if machine.isActive(.online), requests.isChoice(machine.behavior.identity, at: machine.behavior.address) {
                requests.order = nil
                for id in subscriptions.removeAll(from: .connection) { getCamera(id, in: &turn) }
            } else if machine.isActive(.online), shooting.chart.isActive(.active) {
                giveUpChoice("The camera of the shoot is back.", in: &turn)
            } else if isHopeless {
                giveUpChoice(machine.behavior.trouble, in: &turn)
            }
        }
        if connection.isActive(.released) { answerReleaseOrders(in: &turn) }
    }

    /// Answers those who disconnect, with what is still to be put back on the camera.
    private mutating func answerReleaseOrders(in turn: inout Turn) {
        let settings = shooting.settings.machine.behavior.pendingSentence(
            of: connection.machine.behavior.identity?.id ?? ""
        )
        subscriptions.answer(.disconnection, .disconnected(settings: settings), in: &turn)
    }

    /// Whether nothing is to be expected any more of the camera that a person named.
    private var isHopeless: Bool {
        let machine = connection.machine
        if machine.isActive(.offNetwork) { return !network.isActive(.joined) }
        // While cameras are looked for it may still be found, and it was not called before its address was picked.
        let wasOnlyOne = !isSearched && callList.count <= 1 && finder.lastPick != nil
        return machine.isActive(.refused) || machine.isActive(.backingOff) && wasOnlyOne
    }

    mutating func expireConnectOrder(in turn: inout Turn) {
        guard let order = requests.order, order.deadline <= turn.now else { return }
        giveUpChoice(connection.machine.behavior.trouble, in: &turn)
    }

    /// The camera that a person named cannot be had. It is forgotten, and what was wanted before is wanted again,
    /// unless there would be nothing to call then.
    private mutating func giveUpChoice(_ reason: String?, in turn: inout Turn) {
        guard let order = requests.order else { return }
        guard let last = requests.choice else { return failConnectOrder(absenceSentence, in: &turn) }
        switch order.before {
        case .this(let before): requests.choice = before
        case .any, .none: requests.choice = nil
        }
        guard order.before == .none || isSearched || !callList.isEmpty else {
            requests.choice = last
            return failConnectOrder(absenceSentence, in: &turn)
        }
        finder.lastPick = nil
        failConnectOrder("\(reason ?? "There was no answer.") \(last.name) is forgotten again.", in: &turn)
        if order.before == .none {
            turn.append(.enqueue(.cameraReleased))
        } else if connection.isActive(.refused), callList.contains(where: { $0 != last.address }) {
            turn.append(.enqueue(.othersLeft))
        }
    }

    mutating func failConnectOrder(_ sentence: String, in turn: inout Turn) {
        requests.order = nil
        subscriptions.fail(.connection, .notConnected(sentence: sentence), in: &turn)
    }
}

extension CameraEntry {
    /// Its id, its name, a part of the name as people say it, or where it is.
    fileprivate func isMeant(by text: String) -> Bool {
        let text = text.lowercased()
        guard !text.isEmpty else { return false }
        let (words, wanted) = (name.lowercased().split(separator: " "), text.split(separator: " "))
        let isNamed = !wanted.isEmpty && wanted.allSatisfy(words.contains)
        return id?.lowercased() == text || isNamed || address == text
            || address == CameraAddress(host: text).description
    }
}

extension CameraRow {
    /// As people call it.
    var name: String { maker.isEmpty ? model : "\(maker) \(model)" }
}

extension CameraBook.Announcement {
    var title: String {
        guard let name = description?.friendlyName, !name.isEmpty else { return "camera at \(url.host)" }
        return name
    }

    /// Why it cannot be driven; nil: it can, or that is not known.
    var complaint: String? {
        switch kind {
        case .http: "It speaks Sony's HTTP remote control, which cannot be driven yet."
        case .transferOnly: "It is in its mode \"Send to Smartphone\": choose its remote control instead."
        case .ptp, .unknown, nil: nil
        }
    }
}
