import Cameras
import Controller
import NIOCore

/// Watches the machine's network by what the kernel tells of it, and asks for nothing while nothing changes.
///
/// Everything of it is to be called on the loop.
package final class NetworkWatcher {
    /// Bytes that may wait to be read before the kernel throws messages away. The system may allow less.
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
    /// What the last connection to a camera led to, which is how a name's address becomes known.
    private var opened: (camera: CameraAddress, remote: IPAddress)?

    /// - Parameters:
    ///   - receiveBufferSize: see ``usualReceiveBufferSize``.
    ///   - resyncInterval: when messages were lost, all is asked for again, but not more often than so.
    ///   - onSnapshot: called with how the network is, whenever it is otherwise than before.
    ///   - onNote: called with a sentence for the journal; each is told once.
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

    /// Begins to watch. A machine that does not let us is told of by a note, and no snapshot comes.
    package func start() {
        precondition(routes == nil, "it was started")
        do {
            routes = try RouteWatcher(
                on: eventLoop,
                receiveBufferSize: receiveBufferSize,
                resyncInterval: resyncInterval,
                onSettled: { [weak self] in self?.tell() },
                onNote: onNote
            )
        } catch {
            onNote(
                """
                The kernel does not tell of the network (rtnetlink: \(error)): whether this computer is in the \
                camera's network is not known, and cameras are found at known addresses only. In a sandbox, allow \
                sockets of the family AF_NETLINK.
                """
            )
            return
        }
        routes?.destination = destination
        do {
            radios = try WiFiWatcher(
                on: eventLoop,
                resyncInterval: resyncInterval,
                onNews: { [weak self] in self?.tellRadios() },
                onNote: onNote
            )
        } catch {
            onNote("The kernel does not tell of radios (nl80211: \(error)): the SSID is unknown.")
        }
    }

    /// Names the address whose route is told; nil: none.
    package func watchRoute(_ address: CameraAddress?) {
        watched = address
        routes?.destination = destination
    }

    /// A connection to a camera was opened: where a name led to is known now. Of another address than the watched one,
    /// as a search tries them, nothing is kept.
    package func noteOpened(_ address: CameraAddress, remote: IPAddress) {
        guard address == watched else { return }
        opened = (address, remote)
        routes?.destination = destination
    }

    /// Ends it; nothing is told any more.
    package func close() {
        routes?.close()
        radios?.close()
        routes = nil
        radios = nil
    }

    /// How often all was asked for, the first time included.
    var dumpCount: Int { routes?.dumpCount ?? 0 }

    private var destination: RouteDestination {
        RouteDestination(watched, known: opened.flatMap { $0.camera == watched ? $0.remote : nil })
    }

    /// Links and routes do not wait for what is asked about radios, but the first time, so that it is whole.
    private func tell() {
        guard let routes, routes.isSettled, last != nil || radios?.hasAsked ?? true else { return }
        let interfaces = routes.tables.interfaces(radios: radios?.radios ?? [:])
        tell(NetworkSnapshot(interfaces: interfaces, route: routes.finding))
    }

    /// Neither do radios wait for links and routes: whose network was left matters at once.
    private func tellRadios() {
        guard let routes, !routes.isSettled, var snapshot = last else { return tell() }
        for place in snapshot.interfaces.indices {
            snapshot.interfaces[place].radio = radios?.radios[snapshot.interfaces[place].index]
        }
        tell(snapshot)
    }

    private func tell(_ snapshot: NetworkSnapshot) {
        guard snapshot != last else { return }
        last = snapshot
        onSnapshot(snapshot)
    }
}
