extension SSDPTarget {
    /// The service of an EOS body that waits for EOS Utility (julianschroden.com, EOS 70D).
    package static let canonUtility = SSDPTarget(
        rawValue: "urn:schemas-canon-com:service:ICPO-WFTEOSSystemService:1"
    )
    /// The service of an EOS body that waits for the smartphone app (airnef ssdp.py). No source says whether such a
    /// body can be controlled. So the driver tries, and its refusal says what to do.
    package static let canonSmartphone = SSDPTarget(
        rawValue: "urn:schemas-canon-com:service:ICPO-SmartPhoneEOSSystemService:1"
    )
}

extension AwaitedProgram {
    package static let eosUtility = AwaitedProgram(
        code: "eos-utility",
        remark: CanonSessionSentences.waitsForUtility
    )
    package static let smartphoneApp = AwaitedProgram(
        code: "smartphone-app",
        remark: CanonSessionSentences.waitsForApp
    )
}

/// The discovery of Canon bodies. An EOS body announces itself only while it waits for a connection.
enum CanonDiscovery {
    static let targets: [DiscoveryTable.SSDPRow] = [
        .init(target: .canonUtility, means: .ptpip, maker: prefix, awaited: .eosUtility),
        .init(target: .canonSmartphone, means: .ptpip, maker: prefix, awaited: .smartphoneApp),
    ]

    /// The prefix of the ids of Canon bodies.
    private static let prefix = "canon"

    /// - Returns: nil: not an EOS body that waits.
    @Sendable static func fitness(of description: DeviceDescription, at url: DescriptionURL) -> DeviceFitness? {
        let types = description.services.map(\.type) + [description.deviceType]
        guard types.contains(where: { type in targets.contains { $0.target.rawValue == type } }) else { return nil }
        let name = description.friendlyName.isEmpty ? nil : description.friendlyName
        let address = CameraAddress(host: url.host.description)
        return .fit([CameraOffer(.ptpip, address, name: name, maker: prefix)])
    }
}
