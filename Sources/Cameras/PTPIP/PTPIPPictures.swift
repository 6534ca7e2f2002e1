import NIOCore
import PTP

/// The pictures that are kept: delivered as they arrive. Outlives the session.
package struct PTPIPPictures: Sendable {
    package internal(set) var request = PictureRequest(policy: .none)
    private var lastID = PictureID(rawValue: 0)
    /// The picture that is ordered, in transfer, or interrupted.
    package private(set) var current: PTPIPTransfer?

    package mutating func nextID() -> PictureID {
        lastID.rawValue &+= 1
        return lastID
    }

    /// Orders a file that is to be kept.
    package mutating func order(_ info: PictureInfo, _ file: ObjectInfo, bodyID: String?) -> PictureID {
        let id = nextID()
        current = PTPIPTransfer(id: id, info: info, file: file, bodyID: bodyID)
        return id
    }

    /// Delivers a piece that arrived.
    package mutating func receive(_ bytes: ByteBuffer, in turn: inout DriverTurn) {
        begin(in: &turn)
        guard let id = current?.id else { return }
        current?.offset += UInt64(bytes.readableBytes)
        turn.append(.picture(id, .bytes(bytes)))
    }

    /// Bytes follow, or all of them arrived before.
    package mutating func begin(in turn: inout DriverTurn) {
        guard let current, current.stage != .streaming else { return }
        self.current?.stage = .streaming
        turn.append(.picture(current.id, .begin(current.info, offset: current.offset)))
    }

    /// All of it arrived.
    package mutating func end(in turn: inout DriverTurn) {
        begin(in: &turn)
        guard let current else { return }
        self.current = nil
        turn.append(.picture(current.id, .end))
    }

    /// It was interrupted. It may continue from `time` on; nil: after the next reading.
    package mutating func breakOff(at time: Duration?, in turn: inout DriverTurn) {
        guard let current, current.stage == .streaming else { return }
        self.current?.stage = .interrupted(at: time)
        turn.append(.picture(current.id, .interrupted))
    }

    /// The body counts the part that arrived as the whole.
    package mutating func noteShort() { current?.isShortByItself = true }

    /// Nothing more arrives of the picture.
    package mutating func abandon(in turn: inout DriverTurn) {
        guard let current else { return }
        self.current = nil
        if current.stage != .ordered { turn.append(.picture(current.id, .abandoned)) }
    }

    /// The connections are closed.
    ///
    /// - Returns: whether all bytes of the picture had arrived, so that it is over.
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
        /// Not reported yet.
        case ordered
        case streaming
        /// Reported as interrupted; it may continue since then.
        case interrupted(at: Duration?)
    }

    package let id: PictureID
    package let info: PictureInfo
    package let file: ObjectInfo
    package let bodyID: String?
    package fileprivate(set) var stage = Stage.ordered
    /// The number of delivered bytes.
    package fileprivate(set) var offset: UInt64 = 0
    /// The body counted a part as the whole.
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

    /// All announced bytes were delivered, whatever the body's answer is.
    package var isWhole: Bool { info.byteCount == offset }

    /// Fewer bytes arrived than announced.
    package var isShort: Bool { info.byteCount.map { offset < $0 } ?? (offset == 0) }

    /// Whether a file is this picture's.
    package func isOf(_ other: ObjectInfo, bodyID: String?) -> Bool {
        !other.filename.isEmpty && other.filename == file.filename && other.format == file.format
            && other.compressedSize == file.compressedSize && other.captureDate == file.captureDate
            && self.bodyID == bodyID
    }
}

extension Operation {
    /// Fetches a whole object and drops its bytes.
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
        let dataIn = DataIn.stream(atMost: UInt64(count))
        return Operation(.getPartialObject, [handle, offset, count], dataIn: dataIn, timeout: timing.transfer)
    }

    /// Whether an object is transferred.
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
