import Exposure
import NIOCore

/// A search target: the ST of a search and of its answers, the NT of a notification.
package struct SSDPTarget: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    package var rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }
}

/// The reason why a datagram is not a usable SSDP message.
package struct SSDPFault: Error, Hashable, Sendable, CustomStringConvertible {
    package var reason: String

    package var description: String { reason }
}

/// A message in which a device announces itself (UPnP Device Architecture 1.1, 1.2 and 1.3).
package struct SSDPMessage: Equatable, Sendable {
    package var kind: Kind
    /// The target; nil: an answer that does not repeat the target of the search.
    package var target: SSDPTarget?
    /// The unique name of the device; nil: not given, or in an unknown form.
    package var udn: UDN?

    package enum Kind: Equatable, Sendable {
        /// The answer to a search: the device is present, and its description is at this URL.
        case answer(DescriptionURL)
        /// The device announces itself without a search (`ssdp:alive`, `ssdp:update`).
        case alive(DescriptionURL)
        /// The device leaves the network (`ssdp:byebye`).
        case byebye
    }

    /// The URL of the description; nil: the device leaves the network.
    package var location: DescriptionURL? {
        switch kind {
        case .answer(let location), .alive(let location): location
        case .byebye: nil
        }
    }

    /// Whether the description is at the sender's address. Otherwise one datagram could cause requests to any machine.
    package func isCredible(by sender: IPAddress) -> Bool {
        location.map { $0.host == sender } ?? true
    }

    /// The multicast group and the port of SSDP.
    package static let group = IPAddress(bytes: [239, 255, 255, 250])
    package static let port: UInt16 = 1900

    /// A search request that bodies are known to answer: no spaces after colons, and 1 s for the answers.
    package static func search(for target: SSDPTarget) -> ByteBuffer {
        let lines = [
            "M-SEARCH * HTTP/1.1", "HOST:\(group):\(port)", "MAN:\"ssdp:discover\"", "MX:1", "ST:\(target)", "", "",
        ]
        return ByteBuffer(string: lines.joined(separator: "\r\n"))
    }
}

extension SSDPMessage {
    /// The greatest number of bytes of a valid message.
    package static let byteCountMax = 4096
    /// The greatest number of lines after the first line of a valid message.
    package static let headerCountMax = 64

    /// Parses a datagram; nil: the daemon does not need the message, for example the search of another client.
    package static func parse(_ datagram: ByteBuffer) throws(SSDPFault) -> SSDPMessage? {
        let bytes = datagram.readableBytesView
        guard bytes.count <= byteCountMax else { throw SSDPFault(reason: "it is longer than \(byteCountMax) bytes") }
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        guard let first = lines.popFirst() else { throw SSDPFault(reason: "it is empty") }
        let start = try text(first)
        switch start.split(separator: " ", maxSplits: 1).first.map(String.init) {
        case "M-SEARCH": return nil
        case "NOTIFY":
            guard start == "NOTIFY * HTTP/1.1" || start == "NOTIFY * HTTP/1.0" else { break }
            return try notification(try headers(lines))
        case "HTTP/1.1", "HTTP/1.0":
            let status = start.split(separator: " ")
            guard status.count >= 2, status[1] == "200" else { break }
            return try answer(try headers(lines))
        default: break
        }
        throw SSDPFault(reason: "its first line is \(Quoted.text(start))")
    }

    private static func answer(_ headers: [String: String]) throws(SSDPFault) -> SSDPMessage {
        SSDPMessage(
            kind: .answer(try location(headers)),
            target: headers["st"].map(SSDPTarget.init),
            udn: headers["usn"].flatMap(UDN.init)
        )
    }

    private static func notification(_ headers: [String: String]) throws(SSDPFault) -> SSDPMessage {
        guard let target = headers["nt"] else { throw SSDPFault(reason: "its NT is missing") }
        let kind: Kind
        switch headers["nts"]?.lowercased() {
        case "ssdp:alive", "ssdp:update": kind = .alive(try location(headers))
        case "ssdp:byebye": kind = .byebye
        case nil: throw SSDPFault(reason: "its NTS is missing")
        case let other?: throw SSDPFault(reason: "its NTS is \(Quoted.text(other))")
        }
        return SSDPMessage(kind: kind, target: .init(rawValue: target), udn: headers["usn"].flatMap(UDN.init))
    }

    private static func location(_ headers: [String: String]) throws(SSDPFault) -> DescriptionURL {
        guard let text = headers["location"] else { throw SSDPFault(reason: "its LOCATION is missing") }
        do {
            return try DescriptionURL.parse(text)
        } catch {
            throw SSDPFault(reason: "its LOCATION is \(error.reason)")
        }
    }

    /// Reads the headers, with names in lower case. If two headers have the same name, the first one counts. A line
    /// without a colon is ignored: such errors do not affect the headers that the daemon needs.
    private static func headers(_ lines: some Sequence<ByteBufferView>) throws(SSDPFault) -> [String: String] {
        var headers: [String: String] = [:]
        var count = 0
        for bytes in lines {
            let line = try text(bytes)
            // An empty line ends the headers. These messages have no body.
            if line.isEmpty { break }
            count += 1
            guard count <= headerCountMax else {
                throw SSDPFault(reason: "it has more than \(headerCountMax) headers")
            }
            guard let colon = line.firstIndex(of: ":") else { continue }
            let name = trimmed(line[..<colon]).lowercased()
            if headers[name] == nil { headers[name] = trimmed(line[line.index(after: colon)...]) }
        }
        return headers
    }

    /// Decodes a line and removes its line end. Server names can contain any letters, but no control characters.
    private static func text(_ bytes: ByteBufferView) throws(SSDPFault) -> String {
        let line = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
        guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw SSDPFault(reason: "it contains control characters")
        }
        return String(decoding: line, as: UTF8.self)
    }

    private static func trimmed(_ text: Substring) -> String {
        func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
        let start = text.drop(while: isBlank)
        return String(start[..<(start.lastIndex { !isBlank($0) }.map { start.index(after: $0) } ?? start.startIndex)])
    }
}
