import Foundation
import Testing

/// A client that searches for cameras on the loopback by SSDP, with plain sockets.
final class Searcher {
    /// A message, cut into its lines.
    struct Message: Equatable {
        var from: String
        var first: String
        var fields: [String: String]

        /// The address and the port in LOCATION.
        var place: String? {
            fields["LOCATION"].flatMap { $0.split(separator: "/").dropFirst().first }.map(String.init)
        }
    }

    private let socket: Int32
    private static let group = "239.255.255.250"

    /// - Parameter isListening: true: receives messages to the group, such as NOTIFY; false: receives messages to its
    ///   own port.
    init(isListening: Bool = false) throws {
        socket = Foundation.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        try set(SOL_SOCKET, SO_REUSEADDR, 1 as Int32)
        try bind(isListening ? Self.group : "127.0.0.1", isListening ? 1900 : 0)
        // The members of struct ip_mreqn are group, address and interface. The loopback is interface 1.
        let interface = (inet_addr(Self.group), 0 as UInt32, 1 as Int32)
        try set(Int32(IPPROTO_IP), IP_MULTICAST_IF, interface)
        if isListening { try set(Int32(IPPROTO_IP), IP_ADD_MEMBERSHIP, interface) }
    }

    deinit { close(socket) }

    /// Searches again and again until a body whose USN contains the name has answered `count` times.
    func search(_ target: String, for name: String, count: Int = 1) throws -> [Message] {
        let text = Self.search(target)
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            try send(text)
            let messages = try receive(for: .milliseconds(500), until: count) {
                $0.fields["USN"]?.contains(name) == true
            }
            if messages.count >= count { return messages }
        }
        Issue.record("no body with the name \(name) has answered \(count) times")
        return []
    }

    private static func search(_ target: String) -> String {
        "M-SEARCH * HTTP/1.1\r\nHOST: \(group):1900\r\nMAN: \"ssdp:discover\"\r\nMX: 1\r\nST: \(target)\r\n\r\n"
    }

    /// Sends one search, and returns the answers within half a second.
    func searchOnce(_ target: String, for name: String) throws -> [Message] {
        try send(Self.search(target))
        return try receive(for: .milliseconds(500), until: .max) { $0.fields["USN"]?.contains(name) == true }
    }

    /// Receives messages until this number match, or until the time is over.
    func receive(for time: Duration, until count: Int, _ isMeant: (Message) -> Bool) throws -> [Message] {
        let deadline = ContinuousClock.now + time
        var messages: [Message] = []
        while messages.count < count {
            let left = deadline - ContinuousClock.now
            guard left > .zero else { break }
            var wait = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let (seconds, attoseconds) = left.components
            guard poll(&wait, 1, Int32(seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)) == 1 else { break }
            let message = receiveOne()
            if isMeant(message) { messages.append(message) }
        }
        return messages
    }

    private func receiveOne() -> Message {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        var sender = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let count = withUnsafeMutablePointer(to: &sender) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                recvfrom(socket, &bytes, bytes.count, 0, $0, &length)
            }
        }
        let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
        let lines = text.components(separatedBy: "\r\n")
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.components(separatedBy: ": ")
            if parts.count == 2 { fields[parts[0]] = parts[1] }
        }
        return Message(from: String(cString: inet_ntoa(sender.sin_addr)), first: lines[0], fields: fields)
    }

    private func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        let count = withAddress(Self.group, 1900) { sendto(socket, bytes, bytes.count, 0, $0, $1) }
        try #require(count == bytes.count, "sendto: \(String(cString: strerror(errno)))")
    }

    private func bind(_ host: String, _ port: UInt16) throws {
        let result = withAddress(host, port) { Foundation.bind(socket, $0, $1) }
        try #require(result == 0, "bind: \(String(cString: strerror(errno)))")
    }

    private func set<Value>(_ level: Int32, _ option: Int32, _ value: Value) throws {
        let result = withUnsafeBytes(of: value) {
            setsockopt(socket, level, option, $0.baseAddress, socklen_t($0.count))
        }
        try #require(result == 0, "setsockopt \(option): \(String(cString: strerror(errno)))")
    }

    private func withAddress<Result>(
        _ host: String,
        _ port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Result
    ) rethrows -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr(host)
        return try withUnsafePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

/// Requests a file by HTTP.
///
/// - Returns: the head and the body of the reply.
func fetch(_ path: String, host: String, port: UInt16, atMost countMax: Int = 1 << 20) throws -> (String, [UInt8]) {
    let connection = try RawConnection(host: host, port: port)
    try connection.send(Array("GET \(path) HTTP/1.1\r\nHost: \(host):\(port)\r\n\r\n".utf8))
    let bytes = try connection.receiveAll(atMost: countMax)
    let end = try #require(Data(bytes).range(of: Data("\r\n\r\n".utf8)))
    return (String(decoding: bytes[..<end.lowerBound], as: UTF8.self), Array(bytes[end.upperBound...]))
}
