import Cameras
import Controller
import NIOCore
import NIOHTTP1
import NIOPosix

/// Gets descriptions by HTTP, from machines that may do whatever they like.
///
/// Each ends once, within its time: by the file, by a reason, or, given up, by nothing.
final class DescriptionFetches {
    /// Connections at once; more wait, their time runs.
    static let openMax = 8
    /// Those that may wait; more fail at once.
    static let waitingMax = 32

    private let eventLoop: any EventLoop
    private let onOutcome: (FetchID, FetchOutcome) -> Void
    private var fetches: [FetchID: DescriptionFetch] = [:]
    private var waiting: [FetchID] = []

    init(eventLoop: any EventLoop, onOutcome: @escaping (FetchID, FetchOutcome) -> Void) {
        self.eventLoop = eventLoop
        self.onOutcome = onOutcome
    }

    /// Begins to get a file; `onOutcome` tells, once and within `timeout`.
    func fetch(_ id: FetchID, _ url: DescriptionURL, byteCountMax: Int, timeout: Duration) {
        precondition(fetches[id] == nil, "a fetch has a number of its own")
        guard waiting.count < Self.waitingMax else {
            return onOutcome(id, .failed("\(Self.openMax + Self.waitingMax) descriptions are being fetched already"))
        }
        let fetch = DescriptionFetch(url, byteCountMax: byteCountMax, on: eventLoop) { [weak self] outcome in
            self?.end(id, outcome)
        }
        fetches[id] = fetch
        fetch.deadline = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(timeout)) {
            fetch.end(.failed("it did not come within \(timeout)"))
        }
        waiting.append(id)
        startNext()
    }

    /// Gives one up; nothing more is heard of it.
    func cancel(_ id: FetchID) {
        guard let fetch = fetches.removeValue(forKey: id) else { return }
        waiting.removeAll { $0 == id }
        fetch.cancel()
        startNext()
    }

    func closeAll() {
        waiting.removeAll()
        for fetch in fetches.values { fetch.cancel() }
        fetches.removeAll()
    }

    private func startNext() {
        while fetches.count - waiting.count < Self.openMax, !waiting.isEmpty {
            fetches[waiting.removeFirst()]?.start()
        }
    }

    private func end(_ id: FetchID, _ outcome: FetchOutcome) {
        fetches[id] = nil
        waiting.removeAll { $0 == id }
        onOutcome(id, outcome)
        startNext()
    }
}

/// One file.
final class DescriptionFetch {
    private enum State {
        case waiting
        /// The channel is there as soon as the system has a socket for it.
        case connecting((any Channel)?)
        case open(any Channel)
        case over
    }

    /// Far more than any camera sends.
    private static let headers = {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 4096
        limits.maxHeaderListSize = 16 * 1024
        limits.maxHeaderFieldCount = 64
        return limits
    }()

    private let url: DescriptionURL
    private let byteCountMax: Int
    private let eventLoop: any EventLoop
    private let onEnd: (FetchOutcome) -> Void
    private var state = State.waiting
    private var body = ByteBuffer()
    private var isAnswered = false
    var deadline: Scheduled<Void>?

    init(
        _ url: DescriptionURL,
        byteCountMax: Int,
        on eventLoop: any EventLoop,
        onEnd: @escaping (FetchOutcome) -> Void
    ) {
        self.url = url
        self.byteCountMax = byteCountMax
        self.eventLoop = eventLoop
        self.onEnd = onEnd
    }

    func start() {
        state = .connecting(nil)
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        guard let address = try? SocketAddress(packedIPAddress: ByteBuffer(bytes: url.host.bytes), port: Int(url.port))
        else { preconditionFailure("an address has 4 or 16 bytes") }
        ClientBootstrap(group: eventLoop)
            // Ours comes first, and closes the channel.
            .connectTimeout(.hours(1))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try bound.value.prepare(channel) }
            }
            .connect(to: address)
            .assumeIsolated()
            .whenComplete { result in
                switch result {
                case .success(let channel): self.opened(channel)
                case .failure(let error): self.end(.failed(Self.reason(of: error)))
                }
            }
    }

    /// Ends with an outcome, unless it ended before.
    func end(_ outcome: FetchOutcome) {
        if case .over = state { return }
        cancel()
        onEnd(outcome)
    }

    /// Ends without one.
    func cancel() {
        let last = state
        // First: the channel may tell of its end from within its closing.
        state = .over
        deadline?.cancel()
        switch last {
        case .connecting(let channel): channel?.close(promise: nil)
        case .open(let channel): channel.close(promise: nil)
        case .waiting, .over: break
        }
    }

    /// Puts what reads the answer into a channel that is about to connect.
    func prepare(_ channel: any Channel) throws {
        switch state {
        case .waiting, .connecting: state = .connecting(channel)
        case .open, .over: break
        }
        // Chunks of one byte take six; whoever sends more around them means no good.
        let wireBytesMax = 64 * 1024 + 8 * byteCountMax
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(WireLimitHandler(byteCountMax: wireBytesMax))
        try pipeline.addHTTPClientHandlers(decoderLimitConfiguration: Self.headers)
        try pipeline.addHandler(FetchHandler(fetch: self))
    }

    /// The channel stands: the request goes out.
    func opened(_ channel: any Channel) {
        guard case .connecting = state else { return channel.close(promise: nil) }
        state = .open(channel)
        let host = url.host.isIPv4 ? "\(url.host)" : "[\(url.host)]"
        let headers: HTTPHeaders = ["Host": "\(host):\(url.port)", "Connection": "close"]
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: url.path, headers: headers)
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }

    func received(_ part: HTTPClientResponsePart) {
        switch part {
        case .head(let head): answered(head)
        case .body(var bytes):
            guard body.readableBytes + bytes.readableBytes <= byteCountMax else { return endTooLong() }
            body.writeBuffer(&bytes)
        case .end: end(.body(body))
        }
    }

    private func answered(_ head: HTTPResponseHead) {
        isAnswered = true
        switch head.status.code {
        case 200: break
        case 300..<400: return end(.failed("it is elsewhere, which is not followed (status \(head.status.code))"))
        default: return end(.failed("the answer has status \(head.status.code)"))
        }
        if let length = head.headers.first(name: "Content-Length").flatMap(Int.init), length > byteCountMax {
            endTooLong()
        }
    }

    private func endTooLong() { end(.failed("it is longer than \(byteCountMax) bytes")) }

    func failed(_ error: any Error) { end(.failed(Self.reason(of: error))) }

    func closed() {
        end(
            .failed(
                isAnswered ? "the connection closed in the middle of it" : "the connection closed without an answer"
            )
        )
    }

    private static func reason(of error: any Error) -> String {
        switch error {
        case let error as IOError: "\(SystemError(code: error.errnoCode))"
        case HTTPParserError.invalidEOFState: "the connection closed in the middle of it"
        case HTTPParserError.headerOverflow: "the answer's headers are too long"
        case is HTTPParserError: "the answer is not HTTP"
        default: "\(error)"
        }
    }
}

/// Ends a connection by which more comes than any answer has: headers of no answer, signs between chunks.
private final class WireLimitHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    struct TooMuch: Error, CustomStringConvertible {
        var byteCountMax: Int
        var description: String { "more than \(byteCountMax) bytes came" }
    }

    private let byteCountMax: Int
    private var byteCount = 0

    init(byteCountMax: Int) {
        self.byteCountMax = byteCountMax
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        byteCount += unwrapInboundIn(data).readableBytes
        if byteCount <= byteCountMax {
            context.fireChannelRead(data)
        } else {
            context.fireErrorCaught(TooMuch(byteCountMax: byteCountMax))
        }
    }
}

/// Brings a channel's parts and its end to its fetch.
private final class FetchHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let fetch: DescriptionFetch

    init(fetch: DescriptionFetch) {
        self.fetch = fetch
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        fetch.received(unwrapInboundIn(data))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fetch.failed(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fetch.closed()
    }
}
