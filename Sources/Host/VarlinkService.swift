import Controller
import Interface
import NIOCore
import Varlink

/// Serves `io.bracketd`: calls become ``Input/request(_:_:)``, the core's answers become replies. Decides nothing about
/// the content of a request; whether it fits the interface was decided by the interface's text.
final class VarlinkService {
    enum Event {
        case input(Input)
        /// For the journal.
        case note(String)
    }

    /// The methods whose clients may stay for as long as they like. `Shoot` and `Retry` stream too, but a shoot must
    /// not be refused because of clients that only watch.
    static let watchMethods = ["Follow", "Watch", "WatchCameras", "WatchPhotos"]

    private let onEvent: (Event) -> Void
    private let eventLoop: any EventLoop
    private var server: VarlinkServer?

    init(eventLoop: any EventLoop, onEvent: @escaping (Event) -> Void) {
        self.eventLoop = eventLoop
        self.onEvent = onEvent
    }

    /// Begins to serve; the socket belongs to the service from now on.
    func serve(listeningSocket: CInt) throws(VarlinkInterfaceError) -> EventLoopFuture<Void> {
        precondition(server == nil, "a service is started once")
        let limits = VarlinkServer.Limits()
        let watchersMax = limits.clientsMax * 3 / 4
        let server = try VarlinkServer(
            eventLoop: eventLoop,
            identity: DaemonInterface.identity,
            interfaces: [DaemonInterface.parsed()],
            tooManyClients: RequestError.tooManyClients(limit: limits.clientsMax).varlinkError,
            limits: limits,
            watching: VarlinkServer.Watching(
                methods: Set(VarlinkService.watchMethods.map { "io.bracketd.\($0)" }),
                countMax: watchersMax,
                tooMany: RequestError.tooManyClients(limit: watchersMax).varlinkError
            )
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
