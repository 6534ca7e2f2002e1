import NIOCore
import PTP

/// The properties of a body, as descriptions in the order of its lists. A new value replaces one field, so every other
/// field stays as it was captured.
package struct NikonSheet: Sendable {
    package private(set) var rows: [DevicePropDesc]

    /// Reads a table, which is part of the program: datasets of GetDevicePropDesc in hexadecimal, with semicolons
    /// between them.
    package init(_ table: String) {
        rows = table.split(separator: ";").map { row in
            let digits = row.filter { !$0.isWhitespace }.map { $0 }
            let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap { index in
                UInt8(String(digits[index...index + 1]), radix: 16)
            }
            guard let description = try? DevicePropDesc(decoding: ByteBuffer(bytes: bytes)) else {
                preconditionFailure("\(row) is not a description")
            }
            return description
        }
    }

    package subscript(code: PropertyCode) -> DevicePropDesc? { rows.first { $0.code == code } }

    /// The value of a property that is a number; nil: the sheet does not have the property.
    package func number(_ code: PropertyCode) -> Int64? { self[code]?.currentValue.integer }

    /// The values of a property that can be set now. Empty: any value of the type, or a range.
    package func choices(_ code: PropertyCode) -> [Int64] {
        if case .enumeration(let values) = self[code]?.form { values.compactMap(\.integer) } else { [] }
    }

    /// Whether the property can have this value now.
    package func offers(_ code: PropertyCode, _ value: PTPValue) -> Bool {
        switch self[code]?.form {
        case nil: return false
        case .some(.none): return true
        case .enumeration(let values): return values.contains(value)
        case .range(let min, let max, _):
            guard let number = value.integer, let low = min.integer, let high = max.integer else { return false }
            return (low...Swift.max(low, high)).contains(number)
        }
    }

    // MARK: Changes

    /// Sets a number. No effect if the sheet does not have the property.
    package mutating func set(_ code: PropertyCode, _ number: Int64) {
        change(code) { row in
            if let value = PTPValue(number, as: row.type) { row.currentValue = value }
        }
    }

    package mutating func set(_ code: PropertyCode, _ value: PTPValue) { change(code) { $0.currentValue = value } }

    /// Sets the values that can be set now, and whether the property can be set.
    package mutating func setChoices(_ code: PropertyCode, _ numbers: [Int64], isWritable: Bool) {
        change(code) { row in
            row.form = .enumeration(numbers.compactMap { PTPValue($0, as: row.type) })
            row.isWritable = isWritable
        }
    }

    package mutating func setWritable(_ code: PropertyCode, _ isWritable: Bool) {
        change(code) { $0.isWritable = isWritable }
    }

    /// Replaces the rows that `other` has too, and adds its other rows.
    package mutating func apply(_ other: NikonSheet) {
        for row in other.rows {
            if let index = rows.firstIndex(where: { $0.code == row.code }) {
                rows[index] = row
            } else {
                rows.append(row)
            }
        }
    }

    /// Adds the rows of `other` that this sheet does not have.
    package mutating func restore(from other: NikonSheet) {
        rows += other.rows.filter { self[$0.code] == nil }
    }

    package mutating func remove(_ code: PropertyCode) { rows.removeAll { $0.code == code } }

    private mutating func change(_ code: PropertyCode, _ body: (inout DevicePropDesc) -> Void) {
        guard let index = rows.firstIndex(where: { $0.code == code }) else { return }
        body(&rows[index])
    }
}
