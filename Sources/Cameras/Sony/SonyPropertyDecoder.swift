import NIOCore
import PTP

/// Decodes one dataset of 0x9209 after the other. Readings are frequent and little changes between two of them: a
/// record whose bytes are those of the last time is taken over as it was. The result is always that of a decoder that
/// remembers nothing.
///
/// What is remembered is one dataset, which is never larger than a reading may be.
struct SonyPropertyDecoder: Sendable {
    private var version: SonyExtensionVersion?
    private var bytes = ByteBuffer()
    private var dataset = SonyPropertyDataset(records: [])
    /// The bytes of each record.
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
