import PTP

/// The origin of a file in the buffer.
enum SonyFileOrigin: Hashable, Sendable {
    /// The file belongs to this frame.
    case frame(Ticket)
    /// The other format of the last fetched picture. That picture belongs to this frame; nil: to no frame.
    case lastPicture(Ticket?)
    /// An old picture that was already fetched and that the body delivers again. It proves nothing about a frame.
    case repeated
    /// A picture that was taken by hand or before this session.
    case stranger

    /// The ticket of the frame's `.capture` command.
    var capture: Ticket? {
        switch self {
        case .frame(let ticket): ticket
        case .lastPicture(let ticket): ticket
        case .repeated, .stranger: nil
        }
    }
}

/// How a file is removed from the buffer.
struct SonyFetch: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
        /// The bytes are discarded as they arrive. With a reason, the driver reports the file as skipped.
        case drop(PictureSkip?)
        /// The bytes are delivered as they arrive, from this byte on.
        case keep(PictureID, from: UInt64)
    }

    let file: ObjectInfo
    let origin: SonyFileOrigin
    let purpose: Purpose

    /// A whole file is fetched by GetObject, which is much faster (PTP 3 p.114). The remaining part of a file is
    /// fetched by GetPartialObject. In both cases the body removes the file after its last byte.
    func operation(_ timing: PTPIPTiming) -> Operation {
        let handle = SonyObjectHandle.shotImage
        switch purpose {
        case .drop: return .drop(handle, timing)
        case .keep(_, from: 0): return .stream(handle, timing)
        case .keep(_, let offset):
            precondition(offset < UInt64(file.compressedSize), "only what is missing is asked for")
            let start = UInt32(offset)
            return .stream(handle, from: start, count: file.compressedSize - start, timing)
        }
    }
}

/// A file whose transfer broke the session. Some bodies do not support an operation that they list: they send the whole
/// file instead of a part, or the link breaks at the same place in each session.
struct SonyLostFetch: Sendable {
    let file: ObjectInfo
    let bodyID: String?
    /// The greatest number of bytes that arrived in a session.
    var reach: UInt64 = 0
    /// The number of sessions in a row that were lost without a further byte of the file.
    var count = 0
    /// Whether the body rejects requests for a part. Then the file is fetched from its beginning, or not at all.
    var isRestRefused = false

    var isUnrecoverable: Bool { count >= SonyLimits.lostFetchesMax }

    /// Notes that another session ended in the transfer of this file, at this byte.
    mutating func note(_ offset: UInt64, from start: UInt64) {
        if start > 0, offset == start { isRestRefused = true }
        count = offset > reach ? 0 : count + 1
        reach = max(reach, offset)
    }
}

extension PictureInfo {
    init(_ file: ObjectInfo, capture: Ticket?, wasLeft: Bool) {
        let isSizeKnown = file.compressedSize != 0 && file.compressedSize != UInt32.max
        self.init(
            name: file.filename,
            kind: Kind(format: file.format, name: file.filename),
            byteCount: isSizeKnown ? UInt64(file.compressedSize) : nil,
            captureDate: file.captureDate,
            capture: capture,
            wasLeft: wasLeft
        )
    }
}

extension PictureInfo.Kind {
    /// The format code decides. For an unknown code the file extension decides. MPO is a sequence of JPEGs.
    init(format: UInt16, name: String) {
        switch format {
        case 0x3801, 0xB301: self = .jpeg
        case 0xB110: self = .heif
        case 0xB101: self = .raw
        default: self = Self(ending: name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? "")
        }
    }

    private init(ending: String) {
        switch ending.lowercased() {
        case "jpg", "jpeg", "mpo": self = .jpeg
        case "hif", "heif", "heic": self = .heif
        case "arw": self = .raw
        default: self = .other
        }
    }
}

extension SonyPropertyDataset {
    /// Whether a picture is on the card besides the file in the buffer. Sources disagree on the numbers of 0xD222. An
    /// RX100 VII that shows 1 (only host) still stores on its card. Only 0x11 means both in all sources. Any other
    /// value may mean "only in the camera's buffer". Without a usable card the value has no meaning.
    var storesOnCard: Bool {
        guard self[.sonySaveTarget]?.currentValue.integer == PTPValue.uint16(SonySaveTarget.both.rawValue).integer
        else {
            return false
        }
        let slots = [PropertyCode.sonySlot1Status, .sonySlot2Status].compactMap { self[$0]?.currentValue.integer }
        return slots.isEmpty || slots.contains(1)
    }
}
