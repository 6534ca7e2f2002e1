import CLinux
import Cameras
import Controller
import Glibc
import NIOCore

/// Where packets are to go, whose route is asked for.
enum RouteDestination: Equatable {
    case nowhere
    /// A name of which no address is known.
    case unknown
    /// - Parameter zone: the interface that an address means which every interface has its own network of.
    case address(IPAddress, zone: String?)

    /// - Parameter known: the address that a connection to it led to.
    init(_ camera: CameraAddress?, known: IPAddress?) {
        if let camera, let address = IPAddress(camera.host) ?? known {
            let zone = camera.host.split(separator: "%", maxSplits: 1).dropFirst().first
            self = .address(address, zone: zone.map(String.init))
        } else {
            self = camera == nil ? .nowhere : .unknown
        }
    }
}

/// Keeps the tables of interfaces and addresses as the kernel has them, and asks it for the route to one address
/// whenever something changed (rtnetlink(7)).
final class RouteWatcher {
    private enum Request: Hashable {
        case links
        case addresses
        case route(to: IPAddress, by: UInt32?)
    }

    /// What the kernel is to tell of by itself.
    private static let groups = [
        RTNLGRP_LINK, RTNLGRP_IPV4_IFADDR, RTNLGRP_IPV6_IFADDR, RTNLGRP_IPV4_ROUTE, RTNLGRP_IPV6_ROUTE,
        RTNLGRP_IPV4_RULE, RTNLGRP_IPV6_RULE,
    ]
    /// How often one route is asked for anew because something changed meanwhile, before the last answer has to do.
    private static let repetitionsMax = 16
    /// How often all is asked for anew because an answer could not be read, before what could be has to do.
    private static let misreadingsMax = 3
    private static let notesMax = 8

    private let socket: NetlinkSocket
    private let onSettled: () -> Void
    private let onNote: (String) -> Void
    private var pacer: Pacer?
    private var dialogue: NetlinkDialogue<Request>
    private(set) var tables = NetworkTables()
    /// What a dump builds up, together with what happens meanwhile; nil: ``tables`` is true.
    private var draft: NetworkTables?
    private(set) var finding = RouteFinding.unwatched
    /// What the kernel answered to the last request for a route, until it says that this was all.
    private var answer: RouteRecord?
    private var repetitionCount = 0
    private var misreadingCount = 0
    /// Something changed since the route was asked for.
    private var isRouteStale = true
    /// How often all was asked for, the first time included.
    private(set) var dumpCount = 0
    private var notes: Set<String> = []

    var destination = RouteDestination.nowhere {
        didSet {
            guard destination != oldValue else { return }
            isRouteStale = true
            settle()
        }
    }

    /// - Parameter onSettled: called when the tables and the route are those of one moment, as far as is known.
    init(
        on eventLoop: any EventLoop,
        receiveBufferSize: CInt,
        resyncInterval: TimeAmount,
        onSettled: @escaping () -> Void,
        onNote: @escaping (String) -> Void
    ) throws(SystemError) {
        socket = try NetlinkSocket(family: NETLINK_ROUTE, receiveBufferSize: receiveBufferSize, on: eventLoop)
        dialogue = NetlinkDialogue(port: socket.port)
        self.onSettled = onSettled
        self.onNote = onNote
        socket.onMessages = { [weak self] in self?.heard($0, $1) }
        socket.onPause = { [weak self] in self?.settle() }
        socket.onLoss = { [weak self] in self?.pacer?.request() }
        socket.onRefusal = { [weak self] in self?.pacer?.requestAfterRefusal() }
        pacer = Pacer(on: eventLoop, interval: resyncInterval) { [weak self] in self?.beginAnew() }
        // Before the dump, so that nothing is missed between the two.
        for group in Self.groups { socket.join(group: group.rawValue) }
        pacer?.request()
    }

    func close() {
        pacer?.cancel()
        socket.close()
    }

    /// Whether the tables and the route are those of one moment.
    var isSettled: Bool { draft == nil && dialogue.isIdle && !isRouteStale && pacer?.isPending == false }

    private func beginAnew() {
        socket.listen()
        dumpCount += 1
        draft = NetworkTables()
        dialogue.giveUp()
        dialogue.ask(.links)
        dialogue.ask(.addresses)
        sendNext()
    }

    private func sendNext() {
        guard let (request, sequence) = dialogue.next() else { return }
        do {
            switch request {
            case .links: try socket.send(RouteMessage.askLinks(sequence: sequence))
            case .addresses: try socket.send(RouteMessage.askAddresses(sequence: sequence))
            case .route(let address, let interface):
                answer = nil
                try socket.send(RouteMessage.askRoute(to: address, by: interface, sequence: sequence))
            }
        } catch {
            note("The kernel cannot be asked for the network: \(error). It is asked again.")
            pacer?.requestAfterRefusal()
        }
    }

    private func heard(_ messages: [NetlinkMessage], _ fault: NetlinkMessage.Fault?) {
        for message in messages {
            do {
                try heard(message)
            } catch {
                misread(error)
            }
        }
        if let fault { misread(fault) }
    }

    private func heard(_ message: NetlinkMessage) throws(NetlinkMessage.Fault) {
        if message.isOverrun { return pacer?.request() ?? () }
        switch try dialogue.hear(message) {
        case .stale: break
        case .news:
            guard let news = try RouteMessage(message) else { return }
            isRouteStale = true
            apply(news)
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
            """
            This computer has more than \(NetworkTables.interfacesMax) interfaces or \(NetworkTables.addressesMax) \
            addresses of one: what is more is left out, and a camera there is not found.
            """
        )
    }

    private func ended(_ request: Request, _ refusal: NetlinkMessage.Refusal, isInterrupted: Bool) {
        switch request {
        case .links, .addresses:
            guard refusal.code == 0, !isInterrupted else {
                if refusal.code != 0 { note("The kernel does not tell of the network: \(refusal). It is asked again.") }
                dialogue.giveUp()
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

    /// Asks for the route if it may be another one, and says when all is known.
    private func settle() {
        guard draft == nil, dialogue.isIdle, pacer?.isPending == false else { return }
        if isRouteStale, repetitionCount < Self.repetitionsMax {
            isRouteStale = false
            askRoute()
            if !dialogue.isIdle {
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
            dialogue.ask(.route(to: address, by: nil))
            sendNext()
        case .address(let address, let zone?):
            guard let interface = tables.index(ofName: zone) ?? UInt32(zone) else {
                finding = .none(reason: "There is no interface \(zone)")
                return
            }
            dialogue.ask(.route(to: address, by: interface))
            sendNext()
        }
    }

    private func misread(_ fault: NetlinkMessage.Fault) {
        note("The kernel told something of the network that is not understood: \(fault). It is passed over.")
        // Of what happens a part is enough, as the route is asked for all the same; not of an answer, whose end may be
        // what was not read.
        guard !dialogue.isIdle, misreadingCount < Self.misreadingsMax else { return }
        misreadingCount += 1
        dialogue.giveUp()
        pacer?.requestAfterRefusal()
    }

    /// Each is told once, and there are only so many.
    private func note(_ text: String) {
        guard notes.count < Self.notesMax, notes.insert(text).inserted else { return }
        onNote(text)
    }
}
