import Cameras
import Controller
import NIOCore

/// Watches the machine's network through the kernel's messages. Sends no queries while nothing changes.
///
/// All calls must be made on the loop.
package final class NetworkWatcher {
    /// The maximum number of waiting bytes before the kernel drops messages. The system may allow fewer.
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
    /// The camera of the most recent connection, and the IP address of that connection.
    private var opened: (camera: CameraAddress, remote: IPAddress)?

    /// - Parameters:
    ///   - receiveBufferSize: see ``usualReceiveBufferSize``.
    ///   - resyncInterval: the shortest interval between full queries after lost messages.
    ///   - onSnapshot: called with the state of the network after each change.
    ///   - onNote: called with sentences for the journal, once for each sentence.
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

    /// Begins to watch. If the machine does not permit this, a note says so and no snapshot is reported.
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

    /// Sets the address for which the route is reported; nil: no route is reported.
    package func watchRoute(_ address: CameraAddress?) {
        watched = address
        routes?.destination = destination
    }

    /// Notes the IP address of an open connection to the watched camera, whose configured address can be a host name.
    /// Ignores connections that a search opens to other addresses.
    package func noteOpened(_ address: CameraAddress, remote: IPAddress) {
        guard address == watched else { return }
        opened = (address, remote)
        routes?.destination = destination
    }

    /// Ends the watch. Nothing is reported afterwards.
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

    /// Reports a snapshot. The first snapshot also waits for the query about radios, so that it is complete.
    private func report() {
        guard let routes, routes.isSettled, last != nil || radios?.hasAsked ?? true else { return }
        let interfaces = routes.tables.interfaces(radios: radios?.radios ?? [:])
        report(NetworkSnapshot(interfaces: interfaces, route: routes.finding))
    }

    /// Reports changed radios without waiting for links and routes, because a lost network is urgent.
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
