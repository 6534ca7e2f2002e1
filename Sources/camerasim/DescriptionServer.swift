import Bodies
import NIOCore
import NIOHTTP1
import NIOPosix

/// Serves the camera's description by HTTP.
final class DescriptionServer {
    /// The served files; nil before the server listens for the first time.
    var discovery: BodyDiscovery?

    private let fault: Fault.Description?
    private let eventLoop: any EventLoop
    private let note: (String) -> Void
    private var listener: (any Channel)?
    private var connections: [ObjectIdentifier: any Channel] = [:]

    /// The maximum number of connections. The server closes further connections at once.
    private static let connectionsMax = 64

    init(fault: Fault.Description?, on eventLoop: any EventLoop, note: @escaping (String) -> Void) {
        self.fault = fault
        self.eventLoop = eventLoop
        self.note = note
    }

    /// Starts to listen. Returns the port.
    func listen(host: String, port: Int) -> EventLoopFuture<Int> {
        let server = NIOLoopBound(self, eventLoop: eventLoop)
        return ServerBootstrap(group: eventLoop)
            .serverChannelOption(.backlog, value: 16)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { server.value.initialise($0) }
            .bind(host: host, port: port)
            .assumeIsolated()
            .map { channel in
                self.listener = channel
                return channel.localAddress?.port ?? port
            }
            .flatMapErrorThrowing { error in
                let place = ListenAddress(host: host, port: port)
                throw StartFailure(.describe(place), error)
            }
            .nonisolated()
    }

    /// Closes the listener and all connections.
    func stop() {
        listener?.close(promise: nil)
        listener = nil
        let closing = Array(connections.values)
        connections = [:]
        for channel in closing { channel.close(promise: nil) }
    }

    private func initialise(_ channel: any Channel) -> EventLoopFuture<Void> {
        guard connections.count < Self.connectionsMax else {
            channel.close(promise: nil)
            return eventLoop.makeSucceededVoidFuture()
        }
        let id = ObjectIdentifier(channel)
        connections[id] = channel
        channel.closeFuture.assumeIsolated().whenComplete { _ in self.connections[id] = nil }
        return eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.configureHTTPServerPipeline()
            try channel.pipeline.syncOperations.addHandler(DescriptionHandler(self))
        }
    }

    fileprivate func answer(to head: HTTPRequestHead, from sender: SocketAddress?) -> ServedFiles.Answer {
        note(LogSentences.requested(head.uri.prefix(80), by: sender?.ipAddress))
        guard head.method == .GET, let discovery else { return .notFound }
        return discovery.files.answer(to: head.uri, fault: fault)
    }

    /// The operating system and its version, as in SSDP messages.
    fileprivate var name: String { discovery?.announcement.server ?? "" }
}

/// Answers one request and then closes the connection.
private final class DescriptionHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let server: DescriptionServer

    init(_ server: DescriptionServer) {
        self.server = server
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        switch server.answer(to: head, from: context.channel.remoteAddress) {
        case .file(let text):
            write(.ok, text, byteCount: text.utf8.count, to: context)
            end(context)
        case .stalled(let text, let byteCount):
            write(.ok, text, byteCount: byteCount, to: context)
            context.flush()
        case .padded(let text, let padding):
            write(.ok, text, byteCount: text.utf8.count + padding, to: context)
            pad(padding, to: context)
            end(context)
        case .moved(let path):
            write(.found, "", byteCount: 0, location: path, to: context)
            end(context)
        case .notFound:
            write(.notFound, "", byteCount: 0, to: context)
            end(context)
        }
    }

    private func write(
        _ status: HTTPResponseStatus,
        _ text: String,
        byteCount: Int,
        location: String? = nil,
        to context: ChannelHandlerContext
    ) {
        var headers: HTTPHeaders = [
            "Content-Type": "text/xml; charset=\"utf-8\"", "Content-Length": "\(byteCount)",
            "Server": server.name, "Connection": "close",
        ]
        if let location { headers.add(name: "Location", value: location) }
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
    }

    /// Writes XML comments, which XML allows after the document. Writes the same buffer again and again.
    private func pad(_ byteCount: Int, to context: ChannelHandlerContext) {
        // A comment has 64 bytes, a divisor of the byte count, so that the last comment is complete.
        let comment = "<!--" + String(repeating: " ", count: 56) + "-->\n"
        let block = ByteBuffer(string: String(repeating: comment, count: 1_024))
        var rest = byteCount
        while rest > 0, let piece = block.getSlice(at: 0, length: min(rest, block.readableBytes)) {
            context.write(wrapOutboundOut(.body(.byteBuffer(piece))), promise: nil)
            rest -= piece.readableBytes
        }
    }

    private func end(_ context: ChannelHandlerContext) {
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated()
            .whenComplete { _ in channel.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
