/// R14: one descriptor of a transition's `event`.
public struct EventDescriptor: Sendable, Hashable {
    /// The required first tokens of a name; empty for `*`, which matches every name.
    public let tokens: [Substring]
    /// The text as written.
    public let text: String

    /// Parses a descriptor. Returns nil if a token is empty or a wildcard is inside the name.
    ///
    /// `.*` also matches every name: the recommendation's schema and its tests contain it.
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

    /// Whether the name starts with the descriptor's tokens.
    public func matches(_ name: String) -> Bool {
        name.tokens().starts(with: tokens) { $0.isSame(as: $1) }
    }

    /// Descriptors are equal if their texts are equal.
    public static func == (left: Self, right: Self) -> Bool { left.text.isSame(as: right.text) }

    /// The hash of the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(NameKey(text)) }
}
