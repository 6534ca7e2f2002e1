import Cameras
import Controller
import NIOCore

/// Does what finding cameras takes: sockets for SSDP. To be used on the event loop only, and to be closed.
package final class Discovery {
    private let sockets: DiscoverySockets

    /// - Parameters:
    ///   - isRelevant: whether a datagram is put on the queue. Messages of other devices change nothing and would fill
    ///     the flight recorder.
    ///   - onInput: gets ``Input/ssdp(_:)``; to be put on the queue.
    ///   - onNote: gets sentences for the journal; each once, until what it says got better.
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

    /// Closes all; nothing is told any more.
    package func close() {
        sockets.close()
    }
}
