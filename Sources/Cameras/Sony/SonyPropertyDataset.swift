import NIOCore
import PTP

/// The dataset of 0x9209: u64 count, then records back to back, without lengths. One wrong record makes everything
/// after it unreadable; what was read before it stays good.
package struct SonyPropertyDataset: Hashable, Sendable {
    /// In the order of the body.
    package var records: [SonyPropertyRecord]
    /// What ended the reading early; nil when all announced records were there.
    package private(set) var damage: Damage?

    /// Where and why reading ended early.
    package struct Damage: Hashable, Sendable, CustomStringConvertible {
        /// How many records are good.
        package var recordsRead: Int
        /// How many the dataset was to have.
        package var recordsAnnounced: UInt64
        /// What is wrong with the next one.
        package var error: DatasetError

        /// For people, in a few words.
        package var description: String {
            "only \(recordsRead) of \(recordsAnnounced) properties could be read: \(error)"
        }
    }

    /// What is wrong although all records could be read.
    package private(set) var flaws: [Flaw] = []

    /// Something that is not as documented and stops nothing.
    package enum Flaw: Hashable, Sendable, CustomStringConvertible {
        /// A property that was there before; the first one counts.
        case repeated(PropertyCode)
        /// Bytes behind the last announced record: there may be properties that were not announced.
        case surplus(byteCount: Int, recordsAnnounced: UInt64)

        /// For people, in a few words.
        package var description: String {
            switch self {
            case .repeated(let code):
                "property \(code.rawValue.hexadecimal) occurs twice; the first one is used"
            case .surplus(let count, let announced):
                "\(count) bytes remain after the last of \(announced) properties"
            }
        }
    }

    /// Everything that is wrong, a line each.
    package var remarks: [String] { (damage.map { [$0.description] } ?? []) + flaws.map(\.description) }

    /// More flaws than this are not listed.
    package static let flawsMax = 8

    /// A dataset to be sent.
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
            // The reader runs dry long before a false count is reached: a record takes 7 bytes at least.
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

    /// The record of a property, the first if there are several.
    package subscript(code: PropertyCode) -> SonyPropertyRecord? {
        records.place(of: code).map { records[$0] }
    }

    /// The dataset as 0x9209 carries it.
    package func encoded(version: SonyExtensionVersion) -> ByteBuffer {
        var writer = DatasetWriter()
        writer.integer(UInt64(records.count))
        for place in records.indices { records[place].write(into: &writer, version: version) }
        return writer.buffer
    }
}
