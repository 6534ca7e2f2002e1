import NIOCore
import PTP
import Testing

@testable import Cameras

/// Tests that the last dataset makes the next one cheaper to decode, and never changes its values.
struct SonyPropertyDecoderTests {
    private let real = SonyVectors.propertiesOfRX100M7

    @Test func `a dataset decoded after another has the same values as when decoded alone`() {
        var decoder = SonyPropertyDecoder()
        for (number, bytes) in datasets.enumerated() {
            for version in [SonyExtensionVersion.version3, .version3, .version2] {
                let alone = SonyPropertyDataset(decoding: bytes, version: version)
                #expect(decoder.decode(bytes, version: version) == alone, "dataset \(number), \(version)")
            }
            #expect(decoder.decode(real, version: .version3).remarks.isEmpty, "behind dataset \(number)")
        }
    }

    /// The real dataset in many variants: one byte changed, cut at the end, with bytes before a record or after all
    /// records.
    private var datasets: [ByteBuffer] {
        var datasets: [ByteBuffer] = []
        for place in stride(from: 0, to: real.readableBytes, by: 101) {
            var changed = real
            let byte = changed.getInteger(at: place, as: UInt8.self) ?? 0
            changed.setInteger(byte ^ 1, at: place)
            datasets.append(changed)
            datasets.append(changed.getSlice(at: 0, length: place) ?? ByteBuffer())
            var moved = ByteBuffer(bytes: real.readableBytesView.prefix(place))
            moved.writeInteger(UInt8(1))
            moved.writeBytes(real.readableBytesView.dropFirst(place))
            datasets.append(moved)
        }
        return datasets
    }

    @Test func `a changed record is read again, and the unchanged ones are not`() throws {
        var decoder = SonyPropertyDecoder()
        var records = decoder.decode(real, version: .version3).records
        let place = try #require(records.firstIndex { $0.code == .fNumber })
        records[place].currentValue = .uint16(1100)
        let changed = SonyPropertyDataset(records: records).encoded(version: .version3)
        #expect(decoder.decode(changed, version: .version3).records == records)
    }
}
