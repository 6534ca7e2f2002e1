import NIOCore
import PTP

/// The pictures that are kept: handed on as they come. Outlives the session.
package struct PTPIPPictures: Sendable {
    package internal(set) var request = PictureRequest(policy: .none)
    private var lastID = PictureID(rawValue: 0)
    /// The one that is ordered, comes, or broke off.
    package private(set) var current: PTPIPTransfer?

    package mutating func nextID() -> PictureID {
        lastID.rawValue &+= 1
        return lastID
    }

    /// A file is to be fetched and kept.
    package mutating func order(_ info: PictureInfo, _ file: ObjectInfo, bodyID: String?) -> PictureID {
        let id = nextID()
        current = PTPIPTransfer(id: id, info: info, file: file, bodyID: bodyID)
        return id
    }

    /// A piece came: it is handed on as it is.
    package mutating func receive(_ bytes: ByteBuffer, into actions: inout [CameraAction]) {
        begin(into: &actions)
        guard let id = current?.id else { return }
        current?.offset += UInt64(bytes.readableBytes)
        actions.append(.picture(id, .bytes(bytes)))
    }

    /// Bytes follow, or all of them came before.
    package mutating func begin(into actions: inout [CameraAction]) {
        guard let current, current.stage != .streaming else { return }
        self.current?.stage = .streaming
        actions.append(.picture(current.id, .begin(current.info, offset: current.offset)))
    }

    /// All of it came.
    package mutating func end(into actions: inout [CameraAction]) {
        begin(into: &actions)
        guard let current else { return }
        self.current = nil
        actions.append(.picture(current.id, .end))
    }

    /// It broke off; `time`: since then it may go on, nil: after the next reading.
    package mutating func breakOff(at time: Duration?, into actions: inout [CameraAction]) {
        guard let current, current.stage == .streaming else { return }
        self.current?.stage = .interrupted(at: time)
        actions.append(.picture(current.id, .interrupted))
    }

    /// Its body takes the part that came for all of it.
    package mutating func noteShort() { current?.isShortByItself = true }

    /// Nothing more comes of the picture.
    package mutating func abandon(into actions: inout [CameraAction]) {
        guard let current else { return }
        self.current = nil
        if current.stage != .ordered { actions.append(.picture(current.id, .abandoned)) }
    }

    /// The connections are closed.
    ///
    /// - Returns: whether all bytes of the picture had come, so that it is over.
    package mutating func interrupt(into actions: inout [CameraAction]) -> Bool {
        guard let current else { return false }
        switch current.stage {
        case .interrupted:
            break
        case .ordered:
            self.current = nil
        case .streaming where current.isWhole:
            end(into: &actions)
            return true
        case .streaming:
            breakOff(at: nil, into: &actions)
        }
        return false
    }
}

/// A picture on its way to us.
package struct PTPIPTransfer: Sendable {
    package enum Stage: Hashable, Sendable {
        /// Nothing was said of it yet.
        case ordered
        case streaming
        /// Told as such; it may go on since then.
        case interrupted(at: Duration?)
    }

    package let id: PictureID
    package let info: PictureInfo
    package let file: ObjectInfo
    /// The body that it is of.
    package let bodyID: String?
    package fileprivate(set) var stage = Stage.ordered
    /// How many bytes were handed on.
    package fileprivate(set) var offset: UInt64 = 0
    /// The body took a part of it for all.
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

    /// All bytes that the body announced were handed on, whatever its answer says or would have said.
    package var isWhole: Bool { info.byteCount == offset }

    /// Less came than was announced.
    package var isShort: Bool { info.byteCount.map { offset < $0 } ?? (offset == 0) }

    /// Whether a file is this one.
    package func isOf(_ other: ObjectInfo, bodyID: String?) -> Bool {
        !other.filename.isEmpty && other.filename == file.filename && other.format == file.format
            && other.compressedSize == file.compressedSize && other.captureDate == file.captureDate
            && self.bodyID == bodyID
    }
}

extension Operation {
    /// A whole object, dropped as it arrives.
    package static func drop(_ handle: UInt32, _ timing: PTPIPTiming) -> Operation {
        Operation(.getObject, [handle], dataIn: .discard(atMost: PTPIPLimits.objectMax), patience: timing.transfer)
    }

    /// A whole object, handed on as it arrives.
    package static func stream(_ handle: UInt32, _ timing: PTPIPTiming) -> Operation {
        Operation(.getObject, [handle], dataIn: .stream(atMost: PTPIPLimits.objectMax), patience: timing.transfer)
    }

    /// So many bytes of an object from this one on, handed on as they arrive.
    package static func stream(
        _ handle: UInt32,
        from offset: UInt32,
        count: UInt32,
        _ timing: PTPIPTiming
    ) -> Operation {
        let dataIn = DataIn.stream(atMost: UInt64(count))
        return Operation(.getPartialObject, [handle, offset, count], dataIn: dataIn, patience: timing.transfer)
    }

    /// An object comes.
    var isTransfer: Bool {
        switch dataIn {
        case .collect: false
        case .discard, .stream: true
        }
    }
}

extension PTPIPTiming {
    fileprivate var transfer: Operation.Patience { .init(silence: transferSilence, total: transferTotal) }
}
