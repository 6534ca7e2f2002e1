import Cameras
import NIOCore

/// Reads the reply to a request from pieces of bytes of any length (RFC 9112). It uses no code of the daemon.
struct HTTPReplyReader: Sendable {
    private enum Place: Sendable {
        case statusLine
        case header
        /// The reader is in a body whose length is known.
        case counted(left: Int)
        /// The reader is in a body that ends with the connection.
        case untilClose
        case chunkSize
        case chunk(left: Int)
        case chunkEnd
        case trailer
        case over
    }

    /// The maximum number of bytes of a head, as in the daemon.
    private static let headBytesMax = 16 * 1024

    private let request: HTTPRequest
    private var place = Place.statusLine
    /// Received bytes that the reader has not read yet.
    private var bytes = ByteBuffer()
    private var head = HTTPHead(status: 0)
    private var headByteCount = 0
    private var body = ByteBuffer()
    private var bodyByteCount = 0

    init(_ request: HTTPRequest) {
        self.request = request
    }

    /// Whether the reader has returned the last event.
    var isOver: Bool { if case .over = place { true } else { false } }

    mutating func receive(_ more: ByteBuffer) -> [HTTPEvent] {
        guard !isOver else { return [] }
        bytes.writeImmutableBuffer(more)
        return events { (reader, events) throws(HTTPFailure) in while try reader.step(&events) {} }
    }

    /// Handles the end of the connection. `reason`: the system's text; nil: the connection ended in order.
    mutating func end(_ reason: String?) -> [HTTPEvent] {
        events { (reader, events) throws(HTTPFailure) in
            switch reader.place {
            case .over: break
            case .untilClose where reason == nil: reader.finish(&events)
            default:
                throw reason.map { .broken(reason: $0) } ?? .closed(isAnswered: reader.head.status > 0)
            }
        }
    }

    private mutating func events(
        _ read: (inout HTTPReplyReader, inout [HTTPEvent]) throws(HTTPFailure) -> Void
    ) -> [HTTPEvent] {
        var events: [HTTPEvent] = []
        do throws(HTTPFailure) { try read(&self, &events) } catch {
            place = .over
            events.append(.failed(error))
        }
        return events
    }

    /// Reads the next part of the reply.
    ///
    /// - Returns: whether another part can follow.
    private mutating func step(_ events: inout [HTTPEvent]) throws(HTTPFailure) -> Bool {
        switch place {
        case .over: return false
        case .statusLine, .header, .trailer: return try readHeadLine(&events)
        case .chunkSize, .chunkEnd: return try readChunkLine(&events)
        case .untilClose: return try readBody(.max, &events) > 0
        case .counted(let left):
            let count = try readBody(left, &events)
            place = .counted(left: left - count)
            if left == count { finish(&events) }
            return false
        case .chunk(let left):
            let count = try readBody(left, &events)
            place = left == count ? .chunkEnd : .chunk(left: left - count)
            return count > 0
        }
    }

    private mutating func readHeadLine(_ events: inout [HTTPEvent]) throws(HTTPFailure) -> Bool {
        guard let line = try line() else { return false }
        switch place {
        case .statusLine:
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = UInt16(words[1]) else { throw .notHTTP }
            head = HTTPHead(status: status)
            place = .header
        case .header where !line.isEmpty:
            guard let colon = line.firstIndex(of: ":") else { throw .notHTTP }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            head.headers.append(HTTPHeader(String(line[..<colon]), String(value)))
        case .header: try beginBody(&events)
        default: if line.isEmpty { finish(&events) }
        }
        return true
    }

    private mutating func readChunkLine(_ events: inout [HTTPEvent]) throws(HTTPFailure) -> Bool {
        guard let line = try line() else { return false }
        guard case .chunkSize = place else {
            guard line.isEmpty else { throw .notHTTP }
            place = .chunkSize
            return true
        }
        guard let size = Int(line.prefix { $0 != ";" }, radix: 16), size >= 0 else { throw .notHTTP }
        place = size == 0 ? .trailer : .chunk(left: size)
        return true
    }

    private mutating func beginBody(_ events: inout [HTTPEvent]) throws(HTTPFailure) {
        // An interim response comes before the reply (RFC 9110, 15.2).
        if (100..<200).contains(head.status) {
            place = .statusLine
            return
        }
        if request.delivery == .pieces { events.append(.head(head)) }
        if head["Transfer-Encoding"]?.lowercased() == "chunked" {
            place = .chunkSize
        } else if head.status == 204 || head.status == 304 {
            finish(&events)
        } else if let text = head["Content-Length"] {
            guard let length = Int(text), length >= 0 else { throw .notHTTP }
            guard length <= request.replyBytesMax else { throw .tooLong(byteCountMax: request.replyBytesMax) }
            place = .counted(left: length)
        } else {
            place = .untilClose
        }
    }

    /// Reads bytes of the body. Returns the number of bytes, at most `countMax`.
    private mutating func readBody(_ countMax: Int, _ events: inout [HTTPEvent]) throws(HTTPFailure) -> Int {
        guard let piece = bytes.readSlice(length: min(countMax, bytes.readableBytes)), piece.readableBytes > 0 else {
            return 0
        }
        bytes.discardReadBytes()
        bodyByteCount += piece.readableBytes
        guard bodyByteCount <= request.replyBytesMax else { throw .tooLong(byteCountMax: request.replyBytesMax) }
        switch request.delivery {
        case .whole: body.writeImmutableBuffer(piece)
        case .pieces: events.append(.body(piece))
        }
        return piece.readableBytes
    }

    private mutating func finish(_ events: inout [HTTPEvent]) {
        place = .over
        events.append(request.delivery == .pieces ? .end : .reply(HTTPReply(head, body: body)))
    }

    /// The next line without its line end; nil: the line is not complete.
    private mutating func line() throws(HTTPFailure) -> String? {
        let view = bytes.readableBytesView
        guard let end = view.firstIndex(of: UInt8(ascii: "\n")) else {
            guard headByteCount + view.count <= Self.headBytesMax else { throw .headersTooLong }
            return nil
        }
        let count = end - view.startIndex
        headByteCount += count + 1
        guard headByteCount <= Self.headBytesMax || bodyByteCount > 0 else { throw .headersTooLong }
        let line = bytes.readString(length: count) ?? ""
        bytes.moveReaderIndex(forwardBy: 1)
        return line.hasSuffix("\r") ? String(line.dropLast()) : line
    }
}

extension HTTPRequest {
    /// The bytes of the request as they are sent.
    var bytes: ByteBuffer {
        let fixed = [HTTPHeader("Host", "\(address)"), HTTPHeader("Connection", "close")]
        let length = body.readableBytes
        let counted = length > 0 || method == .post || method == .put ? [HTTPHeader("Content-Length", "\(length)")] : []
        let lines = (headers + fixed + counted).map { "\($0.name): \($0.value)\r\n" }.joined()
        var bytes = ByteBuffer(string: "\(method.rawValue) \(path) HTTP/1.1\r\n\(lines)\r\n")
        bytes.writeImmutableBuffer(body)
        return bytes
    }
}
