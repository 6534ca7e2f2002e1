import Cameras
import NIOCore
import PTP

/// A picture that waits in the body's buffer for the initiator.
struct BufferedPicture: Equatable, Sendable {
    let frame: Int
    let filename: String
    let format: UInt16
    let content: ByteBuffer
    let taken: Duration
}

/// The buffer: one handle names its first picture, whatever that is.
extension SonyBody {
    private static let jpegFormat: UInt16 = 0x3801
    private static let rawFormat: UInt16 = 0xB101

    /// With RAW and JPEG two pictures, the JPEG first, announced by one event (alpha-fairy).
    func pictures(of frame: CardFrame) -> [BufferedPicture] {
        let number = String(frame.number % 100_000)
        let name = "DSC" + String(repeating: "0", count: 5 - number.count) + number
        let jpeg = BufferedPicture(
            frame: frame.number,
            filename: name + ".JPG",
            format: Self.jpegFormat,
            content: StandInPicture.jpeg(
                frame: frame.number,
                model: model.name,
                exposure: (UInt32(frame.speed.numerator), UInt32(max(1, frame.speed.denominator)))
            ),
            taken: frame.at
        )
        let raw = BufferedPicture(
            frame: frame.number,
            filename: name + ".ARW",
            format: Self.rawFormat,
            content: ByteBuffer(string: "stand-in for the RAW of frame \(frame.number)"),
            taken: frame.at
        )
        return switch sheet.integer(.sonyFileFormat) {
        case 1: [raw]
        case 2: [jpeg, raw]
        default: [jpeg]
        }
    }

    func objectInfo(_ handle: UInt32) -> ResponderAnswer {
        guard handle == SonyObjectHandle.shotImage, let picture = buffer.first else {
            return ResponderAnswer(.invalidObjectHandle)
        }
        var info = ObjectInfo()
        info.storageID = Self.storage
        info.format = picture.format
        info.compressedSize = UInt32(picture.content.readableBytes)
        info.imagePixWidth = UInt32(StandInPicture.side)
        info.imagePixHeight = UInt32(StandInPicture.side)
        info.imageBitDepth = 8
        info.sequenceNumber = UInt32(picture.frame)
        info.filename = picture.filename
        info.captureDate = Self.date(picture.taken)
        return .ok(info.encoded())
    }

    mutating func object(_ handle: UInt32, at now: Duration, into outputs: inout [Output]) -> ResponderAnswer {
        guard handle == SonyObjectHandle.shotImage, let picture = buffer.first else {
            return ResponderAnswer(.invalidObjectHandle)
        }
        removeFirst(at: now, into: &outputs)
        return .ok(picture.content)
    }

    /// The picture leaves the buffer with its last byte.
    mutating func partialObject(
        _ parameters: [UInt32],
        at now: Duration,
        into outputs: inout [Output]
    ) -> ResponderAnswer {
        guard parameters.count >= 3 else { return ResponderAnswer(.invalidParameter) }
        guard parameters[0] == SonyObjectHandle.shotImage, let picture = buffer.first else {
            return ResponderAnswer(.invalidObjectHandle)
        }
        let size = picture.content.readableBytes
        let offset = min(Int(parameters[1]), size)
        let count = min(Int(parameters[2]), size - offset)
        let part = picture.content.getSlice(at: picture.content.readerIndex + offset, length: count) ?? ByteBuffer()
        if offset + count == size { removeFirst(at: now, into: &outputs) }
        return .ok(part, parameters: [UInt32(count)])
    }

    private mutating func removeFirst(at now: Duration, into outputs: inout [Output]) {
        let picture = buffer.removeFirst()
        if let index = card.firstIndex(where: { $0.number == picture.frame }) { card[index].isFetched = true }
        outputs.append(.log("\(picture.filename) fetched"))
        report(.sonyObjectRemoved, [SonyObjectHandle.shotImage], at: now)
    }

    /// The body's own clock: it was switched on at noon of a fixed day.
    private static func date(_ time: Duration) -> String {
        let seconds = time.components.seconds % 43_200
        func two(_ number: Int64) -> String { (number < 10 ? "0" : "") + String(number) }
        return "20260101T\(two(12 + seconds / 3_600))\(two(seconds / 60 % 60))\(two(seconds % 60))"
    }
}
