import Bodies
import Cameras
import Exposure
import NIOCore
import PTP

/// Fuzzes the driver of Sony bodies with a simulated body. Packets are damaged in transit, and datasets are replaced.
///
/// The first byte selects the body. The rest is a script of steps, each a byte with its arguments.
func fuzzSonyDriver(_ bytes: [UInt8]) {
    var fixture = FuzzDriverFixture(bytes, BodyMaker.sony.models)
    fixture.run()
}

/// Fuzzes the driver of Canon bodies in the same way. The datasets are mostly event lists.
func fuzzCanonDriver(_ bytes: [UInt8]) {
    var fixture = FuzzDriverFixture(bytes, BodyMaker.canon.models)
    fixture.run()
}

/// Fuzzes the driver of Nikon bodies in the same way. The datasets are mostly event lists and descriptions.
func fuzzNikonDriver(_ bytes: [UInt8]) {
    var fixture = FuzzDriverFixture(bytes, BodyMaker.nikon.models)
    fixture.run()
}

private struct FuzzDriverFixture {
    private enum Spoiling {
        case flip(at: Int, with: UInt8)
        case cut(after: Int)
        case replace([UInt8])
        /// Replaces the data of the next answer. The packets around the data stay valid.
        case data([UInt8])
    }

    private var script: FuzzBytes
    private var driver = PTPIP(identity: InitiatorIdentity(guid: Array(1...16), name: "bracketd"))
    private var camera: SimulatedCamera
    private var now = Duration.seconds(100)
    private var ticket: UInt32 = 0
    private var connections: [LinkID: ConnectionID] = [:]
    private var lastConnection = 0
    private var spoiling: [Spoiling] = []
    /// The replacement for the data of an answer in progress.
    private var replacing: [UInt8]?
    private var decoders: [ConnectionID: PacketDecoder] = [:]

    private static let stepsMax = 120
    private static let turnsMax = 2_000
    private static let address = CameraAddress(host: "192.168.122.1")

    init(_ bytes: [UInt8], _ models: [BodyModel]) {
        script = FuzzBytes(bytes)
        var options = BodyOptions()
        options.latency = .milliseconds(2)
        camera = models[Int(script.byte()) % models.count].camera(options)
    }

    mutating func run() {
        perform(.connect(Self.address))
        for _ in 0..<Self.stepsMax where !script.isEmpty { step() }
        spoiling = []
        perform(.disconnect)
        // In every state of the body, the orderly end has a time limit.
        let end = now + .seconds(60)
        while !connections.isEmpty, let next = nextDeadline, next <= end { advance(to: next) }
        expect(connections.isEmpty, "the end leaves connections open")
    }

    private mutating func step() {
        switch script.byte() % 8 {
        case 0, 1, 2: letTimePass()
        case 3: perform(script.command(to: Self.address, by: .ptpip))
        case 4: spoiling.append(.flip(at: Int(script.byte()), with: script.byte()))
        case 5: spoiling.append(.cut(after: Int(script.byte())))
        case 6: spoiling.append(.replace(Array(script.piece())))
        default: spoiling.append(.data(Array(script.piece())))
        }
        if spoiling.count > 8 { spoiling.removeFirst() }
    }

    // MARK: Time

    private var nextDeadline: Duration? { [driver.nextDeadline, camera.nextDeadline].compactMap(\.self).min() }

    private mutating func letTimePass() {
        let end = now + .milliseconds(Int(script.byte()) * 16)
        var turns = 0
        while let next = nextDeadline, next <= end {
            turns += 1
            expect(turns < Self.turnsMax, "time does not get on")
            advance(to: next)
        }
        now = end
    }

    private mutating func advance(to time: Duration) {
        now = max(now, time)
        var wants: [BodyAction] = []
        camera.advance(to: now, into: &wants)
        carry(wants)
        var actions: [CameraAction] = []
        driver.advance(to: now, into: &actions)
        perform(actions)
    }

    // MARK: Actions of the driver

    private mutating func perform(_ command: CameraCommand) {
        if case .connect = command, !connections.isEmpty { return }
        ticket += 1
        var actions: [CameraAction] = []
        driver.perform(command, ticket: Ticket(rawValue: ticket), at: now, into: &actions)
        perform(actions)
    }

    private mutating func tell(_ event: LinkEvent) {
        var actions: [CameraAction] = []
        driver.receive(event, at: now, into: &actions)
        perform(actions)
    }

    private mutating func perform(_ actions: [CameraAction]) {
        for action in actions {
            var wants: [BodyAction] = []
            switch action {
            case .open(let channel, _, _):
                expect(connections[channel] == nil, "the \(channel) connection is opened twice")
                guard camera.acceptsConnection(at: now) else {
                    tell(.openFailed(channel, reason: "refused", cause: .refused))
                    continue
                }
                lastConnection += 1
                let id = ConnectionID(rawValue: lastConnection)
                connections[channel] = id
                camera.accepted(id, at: now, into: &wants)
                tell(.opened(channel))
            case .send(let channel, let bytes):
                guard let id = connections[channel] else { continue }
                camera.received(id, bytes, at: now, into: &wants)
            case .close(let channel):
                guard let id = connections.removeValue(forKey: channel) else { continue }
                camera.closed(id, at: now, into: &wants)
            case .http, .report, .picture, .note: break
            }
            carry(wants)
        }
    }

    // MARK: Actions of the body

    private mutating func carry(_ wants: [BodyAction]) {
        for want in wants {
            switch want {
            case .send(let id, let bytes): deliver(bytes, from: id)
            case .close(let id), .abort(let id):
                guard let channel = channel(of: id) else { continue }
                connections[channel] = nil
                tell(.closed(channel, reason: nil))
            case .refuseConnections, .leave, .exposed, .fact, .log: break
            }
        }
    }

    private func channel(of id: ConnectionID) -> LinkID? { connections.first { $0.value == id }?.key }

    private mutating func deliver(_ bytes: ByteBuffer, from id: ConnectionID) {
        decoders[id, default: PacketDecoder()].append(bytes)
        while let element = try? decoders[id]?.next() {
            guard case .packet(let packet) = element, let spoilt = spoilt(packet) else { continue }
            guard let channel = channel(of: id), spoilt.readableBytes > 0 else { return }
            tell(.received(channel, spoilt))
        }
    }

    /// The packet after the damage; nil: the packet is lost.
    private mutating func spoilt(_ packet: PTPIPPacket) -> ByteBuffer? {
        if let data = replacing {
            guard case .operationResponse(let response) = packet else { return nil }
            replacing = nil
            return Self.framed(data, before: response)
        }
        guard let next = spoiling.first else { return packet.encoded() }
        if case .data(let data) = next {
            guard case .startData = packet else { return packet.encoded() }
            replacing = data
            spoiling.removeFirst()
            return nil
        }
        spoiling.removeFirst()
        var changed = Array(packet.encoded().readableBytesView)
        switch next {
        case .flip(let place, let mask): if place < changed.count { changed[place] ^= mask }
        case .cut(let length): changed = Array(changed.prefix(length))
        case .replace(let other): changed = other
        case .data: break
        }
        return ByteBuffer(bytes: changed)
    }

    private static func framed(_ data: [UInt8], before response: OperationResponse) -> ByteBuffer {
        let transaction = response.transaction
        var framed = ByteBuffer()
        PTPIPPacket.startData(transaction: transaction, totalLength: UInt64(data.count)).encode(into: &framed)
        PTPIPPacket.endData(transaction: transaction, payload: ByteBuffer(bytes: data)).encode(into: &framed)
        PTPIPPacket.operationResponse(response).encode(into: &framed)
        return framed
    }
}

extension FuzzBytes {
    /// A command of the core to a driver.
    mutating func command(to address: CameraAddress, by cameraProtocol: CameraProtocol) -> CameraCommand {
        let kind = byte()
        let speed = ShutterSpeed.all[Int(byte()) % ShutterSpeed.all.count]
        switch kind % (cameraProtocol == .ptpip ? 12 : 15) {
        case 0: return .connect(address, by: cameraProtocol)
        case 1: return .readStatus
        case 2, 3: return .setSpeed(speed)
        case 4: return .readSpeed
        case 5, 6: return .capture(speed)
        case 7: return .awaitIdle
        case 8: return .resolveCapture(shotsLeftBefore: Int(byte()))
        case 9:
            let property = CameraProperty.allCases[Int(byte()) % CameraProperty.allCases.count]
            return .setProperty(property, String(decoding: take(8), as: UTF8.self))
        case 10: return .keepPictures(PictureRequest(policy: .both))
        case 12: return .files(.list(since: nil, limit: Int(byte()) + 1))
        case 13: return .files(.get(["image:content?contentId=\(byte())"]))
        case 14: return .files(byte() % 2 == 0 ? .listSelected : .getSelected)
        default: return .abandon
        }
    }
}
