import NIOCore
import PTP

/// The transfer of the pictures that are kept. Bytes are delivered as they arrive. This value outlives the session.
package struct PTPIPPictures: Sendable {
    package internal(set) var request = PictureRequest(policy: .none)
    private var lastID = PictureID(rawValue: 0)
    /// The picture that is requested, in transfer or interrupted.
    package private(set) var current: PTPIPTransfer?

    package mutating func nextID() -> PictureID {
        lastID.rawValue &+= 1
        return lastID
    }

    /// Notes that the driver fetches a file and keeps it.
    package mutating func order(_ info: PictureInfo, _ file: ObjectInfo, bodyID: String?) -> PictureID {
        let id = nextID()
        current = PTPIPTransfer(id: id, info: info, file: file, bodyID: bodyID)
        return id
    }

    /// Delivers a received piece of the current picture.
    package mutating func receive(_ bytes: ByteBuffer, in turn: inout DriverTurn) {
        begin(in: &turn)
        guard let id = current?.id else { return }
        current?.offset += UInt64(bytes.readableBytes)
        turn.append(.picture(id, .bytes(bytes)))
    }

    /// Reports the beginning or the continuation of the current picture, unless that was already reported.
    package mutating func begin(in turn: inout DriverTurn) {
        guard let current, current.stage != .streaming else { return }
        self.current?.stage = .streaming
        turn.append(.picture(current.id, .begin(current.info, offset: current.offset)))
    }

    /// Reports that all bytes of the current picture arrived.
    package mutating func end(in turn: inout DriverTurn) {
        begin(in: &turn)
        guard let current else { return }
        self.current = nil
        turn.append(.picture(current.id, .end))
    }

    /// Reports that the transfer of the current picture is interrupted.
    ///
    /// - Parameter time: when the transfer can continue; nil: after the next reading.
    package mutating func breakOff(at time: Duration?, in turn: inout DriverTurn) {
        guard let current, current.stage == .streaming else { return }
        self.current?.stage = .interrupted(at: time)
        turn.append(.picture(current.id, .interrupted))
    }

    /// Notes that the body regards the received part as the whole picture.
    package mutating func noteShort() { current?.isShortByItself = true }

    /// Gives up the current picture: no more bytes of it arrive.
    package mutating func abandon(in turn: inout DriverTurn) {
        guard let current else { return }
        self.current = nil
        if current.stage != .ordered { turn.append(.picture(current.id, .abandoned)) }
    }

    /// Interrupts the current picture, because the connections are closed.
    ///
    /// - Returns: whether all bytes of the picture had arrived, so that the picture is complete.
    package mutating func interrupt(in turn: inout DriverTurn) -> Bool {
        guard let current else { return false }
        switch current.stage {
        case .interrupted:
            break
        case .ordered:
            self.current = nil
        case .streaming where current.isWhole:
            end(in: &turn)
            return true
        case .streaming:
            breakOff(at: nil, in: &turn)
        }
        return false
    }
}

/// A picture in transfer.
package struct PTPIPTransfer: Sendable {
    package enum Stage: Hashable, Sendable {
        /// The picture is requested, but not reported yet.
        case ordered
        case streaming
        /// The interruption is reported. The transfer can continue from this time on; nil: after the next reading.
        case interrupted(at: Duration?)
    }

    package let id: PictureID
    package let info: PictureInfo
    package let file: ObjectInfo
    package let bodyID: String?
    package fileprivate(set) var stage = Stage.ordered
    /// The number of delivered bytes.
    package fileprivate(set) var offset: UInt64 = 0
    /// The body regarded a part as the whole picture.
    package fileprivate(set) var isShortByItself = false

    fileprivate init(id: PictureID, info: PictureInfo, file: ObjectInfo, bodyID: String?) {
        self.id = id
        self.info = info
        self.file = file
        self.bodyID = bodyID
    }

    package var isInterrupted: Bool {
        if case .interrupted = stage { true } else { false }
    }

    /// Whether all announced bytes were delivered. The body's answer to the transfer does not matter.
    package var isWhole: Bool { info.byteCount == offset }

    /// Whether fewer bytes arrived than the body announced.
    package var isShort: Bool { info.byteCount.map { offset < $0 } ?? (offset == 0) }

    /// Whether a file of a body is the file of this picture.
    package func isOf(_ other: ObjectInfo, bodyID: String?) -> Bool {
        !other.filename.isEmpty && other.filename == file.filename && other.format == file.format
            && other.compressedSize == file.compressedSize && other.captureDate == file.captureDate
            && self.bodyID == bodyID
    }
}

extension Operation {
    /// Fetches a whole object and discards its bytes.
    package static func drop(_ handle: UInt32, _ timing: PTPIPTiming) -> Operation {
        Operation(.getObject, [handle], dataIn: .discard(atMost: PTPIPLimits.objectMax), timeout: timing.transfer)
    }

    /// Fetches a whole object in pieces.
    package static func stream(_ handle: UInt32, _ timing: PTPIPTiming) -> Operation {
        Operation(.getObject, [handle], dataIn: .stream(atMost: PTPIPLimits.objectMax), timeout: timing.transfer)
    }

    /// Fetches part of an object in pieces: `count` bytes from an offset on.
    package static func stream(
        _ handle: UInt32,
        from offset: UInt32,
        count: UInt32,
        _ timing: PTPIPTiming
    ) -> Operation {
        stream(.getPartialObject, [handle, offset, count], atMost: UInt64(count), timing)
    }

    /// Fetches part of an object in pieces, by any operation.
    package static func stream(
        _ code: OperationCode,
        _ parameters: [UInt32],
        atMost count: UInt64,
        _ timing: PTPIPTiming
    ) -> Operation {
        Operation(code, parameters, dataIn: .stream(atMost: count), timeout: timing.transfer)
    }

    /// Whether the operation transfers an object.
    var isTransfer: Bool {
        switch dataIn {
        case .collect: false
        case .discard, .stream: true
        }
    }
}

extension PTPIPTiming {
    fileprivate var transfer: Operation.Timeout { .init(silence: transferSilence, total: transferTotal) }
}
