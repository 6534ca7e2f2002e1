extension PTPIPError {
    /// A clause for messages, without a full stop.
    package var description: String {
        switch self {
        case .lengthBelowHeader(let length):
            "packet length \(length) is less than the 8 bytes of a header"
        case .lengthBeyondLimit(let type, let length, let limit):
            "a packet of type \(type) declares \(length) bytes, but at most \(limit) bytes are allowed"
        case .tooShort(let type, let length):
            "\(type) packet of \(length) bytes is shorter than its fields"
        case .unexpected(let type, let during):
            "unexpected \(type) packet during \(during)"
        case .wrongTransaction(let type, let expected, let found):
            "\(type) packet for transaction \(found) while transaction \(expected) is running"
        case .dataWithoutStart(let transaction):
            "data of transaction \(transaction) without Start_Data"
        case .dataBeyondAnnounced(let announced):
            "more data than the announced \(announced) bytes"
        case .dataBeyondLimit(let operation, let limit):
            "more than \(limit) bytes of data for \(operation)"
        }
    }
}
