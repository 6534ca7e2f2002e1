import CLinux
import Cameras
import Controller
import Glibc
import NIOCore

enum RouteDestination: Equatable {
    case nowhere
    /// A host name whose IP address is not known.
    case unknown
    /// - Parameter zone: the interface of a link-local address.
    case address(IPAddress, zone: String?)

    /// - Parameter known: the IP address of an earlier connection to the camera.
    init(_ camera: CameraAddress?, known: IPAddress?) {
        if let camera, let address = IPAddress(camera.host) ?? known {
            let zone = camera.host.split(separator: "%", maxSplits: 1).dropFirst().first
            self = .address(address, zone: zone.map(String.init))
        } else {
            self = camera == nil ? .nowhere : .unknown
        }
    }
}

/// Keeps a copy of the kernel's interfaces and addresses. Queries the route to one address after each change
/// (rtnetlink(7)).
final class RouteWatcher {
    private enum Request: Hashable {
        case links
        case addresses
        case route(to: IPAddress, by: UInt32?)
    }

    /// The multicast groups of the kernel's messages.
    private static let groups = [
        RTNLGRP_LINK, RTNLGRP_IPV4_IFADDR, RTNLGRP_IPV6_IFADDR, RTNLGRP_IPV4_ROUTE, RTNLGRP_IPV6_ROUTE,
        RTNLGRP_IPV4_RULE, RTNLGRP_IPV6_RULE,
    ]
    /// How often a route query is repeated because something changed during it. After that, the last answer is used.
    private static let repetitionsMax = 16
    /// How often a full query is repeated after unreadable answers. After that, the readable part is used.
    private static let misreadingsMax = 3
    private static let notesMax = 8

    private let socket: NetlinkSocket
    private let onSettled: () -> Void
    private let onNote: (String) -> Void
    private var pacer: Pacer?
    private var requests: NetlinkRequests<Request>
    private(set) var tables = NetworkTables()
    /// The tables that a dump and the events during the dump build; nil while ``tables`` is current.
    private var draft: NetworkTables?
    private(set) var finding = RouteFinding.unwatched
    /// The kernel's answer to the last route request, until the answer is complete.
    private var answer: RouteRecord?
    private var repetitionCount = 0
    private var misreadingCount = 0
    /// Whether something changed since the last query of the route.
    private var isRouteStale = true
    /// The number of full queries, including the first.
    private(set) var dumpCount = 0
    private var notes: Set<String> = []

    var destination = RouteDestination.nowhere {
        didSet {
            guard destination != oldValue else { return }
            isRouteStale = true
            settle()
        }
    }

    /// - Parameter onSettled: called when the tables and the route describe the same moment, as far as is known.
    init(
        on eventLoop: any EventLoop,
        receiveBufferSize: CInt,
        resyncInterval: TimeAmount,
        onSettled: @escaping () -> Void,
        onNote: @escaping (String) -> Void
    ) throws(SystemError) {
        socket = try NetlinkSocket(family: NETLINK_ROUTE, receiveBufferSize: receiveBufferSize, on: eventLoop)
        requests = NetlinkRequests(port: socket.port)
        self.onSettled = onSettled
        self.onNote = onNote
        socket.onMessages = { [weak self] in self?.receive($0, $1) }
        socket.onPause = { [weak self] in self?.settle() }
        socket.onLoss = { [weak self] in self?.pacer?.request() }
        socket.onRefusal = { [weak self] in self?.pacer?.requestAfterRefusal() }
        pacer = Pacer(on: eventLoop, interval: resyncInterval) { [weak self] in self?.beginAgain() }
        // The groups are joined before the dump, so that no change between the two is missed.
        for group in Self.groups { socket.join(group: group.rawValue) }
        pacer?.request()
    }

    func close() {
        pacer?.cancel()
        socket.close()
    }

    /// Whether the tables and the route describe the same moment.
    var isSettled: Bool { draft == nil && requests.isIdle && !isRouteStale && pacer?.isPending == false }

    private func beginAgain() {
        socket.listen()
        dumpCount += 1
        draft = NetworkTables()
        requests.giveUp()
        requests.ask(.links)
        requests.ask(.addresses)
        sendNext()
    }

    private func sendNext() {
        guard let (request, sequence) = requests.next() else { return }
        do {
            switch request {
            case .links: try socket.send(RouteMessage.askLinks(sequence: sequence))
            case .addresses: try socket.send(RouteMessage.askAddresses(sequence: sequence))
            case .route(let address, let interface):
                answer = nil
                try socket.send(RouteMessage.askRoute(to: address, by: interface, sequence: sequence))
            }
        } catch {
            note(NetworkHostSentences.networkNotQueried(error))
            pacer?.requestAfterRefusal()
        }
    }

    private func receive(_ messages: [NetlinkMessage], _ fault: NetlinkMessage.Fault?) {
        for message in messages {
            do {
                try receive(message)
            } catch {
                misread(error)
            }
        }
        if let fault { misread(fault) }
    }

    private func receive(_ message: NetlinkMessage) throws(NetlinkMessage.Fault) {
        if message.isOverrun { return pacer?.request() ?? () }
        switch try requests.receive(message) {
        case .stale: break
        case .notification:
            guard let notification = try RouteMessage(message) else { return }
            isRouteStale = true
            apply(notification)
        case .answer(.route):
            if case .route(let route) = try RouteMessage(message) { answer = route }
        case .answer:
            if let row = try RouteMessage(message) { apply(row) }
        case .end(let request, let refusal, let isInterrupted):
            ended(request, refusal, isInterrupted: isInterrupted)
        }
    }

    private func apply(_ message: RouteMessage) {
        draft?.apply(message)
        if draft == nil { tables.apply(message) }
        guard draft?.isOverfull ?? tables.isOverfull else { return }
        note(
            NetworkHostSentences.tooManyInterfaces(
                interfacesMax: NetworkTables.interfacesMax,
                addressesMax: NetworkTables.addressesMax
            )
        )
    }

    private func ended(_ request: Request, _ refusal: NetlinkMessage.Refusal, isInterrupted: Bool) {
        switch request {
        case .links, .addresses:
            guard refusal.code == 0, !isInterrupted else {
                if refusal.code != 0 { note(NetworkHostSentences.networkRequestRejected(refusal)) }
                requests.giveUp()
                if refusal.code == 0 { pacer?.request() } else { pacer?.requestAfterRefusal() }
                return
            }
            if request == .addresses, let draft {
                pacer?.succeeded()
                tables = draft
                self.draft = nil
                isRouteStale = true
            }
            sendNext()
        case .route(let address, _):
            finding = finding(to: address, refusal)
        }
    }

    private func finding(to address: IPAddress, _ refusal: NetlinkMessage.Refusal) -> RouteFinding {
        guard refusal.code == 0 else { return .none(reason: "\(refusal)") }
        guard let answer, let interface = answer.interface else { return .unknown }
        if let obstacle = answer.obstacle { return .none(reason: obstacle) }
        return .found(
            Controller.CameraRoute(
                to: address,
                interface: interface,
                source: answer.source,
                gateway: answer.gateway,
                isLocal: answer.type == UInt8(RTN_LOCAL)
            )
        )
    }

    /// Queries the route if it may have changed. Reports the tables and the route when both are known.
    private func settle() {
        guard draft == nil, requests.isIdle, pacer?.isPending == false else { return }
        if isRouteStale, repetitionCount < Self.repetitionsMax {
            isRouteStale = false
            askRoute()
            if !requests.isIdle {
                repetitionCount += 1
                return
            }
        }
        repetitionCount = 0
        isRouteStale = false
        onSettled()
    }

    private func askRoute() {
        switch destination {
        case .nowhere: finding = .unwatched
        case .unknown: finding = .unknown
        case .address(let address, nil):
            requests.ask(.route(to: address, by: nil))
            sendNext()
        case .address(let address, let zone?):
            guard let interface = tables.index(ofName: zone) ?? UInt32(zone) else {
                finding = .none(reason: NetworkHostSentences.noInterface(zone))
                return
            }
            requests.ask(.route(to: address, by: interface))
            sendNext()
        }
    }

    private func misread(_ fault: NetlinkMessage.Fault) {
        note(NetworkHostSentences.networkMessageInvalid(fault))
        // An unreadable event is harmless, because the route is queried anyway. An unreadable answer is not harmless,
        // because its end can be missing.
        guard !requests.isIdle, misreadingCount < Self.misreadingsMax else { return }
        misreadingCount += 1
        requests.giveUp()
        pacer?.requestAfterRefusal()
    }

    /// Makes each note once, and at most ``notesMax`` notes.
    private func note(_ text: String) {
        guard notes.count < Self.notesMax, notes.insert(text).inserted else { return }
        onNote(text)
    }
}
