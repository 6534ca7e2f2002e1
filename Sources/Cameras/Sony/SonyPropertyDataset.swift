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

    /// A dataset to be sent.
    package init(records: [SonyPropertyRecord]) {
        self.records = records
    }

    /// Never fails as a whole: see `damage`.
    package init(decoding buffer: ByteBuffer, version: SonyExtensionVersion) {
        records = []
        var reader = DatasetReader(buffer)
        var announced: UInt64 = 0
        do throws(DatasetError) {
            announced = try reader.integer("number of properties")
            // The reader runs dry long before a false count is reached: a record takes 7 bytes at least.
            while UInt64(records.count) < announced {
                records.append(try SonyPropertyRecord(from: &reader, version: version))
            }
        } catch {
            damage = Damage(recordsRead: records.count, recordsAnnounced: announced, error: error)
        }
    }

    /// The record of a property, the first if there are several.
    package subscript(code: PropertyCode) -> SonyPropertyRecord? {
        records.first { $0.code == code }
    }

    /// The dataset as 0x9209 carries it.
    package func encoded(version: SonyExtensionVersion) -> ByteBuffer {
        var writer = DatasetWriter()
        writer.integer(UInt64(records.count))
        for record in records { record.write(into: &writer, version: version) }
        return writer.buffer
    }
}
