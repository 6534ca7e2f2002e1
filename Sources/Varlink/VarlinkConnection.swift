import NIOCore

/// One client of a ``VarlinkServer``: splits its bytes into calls, passes on one call at a time, sends the answers.
final class VarlinkConnection: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How the client is served.
    enum Admission {
        case served
        /// One call that stops something; any other call gets this answer. Then the connection is closed.
        case stopping(VarlinkError)
        /// Gets this answer before its call; then the connection is closed.
        case refused(VarlinkError)
        case closed
    }

    private enum State {
        /// Waits for a call.
        case idle
        /// A call is being answered; later ones wait as bytes.
        case answering(VarlinkCallID, oneway: Bool)
        /// Nothing more is read; written bytes are sent.
        case closing
    }

    /// The most bytes of later calls during a call; beyond that, nothing is read from the socket.
    private static let waitingBytesMax = 1 << 16

    private let server: VarlinkServer
    /// The user id of the client's process.
    let user: UInt32
    private var state = State.idle
    /// When the last call was answered, or the client connected.
    private var lastAnsweredAt = NIODeadline.now()
    private var admission = Admission.closed
    private var frames = FrameReader(lengthMax: Frame.callLengthMax)
    private var context: ChannelHandlerContext?
    private var readIsHeld = false
    /// The client sends nothing more, but may still read.
    private var inputEnded = false

    /// Since when the client has sent no complete call; nil: a call is being answered.
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

    /// Accepts an answer to the present call.
    func answer(_ reply: VarlinkReply) {
        guard case .answering(_, let oneway) = state, let context else { return }
        if !oneway { send(reply) }
        guard !reply.continues else { return }
        if case .stopping = admission { return sendAndClose(nil) }
        state = .idle
        lastAnsweredAt = .now()
        // Later, not here: otherwise immediate answers would nest as deep as there are waiting calls.
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute { connection.value.takeCalls() }
    }

    func close() {
        // The state stays: `channelInactive` needs it to find the call that lost its client.
        context?.close(promise: nil)
    }

    /// Closes the connection of an idle client and reports why: a call that is under way gets this answer.
    func dismiss(_ error: VarlinkError) {
        if case .idle = state { send(.failure(error)) }
        close()
    }

    private func closeIfIdle() {
        if case .idle = state { close() }
    }

    /// Handles waiting calls, up to the first that is not answered at once.
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
        // The option is the channel's own count; every socket channel of NIO has it.
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
