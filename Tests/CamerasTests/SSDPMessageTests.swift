import NIOCore
import Testing

@testable import Cameras

/// Messages of SSDP, from bodies and from other devices.
struct SSDPMessageTests {
    private static let here = "http://192.168.122.1:64321/dd.xml"

    private func parse(_ lines: String...) throws -> SSDPMessage? {
        try SSDPMessage.parse(ByteBuffer(string: lines.map { "\($0)\r\n" }.joined() + "\r\n"))
    }

    private func reason(_ lines: String...) -> String {
        do {
            let message = try SSDPMessage.parse(ByteBuffer(string: lines.map { "\($0)\r\n" }.joined() + "\r\n"))
            return "no error: \(String(describing: message))"
        } catch {
            return error.reason
        }
    }

    @Test func `a search has the bytes that bodies answer`() throws {
        let vector = SonyVectors.object("ssdp")
        let request = try #require(vector["rocc_request"] as? String)
        #expect(String(buffer: SSDPMessage.search(for: .scalarWebAPI)) == request)
        #expect(SSDPTarget.scalarWebAPI.rawValue == vector["scalar_search_target"] as? String)
        #expect(SSDPTarget.digitalImaging.rawValue == vector["digital_imaging_service"] as? String)
        #expect(SSDPMessage.group.description == vector["address"] as? String)
        #expect(SSDPMessage.port == (vector["port"] as? UInt16))
        #expect(
            String(buffer: SSDPMessage.search(for: .digitalImaging)).contains("\r\nST:urn:schemas-sony-com:service:D")
        )
    }

    @Test func `an answer names the address of the description and the camera`() throws {
        let message = try #require(
            try parse(
                "HTTP/1.1 200 OK",
                "CACHE-CONTROL: max-age=1800",
                "EXT:",
                "LOCATION: \(Self.here)",
                "SERVER: UPnP/1.0 SonyImagingDevice/1.0",
                "ST: urn:schemas-sony-com:service:ScalarWebAPI:1",
                "USN: uuid:000000001000-1010-8000-0123456789AB::urn:schemas-sony-com:service:ScalarWebAPI:1"
            )
        )
        let url = DescriptionURL(host: IPAddress(bytes: [192, 168, 122, 1]), port: 64321, path: "/dd.xml")
        #expect(message.kind == .answer(url))
        #expect(message.target == .scalarWebAPI)
        #expect(DiscoveryTable.standard.mayNameCamera(message))
        #expect(message.udn?.rawValue == "000000001000-1010-8000-0123456789ab")
    }

    @Test func `only the location is required, and names of headers have any case and any space`() throws {
        let url = try DescriptionURL.parse(Self.here)
        #expect(try parse("HTTP/1.1 200 OK", "location:\(Self.here)")?.kind == .answer(url))
        #expect(try parse("HTTP/1.1 200 OK", "Location :\t \(Self.here)  ")?.kind == .answer(url))
        let bare = try #require(try parse("HTTP/1.0 200 OK", "LoCaTiOn:\(Self.here)"))
        #expect(bare.target == nil && bare.udn == nil && DiscoveryTable.standard.mayNameCamera(bare))
        let unix = ByteBuffer(string: "HTTP/1.1 200 OK\nLOCATION:\(Self.here)\n")
        #expect(try SSDPMessage.parse(unix)?.kind == .answer(url))
    }

    @Test func `a camera announces itself when it appears and when it disappears`() throws {
        let nt = "NT: urn:schemas-sony-com:service:DigitalImaging:1"
        let usn = "USN: uuid:uuid:000000001000-1010-8000-0123456789ab::urn:schemas-sony-com:service:DigitalImaging:1"
        let alive = try #require(
            try parse(
                "NOTIFY * HTTP/1.1",
                "HOST: 239.255.255.250:1900",
                "LOCATION: http://192.168.122.1:80/dd.xml",
                nt,
                "NTS: ssdp:alive",
                usn
            )
        )
        let url = DescriptionURL(host: IPAddress(bytes: [192, 168, 122, 1]), port: 80, path: "/dd.xml")
        #expect(alive.kind == .alive(url))
        #expect(alive.target == .digitalImaging)
        let update = try parse("NOTIFY * HTTP/1.1", "LOCATION: http://192.168.122.1/dd.xml", nt, "NTS: ssdp:update")
        #expect(update?.kind == .alive(url))
        let byebye = try #require(try parse("NOTIFY * HTTP/1.1", nt, "NTS: ssdp:byebye", usn))
        #expect(byebye.kind == .byebye)
        #expect(byebye.location == nil)
        #expect(byebye.udn == alive.udn && alive.udn?.rawValue.hasSuffix("-0123456789ab") == true)
    }

    @Test func `searches of other clients are ignored, and other devices are distinguished from cameras`() throws {
        #expect(try SSDPMessage.parse(SSDPMessage.search(for: .scalarWebAPI)) == nil)
        let other = try parse("NOTIFY * HTTP/1.1", "NT: upnp:rootdevice", "NTS: ssdp:byebye")
        #expect(other.map(DiscoveryTable.standard.mayNameCamera) == false)
    }

    @Test func `a location on another machine is not accepted`() throws {
        let camera = IPAddress(bytes: [192, 168, 122, 1])
        let other = IPAddress(bytes: [192, 168, 122, 9])
        let answer = try #require(try parse("HTTP/1.1 200 OK", "LOCATION: \(Self.here)"))
        #expect(answer.isCredible(by: camera))
        #expect(!answer.isCredible(by: other))
        let byebye = try #require(try parse("NOTIFY * HTTP/1.1", "NT: x", "NTS: ssdp:byebye"))
        #expect(byebye.isCredible(by: other))
    }

    @Test func `a message without a necessary header is refused with a sentence`() {
        #expect(reason("HTTP/1.1 200 OK") == "its LOCATION is missing")
        #expect(
            reason("HTTP/1.1 404 Not Found", "LOCATION: \(Self.here)") == "its first line is 'HTTP/1.1 404 Not Found'"
        )
        #expect(reason("NOTIFY * HTTP/1.1", "NTS: ssdp:alive") == "its NT is missing")
        #expect(reason("NOTIFY * HTTP/1.1", "NT: x") == "its NTS is missing")
        #expect(reason("NOTIFY * HTTP/1.1", "NT: x", "NTS: ssdp:\u{1F4A9}") == "its NTS is 'ssdp:\u{1F4A9}'")
        #expect(reason("NOTIFY /x HTTP/1.1", "NT: x", "NTS: ssdp:byebye").hasPrefix("its first line"))
        #expect(reason("HTTP/1.1 200 OK", "LOCATION: http://192.168.122.1/\u{1}") == "it contains control characters")
        #expect(reason("GET / HTTP/1.1").hasPrefix("its first line"))
        #expect(reason("").hasPrefix("its first line"))
    }

    @Test func `the length of a message is bounded`() throws {
        let head = "HTTP/1.1 200 OK\r\nLOCATION:\(Self.here)\r\n"
        func message(headers: Int) -> ByteBuffer {
            ByteBuffer(string: head + String(repeating: "X:1\r\n", count: headers - 1) + "\r\n")
        }
        #expect(try SSDPMessage.parse(message(headers: SSDPMessage.headerCountMax)) != nil)
        #expect(throws: SSDPFault(reason: "it has more than 64 headers")) {
            try SSDPMessage.parse(message(headers: SSDPMessage.headerCountMax + 1))
        }
        func message(bytes: Int) -> ByteBuffer {
            ByteBuffer(string: head + "X:" + String(repeating: "x", count: bytes - head.utf8.count - 2))
        }
        #expect(try SSDPMessage.parse(message(bytes: SSDPMessage.byteCountMax)) != nil)
        #expect(throws: SSDPFault(reason: "it is longer than 4096 bytes")) {
            try SSDPMessage.parse(message(bytes: SSDPMessage.byteCountMax + 1))
        }
    }

    @Test(
        arguments: [
            ("https://192.168.122.1/dd.xml", "it does not begin with http://"),
            ("file:///etc/passwd", "it does not begin with http://"),
            ("ftp://192.168.122.1/", "it does not begin with http://"),
            ("/dd.xml", "it does not begin with http://"),
            ("http://camera.local/dd.xml", "its host is not an IP address"),
            ("http://192.168.122/dd.xml", "its host is not an IP address"),
            ("http://0xC0A87A01/dd.xml", "its host is not an IP address"),
            ("http://3232266753/dd.xml", "its host is not an IP address"),
            ("http:///dd.xml", "its host is not an IP address"),
            ("http://", "its host is not an IP address"),
            ("http://fe80::1/dd.xml", "its host is not an IP address"),
            ("http://[192.168.122.1]/dd.xml", "its host is not an IP address"),
            ("http://[fe80::1%25eth0]/dd.xml", "its host is not an IP address"),
            ("http://[fe80::1/dd.xml", "']' is missing"),
            ("http://me@192.168.122.1/dd.xml", "it contains a user name"),
            ("http://192.168.122.1#@10.0.0.1/", "it has a fragment"),
            ("http://192.168.122.1:0/", "its port is not a number from 1 to 65535"),
            ("http://192.168.122.1:65536/", "its port is not a number from 1 to 65535"),
            ("http://192.168.122.1:+80/", "its port is not a number from 1 to 65535"),
            ("http://192.168.122.1:8o/", "its port is not a number from 1 to 65535"),
            ("http://[fe80::1]x/", "its port is not a number from 1 to 65535"),
            ("http://192.168.122.1/a b", "it contains a character that URLs forbid"),
            ("http://192.168.122.1/\r\nHost:x", "it contains a character that URLs forbid"),
            ("http://192.168.122.1/\u{FC}", "it contains a character that URLs forbid"),
            ("http://192.168.122.1/" + String(repeating: "x", count: 1024), "it is longer than 1024 bytes"),
        ]
    )
    func `a location that cannot be a camera's is refused`(text: String, reason: String) throws {
        let fault = #expect(throws: DescriptionURLFault.self) { try DescriptionURL.parse(text) }
        #expect(try #require(fault).reason.hasSuffix(": \(reason)"))
    }

    @Test(
        arguments: [
            ("http://192.168.122.1:64321/dd.xml", "http://192.168.122.1:64321/dd.xml"),
            ("HTTP://192.168.122.1", "http://192.168.122.1:80/"),
            ("http://192.168.122.1:/a", "http://192.168.122.1:80/a"),
            ("http://192.168.122.1?x=1", "http://192.168.122.1:80/?x=1"),
            ("http://[fe80::1]:8080/a?b=c:d@e", "http://[fe80::1]:8080/a?b=c:d@e"),
        ]
    )
    func `a valid location is read`(text: String, expected: String) throws {
        #expect(try DescriptionURL.parse(text).description == expected)
    }

    @Test func `a device's name may have any form but no control characters`() {
        #expect(UDN("UUID:Abc_1.2")?.rawValue == "abc_1.2")
        for bad in [
            "", "abc", "uuid:", "uuid:a b", "uuid:a:b", "uuid:\u{E9}", "uuid:" + String(repeating: "a", count: 65),
        ] {
            #expect(UDN(bad) == nil)
        }
    }

    @Test func `damaged messages are read or refused`() throws {
        var random = SeededGenerator(seed: 6)
        let messages = [
            "HTTP/1.1 200 OK\r\nLOCATION: \(Self.here)\r\nST: a\r\nUSN: uuid:a::b\r\n\r\n",
            "NOTIFY * HTTP/1.1\r\nNT: a\r\nNTS: ssdp:alive\r\nLOCATION: http://[fe80::1]:80/x\r\n\r\n",
        ]
        var readCount = 0
        for round in 0..<4000 {
            var bytes = Array(messages[round % 2].utf8)
            for _ in 0...random.next() % 4 {
                let index = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 3 {
                case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: index)
                default: bytes.removeSubrange(index..<min(bytes.count - 1, index + Int(random.next() % 8)))
                }
            }
            guard let message = try? SSDPMessage.parse(ByteBuffer(bytes: bytes)) else { continue }
            readCount += 1
            #expect(message.location?.path.utf8.allSatisfy { (0x21...0x7E).contains($0) } ?? true)
        }
        // If all random messages were read, or none, this test would show nothing.
        #expect((100..<3900).contains(readCount))
    }

    @Test func `a message cut anywhere is read or refused`() {
        let whole = Array("HTTP/1.1 200 OK\r\nLOCATION: \(Self.here)\r\nST: a\r\n\r\n".utf8)
        for count in 0...whole.count {
            let message = try? SSDPMessage.parse(ByteBuffer(bytes: whole.prefix(count)))
            if count < 30 { #expect(message == nil) }
            if count > whole.count - 4 { #expect(message != nil) }
        }
    }
}
