import Cameras
import NIOCore
import PTP

/// A picture that waits in the body's buffer for the initiator.
struct BufferedPicture: Equatable, Sendable {
    let frame: Int
    let filename: String
    let format: UInt16
    let content: ResponderContent
    let taken: Duration
}

/// The buffer of pictures. A fixed handle always names the first picture in the buffer.
extension SonyBody {
    private static let jpegFormat: UInt16 = 0x3801
    private static let rawFormat: UInt16 = 0xB101

    /// The files of a frame. For RAW and JPEG these are two pictures, the JPEG first, with one event (alpha-fairy).
    func pictures(of frame: CardFrame) -> [BufferedPicture] {
        let number = String(frame.number % 100_000)
        let digits = String(repeating: "0", count: 5 - number.count) + number
        let name = model.filePrefix + digits + model.fileSuffix
        return fileKinds.map { kind in
            var picture = SimulatedPicture(
                model: model.name,
                firmware: model.firmware,
                frame: frame,
                byteCount: options.pictureSize ?? (options.filesHaveRealSize ? model.fileSize(of: kind) : nil)
            )
            picture.scene = options.scene
            let isRaw = kind == .raw
            return BufferedPicture(
                frame: frame.number,
                filename: name + (isRaw ? ".ARW" : ".JPG"),
                format: isRaw ? Self.rawFormat : Self.jpegFormat,
                content: isRaw ? picture.raw() : picture.jpeg(),
                taken: frame.at
            )
        }
    }

    /// The kinds of files of a picture, from 0xD253, or on version 2 from 0x5004 (16 RAW, 17 to 20 RAW and JPEG). If
    /// there are two kinds, 0xD269 can select one of them for the host.
    var fileKinds: [PictureInfo.Kind] {
        let format = sheet.integer(.sonyFileFormat) ?? sheet.integer(.compressionSetting)
        switch format {
        case 1, 16: return [.raw]
        case 2, 17, 18, 19, 20: break
        default: return [.jpeg]
        }
        switch sheet.integer(.sonyRawAndJPEGTransfer) {
        case 2: return [.jpeg]
        case 3: return [.raw]
        default: return [.jpeg, .raw]
        }
    }

    func objectInfo(_ handle: UInt32, at now: Duration) -> ResponderAnswer {
        if handle == SonyObjectHandle.liveView { return liveViewInfo() }
        guard handle == SonyObjectHandle.shotImage, let picture = buffer.first else {
            return ResponderAnswer(.invalidObjectHandle)
        }
        guard now >= objectInfoFrom else { return ResponderAnswer(.accessDenied) }
        var info = ObjectInfo()
        info.storageID = Self.storage
        info.format = picture.format
        info.compressedSize = UInt32(clamping: picture.content.count)
        info.imagePixWidth = UInt32(options.pictureSides.width)
        info.imagePixHeight = UInt32(options.pictureSides.height)
        info.imageBitDepth = 8
        info.sequenceNumber = UInt32(picture.frame)
        info.filename = picture.filename
        info.captureDate = BodyClock(picture.taken).ptp
        return .ok(info.encoded())
    }

    mutating func object(_ handle: UInt32, in transaction: UInt32, at now: Duration) -> ResponderAnswer {
        if handle == SonyObjectHandle.liveView { return liveViewPicture(at: now) }
        guard handle == SonyObjectHandle.shotImage, let picture = buffer.first else {
            return ResponderAnswer(.invalidObjectHandle)
        }
        return deliver(picture, from: 0, count: picture.content.count, in: transaction)
    }

    /// The answer with the requested part of a picture. The part is shorter if the picture ends earlier.
    mutating func partialObject(_ parameters: [UInt32], in transaction: UInt32) -> ResponderAnswer {
        guard parameters.count >= 3 else { return ResponderAnswer(.invalidParameter) }
        guard parameters[0] == SonyObjectHandle.shotImage, let picture = buffer.first else {
            return ResponderAnswer(.invalidObjectHandle)
        }
        let offset = min(Int(parameters[1]), picture.content.count)
        let count = min(Int(parameters[2]), picture.content.count - offset)
        var answer = deliver(picture, from: offset, count: count, in: transaction)
        answer.parameters = [UInt32(count)]
        return answer
    }

    private mutating func deliver(
        _ picture: BufferedPicture,
        from offset: Int,
        count: Int,
        in transaction: UInt32
    ) -> ResponderAnswer {
        var answer = ResponderAnswer.ok(picture.content.part(from: offset, count: count))
        answer.waitsForNetwork = true
        let isLast = offset + count == picture.content.count
        if let (after, back) = faults.takeTransferBreak(of: picture.frame, from: offset, count: count) {
            answer.breaksAfter = after
            delivery = Delivery(transaction: transaction, isLast: false, back: back)
        } else {
            delivery = Delivery(transaction: transaction, isLast: isLast)
        }
        return answer
    }

    /// Handles an answer that the responder has sent completely. A picture leaves the buffer with its last byte.
    package mutating func answered(_ transaction: UInt32, at now: Duration) {
        guard let delivery, delivery.transaction == transaction else { return }
        self.delivery = nil
        guard delivery.isLast, !buffer.isEmpty else { return }
        let picture = buffer.removeFirst()
        if let index = card.firstIndex(where: { $0.number == picture.frame }) { card[index].isFetched = true }
        outputs.append(.log("\(picture.filename) fetched"))
        report(.sonyObjectRemoved, [SonyObjectHandle.shotImage], at: now)
        refresh(at: now)
    }

    /// Handles an answer that a fault cut at the planned byte. The link fails when that byte arrives.
    package mutating func brokeOff(_ transaction: UInt32, arriving time: Duration) {
        guard let delivery, delivery.transaction == transaction, let back = delivery.back else { return }
        self.delivery = nil
        failLink(.broken(back: back), at: time)
    }

    /// Handles a transaction that the initiator cancelled.
    package mutating func cancelled(_ transaction: UInt32) {
        if delivery?.transaction == transaction { delivery = nil }
    }
}
