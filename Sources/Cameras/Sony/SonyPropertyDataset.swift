import NIOCore
import PTP

/// The dataset of 0x9209: a u64 count, then records without lengths. After an invalid record nothing more can be read,
/// but the records before it stay valid.
package struct SonyPropertyDataset: Hashable, Sendable {
    /// The records in the order of the body.
    package var records: [SonyPropertyRecord]
    /// The error that ended the decoding early; nil: all announced records were read.
    package private(set) var damage: Damage?

    /// The place of the error that ended the decoding early, and the error.
    package struct Damage: Hashable, Sendable, CustomStringConvertible {
        /// The number of valid records.
        package var recordsRead: Int
        /// The announced number of records.
        package var recordsAnnounced: UInt64
        /// The error in the next record.
        package var error: DatasetError
    }

    /// Deviations in a dataset whose records could all be read.
    package private(set) var flaws: [Flaw] = []

    /// A deviation from the documents that does not stop the decoding.
    package enum Flaw: Hashable, Sendable, CustomStringConvertible {
        /// A property that occurs more than once. The first record is used.
        case repeated(PropertyCode)
        /// Bytes after the last announced record. They can be unannounced records.
        case surplus(byteCount: Int, recordsAnnounced: UInt64)
    }

    /// An error or a deviation.
    package enum Remark: Hashable, Sendable {
        case damage(Damage)
        case flaw(Flaw)
    }

    /// All errors and deviations.
    package var remarks: [Remark] { (damage.map { [.damage($0)] } ?? []) + flaws.map { .flaw($0) } }

    /// The greatest number of listed flaws.
    package static let flawsMax = 8

    package init(records: [SonyPropertyRecord]) {
        self.records = records
    }

    /// Decodes a dataset. Decoding never fails as a whole: see `damage` and `flaws`.
    package init(decoding buffer: ByteBuffer, version: SonyExtensionVersion) {
        var decoder = SonyPropertyDecoder()
        self = decoder.decode(buffer, version: version)
    }

    /// - Parameter readRecord: Reads the record with this number, counted from 0.
    init(
        decoding buffer: ByteBuffer,
        _ readRecord: (inout DatasetReader, Int) throws(DatasetError) -> SonyPropertyRecord
    ) {
        records = []
        var reader = DatasetReader(buffer)
        var announced: UInt64 = 0
        do throws(DatasetError) {
            announced = try reader.integer("number of properties")
            // A count that is too large is harmless: each record has at least 7 bytes, so the data end first.
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
