import Cameras
import NIOCore
import NIOHTTP1
import NIOPosix

/// One HTTP request and its reply over one connection.
final class HTTPExchange {
    enum Report {
        /// The requested address and the connected IP address.
        case opened(CameraAddress, remote: IPAddress)
        /// `whenTaken`: the receiver calls this after it has handled a piece of the body.
        case event(HTTPEvent, whenTaken: (() -> Void)? = nil)
    }

    private enum State {
        case waiting
        /// All channels that are being opened. A host name can have several addresses, and each address gets a channel.
        case connecting([any Channel])
        case open(any Channel)
        case over
    }

    /// The limits for the head of a reply, far above what any camera sends.
    private static let headLimits = {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 4096
        limits.maxHeaderListSize = 16 * 1024
        limits.maxHeaderFieldCount = 64
        return limits
    }()
    /// The maximum number of bytes in one read of a body that is delivered in pieces.
    private static let pieceBytesMax = 64 * 1024

    private let request: HTTPRequest
    private let limits: CameraLinks.Limits
    private let eventLoop: any EventLoop
    private let report: (Report) -> Void
    private var state = State.waiting
    private var head: HTTPHead?
    /// The body received so far, when the reply is delivered as a whole.
    private var body = ByteBuffer()
    private var bodyByteCount = 0
    private var isHeld: Bool
    /// The number of pieces that were reported and that the receiver has not handled yet.
    private var untakenCount = 0
    private var isWriting = false
    /// Whether a read of the channel is pending.
    private var isReading = false
    var deadline: Scheduled<Void>?

    /// - Parameter limits: The kernel's limits. They end a long poll whose camera is switched off.
    init(
        _ request: HTTPRequest,
        isHeld: Bool = false,
        limits: CameraLinks.Limits,
        on eventLoop: any EventLoop,
        report: @escaping (Report) -> Void
    ) {
        self.request = request
        self.limits = limits
        self.isHeld = isHeld
        self.eventLoop = eventLoop
        self.report = report
    }

    // MARK: The connection

    func start() {
        state = .connecting([])
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let bootstrap = ClientBootstrap(group: eventLoop)
            // NIO's limit is longer than our deadline, so that our deadline expires first and closes the channel.
            .connectTimeout(.hours(1))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .limited(by: limits)
            .channelOption(.autoRead, value: request.delivery == .whole)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.pieceBytesMax))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try bound.value.prepare(channel) }
            }
        connect(bootstrap).assumeIsolated().whenComplete { result in
            switch result {
            case .success(let channel): self.opened(channel)
            case .failure(let error):
                let reason = NetworkHostSentences.notOpened(self.request.address, reason: LinkFailure.reason(of: error))
                self.fail(.notConnected(LinkFailure.cause(of: error), reason: reason))
            }
        }
    }

    private func connect(_ bootstrap: ClientBootstrap) -> EventLoopFuture<any Channel> {
        let (host, port) = (request.address.host, Int(request.address.port))
        // An IP address needs no resolver. NIO resolves names on another thread.
        if let address = try? SocketAddress(ipAddress: host, port: port) { return bootstrap.connect(to: address) }
        return bootstrap.connect(host: host, port: port)
    }

    /// Adds the handlers for the reply to a channel that is about to connect.
    ///
    /// - Throws: `ChannelError.ioOnClosedChannel` when the request was cancelled.
    func prepare(_ channel: any Channel) throws {
        switch state {
        case .waiting: state = .connecting([channel])
        case .connecting(let others): state = .connecting(others + [channel])
        case .open, .over: throw ChannelError.ioOnClosedChannel
        }
        // A chunk with one byte of data takes six bytes. A server that sends more overhead is treated as hostile.
        let wireBytesMax = 64 * 1024 + 8 * request.replyBytesMax
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(WireLimitHandler(byteCountMax: wireBytesMax))
        try pipeline.addHTTPClientHandlers(decoderLimitConfiguration: Self.headLimits)
        try pipeline.addHandler(HTTPExchangeHandler(exchange: self))
    }

    func opened(_ channel: any Channel) {
        guard case .connecting = state else { return channel.close(promise: nil) }
        state = .open(channel)
        guard channel.isActive else { return closed() }
        if let remote = channel.remoteAddress?.ipAddress.flatMap({ IPAddress($0) }) {
            report(.opened(request.address, remote: remote))
        }
        write(to: channel)
        readOn()
    }

    private func write(to channel: any Channel) {
        var headers = HTTPHeaders(request.headers.map { ($0.name, $0.value) })
        headers.add(name: "Host", value: request.address.description)
        headers.add(name: "Connection", value: "close")
        let hasBody = request.body.readableBytes > 0
        if hasBody || request.method == .post || request.method == .put {
            headers.add(name: "Content-Length", value: "\(request.body.readableBytes)")
        }
        let method = HTTPMethod(rawValue: request.method.rawValue)
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: request.path, headers: headers)
        let parts: [HTTPClientRequestPart] = [.head(head)] + (hasBody ? [.body(.byteBuffer(request.body))] : [])
        isWriting = true
        for part in parts { channel.write(part, promise: nil) }
        isWriting = false
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }

    // MARK: The end

    func fail(_ failure: HTTPFailure) { end(.failed(failure)) }

    /// Ends the exchange with an event, unless the exchange has already ended.
    private func end(_ event: HTTPEvent) {
        if case .over = state { return }
        cancel()
        report(.event(event))
    }

    func cancel() {
        let last = state
        // The state changes first, because a channel can report its end while it closes.
        state = .over
        deadline?.cancel()
        switch last {
        case .connecting(let channels): for channel in channels { channel.close(promise: nil) }
        case .open(let channel): channel.close(promise: nil)
        case .waiting, .over: break
        }
    }

    // MARK: Flow

    func hold(_ isHeld: Bool) {
        self.isHeld = isHeld
        readOn()
    }

    /// Reads the next pieces of a body after the receiver has handled all earlier pieces.
    private func readOn() {
        guard request.delivery == .pieces, case .open(let channel) = state else { return }
        guard !isReading, untakenCount == 0, !(isHeld && request.isPicture) else { return }
        isReading = true
        channel.read()
    }

    fileprivate func didRead() {
        isReading = false
        readOn()
    }

    // MARK: The reply

    fileprivate func received(_ part: HTTPClientResponsePart) {
        if case .over = state { return }
        switch part {
        case .head(let head): received(head)
        case .body(let bytes): received(bytes)
        case .end:
            if request.delivery == .pieces { return end(.end) }
            guard let head else { preconditionFailure("a reply begins with its head") }
            end(.reply(HTTPReply(head, body: body)))
        }
    }

    private func received(_ head: HTTPResponseHead) {
        let own = HTTPHead(
            status: UInt16(clamping: head.status.code),
            headers: head.headers.map { HTTPHeader($0.name, $0.value) }
        )
        self.head = own
        let length = head.headers.first(name: "Content-Length").flatMap(Int.init) ?? 0
        guard length <= request.replyBytesMax else { return fail(.tooLong(byteCountMax: request.replyBytesMax)) }
        if request.delivery == .pieces { report(.event(.head(own))) }
    }

    private func received(_ bytes: ByteBuffer) {
        bodyByteCount += bytes.readableBytes
        guard bodyByteCount <= request.replyBytesMax else {
            return fail(.tooLong(byteCountMax: request.replyBytesMax))
        }
        switch request.delivery {
        case .whole: body.writeImmutableBuffer(bytes)
        case .pieces:
            untakenCount += 1
            report(
                .event(.body(bytes)) { [weak self] in
                    self?.untakenCount -= 1
                    self?.readOn()
                }
            )
        }
    }

    // A host name can have several addresses. Only the first open channel reports; other channels close silently.

    fileprivate func failed(_ error: any Error) {
        guard case .open = state else { return }
        // The codec rejects an invalid request before the first byte is sent.
        fail(isWriting ? .broken(reason: "\(error)") : Self.failure(of: error))
    }

    fileprivate func closed() {
        if case .open = state { fail(.closed(isAnswered: head != nil)) }
    }

    private static func failure(of error: any Error) -> HTTPFailure {
        switch error {
        case let error as IOError: .broken(reason: LinkFailure.reason(of: error))
        case HTTPParserError.invalidEOFState: .closed(isAnswered: true)
        case HTTPParserError.headerOverflow: .headersTooLong
        case is HTTPParserError: .notHTTP
        case let error as WireLimitHandler.LimitExceeded: .tooManyBytes(error.byteCountMax)
        default: .broken(reason: "\(error)")
        }
    }
}

/// Closes a connection that delivers more bytes than any valid reply, such as endless heads or chunk overhead.
private final class WireLimitHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    struct LimitExceeded: Error {
        var byteCountMax: Int
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
            context.fireErrorCaught(LimitExceeded(byteCountMax: byteCountMax))
        }
    }
}

/// Forwards the parts of a reply and the channel's end to the exchange.
private final class HTTPExchangeHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let exchange: HTTPExchange

    init(exchange: HTTPExchange) {
        self.exchange = exchange
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        exchange.received(unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        exchange.didRead()
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        exchange.failed(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        exchange.closed()
    }
}
