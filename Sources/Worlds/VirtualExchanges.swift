import Bodies
import Cameras
import Controller
import NIOCore

/// The daemon's HTTP requests in a world. Each request has a separate connection in the virtual network, with the same
/// delays and faults.
struct VirtualExchanges: Sendable {
    struct Key: Hashable, Sendable {
        var generation: LinkGeneration
        var id: HTTPRequestID
    }

    private struct Exchange: Sendable {
        var request: HTTPRequest
        var reader: HTTPReplyReader
    }

    private var exchanges: [Key: Exchange] = [:]
    private var deadlines = Schedule<Key>()

    var nextTime: Duration? { deadlines.nextTime }

    /// Starts a request. Returns the reason why it is not performed; nil: it is performed.
    mutating func begin(_ request: HTTPRequest, _ key: Key, at now: Duration) -> HTTPFailure? {
        let countMax = HTTPRequest.openMax + HTTPRequest.waitingMax
        let count = exchanges.keys.count { $0.generation == key.generation }
        guard count < countMax else { return .tooManyRequests(countMax) }
        exchanges[key] = Exchange(request: request, reader: HTTPReplyReader(request))
        deadlines.plan(key, at: now + request.timeout)
        return nil
    }

    /// Removes a request that has ended or was cancelled.
    mutating func remove(_ key: Key) {
        exchanges[key] = nil
        deadlines.cancel { $0 == key }
    }

    /// Removes all requests at the end of the process.
    mutating func removeAll() {
        exchanges.removeAll()
        deadlines.cancel { _ in true }
    }

    func request(_ key: Key) -> HTTPRequest? { exchanges[key]?.request }

    /// Converts an event on a request's connection to events for the daemon.
    mutating func receive(_ news: VirtualNetwork.LinkUpdate, of key: Key) -> [HTTPEvent] {
        guard var exchange = exchanges[key] else { return [] }
        let events: [HTTPEvent]
        switch news {
        case .opened: events = []
        case .openFailed(let reason, let cause): events = [.failed(.notConnected(cause, reason: reason))]
        case .received(let bytes): events = exchange.reader.receive(bytes)
        case .closed(let reason): events = exchange.reader.end(reason)
        }
        exchanges[key] = exchange
        return events
    }

    /// Removes and returns the next request that timed out.
    mutating func takeDue(by now: Duration) -> (Key, HTTPFailure)? {
        guard let (_, key) = deadlines.takeNext(dueBy: now), let exchange = exchanges.removeValue(forKey: key) else {
            return nil
        }
        return (key, .timedOut(exchange.request.timeout))
    }
}
