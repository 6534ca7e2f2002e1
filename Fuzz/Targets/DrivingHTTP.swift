import Bodies
import Cameras
import Exposure
import JSON
import NIOCore
import PTP

/// Fuzzes the readers of replies of Sony's HTTP API: calls, events, settings and the list of the card. The first byte
/// is the number of the call.
func fuzzSonyHTTPReplies(_ bytes: [UInt8]) {
    var script = FuzzBytes(bytes)
    let id = Int(script.byte()) + 1
    let body = ByteBuffer(bytes: script.take(bytes.count))
    guard let answer = try? SonyHTTPAnswer.read(HTTPReply(status: 200, body: body), id: id),
        case .result(let values) = answer
    else { return }
    for value in values {
        expect((try? JSONValue(parsing: value.encoded())) == value, "JSON that cannot be written: \(value)")
    }
    read(values)
    for entry in values.first?.arrayValue ?? [] {
        guard let content = SonyHTTPContent(entry) else { continue }
        expect(!content.file.uri.isEmpty && (1...8).contains(content.file.kinds.count), "a picture without a file")
    }
}

/// Reads the values as an event, as a list of methods and as the result of each reader of a setting.
private func read(_ values: [JSONValue]) {
    var state = SonyHTTPState()
    state.adoptMethods(values, at: .zero)
    state.adopt(values, askedAt: .zero, isWhole: true, at: .zero)
    expect(state.urls.count <= 200 && state.remarks.count <= 16, "the event has no bound")
    expect(state.batteryPercent.map { (0...100).contains($0) } ?? true, "a charge beyond 100 %")
    expect(state.shotsLeft ?? 0 >= 0, "a negative number of pictures")
    for row in SonyHTTPPropertyRow.table {
        for method in row.readers + [.getSupported(row.setting)] {
            state.adopt(values, of: row.property, by: method, askedAt: .zero, at: .zero)
        }
        guard let value = state[row.property] else { continue }
        for choice in row.state(value, hasSetter: true).choices {
            guard let wanted = row.value(for: choice, in: value) else { fatalError("\(choice) is no choice") }
            expect(!row.parameters(wanted, in: value).isEmpty, "a setter without a value")
        }
    }
}

/// Fuzzes the drivers of Sony's HTTP bodies with a simulated body. Replies are damaged, replaced or lost.
///
/// The first byte selects the body; one is in its menu "Send to Smartphone", with the driver for that. The rest
/// is a script of steps, each a byte with its arguments.
func fuzzSonyHTTPDriver(_ bytes: [UInt8]) {
    var fixture = FuzzHTTPFixture(bytes)
    fixture.run()
}

private struct FuzzHTTPFixture {
    private enum Spoiling {
        case flip(at: Int, with: UInt8)
        case cut(after: Int)
        /// Replaces the body of a reply.
        case replace([UInt8])
        case status(UInt16)
        case fail(HTTPFailure)
    }

    private struct Exchange {
        var id: HTTPRequestID
        var connection: ConnectionID
        var request: HTTPRequest
        var deadline: Duration
        var head: HTTPHead?
        var body = ByteBuffer()
    }

    private var script: FuzzBytes
    private var driver: any Camera
    private var body: SonyHTTPBody
    private var now = Duration.seconds(100)
    private var ticket: UInt32 = 0
    private var exchanges: [Exchange] = []
    private var lastConnection = 0
    private var spoiling: [Spoiling] = []

    private static let stepsMax = 120
    private static let turnsMax = 5_000
    private static let openMax = 40
    private static let address = CameraAddress(host: "192.168.122.1", port: 8080)
    private let cameraProtocol: CameraProtocol

    init(_ bytes: [UInt8]) {
        script = FuzzBytes(bytes)
        let identity = InitiatorIdentity(guid: Array(1...16), name: "bracketd")
        let models = SonyHTTPModel.all
        let number = Int(script.byte()) % (models.count + 1)
        cameraProtocol = number < models.count ? .sonyHTTP : .sonyPush
        guard let driver = CameraDrivers.all.driver(for: cameraProtocol, identity) else {
            preconditionFailure("the table has a driver for this protocol")
        }
        self.driver = driver
        var options = BodyOptions()
        if cameraProtocol == .sonyPush { options.selectedPictures = 30 }
        body = SonyHTTPBody(model: models[number % models.count], options: options)
    }

    mutating func run() {
        perform(.connect(Self.address, by: cameraProtocol))
        for _ in 0..<Self.stepsMax where !script.isEmpty { step() }
        spoiling = []
        perform(.disconnect)
        // In every state of the body, the orderly end has a time limit.
        let end = now + .seconds(60)
        var turns = 0
        while !exchanges.isEmpty, let next = nextDeadline, next <= end, turns < Self.turnsMax {
            turns += 1
            advance(to: next)
        }
        expect(exchanges.isEmpty, "the end leaves requests open")
    }

    private mutating func step() {
        switch script.byte() % 9 {
        case 0, 1, 2: letTimePass()
        case 3: perform(script.command(to: Self.address, by: cameraProtocol))
        case 4: spoiling.append(.flip(at: Int(script.byte()), with: script.byte()))
        case 5: spoiling.append(.cut(after: Int(script.byte())))
        case 6: spoiling.append(.replace(Array(script.piece())))
        case 7: spoiling.append(.status(UInt16(script.byte()) * 2))
        default: spoiling.append(.fail(script.byte() % 2 == 0 ? .closed(isAnswered: true) : .broken(reason: "reset")))
        }
        if spoiling.count > 8 { spoiling.removeFirst() }
    }

    // MARK: Time

    private var nextDeadline: Duration? {
        ([driver.nextDeadline, body.nextDeadline] + exchanges.map(\.deadline)).compactMap(\.self).min()
    }

    private mutating func letTimePass() {
        let end = now + .milliseconds(Int(script.byte()) * 64)
        var turns = 0
        while let next = nextDeadline, next <= end {
            turns += 1
            expect(turns < Self.turnsMax, "time does not advance")
            advance(to: next)
        }
        now = end
    }

    private mutating func advance(to time: Duration) {
        now = max(now, time)
        body.advance(to: now)
        deliver()
        for exchange in exchanges where exchange.deadline <= now {
            finish(exchange, .failed(.timedOut(exchange.request.timeout)))
        }
        var actions: [CameraAction] = []
        driver.advance(to: now, into: &actions)
        perform(actions)
    }

    // MARK: Actions of the driver

    private mutating func perform(_ command: CameraCommand) {
        ticket += 1
        var actions: [CameraAction] = []
        driver.perform(command, ticket: Ticket(rawValue: ticket), at: now, into: &actions)
        perform(actions)
    }

    private mutating func perform(_ actions: [CameraAction]) {
        for action in actions {
            guard case .http(let id, let wanted) = action else { continue }
            switch wanted {
            case .cancel:
                guard let index = exchanges.firstIndex(where: { $0.id == id }) else { continue }
                body.gone(exchanges.remove(at: index).connection, at: now)
            case .perform(let request): begin(request, id)
            }
        }
        deliver()
    }

    private mutating func begin(_ request: HTTPRequest, _ id: HTTPRequestID) {
        expect(!exchanges.contains { $0.id == id }, "request \(id) is sent twice")
        expect(exchanges.count < Self.openMax, "\(exchanges.count) requests are open")
        expect(request.address.host == Self.address.host, "a request to \(request.address)")
        lastConnection += 1
        let connection = ConnectionID(rawValue: lastConnection)
        exchanges.append(
            Exchange(id: id, connection: connection, request: request, deadline: now + request.timeout)
        )
        let served = ServedRequest(
            method: request.method.rawValue,
            path: request.path,
            headers: request.headers + [HTTPHeader("Host", "\(request.address)")],
            body: request.body
        )
        body.answer(served, on: connection, at: now)
    }

    // MARK: Answers of the body

    private mutating func deliver() {
        var turns = 0
        while !body.outputs.isEmpty {
            turns += 1
            expect(turns < Self.turnsMax, "answers and requests do not end")
            switch body.outputs.removeFirst() {
            case .reply(let connection, let reply): end(connection, reply)
            case .begin(let connection, let head):
                if let index = index(of: connection) { exchanges[index].head = head }
            case .piece(let connection, let bytes):
                if let index = index(of: connection) { exchanges[index].body.writeImmutableBuffer(bytes) }
            case .end(let connection):
                guard let index = index(of: connection), let head = exchanges[index].head else { continue }
                end(connection, HTTPReply(head, body: exchanges[index].body))
            case .link, .exposed, .fact, .log: break
            }
        }
    }

    private func index(of connection: ConnectionID) -> Int? { exchanges.firstIndex { $0.connection == connection } }

    private mutating func end(_ connection: ConnectionID, _ reply: HTTPReply) {
        guard let index = index(of: connection) else { return }
        let exchange = exchanges[index]
        let event = spoilt(reply)
        guard case .reply(let changed) = event, exchange.request.delivery == HTTPRequest.Delivery.pieces else {
            return finish(exchange, event)
        }
        pass(.head(changed.head), of: exchange.id)
        pass(.body(changed.body), of: exchange.id)
        finish(exchange, .end)
    }

    private mutating func finish(_ exchange: Exchange, _ event: HTTPEvent) {
        guard let index = exchanges.firstIndex(where: { $0.connection == exchange.connection }) else { return }
        exchanges.remove(at: index)
        if case .failed = event { body.gone(exchange.connection, at: now) }
        var event = event
        if case .reply(let reply) = event, reply.body.readableBytes > exchange.request.replyBytesMax {
            event = .failed(.tooLong(byteCountMax: exchange.request.replyBytesMax))
        }
        pass(event, of: exchange.id)
    }

    private mutating func pass(_ event: HTTPEvent, of id: HTTPRequestID) {
        var actions: [CameraAction] = []
        driver.receive(event, of: id, at: now, into: &actions)
        perform(actions)
    }

    /// The reply after the damage.
    private mutating func spoilt(_ reply: HTTPReply) -> HTTPEvent {
        guard !spoiling.isEmpty else { return .reply(reply) }
        var changed = Array(reply.body.readableBytesView)
        var head = reply.head
        switch spoiling.removeFirst() {
        case .flip(let place, let mask): if place < changed.count { changed[place] ^= mask }
        case .cut(let length): changed = Array(changed.prefix(length))
        case .replace(let other): changed = other
        case .status(let status): head.status = status
        case .fail(let failure): return .failed(failure)
        }
        return .reply(HTTPReply(head, body: ByteBuffer(bytes: changed)))
    }
}
