import NIOCore
import PTP

/// The dataset of 0x9209: u64 count, then records without lengths. After one wrong record everything is unreadable; the
/// records before it stay valid.
package struct SonyPropertyDataset: Hashable, Sendable {
    /// In the order of the body.
    package var records: [SonyPropertyRecord]
    /// The error that ended the reading early; nil when all announced records were read.
    package private(set) var damage: Damage?

    /// Where and why reading ended early.
    package struct Damage: Hashable, Sendable, CustomStringConvertible {
        /// The number of valid records.
        package var recordsRead: Int
        /// The announced number of records.
        package var recordsAnnounced: UInt64
        /// The error in the next record.
        package var error: DatasetError
    }

    /// Deviations although all records could be read.
    package private(set) var flaws: [Flaw] = []

    /// A deviation from the documents that stops nothing.
    package enum Flaw: Hashable, Sendable, CustomStringConvertible {
        /// A property that occurred before; the first one is used.
        case repeated(PropertyCode)
        /// Bytes after the last announced record: they may be properties that were not announced.
        case surplus(byteCount: Int, recordsAnnounced: UInt64)
    }

    /// All errors and deviations, one line each.
    package var remarks: [String] { (damage.map { [$0.description] } ?? []) + flaws.map(\.description) }

    /// Further flaws are not listed.
    package static let flawsMax = 8

    package init(records: [SonyPropertyRecord]) {
        self.records = records
    }

    /// Never fails as a whole: see `damage` and `flaws`.
    package init(decoding buffer: ByteBuffer, version: SonyExtensionVersion) {
        var decoder = SonyPropertyDecoder()
        self = decoder.decode(buffer, version: version)
    }

    /// - Parameter readRecord: Reads the record of this number, from 0.
    init(
        decoding buffer: ByteBuffer,
        _ readRecord: (inout DatasetReader, Int) throws(DatasetError) -> SonyPropertyRecord
    ) {
        records = []
        var reader = DatasetReader(buffer)
        var announced: UInt64 = 0
        do throws(DatasetError) {
            announced = try reader.integer("number of properties")
            // The reader is empty long before a false count is reached: a record takes at least 7 bytes.
            while UInt64(records.count) < announced {
                records.append(try readRecord(&reader, records.count))
            }
            if reader.bytesLeft > 0 {
                flaws.append(.surplus(byteCount: reader.bytesLeft, recordsAnnounced: announced))
            }
        } catch {
            damage = Damage(recordsRead: records.count, recordsAnnounced: announced, error: error)
        }
        noteRepeated()
    }

    private mutating func noteRepeated() {
        var codes = Set<PropertyCode>(minimumCapacity: records.count)
        for record in records where !codes.insert(record.code).inserted && flaws.count < Self.flawsMax {
            flaws.append(.repeated(record.code))
        }
    }

    /// The first record of a property.
    package subscript(code: PropertyCode) -> SonyPropertyRecord? {
        records.place(of: code).map { records[$0] }
    }

    package func encoded(version: SonyExtensionVersion) -> ByteBuffer {
        var writer = DatasetWriter()
        writer.integer(UInt64(records.count))
        for place in records.indices { records[place].write(into: &writer, version: version) }
        return writer.buffer
    }
}
