/// A set of states, by document number. Charts with up to 64 states use `SmallSet`, larger ones `WideSet`.
///
/// State 0 is the root of the document. It is never active, so it is never a member of a set.
public protocol StateSet: Equatable, Sendable {
    /// The highest possible member; nil: no limit.
    static var highestMember: Int? { get }
    /// The empty set, with room for states up to `highest`.
    init(highest: Int)
    var isEmpty: Bool { get }
    func contains(_ state: Int) -> Bool
    mutating func insert(_ state: Int)
    mutating func remove(_ state: Int)
    mutating func formUnion(_ other: Self)
    mutating func formIntersection(_ other: Self)
    mutating func subtract(_ other: Self)
    func intersects(_ other: Self) -> Bool
    func next(after state: Int) -> Int?
    func last(before state: Int) -> Int?
}

extension StateSet {
    /// The union of both sets.
    @inlinable
    public func union(_ other: Self) -> Self {
        var result = self
        result.formUnion(other)
        return result
    }

    /// The intersection of both sets.
    @inlinable
    public func intersection(_ other: Self) -> Self {
        var result = self
        result.formIntersection(other)
        return result
    }

    /// The members of this set that are not in `other`.
    @inlinable
    public func subtracting(_ other: Self) -> Self {
        var result = self
        result.subtract(other)
        return result
    }

    /// Whether `other` contains all members of this set.
    @inlinable
    public func isSubset(of other: Self) -> Bool {
        subtracting(other).isEmpty
    }

    /// The members in document order. This property allocates, so it is for reports and not for steps.
    public var members: [Int] {
        var result: [Int] = []
        var member = next(after: 0)
        while let state = member {
            result.append(state)
            member = next(after: state)
        }
        return result
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// States 1 to 64 in one 64-bit integer.
@frozen
public struct SmallSet: StateSet {
    @usableFromInline var word: UInt64

    /// State n is bit n − 1, because the root is never a member.
    @inlinable public static var highestMember: Int? { 64 }

    @inlinable
    public init(highest: Int = 64) {
        word = 0
    }

    @inlinable public var isEmpty: Bool { word == 0 }

    @inlinable
    public func contains(_ state: Int) -> Bool {
        word & Self.bit(state) != 0
    }

    @inlinable
    public mutating func insert(_ state: Int) {
        word |= Self.bit(state)
    }

    @inlinable
    public mutating func remove(_ state: Int) {
        word &= ~Self.bit(state)
    }

    @inlinable
    public mutating func formUnion(_ other: Self) {
        word |= other.word
    }

    @inlinable
    public mutating func formIntersection(_ other: Self) {
        word &= other.word
    }

    @inlinable
    public mutating func subtract(_ other: Self) {
        word &= ~other.word
    }

    @inlinable
    public func intersects(_ other: Self) -> Bool {
        word & other.word != 0
    }

    @inlinable
    public func next(after state: Int) -> Int? {
        // For state 64, `<<` gives 0 in Swift. So `rest` is 0, as required.
        let rest = word & (UInt64.max << UInt64(state))
        return rest == 0 ? nil : rest.trailingZeroBitCount + 1
    }

    @inlinable
    public func last(before state: Int) -> Int? {
        guard state > 1 else { return nil }
        let rest = word & ~(UInt64.max << UInt64(state - 1))
        return rest == 0 ? nil : 64 - rest.leadingZeroBitCount
    }

    @inlinable
    static func bit(_ state: Int) -> UInt64 {
        1 &<< UInt64(truncatingIfNeeded: state &- 1)
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// A set of any number of states, in an array of 64-bit integers.
@frozen
public struct WideSet: StateSet {
    @usableFromInline var words: [UInt64]

    @inlinable public static var highestMember: Int? { nil }

    @inlinable
    public init(highest: Int) {
        words = Array(repeating: 0, count: highest / 64 + 1)
    }

    @inlinable public var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    @inlinable
    public func contains(_ state: Int) -> Bool {
        words[state / 64] & (1 << UInt64(state % 64)) != 0
    }

    @inlinable
    public mutating func insert(_ state: Int) {
        words[state / 64] |= 1 << UInt64(state % 64)
    }

    @inlinable
    public mutating func remove(_ state: Int) {
        words[state / 64] &= ~(1 << UInt64(state % 64))
    }

    @inlinable
    public mutating func formUnion(_ other: Self) {
        for index in words.indices { words[index] |= other.words[index] }
    }

    @inlinable
    public mutating func formIntersection(_ other: Self) {
        for index in words.indices { words[index] &= other.words[index] }
    }

    @inlinable
    public mutating func subtract(_ other: Self) {
        for index in words.indices { words[index] &= ~other.words[index] }
    }

    @inlinable
    public func intersects(_ other: Self) -> Bool {
        words.indices.contains { words[$0] & other.words[$0] != 0 }
    }

    @inlinable
    public func next(after state: Int) -> Int? {
        let start = state + 1
        for index in words.indices.dropFirst(start / 64) {
            let mask = index == start / 64 ? UInt64.max << UInt64(start % 64) : .max
            let rest = words[index] & mask
            if rest != 0 { return index * 64 + rest.trailingZeroBitCount }
        }
        return nil
    }

    @inlinable
    public func last(before state: Int) -> Int? {
        for index in words.indices.prefix(state / 64 + 1).reversed() {
            let mask = index == state / 64 ? ~(UInt64.max << UInt64(state % 64)) : .max
            let rest = words[index] & mask
            if rest != 0 { return index * 64 + 63 - rest.leadingZeroBitCount }
        }
        return nil
    }
}
