/// R14: one descriptor in a transition's attribute `event`.
public struct EventDescriptor: Sendable, Hashable {
    /// The tokens with which an event's name must start. Empty for `*`, which matches every name.
    public let tokens: [Substring]
    /// The text as written.
    public let text: String

    /// Parses a descriptor. Returns nil if a token is empty or a wildcard is not at the end.
    ///
    /// `.*` also matches every name, because the W3C schema and the W3C tests contain it.
    public init?(_ text: String) {
        self.text = text
        if text.isSame(as: "*") || text.isSame(as: ".*") {
            tokens = []
            return
        }
        var tokens = text.tokens()
        if tokens.count > 1, let last = tokens.last, last.isEmpty || last.isSame(as: "*") { tokens.removeLast() }
        guard tokens.allSatisfy({ !$0.isEmpty && !$0.unicodeScalars.contains("*") }) else { return nil }
        self.tokens = tokens
    }

    /// Whether an event's name starts with the tokens of this descriptor.
    public func matches(_ name: String) -> Bool {
        name.tokens().starts(with: tokens) { $0.isSame(as: $1) }
    }

    /// Descriptors are equal if their texts are equal.
    public static func == (left: Self, right: Self) -> Bool { left.text.isSame(as: right.text) }

    /// Adds the descriptor's text to the hash.
    public func hash(into hasher: inout Hasher) { hasher.combine(NameKey(text)) }
}
