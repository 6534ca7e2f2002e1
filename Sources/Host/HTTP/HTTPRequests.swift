import Cameras
import Controller
import NIOCore

/// Performs HTTP requests, each over a separate connection. The servers are not trusted.
///
/// Each request ends within its time limit, with exactly one last event. A cancelled request has no further event.
/// Requests of different generations do not wait for each other.
final class HTTPRequests {
    private struct Key: Hashable {
        let generation: LinkGeneration
        let id: HTTPRequestID
    }

    /// Reports the events of a request. The receiver calls `whenTaken` after it has handled a piece of a body. Until
    /// then nothing more is read from that connection.
    typealias Report = (LinkGeneration, HTTPRequestID, HTTPEvent, _ whenTaken: (() -> Void)?) -> Void

    private let eventLoop: any EventLoop
    private let limits: CameraLinks.Limits
    private let onOpened: (CameraAddress, IPAddress) -> Void
    private let onEvent: Report
    private var exchanges: [Key: HTTPExchange] = [:]
    /// The requests that have not started, in order of arrival.
    private var waiting: [Key] = []
    private var isHeld = false

    /// - Parameters:
    ///   - limits: the kernel's limits for connections on which nothing arrives.
    ///   - onOpened: called before the first event of a session's request, with the requested target (may be a host
    ///     name) and its address.
    ///   - onEvent: called on the loop, sometimes from within ``perform(_:_:of:)``.
    init(
        eventLoop: any EventLoop,
        limits: CameraLinks.Limits = CameraLinks.Limits(),
        onOpened: @escaping (CameraAddress, IPAddress) -> Void = { _, _ in },
        onEvent: @escaping Report
    ) {
        self.eventLoop = eventLoop
        self.limits = limits
        self.onOpened = onOpened
        self.onEvent = onEvent
    }

    func perform(_ action: HTTPAction, _ id: HTTPRequestID, of generation: LinkGeneration) {
        switch action {
        case .perform(let request): begin(request, Key(generation: generation, id: id))
        case .cancel: cancel(Key(generation: generation, id: id))
        }
    }

    private func begin(_ request: HTTPRequest, _ key: Key) {
        precondition(exchanges[key] == nil, "each request has its own number")
        guard waiting.count(where: { $0.generation == key.generation }) < HTTPRequest.waitingMax else {
            let count = HTTPRequest.openMax + HTTPRequest.waitingMax
            return onEvent(key.generation, key.id, .failed(.tooManyRequests(count)), nil)
        }
        let exchange = HTTPExchange(request, isHeld: isHeld, limits: limits, on: eventLoop) { [weak self] in
            self?.report($0, key)
        }
        exchanges[key] = exchange
        exchange.deadline = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(request.timeout)) {
            exchange.fail(.timedOut(request.timeout))
        }
        waiting.append(key)
        startNext(of: key.generation)
    }

    private func cancel(_ key: Key) {
        guard let exchange = exchanges.removeValue(forKey: key) else { return }
        waiting.removeAll { $0 == key }
        exchange.cancel()
        startNext(of: key.generation)
    }

    /// Pauses or resumes the reading of streamed bodies, also for later requests. During a pause the camera waits.
    func hold(_ isHeld: Bool) {
        self.isHeld = isHeld
        for exchange in exchanges.values { exchange.hold(isHeld) }
    }

    func closeAll() {
        waiting.removeAll()
        for exchange in exchanges.values { exchange.cancel() }
        exchanges.removeAll()
    }

    private func startNext(of generation: LinkGeneration) {
        let count = exchanges.keys.count { $0.generation == generation }
        var open = count - waiting.count { $0.generation == generation }
        while open < HTTPRequest.openMax, let index = waiting.firstIndex(where: { $0.generation == generation }) {
            exchanges[waiting.remove(at: index)]?.start()
            open += 1
        }
    }

    private func report(_ report: HTTPExchange.Report, _ key: Key) {
        switch report {
        case .opened(let address, let remote):
            // During discovery any device can claim to be a camera, so its address is not reported.
            if key.generation != .discovery { onOpened(address, remote) }
        case .event(let event, let whenTaken):
            guard event.isLast else { return onEvent(key.generation, key.id, event, whenTaken) }
            exchanges[key] = nil
            waiting.removeAll { $0 == key }
            onEvent(key.generation, key.id, event, nil)
            startNext(of: key.generation)
        }
    }
}
