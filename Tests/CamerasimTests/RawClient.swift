import Foundation
import Testing

/// A TCP connection without the project's code for PTP. It sends the bytes that a foreign client would send.
final class RawConnection {
    enum Failure: Error, Equatable {
        case refused
        case reset
        case ended
        case timeout
        case turnedAway
        case other(Int32)
    }

    fileprivate let socket: Int32

    /// - Throws: `Failure`.
    init(host: String = "127.0.0.1", port: UInt16) throws {
        socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var one: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr(host)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result != 0 {
            let code = errno
            close(socket)
            throw code == ECONNREFUSED ? Failure.refused : .other(code)
        }
    }

    deinit { close(socket) }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw failure(errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads exactly this number of bytes.
    func receive(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var part = [UInt8](repeating: 0, count: count - bytes.count)
            let read = recv(socket, &part, part.count, 0)
            if read == 0 { throw Failure.ended }
            guard read > 0 else { throw failure(errno) }
            bytes += part[..<read]
        }
        return bytes
    }

    /// Reads until the other side closes the connection, or until this number of bytes.
    func receiveAll(atMost countMax: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count < countMax {
            let read = recv(socket, &part, part.count, 0)
            guard read >= 0 else { throw failure(errno) }
            if read == 0 { break }
            bytes += part[..<read]
        }
        return bytes
    }

    /// Reads one packet. Returns its type and its body.
    func packet() throws -> (type: UInt32, body: [UInt8]) {
        let header = try receive(8)
        let length = Int(number(header[0..<4]))
        return (number(header[4..<8]), try receive(length - 8))
    }

    private func failure(_ code: Int32) -> Failure {
        switch code {
        case ECONNRESET, EPIPE: .reset
        case EAGAIN: .timeout
        default: .other(code)
        }
    }
}

/// The little-endian number of these bytes.
func number(_ bytes: some Collection<UInt8>) -> UInt32 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
}

func u32(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
func u16(_ value: UInt16) -> [UInt8] { [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)] }

/// A foreign initiator with two connections. It builds its operations byte by byte.
final class RawInitiator {
    let command: RawConnection
    let event: RawConnection
    private var transaction: UInt32 = 0

    /// The first bytes of an initiator that an EOS 80D accepted (sabaipics log).
    static let greeting: [UInt8] =
        [0x30, 0, 0, 0, 1, 0, 0, 0]
        + [0xCC, 0x6B, 0xB6, 0x4E, 0x4E, 0x6F, 0xD9, 0xAB, 0x08, 0xED, 0x9E, 0xFC, 0xA4, 0x84, 0x21, 0x3A]
        + "rpi1-test".utf16.flatMap { u16($0) } + [0, 0] + [0, 0, 1, 0]

    /// The camera's identity: its GUID.
    let guid: [UInt8]

    init(host: String = "127.0.0.1", port: UInt16) throws {
        command = try RawConnection(host: host, port: port)
        try command.send(Self.greeting)
        let ack = try command.packet()
        guard ack.type == 2 else { throw RawConnection.Failure.turnedAway }
        guid = Array(ack.body.dropFirst(4).prefix(16))
        event = try RawConnection(host: host, port: port)
        try event.send(u32(12) + u32(3) + ack.body[..<4])
        guard try event.packet().type == 4 else { throw RawConnection.Failure.turnedAway }
    }

    /// - Returns: the response code and the data.
    func perform(_ code: UInt16, _ parameters: UInt32..., data: [UInt8]? = nil) throws -> (code: UInt16, data: [UInt8])
    {
        let id = u32(transaction)
        transaction += 1
        let length = UInt32(18 + 4 * parameters.count)
        try command.send(
            u32(length) + u32(6) + u32(data == nil ? 1 : 2) + u16(code) + id + parameters.flatMap { u32($0) }
        )
        if let data {
            try command.send(u32(20) + u32(9) + id + u32(UInt32(data.count)) + u32(0))
            try command.send(u32(UInt32(12 + data.count)) + u32(12) + id + data)
        }
        var received: [UInt8] = []
        while true {
            let packet = try command.packet()
            switch packet.type {
            case 10, 12: received += packet.body.dropFirst(4)
            case 7: return (UInt16(number(packet.body[..<2])), received)
            default: #expect(packet.type == 9)
            }
        }
    }

    /// Does everything up to the first full reading.
    func open() throws {
        #expect(try perform(0x1002, 1).code == 0x2001)
        for phase: UInt32 in [1, 2] { #expect(try perform(0x9201, phase, 0, 0).data.count == 8) }
        #expect(try perform(0x9202, 0x012C).data.starts(with: [0x2C, 0x01]))
        #expect(try perform(0x9201, 3, 0, 0).code == 0x2001)
        #expect(try perform(0x9209, 0).data.count > 3_000)
    }

    /// Waits for the next event with this code.
    func wait(for code: UInt16) throws {
        while true {
            let packet = try event.packet()
            if packet.type == 8, number(packet.body[..<2]) == UInt32(code) { return }
        }
    }
}

extension RawConnection {
    /// Sends bytes, and waits at most this long until there is room for them.
    ///
    /// - Throws: `Failure.timeout` if the other side reads nothing in that time.
    func send(_ bytes: [UInt8], patienceMilliseconds: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            var room = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
            guard poll(&room, 1, patienceMilliseconds) == 1 else { throw Failure.timeout }
            let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
            let count = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, flags) }
            if count < 0 && errno == EAGAIN { continue }
            guard count > 0 else { throw Failure.other(errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads all bytes until the other side closes the connection.
    ///
    /// - Throws: `Failure.timeout` if no bytes arrive for this long.
    @discardableResult
    func receiveAll(patienceMilliseconds: Int32) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            var room = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard poll(&room, 1, patienceMilliseconds) == 1 else { throw Failure.timeout }
            var part = [UInt8](repeating: 0, count: 4_096)
            let count = recv(socket, &part, part.count, 0)
            guard count > 0 else { return bytes }
            bytes += part[..<count]
        }
    }
}
