import Cameras
import Controller
import Testing

@testable import Host

@Suite struct NetworkMessagesTests {
    private let recording = NetlinkRecording.routes

    /// The tables after the messages of the recordings with these names.
    private func tables(_ names: String...) throws -> NetworkTables {
        var tables = NetworkTables()
        for message in names.flatMap(recording.messages) {
            if let change = try RouteMessage(message) { tables.apply(change) }
        }
        return tables
    }

    private func snapshot(_ names: [String]) throws -> NetworkSnapshot {
        var tables = NetworkTables()
        for message in (["links", "addresses"] + names).flatMap(recording.messages) {
            if let change = try RouteMessage(message) { tables.apply(change) }
        }
        return NetworkSnapshot(interfaces: tables.interfaces(radios: [:]))
    }

    private func route(_ name: String) throws -> RouteRecord? {
        for message in recording.messages(name) {
            if case .route(let route) = try RouteMessage(message) { return route }
        }
        return nil
    }

    private func refusal(_ name: String) throws -> NetlinkMessage.Refusal? {
        try recording.messages(name).compactMap { try $0.refusal() }.last
    }

    @Test func `every recorded datagram consists of messages only`() {
        #expect(recording.all.count > 50)
        for bytes in recording.all + NetlinkRecording.radios.all {
            let (messages, fault) = NetlinkMessage.split(bytes[...])
            #expect(!messages.isEmpty && fault == nil)
        }
    }

    @Test func `a dump of links and addresses gives the tables`() throws {
        let snapshot = try snapshot([])
        #expect(snapshot.interfaces.map(\.name) == ["lo", "peer0", "cam0"])
        #expect(snapshot.interfaces.map(\.index) == [1, 2, 3])
        #expect(snapshot.interfaces.map(\.isUp) == [true, true, true])
        #expect(snapshot.interfaces.map(\.isLoopback) == [true, false, false])
        #expect(snapshot.interfaces.map(\.isMulticast) == [false, true, true])
        let own = try #require(snapshot.named("cam0")?.addresses)
        #expect(own.prefix(2).map { "\($0.address)/\($0.prefixLength)" } == ["10.9.0.1/32", "192.168.122.71/24"])
        #expect(own.contains { "\($0.address)/\($0.prefixLength)" == "2001:db8::71/64" })
        #expect(
            snapshot.named("lo")?.addresses.map { "\($0.address)/\($0.prefixLength)" } == ["127.0.0.1/8", "::1/128"]
        )
    }

    @Test func `a dump ends with a final message`() throws {
        for name in ["links", "addresses", "routes"] {
            let last = try #require(recording.messages(name).last)
            #expect(last.isLast && !last.isInterrupted)
            #expect(try last.refusal() == NetlinkMessage.Refusal(code: 0, words: nil))
        }
    }

    @Test func `links go down and up, themselves and through their other end`() throws {
        #expect(try !snapshot(["link-down"]).isUp("cam0"))
        #expect(try snapshot(["link-down", "link-up"]).isUp("cam0"))
        let lost = try snapshot(["carrier-lost"])
        #expect(!lost.isUp("cam0") && lost.has("192.168.122.71", on: "cam0"))
        #expect(try snapshot(["carrier-lost", "carrier-back"]).isUp("cam0"))
    }

    @Test func `addresses are added and removed, and a tentative one does not count`() throws {
        #expect(try snapshot(["address-added"]).has("192.168.122.72", on: "cam0"))
        #expect(try !snapshot(["address-added", "address-removed"]).has("192.168.122.72", on: "cam0"))
        #expect(try snapshot(["address-added", "address-removed"]).has("192.168.122.71", on: "cam0"))
        #expect(try !snapshot(["address-tentative"]).has("2001:db8::72", on: "cam0"))
        #expect(try snapshot(["address-tentative"]).has("2001:db8::71", on: "cam0"))
    }

    @Test func `an interface is renamed, added to a bridge, and removed`() throws {
        let renamed = try snapshot(["renamed"])
        #expect(renamed.named("cam1")?.index == 3 && renamed.named("cam0") == nil)
        // If a port leaves a bridge, the bridge reports it as a removed link.
        let bridged = try snapshot(["renamed", "bridged"])
        #expect(bridged.named("cam1")?.index == 3)
        #expect(try snapshot(["renamed", "bridged", "vanished"]).named("cam1") == nil)
    }

    @Test func `routes have their interface, source and router`() throws {
        let direct = try #require(try route("route-direct"))
        #expect((direct.interface, direct.gateway, direct.source) == (3, nil, IPAddress("192.168.122.71")))
        #expect(direct.obstacle == nil)
        let router = try #require(try route("route-router"))
        #expect((router.interface, router.gateway) == (3, IPAddress("192.168.122.254")))
        let local = try #require(try route("route-local"))
        #expect(local.interface == 1 && local.type != direct.type)
        let version6 = try #require(try route("route-v6"))
        #expect((version6.interface, version6.source) == (3, IPAddress("2001:db8::71")))
    }

    @Test func `a refusal has the kernel's reason`() throws {
        #expect(try refusal("route-direct")?.code == 0)
        #expect(try refusal("route-none")?.description == "Network is unreachable")
        #expect(try refusal("route-v6-none")?.description == "Network is unreachable")
        #expect(try refusal("route-prohibited")?.description == "Permission denied")
        #expect(try refusal("refused")?.description == "ipv4: Invalid prefix length")
        #expect(try refusal("refused-cut")?.description == "ipv4: Invalid prefix length")
    }

    @Test func `a link that does not name its state keeps the one it had`() throws {
        var tables = try tables("links", "carrier-lost")
        let last = try recording.messages("links").compactMap { try RouteMessage($0) }.last
        guard case .link(var link) = last else { return #expect(Bool(false), "the last link is cam0") }
        (link.name, link.operstate) = (nil, nil)
        tables.apply(.link(link))
        #expect(tables.interfaces(radios: [:]).last?.name == "cam0")
        #expect(tables.interfaces(radios: [:]).last?.isUp == false)
    }

    @Test func `an interface with the index of a removed one has none of its addresses`() throws {
        var tables = try tables("links", "addresses")
        let links = try recording.messages("links").compactMap { try RouteMessage($0) }
        let before = tables.interfaces(radios: [:])
        let index = try #require(before.last { !$0.addresses.isEmpty }?.index)
        tables.apply(.linkGone(index))
        #expect(!tables.interfaces(radios: [:]).contains { $0.index == index })
        for link in links { tables.apply(link) }
        #expect(tables.interfaces(radios: [:]).first { $0.index == index }?.addresses.isEmpty == true)
    }

    @Test func `an answer is interrupted if any part of it is, and the next one is not`() throws {
        var requests = NetlinkRequests<Int>(port: 7)
        // The values are NLMSG_DONE, NLM_F_MULTI and NLM_F_DUMP_INTR, after the type of a row.
        let (row, done, part, interrupted): (UInt16, UInt16, UInt16, UInt16) = (16, 3, 0x2, 0x10)
        func says(_ type: UInt16, _ flags: UInt16, _ sequence: UInt32) -> NetlinkMessage {
            NetlinkMessage(type: type, flags: flags, sequence: sequence, port: 7, payload: [0, 0, 0, 0])
        }
        requests.ask(1)
        requests.ask(2)
        let first = requests.next()
        var sequence = try #require(first).sequence
        #expect(try requests.receive(says(row, part | interrupted, sequence)) == .answer(1))
        #expect(try requests.receive(says(row, part, sequence)) == .answer(1))
        guard case .end(1, _, isInterrupted: true) = try requests.receive(says(done, part, sequence)) else {
            Issue.record("it is taken for complete")
            return
        }
        let second = requests.next()
        sequence = try #require(second).sequence
        guard case .end(2, _, isInterrupted: false) = try requests.receive(says(done, part, sequence)) else {
            Issue.record("the next one is taken for interrupted")
            return
        }
    }

    @Test func `a table has a limit of interfaces`() throws {
        var tables = NetworkTables()
        let first = try recording.messages("links").compactMap { try RouteMessage($0) }.first
        guard case .link(var link) = first else { return #expect(Bool(false), "the first link is lo") }
        for index in 1...UInt32(NetworkTables.interfacesMax + 10) {
            link.index = index
            tables.apply(.link(link))
        }
        #expect(tables.isOverfull)
        #expect(tables.interfaces(radios: [:]).count == NetworkTables.interfacesMax)
    }

    @Test func `wrong lengths are reported and nothing is read beyond them`() {
        func fault(_ bytes: [UInt8]) -> String? { NetlinkMessage.split(bytes[...]).fault?.description }
        #expect(fault([]) == nil)
        #expect(fault([1, 2, 3]) == "3 bytes are too few for a netlink message")
        var message = NetlinkWriter(type: 16, flags: 0, sequence: 9).message()
        #expect(fault(message) == nil)
        message[0] = 15
        #expect(fault(message) == "a netlink message declares 15 bytes, but only 16 were received")
        message[0] = 17
        #expect(fault(message) == "a netlink message declares 17 bytes, but only 16 were received")
        for attribute: [UInt8] in [[1], [3, 0, 1, 0], [5, 0, 1, 0], [0, 0, 0, 0], [255, 255, 1, 0, 7]] {
            #expect(throws: NetlinkMessage.Fault.self) { try NetlinkAttribute.split(attribute[...]) }
        }
        // The last attribute may end without padding to a multiple of four.
        #expect(throws: Never.self) { try NetlinkAttribute.split([5, 0, 1, 0, 7]) }
    }
}

/// Tests messages that no kernel would send.
@Suite struct NetworkFuzzTests {
    /// A reproducible generator (SplitMix64).
    private struct KnuthGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
            return z ^ z >> 31
        }

        mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
    }

    private func spoil(_ bytes: inout [UInt8], _ generator: inout KnuthGenerator) {
        for _ in 0...generator.below(3) where !bytes.isEmpty {
            let place = generator.below(bytes.count)
            switch generator.below(5) {
            case 0: bytes.removeLast(bytes.count - place)
            case 1: bytes[place] ^= 1 << UInt8(generator.below(8))
            case 2: bytes[place] = [0, 1, 3, 4, 0x7F, 0x80, 0xFF][generator.below(7)]
            // Lengths are at this position.
            case 3: bytes[place & ~3] = UInt8(generator.below(256))
            default: bytes.insert(UInt8(generator.below(256)), at: place)
            }
        }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `no damaged message crashes the reader or overfills the tables`(seed: UInt64) throws {
        var generator = KnuthGenerator(state: seed)
        let originals = NetlinkRecording.routes.all + NetlinkRecording.radios.all
        let family = try #require(
            try NetlinkRecording.radios.messages("family").lazy.compactMap { try WiFiFamily($0) }.first
        )
        var tables = NetworkTables()
        var queries = WiFiQueries(port: 0x7777_7777)
        queries.begin()
        var (readCount, faultCount) = (0, 0)
        for _ in 0..<500 {
            var bytes = originals[generator.below(originals.count)]
            spoil(&bytes, &generator)
            let (messages, fault) = NetlinkMessage.split(bytes[...])
            #expect(messages.count <= bytes.count / 16)
            if fault != nil { faultCount += 1 }
            for message in messages {
                readCount += 1
                do {
                    _ = try message.refusal()
                    _ = try WiFiMessage(message, of: family)
                    _ = try queries.receive(message)
                    if let change = try RouteMessage(message) { tables.apply(change) }
                } catch {
                    faultCount += 1
                    #expect(error.description.utf8.count < 200)
                }
            }
            if generator.below(4) == 0 { _ = queries.next() }
        }
        #expect(readCount > 100 && faultCount > 100, "it tests what it is to test")
        let interfaces = tables.interfaces(radios: queries.radios)
        #expect(interfaces.count <= NetworkTables.interfacesMax)
        #expect(interfaces.allSatisfy { $0.addresses.count <= NetworkTables.addressesMax })
    }
}
