import Cameras
import NIOCore
import PTP

/// The live view of a Canon body.
extension CanonBody {
    /// The records of a picture in the order of an EOS 1300D. Only the first one and the histogram have a meaning here.
    /// The last record is empty and ends the data exactly: libgphoto2 2.5.30 reads a record without a size for ever.
    mutating func liveViewPicture(at now: Duration) -> ResponderAnswer {
        let output = sheet.number(.canonLiveViewOutput) ?? 0
        guard output & Self.toComputer != 0, shutter == .ready else { return ResponderAnswer(.canonObjectNotReady) }
        let frame = CardFrame(
            number: 0,
            speed: speed.ofBody,
            at: now,
            exposure: speed.exposureTime ?? .seconds(1),
            settings: frameSettings(at: speed)
        )
        let picture = liveViewEye.picture(of: frame, options.scene)
        var data = ByteBuffer()
        Self.write(1, picture.jpeg, into: &data)
        for record in Self.otherRecords {
            Self.write(record.type, ByteBuffer(repeating: 0, count: record.size), into: &data)
        }
        Self.write(3, Self.histogram(picture.codes), into: &data)
        Self.write(0, ByteBuffer(), into: &data)
        var answer = ResponderAnswer.ok(data)
        answer.parameters = [0, UInt32(data.readableBytes)]
        return answer
    }

    /// The bit of 0xD1B0 for the initiator.
    private static let toComputer: UInt32 = 2
    /// The other records of a 1300D, with the sizes of their contents.
    private static let otherRecords: [(type: UInt32, size: Int)] = [
        (4, 4), (5, 8), (6, 8), (12, 4), (13, 16), (14, 8), (10, 8), (7, 4),
    ]

    private static func write(_ type: UInt32, _ content: ByteBuffer, into data: inout ByteBuffer) {
        data.writeMultipleIntegers(UInt32(8 + content.readableBytes), type, endianness: .little)
        data.writeImmutableBuffer(content)
    }

    /// 256 times the counts of Y, red, green, and Y again.
    private static func histogram(_ codes: [SceneEye.Codes]) -> ByteBuffer {
        var counts = [(luma: UInt32, red: UInt32, green: UInt32)](repeating: (0, 0, 0), count: 256)
        let pixels = UInt32(SimulatedScene.side * SimulatedScene.side)
        for code in codes {
            counts[Int(code.luma)].luma += pixels
            counts[Int(code.red)].red += pixels
            counts[Int(code.green)].green += pixels
        }
        var data = ByteBuffer()
        for count in counts {
            data.writeMultipleIntegers(count.luma, count.red, count.green, count.luma, endianness: .little)
        }
        return data
    }
}
