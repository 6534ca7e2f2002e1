import Bodies
import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// An initiator and a network around a simulated camera, in virtual time.
final class VirtualInitiator {
    struct Reply: Equatable {
        var code: ResponseCode
        var parameters: [UInt32]
        var data: ByteBuffer
    }

    /// The model of a Sony body.
    let model: SonyModel
    var camera: SimulatedCamera
    var now = Duration.zero
    /// All events, each with its time.
    var events: [(time: Duration, event: PTPEvent)] = []
    var log: [String] = []
    var exposed: [CardFrame] = []
    var closed: [ConnectionID] = []
    var aborted: [ConnectionID] = []
    var refusedUntil: Duration?
    var departures: [Departure] = []
    /// The packets on connections that have no role yet: the answers of the handshake.
    var packets: [ConnectionID: [PTPIPPacket]] = [:]
    var command = ConnectionID(rawValue: 0)
    var event = ConnectionID(rawValue: 0)

    private var connectionsMade = 0
    private var decoders: [ConnectionID: PacketDecoder] = [:]
    private var transaction: UInt32 = 0

    init(
        _ faults: String...,
        model: SonyModel = .ilce7M4,
        latency: Duration = .zero,
        options change: (inout BodyOptions) -> Void = { _ in }
    ) throws {
        var options = BodyOptions()
        options.faults = try faults.map { try Fault(parsing: $0) }
        change(&options)
        self.model = model
        camera = SimulatedCamera(model: model, options: options, latency: latency)
    }

    /// An initiator for a camera of any maker.
    init(_ camera: SimulatedCamera) {
        model = .ilce7M4
        self.camera = camera
    }

    // MARK: Network

    /// Opens a connection. Returns nil if the body refuses it.
    func dial() -> ConnectionID? {
        guard camera.acceptsConnection(at: now) else { return nil }
        connectionsMade += 1
        let id = ConnectionID(rawValue: connectionsMade)
        decoders[id] = PacketDecoder()
        packets[id] = []
        step { camera, now, actions in camera.accepted(id, at: now, into: &actions) }
        return id
    }

    func send(_ packet: PTPIPPacket, on id: ConnectionID) { send(packet.encoded(), on: id) }

    func send(_ bytes: ByteBuffer, on id: ConnectionID) {
        step { camera, now, actions in camera.received(id, bytes, at: now, into: &actions) }
    }

    func hangUp(_ id: ConnectionID) {
        step { camera, now, actions in camera.closed(id, at: now, into: &actions) }
    }

    /// Removes the body from its network.
    func carryAway(_ departure: Departure) {
        step { camera, now, actions in camera.leave(departure, at: now, into: &actions) }
    }

    /// Advances the time. Each deadline is handled at its own time.
    func advance(_ duration: Duration) {
        let end = now + duration
        while let deadline = camera.nextDeadline, deadline <= end {
            now = max(now, deadline)
            step { camera, now, actions in camera.advance(to: now, into: &actions) }
        }
        now = end
    }

    private func step(_ body: (inout SimulatedCamera, Duration, inout [BodyAction]) -> Void) {
        var actions: [BodyAction] = []
        body(&camera, now, &actions)
        for action in actions { take(action) }
    }

    private func take(_ action: BodyAction) {
        switch action {
        case .send(let id, let bytes): receive(bytes, from: id)
        case .close(let id): closed.append(id)
        case .abort(let id): aborted.append(id)
        case .refuseConnections(let until): refusedUntil = until
        case .leave(let departure, let until):
            departures.append(departure)
            refusedUntil = until
        case .exposed(let frame): exposed.append(frame)
        case .fact: break
        case .log(let line): log.append(line)
        }
    }

    private func receive(_ bytes: ByteBuffer, from id: ConnectionID) {
        decoders[id]?.append(bytes)
        do {
            while let element = try decoders[id]?.next() {
                guard case .packet(let packet) = element else { continue }
                if case .event(let event) = packet { events.append((now, event)) }
                packets[id, default: []].append(packet)
            }
        } catch {
            Issue.record("the camera sent invalid bytes: \(error)")
        }
    }

    // MARK: Session

    static let guid = GUID(bytes: Array(1...16))

    /// Opens both connections, without a session. Returns false if the body refuses, or does not answer for a second.
    func handshake(answerTime: Duration = .seconds(1)) -> Bool {
        guard let guid = Self.guid, let command = dial() else { return false }
        send(.initCommandRequest(InitCommandRequest(guid: guid, name: "test")), on: command)
        wait(answerTime) { !$0.packets[command, default: []].isEmpty }
        guard case .initCommandAck(let ack) = packets[command]?.first, let event = dial() else { return false }
        send(.initEventRequest(connectionNumber: ack.connectionNumber), on: event)
        wait(answerTime) { !$0.packets[event, default: []].isEmpty }
        guard packets[event]?.first == .initEventAck else { return false }
        self.command = command
        self.event = event
        transaction = 0
        return true
    }

    /// Does everything up to the first full reading.
    func connect() throws {
        try #require(handshake())
        #expect(perform(.openSession, 1)?.code == .ok)
        for phase: UInt32 in [1, 2] { #expect(perform(.sdioConnect, phase, 0, 0)?.code == .ok) }
        #expect(perform(.sdioGetExtDeviceInfo, 0x012C)?.code == .ok)
        #expect(perform(.sdioConnect, 3, 0, 0)?.code == .ok)
    }

    /// Performs an operation and returns its answer. Returns nil if no answer arrives within a second.
    func perform(_ code: OperationCode, _ parameters: UInt32..., data: ByteBuffer? = nil) -> Reply? {
        let id = transaction
        transaction += 1
        packets[command] = []
        let request = OperationRequest(
            dataPhase: data == nil ? .noneOrIn : .out,
            code: code,
            transaction: id,
            parameters: parameters
        )
        send(.operationRequest(request), on: command)
        if let data {
            send(.startData(transaction: id, totalLength: UInt64(data.readableBytes)), on: command)
            send(.endData(transaction: id, payload: data), on: command)
        }
        wait(.seconds(1)) { $0.reply(to: id) != nil }
        return reply(to: id)
    }

    private func reply(to id: UInt32) -> Reply? {
        var data = ByteBuffer()
        for packet in packets[command, default: []] {
            switch packet {
            case .data(id, let payload), .endData(id, let payload): data.writeImmutableBuffer(payload)
            case .operationResponse(let response) where response.transaction == id:
                return Reply(code: response.code, parameters: response.parameters, data: data)
            default: break
            }
        }
        return nil
    }

    private func wait(_ answerTime: Duration, until isOver: (VirtualInitiator) -> Bool) {
        let end = now + answerTime
        while !isOver(self), let deadline = camera.nextDeadline, deadline <= end {
            advance(deadline - now)
        }
        if !isOver(self) { now = end }
    }

    // MARK: Sony

    func readAll() throws -> SonyPropertyDataset {
        let reply = try #require(perform(.sdioGetAllExtDevicePropInfo, 0))
        #expect(reply.code == .ok)
        let dataset = SonyPropertyDataset(decoding: reply.data, version: model.version)
        #expect(dataset.damage == nil)
        return dataset
    }

    func property(_ code: PropertyCode) throws -> SonyPropertyRecord {
        try #require(try readAll()[code])
    }

    func speed() throws -> SonyShutterSpeed {
        let value = try property(.sonyShutterSpeed).currentValue.integer
        return SonyShutterSpeed(rawValue: UInt32(try #require(value)))
    }

    func fileInfo() throws -> SonyShootingFileInfo {
        let value = try property(.sonyShootingFileInfo).currentValue.integer
        return SonyShootingFileInfo(rawValue: UInt16(try #require(value)))
    }

    func set(_ code: PropertyCode, _ value: PTPValue) -> ResponseCode? {
        perform(.sdioSetExtDevicePropValue, UInt32(code.rawValue), data: value.encoded())?.code
    }

    func setSpeed(_ text: String) throws -> ResponseCode? {
        set(.sonyShutterSpeed, SonyShutterSpeed(try ShutterSpeed(parsing: text)).value)
    }

    func control(_ control: SonyControl, _ button: SonyButton) -> ResponseCode? {
        perform(.sdioControlDevice, UInt32(control.rawValue), data: button.value.encoded())?.code
    }

    /// Moves a property of a version 2 body by this number of notches.
    func step(_ code: PropertyCode, _ notches: Int8) -> ResponseCode? {
        perform(.sdioControlDevice, UInt32(code.rawValue), data: PTPValue.int8(notches).encoded())?.code
    }

    /// Presses the button half, then fully, waits 200 ms, and releases it.
    ///
    /// - Returns: the answer to the full press.
    @discardableResult
    func press() -> ResponseCode? {
        _ = control(.halfPress, .pressed)
        let code = control(.fullPress, .pressed)
        advance(.milliseconds(200))
        _ = control(.fullPress, .released)
        _ = control(.halfPress, .released)
        return code
    }

    /// Sets a speed, waits until the body shows it, fires, waits for the picture and fetches it.
    func shoot(_ text: String) throws {
        #expect(try setSpeed(text) == .ok)
        advance(.milliseconds(300))
        let exposure = try ShutterSpeed(parsing: text).exposureTime
        press()
        advance(exposure * 2 + .seconds(2))
        _ = perform(.getObject, SonyObjectHandle.shotImage)
        advance(.milliseconds(50))
    }

    func fetch() -> Reply? { perform(.getObject, SonyObjectHandle.shotImage) }

    func count(_ code: EventCode) -> Int { events.count { $0.event.code == code } }
}
