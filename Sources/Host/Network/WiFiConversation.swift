import CLinux
import Cameras
import Controller
import Glibc

/// What is said between us and nl80211 until it is known what each radio interface is joined to.
///
/// The family is looked up, then all radios are asked for; of each that joins access points those that it heard are
/// asked for, among which the kernel marks the one it is joined to. Whenever something happens to a radio that one is
/// asked about anew: events leave out what matters, each kernel something else.
///
/// A request is worked on by the kernel while we send it, on the loop's thread. So only those are made that it answers
/// out of its own memory. What an access point is heard with comes from the list of those that were heard: that of the
/// station at the other end (NL80211_CMD_GET_STATION) would be asked of the driver, and by it of the chip.
struct WiFiConversation {
    enum Request: Hashable {
        case family
        case interfaces
        case interface(UInt32)
        case accessPoints(UInt32)
    }

    /// What a message asks of who reads the socket.
    enum Outcome: Equatable {
        case join(groups: [UInt32])
        /// What was told may be wrong: ``begin()`` is to be called.
        case beginAnew
        /// Nothing can be known, in the system's words; when that changes, the kernel says so.
        case unknown(String)
        /// Something is not known, in the system's words, and what was known of it before is kept: ``begin()`` is to be
        /// called, after a pause that grows.
        case refused(String)
    }

    /// What is known of an interface while it is asked about.
    private struct Draft {
        var joins: Bool
        var ssid: [UInt8]?
        var point: (bssid: [UInt8], ssid: [UInt8]?, signal: Int?)?

        /// The name by the radio's settings goes before the one heard in a beacon, where it can be hidden. nil: the
        /// name is not known.
        var radio: NetworkInterface.Radio? {
            guard joins else { return .apart }
            // A name in the settings alone is no proof: it is there from when the radio begins to join.
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

    /// More radios than a camera's computer has.
    private static let radiosMax = 64

    private var dialogue: NetlinkDialogue<Request>
    private var family: WiFiFamily?
    private var drafts: [UInt32: Draft] = [:]
    /// A message of the answer that comes now could not be read.
    private var fault: NetlinkMessage.Fault?
    private(set) var radios: [UInt32: NetworkInterface.Radio] = [:]

    /// - Parameter port: what the kernel calls our socket.
    init(port: UInt32) {
        dialogue = NetlinkDialogue(port: port)
    }

    /// Whether nothing more is to be asked.
    var isIdle: Bool { dialogue.isIdle }

    /// Forgets what was asked, and asks for all.
    mutating func begin() {
        giveUp()
        dialogue.ask(family == nil ? .family : .interfaces)
    }

    mutating func giveUp() {
        dialogue.giveUp()
        drafts = [:]
        fault = nil
    }

    /// The request to send now; nil: none.
    mutating func next() -> [UInt8]? {
        guard let (request, sequence) = dialogue.next() else { return nil }
        guard let family else { return WiFiFamily.ask(sequence: sequence) }
        switch request {
        case .family: return WiFiFamily.ask(sequence: sequence)
        case .interfaces: return WiFiMessage.askInterfaces(of: family, sequence: sequence)
        case .interface(let index): return WiFiMessage.askInterface(index, of: family, sequence: sequence)
        case .accessPoints(let index): return WiFiMessage.askAccessPoints(index, of: family, sequence: sequence)
        }
    }

    mutating func hear(_ message: NetlinkMessage) throws(NetlinkMessage.Fault) -> Outcome? {
        if message.isOverrun { return .beginAnew }
        let hearing = try dialogue.hear(message)
        switch hearing {
        case .stale: return nil
        case .news, .answer:
            do {
                return try read(message, isNews: hearing == .news)
            } catch {
                if hearing != .news { fault = error }
                throw error
            }
        case .end(let request, let refusal, let isInterrupted):
            let reason = refusal.code == 0 ? fault?.description : "\(refusal)"
            fault = nil
            return isInterrupted ? .beginAnew : ended(request, code: refusal.code, reason)
        }
    }

    private mutating func read(
        _ message: NetlinkMessage,
        isNews: Bool
    ) throws(NetlinkMessage.Fault) -> Outcome? {
        if let family = try WiFiFamily(message) { return adopt(family) }
        guard let family, let told = try WiFiMessage(message, of: family) else { return nil }
        if isNews { happened(told) } else { answered(told) }
        return nil
    }

    private mutating func adopt(_ family: WiFiFamily) -> Outcome? {
        guard family != self.family else { return nil }
        self.family = family
        // After the groups were joined, so that nothing is missed between the two.
        dialogue.ask(.interfaces)
        return .join(groups: [family.connectionsGroup, family.settingsGroup].compactMap { $0 })
    }

    private mutating func happened(_ news: WiFiMessage) {
        switch news {
        case .interface(let index, _, _): askAgain(index)
        case .interfaceGone(let index): forget(index)
        case .changed(let index, let left):
            // Not to wait for the answer: what hangs on it is to stop at once.
            if left, radios[index] != nil { radios[index] = .apart }
            askAgain(index)
        case .accessPoint: break
        }
    }

    private mutating func askAgain(_ index: UInt32) {
        guard radios[index] != nil || radios.count < Self.radiosMax else { return }
        dialogue.ask(.interface(index))
    }

    private mutating func answered(_ answer: WiFiMessage) {
        switch answer {
        case .interface(let index, let joins, let ssid):
            guard drafts.count < Self.radiosMax || drafts[index] != nil else { return }
            drafts[index] = Draft(joins: joins, ssid: ssid)
        case .accessPoint(let index, let bssid, let ssid, let signal):
            drafts[index]?.point = (bssid, ssid, signal)
        case .interfaceGone, .changed: break
        }
    }

    /// - Parameter reason: why the answer is not whole; nil: it is.
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
            // That none was told is no proof then that it is joined to none.
            if reason == nil { finish(index) } else { drop(index, code: code) }
        }
        return reason.flatMap { code == ENODEV ? nil : .refused($0) }
    }

    /// What was known of an interface is kept, unless it is gone.
    private mutating func drop(_ index: UInt32, code: CInt) {
        if code == ENODEV { forget(index) } else { drafts[index] = nil }
    }

    private mutating func askHow(_ index: UInt32) {
        guard drafts[index]?.joins == true else { return finish(index) }
        dialogue.ask(.accessPoints(index))
    }

    private mutating func forget(_ index: UInt32) {
        drafts[index] = nil
        radios[index] = nil
    }

    private mutating func finish(_ index: UInt32) {
        guard let draft = drafts.removeValue(forKey: index) else { return }
        let radio = draft.radio
        // The signal changes all the time: it is that of when the radio joined.
        if case .joined(let before) = radios[index], case .joined(let now) = radio,
            (before.bssid, before.ssid) == (now.bssid, now.ssid)
        {
            return
        }
        radios[index] = radio
    }
}
