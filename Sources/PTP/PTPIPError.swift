/// An error that makes a PTP/IP connection useless. The start of the next packet is unknown, or the peer violates the
/// protocol. Both sockets are then closed.
package enum PTPIPError: Error, Hashable, Sendable, CustomStringConvertible {
    /// After a length below 8 the start of the next packet is unknown.
    case lengthBelowHeader(UInt32)
    /// The packet declares a length above the limit of its type.
    case lengthBeyondLimit(type: UInt32, length: UInt32, limit: Int)
    /// The packet is shorter than its fields.
    case tooShort(type: PTPIPPacketType, length: Int)
    /// A packet that is not allowed now, or not on this connection.
    case unexpected(PTPIPPacketType, during: String)
    /// A packet of a transaction that the initiator did not start.
    case wrongTransaction(PTPIPPacketType, expected: UInt32, found: UInt32)
    /// Data or End_Data without a Start_Data.
    case dataWithoutStart(transaction: UInt32)
    /// More bytes than the Start_Data announced.
    case dataBeyondAnnounced(announced: UInt64)
    /// More bytes than this operation is allowed to return.
    case dataBeyondLimit(operation: OperationCode, limit: UInt64)
}
