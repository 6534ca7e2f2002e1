import Cameras
import Controller
import NIOCore

/// The SSDP sockets with which the daemon searches for cameras. Used on the event loop only; must be closed.
package final class Discovery {
    private let sockets: DiscoverySockets

    /// - Parameters:
    ///   - isRelevant: whether a datagram enters the queue. Datagrams of other devices change nothing and would fill
    ///     the flight recorder.
    ///   - onInput: receives ``Input/ssdp(_:)`` for the queue.
    ///   - onNote: receives sentences for the journal. Each sentence is reported once until its cause ends.
    package init(
        eventLoop: any EventLoop,
        isRelevant: @escaping (ByteBuffer) -> Bool = DiscoveryTable.standard.mayNameCamera,
        onInput: @escaping (Input) -> Void,
        onNote: @escaping (String) -> Void
    ) {
        sockets = DiscoverySockets(
            eventLoop: eventLoop,
            onDatagram: { if isRelevant($0.bytes) { onInput(.ssdp($0)) } },
            onNote: onNote
        )
    }

    package func perform(_ effect: DiscoveryEffect) {
        switch effect {
        case .listen(let indexes, let rejoins): sockets.listen(on: indexes, rejoins: rejoins)
        case .ask(let datagrams): sockets.ask(datagrams)
        }
    }

    /// Closes all sockets. Nothing is reported afterwards.
    package func close() {
        sockets.close()
    }
}
