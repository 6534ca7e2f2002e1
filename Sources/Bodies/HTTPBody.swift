import Cameras
import Exposure
import NIOCore
import PTP

/// The part of a maker's body that handles HTTP requests. ``HTTPBody`` connects it to connections.
package protocol HTTPMakerBody: BodyControls {
    /// The ports of all bodies of this type.
    static var ports: [BodyPort] { get }
    /// The ports of the body. Discovery uses the first port.
    var ports: [BodyPort] { get }
    /// The meaning of a request; see ``SimulatedBody/meaning(of:)``.
    static func meaning(of request: ServedRequest) -> DriverSignal?

    /// Whether an initiator has an open session.
    var isSessionOpen: Bool { get }
    /// The outputs that ``HTTPBody`` has not delivered yet, in order.
    var outputs: [HTTPMakerOutput] { get set }

    /// Handles a request. The answer is ``HTTPMakerOutput/reply(_:_:)`` or begins with
    /// ``HTTPMakerOutput/begin(_:_:)``, now or later. A fault of the link can prevent the answer.
    mutating func answer(_ request: ServedRequest, on id: ConnectionID, at now: Duration)
    /// Handles a closed connection, on which the body answers no more requests.
    mutating func gone(_ id: ConnectionID, at now: Duration)

    /// When `advance` must be called next; nil: not before the next input.
    var nextDeadline: Duration? { get }
    mutating func advance(to now: Duration)
    /// Ends all faults; see ``SimulatedBody/clearFaults(mode:at:into:)``.
    mutating func clearFaults(mode: DialMode, at now: Duration)
}

extension HTTPMakerBody {
    package var ports: [BodyPort] { Self.ports }
}

/// An output of a body with HTTP.
///
/// After an answer, the connection stays open for the next request. It ends if the request or the answer has the header
/// `Connection: close`.
package enum HTTPMakerOutput: Equatable, Sendable {
    /// The answer to the request on this connection.
    case reply(ConnectionID, HTTPReply)
    /// The head of an answer whose body follows in pieces. A body without Content-Length is sent in chunks.
    case begin(ConnectionID, HTTPHead)
    /// A piece of the body.
    case piece(ConnectionID, ByteBuffer)
    /// The answer in pieces is complete.
    case end(ConnectionID)
    /// A fault of the link is due. See ``BodyOutput``.
    case link(BodyLinkFault)
    case exposed(CardFrame)
    case fact(BodyFact)
    case log(String)
}

/// A body with HTTP/1.1: it reads the requests of each connection, one after the other, and passes them to a maker's
/// body.
package struct HTTPBody<Maker: HTTPMakerBody>: FrontedBody {
    private struct Connection: Sendable {
        enum State: Sendable {
            case reading
            /// The maker's body has a request. `closes`: whether the connection ends after the answer.
            case answering(closes: Bool)
            /// The head of an answer is sent.
            case sending(closes: Bool, isChunked: Bool)
            /// A part of a request is lost, so the body cannot read the rest.
            case lost
        }

        let id: ConnectionID
        /// The received bytes that the body has not read yet.
        var bytes = ByteBuffer()
        var state = State.reading
    }

    package var maker: Maker
    private var connections: [Connection] = []
    private var closing: [ConnectionID] = []

    package static var ports: [BodyPort] { Maker.ports }
    package var ports: [BodyPort] { maker.ports }

    package init(_ maker: Maker) { self.maker = maker }

    // MARK: Connections

    package mutating func accepted(_ id: ConnectionID, on port: UInt16, at now: Duration) {
        connections.append(Connection(id: id))
    }

    package mutating func received(_ id: ConnectionID, _ bytes: ByteBuffer, at now: Duration) {
        guard let index = index(of: id) else { return }
        if case .lost = connections[index].state { return }
        // A client sends at most one request before the answer to the previous one.
        if connections[index].bytes.readableBytes > ServedRequest.byteCountMax { return }
        connections[index].bytes.writeImmutableBuffer(bytes)
        read(index, at: now)
    }

    /// Reads the next request of a connection, unless another one is being answered.
    private mutating func read(_ index: Int, at now: Duration) {
        guard case .reading = connections[index].state else { return }
        let id = connections[index].id
        switch ServedRequest.take(from: &connections[index].bytes) {
        case .incomplete: break
        case .unreadable:
            connections[index].state = .answering(closes: true)
            maker.outputs.append(.reply(id, HTTPReply(status: 400)))
        case .complete(let request):
            let closes = request["Connection"]?.lowercased() == "close"
            connections[index].state = .answering(closes: closes)
            maker.outputs.append(.log("\(request.method) \(request.path)"))
            maker.answer(request, on: id, at: now)
        }
    }

    package mutating func missed(_ id: ConnectionID, _ bytes: ByteBuffer) {
        if let index = index(of: id) { connections[index].state = .lost }
    }

    package mutating func written(_ id: ConnectionID, _ count: Int) {}

    package mutating func closed(_ id: ConnectionID, at now: Duration) {
        guard let index = index(of: id) else { return }
        connections.remove(at: index)
        maker.gone(id, at: now)
    }

    package mutating func disconnect(at now: Duration) {
        let ids = connections.map(\.id)
        connections.removeAll()
        for id in ids { maker.gone(id, at: now) }
        closing += ids
    }

    package var connectionCount: Int { connections.count }

    package var isSessionOpen: Bool { maker.isSessionOpen }

    private func index(of id: ConnectionID) -> Int? { connections.firstIndex { $0.id == id } }

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
            let length = HTTPHeader("Content-Length", "\(reply.body.readableBytes)")
            guard var bytes = begin(reply.head, framing: length, isChunked: false, on: id) else { break }
            bytes.writeImmutableBuffer(reply.body)
            outputs.append(.send(id, bytes))
            end(id, at: now, into: &outputs)
        case .begin(let id, let head):
            let isChunked = head["Content-Length"] == nil
            let framing = isChunked ? HTTPHeader("Transfer-Encoding", "chunked") : nil
            let bytes = begin(head, framing: framing, isChunked: isChunked, on: id)
            if let bytes { outputs.append(.send(id, bytes)) }
        case .piece(let id, let bytes): send(bytes, on: id, into: &outputs)
        case .end(let id): end(id, at: now, into: &outputs)
        case .link(let fault): outputs.append(.link(fault))
        case .exposed(let frame): outputs.append(.exposed(frame))
        case .fact(let fact): outputs.append(.fact(fact))
        case .log(let line): outputs.append(.log(line))
        }
        return true
    }

    // MARK: Answers

    /// Begins an answer, and returns the bytes of its head; nil: no request waits for an answer.
    private mutating func begin(
        _ head: HTTPHead,
        framing: HTTPHeader?,
        isChunked: Bool,
        on id: ConnectionID
    ) -> ByteBuffer? {
        guard let index = index(of: id), case .answering(let wanted) = connections[index].state else { return nil }
        let closes = wanted || head["Connection"] == "close"
        connections[index].state = .sending(closes: closes, isChunked: isChunked)
        return head.encoded(framing: framing, closes: closes)
    }

    private func send(_ bytes: ByteBuffer, on id: ConnectionID, into outputs: inout [BodyOutput]) {
        guard bytes.readableBytes > 0, let index = index(of: id),
            case .sending(_, let isChunked) = connections[index].state
        else { return }
        outputs.append(.send(id, isChunked ? bytes.asChunk : bytes))
    }

    private mutating func end(_ id: ConnectionID, at now: Duration, into outputs: inout [BodyOutput]) {
        guard let index = index(of: id), case .sending(let closes, let isChunked) = connections[index].state else {
            return
        }
        if isChunked { outputs.append(.send(id, ByteBuffer(string: "0\r\n\r\n"))) }
        if closes {
            connections.remove(at: index)
            outputs.append(.close(id))
        } else {
            connections[index].state = .reading
            read(index, at: now)
        }
    }

    // MARK: End of faults, loss of power

    package mutating func clearFaults(mode: DialMode, at now: Duration, into outputs: inout [BodyOutput]) -> Bool {
        maker.clearFaults(mode: mode, at: now)
        return false
    }

    package mutating func losePower(at now: Duration) {
        maker.losePower(at: now)
        connections.removeAll()
        maker.outputs.removeAll()
        closing.removeAll()
    }

    // MARK: Meaning of bytes for the rules

    package static func meaning(of bytes: ByteBuffer) -> DriverSignal? {
        if case .complete(let request) = ServedRequest.read(bytes) { Maker.meaning(of: request) } else { nil }
    }
}

extension ByteBuffer {
    /// The bytes as one chunk (RFC 9112, 7.1).
    fileprivate var asChunk: ByteBuffer {
        var chunk = ByteBuffer(string: "\(String(readableBytes, radix: 16))\r\n")
        chunk.writeImmutableBuffer(self)
        chunk.writeString("\r\n")
        return chunk
    }
}
