/// An error that makes a PTP/IP connection useless. After it both sockets are closed: the start of the next packet is
/// unknown, or the peer violates the protocol.
package enum PTPIPError: Error, Hashable, Sendable, CustomStringConvertible {
    /// After a length below 8 the start of the next packet is unknown.
    case lengthBelowHeader(UInt32)
    /// The packet declares a length above the limit of its type.
    case lengthBeyondLimit(type: UInt32, length: UInt32, limit: Int)
    /// The packet ends before its fields do.
    case tooShort(type: PTPIPPacketType, length: Int)
    /// A packet that is not allowed now, or not on this connection.
    case unexpected(PTPIPPacketType, during: String)
    /// A packet of a transaction that was never requested.
    case wrongTransaction(PTPIPPacketType, expected: UInt32, found: UInt32)
    /// Data or End_Data without a Start_Data.
    case dataWithoutStart(transaction: UInt32)
    /// More bytes than the Start_Data announced.
    case dataBeyondAnnounced(announced: UInt64)
    /// More bytes than this operation may return.
    case dataBeyondLimit(operation: OperationCode, limit: UInt64)

    package var description: String {
        switch self {
        case .lengthBelowHeader(let length):
            "packet length \(length) is less than a header's 8 bytes"
        case .lengthBeyondLimit(let type, let length, let limit):
            "a packet of type \(type) declares \(length) bytes, more than the \(limit) allowed"
        case .tooShort(let type, let length):
            "\(type) packet of \(length) bytes is shorter than its fields"
        case .unexpected(let type, let during):
            "unexpected \(type) packet during \(during)"
        case .wrongTransaction(let type, let expected, let found):
            "\(type) packet for transaction \(found) while \(expected) is running"
        case .dataWithoutStart(let transaction):
            "data of transaction \(transaction) without Start_Data"
        case .dataBeyondAnnounced(let announced):
            "more data than the declared \(announced) bytes"
        case .dataBeyondLimit(let operation, let limit):
            "more than \(limit) bytes of data for \(operation)"
        }
    }
}
