import NIOCore

/// Decides which bytes from a camera go into a recording: the heads of packets, packets without data, and the data of
/// operations that return no part of a picture. A recording contains no pictures, no previews, no data without a
/// request, and no bytes after an invalid packet.
///
/// This type knows the same packets as ``PacketDecoder``. When the decoder rejects a connection, the driver cannot
/// use the later bytes either.
struct RecordableBytes: Sendable {
    private enum Place: Sendable {
        /// The next byte belongs to the head of a packet.
        case head(Head)
        /// The next byte follows the head. `left` bytes of the packet remain, and a recording keeps `kept` of them.
        case body(left: Int, kept: Int)
        /// The meaning of the next bytes is unknown.
        case lost
    }

    /// The received part of a head: length and type, and the transaction of a data packet.
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

    private var place = Place.head(Head())

    /// - Parameter dataset: The transaction whose data the recording is allowed to keep; nil: none.
    /// - Returns: the parts that the recording is allowed to keep, in order.
    mutating func parts(of bytes: ByteBuffer, dataset: UInt32?) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        bytes.withUnsafeReadableBytes { follow($0, dataset, into: &parts) }
        return parts
    }

    private mutating func follow(_ bytes: UnsafeRawBufferPointer, _ dataset: UInt32?, into parts: inout [Range<Int>]) {
        var position = 0
        while position < bytes.count {
            let start = position
            switch place {
            case .lost: return
            case .head(var head):
                while position < bytes.count, !head.isWhole {
                    head.take(bytes[position])
                    position += 1
                }
                place = head.isWhole ? Self.place(behind: head, dataset) : .head(head)
                Self.keep(start..<position, in: &parts)
            case .body(let left, let kept):
                let count = min(left, bytes.count - position)
                let keptNow = min(kept, count)
                position += count
                place = left > count ? .body(left: left - count, kept: kept - keptNow) : .head(Head())
                Self.keep(start..<start + keptNow, in: &parts)
            }
        }
    }

    private static func place(behind head: Head, _ dataset: UInt32?) -> Place {
        let left = Int(head.length) - head.count
        guard left >= 0 else { return .lost }
        guard left > 0 else { return .head(Head()) }
        if head.isData { return .body(left: left, kept: dataset == head.transaction ? left : 0) }
        // A packet of an unknown type, or longer than its type allows, may contain picture data.
        let lengthMax = PTPIPPacketType(rawValue: head.type)?.lengthMax ?? 0
        return .body(left: left, kept: Int(head.length) <= lengthMax ? left : 0)
    }

    private static func keep(_ part: Range<Int>, in parts: inout [Range<Int>]) {
        guard !part.isEmpty else { return }
        if let last = parts.last, last.upperBound == part.lowerBound {
            parts[parts.count - 1] = last.lowerBound..<part.upperBound
        } else {
            parts.append(part)
        }
    }
}
