import Glibc
import NIOCore
import NIOPosix

/// The name of a call while it is being answered. It is unique within a server.
package struct VarlinkCallID: Hashable, Sendable {
    package var rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// Serves interfaces to the clients of one listening socket, all on one event loop.
///
/// The server checks calls against the text of the interfaces and answers `org.varlink.service` itself. Any other call
/// becomes an ``Event``. The owner answers it with ``reply(to:_:continues:)`` or ``fail(_:_:)``, at once or later. A
/// client's calls are answered in order: each call is handled after the answer to the previous one. No client can make
/// the server wait, or use more memory than ``Limits`` allow.
///
/// Call its functions only on its event loop.
package final class VarlinkServer {
    /// An event for the owner. Events come one at a time, and never from within a call of the server's functions for
    /// another client.
    package enum Event {
        /// A client made a call that fits its interface. The call must be answered exactly once; the answer to a
        /// `oneway` call is discarded.
        case called(VarlinkCallID, VarlinkCall)
        /// The client of this call has disconnected. The server neither needs nor accepts an answer.
        case callerLeft(VarlinkCallID)
        /// A note about a client for the administrator.
        case note(String)
    }

    package struct Limits: Sendable {
        package var clientsMax = 64
        /// The maximum number of clients of one user, so that other users can connect too.
        package var userClientsMax = 48
        /// The maximum number of calls that last until their client disconnects (``Methods/watching``). The other
        /// places are for short calls.
        package var watchersMax = 48
        package var userWatchersMax = 36
        /// The maximum number of bytes that wait for a client that does not read. Beyond it, the client is
        /// disconnected.
        package var unsentBytesMax = 1 << 18
        /// The maximum number of clients that are served one call of ``Methods/stopping`` although no place is free.
        package var stoppingClientsMax = 16
        package var userStoppingClientsMax = 8
        /// The time within which a client without a place must make its call.
        package var stoppingClientTimeout = TimeAmount.seconds(2)

        package init() {}
    }

    /// The methods that have a lower or a higher limit than others.
    package struct Methods: Sendable {
        /// Methods whose calls with `more` last until the client disconnects. The number of these calls is limited, so
        /// that a place remains for short calls.
        package var watching: Set<String>
        /// Methods whose calls with `more` also count as watching. These calls are never refused because of the number
        /// of watchers.
        package var firing: Set<String>
        /// Methods that a client can call although no place is free, so that the user can always stop what is running.
        package var stopping: Set<String>

        package init(watching: Set<String> = [], firing: Set<String> = [], stopping: Set<String> = []) {
            self.watching = watching
            self.firing = firing
            self.stopping = stopping
        }
    }

    /// The limit that a client reaches.
    package enum Bound: Hashable, Sendable {
        case clients(Int)
        case clientsOfUser(Int)
        case watchers(Int)
        case watchersOfUser(Int)
        /// The client was idle, and the server closes its connection to make room for another client.
        case idle
    }

    private let callChecker: VarlinkCallChecker
    let limits: Limits
    private let eventLoop: any EventLoop
    private let methods: Methods
    private let boundError: (Bound) -> VarlinkError
    private let onEvent: (Event) -> Void

    private var listener: (any Channel)?
    private var clients: [ObjectIdentifier: VarlinkConnection] = [:]
    /// The clients that the server accepted although no place is free, see ``Limits/stoppingClientsMax``.
    private var stoppingClients: [ObjectIdentifier: VarlinkConnection] = [:]
    private var callers: [VarlinkCallID: VarlinkConnection] = [:]
    /// The watching calls, each with its user.
    private var watchers: [VarlinkCallID: UInt32] = [:]
    private var notes = JournalBudget()
    private var callCount: UInt64 = 0
    private var isClosing = false

    /// - Parameter boundError: returns the answer to a client that reaches a limit.
    package init(
        eventLoop: any EventLoop,
        identity: ServiceInterface.Identity,
        interfaces: [VarlinkInterface],
        limits: Limits = Limits(),
        methods: Methods = Methods(),
        boundError: @escaping (Bound) -> VarlinkError,
        onEvent: @escaping (Event) -> Void
    ) throws(VarlinkInterfaceError) {
        callChecker = try VarlinkCallChecker(identity: identity, interfaces: interfaces)
        self.eventLoop = eventLoop
        self.limits = limits
        self.methods = methods
        self.boundError = boundError
        self.onEvent = onEvent
    }

    /// Begins to serve on a bound and listening socket. The server owns the socket from now on.
    package func serve(listeningSocket: CInt) -> EventLoopFuture<Void> {
        eventLoop.preconditionInEventLoop()
        let server = NIOLoopBound(self, eventLoop: eventLoop)
        return ServerBootstrap(group: eventLoop)
            // A client can end its side after its last call (`nc`, `socat`) and still expects the answers.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                PeerCredentials.read(channel).flatMapThrowing { peer in
                    try channel.pipeline.syncOperations
                        .addHandler(VarlinkConnection(server: server.value, user: peer.user))
                }
            }
            .withBoundSocket(listeningSocket)
            .map { server.value.listener = $0 }
    }

    /// Stops listening and closes every connection. Earlier answers are sent only if a client accepts them at once.
    package func close() {
        eventLoop.preconditionInEventLoop()
        isClosing = true
        listener?.close(promise: nil)
        listener = nil
        for connection in clients.values { connection.close() }
        for connection in stoppingClients.values { connection.close() }
    }

    /// Answers a call. If `continues` is true, more answers follow.
    package func reply(to id: VarlinkCallID, _ parameters: JSONValue, continues: Bool = false) {
        answer(id, VarlinkReply(parameters: parameters, continues: continues))
    }

    /// Answers a call with an error. The error is the last answer.
    package func fail(_ id: VarlinkCallID, _ error: VarlinkError) {
        answer(id, VarlinkReply(parameters: error.parameters, error: error.name))
    }

    private func answer(_ id: VarlinkCallID, _ reply: VarlinkReply) {
        eventLoop.preconditionInEventLoop()
        guard let connection = callers[id] else { return }
        if !reply.continues {
            callers[id] = nil
            watchers[id] = nil
        }
        connection.answer(reply)
    }

    // MARK: - Reports from connections

    func note(_ sentence: String) {
        for sentence in notes.sentences(sentence, at: .now()) { onEvent(.note(sentence)) }
    }

    /// Decides how to serve a new connection.
    func admit(_ connection: VarlinkConnection) -> VarlinkConnection.Admission {
        if isClosing { return .closed }
        let places = ClientSlots<ObjectIdentifier>(countMax: limits.clientsMax, userCountMax: limits.userClientsMax)
        guard let bound = admitConnection(connection, at: \.clients, places) else { return .served }
        note(ServerSentences.noPlace(forClientOf: connection.user))
        let stoppingPlaces = ClientSlots<ObjectIdentifier>(
            countMax: limits.stoppingClientsMax,
            userCountMax: limits.userStoppingClientsMax
        )
        let error = boundError(bound)
        return admitConnection(connection, at: \.stoppingClients, stoppingPlaces) == nil
            ? .stopping(error) : .refused(error)
    }

    /// Finds a place for the connection, and closes an idle connection if no other place is free. Returns the limit if
    /// no place can be found.
    private func admitConnection(
        _ connection: VarlinkConnection,
        at seats: ReferenceWritableKeyPath<VarlinkServer, [ObjectIdentifier: VarlinkConnection]>,
        _ places: ClientSlots<ObjectIdentifier>
    ) -> Bound? {
        let present = self[keyPath: seats].mapValues {
            ClientSlots<ObjectIdentifier>.Client(user: $0.user, idleSince: $0.idleSince)
        }
        switch places.room(for: connection.user, among: present) {
        case .full(let bound): return bound
        case .after(let id):
            if let idle = self[keyPath: seats].removeValue(forKey: id) {
                note(ServerSentences.idleClientClosed(of: idle.user))
                idle.dismiss(boundError(.idle))
            }
        case .free: break
        }
        self[keyPath: seats][ObjectIdentifier(connection)] = connection
        return nil
    }

    /// Notes that a connection was closed. `id` is the call that was being answered.
    func left(_ connection: VarlinkConnection, answering id: VarlinkCallID?) {
        clients[ObjectIdentifier(connection)] = nil
        stoppingClients[ObjectIdentifier(connection)] = nil
        guard let id else { return }
        watchers[id] = nil
        if callers.removeValue(forKey: id) != nil { onEvent(.callerLeft(id)) }
    }

    /// Whether the call is also served to a client without a place.
    func isStopping(_ call: VarlinkCall) -> Bool { methods.stopping.contains(call.method) }

    /// Passes a call on to the owner, or returns the immediate answer.
    func receive(_ call: VarlinkCall, from connection: VarlinkConnection) -> Reception {
        do {
            if let reply = try callChecker.answerAtOnce(call) { return .answered(reply) }
            try checkWatchers(call, of: connection.user)
        } catch {
            return .answered(VarlinkReply(parameters: error.parameters, error: error.name))
        }
        callCount += 1
        let id = VarlinkCallID(rawValue: callCount)
        if call.more, methods.watching.union(methods.firing).contains(call.method) { watchers[id] = connection.user }
        callers[id] = connection
        return .passedOn(id)
    }

    private func checkWatchers(_ call: VarlinkCall, of user: UInt32) throws(VarlinkError) {
        guard call.more, methods.watching.contains(call.method) else { return }
        if watchers.values.count(where: { $0 == user }) >= limits.userWatchersMax {
            throw boundError(.watchersOfUser(limits.userWatchersMax))
        }
        if watchers.count >= limits.watchersMax { throw boundError(.watchers(limits.watchersMax)) }
    }

    /// Reports the call to the owner. This is separate from ``receive(_:from:)``, so that the connection knows the
    /// call's id before the answer comes.
    func announce(_ id: VarlinkCallID, _ call: VarlinkCall) { onEvent(.called(id, call)) }

    enum Reception {
        case answered(VarlinkReply)
        case passedOn(VarlinkCallID)
    }
}

/// The process that opened the other end of a Unix socket, as struct ucred of <sys/socket.h> (unix(7), SO_PEERCRED).
private struct PeerCredentials: Sendable {
    let process: Int32
    let user: UInt32
    let group: UInt32

    struct Unavailable: Error {}

    static func read(_ channel: any Channel) -> EventLoopFuture<PeerCredentials> {
        guard let socket = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeFailedFuture(Unavailable())
        }
        return socket.unsafeGetSocketOption(
            level: NIOBSDSocket.OptionLevel.socket,
            name: NIOBSDSocket.Option(rawValue: SO_PEERCRED)
        )
    }
}
