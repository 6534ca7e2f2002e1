import NIOCore

/// One client of a ``VarlinkServer``. It splits the client's bytes into calls, passes on one call at a time, and sends
/// answers.
final class VarlinkConnection: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The way in which the server serves the client.
    enum Admission {
        case served
        /// The server accepts one call that stops something, and answers any other call with this error. Then it
        /// disconnects.
        case stopping(VarlinkError)
        /// The server sends this error before the client's first call, and closes the connection.
        case refused(VarlinkError)
        case closed
    }

    private enum State {
        /// The connection waits for a call.
        case idle
        /// A call is being answered. The bytes of later calls wait.
        case answering(VarlinkCallID, oneway: Bool)
        /// The connection reads nothing more, and sends the bytes that were written before.
        case closing
    }

    /// The limit on the bytes of later calls during a call. Beyond it, nothing is read from the socket.
    private static let waitingBytesMax = 1 << 16

    private let server: VarlinkServer
    /// The user id of the client's process.
    let user: UInt32
    private var state = State.idle
    /// The time at which the last call was answered; before the first answer, the time of the connection.
    private var lastAnsweredAt = NIODeadline.now()
    private var admission = Admission.closed
    private var frames = FrameReader(lengthMax: Frame.callLengthMax)
    private var context: ChannelHandlerContext?
    private var readIsHeld = false
    /// Whether the client has ended its side of the connection. The client may still read answers.
    private var inputEnded = false

    /// The time since which the client has sent no complete call; nil: a call is being answered.
    var idleSince: NIODeadline? {
        if case .answering = state { nil } else { lastAnsweredAt }
    }

    init(server: VarlinkServer, user: UInt32) {
        self.server = server
        self.user = user
    }

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        admission = server.admit(self)
        switch admission {
        case .served: break
        case .stopping:
            let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: server.limits.stoppingClientTimeout) { connection.value.closeIfIdle() }
        case .refused(let error): sendAndClose(.failure(error))
        case .closed: close()
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        var id: VarlinkCallID?
        if case .answering(let call, _) = state { id = call }
        state = .closing
        self.context = nil
        server.left(self, answering: id)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        close()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent {
            inputEnded = true
            takeCalls()
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .closing = state { return }
        frames.append(unwrapInboundIn(data))
        takeCalls()
    }

    func read(context: ChannelHandlerContext) {
        if case .answering = state, frames.bufferedBytes > Self.waitingBytesMax {
            readIsHeld = true
        } else {
            context.read()
        }
    }

    /// Sends an answer to the present call.
    func answer(_ reply: VarlinkReply) {
        guard case .answering(_, let oneway) = state, let context else { return }
        if !oneway { send(reply) }
        guard !reply.continues else { return }
        if case .stopping = admission { return sendAndClose(nil) }
        state = .idle
        lastAnsweredAt = .now()
        // The next calls are handled later, not here: otherwise immediate answers would nest once for each waiting
        // call.
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute { connection.value.takeCalls() }
    }

    func close() {
        // The state does not change here: `channelInactive` finds in the state which call lost its client.
        context?.close(promise: nil)
    }

    /// Closes the connection of an idle client and sends the reason. A call that arrives at the same time gets this
    /// error as its answer.
    func dismiss(_ error: VarlinkError) {
        if case .idle = state { send(.failure(error)) }
        close()
    }

    private func closeIfIdle() {
        if case .idle = state { close() }
    }

    /// Handles waiting calls, up to the first call that is not answered immediately.
    private func takeCalls() {
        guard let context, context.channel.isActive else { return }
        do {
            while case .idle = state {
                guard let frame = try frames.next() else { break }
                take(try VarlinkCall(parsing: frame))
            }
        } catch let error as MessageError {
            sendAndClose(.failure(ServiceInterface.invalidParameter(error.member, sentence: error.reason)))
        } catch {
            sendAndClose(.failure(ServiceInterface.invalidParameter("message", sentence: "\(error)")))
        }
        if case .idle = state, inputEnded { sendAndClose(nil) }
        if readIsHeld, frames.bufferedBytes <= Self.waitingBytesMax {
            readIsHeld = false
            context.read()
        }
    }

    private func take(_ call: VarlinkCall) {
        if case .stopping(let error) = admission, !server.isStopping(call) { return sendAndClose(.failure(error)) }
        switch server.receive(call, from: self) {
        case .answered(let reply):
            lastAnsweredAt = .now()
            if case .stopping = admission { return sendAndClose(call.oneway ? nil : reply) }
            if !call.oneway { send(reply) }
        case .passedOn(let id):
            state = .answering(id, oneway: call.oneway)
            server.announce(id, call)
        }
    }

    private func send(_ reply: VarlinkReply) {
        guard let context, context.channel.isActive else { return }
        let frame = Frame.encode(reply.message)
        // The option reads the channel's own counter of unsent bytes. Every socket channel of NIO has this option.
        let unsent = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        guard unsent + frame.readableBytes <= max(server.limits.unsentBytesMax, frame.readableBytes) else {
            server.note(ServerSentences.repliesNotRead(byteCount: unsent))
            return close()
        }
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }

    private func sendAndClose(_ reply: VarlinkReply?) {
        if let reply { send(reply) }
        guard let context, context.channel.isActive else { return }
        state = .closing
        let flushed = context.eventLoop.makePromise(of: Void.self)
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        flushed.futureResult.whenComplete { _ in connection.value.close() }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: flushed)
    }
}

extension VarlinkReply {
    fileprivate static func failure(_ error: VarlinkError) -> VarlinkReply {
        VarlinkReply(parameters: error.parameters, error: error.name)
    }
}
