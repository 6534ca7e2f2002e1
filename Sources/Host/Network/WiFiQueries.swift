import CLinux
import Cameras
import Controller
import Glibc

/// The requests to nl80211 for the network that each radio interface is joined to.
///
/// First the family is resolved, then all radios are queried. For each radio in station mode the scan results are
/// queried, in which the kernel marks the joined access point. After each event of a radio, that radio is queried
/// again, because kernels leave out different details in events.
///
/// The kernel performs a request during the send call, on the loop's thread. The daemon therefore sends only requests
/// that the kernel answers from memory. The signal comes from the scan results, because NL80211_CMD_GET_STATION would
/// query the driver and the chip.
struct WiFiQueries {
    enum Request: Hashable {
        case family
        case interfaces
        case interface(UInt32)
        case accessPoints(UInt32)
    }

    /// The action that the owner of the socket must take next.
    enum Outcome: Equatable {
        case join(groups: [UInt32])
        /// The answer may be inconsistent. The owner must call ``begin()``.
        case beginAgain
        /// The state cannot be read; the text is the system's reason. The kernel reports when this changes.
        case unknown(String)
        /// Part of the state cannot be read; the text is the system's reason. The earlier state is kept. The owner must
        /// call ``begin()`` after a growing pause.
        case refused(String)
    }

    /// The state of an interface while it is being queried.
    private struct InterfaceDraft {
        var joins: Bool
        var ssid: [UInt8]?
        var point: (bssid: [UInt8], ssid: [UInt8]?, signal: Int?)?

        /// The state of the radio; nil: the network's name is not known. The name in the radio's settings has priority
        /// over the name in a beacon, which may be hidden.
        var radio: NetworkInterface.Radio? {
            guard joins else { return .apart }
            // A name in the settings does not prove a connection, because it is set when the radio begins to join.
            guard let point else { return .apart }
            for name in [ssid, point.ssid].compactMap({ $0 }) {
                let joined = NetworkInterface.AccessPoint(
                    ssid: name,
                    bssid: point.bssid,
                    signal: point.signal
                )
                if let joined { return .joined(joined) }
            }
            return nil
        }
    }

    /// The maximum number of radios. A computer that controls cameras has fewer.
    private static let radiosMax = 64

    private var requests: NetlinkRequests<Request>
    private var family: WiFiFamily?
    private var drafts: [UInt32: InterfaceDraft] = [:]
    /// The reason why a message of the current answer could not be read.
    private var fault: NetlinkMessage.Fault?
    private(set) var radios: [UInt32: NetworkInterface.Radio] = [:]

    /// - Parameter port: the kernel's number for our socket.
    init(port: UInt32) {
        requests = NetlinkRequests(port: port)
    }

    var isIdle: Bool { requests.isIdle }

    /// Discards all requests, then queries everything again.
    mutating func begin() {
        giveUp()
        requests.ask(family == nil ? .family : .interfaces)
    }

    mutating func giveUp() {
        requests.giveUp()
        drafts = [:]
        fault = nil
    }

    /// The request to send now; nil: no request.
    mutating func next() -> [UInt8]? {
        guard let (request, sequence) = requests.next() else { return nil }
        guard let family else { return WiFiFamily.ask(sequence: sequence) }
        switch request {
        case .family: return WiFiFamily.ask(sequence: sequence)
        case .interfaces: return WiFiMessage.askInterfaces(of: family, sequence: sequence)
        case .interface(let index): return WiFiMessage.askInterface(index, of: family, sequence: sequence)
        case .accessPoints(let index): return WiFiMessage.askAccessPoints(index, of: family, sequence: sequence)
        }
    }

    mutating func receive(_ message: NetlinkMessage) throws(NetlinkMessage.Fault) -> Outcome? {
        if message.isOverrun { return .beginAgain }
        let reception = try requests.receive(message)
        switch reception {
        case .stale: return nil
        case .notification, .answer:
            do {
                return try read(message, isNotification: reception == .notification)
            } catch {
                if reception != .notification { fault = error }
                throw error
            }
        case .end(let request, let refusal, let isInterrupted):
            let reason = refusal.code == 0 ? fault?.description : "\(refusal)"
            fault = nil
            return isInterrupted ? .beginAgain : ended(request, code: refusal.code, reason)
        }
    }

    private mutating func read(
        _ message: NetlinkMessage,
        isNotification: Bool
    ) throws(NetlinkMessage.Fault) -> Outcome? {
        if let family = try WiFiFamily(message) { return adopt(family) }
        guard let family, let message = try WiFiMessage(message, of: family) else { return nil }
        if isNotification { apply(message) } else { answered(message) }
        return nil
    }

    private mutating func adopt(_ family: WiFiFamily) -> Outcome? {
        guard family != self.family else { return nil }
        self.family = family
        // The interfaces are queried after the groups are joined, so that no change between the two is missed.
        requests.ask(.interfaces)
        return .join(groups: [family.connectionsGroup, family.settingsGroup].compactMap { $0 })
    }

    private mutating func apply(_ message: WiFiMessage) {
        switch message {
        case .interface(let index, _, _): askAgain(index)
        case .interfaceGone(let index): forget(index)
        case .changed(let index, let left):
            // A lost network is reported without waiting for the query, because work that needs the network must stop.
            if left, radios[index] != nil { radios[index] = .apart }
            askAgain(index)
        case .accessPoint: break
        }
    }

    private mutating func askAgain(_ index: UInt32) {
        guard radios[index] != nil || radios.count < Self.radiosMax else { return }
        requests.ask(.interface(index))
    }

    private mutating func answered(_ answer: WiFiMessage) {
        switch answer {
        case .interface(let index, let joins, let ssid):
            guard drafts.count < Self.radiosMax || drafts[index] != nil else { return }
            drafts[index] = InterfaceDraft(joins: joins, ssid: ssid)
        case .accessPoint(let index, let bssid, let ssid, let signal):
            drafts[index]?.point = (bssid, ssid, signal)
        case .interfaceGone, .changed: break
        }
    }

    /// - Parameter reason: why the answer is incomplete; nil: the answer is complete.
    private mutating func ended(_ request: Request, code: CInt, _ reason: String?) -> Outcome? {
        switch request {
        case .family:
            // A kernel without radios has no such family.
            return reason.map { code == ENOENT ? .unknown($0) : .refused($0) }
        case .interfaces:
            if reason == nil { radios = radios.filter { drafts[$0.key] != nil } }
            for index in drafts.keys.sorted() { askHow(index) }
        case .interface(let index):
            if reason == nil { askHow(index) } else { drop(index, code: code) }
        case .accessPoints(let index):
            // An incomplete answer without a joined access point does not prove that the radio is disconnected.
            if reason == nil { finish(index) } else { drop(index, code: code) }
        }
        return reason.flatMap { code == ENODEV ? nil : .refused($0) }
    }

    /// Keeps the earlier state of an interface, unless the interface is gone.
    private mutating func drop(_ index: UInt32, code: CInt) {
        if code == ENODEV { forget(index) } else { drafts[index] = nil }
    }

    private mutating func askHow(_ index: UInt32) {
        guard drafts[index]?.joins == true else { return finish(index) }
        requests.ask(.accessPoints(index))
    }

    private mutating func forget(_ index: UInt32) {
        drafts[index] = nil
        radios[index] = nil
    }

    private mutating func finish(_ index: UInt32) {
        guard let draft = drafts.removeValue(forKey: index) else { return }
        let radio = draft.radio
        // The signal changes constantly. The value from the time of joining is kept.
        if case .joined(let before) = radios[index], case .joined(let now) = radio,
            (before.bssid, before.ssid) == (now.bssid, now.ssid)
        {
            return
        }
        radios[index] = radio
    }
}
