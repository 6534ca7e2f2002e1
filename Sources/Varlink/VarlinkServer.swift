import NIOCore
import NIOPosix

/// Names one call for as long as it is being answered. Unique within a server.
package struct VarlinkCallID: Hashable, Sendable {
    package var rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// Serves interfaces to the clients of one listening socket, all on one event loop.
///
/// The server checks calls against the text of the interfaces and answers `org.varlink.service` by itself; what is left
/// is an ``Event``, and is answered through ``reply(to:_:continues:)`` or ``fail(_:_:)`` whenever its answer is known.
/// A client's calls are answered in order: the next one is looked at when the last one is answered. No client can make
/// the server wait, or keep more memory than ``Limits`` say.
///
/// Belongs to its event loop; nothing here may be called elsewhere.
package final class VarlinkServer {
    /// What happens, one at a time and never from within a call to the server's own functions for another client.
    package enum Event {
        /// A call that fits its interface. To be answered exactly once; `oneway` calls too, the answer goes nowhere.
        case called(VarlinkCallID, VarlinkCall)
        /// The client of a call that is being answered is gone; an answer is neither needed nor taken.
        case callerLeft(VarlinkCallID)
        /// Something about a client that an administrator may want to know.
        case note(String)
    }

    package struct Limits: Sendable {
        package var clientsMax = 64
        /// Bytes that may wait for a client which does not read; then it is dropped.
        package var unsentBytesMax = 1 << 18
        /// Clients beyond `clientsMax` that are told so, at the same time; further ones are closed at once.
        package var surplusClientsMax = 16
        /// How long a surplus client may take to make its call.
        package var surplusClientTimeout = TimeAmount.seconds(2)
        /// A connection without a call for so long makes room for another client, where there is none left.
        package var idleTimeMin = TimeAmount.seconds(10)

        package init() {}
    }

    /// Calls that last until their client leaves. Their number is limited, so that short calls find a place.
    package struct Watching: Sendable {
        package var methods: Set<String>
        package var countMax: Int
        /// What one too many is answered.
        package var tooMany: VarlinkError

        package init(methods: Set<String>, countMax: Int, tooMany: VarlinkError) {
            self.methods = methods
            self.countMax = countMax
            self.tooMany = tooMany
        }
    }

    private let desk: VarlinkDesk
    let limits: Limits
    private let eventLoop: any EventLoop
    private let tooManyClients: VarlinkError
    private let watching: Watching?
    private let onEvent: (Event) -> Void

    private var listener: (any Channel)?
    private var clients: [ObjectIdentifier: VarlinkConnection] = [:]
    private var surplusClients = 0
    private var callers: [VarlinkCallID: VarlinkConnection] = [:]
    private var watchers: Set<VarlinkCallID> = []
    private var callCount: UInt64 = 0
    private var isClosing = false

    /// `tooManyClients`: what a client beyond the limit is answered.
    package init(
        eventLoop: any EventLoop,
        identity: ServiceInterface.Identity,
        interfaces: [VarlinkInterface],
        tooManyClients: VarlinkError,
        limits: Limits = Limits(),
        watching: Watching? = nil,
        onEvent: @escaping (Event) -> Void
    ) throws(VarlinkInterfaceError) {
        desk = try VarlinkDesk(identity: identity, interfaces: interfaces)
        self.eventLoop = eventLoop
        self.limits = limits
        self.tooManyClients = tooManyClients
        self.watching = watching
        self.onEvent = onEvent
    }

    /// Begins to serve on a socket that is bound and listens; the server owns it from now on.
    package func serve(listeningSocket: CInt) -> EventLoopFuture<Void> {
        eventLoop.preconditionInEventLoop()
        let server = NIOLoopBound(self, eventLoop: eventLoop)
        return ServerBootstrap(group: eventLoop)
            // A client may end its side after the last call (`nc`, `socat`) and still wants its answers.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(VarlinkConnection(server: server.value))
                }
            }
            .withBoundSocket(listeningSocket)
            .map { server.value.listener = $0 }
    }

    /// Stops listening and closes every connection; what was answered before is still sent as far as clients take it at
    /// once.
    package func close() {
        eventLoop.preconditionInEventLoop()
        isClosing = true
        listener?.close(promise: nil)
        listener = nil
        for connection in clients.values { connection.close() }
    }

    /// Answers a call; `continues`: more answers follow.
    package func reply(to id: VarlinkCallID, _ parameters: JSONValue, continues: Bool = false) {
        answer(id, VarlinkReply(parameters: parameters, continues: continues))
    }

    /// Answers a call with an error, its last answer.
    package func fail(_ id: VarlinkCallID, _ error: VarlinkError) {
        answer(id, VarlinkReply(parameters: error.parameters, error: error.name))
    }

    private func answer(_ id: VarlinkCallID, _ reply: VarlinkReply) {
        eventLoop.preconditionInEventLoop()
        guard let connection = callers[id] else { return }
        if !reply.continues {
            callers[id] = nil
            watchers.remove(id)
        }
        connection.answer(reply)
    }

    // MARK: - What connections tell

    func note(_ sentence: String) { onEvent(.note(sentence)) }

    /// How a new connection is to be treated.
    func admit(_ connection: VarlinkConnection) -> VarlinkConnection.Admission {
        if isClosing { return .closed }
        if clients.count >= limits.clientsMax { dismissIdleClient() }
        if clients.count < limits.clientsMax {
            clients[ObjectIdentifier(connection)] = connection
            return .served
        }
        guard surplusClients < limits.surplusClientsMax else { return .closed }
        surplusClients += 1
        if surplusClients == 1 { note("more than \(limits.clientsMax) clients at once; further ones are turned away") }
        return .refused(tooManyClients)
    }

    /// Closes the connection that has made no call for longest, if that is long enough.
    private func dismissIdleClient() {
        let idle = clients.values.compactMap { client in client.idleSince.map { (client, $0) } }
        guard let (client, since) = idle.min(by: { $0.1 < $1.1 }), .now() - since >= limits.idleTimeMin else { return }
        clients[ObjectIdentifier(client)] = nil
        note("more than \(limits.clientsMax) clients at once; one without a call was closed")
        client.close()
    }

    /// A connection is over; `id` is the call that was being answered.
    func left(_ connection: VarlinkConnection, admission: VarlinkConnection.Admission, answering id: VarlinkCallID?) {
        switch admission {
        case .served: clients[ObjectIdentifier(connection)] = nil
        case .refused: surplusClients -= 1
        case .closed: break
        }
        if let id { watchers.remove(id) }
        if let id, callers.removeValue(forKey: id) != nil { onEvent(.callerLeft(id)) }
    }

    /// Passes a call on, or returns what it is answered with at once.
    func receive(_ call: VarlinkCall, from connection: VarlinkConnection) -> Reception {
        do {
            if let reply = try desk.answerAtOnce(call) { return .answered(reply) }
        } catch {
            return .answered(VarlinkReply(parameters: error.parameters, error: error.name))
        }
        let isWatch = call.more && watching?.methods.contains(call.method) ?? false
        if let watching, isWatch, watchers.count >= watching.countMax {
            return .answered(VarlinkReply(parameters: watching.tooMany.parameters, error: watching.tooMany.name))
        }
        callCount += 1
        let id = VarlinkCallID(rawValue: callCount)
        if isWatch { watchers.insert(id) }
        callers[id] = connection
        return .passedOn(id)
    }

    /// Tells of the call; apart from ``receive(_:from:)`` so that the connection knows the call's id before its answer.
    func announce(_ id: VarlinkCallID, _ call: VarlinkCall) { onEvent(.called(id, call)) }

    enum Reception {
        case answered(VarlinkReply)
        case passedOn(VarlinkCallID)
    }
}
