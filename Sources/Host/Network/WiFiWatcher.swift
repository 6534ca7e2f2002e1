import CLinux
import Controller
import Glibc
import NIOCore

/// Keeps the network that each radio interface is joined to, from nl80211.
final class WiFiWatcher {
    private static let notesMax = 8
    private static let receiveBufferSize: CInt = 262_144

    private let socket: NetlinkSocket
    private let onNews: () -> Void
    private let onNote: (String) -> Void
    private var pacer: Pacer?
    private var conversation: WiFiConversation
    private var notes: Set<String> = []
    /// Whether a request was refused since the last full query.
    private var isRefused = false
    /// Whether a full query has ended, with any result.
    private(set) var hasAsked = false

    /// - Parameter onNews: called when ``radios`` or ``hasAsked`` may have changed.
    init(
        on eventLoop: any EventLoop,
        resyncInterval: TimeAmount,
        onNews: @escaping () -> Void,
        onNote: @escaping (String) -> Void
    ) throws(SystemError) {
        socket = try NetlinkSocket(family: NETLINK_GENERIC, receiveBufferSize: Self.receiveBufferSize, on: eventLoop)
        conversation = WiFiConversation(port: socket.port)
        self.onNews = onNews
        self.onNote = onNote
        socket.onMessages = { [weak self] in self?.heard($0, $1) }
        socket.onPause = { [weak self] in self?.settle() }
        socket.onLoss = { [weak self] in self?.pacer?.request() }
        socket.onRefusal = { [weak self] in self?.refused() }
        pacer = Pacer(on: eventLoop, interval: resyncInterval) { [weak self] in self?.beginAnew() }
        // Reports when the family appears, as it does with the first radio that is plugged in.
        socket.join(group: UInt32(GENL_ID_CTRL))
        pacer?.request()
    }

    func close() {
        pacer?.cancel()
        socket.close()
    }

    var radios: [UInt32: NetworkInterface.Radio] { conversation.radios }

    private func beginAnew() {
        isRefused = false
        socket.listen()
        conversation.begin()
        settle()
    }

    /// Sends the next request and reports what is known. A disconnected radio is reported at once.
    private func settle() {
        do {
            if let request = conversation.next() { try socket.send(request) }
        } catch {
            conversation.giveUp()
            noteUnknown("\(error)")
            refused()
        }
        if conversation.isIdle {
            hasAsked = true
            if !isRefused { pacer?.succeeded() }
        }
        onNews()
    }

    private func refused() {
        isRefused = true
        pacer?.requestAfterRefusal()
    }

    private func heard(_ messages: [NetlinkMessage], _ fault: NetlinkMessage.Fault?) {
        for message in messages {
            do {
                switch try conversation.hear(message) {
                case .join(let groups): for group in groups { socket.join(group: group) }
                case .beginAnew:
                    conversation.giveUp()
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
        // The unreadable message may have been the end of an answer.
        guard !conversation.isIdle else { return }
        conversation.giveUp()
        refused()
    }

    private func noteUnknown(_ reason: String) {
        note(
            """
            The WiFi state cannot be read (nl80211: \(reason)). The SSID is unknown. Addresses and routes alone show \
            whether this computer left the camera's network.
            """
        )
    }

    private func noteFault(_ fault: NetlinkMessage.Fault) {
        note("A WiFi message of the kernel is not valid and is ignored: \(fault).")
    }

    /// Each note is made once, so their number is bounded.
    private func note(_ text: String) {
        guard notes.count < Self.notesMax, notes.insert(text).inserted else { return }
        onNote(text)
    }
}
