import NIOCore
import PTP

/// Another client with PTP/IP.
package struct PTPIPOtherClient: OtherClient {
    private let command: ConnectionID
    private let event: ConnectionID
    private var decoders: [ConnectionID: PacketDecoder]
    package private(set) var isInSession = false

    private static let guid = GUID(bytes: [UInt8](repeating: 0xF0, count: 16))

    /// - Parameter number: A number from 1, unique among these clients.
    package init(number: Int) {
        // The daemon's connections have much smaller numbers.
        command = ConnectionID(rawValue: 1 << 30 + number * 2)
        event = ConnectionID(rawValue: 1 << 30 + number * 2 + 1)
        decoders = [command: PacketDecoder(), event: PacketDecoder()]
    }

    package func has(_ id: ConnectionID) -> Bool { id == command || id == event }

    package func begin() -> [OtherClientAction] {
        guard let guid = Self.guid else { preconditionFailure("a GUID has 16 bytes") }
        let request = InitCommandRequest(guid: guid, name: "another client")
        return [.connect(command), .send(command, PTPIPPacket.initCommandRequest(request).encoded())]
    }

    package mutating func receive(_ id: ConnectionID, _ bytes: ByteBuffer) -> [OtherClientAction] {
        decoders[id]?.append(bytes)
        var actions: [OtherClientAction] = []
        while let element = try? decoders[id]?.next() {
            guard case .packet(let packet) = element else { continue }
            actions += answer(packet)
        }
        return actions
    }

    private mutating func answer(_ packet: PTPIPPacket) -> [OtherClientAction] {
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

    package func end(isOrderly: Bool) -> [OtherClientAction] {
        let closeSession =
            isOrderly && isInSession
            ? [OtherClientAction.send(command, Self.operation(.closeSession, transaction: 1))] : []
        return closeSession + [.hangUp(event), .hangUp(command)]
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
