import PTP

/// Whose a file in the buffer is.
enum SonyFileOrigin: Hashable, Sendable {
    /// Of the frame whose shutter was pressed last.
    case frame(Ticket)
    /// The other format of the picture fetched last, which was this frame's, or nobody's.
    case lastPicture(Ticket?)
    /// Fetched before: an old picture that the body hands over again. It answers for no frame.
    case repeated
    /// Of something else: taken by hand, or before we came.
    case stranger

    /// The command whose frame it is of.
    var capture: Ticket? {
        switch self {
        case .frame(let ticket): ticket
        case .lastPicture(let ticket): ticket
        case .repeated, .stranger: nil
        }
    }
}

/// How a file is taken out of the buffer.
struct SonyFetch: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
        /// Dropped as it arrives; told when there is a reason.
        case drop(PictureSkip?)
        /// Handed on as it arrives, from this byte on.
        case keep(PictureID, from: UInt64)
    }

    let file: ObjectInfo
    let origin: SonyFileOrigin
    let purpose: Purpose

    /// A whole file by GetObject, which is much faster (PTP 3 p.114), the rest of one by GetPartialObject. Either way
    /// the file leaves the buffer with its last byte.
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

/// A file whose transfer a session did not survive. Some bodies do not do what they list: a rest that is asked for
/// comes whole, or the link breaks at the same place again, in each session anew.
struct SonyLostFetch: Sendable {
    let file: ObjectInfo
    let bodyID: String?
    /// As many bytes came at most.
    var reach: UInt64 = 0
    /// So many sessions were lost since, without a byte more.
    var count = 0
    /// It is not gone on with: begun anew, or not at all.
    var isRestRefused = false

    var isHopeless: Bool { count >= SonyLimits.lostFetchesMax }

    /// A session more ended in it, at this byte.
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
    /// The format's code says it, else the name's ending. MPO is JPEGs in a row.
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
    /// Whether a picture is on the card besides the file in the buffer. Sources disagree on the numbers of 0xD222, and
    /// an RX100 VII that shows 1, host alone, stores on its card all the same: only 0x11 means both to everybody, and
    /// whatever else is shown may mean "nowhere else". Without a usable card it means nothing.
    var storesOnCard: Bool {
        guard self[.sonySaveTarget]?.currentValue.integer == PTPValue.uint16(SonySaveTarget.both.rawValue).integer
        else {
            return false
        }
        let slots = [PropertyCode.sonySlot1Status, .sonySlot2Status].compactMap { self[$0]?.currentValue.integer }
        return slots.isEmpty || slots.contains(1)
    }
}
