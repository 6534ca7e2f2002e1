import Bodies

/// An address and a port in the form `ADDR:PORT`, with an IPv6 address in brackets.
struct ListenAddress: CustomStringConvertible {
    var host: String
    var port: Int

    /// Reads an address. Throws a `NotationError` for a text in another form.
    init(parsing text: String) throws(NotationError) {
        guard let mark = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: mark)...]) else {
            throw NotationError(description: OptionSentences.notAListenAddress)
        }
        var host = text[..<mark]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty else { throw NotationError(description: OptionSentences.addressIsMissing) }
        self.host = String(host)
        self.port = Int(port)
    }

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
