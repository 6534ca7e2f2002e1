import Exposure

/// The reason why a text is not the URL of a description.
package struct DescriptionURLFault: Error, Hashable, Sendable, CustomStringConvertible {
    package var reason: String

    package var description: String { reason }
}

extension DescriptionURL {
    /// The greatest length of a URL in bytes. The URL of every camera is shorter.
    private static let lengthMax = 1024

    /// Parses `http://192.168.122.1:64321/dd.xml`. Rejects another scheme, a name as the host, a user name, a fragment
    /// and any character that URLs forbid.
    package static func parse(_ text: String) throws(DescriptionURLFault) -> DescriptionURL {
        try checkCharacters(text)
        let scheme = "http://"
        guard text.lowercased().hasPrefix(scheme) else { throw fault(text, "it does not begin with http://") }
        let rest = text.dropFirst(scheme.count)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let (host, port) = try parseAuthority(rest[..<end], of: text)
        let path = rest[end...]
        return DescriptionURL(host: host, port: port, path: path.hasPrefix("/") ? String(path) : "/\(path)")
    }

    private static func checkCharacters(_ text: String) throws(DescriptionURLFault) {
        guard text.utf8.count <= lengthMax else {
            throw fault(text, "it is longer than \(lengthMax) bytes")
        }
        // Control characters in the URL could end a line of the request.
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw fault(text, "it contains a character that URLs forbid")
        }
        guard !text.contains("#") else { throw fault(text, "it has a fragment") }
    }

    private static func parseAuthority(
        _ authority: Substring,
        of text: String
    ) throws(DescriptionURLFault) -> (IPAddress, UInt16) {
        guard !authority.contains("@") else { throw fault(text, "it contains a user name") }
        var name = authority
        var rest: Substring = ""
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { throw fault(text, "']' is missing") }
            name = authority[..<end].dropFirst()
            rest = authority[end...].dropFirst()
        } else if let colon = authority.firstIndex(of: ":") {
            name = authority[..<colon]
            rest = authority[colon...]
        }
        guard !name.contains("%"), let host = IPAddress(String(name)), host.isIPv4 != authority.hasPrefix("[") else {
            throw fault(text, "its host is not an IP address")
        }
        guard let colon = rest.first else { return (host, 80) }
        let digits = rest.dropFirst()
        // An empty port means the default port of the scheme (RFC 3986, 3.2.3).
        if colon == ":", digits.isEmpty { return (host, 80) }
        guard colon == ":", digits.utf8.count <= 5, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
            let port = UInt16(digits), port > 0
        else { throw fault(text, "its port is not a number from 1 to 65535") }
        return (host, port)
    }

    private static func fault(_ text: String, _ reason: String) -> DescriptionURLFault {
        DescriptionURLFault(reason: "not a valid description URL, \(Quoted.text(text)): \(reason)")
    }
}
