/// A set of states, by document number. Charts of up to 64 states run on `SmallSet`, larger ones on `WideSet`;
/// there is one engine, generic over this protocol.
///
/// State 0 is the document's root. It is never active and never a member of a set.
public protocol StateSet: Equatable, Sendable {
    /// The highest number a member may have; `nil` means no limit.
    static var highestMember: Int? { get }
    /// The empty set, with room for states up to `highest`.
    init(highest: Int)
    /// Whether there is no member.
    var isEmpty: Bool { get }
    /// Whether `state` is a member.
    func contains(_ state: Int) -> Bool
    /// Makes `state` a member.
    mutating func insert(_ state: Int)
    /// Makes `state` no member.
    mutating func remove(_ state: Int)
    /// Adds the members of `other`.
    mutating func formUnion(_ other: Self)
    /// Keeps only what `other` has too.
    mutating func formIntersection(_ other: Self)
    /// Removes the members of `other`.
    mutating func subtract(_ other: Self)
    /// Whether both have a member in common.
    func intersects(_ other: Self) -> Bool
    /// The lowest member above `state`.
    func next(after state: Int) -> Int?
    /// The highest member below `state`.
    func last(before state: Int) -> Int?
}

extension StateSet {
    /// What either has.
    @inlinable
    public func union(_ other: Self) -> Self {
        var result = self
        result.formUnion(other)
        return result
    }

    /// What both have.
    @inlinable
    public func intersection(_ other: Self) -> Self {
        var result = self
        result.formIntersection(other)
        return result
    }

    /// What only this one has.
    @inlinable
    public func subtracting(_ other: Self) -> Self {
        var result = self
        result.subtract(other)
        return result
    }

    /// Whether `other` has every member of this set.
    @inlinable
    public func isSubset(of other: Self) -> Bool {
        subtracting(other).isEmpty
    }

    /// The members in document order. Allocates; meant for reports, not for steps.
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

/// States 1 to 64 in one machine word.
@frozen
public struct SmallSet: StateSet {
    @usableFromInline var word: UInt64

    /// 64: state n is bit n − 1, for the root is never a member.
    @inlinable public static var highestMember: Int? { 64 }

    /// The empty set.
    @inlinable
    public init(highest: Int = 64) {
        word = 0
    }

    /// Whether there is no member.
    @inlinable public var isEmpty: Bool { word == 0 }

    /// Whether `state` is a member.
    @inlinable
    public func contains(_ state: Int) -> Bool {
        word & Self.bit(state) != 0
    }

    /// Makes `state` a member.
    @inlinable
    public mutating func insert(_ state: Int) {
        word |= Self.bit(state)
    }

    /// Makes `state` no member.
    @inlinable
    public mutating func remove(_ state: Int) {
        word &= ~Self.bit(state)
    }

    /// Adds the members of `other`.
    @inlinable
    public mutating func formUnion(_ other: Self) {
        word |= other.word
    }

    /// Keeps only what `other` has too.
    @inlinable
    public mutating func formIntersection(_ other: Self) {
        word &= other.word
    }

    /// Removes the members of `other`.
    @inlinable
    public mutating func subtract(_ other: Self) {
        word &= ~other.word
    }

    /// Whether both have a member in common.
    @inlinable
    public func intersects(_ other: Self) -> Bool {
        word & other.word != 0
    }

    /// The lowest member above `state`.
    @inlinable
    public func next(after state: Int) -> Int? {
        // `<<` with a count of 64 gives 0, which is the empty rest that is wanted.
        let rest = word & (UInt64.max << UInt64(state))
        return rest == 0 ? nil : rest.trailingZeroBitCount + 1
    }

    /// The highest member below `state`.
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

/// Any number of states, in an array of words.
@frozen
public struct WideSet: StateSet {
    @usableFromInline var words: [UInt64]

    /// No limit.
    @inlinable public static var highestMember: Int? { nil }

    /// The empty set, with room for states up to `highest`.
    @inlinable
    public init(highest: Int) {
        words = Array(repeating: 0, count: highest / 64 + 1)
    }

    /// Whether there is no member.
    @inlinable public var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    /// Whether `state` is a member.
    @inlinable
    public func contains(_ state: Int) -> Bool {
        words[state / 64] & (1 << UInt64(state % 64)) != 0
    }

    /// Makes `state` a member.
    @inlinable
    public mutating func insert(_ state: Int) {
        words[state / 64] |= 1 << UInt64(state % 64)
    }

    /// Makes `state` no member.
    @inlinable
    public mutating func remove(_ state: Int) {
        words[state / 64] &= ~(1 << UInt64(state % 64))
    }

    /// Adds the members of `other`.
    @inlinable
    public mutating func formUnion(_ other: Self) {
        for index in words.indices { words[index] |= other.words[index] }
    }

    /// Keeps only what `other` has too.
    @inlinable
    public mutating func formIntersection(_ other: Self) {
        for index in words.indices { words[index] &= other.words[index] }
    }

    /// Removes the members of `other`.
    @inlinable
    public mutating func subtract(_ other: Self) {
        for index in words.indices { words[index] &= ~other.words[index] }
    }

    /// Whether both have a member in common.
    @inlinable
    public func intersects(_ other: Self) -> Bool {
        words.indices.contains { words[$0] & other.words[$0] != 0 }
    }

    /// The lowest member above `state`.
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

    /// The highest member below `state`.
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
