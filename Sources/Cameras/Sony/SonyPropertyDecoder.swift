import NIOCore
import PTP

/// Decodes the datasets of 0x9209. Readings are frequent and differ little, so a record with unchanged bytes is copied
/// from the last dataset. The result always equals that of a decoder without memory.
///
/// The decoder keeps one dataset. Its size has the same limit as a reading.
struct SonyPropertyDecoder: Sendable {
    private var version: SonyExtensionVersion?
    private var bytes = ByteBuffer()
    private var dataset = SonyPropertyDataset(records: [])
    private var parts: [ByteBuffer] = []

    mutating func decode(_ buffer: ByteBuffer, version: SonyExtensionVersion) -> SonyPropertyDataset {
        if version == self.version, buffer == bytes { return dataset }
        let known = version == self.version ? parts : []
        var parts: [ByteBuffer] = []
        parts.reserveCapacity(known.count)
        let records = dataset.records
        dataset = SonyPropertyDataset(decoding: buffer) { reader, number throws(DatasetError) in
            let start = reader
            if number < known.count, reader.skip(known[number]) {
                parts.append(reader.bytes(since: start))
                return records[number]
            }
            let record = try SonyPropertyRecord(from: &reader, version: version)
            parts.append(reader.bytes(since: start))
            return record
        }
        self.version = version
        self.parts = parts
        bytes = buffer
        return dataset
    }
}
