import NIOCore
import NIOPosix

/// A connection to a Varlink service on a Unix socket.
///
/// Several tasks can make calls. The service answers the calls in the order in which it receives them.
package final class VarlinkClient: Sendable {
    /// The maximum number of replies of one stream that wait to be read.
    package static let unreadRepliesMax = 4096
    /// The longest path in a socket address (sockaddr_un in <sys/un.h>: 108 bytes with the NUL).
    package static let pathLengthMax = 107

    private let channel: any Channel
    private let handler: NIOLoopBound<ReplyHandler>

    private init(channel: any Channel, handler: NIOLoopBound<ReplyHandler>) {
        self.channel = channel
        self.handler = handler
    }

    /// Connects to the service that listens at `path`.
    package static func connect(
        path: String,
        group: any EventLoopGroup = .singletonMultiThreadedEventLoopGroup
    ) async throws(VarlinkTransportError) -> VarlinkClient {
        guard path.utf8.count <= pathLengthMax else {
            throw VarlinkTransportError.pathTooLong(path: path, lengthMax: pathLengthMax)
        }
        do {
            let eventLoop = group.next()
            // The handler is created before the connection, because the service can close the connection at once.
            let handler = try await eventLoop.submit { NIOLoopBound(ReplyHandler(), eventLoop: eventLoop) }.get()
            let channel = try await ClientBootstrap(group: eventLoop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(handler.value)
                    }
                }
                .connect(unixDomainSocketPath: path).get()
            return VarlinkClient(channel: channel, handler: handler)
        } catch let error as IOError {
            throw VarlinkTransportError(error, path: path)
        } catch {
            throw VarlinkTransportError.cannotConnect(path: path, reason: "\(error)")
        }
    }

    /// Opens another connection to the service at `path`. An earlier call on this connection is written before any call
    /// on the new connection.
    package func connectBeside(path: String) async throws(VarlinkTransportError) -> VarlinkClient {
        // Both connections use the same event loop, which does one thing after the other.
        try await VarlinkClient.connect(path: path, group: channel.eventLoop)
    }

    /// Calls a method and returns the parameters of its reply.
    ///
    /// - Throws: The service's ``VarlinkError``, ``VarlinkTransportError``, `CancellationError`.
    ///   To cancel a call, the client closes the connection: Varlink has no other way.
    package func call(_ method: String, _ parameters: JSONValue = .emptyObject) async throws -> JSONValue {
        for try await reply in send(VarlinkCall(method: method, parameters: parameters)) { return reply }
        throw CancellationError()
    }

    /// Calls a method with `more` and returns the parameters of its replies as they arrive.
    ///
    /// If the caller stops reading before the last reply, the connection is closed. Throws the same errors as
    /// ``call(_:_:)``.
    package func callMore(
        _ method: String,
        _ parameters: JSONValue = .emptyObject
    ) -> AsyncThrowingStream<JSONValue, any Error> {
        send(VarlinkCall(method: method, parameters: parameters, more: true))
    }

    /// Calls a method and requests no reply.
    package func callOneway(_ method: String, _ parameters: JSONValue = .emptyObject) async throws {
        let call = VarlinkCall(method: method, parameters: parameters, oneway: true)
        do {
            try await channel.writeAndFlush(Frame.encode(call.message))
        } catch {
            throw VarlinkTransportError.closed
        }
    }

    /// Closes the connection. Waiting calls end with ``VarlinkTransportError/closed``.
    package func close() async {
        // If the channel is already closed, `close` throws an error. The result is the same.
        try? await channel.close()
    }

    private func send(_ call: VarlinkCall) -> AsyncThrowingStream<JSONValue, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: JSONValue.self,
            throwing: (any Error).self,
            bufferingPolicy: .bufferingOldest(Self.unreadRepliesMax)
        )
        channel.eventLoop.execute { [handler] in
            handler.value.send(call, answersTo: continuation)
        }
        return stream
    }
}

extension VarlinkTransportError {
    fileprivate init(_ error: IOError, path: String) {
        self =
            switch error.errnoCode {
            case ENOENT, ENOTDIR: .noSocket(path: path)
            case ECONNREFUSED: .connectionRefused(path: path)
            case EACCES, EPERM: .permissionDenied(path: path)
            // connect(2): the queue of a listening Unix socket is full.
            case EAGAIN: .tooManyWaiting(path: path)
            default: .cannotConnect(path: path, reason: String(cString: strerror(error.errnoCode)))
            }
    }
}

/// Sends calls. Assigns each reply to the oldest call that has not received its last reply.
private final class ReplyHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    typealias Continuation = AsyncThrowingStream<JSONValue, any Error>.Continuation

    private struct Caller {
        let number: UInt64
        let more: Bool
        let continuation: Continuation
    }

    private var frames = FrameReader(lengthMax: Frame.replyLengthMax)
    private var callers = CircularBuffer<Caller>()
    private var callCount: UInt64 = 0
    private var context: ChannelHandlerContext?
    /// An error that the service sent without a call, just before it closed the connection. It is the reason for
    /// closing.
    private var farewell: VarlinkError?

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        failCallers(closingError)
    }

    func send(_ call: VarlinkCall, answersTo continuation: Continuation) {
        guard let context, context.channel.isActive else {
            continuation.finish(throwing: closingError)
            return
        }
        callCount += 1
        let number = callCount
        callers.append(Caller(number: number, more: call.more, continuation: continuation))
        let loopBoundSelf = NIOLoopBound(self, eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        continuation.onTermination = { termination in
            guard case .cancelled = termination else { return }
            eventLoop.execute { loopBoundSelf.value.callerDisconnected(number) }
        }
        context.writeAndFlush(wrapOutboundOut(Frame.encode(call.message)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        frames.append(unwrapInboundIn(data))
        do {
            while let frame = try frames.next() {
                deliver(try VarlinkReply(parsing: frame))
            }
        } catch let error as VarlinkTransportError {
            close(error)
        } catch {
            close(VarlinkTransportError.broken(reason: "\(error)"))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        failCallers(closingError)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        close(closingError)
    }

    private var closingError: any Error { farewell ?? VarlinkTransportError.closed }

    private func deliver(_ reply: VarlinkReply) {
        guard let caller = callers.first else {
            guard let name = reply.error, farewell == nil else {
                return close(VarlinkTransportError.broken(reason: ReplySentences.noCall))
            }
            farewell = VarlinkError(name: name, parameters: reply.parameters)
            return
        }
        if reply.continues, !caller.more {
            return close(VarlinkTransportError.broken(reason: ReplySentences.severalReplies))
        }
        if let name = reply.error {
            callers.removeFirst()
            caller.continuation.finish(throwing: VarlinkError(name: name, parameters: reply.parameters))
            return
        }
        if case .dropped = caller.continuation.yield(reply.parameters) {
            return close(VarlinkTransportError.callerTooSlow(repliesMax: VarlinkClient.unreadRepliesMax))
        }
        if !reply.continues {
            callers.removeFirst()
            caller.continuation.finish()
        }
    }

    private func callerDisconnected(_ number: UInt64) {
        if callers.contains(where: { $0.number == number }) { close(VarlinkTransportError.closed) }
    }

    private func close(_ error: any Error) {
        failCallers(error)
        context?.close(promise: nil)
    }

    private func failCallers(_ error: any Error) {
        let failed = callers
        callers.removeAll()
        for caller in failed { caller.continuation.finish(throwing: error) }
    }
}
