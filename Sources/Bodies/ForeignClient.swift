import NIOCore
import PTP

/// Another client of a camera, a second daemon or a maker's app: it asks for the only session, holds it while it
/// answers the camera's probes, and does nothing else with it.
package struct ForeignClient: Sendable {
    /// What it wants of the network.
    package enum Action: Sendable {
        case connect(ConnectionID)
        case send(ConnectionID, ByteBuffer)
        case hangUp(ConnectionID)
    }

    private let command: ConnectionID
    private let event: ConnectionID
    private var decoders: [ConnectionID: PacketDecoder]
    /// Whether the camera opened a session for it.
    package private(set) var isInSession = false

    private static let guid = GUID(bytes: [UInt8](repeating: 0xF0, count: 16))

    /// - Parameter number: its own among all such clients, from 1.
    package init(number: Int) {
        // Far from the numbers that the daemon's connections get.
        command = ConnectionID(rawValue: 1 << 30 + number * 2)
        event = ConnectionID(rawValue: 1 << 30 + number * 2 + 1)
        decoders = [command: PacketDecoder(), event: PacketDecoder()]
    }

    package func has(_ id: ConnectionID) -> Bool { id == command || id == event }

    /// Asks for the session.
    package func begin() -> [Action] {
        guard let guid = Self.guid else { preconditionFailure("a GUID has 16 bytes") }
        let request = InitCommandRequest(guid: guid, name: "another client")
        return [.connect(command), .send(command, PTPIPPacket.initCommandRequest(request).encoded())]
    }

    /// What the camera sends.
    package mutating func receive(_ id: ConnectionID, _ bytes: ByteBuffer) -> [Action] {
        decoders[id]?.append(bytes)
        var actions: [Action] = []
        while let element = try? decoders[id]?.next() {
            guard case .packet(let packet) = element else { continue }
            actions += answer(packet)
        }
        return actions
    }

    private mutating func answer(_ packet: PTPIPPacket) -> [Action] {
        switch packet {
        case .initCommandAck(let ack):
            let request = PTPIPPacket.initEventRequest(connectionNumber: ack.connectionNumber)
            return [.connect(event), .send(event, request.encoded())]
        case .initEventAck: return [.send(command, Self.operation(.openSession, transaction: 0, 1))]
        case .operationResponse(let response):
            isInSession = response.transaction == 0 && response.code == .ok
            return []
        case .probeRequest: return [.send(event, PTPIPPacket.probeResponse.encoded())]
        default: return []
        }
    }

    /// Leaves: in order, or by closing its connections.
    package func end(isOrderly: Bool) -> [Action] {
        let goodbye =
            isOrderly && isInSession ? [Action.send(command, Self.operation(.closeSession, transaction: 1))] : []
        return goodbye + [.hangUp(event), .hangUp(command)]
    }

    private static func operation(_ code: OperationCode, transaction: UInt32, _ parameters: UInt32...) -> ByteBuffer {
        let request = OperationRequest(
            dataPhase: .noneOrIn,
            code: code,
            transaction: transaction,
            parameters: parameters
        )
        return PTPIPPacket.operationRequest(request).encoded()
    }
}
