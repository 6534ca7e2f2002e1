import Bodies
import Foundation
import FoundationXML
import Testing

/// Tests bodies that are found, disappear and return, as real processes on the loopback. Each test has its own
/// addresses, and checks only bodies with its own serial numbers.
struct DiscoveryTests {
    private static let scalar = "urn:schemas-sony-com:service:ScalarWebAPI:1"
    private static let imaging = "urn:schemas-sony-com:service:DigitalImaging:1"

    private static let ownNetworksArePossible: Bool = {
        let unshare = URL(filePath: "/usr/bin/unshare")
        return (try? SimulatorProcess.run(["--net", "ip", "link", "set", "lo", "up"], program: unshare))?.status == 0
    }()

    /// A simulated body that can be found on the loopback.
    private func simulator(_ host: String, _ serial: String, _ arguments: String...) throws -> SimulatorProcess {
        try SimulatorProcess(
            host: host,
            arguments: ["--ssdp", "--description-port", "0", "--serial", serial, "--log", "--ssdp-delay", "10ms"]
                + arguments
        )
    }

    /// The digits of the body's MAC address. The UDN of the body ends with them.
    private func name(_ serial: String) throws -> String {
        let model = try #require(SonyModel.ilce7M4.identified(as: serial))
        return "0000-0010-8000-"
            + model.macAddress.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func isWellFormed(_ bytes: [UInt8]) -> Bool { XMLParser(data: Data(bytes)).parse() }

    // The test is serialized, because the bodies of two cases could not be distinguished.
    @Test(.serialized, arguments: [scalar, imaging, "upnp:rootdevice", "ssdp:all"])
    func `several bodies at once are all found, each at its own address`(target: String) throws {
        let hosts = ["127.21.0.2", "127.21.0.3", "127.21.0.4"]
        let simulators = try hosts.map { try simulator($0, "found" + $0.suffix(1)) }
        let searcher = try Searcher()
        for simulator in simulators {
            let serial = "found" + simulator.host.suffix(1)
            let count = target == "ssdp:all" ? 4 : 1
            let answers = try searcher.search(target, for: name(serial), count: count)
            let port = try #require(simulator.descriptionPort)
            for answer in answers {
                #expect(answer.first == "HTTP/1.1 200 OK")
                #expect(answer.from == simulator.host)
                #expect(answer.place == "\(simulator.host):\(port)")
            }
            let (head, body) = try fetch("/dd.xml", host: simulator.host, port: port)
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(isWellFormed(body))
            #expect(String(decoding: body, as: UTF8.self).contains(try name(serial)))
            let (_, second) = try fetch("/DigitalImagingDesc.xml", host: simulator.host, port: port)
            #expect(isWellFormed(second))
            #expect(try fetch("/etc/passwd", host: simulator.host, port: port).0.hasPrefix("HTTP/1.1 404 "))
            let initiator = try RawInitiator(host: simulator.host, port: simulator.port)
            try initiator.open()
            #expect(initiator.guid.suffix(6) == SonyModel.ilce7M4.identified(as: serial)?.macAddress.suffix(6))
        }
    }

    @Test func `a body announces itself three times at its start`() throws {
        let listener = try Searcher(isListening: true)
        let simulator = try simulator("127.21.1.2", "early")
        let name = try name("early")
        let heard = try listener.receive(for: .seconds(20), until: 12) {
            $0.first == "NOTIFY * HTTP/1.1" && $0.fields["USN"]?.contains(name) == true
        }
        #expect(heard.count == 12)
        #expect(heard.allSatisfy { $0.fields["NTS"] == "ssdp:alive" && $0.from == simulator.host })
        #expect(Set(heard.compactMap { $0.fields["NT"] }).count == 4)
        #expect(heard.allSatisfy { $0.place == simulator.descriptionPort.map { "\(simulator.host):\($0)" } })
    }

    @Test func `a signal removes a body, and the same body returns at another address and is announced`() throws {
        let listener = try Searcher(isListening: true)
        let simulator = try simulator("127.21.2.2", "roaming", "--addresses", "127.21.2.3,127.21.2.2")
        let initiator = try RawInitiator(host: "127.21.2.2", port: simulator.port)
        try initiator.open()
        simulator.signal(SIGUSR1)
        #expect(throws: RawConnection.Failure.reset) { try initiator.command.packet() }
        try simulator.waitForLog("the body leaves the network for 1000 ms and returns at 127.21.2.3")
        for port in [simulator.port, try #require(simulator.descriptionPort)] {
            #expect(throws: RawConnection.Failure.refused) { try RawConnection(host: "127.21.2.2", port: port) }
        }
        try simulator.waitForLog("listening again on 127.21.2.3:\(simulator.port)")
        let name = try name("roaming")
        let heard = try listener.receive(for: .seconds(20), until: 12) {
            $0.from == "127.21.2.3" && $0.fields["USN"]?.contains(name) == true
        }
        #expect(heard.count == 12)
        let answer = try Searcher().search(Self.scalar, for: name).first
        #expect(answer?.place == simulator.descriptionPort.map { "127.21.2.3:\($0)" })
        let again = try RawInitiator(host: "127.21.2.3", port: simulator.port)
        try again.open()
        #expect(again.guid == initiator.guid)
        #expect(throws: RawConnection.Failure.refused) { try RawConnection(host: "127.21.2.2", port: simulator.port) }
        simulator.signal(SIGUSR1)
        try simulator.waitForLog("listening again on 127.21.2.2:\(simulator.port)")
        try RawInitiator(host: "127.21.2.2", port: simulator.port).open()
        #expect(simulator.end(by: SIGTERM).status == 0)
    }

    @Test func `without other addresses the body returns at the same address`() throws {
        let simulator = try SimulatorProcess("--log")
        simulator.signal(SIGUSR1)
        try simulator.waitForLog("listening again on 127.0.0.1:\(simulator.port)")
        try RawInitiator(port: simulator.port).open()
    }

    @Test func `a polite body closes in order and sends byebye`() throws {
        let listener = try Searcher(isListening: true)
        let fault = "leave@1:focus=127.21.3.3,back=300ms,politely"
        let simulator = try simulator("127.21.3.2", "polite", "--fault", fault)
        let initiator = try RawInitiator(host: "127.21.3.2", port: simulator.port)
        try initiator.open()
        #expect(throws: RawConnection.Failure.ended) { try initiator.perform(0x9207, 0xD2C1, data: [2, 0]) }
        #expect(throws: RawConnection.Failure.ended) { while true { _ = try initiator.event.packet() } }
        let name = try name("polite")
        let heard = try listener.receive(for: .seconds(20), until: 4) {
            $0.fields["NTS"] == "ssdp:byebye" && $0.fields["USN"]?.contains(name) == true
        }
        #expect(heard.count == 4)
        #expect(heard.allSatisfy { $0.from == "127.21.3.2" })
        try simulator.waitForLog("listening again on 127.21.3.3:\(simulator.port)")
        try RawInitiator(host: "127.21.3.3", port: simulator.port).open()
    }

    @Test func `close ends both connections in order and accepts new ones at once`() throws {
        let simulator = try SimulatorProcess("--fault", "close@1:focus")
        let initiator = try RawInitiator(port: simulator.port)
        try initiator.open()
        #expect(throws: RawConnection.Failure.ended) { try initiator.perform(0x9207, 0xD2C1, data: [2, 0]) }
        #expect(throws: RawConnection.Failure.ended) { while true { _ = try initiator.event.packet() } }
        try RawInitiator(port: simulator.port).open()
    }

    @Test(arguments: [("http", "X_ScalarWebAPI_ServiceList"), ("transfer", "XPushList:1")])
    func `a body of another kind is found, but does not accept PTP-IP`(kind: String, part: String) throws {
        let host = kind == "http" ? "127.21.4.2" : "127.21.4.3"
        let simulator = try simulator(host, "kind" + kind, "--ssdp-kind", kind)
        let mac = try name("kind" + kind).suffix(12)
        let answer = try #require(try Searcher().search(Self.scalar, for: String(mac)).first)
        let port = try #require(simulator.descriptionPort)
        #expect(answer.place == "\(host):\(port)")
        let (_, body) = try fetch("/dd.xml", host: host, port: port)
        #expect(isWellFormed(body))
        #expect(String(decoding: body, as: UTF8.self).contains(part))
        // The option allows any port for the description, and this body has no description. So it has none after its
        // absence either.
        simulator.signal(SIGUSR1)
        try simulator.waitForLog("can be found again")
        #expect(try Searcher().search(Self.scalar, for: String(mac)).first?.place == answer.place)
    }

    // MARK: Faults

    @Test func `ssdp-silent is announced and answers no search`() throws {
        let listener = try Searcher(isListening: true)
        let simulator = try simulator("127.21.5.2", "mute", "--fault", "ssdp-silent")
        let name = try name("mute")
        let heard = try listener.receive(for: .seconds(20), until: 4) { $0.fields["USN"]?.contains(name) == true }
        #expect(heard.count == 4)
        let searcher = try Searcher()
        for target in [Self.scalar, Self.imaging] { #expect(try searcher.searchOnce(target, for: name).isEmpty) }
        try simulator.waitForLog("fault: the search for \(Self.imaging) is not answered")
    }

    @Test func `ssdp-first answers after enough searches`() throws {
        let simulator = try simulator("127.21.5.3", "starting", "--fault", "ssdp-first=2")
        let answers = try Searcher().search(Self.imaging, for: name("starting"))
        #expect(answers.count == 1)
        // Other clients search at the same time. Their searches count too.
        for _ in 0..<2 { try simulator.waitForLog(" came too early") }
    }

    @Test func `ssdp-wrong-location names another address`() throws {
        let simulator = try simulator("127.21.5.4", "lost", "--fault", "ssdp-wrong-location=127.21.5.9")
        let answer = try #require(try Searcher().search(Self.scalar, for: name("lost")).first)
        #expect(answer.from == simulator.host)
        #expect(answer.place?.hasPrefix("127.21.5.9:") == true)
    }

    @Test func `a description can stall, be too long, be damaged, or be elsewhere`() throws {
        func serve(_ fault: String, _ host: String) throws -> (SimulatorProcess, UInt16) {
            let simulator = try simulator(host, "served" + fault, "--fault", "description=\(fault)")
            return (simulator, try #require(simulator.descriptionPort))
        }
        let (slow, slowPort) = try serve("slow", "127.21.6.2")
        let connection = try RawConnection(host: slow.host, port: slowPort)
        try connection.send(Array("GET /dd.xml HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        let start = String(decoding: try connection.receive(400), as: UTF8.self)
        #expect(start.contains("\r\n\r\n<?xml") && start.hasPrefix("HTTP/1.1 200 OK"))
        // The rest never arrives. The client has to stop waiting, and the body still serves others.
        #expect(throws: RawConnection.Failure.timeout) { try connection.receiveAll(patienceMilliseconds: 300) }
        #expect(try fetch("/moved/dd.xml", host: slow.host, port: slowPort).0.hasPrefix("HTTP/1.1 200 OK"))

        let (long, longPort) = try serve("long", "127.21.6.3")
        let body = try fetch("/dd.xml", host: long.host, port: longPort, atMost: 64 << 20).1
        #expect(body.count > ServedFiles.paddingByteCount)
        #expect(isWellFormed(body))

        let (broken, brokenPort) = try serve("broken", "127.21.6.4")
        let cut = String(decoding: try fetch("/dd.xml", host: broken.host, port: brokenPort).1, as: UTF8.self)
        #expect(cut.contains("<root") && !cut.contains("</root>"))

        let (moved, movedPort) = try serve("redirect", "127.21.6.5")
        let (head, nothing) = try fetch("/dd.xml", host: moved.host, port: movedPort)
        #expect(head.hasPrefix("HTTP/1.1 302 ") && head.contains("/moved/dd.xml") && nothing.isEmpty)
        #expect(isWellFormed(try fetch("/moved/dd.xml", host: moved.host, port: movedPort).1))
    }

    // MARK: Addresses

    /// This test runs in its own network, where it can add and remove addresses. Only root can create a network.
    @Test(.enabled(if: ownNetworksArePossible, "network name spaces want root and iproute2"))
    func `a body waits for its new address, and is found there`() throws {
        // The prefix length is 32, because with a whole subnet the loopback would have every address in it.
        let prepare = "ip link set lo up && ip addr add 10.9.0.2/32 dev lo && exec \"$@\""
        let wrapper = ["/usr/bin/unshare", "--net", "/bin/sh", "-c", prepare, "sh"]
        let simulator = try SimulatorProcess(
            host: "10.9.0.2",
            arguments: ["--ssdp", "--log", "--addresses", "10.9.0.3"],
            wrapper: wrapper
        )
        func inside(_ command: String) throws -> (status: Int32, output: String, errors: String) {
            let enter = ["--net=/proc/\(simulator.processID)/ns/net", "/bin/sh", "-c", command]
            return try SimulatorProcess.run(enter, program: URL(filePath: "/usr/bin/nsenter"))
        }
        // The kernel lists the groups that it has joined in this form. This one is 239.255.255.250.
        let joined = "grep -q FAFFFFEF /proc/net/igmp"
        #expect(simulator.descriptionPort == 64321)
        #expect(try inside(joined).status == 0)
        simulator.signal(SIGUSR1)
        try simulator.waitForLog("cannot listen on 10.9.0.3:\(simulator.port): this machine does not have the address")
        #expect(try inside(joined).status == 1)
        #expect(try inside("ip addr del 10.9.0.2/32 dev lo; ip addr add 10.9.0.3/32 dev lo").status == 0)
        try simulator.waitForLog("listening again on 10.9.0.3:\(simulator.port)")
        #expect(try inside(joined).status == 0)
        #expect(simulator.end(by: SIGTERM).status == 0)
    }

    @Test func `a body that listens on any address announces that of its interface`() throws {
        let simulator = try SimulatorProcess(
            host: "0.0.0.0",
            arguments: ["--ssdp", "--description-port", "0", "--serial", "any1", "--ssdp-interface", "lo"],
            announced: "127.0.0.1"
        )
        let answer = try #require(try Searcher().search(Self.scalar, for: name("any1")).first)
        #expect(answer.place == simulator.descriptionPort.map { "127.0.0.1:\($0)" })
        try RawInitiator(host: "127.21.9.9", port: simulator.port).open()
    }

    @Test func `an address that cannot be announced ends it with 1 and a sentence`() throws {
        let result = try SimulatorProcess.run(["sony", "--listen", "[::1]:0", "--ssdp", "--description-port", "0"])
        #expect(result.status == 1)
        #expect(
            result.errors == "camerasim: cannot announce ::1: use an IPv4 address in --listen, or omit --ssdp\n"
        )
        let nowhere = try SimulatorProcess.run(["sony", "--listen", "0.0.0.0:0", "--ssdp", "--description-port", "0"])
        #expect(nowhere.status == 1)
        #expect(
            nowhere.errors == "camerasim: cannot announce 0.0.0.0: it means every address of this machine; use "
                + "one address in --listen, or give its interface with --ssdp-interface\n"
        )
        let noSuch = try SimulatorProcess.run([
            "sony", "--listen", "0.0.0.0:0", "--ssdp", "--description-port", "0", "--ssdp-interface", "wlan77",
        ])
        #expect(
            noSuch.errors == "camerasim: cannot announce 0.0.0.0: there is no interface wlan77 with an IPv4 address\n"
        )
    }

    @Test(.enabled(if: ownNetworksArePossible, "network name spaces want root and iproute2"))
    func `an address of another interface than the named one is refused`() throws {
        let prepare =
            "ip link set lo up && ip link add cam0 type veth peer name cam1 && ip addr add 10.9.1.2/28 dev cam0 "
            + "&& ip link set cam0 up && exec \"$@\""
        func run(_ address: String, on interface: String) throws -> (status: Int32, output: String, errors: String) {
            let arguments = [
                "--net", "/bin/sh", "-c", prepare, "sh", SimulatorProcess.executable.path(), "sony", "--ssdp",
                "--listen", "\(address):0", "--ssdp-interface", interface,
            ]
            return try SimulatorProcess.run(arguments, program: URL(filePath: "/usr/bin/unshare"))
        }
        for (address, interface, owner) in [("10.9.1.2", "lo", "cam0"), ("127.0.0.2", "cam0", "lo")] {
            let result = try run(address, on: interface)
            #expect(result.status == 1)
            #expect(
                result.errors == "camerasim: cannot announce \(address) on \(interface): \(owner) has that address; "
                    + "use --ssdp-interface \(owner), omit this option, or use an address of \(interface) in "
                    + "--listen\n"
            )
            #expect(result.output.isEmpty)
        }
    }

    @Test(arguments: [
        (["--listen", "127.21.8.2:15741"], "--listen 127.21.8.2:15741 cannot be used with --ssdp"),
        (
            ["--listen", "127.21.8.2:0", "--addresses", "127.21.8.3:15740,127.21.8.4:15741"],
            "--addresses 127.21.8.4:15741 cannot be used"
        ),
        (
            ["--listen", "127.21.8.2:0", "--fault", "leave@2=127.21.8.3:15741"],
            "--fault leave@2 to 127.21.8.3:15741 cannot be used"
        ),
    ])
    func `a port that cannot be found is refused`(arguments: [String], sentence: String) throws {
        let result = try SimulatorProcess.run(["sony", "--ssdp", "--description-port", "0"] + arguments)
        #expect(result.status == 64)
        #expect(result.errors.contains(sentence), "\(result.errors)")
        #expect(result.errors.contains("clients connect to port 15740"), "\(result.errors)")
        #expect(result.output.isEmpty)
    }

    @Test func `a free port that cannot be found causes one warning`() throws {
        let simulator = try simulator("127.21.8.5", "warned")
        let (status, errors) = simulator.end(by: SIGTERM)
        #expect(status == 0)
        let warnings = errors.split(separator: "\n").filter { $0.hasPrefix("camerasim: ") }
        #expect(
            warnings == [
                "camerasim: the body listens on port \(simulator.port), but SSDP announces no port, so clients "
                    + "connect to port 15740; for discovery use --listen 127.21.8.5:15740"
            ]
        )
        let unannounced = try SimulatorProcess("--log").end(by: SIGTERM)
        #expect(!unannounced.errors.contains("camerasim: "))
    }

    @Test func `a body that does not listen causes no warning`() throws {
        let result = try simulator("127.21.8.6", "http8", "--ssdp-kind", "http").end(by: SIGTERM)
        #expect(!result.errors.contains("camerasim: "), "\(result.errors)")
    }

    // The test needs its own network. On the loopback, a client of another test could find and connect to the body.
    @Test(.enabled(if: ownNetworksArePossible, "network name spaces want root and iproute2"))
    func `the port that can be found is accepted without a warning, in every option`() throws {
        let places = ["--addresses", "127.0.0.3:15740,127.0.0.4", "--fault", "leave@2=127.0.0.5:15740"]
        let simulator = try SimulatorProcess(
            host: "127.0.0.2",
            port: 15740,
            arguments: ["--ssdp"] + places,
            wrapper: ["/usr/bin/unshare", "--net", "/bin/sh", "-c", "ip link set lo up && exec \"$@\"", "sh"]
        )
        #expect(simulator.port == 15740)
        let (status, errors) = simulator.end(by: SIGTERM)
        #expect(status == 0)
        #expect(errors.isEmpty, "\(errors)")
    }

    @Test func `help names the port that can be found`() throws {
        let help = try SimulatorProcess.run(["sony", "--help"]).output
        let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("only a body on port 15740 can be found"))
        #expect(words.contains("With --ssdp, a PTP/IP body can only be found on port 15740."))
    }

    @Test func `a description port in use ends it with 1 and a sentence`() throws {
        let first = try simulator("127.21.7.2", "first")
        let port = try #require(first.descriptionPort)
        let result = try SimulatorProcess.run([
            "sony", "--listen", "127.21.7.2:0", "--ssdp", "--description-port", "\(port)",
        ])
        #expect(result.status == 1)
        #expect(
            result.errors == "camerasim: cannot serve the description on 127.21.7.2:\(port): the address is in use; "
                + "choose another with --description-port\n"
        )
    }

    @Test(arguments: [
        (["--fault", "ssdp-silent"], "needs --ssdp"), (["--fault", "description=slow"], "needs --ssdp"),
        (["--ssdp-kind", "http"], "--ssdp-kind http needs --ssdp"), (["--ssdp-interface", "lo"], "needs --ssdp"),
        (["--ssdp-delay", "10ms"], "--ssdp-delay needs --ssdp"),
        (["--description-port", "64321"], "--description-port needs --ssdp"),
        (["--ssdp", "--ssdp-kind", "ftp"], "the kinds are ptp, http, transfer"),
        (["--serial", "0000"], "--serial '0000' is not a serial number: write 1 to 64 letters and digits, not all"),
        (["--serial", "<x>"], "--serial '<x>' is not a serial number"),
        (["--addresses", "127.0.0.2,camera"], "'camera' is not an address"), (["--ssdp-delay", "soon"], "soon"),
        (["--description-port", "65536"], "65536"),
    ])
    func `a wrong argument of discovery ends it with 64 and a sentence`(arguments: [String], sentence: String) throws {
        let result = try SimulatorProcess.run(["sony"] + arguments)
        #expect(result.status == 64)
        #expect(result.errors.contains(sentence), "\(result.errors)")
    }
}
