import Controller
import Interface
import NIOCore
import Varlink

/// Serves `io.bracketd`: calls become ``Input/request(_:_:)``, and the core's answers become replies. The interface's
/// text decides whether a call is valid. This class does not depend on the content of calls.
final class VarlinkService {
    enum Event {
        case input(Input)
        case note(String)
    }

    /// The methods whose clients are allowed to stay connected without limit.
    static let watchMethods = ["Follow", "Watch", "WatchCameras", "WatchPhotos"]
    /// The methods that fire frames and also stream. Clients that only watch must not cause their refusal.
    static let firingMethods = ["Extend", "Retry", "Shoot"]
    /// The methods that stop something. They are served even above the limit of clients.
    static let stoppingMethods = ["Cancel", "Disconnect", "Pause"]

    private let onEvent: (Event) -> Void
    private let eventLoop: any EventLoop
    private var server: VarlinkServer?

    init(eventLoop: any EventLoop, onEvent: @escaping (Event) -> Void) {
        self.eventLoop = eventLoop
        self.onEvent = onEvent
    }

    /// Begins to serve. The service owns the socket from now on.
    func serve(listeningSocket: CInt) throws(VarlinkInterfaceError) -> EventLoopFuture<Void> {
        precondition(server == nil, "a service is started once")
        let server = try VarlinkServer(
            eventLoop: eventLoop,
            identity: DaemonInterface.identity,
            interfaces: [DaemonInterface.parsed()],
            methods: VarlinkServer.Methods(
                watching: Self.names(Self.watchMethods),
                firing: Self.names(Self.firingMethods),
                stopping: Self.names(Self.stoppingMethods)
            ),
            boundError: \.varlinkError
        ) { [weak self] event in self?.take(event) }
        self.server = server
        return server.serve(listeningSocket: listeningSocket)
    }

    func reply(_ id: RequestID, _ reply: Reply, continues: Bool) {
        server?.reply(to: VarlinkCallID(id), reply.parameters, continues: continues)
    }

    func fail(_ id: RequestID, _ error: RequestError) {
        server?.fail(VarlinkCallID(id), error.varlinkError)
    }

    func close() {
        server?.close()
        server = nil
    }

    private static func names(_ methods: [String]) -> Set<String> { Set(methods.map { "io.bracketd.\($0)" }) }

    private func take(_ event: VarlinkServer.Event) {
        switch event {
        case .note(let sentence): onEvent(.note(sentence))
        case .callerLeft(let id): onEvent(.input(.requestCancelled(RequestID(id))))
        case .called(let id, let call):
            do {
                onEvent(.input(.request(RequestID(id), try Request(call))))
            } catch {
                server?.fail(id, error)
            }
        }
    }
}

extension RequestID {
    fileprivate init(_ id: VarlinkCallID) { self.init(rawValue: id.rawValue) }
}

extension VarlinkCallID {
    fileprivate init(_ id: RequestID) { self.init(rawValue: id.rawValue) }
}

extension VarlinkServer.Bound {
    /// The error `TooManyClients`, with the limit that was exceeded.
    var varlinkError: VarlinkError {
        VarlinkError(
            name: "io.bracketd.TooManyClients",
            parameters: ["limit": .int(limit), "sentence": .string(DaemonSentences.tooManyClients(self))]
        )
    }

    private var limit: Int {
        switch self {
        case .clients(let limit), .clientsOfUser(let limit), .watchers(let limit), .watchersOfUser(let limit): limit
        case .idle: VarlinkServer.Limits().clientsMax
        }
    }
}
