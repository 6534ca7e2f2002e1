import Glibc
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
        /// Clients of one user: the other places are for other users.
        package var userClientsMax = 48
        /// Calls that last until their client leaves (``Methods/watching``); the other places are for short calls.
        package var watchersMax = 48
        package var userWatchersMax = 36
        /// Bytes that may wait for a client which does not read; then it is dropped.
        package var unsentBytesMax = 1 << 18
        /// Clients that find no place and are served one call of ``Methods/stopping``.
        package var stoppingClientsMax = 16
        package var userStoppingClientsMax = 8
        /// How long such a client may take to make its call.
        package var stoppingClientTimeout = TimeAmount.seconds(2)

        package init() {}
    }

    /// Methods that get more or less room than others.
    package struct Methods: Sendable {
        /// With `more`, these last until their client leaves. Their number is limited, so that short calls find a
        /// place.
        package var watching: Set<String>
        /// With `more`, these count as watching too. They are never refused for the number of watchers.
        package var firing: Set<String>
        /// Served to a client that finds no place: whatever goes on can always be stopped.
        package var stopping: Set<String>

        package init(watching: Set<String> = [], firing: Set<String> = [], stopping: Set<String> = []) {
            self.watching = watching
            self.firing = firing
            self.stopping = stopping
        }
    }

    /// The bound that a client meets.
    package enum Bound: Hashable, Sendable {
        case clients(Int)
        case clientsOfUser(Int)
        case watchers(Int)
        case watchersOfUser(Int)
        /// The client was idle, and gives up its place to another one.
        case idle
    }

    private let desk: VarlinkDesk
    let limits: Limits
    private let eventLoop: any EventLoop
    private let methods: Methods
    private let boundError: (Bound) -> VarlinkError
    private let onEvent: (Event) -> Void

    private var listener: (any Channel)?
    private var clients: [ObjectIdentifier: VarlinkConnection] = [:]
    /// Those without a place, see ``Limits/stoppingClientsMax``.
    private var stoppingClients: [ObjectIdentifier: VarlinkConnection] = [:]
    private var callers: [VarlinkCallID: VarlinkConnection] = [:]
    /// The users of the calls that last.
    private var watchers: [VarlinkCallID: UInt32] = [:]
    private var notes = NoteBudget()
    private var callCount: UInt64 = 0
    private var isClosing = false

    /// `boundError`: what a client is answered that meets a bound.
    package init(
        eventLoop: any EventLoop,
        identity: ServiceInterface.Identity,
        interfaces: [VarlinkInterface],
        limits: Limits = Limits(),
        methods: Methods = Methods(),
        boundError: @escaping (Bound) -> VarlinkError,
        onEvent: @escaping (Event) -> Void
    ) throws(VarlinkInterfaceError) {
        desk = try VarlinkDesk(identity: identity, interfaces: interfaces)
        self.eventLoop = eventLoop
        self.limits = limits
        self.methods = methods
        self.boundError = boundError
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
                PeerCredentials.read(channel).flatMapThrowing { peer in
                    try channel.pipeline.syncOperations
                        .addHandler(VarlinkConnection(server: server.value, user: peer.user))
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
        for connection in stoppingClients.values { connection.close() }
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
            watchers[id] = nil
        }
        connection.answer(reply)
    }

    // MARK: - What connections tell

    func note(_ sentence: String) {
        for sentence in notes.sentences(sentence, at: .now()) { onEvent(.note(sentence)) }
    }

    /// How a new connection is to be treated.
    func admit(_ connection: VarlinkConnection) -> VarlinkConnection.Admission {
        if isClosing { return .closed }
        let places = ClientPlaces<ObjectIdentifier>(countMax: limits.clientsMax, userCountMax: limits.userClientsMax)
        guard let bound = seat(connection, at: \.clients, places) else { return .served }
        note("there are too many clients of user \(connection.user): only commands that stop something are accepted")
        let stoppingPlaces = ClientPlaces<ObjectIdentifier>(
            countMax: limits.stoppingClientsMax,
            userCountMax: limits.userStoppingClientsMax
        )
        let error = boundError(bound)
        return seat(connection, at: \.stoppingClients, stoppingPlaces) == nil ? .stopping(error) : .refused(error)
    }

    /// Gives the connection a place, where an idle one may have to give up its own. Returns the bound where there is
    /// none.
    private func seat(
        _ connection: VarlinkConnection,
        at seats: ReferenceWritableKeyPath<VarlinkServer, [ObjectIdentifier: VarlinkConnection]>,
        _ places: ClientPlaces<ObjectIdentifier>
    ) -> Bound? {
        let present = self[keyPath: seats].mapValues {
            ClientPlaces<ObjectIdentifier>.Client(user: $0.user, idleSince: $0.idleSince)
        }
        switch places.room(for: connection.user, among: present) {
        case .full(let bound): return bound
        case .after(let id):
            if let idle = self[keyPath: seats].removeValue(forKey: id) {
                note("an idle client of user \(idle.user) was closed for another client")
                idle.dismiss(boundError(.idle))
            }
        case .free: break
        }
        self[keyPath: seats][ObjectIdentifier(connection)] = connection
        return nil
    }

    /// A connection is over; `id` is the call that was being answered.
    func left(_ connection: VarlinkConnection, answering id: VarlinkCallID?) {
        clients[ObjectIdentifier(connection)] = nil
        stoppingClients[ObjectIdentifier(connection)] = nil
        guard let id else { return }
        watchers[id] = nil
        if callers.removeValue(forKey: id) != nil { onEvent(.callerLeft(id)) }
    }

    /// Whether the call is served to a client without a place.
    func isStopping(_ call: VarlinkCall) -> Bool { methods.stopping.contains(call.method) }

    /// Passes a call on, or returns what it is answered with at once.
    func receive(_ call: VarlinkCall, from connection: VarlinkConnection) -> Reception {
        do {
            if let reply = try desk.answerAtOnce(call) { return .answered(reply) }
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

    /// Tells of the call; apart from ``receive(_:from:)`` so that the connection knows the call's id before its answer.
    func announce(_ id: VarlinkCallID, _ call: VarlinkCall) { onEvent(.called(id, call)) }

    enum Reception {
        case answered(VarlinkReply)
        case passedOn(VarlinkCallID)
    }
}

/// The process at the other end of a Unix socket when it connected, as struct ucred of <sys/socket.h> (unix(7),
/// SO_PEERCRED).
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
