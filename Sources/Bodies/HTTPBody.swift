import Cameras
import Exposure
import NIOCore
import PTP

/// The part of a maker's body that handles HTTP requests. ``HTTPBody`` connects it to connections.
package protocol HTTPMakerBody: BodyControls {
    /// The ports of the body. Discovery uses the first port.
    static var ports: [BodyPort] { get }
    /// The meaning of a request; see ``SimulatedBody/meaning(of:)``.
    static func meaning(of request: ServedRequest) -> DriverSignal?

    /// Whether an initiator has an open session.
    var isSessionOpen: Bool { get }
    /// The outputs that ``HTTPBody`` has not delivered yet, in order.
    var outputs: [HTTPMakerOutput] { get set }

    /// Handles a request. The answer is ``HTTPMakerOutput/reply(_:_:)``, now or later. A fault of the link can prevent
    /// the answer.
    mutating func answer(_ request: ServedRequest, on id: ConnectionID, at now: Duration)
    /// Handles a closed connection, on which the body answers no more requests.
    mutating func gone(_ id: ConnectionID, at now: Duration)

    /// When `advance` must be called next; nil: not before the next input.
    var nextDeadline: Duration? { get }
    mutating func advance(to now: Duration)
    /// Ends all faults; see ``SimulatedBody/clearFaults(mode:at:into:)``.
    mutating func clearFaults(mode: DialMode, at now: Duration)
}

/// An output of a body with HTTP.
package enum HTTPMakerOutput: Equatable, Sendable {
    /// The answer to the request on this connection. The connection is closed after the answer.
    case reply(ConnectionID, HTTPReply)
    /// A fault of the link is due. See ``BodyOutput``.
    case link(BodyLinkFault)
    case exposed(CardFrame)
    case fact(BodyFact)
    case log(String)
}

/// A body with HTTP/1.1: it reads one request on each connection and passes the request to a maker's body.
package struct HTTPBody<Maker: HTTPMakerBody>: FrontedBody {
    package var maker: Maker
    /// The received bytes of each connection; nil: the request is complete.
    private var requests: [(id: ConnectionID, bytes: ByteBuffer?)] = []
    private var closing: [ConnectionID] = []

    package static var ports: [BodyPort] { Maker.ports }

    package init(_ maker: Maker) { self.maker = maker }

    // MARK: Connections

    package mutating func accepted(_ id: ConnectionID, on port: UInt16, at now: Duration) {
        requests.append((id, ByteBuffer()))
    }

    package mutating func received(_ id: ConnectionID, _ bytes: ByteBuffer, at now: Duration) {
        guard let index = index(of: id), var whole = requests[index].bytes else { return }
        whole.writeImmutableBuffer(bytes)
        requests[index].bytes = whole
        switch ServedRequest.read(whole) {
        case .incomplete: break
        case .unreadable:
            requests[index].bytes = nil
            maker.outputs.append(.reply(id, HTTPReply(status: 400)))
        case .complete(let request):
            requests[index].bytes = nil
            maker.outputs.append(.log("\(request.method) \(request.path)"))
            maker.answer(request, on: id, at: now)
        }
    }

    package mutating func missed(_ id: ConnectionID, _ bytes: ByteBuffer) {
        // The body cannot read the rest of a request after a part of it is lost.
        if let index = index(of: id) { requests[index].bytes = nil }
    }

    package mutating func written(_ id: ConnectionID, _ count: Int) {}

    package mutating func closed(_ id: ConnectionID, at now: Duration) {
        guard let index = index(of: id) else { return }
        requests.remove(at: index)
        maker.gone(id, at: now)
    }

    package mutating func disconnect(at now: Duration) {
        for request in requests { maker.gone(request.id, at: now) }
        closing += requests.map(\.id)
        requests.removeAll()
    }

    package var connectionCount: Int { requests.count }

    package var isSessionOpen: Bool { maker.isSessionOpen }

    private func index(of id: ConnectionID) -> Int? { requests.firstIndex { $0.id == id } }

    // MARK: Time

    package var nextDeadline: Duration? { maker.nextDeadline }

    package mutating func advance(to now: Duration) { maker.advance(to: now) }

    package mutating func work(at now: Duration, into outputs: inout [BodyOutput]) -> Bool {
        if !closing.isEmpty {
            outputs += closing.map(BodyOutput.close)
            closing.removeAll()
            return true
        }
        guard !maker.outputs.isEmpty else { return false }
        switch maker.outputs.removeFirst() {
        case .reply(let id, let reply):
            guard let index = index(of: id) else { break }
            requests.remove(at: index)
            outputs += [.send(id, reply.encoded), .close(id)]
        case .link(let fault): outputs.append(.link(fault))
        case .exposed(let frame): outputs.append(.exposed(frame))
        case .fact(let fact): outputs.append(.fact(fact))
        case .log(let line): outputs.append(.log(line))
        }
        return true
    }

    // MARK: End of faults, loss of power

    package mutating func clearFaults(mode: DialMode, at now: Duration, into outputs: inout [BodyOutput]) -> Bool {
        maker.clearFaults(mode: mode, at: now)
        return false
    }

    package mutating func losePower(at now: Duration) {
        maker.losePower(at: now)
        requests.removeAll()
        maker.outputs.removeAll()
        closing.removeAll()
    }

    // MARK: Meaning of bytes for the rules

    package static func meaning(of bytes: ByteBuffer) -> DriverSignal? {
        if case .complete(let request) = ServedRequest.read(bytes) { Maker.meaning(of: request) } else { nil }
    }
}
