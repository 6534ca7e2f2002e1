import Cameras
import Statecharts

package enum Receiver: Sendable {
    case session, finder, requests, connection, network, shooting, settings, pictures, records, button, service
    case subscriptions, publisher, metering
}

extension Message {
    /// The receivers of a message, in the order of delivery. No other table has receivers of these messages.
    package var receivers: [Receiver] {
        switch self {
        case .camera: [.session]
        case .cameraReady: [.network, .finder, .requests, .settings, .shooting]
        case .cameraGone, .cameraNotReady: [.shooting, .settings]
        case .networkLeft: [.shooting, .connection, .settings]
        case .networkBack, .cameraNeeded: [.finder, .connection]
        case .cameraFound, .candidate, .candidateOpened, .candidateRefused, .waveOver, .searchWanted: [.finder]
        case .othersAvailable: [.connection]
        case .cameraChosen: [.finder, .network, .connection]
        case .cameraReleased: [.connection, .requests]
        case .picture: [.shooting, .pictures, .metering]
        case .range: [.shooting]
        case .record: [.shooting]
        case .recordWanted: [.records]
        case .buttonPressed, .buttonHeld: [.shooting]
        case .frameOver: [.service]
        case .clientSetting: [.settings]
        }
    }
}

extension Core {
    /// Delivers a message from the queue to its receivers.
    mutating func route(_ message: Message, in turn: inout Turn) {
        guard isCurrent(message) else { return }
        for receiver in message.receivers {
            deliver(message, to: receiver, in: &turn)
            deliverMessages(in: &turn)
        }
    }

    private mutating func deliver(_ message: Message, to receiver: Receiver, in turn: inout Turn) {
        switch receiver {
        case .session: session.receive(message, sessionFacts, in: &turn)
        case .finder: finder.receive(message, finderFacts, in: &turn)
        case .requests: requests.receive(message, requestFacts, in: &turn)
        case .connection: connection.receive(message, in: &turn)
        case .network:
            network.receive(
                message,
                cameraAddress: connection.machine.behavior.address,
                linkSnapshot: session.link.snapshot,
                by: searchRules,
                in: &turn
            )
        case .shooting: shooting.receive(message, shootFacts, in: &turn)
        case .settings: shooting.settingsReceive(message, shootFacts, in: &turn)
        case .pictures: pictures.receive(message, pictureFacts, in: &turn)
        case .metering: metering.receive(message, meteringOrder, in: &turn)
        case .records: records.retry(in: &turn)
        case .service: turn.perform(service.handle(.frameOver, at: turn.now))
        // These parts receive only `TurnMessage`, never a message from the queue.
        case .button, .subscriptions, .publisher: break
        }
    }

    /// Whether a message is still true. The link may be lost while the message is in the queue.
    private func isCurrent(_ message: Message) -> Bool {
        switch message {
        case .camera(_, _, let generation): generation == session.generation
        case .cameraReady: connection.isActive(.connected)
        case .cameraNotReady: connection.isActive(.online)
        default: true
        }
    }
}

extension JournalEntry {
    /// An entry of level debug.
    static func debug(_ message: String) -> JournalEntry {
        JournalEntry(level: .debug, kind: .note, message: message)
    }
}
