import Cameras
import Controller
import NIOCore
import PTP

/// Tells which of the bytes that cameras send may be kept: the heads of packets, what is no data, and the data of
/// operations that are known to carry none of a picture. Everything else is left out: pictures, previews, what nobody
/// asked for, and all that follows a packet that is none.
///
/// It follows the packets as ``PTP/PacketDecoder`` does, and no further: where that one gives up the connection, what
/// follows means nothing to the driver either.
struct PictureMask: Sendable {
    /// One direction of one connection: from the camera to us.
    private struct Stream: Sendable {
        let generation: LinkGeneration
        let link: LinkID
        var place = Place.head(Head())
        /// The operation whose data may be kept; nil: none.
        var kept: UInt32?
    }

    private enum Place: Sendable {
        /// Within the head of a packet.
        case head(Head)
        /// Behind it: what of the packet is to come, and how much of that is kept.
        case body(left: Int, kept: Int)
        /// Nothing is known of what follows.
        case lost
    }

    /// Length, type and, where it is data, the transaction, as far as they came.
    private struct Head: Sendable {
        var count = 0
        var length: UInt32 = 0
        var type: UInt32 = 0
        var transaction: UInt32 = 0

        mutating func take(_ byte: UInt8) {
            let bits = UInt32(byte) << UInt32(count % 4 * 8)
            switch count / 4 {
            case 0: length |= bits
            case 1: type |= bits
            default: transaction |= bits
            }
            count += 1
        }

        var isData: Bool {
            type == PTPIPPacketType.data.rawValue || type == PTPIPPacketType.endData.rawValue
        }

        var isWhole: Bool {
            count == PTPIPPacketType.headerLength + (isData ? MemoryLayout<UInt32>.size : 0)
        }
    }

    private struct PictureRequest: Equatable, Sendable {
        let generation: LinkGeneration
        let id: HTTPRequestID
    }

    /// More connections than the core ever has.
    private static let streamsMax = 256

    /// Whose data is no part of a picture.
    private static let keptOperations: Set<UInt16> = [
        OperationCode.getDeviceInfo.rawValue, OperationCode.getStorageIDs.rawValue,
        OperationCode.getStorageInfo.rawValue, OperationCode.getObjectHandles.rawValue,
        OperationCode.getObjectInfo.rawValue, OperationCode.getDevicePropDesc.rawValue,
        OperationCode.getDevicePropValue.rawValue, OperationCode.sdioConnect.rawValue,
        OperationCode.sdioGetExtDeviceInfo.rawValue, OperationCode.sdioGetAllExtDevicePropInfo.rawValue,
    ]

    private var streams: [Stream] = []
    /// The requests of HTTP whose replies are pictures.
    private var pictures: [PictureRequest] = []
    /// What of the last bytes is not to be kept, in order.
    private(set) var blanks: [Range<Int>] = []

    init() {}

    // MARK: What comes

    /// Finds ``blanks`` in what an input carries.
    mutating func look(at input: Input) {
        blanks.removeAll(keepingCapacity: true)
        switch input {
        case .http(let generation, let id, let event):
            look(at: event, of: PictureRequest(generation: generation, id: id))
        case .link(let generation, let event): look(at: event, of: generation)
        default: break
        }
    }

    private mutating func look(at event: HTTPEvent, of request: PictureRequest) {
        guard pictures.contains(request) else { return }
        switch event {
        case .reply(let reply): blank(0, reply.body.readableBytes)
        case .body(let bytes): blank(0, bytes.readableBytes)
        case .head, .end, .failed: break
        }
        if event.isLast { pictures.removeAll { $0 == request } }
    }

    private mutating func look(at event: LinkEvent, of generation: LinkGeneration) {
        switch event {
        case .opened: break
        case .openFailed(let link, _, _), .closed(let link, _): forget(generation, link)
        case .received(let link, let bytes):
            guard let index = index(generation, link) else { return blank(0, bytes.readableBytes) }
            bytes.withUnsafeReadableBytes { follow($0, at: index) }
        }
    }

    private mutating func follow(_ bytes: UnsafeRawBufferPointer, at index: Int) {
        var position = 0
        while position < bytes.count {
            switch streams[index].place {
            case .lost:
                blank(position, bytes.count)
                position = bytes.count
            case .head(var head):
                while position < bytes.count, !head.isWhole {
                    head.take(bytes[position])
                    position += 1
                }
                streams[index].place = head.isWhole ? place(behind: head, in: streams[index]) : .head(head)
            case .body(let left, let kept):
                let count = min(left, bytes.count - position)
                let keptNow = min(kept, count)
                blank(position + keptNow, position + count)
                position += count
                streams[index].place =
                    left > count ? .body(left: left - count, kept: kept - keptNow) : .head(Head())
            }
        }
    }

    private func place(behind head: Head, in stream: Stream) -> Place {
        let left = Int(head.length) - head.count
        guard left >= 0 else { return .lost }
        guard left > 0 else { return .head(Head()) }
        if head.isData {
            let isKept = stream.kept == head.transaction
            return .body(left: left, kept: isKept ? left : 0)
        }
        // What is longer than its kind is not looked at; nor is what is of no kind.
        let lengthMax = PTPIPPacketType(rawValue: head.type)?.lengthMax ?? 0
        return .body(left: left, kept: Int(head.length) <= lengthMax ? left : 0)
    }

    private mutating func blank(_ start: Int, _ end: Int) {
        guard start < end else { return }
        if let last = blanks.last, last.upperBound == start {
            blanks[blanks.count - 1] = last.lowerBound..<end
        } else {
            blanks.append(start..<end)
        }
    }

    // MARK: What we do

    mutating func opens(_ generation: LinkGeneration, _ link: LinkID) {
        forget(generation, link)
        guard streams.count < Self.streamsMax else { return }
        streams.append(Stream(generation: generation, link: link))
    }

    mutating func closes(_ generation: LinkGeneration, _ link: LinkID) {
        forget(generation, link)
    }

    /// The bodies of replies are kept, except those that the driver marked as pictures.
    mutating func performs(_ action: HTTPAction, _ id: HTTPRequestID, of generation: LinkGeneration) {
        // Of a request that was cancelled an event may still come.
        guard case .perform(let request) = action, request.isPicture else { return }
        if pictures.count >= Self.streamsMax { pictures.removeFirst() }
        pictures.append(PictureRequest(generation: generation, id: id))
    }

    /// Looks for the operation whose data comes next. The driver sends whole packets.
    mutating func sends(_ generation: LinkGeneration, _ link: LinkID, _ bytes: ByteBuffer) {
        guard let index = index(generation, link) else { return }
        var start = bytes.readerIndex
        while start < bytes.writerIndex {
            guard let length: UInt32 = bytes.getInteger(at: start, endianness: .little),
                let type: UInt32 = bytes.getInteger(at: start + 4, endianness: .little),
                length >= PTPIPPacketType.headerLength, Int(length) <= bytes.writerIndex - start
            else {
                streams[index].kept = nil
                return
            }
            if type == PTPIPPacketType.operationRequest.rawValue {
                // Behind the head: u32 data phase, u16 code, u32 transaction.
                let code: UInt16? = bytes.getInteger(at: start + 12, endianness: .little)
                let transaction: UInt32? = bytes.getInteger(at: start + 14, endianness: .little)
                streams[index].kept = code.map(Self.keptOperations.contains) == true ? transaction : nil
            }
            start += Int(length)
        }
    }

    private func index(_ generation: LinkGeneration, _ link: LinkID) -> Int? {
        streams.firstIndex { $0.generation == generation && $0.link == link }
    }

    private mutating func forget(_ generation: LinkGeneration, _ link: LinkID) {
        streams.removeAll { $0.generation == generation && $0.link == link }
    }
}
