/// R14: one of the descriptors in a transition's `event`, ready to be matched against names.
public struct EventDescriptor: Sendable, Hashable {
    /// The tokens a name must begin with; none for `*`, which matches every name.
    public let tokens: [Substring]
    /// As it is written.
    public let text: String

    /// Reads a descriptor; `nil` if a token is empty or a wildcard stands inside the name.
    ///
    /// `.*` matches every name too: the recommendation's schema has it beside `*`, and its tests use it.
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

    /// Whether the descriptor's tokens are a prefix of the name's.
    public func matches(_ name: String) -> Bool {
        name.tokens().starts(with: tokens) { $0.isSame(as: $1) }
    }

    /// Descriptors are the same if they are written the same.
    public static func == (left: Self, right: Self) -> Bool { left.text.isSame(as: right.text) }

    /// The text's.
    public func hash(into hasher: inout Hasher) { hasher.combine(NameKey(text)) }
}
