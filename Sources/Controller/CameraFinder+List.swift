import Cameras

// The list of cameras for clients.

extension CameraFinder {
    /// The connected, the announced and the known cameras. Each camera has one entry.
    func entries(_ connection: ConnectionFacts, _ network: NetworkModel) -> [CameraEntry] {
        var entries = [present(connection, network)].compactMap(\.self)
        for camera in cameras.announced.values.sorted(by: { $0.name < $1.name }) where !isBeingRead(camera) {
            let address = camera.offer?.address.description
            let place = address ?? CameraAddress(host: camera.url.host.description).description
            if let index = entries.firstIndex(where: { $0.address == place }) {
                if entries[index].id == nil { entries[index].name = camera.shownName }
                continue
            }
            let row = cameras.known.last { $0.address == address && address != nil }
            let network = network.snapshot?.interface(camera.interface)?.ssid
            let state = camera.obstacle == nil ? CameraEntry.State.there : .unfit
            var entry = entry(state, row, or: camera.shownName, at: address ?? camera.url.host.description, on: network)
            entry.waitsFor = camera.row?.awaited
            entry.remark = camera.obstacle ?? entry.waitsFor?.remark
            entries.append(entry)
        }
        for row in cameras.known.reversed() where !entries.contains(where: { $0.id == row.id }) {
            entries.append(entry(.known, row, or: row.name, at: row.address, on: row.network))
        }
        return entries
    }

    /// The entry of the camera that is connected or being connected; nil: there is no such camera.
    private func present(_ connection: ConnectionFacts, _ network: NetworkModel) -> CameraEntry? {
        guard let address = connection.address?.description else { return nil }
        if connection.isOnline, let identity = connection.identity {
            var entry = entry(.connected, nil, or: identity.name, at: address, on: network.ssid)
            (entry.id, entry.isLast) = (identity.id, true)
            return entry
        }
        guard connection.isConnecting else { return nil }
        let row = cameras.known.last { $0.address == address }
        return entry(.connecting, row, or: "camera", at: address, on: network.ssid)
    }

    /// - Parameter row: the camera's row from its previous session; nil: it was not connected before.
    private func entry(
        _ state: CameraEntry.State,
        _ row: CameraRow?,
        or name: String,
        at address: String,
        on network: String?
    ) -> CameraEntry {
        let isLast = row != nil && row?.id == cameras.known.last?.id
        let name = row?.name ?? name
        return CameraEntry(state: state, name: name, id: row?.id, address: address, network: network, isLast: isLast)
    }
}

extension CameraRow {
    /// The name for users.
    var name: String { CameraIdentity.name(maker: maker, model: model) }
}

extension KnownCameras.Announcement {
    fileprivate var shownName: String { title.isEmpty ? SearchSentences.unnamedCamera(at: url.host) : title }

    /// Why no driver supports this camera; nil: a driver supports it, or this is not known.
    fileprivate var obstacle: String? {
        switch availability {
        case .undriven(let protocolName): SearchSentences.unsupportedProtocol(protocolName)
        case .unfit(let remark): remark
        case .undescribed, .fit, .unknown: nil
        }
    }
}
