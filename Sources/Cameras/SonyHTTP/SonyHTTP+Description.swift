import NIOCore

/// The identity of the body. The methods report neither the model nor a serial number, so the driver reads the
/// description that the body announces. Its usual places are known (alpha-fairy, sonycam, Camera Control PTP 3).
extension SonyHTTP {
    static let descriptionPlaces: [(port: UInt16, path: String)] = [
        (64321, "/dd.xml"), (64321, "/scalarwebapi_dd.xml"), (61000, "/scalarwebapi_dd.xml"),
        (64321, "/DmsRmtDesc.xml"), (80, "/dd.xml"),
    ]

    /// The paths of descriptions, each once.
    static let descriptionPaths = ["/dd.xml", "/DmsRmtDesc.xml", "/scalarwebapi_dd.xml", "/DmsDesc.xml"]

    func descriptionRequest(_ index: Int) -> HTTPRequest {
        let place = Self.descriptionPlaces[index]
        return HTTPRequest(
            .get,
            CameraAddress(host: address.host, port: place.port),
            path: place.path,
            replyBytesMax: DeviceDescription.byteCountMax,
            timeout: timing.description
        )
    }

    mutating func finishDescription(_ index: Int, _ reply: HTTPReply, in turn: inout DriverTurn) {
        guard reply.head.status == 200, let device = try? DeviceDescription.read(reply.body) else {
            return skipDescription(index, hasAnswered: true)
        }
        adoptIdentity(device)
        guard case .settingUp(let setUp) = stage else { return }
        _ = go(setUp, to: .methods)
    }

    mutating func skipDescription(_ index: Int, hasAnswered: Bool) {
        guard case .settingUp(var setUp) = stage else { return }
        let port = Self.descriptionPlaces[index].port
        if hasAnswered { setUp.answeredPorts.insert(port) } else { setUp.refusedPorts.insert(port) }
        _ = go(setUp, to: .description(index + 1))
    }

    /// Continues after the last place. A server that begins late or a network can refuse a connection by chance. Then
    /// the body must not get another id, so the places are tried again.
    mutating func endDescription(_ setUp: SonyHTTPSetUp, at now: Duration) -> SonyHTTPNextAction {
        let tries = setUp.answeredPorts.isDisjoint(with: setUp.refusedPorts) ? 2 : SonyHTTPLimits.descriptionTriesMax
        var next = setUp
        next.failedDescriptions += 1
        guard next.failedDescriptions < tries else {
            adoptIdentity(nil)
            return go(setUp, to: .methods)
        }
        next.notBefore = now + timing.again
        return go(next, to: .description(0))
    }

    /// A body whose description cannot be read has an id by its address.
    mutating func adoptIdentity(_ device: DeviceDescription?) {
        let id = device?.udn.map(SonyDiscovery.id) ?? "\(SonyDiscovery.idPrefix):\(address.host)"
        let model = device?.friendlyName ?? ""
        identity = CameraIdentity(
            maker: "Sony",
            model: model.isEmpty ? SonyHTTPSentences.unknownModel : model,
            firmware: "",
            serial: "",
            id: id
        )
    }
}
