import Bodies
import Cameras
import Controller
import Exposure
import Flight
import NIOCore
import Testing
import Worlds

/// Runs of the whole system, recorded and replayed.
@Suite struct ReplayTests {
    static let identity = InitiatorIdentity(guid: Array(1...16), name: "flight")
    static let three = PlanInput(shadow: "1/60", highlight: "1/250", frames: 3, spacing: 1)

    static func configuration(_ policy: TransferPolicy = .none) -> CoreConfiguration {
        CoreConfiguration(
            cameraAddress: CameraAddress(host: "192.0.2.1"),
            identity: identity,
            transfer: TransferConfiguration(policy: policy),
            ledger: .required
        )
    }

    static func options(_ faults: [String] = [], saving: BodySaveTarget? = nil) throws -> BodyOptions {
        var options = BodyOptions()
        options.faults = try faults.map { try Fault(parsing: $0) }
        options.saveTarget = saving
        return options
    }

    /// - Returns: the number of records.
    @discardableResult
    private func expectSame(_ world: World) throws -> Int {
        let log = try world.log
        var count = 0
        for files in log.runs {
            let result = try replay(files)
            #expect(result.difference == nil)
            #expect(result.warnings.isEmpty)
            count += result.records
        }
        #expect(count >= log.inputs.count)
        return count
    }

    @Test(arguments: SonyModel.all.map(\.name), [BodySaveTarget.host, .card])
    func `a shoot on every body replays identically`(name: String, target: BodySaveTarget) throws {
        var world = World.recorded(
            Self.configuration(.jpeg),
            model: try #require(SonyModel.named(name)),
            options: try Self.options(saving: target)
        )
        let isOver = world.fire(Self.three)
        #expect(isOver)
        #expect(try expectSame(world) > 100)
    }

    @Test(arguments: CanonModel.all.map(\.name), ["double-object@2", "drop@2:expose,back=1"])
    func `a shoot on every Canon body replays identically`(name: String, fault: String) throws {
        let camera = SimulatedCamera(
            model: try #require(CanonModel.named(name)),
            options: try Self.options([fault], saving: .card)
        )
        var world = World.recorded(Self.configuration(.jpeg), camera)
        let isOver = world.fire(Self.three)
        #expect(isOver)
        #expect(try expectSame(world) > 100)
    }

    @Test(arguments: NikonModel.all.map(\.name), ["object-info@2=1s", "drop@2:expose,back=1"])
    func `a shoot on every Nikon body replays identically`(name: String, fault: String) throws {
        let camera = SimulatedCamera(
            model: try #require(NikonModel.named(name)),
            options: try Self.options([fault], saving: .card)
        )
        var world = World.recorded(Self.configuration(.jpeg), camera)
        let isOver = world.fire(Self.three)
        #expect(isOver)
        #expect(try expectSame(world) > 100)
    }

    @Test(arguments: [
        "drop@2:expose,back=1", "ignore-set@3", "drop@3:save,back=2", "busy-storm=40", "init-fail=busy:3",
        "refuse-connect=2", "auth-failed=1", "empty-extinfo=3",
    ])
    func `a shoot with faults replays identically`(fault: String) throws {
        var world = World.recorded(Self.configuration(.both), options: try Self.options([fault], saving: .host))
        world.fire(Self.three)
        #expect(try expectSame(world) > 100)
    }

    @Test(arguments: [1, 7, 13, 1448]) func `the split of the bytes by the network does not matter`(segment: Int) throws
    {
        var world = World.recorded(
            Self.configuration(.jpeg),
            options: try Self.options(saving: .host),
            network: World.Network(latency: .milliseconds(5), segment: segment)
        )
        let isOver = world.fire(Self.three)
        #expect(isOver)
        try expectSame(world)
    }

    @Test(arguments: 1..<12) func `each run of a daemon that is killed and restarted is separate`(step: Int) throws {
        var world = World.recorded(Self.configuration(.jpeg), options: try Self.options(saving: .host))
        world.pass { $0.daemon.state("connection") == "connected" }
        world.killAfter(effects: world.effectCount + 9 * step)
        world.ask(.shoot(Self.three, streams: true))
        world.pass { $0.daemon.isKilled }
        world.kill(writesPending: step % 2 == 0)
        world.restart()
        world.pass(.seconds(5))
        world.ask(.resume)
        world.pass(.seconds(60))
        world.put(.stop)
        world.pass(.seconds(10))
        #expect(try world.log.runs.count == 2)
        try expectSame(world)
    }

    @Test func `a search replays identically`() throws {
        var configuration = Self.configuration()
        configuration.cameraAddress = nil
        configuration.search = SearchRules(ways: [.known, .ssdp, .scan])
        var world = World.recorded(configuration, place: .at(CameraAddress(host: "192.0.2.9")))
        let radio = NetworkInterface.Radio.joined(.init(ssid: "DIRECT", bssid: "02:00:00:00:00:01"))
        world.put(
            .network(
                NetworkSnapshot(interfaces: [
                    NetworkInterface(
                        index: 3,
                        name: "wlan0",
                        isUp: true,
                        addresses: [.init(IPAddress(bytes: [192, 0, 2, 77]), prefixLength: 24)],
                        radio: radio
                    )
                ])
            )
        )
        let text = [
            "NOTIFY * HTTP/1.1", "HOST: 239.255.255.250:1900", "NTS: ssdp:alive",
            "NT: urn:schemas-sony-com:service:ScalarWebAPI:1",
            "USN: uuid:a-b::urn:schemas-sony-com:service:ScalarWebAPI:1",
            "LOCATION: http://192.0.2.8:64321/dd.xml", "", "",
        ].joined(separator: "\r\n")
        for interface: UInt32 in [3, 4] {
            let from = IPAddress(bytes: [192, 0, 2, 8])
            world.put(.ssdp(SSDPDatagram(from: from, interface: interface, bytes: ByteBuffer(string: text))))
        }
        for open in world.daemon.httpRequests {
            let reply = HTTPReply(status: 200, body: ByteBuffer(string: "<root/>"))
            world.put(.http(open.generation, open.id, .reply(reply)))
        }
        world.ask(.watchCameras)
        world.pass(until: { $0.daemon.state("connection") == "connected" })
        world.pass(.seconds(30))
        world.ask(.disconnect)
        world.pass(.seconds(5))
        #expect(try expectSame(world) > 500)
    }

    @Test func `the files of a run replay together, and each is readable by itself`() throws {
        var world = World.recorded(
            Self.configuration(.jpeg),
            options: try Self.options(saving: .host),
            partSize: 2_000
        )
        let isOver = world.fire(Self.three)
        #expect(isOver)
        let files = try #require(world.log.runs.last)
        #expect(files.count > 3)
        for (part, file) in files.enumerated() { #expect(try FlightReader(file).header.part == part) }
        try expectSame(world)
    }

    // MARK: Data that is left out

    private static func network(_ segment: Int?) -> World.Network {
        World.Network(latency: .milliseconds(5), segment: segment)
    }

    @Test(arguments: [nil, 1448, 13]) func `no byte of a picture is in the file`(segment: Int?) throws {
        var options = try Self.options(["drop@2:save,back=1"], saving: .host)
        options.pictureSize = 20_000
        var world = World.recorded(Self.configuration(.jpeg), options: options, network: Self.network(segment))
        world.fire(Self.three)
        try expectNoPicture(in: world, segment: segment)
    }

    @Test(arguments: [nil, 1448, 13])
    func `no byte of a picture from the card of a Nikon body is in the file`(segment: Int?) throws {
        var options = try Self.options(["drop@2:save,back=1"], saving: .card)
        options.pictureSize = 20_000
        let camera = SimulatedCamera(model: try #require(NikonModel.all.first), options: options)
        var world = World.recorded(Self.configuration(.jpeg), camera, network: Self.network(segment))
        world.fire(Self.three)
        try expectNoPicture(in: world, segment: segment)
    }

    private func expectNoPicture(in world: World, segment: Int?) throws {
        let log = try world.log
        // The pieces of eight bytes of the pictures, without uniform bytes and without text. The camera's name and the
        // time also occur in other inputs.
        var pieces: Set<[UInt8]> = []
        var byteCount = 0
        for picture in log.pictures {
            let bytes = Array(picture.readableBytesView)
            byteCount += bytes.count
            for start in stride(from: 0, through: bytes.count - 8, by: 8) {
                let piece = Array(bytes[start..<start + 8])
                let isText = piece.allSatisfy { $0 == 0 || (0x20..<0x7F).contains($0) }
                if Set(piece).count > 3, !isText { pieces.insert(piece) }
            }
        }
        #expect(byteCount > 50_000)
        #expect(pieces.count > 20)
        let files = try #require(log.runs.last)
        for file in files {
            let bytes = Array(file.readableBytesView)
            for start in 0..<max(0, bytes.count - 8) where pieces.contains(Array(bytes[start..<start + 8])) {
                Issue.record("\(bytes[start..<start + 8]) of a picture stand at \(start)")
            }
        }
        if segment != 13 { #expect(files.reduce(0) { $0 + $1.readableBytes } < byteCount / 2) }
        try expectSame(world)
    }

    @Test func `our identity for cameras is not in the file`() throws {
        var world = World.recorded(Self.configuration())
        world.fire(Self.three)
        let file = Array(try #require(world.log.runs.last?.first).readableBytesView)
        let guid = Self.identity.guid
        let places = (0..<file.count - 16).filter { Array(file[$0..<$0 + 16]) == guid }
        #expect(places.isEmpty)
    }

    // MARK: Differences

    private func recording() throws -> [ByteBuffer] {
        var world = World.recorded(Self.configuration())
        let isOver = world.fire(Self.three)
        #expect(isOver)
        return try #require(world.log.runs.last)
    }

    @Test func `a missing input is noticed`() throws {
        let files = try recording()
        let whole = try replay(files)
        var isDropped = false
        let result = try replay(files) { record in
            guard !isDropped, record.number > whole.records / 2 else { return }
            if case .input(.link(_, .received)) = record.content {
                record.content = .input(.deadline)
                isDropped = true
            }
        }
        let difference = try #require(result.difference)
        #expect(difference.number > whole.records / 2)
        #expect(!difference.sentence.isEmpty)
    }

    @Test func `a changed byte of the camera is noticed`() throws {
        let files = try recording()
        var isChanged = false
        let result = try replay(files) { record in
            guard !isChanged, case .input(.link(let generation, .received(let channel, var bytes))) = record.content,
                bytes.readableBytes > 1000
            else { return }
            // The changed byte is in the length of a packet.
            bytes.setInteger(UInt8(0xEE), at: bytes.readerIndex + 3)
            record.content = .input(.link(generation, .received(channel, bytes)))
            isChanged = true
        }
        #expect(isChanged)
        #expect(result.difference != nil)
    }

    @Test func `another configuration is noticed`() throws {
        var other = Self.configuration()
        other.ledger = .off
        let difference = try #require(try replay(recording(), configuration: other).difference)
        #expect(difference.number < 5)
        guard case .transitions(let came) = difference.kind else {
            Issue.record("\(difference)")
            return
        }
        #expect(came != difference.recorded)
    }

    @Test func `another version and other charts give warnings`() throws {
        let configuration = Self.configuration()
        var header = FlightHeader(
            version: Version.current,
            configuration: configuration,
            charts: Core.chartDigests,
            began: 0,
            clock: .zero
        )
        #expect(FlightReplay(header).warnings.isEmpty)
        header.version = "0.0.9"
        header.charts["shooting"] = "00"
        let warnings = FlightReplay(header).warnings
        #expect(warnings.count == 2)
        #expect(warnings.first?.contains("0.0.9") == true)
        #expect(warnings.last?.contains("shooting") == true)
    }

    @Test func `a message that was not sent, and a missing input, are differences`() throws {
        let header = FlightHeader(
            version: Version.current,
            configuration: Self.configuration(),
            charts: [:],
            began: 0,
            clock: .zero
        )
        for (content, kind) in [
            (FlightRecord.Content.message, FlightDifference.Kind.noMessage), (.omitted, .omitted),
        ] {
            var replay = FlightReplay(header)
            let record = FlightRecord(number: 1, time: .zero, content: content, transitions: [])
            guard case .failure(let difference) = replay.take(record) else {
                Issue.record("\(content) was taken")
                continue
            }
            #expect(difference.kind == kind)
        }
    }

    // MARK: Sizes

    @Test func `an hour of an idle camera takes some kilobytes, and so does a shoot`() throws {
        var world = World.recorded(Self.configuration())
        world.pass(until: { $0.daemon.state("connection") == "connected" })
        world.pass(.seconds(60))
        let before = try world.log.runs.last?.reduce(0) { $0 + $1.readableBytes } ?? 0
        world.pass(.seconds(600))
        let idle = (try world.log.runs.last?.reduce(0) { $0 + $1.readableBytes } ?? 0) - before
        #expect(idle * 6 < 100_000, "\(idle * 6) bytes in an hour")
        let id = world.ask(.shoot(PlanInput(), streams: true))
        world.pass { $0.daemon.progress(of: id).last?.outcome != nil }
        let shoot = (try world.log.runs.last?.reduce(0) { $0 + $1.readableBytes } ?? 0) - before - idle
        #expect(shoot < 100_000, "\(shoot) bytes of a shoot")
    }
}
