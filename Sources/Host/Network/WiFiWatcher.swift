import CLinux
import Controller
import Glibc
import NIOCore

/// Watches the network that each radio interface is joined to, as nl80211 reports it.
final class WiFiWatcher {
    private static let notesMax = 8
    private static let receiveBufferSize: CInt = 262_144

    private let socket: NetlinkSocket
    private let onUpdate: () -> Void
    private let onNote: (String) -> Void
    private var pacer: Pacer?
    private var queries: WiFiQueries
    private var notes: Set<String> = []
    /// Whether a request was refused since the last full query.
    private var isRefused = false
    /// Whether a full query has ended, with or without an error.
    private(set) var hasAsked = false

    /// - Parameter onNews: called when ``radios`` or ``hasAsked`` may have changed.
    init(
        on eventLoop: any EventLoop,
        resyncInterval: TimeAmount,
        onUpdate: @escaping () -> Void,
        onNote: @escaping (String) -> Void
    ) throws(SystemError) {
        socket = try NetlinkSocket(family: NETLINK_GENERIC, receiveBufferSize: Self.receiveBufferSize, on: eventLoop)
        queries = WiFiQueries(port: socket.port)
        self.onUpdate = onUpdate
        self.onNote = onNote
        socket.onMessages = { [weak self] in self?.receive($0, $1) }
        socket.onPause = { [weak self] in self?.settle() }
        socket.onLoss = { [weak self] in self?.pacer?.request() }
        socket.onRefusal = { [weak self] in self?.refused() }
        pacer = Pacer(on: eventLoop, interval: resyncInterval) { [weak self] in self?.beginAgain() }
        // This group reports when the family appears, for example when the first radio is plugged in.
        socket.join(group: UInt32(GENL_ID_CTRL))
        pacer?.request()
    }

    func close() {
        pacer?.cancel()
        socket.close()
    }

    var radios: [UInt32: NetworkInterface.Radio] { queries.radios }

    private func beginAgain() {
        isRefused = false
        socket.listen()
        queries.begin()
        settle()
    }

    /// Sends the next request, and reports what is known. A disconnected radio is reported at once.
    private func settle() {
        do {
            if let request = queries.next() { try socket.send(request) }
        } catch {
            queries.giveUp()
            noteUnknown("\(error)")
            refused()
        }
        if queries.isIdle {
            hasAsked = true
            if !isRefused { pacer?.succeeded() }
        }
        onUpdate()
    }

    private func refused() {
        isRefused = true
        pacer?.requestAfterRefusal()
    }

    private func receive(_ messages: [NetlinkMessage], _ fault: NetlinkMessage.Fault?) {
        for message in messages {
            do {
                switch try queries.receive(message) {
                case .join(let groups): for group in groups { socket.join(group: group) }
                case .beginAgain:
                    queries.giveUp()
                    pacer?.request()
                case .unknown(let reason): noteUnknown(reason)
                case .refused(let reason):
                    noteUnknown(reason)
                    refused()
                case nil: break
                }
            } catch {
                noteFault(error)
            }
        }
        guard let fault else { return }
        noteFault(fault)
        // The unreadable message may have been the last message of an answer.
        guard !queries.isIdle else { return }
        queries.giveUp()
        refused()
    }

    private func noteUnknown(_ reason: String) {
        note(NetworkHostSentences.wifiUnreadable(reason: reason))
    }

    private func noteFault(_ fault: NetlinkMessage.Fault) {
        note(NetworkHostSentences.wifiMessageInvalid(fault))
    }

    /// Makes each note once, and at most ``notesMax`` notes.
    private func note(_ text: String) {
        guard notes.count < Self.notesMax, notes.insert(text).inserted else { return }
        onNote(text)
    }
}
