/// The reason why a text is not the address of a camera.
package struct CameraAddressFault: Error, Hashable, Sendable {
    package var reason: String
}

extension CameraAddress {
    /// The greatest length of a name (RFC 1035, 2.3.4). Every IP address is shorter.
    private static let hostLengthMax = 253

    /// Reads `HOST`, `HOST:PORT`, `[IPv6]` or `[IPv6]:PORT`.
    package static func parse(_ text: String) -> Result<CameraAddress, CameraAddressFault> {
        func fault(_ reason: String) -> Result<CameraAddress, CameraAddressFault> {
            .failure(CameraAddressFault(reason: CameraAddressSentences.invalid(text, reason)))
        }
        let host: Substring
        var rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return fault(CameraAddressSentences.bracketMissing) }
            host = text[..<end].dropFirst()
            rest = text[end...].dropFirst()
            guard host.contains(":") else { return fault(CameraAddressSentences.notIPv6) }
        } else {
            let end = text.firstIndex(of: ":") ?? text.endIndex
            host = text[..<end]
            rest = text[end...]
            guard !rest.dropFirst().contains(":") else {
                return fault(CameraAddressSentences.bracketsMissing)
            }
        }
        guard !host.isEmpty else { return fault(CameraAddressSentences.hostMissing) }
        guard host.utf8.count <= hostLengthMax else { return fault(CameraAddressSentences.hostTooLong) }
        guard host.unicodeScalars.allSatisfy({ $0.isASCII && $0.value > 0x20 && $0.value < 0x7F && $0 != "/" }) else {
            return fault(CameraAddressSentences.hostInvalid)
        }
        guard let first = rest.first else {
            return .success(CameraAddress(host: String(host)))
        }
        guard first == ":" else { return fault(CameraAddressSentences.surplus(rest)) }
        rest = rest.dropFirst()
        guard let port = UInt16(rest), port > 0, rest.first != "+" else {
            return fault(CameraAddressSentences.portInvalid)
        }
        return .success(CameraAddress(host: String(host), port: port))
    }
}
