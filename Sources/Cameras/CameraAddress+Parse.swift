/// Why a text is not the address of a camera.
package struct CameraAddressFault: Error, Hashable, Sendable {
    package var reason: String
}

extension CameraAddress {
    /// The longest name (RFC 1035, 2.3.4); longer than any address.
    private static let hostLengthMax = 253

    /// Reads `HOST`, `HOST:PORT`, `[IPv6]` or `[IPv6]:PORT`.
    package static func parse(_ text: String) -> Result<CameraAddress, CameraAddressFault> {
        func fault(_ reason: String) -> Result<CameraAddress, CameraAddressFault> {
            .failure(CameraAddressFault(reason: "expected HOST:PORT, found \"\(text)\": \(reason)"))
        }
        let host: Substring
        var rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return fault("']' is missing") }
            host = text[..<end].dropFirst()
            rest = text[end...].dropFirst()
            guard host.contains(":") else { return fault("only IPv6 addresses have brackets") }
        } else {
            let end = text.firstIndex(of: ":") ?? text.endIndex
            host = text[..<end]
            rest = text[end...]
            guard !rest.dropFirst().contains(":") else {
                return fault("write an IPv6 address in brackets, as in [fe80::1%wlan0]:15740")
            }
        }
        guard !host.isEmpty else { return fault("the host is missing") }
        guard host.utf8.count <= hostLengthMax else { return fault("the host is too long") }
        guard host.unicodeScalars.allSatisfy({ $0.isASCII && $0.value > 0x20 && $0.value < 0x7F && $0 != "/" }) else {
            return fault("the host has an invalid character")
        }
        guard let first = rest.first else {
            return .success(CameraAddress(host: String(host)))
        }
        guard first == ":" else { return fault("unexpected '\(rest)' after the address") }
        rest = rest.dropFirst()
        guard let port = UInt16(rest), port > 0, rest.first != "+" else {
            return fault("the port must be a number from 1 to 65535")
        }
        return .success(CameraAddress(host: String(host), port: port))
    }
}
