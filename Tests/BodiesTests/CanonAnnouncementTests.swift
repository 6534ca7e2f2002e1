import Bodies
import Cameras
import NIOCore
import Testing

/// How a Canon body announces itself.
struct CanonAnnouncementTests {
    private static let location = DescriptionURL(host: .loopback(2), port: 64321, path: CanonDescription.path)

    @Test(arguments: CanonAnnouncement.Kind.allCases)
    func `a body announces the connection for which its menu waits, and describes it`(
        kind: CanonAnnouncement.Kind
    ) throws {
        var model = CanonModel.eos80D
        model.discoveryKind = kind
        let target = kind == .utility ? SSDPTarget.canonUtility : .canonSmartphone
        let other = kind == .utility ? SSDPTarget.canonSmartphone : .canonUtility
        let announcement = SSDPAnnouncement.canon(model, at: Self.location)
        #expect(announcement.answers(to: try search(target)).count == 1)
        #expect(announcement.answers(to: try search(other)).isEmpty)
        #expect(announcement.alive.count == 4)
        let description = try DeviceDescription.read(ByteBuffer(string: CanonDescription(model).document))
        #expect(description.services.map(\.type) == [target.rawValue])
        #expect(description.friendlyName == "Canon EOS 80D")
        #expect(description.manufacturer == "Canon Inc.")
    }

    private func search(_ target: SSDPTarget) throws -> SSDPSearch {
        let text =
            "M-SEARCH * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nMAN: \"ssdp:discover\"\r\nMX: 1\r\n"
            + "ST: \(target.rawValue)\r\n\r\n"
        return try #require(SSDPSearch(parsing: text.utf8))
    }

    @Test func `a serial number decides the GUID and the name of the device`() throws {
        let first = try #require(CanonModel.eos80D.identified(as: "A1"))
        let second = try #require(CanonModel.eos80D.identified(as: "A2"))
        #expect(first.macAddress != second.macAddress)
        #expect(first.macAddress.prefix(3) == CanonModel.eos80D.macAddress.prefix(3))
        #expect(CanonModel.eos80D.identified(as: "000") == nil)
    }
}
