import Cameras
import NIOCore
import PTP

/// The transfer of files, and pictures of live view.
extension NikonBody {
    /// The answer with a whole file. A fault stops it in the middle.
    mutating func object(_ handle: UInt32, in transaction: UInt32) -> ResponderAnswer {
        guard let stored = storedFile(handle) else { return ResponderAnswer(.invalidObjectHandle) }
        let (number, count) = (stored.frame.number, stored.file.content.count)
        var answer = deliver(stored.file, from: 0, count: count, in: transaction)
        let stall = faults.take { fault -> Int? in
            if case .transferStalls(number, let bytes) = fault, bytes < count { bytes } else { nil }
        }
        if let stall {
            answer.breaksAfter = stall
            delivery?.isLast = false
            delivery?.linkFault = .silent(back: nil)
        }
        return answer
    }

    /// Handles GetPartialObject. The part is shorter if the file ends earlier.
    mutating func partialObject(_ parameters: [UInt32], in transaction: UInt32) -> ResponderAnswer {
        if isInPCMode { return ResponderAnswer(.accessDenied) }
        guard parameters.count >= 3 else { return ResponderAnswer(.invalidParameter) }
        return part(of: parameters[0], from: UInt64(parameters[1]), atMost: UInt64(parameters[2]), in: transaction)
    }

    /// Handles 0x9431. Parameters: handle, offset and maximum, each as two words, the low word first.
    mutating func partialObjectEx(_ parameters: [UInt32], in transaction: UInt32) -> ResponderAnswer {
        guard parameters.count == 5 else { return ResponderAnswer(.invalidParameter) }
        let numbers = parameters.map(UInt64.init)
        let (offset, limit) = (numbers[1] | numbers[2] << 32, numbers[3] | numbers[4] << 32)
        return part(of: parameters[0], from: offset, atMost: limit, in: transaction)
    }

    private mutating func part(
        of handle: UInt32,
        from offset: UInt64,
        atMost limit: UInt64,
        in transaction: UInt32
    ) -> ResponderAnswer {
        guard let stored = storedFile(handle) else { return ResponderAnswer(.invalidObjectHandle) }
        let size = stored.file.content.count
        let start = min(Int(clamping: offset), size)
        let count = min(Int(clamping: limit), size - start)
        var answer = deliver(stored.file, from: start, count: count, in: transaction)
        answer.parameters = [UInt32(clamping: count)]
        return answer
    }

    /// Answers 0x9421 with 8 bytes.
    func objectSize(_ handle: UInt32) -> ResponderAnswer {
        guard let stored = storedFile(handle) else { return ResponderAnswer(.invalidObjectHandle) }
        var writer = DatasetWriter()
        writer.integer(UInt64(stored.file.content.count))
        return .ok(writer.buffer)
    }

    // MARK: Live view

    /// A picture of the scene with a head of 384 bytes, as a D5300 has it. Its numbers are big-endian (a P1100): first
    /// the size of the picture.
    mutating func liveViewPicture(at now: Duration) -> ResponderAnswer {
        guard session?.isLiveView == true else { return ResponderAnswer(.nikonNotInLiveView) }
        guard shutter == .ready else { return ResponderAnswer(.deviceBusy) }
        let settings = frameSettings(at: speed)
        let time = exposureTime(of: speed) ?? .seconds(1)
        let frame = CardFrame(number: 0, speed: ofBody(speed), at: now, exposure: time, settings: settings)
        let picture = liveViewEye.picture(of: frame, options.scene)
        var content = ByteBuffer()
        content.writeMultipleIntegers(UInt16(clamping: picture.width), UInt16(clamping: picture.height))
        content.writeRepeatingByte(0, count: Self.liveViewHeadSize - content.readableBytes)
        content.writeImmutableBuffer(picture.jpeg)
        return .ok(content)
    }

    private static let liveViewHeadSize = 384
}
