import NIOCore
import Testing

@testable import Cameras

/// Tests how EOS bodies are found while they wait.
struct CanonDiscoveryTests {
    private static let location = "http://192.168.1.20:49152/upnp/CameraDevDesc.xml"
    private static let address = CameraAddress(host: "192.168.1.20")

    @Test(arguments: [SSDPTarget.canonUtility, .canonSmartphone])
    func `an announcement names the address, the protocol and the maker`(target: SSDPTarget) throws {
        let lines = [
            "NOTIFY * HTTP/1.1", "HOST: 239.255.255.250:1900", "NT: \(target)", "NTS: ssdp:alive",
            "LOCATION: \(Self.location)", "USN: uuid:00000000-0000-0000-0001-0123456789AB::\(target)", "", "",
        ]
        let message = try #require(try SSDPMessage.parse(ByteBuffer(string: lines.joined(separator: "\r\n"))))
        #expect(DiscoveryTable.standard.mayNameCamera(message))
        let offer = try #require(DiscoveryTable.standard.offer(of: message))
        #expect(offer == CameraOffer(.ptpip, Self.address, maker: "canon"))
    }

    @Test func `each service names the program for which the body waits, and the menu that fits`() throws {
        let programs = [(SSDPTarget.canonUtility, AwaitedProgram.eosUtility), (.canonSmartphone, .smartphoneApp)]
        let location = try DescriptionURL.parse(Self.location)
        for (target, program) in programs {
            let message = SSDPMessage(kind: .alive(location), target: target)
            #expect(DiscoveryTable.standard.row(of: message)?.awaited == program)
            #expect(program.remark.contains("EOS Utility"))
        }
        let unnamed = SSDPMessage(kind: .answer(location), target: nil)
        #expect(DiscoveryTable.standard.row(of: unnamed) == nil)
    }

    @Test(arguments: [SSDPTarget.canonUtility, .canonSmartphone])
    func `a description with one of the services is an EOS body`(target: SSDPTarget) throws {
        let url = try DescriptionURL.parse(Self.location)
        var description = DeviceDescription()
        description.friendlyName = "EOS R6 Mark II"
        #expect(DiscoveryTable.standard.fitness(of: description, at: url) == nil)
        description.services = [.init(type: target.rawValue)]
        let offer = CameraOffer(.ptpip, Self.address, name: "EOS R6 Mark II", maker: "canon")
        #expect(DiscoveryTable.standard.fitness(of: description, at: url) == .fit([offer]))
    }

    @Test func `each maker's services are searched`() {
        let texts = DiscoveryTable.standard.searches.map { String(buffer: $0) }
        #expect(texts.count == 4)
        #expect(texts.contains { $0.contains("ICPO-WFTEOSSystemService:1") })
        #expect(texts.contains { $0.contains("ICPO-SmartPhoneEOSSystemService:1") })
    }
}
