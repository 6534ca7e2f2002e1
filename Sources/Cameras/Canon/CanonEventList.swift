import NIOCore
import PTP

/// The data of GetEvent: the changes since the last GetEvent. A list is a sequence of records, each with its size (u32,
/// which includes these 8 bytes) and its type (u32). A record of size 8 and type 0 ends the list.
///
/// Every record is decoded or skipped by its size, so the loop ends with the data. The body reports each change once.
/// So damage means that changes may be lost.
package struct CanonEventList: Sendable {
    /// Why the rest of a list cannot be read.
    package enum Damage: Hashable, Sendable {
        /// The record is smaller than its own head.
        case sizeTooSmall(UInt32)
        /// The record is larger than the rest of the data.
        case sizeBeyondData(UInt32, left: Int)
        /// The data end without the last record.
        case endMissing(left: Int)
    }

    package private(set) var records: [CanonRecord] = []
    /// The types of known records whose bodies are too short. The list continues after them.
    package private(set) var shortRecords: [CanonRecordType] = []
    /// Why the list is incomplete; nil: the list is complete.
    package private(set) var damage: Damage?

    /// The number of bytes before the body of a record.
    static let headLength = 8

    /// No data count as an empty list: a camera may omit the data phase.
    package init(decoding data: ByteBuffer) {
        var rest = data
        if rest.readableBytes > 0 { damage = read(&rest) }
    }

    /// Reads the records. Returns why the list is incomplete.
    private mutating func read(_ rest: inout ByteBuffer) -> Damage? {
        while let (size, number) = rest.readMultipleIntegers(endianness: .little, as: (UInt32, UInt32).self) {
            guard size >= Self.headLength else { return .sizeTooSmall(size) }
            guard let body = rest.readSlice(length: Int(size) - Self.headLength) else {
                return .sizeBeyondData(size, left: rest.readableBytes)
            }
            let type = CanonRecordType(rawValue: number)
            // Bytes after the last record have no meaning.
            if type == .end { return nil }
            if let record = CanonRecord(type, body) {
                records.append(record)
            } else if !shortRecords.contains(type) {
                shortRecords.append(type)
            }
        }
        return .endMissing(left: rest.readableBytes)
    }

    /// Whether the list reports nothing.
    package var isEmpty: Bool { records.isEmpty && shortRecords.isEmpty && damage == nil }
}

/// One record of an event list.
package enum CanonRecord: Hashable, Sendable {
    /// A property has this value. The words are the value in units of 4 bytes, without an incomplete last unit.
    case value(PropertyCode, words: [UInt32])
    /// A property can be set to these values now. `count` values are in the words; structures have several words.
    case choices(PropertyCode, count: Int, words: [UInt32])
    /// Whether the body works on a picture.
    case status(isBusy: Bool)
    /// A file is on the card.
    case objectAdded(CanonObject)
    /// A file is in the body's buffer and waits for its transfer.
    case transferRequested(CanonObject)
    case objectRemoved(handle: UInt32)
    /// A card was inserted or removed.
    case storeChanged
    /// The body soon turns itself off.
    case shutdownSoon
    /// The content of the displays. Its layout depends on the body, see `CanonDisplayInfo`.
    case displayInfo(ByteBuffer)
    /// A record without a use for the driver.
    case other(CanonRecordType)

    /// - Returns: nil if the body is shorter than the record's fields.
    init?(_ type: CanonRecordType, _ body: ByteBuffer) {
        guard let record = try? Self.decode(type, body) else { return nil }
        self = record
    }

    private static func decode(_ type: CanonRecordType, _ body: ByteBuffer) throws(DatasetError) -> CanonRecord {
        var reader = DatasetReader(body)
        switch type {
        case .propertyValue:
            let number = try reader.integer("Property", as: UInt32.self)
            guard let code = UInt16(exactly: number) else { return .other(type) }
            return .value(PropertyCode(rawValue: code), words: reader.canonWords)
        case .propertyChoices:
            let number = try reader.integer("Property", as: UInt32.self)
            // The type of the list: 3 for values that can be selected. 0, 1 and 7 occur with an empty list.
            _ = try reader.integer("ListType", as: UInt32.self)
            let count = try reader.integer("Count", as: UInt32.self)
            guard let code = UInt16(exactly: number) else { return .other(type) }
            return .choices(PropertyCode(rawValue: code), count: Int(count), words: reader.canonWords)
        case .status: return .status(isBusy: try reader.integer("Status", as: UInt32.self) != 0)
        case .objectRemoved: return .objectRemoved(handle: try reader.integer("Handle", as: UInt32.self))
        case .storeAdded, .storeRemoved: return .storeChanged
        case .shutdownSoon: return .shutdownSoon
        case .displayInfo: return .displayInfo(body)
        default:
            guard let layout = CanonObject.Layout.table.first(where: { $0.type == type }) else { return .other(type) }
            let object = try CanonObject(body, layout)
            return layout.isInBuffer ? .transferRequested(object) : .objectAdded(object)
        }
    }
}

extension DatasetReader {
    /// The remaining whole words of 4 bytes.
    fileprivate var canonWords: [UInt32] {
        var reader = self
        var words: [UInt32] = []
        words.reserveCapacity(bytesLeft / 4)
        while let word = try? reader.integer("Word", as: UInt32.self) { words.append(word) }
        return words
    }
}
