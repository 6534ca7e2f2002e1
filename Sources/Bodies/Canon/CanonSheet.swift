import Cameras
import NIOCore
import PTP

/// The properties of a body, as the records of its first event list in their order. A change replaces the words of a
/// record, so every other byte stays as it was captured.
package struct CanonSheet: Sendable {
    package private(set) var records: [CanonEventRecord]

    /// Reads a table, which is part of the program. Semicolons separate the records, and all numbers are hexadecimal:
    ///
    /// - `D105 3` is the value of a property, in words of 4 bytes.
    /// - `D105:3 0 1` are its choices, in a list of type 3. `D120:3*23` declares 0x23 choices.
    /// - `.C1A4 20001` is a record of another type.
    /// - `0*c` is a word that occurs 12 times. `+0028` are bytes after all words.
    package init(_ table: String) {
        records = table.split(separator: ";").map { CanonEventRecord(row: $0) }
    }

    /// The whole list, with its end.
    package var encoded: ByteBuffer { CanonEventRecord.encoded(records) }

    // MARK: Values

    /// The value of a property; empty: the sheet does not have the property.
    package func words(of code: PropertyCode) -> [UInt32] { record(.propertyValue, code)?.words ?? [] }

    /// The value of a property that is one number; nil: the sheet does not have the property.
    package func number(_ code: PropertyCode) -> UInt32? { words(of: code).first }

    /// The record with the value of a property; nil: the sheet does not have the property.
    package func value(of code: PropertyCode) -> CanonEventRecord? { record(.propertyValue, code) }

    /// Sets the value of a property, in each of its records. Adds the property if the sheet does not have it.
    package mutating func set(_ code: PropertyCode, _ words: UInt32...) { set(code, words: words) }

    package mutating func set(_ code: PropertyCode, words: [UInt32]) { put(.value(code, words)) }

    // MARK: Choices

    /// The record with the present choices of a property; nil: the sheet has none.
    package func choices(of code: PropertyCode) -> CanonEventRecord? { record(.propertyChoices, code) }

    /// Sets the choices of a property whose values are numbers.
    package mutating func setChoices(_ code: PropertyCode, _ numbers: [UInt32]) { put(.choices(code, numbers)) }

    /// Whether the property can have this value now.
    package func offers(_ code: PropertyCode, _ words: [UInt32]) -> Bool {
        guard let record = choices(of: code) else { return false }
        guard CanonImageFormat(words[...]) != nil else {
            return words.count == 1 && record.choiceCount == record.words.count && record.words.contains(words[0])
        }
        var rest = record.words[...]
        while let format = CanonImageFormat(rest) {
            if format.words == words { return true }
            rest = rest.dropFirst(format.words.count)
        }
        return false
    }

    // MARK: Records

    /// Replaces the records for which `changes` has another one.
    package mutating func apply(_ changes: CanonSheet) {
        for record in changes.records { put(record) }
    }

    private func record(_ type: CanonRecordType, _ code: PropertyCode) -> CanonEventRecord? {
        records.first { $0.type == type && $0.code == code }
    }

    private mutating func put(_ new: CanonEventRecord) {
        var isNew = true
        for index in records.indices where records[index].type == new.type && records[index].code == new.code {
            records[index] = new
            isNew = false
        }
        if isNew { records.append(new) }
        display(new)
    }

    /// Writes a setting into the content of the displays, if the list has this record. libgphoto2 reads it there last.
    private mutating func display(_ new: CanonEventRecord) {
        guard new.type == .propertyValue, let code = new.code, let value = new.words.first,
            let index = records.firstIndex(where: { $0.type == .displayInfo })
        else { return }
        var bytes = records[index].words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
        bytes += records[index].tail
        let version = number(.canonDisplayInfoVersion)
        guard let position = CanonDisplayInfo.position(of: code, in: bytes, version: version) else { return }
        bytes[position] = UInt8(truncatingIfNeeded: value)
        records[index] = CanonEventRecord(.displayInfo, words: [], tail: bytes)
    }
}

/// A record of an event list.
package struct CanonEventRecord: Hashable, Sendable {
    package var type: CanonRecordType
    /// The property of a record about a property; nil: another type of record.
    package var code: PropertyCode?
    /// The type of the list and the declared number of choices, in a record with choices.
    var listType: UInt32 = 3
    var choiceCount = 0
    /// The words after the fixed fields.
    package var words: [UInt32] = []
    /// The bytes after all words.
    package var tail: [UInt8] = []

    package init(_ type: CanonRecordType, _ words: UInt32...) {
        self.type = type
        self.words = words
    }

    package init(_ type: CanonRecordType, words: [UInt32], tail: [UInt8] = []) {
        self.type = type
        self.words = words
        self.tail = tail
    }

    package static func value(_ code: PropertyCode, _ words: [UInt32], tail: [UInt8] = []) -> CanonEventRecord {
        var record = CanonEventRecord(.propertyValue, words: words, tail: tail)
        record.code = code
        return record
    }

    package static func choices(_ code: PropertyCode, _ numbers: [UInt32]) -> CanonEventRecord {
        var record = CanonEventRecord(.propertyChoices, words: numbers)
        record.code = code
        record.choiceCount = numbers.count
        return record
    }

    /// The bytes of a list with these records and its end.
    package static func encoded(_ records: [CanonEventRecord]) -> ByteBuffer {
        var writer = DatasetWriter()
        for record in records { record.write(into: &writer) }
        CanonEventRecord(.end).write(into: &writer)
        return writer.buffer
    }

    private func write(into writer: inout DatasetWriter) {
        var fields: [UInt32] = []
        if let code { fields.append(UInt32(code.rawValue)) }
        if type == .propertyChoices { fields += [listType, UInt32(choiceCount)] }
        fields += words
        writer.integer(UInt32(8 + fields.count * 4 + tail.count))
        writer.integer(type.rawValue)
        for field in fields { writer.integer(field) }
        for byte in tail { writer.integer(byte) }
    }
}

extension CanonEventRecord {
    /// Reads a row of a table; see ``CanonSheet/init(_:)``.
    fileprivate init(row: Substring) {
        let tokens = row.split { $0.isWhitespace }
        guard let head = tokens.first else { preconditionFailure("a row has a record") }
        let parts = head.split { $0 == ":" || $0 == "*" }
        if head.hasPrefix(".") {
            self.init(CanonRecordType(rawValue: Self.number(head.dropFirst())))
        } else {
            self.init(parts.count > 1 ? .propertyChoices : .propertyValue)
            code = PropertyCode(rawValue: UInt16(Self.number(parts[0])))
        }
        for token in tokens.dropFirst() { read(token) }
        guard parts.count > 1 else { return }
        listType = Self.number(parts[1])
        choiceCount = parts.count > 2 ? Int(Self.number(parts[2])) : words.count
    }

    private mutating func read(_ token: Substring) {
        guard !token.hasPrefix("+") else {
            var digits = token.dropFirst()
            while !digits.isEmpty {
                tail.append(UInt8(Self.number(digits.prefix(2))))
                digits = digits.dropFirst(2)
            }
            return
        }
        let parts = token.split(separator: "*")
        words += repeatElement(Self.number(parts[0]), count: parts.count > 1 ? Int(Self.number(parts[1])) : 1)
    }

    private static func number(_ digits: Substring) -> UInt32 {
        guard let number = UInt32(digits, radix: 16) else { preconditionFailure("\(digits) is not hexadecimal") }
        return number
    }
}
