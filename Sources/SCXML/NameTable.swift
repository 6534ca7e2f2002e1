/// A name as a key. Names are equal if their code units are equal, as in XML, SCXML and ECMAScript. Swift compares
/// strings by Unicode's canonical equivalence instead.
struct NameKey: Hashable, Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: Self, right: Self) -> Bool { left.text.isSame(as: right.text) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // The terminator prevents that the hashed bytes of a name are a prefix of another name.
        hasher.combine(0xFF as UInt8)
    }
}

/// Values by name. The table compares names by their code units.
public struct NameTable<Value> {
    private var values: [NameKey: Value] = [:]

    /// An empty table.
    public init() {}

    /// A table of pairs. If two names are equal, the later pair applies.
    public init(_ pairs: some Sequence<(String, Value)>) {
        for (name, value) in pairs { self[name] = value }
    }

    /// The value of a name; nil: none.
    public subscript(name: String) -> Value? {
        get { values[NameKey(name)] }
        set { values[NameKey(name)] = newValue }
    }

    /// The number of names.
    public var count: Int { values.count }
    /// Whether the table is empty.
    public var isEmpty: Bool { values.isEmpty }

    /// The pairs in the order of their names' code points.
    public var sorted: [(key: String, value: Value)] {
        values.map { (key: $0.key.text, value: $0.value) }.sorted { $0.key.isBefore($1.key) }
    }

    /// A table with the same names and with transformed values.
    public func mapValues<Other>(_ transform: (Value) throws -> Other) rethrows -> NameTable<Other> {
        NameTable<Other>(try values.map { ($0.key.text, try transform($0.value)) })
    }
}

extension NameTable: Sendable where Value: Sendable {}
extension NameTable: Equatable where Value: Equatable {}

extension NameTable: Sequence {
    /// The pairs in no particular order.
    public func makeIterator() -> AnyIterator<(key: String, value: Value)> {
        var iterator = values.makeIterator()
        return AnyIterator { iterator.next().map { (key: $0.key.text, value: $0.value) } }
    }
}

extension NameTable: ExpressibleByDictionaryLiteral {
    /// A table from a literal. If two names are equal, the later pair applies.
    public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }
}

struct NameSet: Sendable {
    private var keys: Set<NameKey> = []

    init() {}

    init(_ names: some Sequence<String>) {
        for name in names { keys.insert(NameKey(name)) }
    }

    mutating func insert(_ name: String) -> Bool { keys.insert(NameKey(name)).inserted }

    func contains(_ name: String) -> Bool { keys.contains(NameKey(name)) }

    var count: Int { keys.count }

    /// The names in the order of their code points.
    var sorted: [String] { keys.map(\.text).sorted { $0.isBefore($1) } }
}

extension NameSet: ExpressibleByArrayLiteral {
    init(arrayLiteral elements: String...) { self.init(elements) }
}

/// Names with numbers, in the order of insertion.
struct NumberedNames: Sendable {
    private(set) var names: [String] = []
    private var numbers: NameTable<Int> = [:]

    init() {}

    init(_ names: [String]) {
        for name in names { _ = add(name) }
    }

    /// The number of a name. A new name gets the next free number.
    mutating func add(_ name: String) -> Int {
        if let number = numbers[name] { return number }
        numbers[name] = names.count
        names.append(name)
        return names.count - 1
    }

    subscript(name: String) -> Int? { numbers[name] }
}

extension StringProtocol {
    func isSame(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

    func isBefore(_ other: some StringProtocol) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }

    /// The parts between dots, including empty ones.
    func tokens(atMost count: Int = .max) -> [Substring] {
        Substring(self).unicodeScalars.split(separator: ".", maxSplits: count - 1, omittingEmptySubsequences: false)
            .map(Substring.init)
    }

    /// The parts between XML white space.
    var words: [String] {
        Substring(self).unicodeScalars.split { " \t\r\n".unicodeScalars.contains($0) }.map { String(Substring($0)) }
    }
}
