extension Duration? {
    /// The earlier of two times; nil means never.
    @inlinable
    package func earlier(_ other: Duration?) -> Duration? {
        guard let self else { return other }
        guard let other else { return self }
        return Swift.min(self, other)
    }
}
