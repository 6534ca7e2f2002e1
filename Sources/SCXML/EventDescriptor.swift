/// R14: one of the descriptors in a transition's `event`, ready to be matched against names.
public struct EventDescriptor: Sendable, Hashable {
    /// The tokens a name must begin with; none for `*`, which matches every name.
    public let tokens: [Substring]
    /// As it is written.
    public let text: String

    /// Reads a descriptor; `nil` if a token is empty or a wildcard stands inside the name.
    public init?(_ text: String) {
        self.text = text
        var body = text[...]
        if body.hasSuffix(".*") {
            body.removeLast(2)
        } else if body.hasSuffix(".") {
            body.removeLast()
        } else if body == "*" {
            tokens = []
            return
        }
        let tokens = body.split(separator: ".", omittingEmptySubsequences: false)
        guard tokens.allSatisfy({ !$0.isEmpty && !$0.contains("*") }) else { return nil }
        self.tokens = tokens
    }

    /// Whether the descriptor's tokens are a prefix of the name's.
    public func matches(_ name: String) -> Bool {
        name.split(separator: ".", omittingEmptySubsequences: false).starts(with: tokens)
    }

    /// Whether every name the other matches is matched by this one too.
    func covers(_ other: EventDescriptor) -> Bool {
        other.tokens.starts(with: tokens)
    }
}
