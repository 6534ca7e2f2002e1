import Bodies
import Cameras
import PTP
import Testing

/// How a body announces itself: by SSDP and by its description. The tests compare the text.
struct AnnouncementTests {
    private static let scalar = "urn:schemas-sony-com:service:ScalarWebAPI:1"
    private static let imaging = "urn:schemas-sony-com:service:DigitalImaging:1"
    private static let location = DescriptionURL(host: .loopback(2), port: 64321, path: "/dd.xml")

    private func announcement(_ kind: SonyAnnouncement.Kind = .ptp) -> SSDPAnnouncement {
        .sony(.ilce7M4, kind, at: Self.location)
    }

    private func search(_ target: String, seconds: Int = 1) throws -> SSDPSearch {
        try #require(SSDPSearch(parsing: Self.text(target, seconds).utf8))
    }

    private static func text(_ target: String, _ seconds: Int = 1) -> String {
        "M-SEARCH * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nMAN: \"ssdp:discover\"\r\nMX: \(seconds)\r\n"
            + "ST: \(target)\r\n\r\n"
    }

    // MARK: Searches

    @Test func `the search of a real client is understood, with and without blanks`() throws {
        // rocc, UDPClient.swift; sony_camera_api sends blanks and USER-AGENT.
        let rocc =
            "M-SEARCH * HTTP/1.1\r\nHOST:239.255.255.250:1900\r\nMAN:\"ssdp:discover\"\r\nMX:1\r\n"
            + "ST:\(Self.scalar)\r\n\r\n"
        let other =
            "M-SEARCH * HTTP/1.1\nHost: 239.255.255.250:1900\nman: \"ssdp:discover\" \nmx:  1\nUser-Agent: x\nst:\t"
            + "\(Self.scalar)\n\n"
        for text in [rocc, other] {
            let search = try #require(SSDPSearch(parsing: text.utf8))
            #expect(search.target == Self.scalar)
            #expect(search.answerTime == .seconds(1))
        }
        #expect(try search("ssdp:all", seconds: 120).answerTime == .seconds(5))
    }

    @Test(arguments: [
        ("MX: 1\r\n", ""), ("MX: 1", "MX: 0"), ("MX: 1", "MX: soon"), ("\"ssdp:discover\"", "ssdp:discover"),
        ("MAN: \"ssdp:discover\"\r\n", ""), ("ST: upnp:rootdevice\r\n", ""), ("upnp:rootdevice", ""),
        ("M-SEARCH *", "M-SEARCH /"), ("M-SEARCH", "NOTIFY"), ("HTTP/1.1", "HTTP/2"), ("\r\n\r\n", ""),
        ("HOST: 239.255.255.250:1900", "HOST"), ("HOST", String(repeating: "x", count: 4_096)),
    ])
    func `an invalid search is not answered`(part: String, instead: String) {
        let good = Self.text("upnp:rootdevice")
        #expect(SSDPSearch(parsing: good.utf8) != nil)
        let bad = good.replacing(part, with: instead)
        #expect(bad != good)
        #expect(SSDPSearch(parsing: bad.utf8) == nil)
    }

    @Test func `random bytes are no search and do no harm`() {
        for seed in 0..<500 {
            let bytes = (0..<seed).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ seed &* 17) }
            #expect(SSDPSearch(parsing: bytes) == nil)
            #expect(SSDPSearch(parsing: Array(Self.text("ssdp:all").utf8.prefix(20)) + bytes) == nil)
        }
    }

    @Test(arguments: [
        (SonyAnnouncement.Kind.ptp, scalar, 1), (.ptp, imaging, 1), (.ptp, "upnp:rootdevice", 1), (.ptp, "ssdp:all", 4),
        (.ptp, "urn:schemas-upnp-org:device:Basic:1", 1),
        (.ptp, "uuid:00000000-0000-0010-8000-020000000704", 1),
        (.ptp, "urn:dial-multiscreen-org:service:dial:1", 0), (.ptp, "uuid:00000000-0000-0010-8000-020000000705", 0),
        (.http, scalar, 1), (.http, imaging, 0), (.http, "ssdp:all", 4),
        (.transfer, scalar, 1), (.transfer, imaging, 0), (.transfer, "ssdp:all", 5),
    ])
    func `a body answers searches for each of its types and names`(
        kind: SonyAnnouncement.Kind,
        target: String,
        count: Int
    ) throws {
        let answers = announcement(kind).answers(to: try search(target))
        #expect(answers.count == count)
        if count == 1 { #expect(answers.first?.contains("\r\nST: \(target)\r\n") == true) }
        #expect(Set(answers).count == count)
        for answer in answers { #expect(answer.contains("\r\nLOCATION: http://127.0.0.2:64321/dd.xml\r\n")) }
    }

    @Test func `the messages equal a real body's`() throws {
        let udn = "uuid:00000000-0000-0010-8000-020000000704"
        let answer = try #require(announcement().answers(to: search(Self.imaging)).first)
        #expect(
            answer == "HTTP/1.1 200 OK\r\nCACHE-CONTROL: max-age=1800\r\nEXT:\r\n"
                + "LOCATION: http://127.0.0.2:64321/dd.xml\r\nSERVER: UPnP/1.0 SonyImagingDevice/1.0\r\n"
                + "ST: \(Self.imaging)\r\nUSN: \(udn)::\(Self.imaging)\r\n\r\n"
        )
        let alive = announcement().alive
        #expect(alive.count == 4)
        #expect(
            alive.last == "NOTIFY * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nCACHE-CONTROL: max-age=1800\r\n"
                + "LOCATION: http://127.0.0.2:64321/dd.xml\r\nNT: \(Self.imaging)\r\nNTS: ssdp:alive\r\n"
                + "SERVER: UPnP/1.0 SonyImagingDevice/1.0\r\nUSN: \(udn)::\(Self.imaging)\r\n\r\n"
        )
        #expect(alive[1].contains("\r\nNT: \(udn)\r\n") && alive[1].contains("\r\nUSN: \(udn)\r\n"))
        #expect(
            announcement().byebye.first == "NOTIFY * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nNT: upnp:rootdevice\r\n"
                + "NTS: ssdp:byebye\r\nUSN: \(udn)::upnp:rootdevice\r\n\r\n"
        )
    }

    // MARK: Faults

    private func announcer(_ faults: String..., delay: Duration = .milliseconds(100)) throws -> SSDPAnnouncer {
        SSDPAnnouncer(announcement(), delay: delay, faults: try faults.map { try Fault(parsing: $0) })
    }

    @Test func `an answer arrives after its delay, and never later than the search waits`() throws {
        var announcer = try announcer(delay: .seconds(3))
        let answers = announcement().answers(to: try search(Self.imaging))
        let texts = [
            Self.text(Self.imaging, 5), Self.text(Self.imaging, 2),
            Self.text("urn:dial-multiscreen-org:service:dial:1"), "junk",
        ]
        let reactions = texts.map { announcer.receive($0.utf8) }
        #expect(
            reactions == [
                .answers(answers, after: .seconds(3)), .answers(answers, after: .seconds(2)), .ignored, .ignored,
            ]
        )
    }

    @Test func `ssdp-silent answers no search and is still announced`() throws {
        var announcer = try announcer("ssdp-silent")
        for _ in 0..<3 {
            guard case .withheld = announcer.receive(Self.text(Self.scalar).utf8) else {
                Issue.record("answered")
                return
            }
        }
        #expect(announcer.announcement == announcement())
    }

    @Test func `ssdp-first misses searches for this body only, and a new address does not restart the count`() throws {
        var announcer = try announcer("ssdp-first=2")
        var answered: [Bool?] = []
        for target in ["urn:dial-multiscreen-org:service:dial:1", Self.scalar, Self.imaging, Self.scalar] {
            switch announcer.receive(Self.text(target).utf8) {
            case .ignored: answered.append(nil)
            case .withheld: answered.append(false)
            case .answers: answered.append(true)
            }
            announcer.move(to: DescriptionURL(host: .loopback(3), port: 1, path: "/dd.xml"))
        }
        #expect(answered == [nil, false, false, true])
        #expect(announcer.announcement.location.host == .loopback(3))
    }

    @Test func `ssdp-wrong-location names another host in answers and in NOTIFY`() throws {
        var announcer = try announcer("ssdp-wrong-location=127.0.0.9")
        guard case .answers(let answers, _) = announcer.receive(Self.text(Self.scalar).utf8) else {
            Issue.record("not answered")
            return
        }
        for text in answers + announcer.announcement.alive {
            #expect(text.contains("\r\nLOCATION: http://127.0.0.9:64321/dd.xml\r\n"))
        }
        announcer.move(to: DescriptionURL(host: .loopback(3), port: 64321, path: "/dd.xml"))
        #expect(announcer.announcement.location.host == .loopback(9))
    }

    // MARK: The description

    private func description(_ kind: SonyAnnouncement.Kind = .ptp) -> SonyDescription {
        SonyDescription(.ilce7M4, kind, host: .loopback(2))
    }

    @Test(
        arguments: [
            (
                SonyAnnouncement.Kind.ptp,
                [
                    "SonyRemoteCamera", imaging, "X_ScalarWebAPI_LiveView_URL>http://127.0.0.2:60152/",
                    ">RemoteShooting<",
                ],
                ["X_ScalarWebAPI_ServiceList", "XPushList"]
            ),
            (
                .http,
                [
                    "SonyDigitalMediaServer", "X_ScalarWebAPI_ServiceList", ">camera<", ">http://127.0.0.2:8080/sony<",
                    scalar,
                ],
                ["DigitalImaging", "X_ScalarWebAPI_LiveView_URL"]
            ),
            (
                .transfer,
                [
                    "SonyDigitalMediaServer", "urn:schemas-upnp-org:device:MediaServer:1", "XPushList:1",
                    "ContentDirectory:1",
                ],
                ["X_ScalarWebAPI", "DigitalImaging"]
            ),
        ] as [(SonyAnnouncement.Kind, [String], [String])]
    )
    func `the description names the kind of body`(kind: SonyAnnouncement.Kind, parts: [String], others: [String]) {
        let document = description(kind).document
        #expect(document.contains("<friendlyName>ILCE-7M4</friendlyName>"))
        #expect(document.contains("<UDN>\(announcement(kind).udn)</UDN>"))
        for part in parts { #expect(document.contains(part), "no \(part) in \(document)") }
        for part in others { #expect(!document.contains(part), "\(part) in \(document)") }
        #expect((description(kind).files.answer(to: "/DigitalImagingDesc.xml") == .notFound) == (kind != .ptp))
    }

    @Test func `the second description has the identity and the pairing requirement`() {
        let imaging = description().imaging
        for part in [
            "ModelName>ILCE-7M4<", "02:00:00:00:07:04", "PairingNecessity>Unnecessary<", "SSH_Support>Disable<",
        ] {
            #expect(imaging.contains(part), "no \(part) in \(imaging)")
        }
        let shy = SonyDescription(.ilce7M4, .ptp, host: .loopback(2), needsPairing: true)
        #expect(shy.imaging.contains("PairingNecessity>Necessary<"))
    }

    @Test func `each fault serves another description`() throws {
        let description = description()
        let document = description.document
        #expect(description.files.answer(to: "/dd.xml") == .file(document))
        #expect(description.files.answer(to: "/dd.xml?a=b") == .file(document))
        #expect(description.files.answer(to: "/other.xml") == .notFound)
        #expect(description.files.answer(to: "/dd.xml/../dd.xml") == .notFound)
        guard case .stalled(let start, let promised) = description.files.answer(to: "/dd.xml", fault: .slow) else {
            Issue.record("slow does not stall")
            return
        }
        #expect(document.hasPrefix(start) && start.utf8.count < promised && promised == document.utf8.count)
        let padding = ServedFiles.paddingByteCount
        #expect(description.files.answer(to: "/dd.xml", fault: .long) == .padded(document, by: padding))
        guard case .file(let cut) = description.files.answer(to: "/dd.xml", fault: .broken) else {
            Issue.record("broken does not serve a file")
            return
        }
        #expect(document.hasPrefix(cut) && !cut.contains("</root>") && cut.contains("<device>"))
        let moved = try #require(
            { if case .moved(let path) = $0 { path } else { nil } }(
                description.files.answer(to: "/dd.xml", fault: .redirect)
            )
        )
        #expect(description.files.answer(to: moved, fault: .redirect) == .file(document))
    }

    // MARK: Identity

    @Test func `a serial number makes another body of the same model, always the same one`() throws {
        let first = try #require(SonyModel.ilce7M4.identified(as: "A1"))
        let again = try #require(SonyModel.ilce7M4.identified(as: "A1"))
        let second = try #require(SonyModel.ilce7M4.identified(as: "A2"))
        #expect(first.serialNumber == "A1")
        #expect(first.macAddress == again.macAddress)
        #expect(Set([first, second, .ilce7M4].map(\.macAddress)).count == 3)
        #expect(first.macAddress.count == 6 && first.macAddress.starts(with: [0x02, 0, 0]))
        let names = [first, second].map { SSDPAnnouncement.sony($0, .ptp, at: Self.location).udn }
        #expect(Set(names).count == 2)
        let macs = (0..<100).map { SonyModel.ilce7M4.identified(as: "body\($0)")?.macAddress }
        #expect(Set(macs).count == macs.count)
    }

    @Test(arguments: ["", "0000", "a b", "ä", "<x>", "１", String(repeating: "1", count: 65)])
    func `an invalid serial number is refused`(text: String) {
        #expect(SonyModel.ilce7M4.identified(as: text) == nil)
    }
}
