import Cameras

// The list of cameras for clients.

extension CameraFinder {
    /// The connected camera, the announced ones, and the known ones; each once.
    func entries(_ connection: ConnectionFacts, _ network: NetworkModel) -> [CameraEntry] {
        var entries = [present(connection, network)].compactMap(\.self)
        for camera in cameras.announced.values.sorted(by: { $0.name < $1.name }) where !isBeingRead(camera) {
            let address = camera.offer?.address.description
            let place = address ?? CameraAddress(host: camera.url.host.description).description
            if let index = entries.firstIndex(where: { $0.address == place }) {
                if entries[index].id == nil { entries[index].name = camera.title }
                continue
            }
            let row = cameras.known.last { $0.address == address && address != nil }
            entries.append(
                CameraEntry(
                    state: camera.obstacle == nil ? .there : .unfit,
                    name: row?.name ?? camera.title,
                    id: row?.id,
                    address: address ?? camera.url.host.description,
                    network: network.snapshot?.interface(camera.interface)?.ssid,
                    isLast: isLast(row),
                    remark: camera.obstacle
                )
            )
        }
        for row in cameras.known.reversed() where !entries.contains(where: { $0.id == row.id }) {
            entries.append(
                CameraEntry(
                    state: .known,
                    name: row.name,
                    id: row.id,
                    address: row.address,
                    network: row.network,
                    isLast: isLast(row)
                )
            )
        }
        return entries
    }

    /// The camera that is connected or being connected; nil: none.
    private func present(_ connection: ConnectionFacts, _ network: NetworkModel) -> CameraEntry? {
        guard let address = connection.address?.description else { return nil }
        if connection.isOnline, let identity = connection.identity {
            return CameraEntry(
                state: .connected,
                name: identity.name,
                id: identity.id,
                address: address,
                network: network.ssid,
                isLast: true
            )
        }
        guard connection.isConnecting else { return nil }
        let row = cameras.known.last { $0.address == address }
        return CameraEntry(
            state: .connecting,
            name: row?.name ?? "camera",
            id: row?.id,
            address: address,
            network: network.ssid,
            isLast: isLast(row)
        )
    }

    private func isLast(_ row: CameraRow?) -> Bool { row != nil && row?.id == cameras.known.last?.id }
}

extension CameraRow {
    /// The name for users.
    var name: String { maker.isEmpty ? model : "\(maker) \(model)" }
}

extension KnownCameras.Announcement {
    fileprivate var title: String { standing.name.isEmpty ? "camera at \(url.host)" : standing.name }

    /// Why no driver supports it; nil: one does, or that is not known.
    fileprivate var obstacle: String? {
        switch standing {
        case .undriven(let protocolName, _): "It uses \(protocolName), which bracketd does not support yet."
        case .unfit(let remark, _): remark
        case .undescribed, .fit, .unknown: nil
        }
    }
}
