extension HTTPFailure: CustomStringConvertible {
    /// A short text for messages.
    package var description: String {
        switch self {
        case .notConnected(_, let reason), .broken(let reason): reason
        case .closed(isAnswered: true): "the connection closed before the end of the reply"
        case .closed(isAnswered: false): "the connection closed without a reply"
        case .timedOut(let time): "no reply within \(time)"
        case .tooLong(let count): "the reply is longer than \(count) bytes"
        case .headersTooLong: "the headers of the reply are too long"
        case .tooManyBytes(let count): "more than \(count) bytes arrived"
        case .notHTTP: "the reply is not HTTP"
        case .tooManyRequests(let count): "\(count) requests are already running"
        }
    }
}
