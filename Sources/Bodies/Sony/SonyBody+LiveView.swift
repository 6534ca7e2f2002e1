import Cameras
import NIOCore
import PTP

/// The live view of a Sony body over PTP/IP.
extension SonyBody {
    private static let headSize = 16
    private static let focusInfoSize = 120
    /// The field of the JPEG has a multiple of this size (frames of an RX100 VII).
    private static let fieldUnit = 128

    /// The body shows live view, except while it works on a picture.
    private var liveViewRefusal: ResponseCode? {
        if sheet.integer(.sonyLiveViewStatus) == 2 { return .invalidObjectHandle }
        return shutter == .ready ? nil : .accessDenied
    }

    func liveViewInfo() -> ResponderAnswer {
        if let liveViewRefusal { return ResponderAnswer(liveViewRefusal) }
        var info = ObjectInfo()
        info.storageID = Self.storage
        info.format = 0x3801
        info.imageBitDepth = 8
        return .ok(info.encoded())
    }

    /// A head, the description of the focus frames, and the JPEG with bytes without meaning after its end.
    mutating func liveViewPicture(at now: Duration) -> ResponderAnswer {
        if let liveViewRefusal { return ResponderAnswer(liveViewRefusal) }
        let frame = CardFrame(
            number: 0,
            speed: speed.ofBody,
            at: now,
            exposure: speed.exposureTime ?? .seconds(1),
            settings: frameSettings(at: speed)
        )
        let showsExposure = sheet.integer(.sonyLiveViewEffect) != 2
        let jpeg = liveViewEye.picture(of: frame, options.scene, showsExposure: showsExposure).jpeg
        let jpegOffset = Self.headSize + Self.focusInfoSize
        let fieldSize = (jpeg.readableBytes + Self.fieldUnit) / Self.fieldUnit * Self.fieldUnit
        var data = ByteBuffer()
        for number in [jpegOffset, fieldSize, Self.headSize, Self.focusInfoSize] {
            data.writeInteger(UInt32(number), endianness: .little)
        }
        // Version 1.00, and no frame.
        data.writeInteger(100 as UInt16, endianness: .little)
        data.writeRepeatingByte(0, count: jpegOffset - data.readableBytes)
        data.writeImmutableBuffer(jpeg)
        // A real tail is not zero, and can contain the end marker of a JPEG.
        let tail: [UInt8] = [0xFF, 0xD9, 0x5A]
        let rest = jpegOffset + fieldSize - data.readableBytes
        data.writeBytes((0..<rest).map { tail[$0 % tail.count] })
        return .ok(data)
    }
}
