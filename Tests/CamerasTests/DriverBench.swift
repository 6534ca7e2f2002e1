import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// A body that a test controls. It knows only its own side of the connection, and gets the time from the bench.
protocol BenchBody {
    init()
    var model: String { get }
    /// Whether the body no longer answers.
    var isMute: Bool { get }
    /// The time until which the body performs every request and answers none.
    var holdsAnswersUntil: Duration { get }
    var nextHappening: Duration? { get }
    /// The maker's name of an operation.
    static func name(of code: OperationCode) -> String
    mutating func answer(_ request: OperationRequest, _ data: ByteBuffer?, at now: Duration) -> ScriptedAnswer?
    /// Performs the actions that are due. Returns the events that the body sends.
    mutating func advance(to now: Duration) -> [PTPEvent]
}

/// An answer of a body.
struct ScriptedAnswer {
    var code = ResponseCode.ok
    var parameters: [UInt32] = []
    var data: ByteBuffer?
    /// The length in Start_Data; nil: the length of the data.
    var announced: UInt64?
    /// The number of the data's bytes after which the link breaks.
    var linkBreaksAfter: Int?
    var after: Duration = .milliseconds(2)
}

/// What a body does after a probe.
enum ProbeReaction {
    case answers, ignores, closes
}

/// An event that the driver reported.
struct BenchReport: Equatable {
    var at: Duration
    var event: CameraEvent
    var ticket: Ticket?
}

/// A request that the driver sent.
struct BenchRequest: Equatable {
    var at: Duration
    var request: OperationRequest
    var data: ByteBuffer?
}

/// The bench for Sony's part of the driver.
typealias DriverBench = Bench<ScriptedBody>

/// The driver, a scripted body and a network between them, in virtual time.
final class Bench<Body: BenchBody> {
    var driver: PTPIP
    var body: Body
    var now: Duration = .seconds(100)
    private(set) var reported: [BenchReport] = []
    private(set) var requests: [BenchRequest] = []
    private(set) var notes: [String] = []
    private(set) var pictures: [(id: PictureID, action: PictureAction)] = []
    private(set) var openChannels: [LinkID] = []
    private(set) var closedChannels: [LinkID] = []
    private(set) var sentOnEvent = ByteBuffer()
    /// For each channel, the next attempts to connect that fail, with their reasons.
    var openFailures: [LinkID: [String]] = [:]
    /// The body's answer to the Init request in place of an Ack; nil: an Ack.
    var initFail: InitFailReason?
    /// What the body does after a probe.
    var probeReaction = ProbeReaction.answers
    private(set) var probedAt: [Duration] = []
    /// The maximum size of the pieces in which the body's bytes arrive.
    var pieceSize = Int.max

    private var actions: [CameraAction] = []
    private var deliveries: [(at: Duration, event: LinkEvent)] = []
    private var decoder = PacketDecoder()
    private var pending: OperationRequest?
    private var pendingData = ByteBuffer()
    private var lastTicket = Ticket(rawValue: 0)

    static var address: CameraAddress { CameraAddress(host: "192.168.122.1") }

    init(_ change: (inout Body) -> Void = { _ in }) {
        let identity = InitiatorIdentity(guid: Array(1...16), name: "bracketd")
        driver = PTPIP(identity: identity)
        body = Body()
        change(&body)
    }

    // MARK: The functions for tests

    @discardableResult
    func perform(_ command: CameraCommand) -> Ticket {
        lastTicket.rawValue += 1
        driver.perform(command, ticket: lastTicket, at: now, into: &actions)
        performActions()
        return lastTicket
    }

    /// Connects, and then removes the events of the connection.
    func connect() {
        // The events of an earlier session would end the wait.
        forget()
        perform(.connect(Self.address))
        run(until: { $0.reported.contains { if case .status = $0.event { true } else { false } } })
        forget()
    }

    func forget() {
        reported.removeAll()
        requests.removeAll()
        notes.removeAll()
    }

    func receive(_ event: LinkEvent) {
        driver.receive(event, at: now, into: &actions)
        performActions()
    }

    /// Advances the time, event by event.
    func run(for time: Duration) {
        let end = now + time
        run(until: { _ in false }, atMost: time)
        now = max(now, end)
        driver.advance(to: now, into: &actions)
        performActions()
    }

    /// Advances the time until the condition holds, but not longer than `time`. So a driver that never ends does not
    /// block the test.
    func run(until condition: (Bench) -> Bool, atMost time: Duration = .seconds(300)) {
        let end = now + time
        for _ in 0..<200_000 {
            if condition(self) { return }
            let times = [deliveries.map(\.at).min(), body.nextHappening, driver.nextDeadline]
            guard let next = times.compactMap({ $0 }).min(), next <= end else { return }
            step(to: max(next, now))
        }
        Issue.record("the driver does not become idle")
    }

    /// Advances the time until the last event of the command, or until the time limit.
    func finish(_ ticket: Ticket, atMost time: Duration = .seconds(300)) -> [CameraEvent] {
        run(
            until: { bench in bench.events(ticket).contains { $0.isLastWord } || bench.reported.contains { $0.isLoss }
            },
            atMost: time
        )
        return events(ticket)
    }

    func events(_ ticket: Ticket) -> [CameraEvent] {
        reported.filter { $0.ticket == ticket }.map(\.event)
    }

    var losses: [LossReason] {
        reported.compactMap { if case .lost(let reason) = $0.event { reason } else { nil } }
    }

    /// The operations in their order, with the parameters that distinguish them.
    var operations: [String] {
        requests.map { request in
            var name = Body.name(of: request.request.code)
            if let parameter = request.request.parameters.first, parameter > 0 {
                name += " " + parameter.shortHexadecimal
            }
            if let data = request.data { name += " " + data.hex }
            return name
        }
    }

    // MARK: The network

    private func step(to time: Duration) {
        now = time
        for event in body.advance(to: now) {
            deliver(PTPIPPacket.event(event).encoded(), on: .event, after: .milliseconds(5))
        }
        if let index = deliveries.indices.filter({ deliveries[$0].at <= now }).min(by: {
            deliveries[$0].at < deliveries[$1].at
        }) {
            let delivery = deliveries.remove(at: index)
            driver.receive(delivery.event, at: now, into: &actions)
            return performActions()
        }
        driver.advance(to: now, into: &actions)
        performActions()
    }

    private func performActions() {
        let batch = actions
        actions.removeAll()
        for action in batch {
            switch action {
            case .open(let channel, let target, _):
                #expect(target == LinkTarget(Self.address, carriesPictures: channel == .command))
                open(channel)
            case .send(let channel, let bytes): send(bytes, on: channel)
            case .close(let channel):
                closedChannels.append(channel)
                openChannels.removeAll { $0 == channel }
                deliveries.removeAll { $0.event.link == channel }
            case .report(let event, let ticket): reported.append(BenchReport(at: now, event: event, ticket: ticket))
            case .picture(let id, let action): pictures.append((id, action))
            case .note(let line): notes.append(line)
            case .http: Issue.record("A driver for PTP/IP performs requests of HTTP.")
            }
        }
    }

    private func open(_ channel: LinkID) {
        if var failures = openFailures[channel], !failures.isEmpty {
            let reason = failures.removeFirst()
            openFailures[channel] = failures
            deliveries.append((now, .openFailed(channel, reason: reason)))
            return
        }
        if channel == .command {
            decoder = PacketDecoder()
            pending = nil
        }
        openChannels.append(channel)
        deliveries.append((now, .opened(channel)))
    }

    private func deliver(_ bytes: ByteBuffer, on channel: LinkID, after delay: Duration) {
        guard openChannels.contains(channel) else { return }
        var rest = bytes
        // Bytes that are sent later must not arrive earlier.
        let last = deliveries.filter { $0.event.link == channel }.map(\.at).max() ?? .zero
        let at = max(now + delay, last)
        while rest.readableBytes > 0, let piece = rest.readSlice(length: min(pieceSize, rest.readableBytes)) {
            deliveries.append((at, .received(channel, piece)))
        }
    }

    private func send(_ bytes: ByteBuffer, on channel: LinkID) {
        guard openChannels.contains(channel) else {
            Issue.record("bytes for a closed connection")
            return
        }
        if channel == .event {
            sentOnEvent.writeImmutableBuffer(bytes)
            if bytes == PTPIPPacket.probeRequest.encoded() { return receiveProbe() }
            if !body.isMute, bytes.getInteger(at: 4, endianness: .little, as: UInt32.self) == 3 {
                deliver(PTPIPPacket.initEventAck.encoded(), on: .event, after: .milliseconds(1))
            }
            return
        }
        decoder.append(bytes)
        do {
            while let element = try decoder.next() {
                if case .packet(let packet) = element { receive(packet) }
            }
        } catch {
            Issue.record("the driver sent bad bytes: \(error)")
        }
    }

    private func receiveProbe() {
        probedAt.append(now)
        switch probeReaction {
        case _ where body.isMute: break
        case .answers: deliver(PTPIPPacket.probeResponse.encoded(), on: .event, after: .milliseconds(1))
        case .ignores: break
        case .closes: deliveries.append((now + .milliseconds(1), .closed(.event, reason: nil)))
        }
    }

    private func receive(_ packet: PTPIPPacket) {
        switch packet {
        case .initCommandRequest where !body.isMute:
            guard let guid = GUID(bytes: [0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 2, 0, 0, 0, 0, 1]) else { return }
            let ack = PTPIPPacket.initCommandAck(InitCommandAck(connectionNumber: 9, guid: guid, name: body.model))
            deliver((initFail.map(PTPIPPacket.initFail) ?? ack).encoded(), on: .command, after: .milliseconds(1))
        case .operationRequest(let request):
            pending = request
            pendingData.clear()
            if request.dataPhase == .noneOrIn { performNow(request, nil) }
        case .data(_, let payload):
            pendingData.writeImmutableBuffer(payload)
        case .endData(_, let payload):
            pendingData.writeImmutableBuffer(payload)
            if let pending { performNow(pending, pendingData) }
        default:
            break
        }
    }

    private func performNow(_ request: OperationRequest, _ data: ByteBuffer?) {
        requests.append(BenchRequest(at: now, request: request, data: data))
        guard var answer = body.answer(request, data, at: now) else { return }
        answer.after = max(answer.after, body.holdsAnswersUntil - now)
        var bytes = ByteBuffer()
        let id = request.transaction
        if let data = answer.data {
            // Real Sony bodies send the data like this: Data, and then an empty End_Data.
            let announced = answer.announced ?? UInt64(data.readableBytes)
            PTPIPPacket.startData(transaction: id, totalLength: announced).encode(into: &bytes)
            if let limit = answer.linkBreaksAfter {
                PTPIPPacket.data(transaction: id, payload: data).encode(into: &bytes)
                let whole = bytes.getSlice(at: 0, length: bytes.readableBytes - data.readableBytes + limit) ?? bytes
                deliver(whole, on: .command, after: answer.after)
                let brokenAt = deliveries.map(\.at).max() ?? now
                return deliveries.append((brokenAt, .closed(.command, reason: "reset")))
            }
            if data.readableBytes > 0 { PTPIPPacket.data(transaction: id, payload: data).encode(into: &bytes) }
            PTPIPPacket.endData(transaction: id, payload: ByteBuffer()).encode(into: &bytes)
        }
        let response = OperationResponse(code: answer.code, transaction: id, parameters: answer.parameters)
        PTPIPPacket.operationResponse(response).encode(into: &bytes)
        deliver(bytes, on: .command, after: answer.after)
    }
}

extension DriverBench {
    /// A connected bench whose body shows a speed. Time has passed since, so the readings of the handshake are too old
    /// to count.
    static func showing(
        _ speed: ShutterSpeed,
        _ change: (inout ScriptedBody) -> Void = { _ in }
    ) -> DriverBench {
        let bench = DriverBench { body in
            body.set(.sonyShutterSpeed, SonyShutterSpeed(speed).value)
            change(&body)
        }
        bench.connect()
        bench.run(for: .milliseconds(300))
        bench.forget()
        return bench
    }

    var buttonMoves: [String] {
        requests.filter { $0.request.code == .sdioControlDevice }.map { request in
            let isHalf = request.request.parameters == [UInt32(SonyControl.halfPress.rawValue)]
            return (isHalf ? "half " : "full ") + (request.data == ByteBuffer(bytes: [2, 0]) ? "down" : "up")
        }
    }
}

extension BenchReport {
    var isLoss: Bool { if case .lost = event { true } else { false } }
}

extension CameraEvent {
    /// Whether no more events follow for the same command.
    var isLastWord: Bool {
        switch self {
        case .status, .refused, .speedAccepted, .idle, .captureResolved, .busy, .failed, .lost, .disconnected,
            .propertySet, .files, .liveView:
            true
        case .confirmationAwaited, .prepared, .speedRead, .shutterReleased, .captured, .saving, .properties: false
        }
    }
}

extension UInt32 {
    var shortHexadecimal: String { "0x" + String(self, radix: 16, uppercase: true) }
}

extension ShutterSpeed {
    /// The speed with this label.
    static func named(_ label: String) throws -> ShutterSpeed {
        try #require(all.first { $0.label == label })
    }
}
