import Cameras
import Exposure
import JSON
import NIOCore
import Testing

/// The driver and a scripted body with the Camera Remote API, in virtual time.
final class SonyHTTPBench {
    var driver = SonyHTTP()
    var body = SonyHTTPScriptedBody()
    var now: Duration = .seconds(100)
    private(set) var reported: [BenchReport] = []
    private(set) var requests: [HTTPRequest] = []
    private(set) var notes: [String] = []
    private(set) var pictures: [PictureAction] = []
    /// The requests that the driver started and that have not ended.
    private(set) var open: [HTTPRequestID: HTTPRequest] = [:]
    /// Whether the network drops every request.
    var isDead = false

    private var actions: [CameraAction] = []
    private var lastTicket = Ticket(rawValue: 0)

    static let address = CameraAddress(host: "192.168.122.1", port: 8080)

    init(_ change: (inout SonyHTTPScriptedBody) -> Void = { _ in }) { change(&body) }

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
        let ticket = perform(.connect(Self.address, by: .sonyHTTP, path: "/sony/camera"))
        run(until: { $0.events(ticket).contains { if case .status = $0 { true } else { false } } })
        forget()
    }

    func forget() {
        reported.removeAll()
        requests.removeAll()
        notes.removeAll()
    }

    func run(for time: Duration) {
        let end = now + time
        run(until: { _ in false }, atMost: time)
        now = max(now, end)
        driver.advance(to: now, into: &actions)
        performActions()
    }

    /// Advances the time until the condition holds, but not longer than `time`.
    func run(until condition: (SonyHTTPBench) -> Bool, atMost time: Duration = .seconds(300)) {
        let end = now + time
        for _ in 0..<200_000 {
            if condition(self) { return }
            guard let next = [body.nextTime, driver.nextDeadline, timeout].compactMap({ $0 }).min(), next <= end else {
                return
            }
            step(to: max(next, now))
        }
        Issue.record("the driver does not become idle")
    }

    /// Advances the time until the last event of the command, or until the time limit.
    func finish(_ command: CameraCommand, atMost time: Duration = .seconds(300)) -> [CameraEvent] {
        let ticket = perform(command)
        run(
            until: { bench in
                bench.events(ticket).contains { $0.isLastWord || $0.isReading } || !bench.losses.isEmpty
            },
            atMost: time
        )
        return events(ticket)
    }

    func events(_ ticket: Ticket) -> [CameraEvent] { reported.filter { $0.ticket == ticket }.map(\.event) }

    var losses: [LossReason] {
        reported.compactMap { if case .lost(let reason) = $0.event { reason } else { nil } }
    }

    /// The methods that the driver called, without polls.
    var calls: [String] {
        requests.compactMap { request in
            guard request.method == .post, let call = try? JSONValue(parsing: request.body.readableBytesView),
                let method = call["method"]?.stringValue, call["params"] != [true]
            else { return nil }
            return method
        }
    }

    var properties: [CameraProperty: PropertyState] {
        var all: [CameraProperty: PropertyState] = [:]
        for case .properties(let states) in reported.map(\.event) {
            for state in states { all[state.property] = state }
        }
        return all
    }

    // MARK: The network

    private var timeout: Duration? { deadlines.values.min() }
    private var deadlines: [HTTPRequestID: Duration] = [:]

    private func step(to time: Duration) {
        now = time
        for (id, event) in body.advance(to: now) { deliver(event, to: id) }
        for (id, at) in deadlines.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where at <= now {
            deliver(.failed(.timedOut(open[id]?.timeout ?? .zero)), to: id)
        }
        driver.advance(to: now, into: &actions)
        performActions()
    }

    private func deliver(_ event: HTTPEvent, to id: HTTPRequestID) {
        guard open[id] != nil, !isDead || event.isFailure else { return }
        if event.isLast { end(id) }
        driver.receive(event, of: id, at: now, into: &actions)
        performActions()
    }

    private func end(_ id: HTTPRequestID) {
        open[id] = nil
        deadlines[id] = nil
    }

    private func performActions() {
        let batch = actions
        actions.removeAll()
        for action in batch {
            switch action {
            case .http(let id, .perform(let request)):
                requests.append(request)
                open[id] = request
                deadlines[id] = now + request.timeout
                if !isDead { body.receive(request, id, at: now) }
            case .http(let id, .cancel):
                end(id)
                body.cancelled(id)
            case .report(let event, let ticket): reported.append(BenchReport(at: now, event: event, ticket: ticket))
            case .picture(_, let action): pictures.append(action)
            case .note(let line): notes.append(line)
            case .open, .send, .close: Issue.record("a driver for HTTP opens no links")
            }
        }
        if let overflow = driver.overflow { Issue.record("\(overflow.list): \(overflow.count)") }
    }
}

extension CameraEvent {
    fileprivate var isReading: Bool { if case .speedRead = self { true } else { false } }
}

extension HTTPEvent {
    fileprivate var isFailure: Bool { if case .failed = self { true } else { false } }
}
