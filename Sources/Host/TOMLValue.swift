import CTOML

/// A value of a TOML text with its key and its position. The root of a document is a table.
struct TOMLValue {
    /// The type of a value (TOML 1.0, "Keyvalue").
    enum Kind {
        case table, array, string, integer, float, boolean, date, time, dateTime
    }

    fileprivate struct Node {
        var kind: Kind
        var key: String
        var line: Int
        var string: String
        var integer: Int
        var real: Double
        var children: Range<Int>
    }

    /// All values of the text. Copies of this value share the array.
    private let nodes: [Node]
    private let index: Int

    private init(nodes: [Node], index: Int) {
        (self.nodes, self.index) = (nodes, index)
    }

    init(text: String) throws(TOMLError) {
        let bytes = Array(text.utf8CString)
        // The terminating zero is not part of the text.
        let result = ctoml_read(bytes, bytes.count - 1)
        defer { ctoml_free(result) }
        if let message = result.message {
            let line = result.line == 0 ? nil : Int(result.line)
            throw TOMLError(
                line: line,
                column: line.map { _ in Int(result.column) },
                isBound: result.is_bound,
                message: String(cString: message)
            )
        }
        self.init(nodes: UnsafeBufferPointer(start: result.nodes, count: result.count).map { Node($0) }, index: 0)
    }

    var kind: Kind { nodes[index].kind }
    /// The key; empty for the root and for elements of arrays.
    var key: String { nodes[index].key }
    /// The line of the key, counted from 1. For a value without a key it is the line of the value.
    var line: Int { nodes[index].line }

    var table: TOMLValue? { kind == .table ? self : nil }
    var array: [TOMLValue]? { kind == .array ? children : nil }
    var string: String? { kind == .string ? nodes[index].string : nil }
    var int: Int? { kind == .integer ? nodes[index].integer : nil }
    var double: Double? { kind == .float ? nodes[index].real : nil }
    var bool: Bool? { kind == .boolean ? nodes[index].integer != 0 : nil }

    /// The members of a table, sorted by key, or the elements of an array in their order.
    var children: [TOMLValue] { nodes[index].children.map { TOMLValue(nodes: nodes, index: $0) } }

    /// The table's value for a key. A binary search works, because the keys are sorted by their bytes.
    subscript(key: String) -> TOMLValue? {
        guard kind == .table else { return nil }
        var range = nodes[index].children
        while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
            let found = nodes[middle].key.utf8
            if found.elementsEqual(key.utf8) { return TOMLValue(nodes: nodes, index: middle) }
            let isBefore = found.lexicographicallyPrecedes(key.utf8)
            range = isBefore ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    /// The value at a path of keys, or the last existing value on that path.
    func nearest(_ path: [String]) -> TOMLValue {
        var value = self
        for key in path {
            guard let next = value[key] else { break }
            value = next
        }
        return value
    }
}

struct TOMLError: Error, Equatable {
    /// The position of the error. Line and column (in characters) are counted from 1; nil: the whole text.
    var line: Int?
    var column: Int?
    /// Whether the text exceeds a limit (length or dots).
    var isBound = false
    var message: String
}

extension TOMLValue.Node {
    fileprivate init(_ node: ctoml_node) {
        self.init(
            kind: TOMLValue.Kind(node.kind),
            key: String(node.key),
            line: Int(node.line),
            string: String(node.string),
            integer: Int(node.integer),
            real: node.real,
            children: node.first_child..<(node.first_child + node.child_count)
        )
    }
}

extension TOMLValue.Kind {
    fileprivate init(_ kind: ctoml_kind) {
        switch kind {
        case ctoml_array: self = .array
        case ctoml_string: self = .string
        case ctoml_integer: self = .integer
        case ctoml_float: self = .float
        case ctoml_boolean: self = .boolean
        case ctoml_date: self = .date
        case ctoml_time: self = .time
        case ctoml_date_time: self = .dateTime
        default: self = .table
        }
    }
}

extension String {
    fileprivate init(_ text: ctoml_text) {
        self.init(decoding: UnsafeRawBufferPointer(start: text.bytes, count: text.length), as: UTF8.self)
    }
}
