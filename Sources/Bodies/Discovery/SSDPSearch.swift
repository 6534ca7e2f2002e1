/// An SSDP search: `M-SEARCH` (UPnP Device Architecture 1.1, 1.3.2).
package struct SSDPSearch: Equatable, Sendable {
    /// The search target (ST).
    package var target: String
    /// The maximum delay of an answer (MX).
    package var answerTime: Duration

    /// The byte count of the longest valid search. Longer datagrams are rejected.
    private static let byteCountMax = 4096
    /// The longest answer time, in seconds, even if a search allows more (1.3.3).
    private static let secondsMax = 5

    /// Reads a datagram. nil: not a valid search. A search without MX, or without MAN in quotation marks, is not valid
    /// (1.3.2, 1.3.3).
    package init?(parsing bytes: some Collection<UInt8>) {
        guard bytes.count <= Self.byteCountMax else { return nil }
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { Self.trimmed(String(decoding: $0, as: UTF8.self)) }[...]
        guard lines.popFirst() == "M-SEARCH * HTTP/1.1", lines.contains("") else { return nil }
        var fields: [String: String] = [:]
        for line in lines.prefix(while: { !$0.isEmpty }) {
            guard let mark = line.firstIndex(of: ":") else { return nil }
            let name = Self.trimmed(line[..<mark]).lowercased()
            if fields[name] == nil { fields[name] = Self.trimmed(line[line.index(after: mark)...]) }
        }
        guard fields["man"] == "\"ssdp:discover\"", let target = fields["st"], !target.isEmpty,
            let seconds = fields["mx"].flatMap({ Int($0) }), seconds >= 1
        else { return nil }
        self.target = target
        answerTime = .seconds(min(seconds, Self.secondsMax))
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let blank: Set<Unicode.Scalar> = [" ", "\t", "\r"]
        let scalars = text.unicodeScalars.drop(while: blank.contains)
        let end = scalars.lastIndex { !blank.contains($0) }
        return end.map { String(String.UnicodeScalarView(scalars[...$0])) } ?? ""
    }
}
