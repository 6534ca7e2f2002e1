import Cameras
import Controller
import NIOCore

/// Watches the machine's network through the kernel's messages. Sends no queries while nothing changes.
///
/// All calls must be made on the loop.
package final class NetworkWatcher {
    /// Bytes that may wait before the kernel drops messages. The system may allow less.
    package static let usualReceiveBufferSize: CInt = 1_048_576

    private let eventLoop: any EventLoop
    private let receiveBufferSize: CInt
    private let resyncInterval: TimeAmount
    private let onSnapshot: (NetworkSnapshot) -> Void
    private let onNote: (String) -> Void
    private var routes: RouteWatcher?
    private var radios: WiFiWatcher?
    private var last: NetworkSnapshot?
    private var watched: CameraAddress?
    /// The address that the last connection to a camera led to, which resolves a name.
    private var opened: (camera: CameraAddress, remote: IPAddress)?

    /// - Parameters:
    ///   - receiveBufferSize: see ``usualReceiveBufferSize``.
    ///   - resyncInterval: the shortest interval between full queries after lost messages.
    ///   - onSnapshot: called with the state of the network after each change.
    ///   - onNote: called with a sentence for the journal, each once.
    package init(
        eventLoop: any EventLoop,
        receiveBufferSize: CInt = NetworkWatcher.usualReceiveBufferSize,
        resyncInterval: TimeAmount = .milliseconds(100),
        onSnapshot: @escaping (NetworkSnapshot) -> Void,
        onNote: @escaping (String) -> Void
    ) {
        self.eventLoop = eventLoop
        self.receiveBufferSize = receiveBufferSize
        self.resyncInterval = resyncInterval
        self.onSnapshot = onSnapshot
        self.onNote = onNote
    }

    /// Begins to watch. If the machine does not permit it, a note says so and no snapshot comes.
    package func start() {
        precondition(routes == nil, "the watch was already started")
        do {
            routes = try RouteWatcher(
                on: eventLoop,
                receiveBufferSize: receiveBufferSize,
                resyncInterval: resyncInterval,
                onSettled: { [weak self] in self?.report() },
                onNote: onNote
            )
        } catch {
            onNote(NetworkHostSentences.networkUnreadable(error))
            return
        }
        routes?.destination = destination
        do {
            radios = try WiFiWatcher(
                on: eventLoop,
                resyncInterval: resyncInterval,
                onUpdate: { [weak self] in self?.reportRadios() },
                onNote: onNote
            )
        } catch {
            onNote(NetworkHostSentences.wifiUnreadable(reason: "\(error)"))
        }
    }

    /// Sets the address whose route is reported; nil: none.
    package func watchRoute(_ address: CameraAddress?) {
        watched = address
        routes?.destination = destination
    }

    /// Notes the address of an opened connection, which resolves the watched name. Other addresses, which a search
    /// tries, are ignored.
    package func noteOpened(_ address: CameraAddress, remote: IPAddress) {
        guard address == watched else { return }
        opened = (address, remote)
        routes?.destination = destination
    }

    /// Ends watching; nothing is reported afterwards.
    package func close() {
        routes?.close()
        radios?.close()
        routes = nil
        radios = nil
    }

    /// The number of full queries, including the first.
    var dumpCount: Int { routes?.dumpCount ?? 0 }

    private var destination: RouteDestination {
        RouteDestination(watched, known: opened.flatMap { $0.camera == watched ? $0.remote : nil })
    }

    /// Links and routes wait for the query about radios only the first time, so that the first snapshot is complete.
    private func report() {
        guard let routes, routes.isSettled, last != nil || radios?.hasAsked ?? true else { return }
        let interfaces = routes.tables.interfaces(radios: radios?.radios ?? [:])
        report(NetworkSnapshot(interfaces: interfaces, route: routes.finding))
    }

    /// Radios do not wait for links and routes, because a lost network matters at once.
    private func reportRadios() {
        guard let routes, !routes.isSettled, var snapshot = last else { return report() }
        for place in snapshot.interfaces.indices {
            snapshot.interfaces[place].radio = radios?.radios[snapshot.interfaces[place].index]
        }
        report(snapshot)
    }

    private func report(_ snapshot: NetworkSnapshot) {
        guard snapshot != last else { return }
        last = snapshot
        onSnapshot(snapshot)
    }
}
