import NIOCore
import PTP

/// A file that waits for its transfer, or for the end of one.
struct NikonFile: Sendable {
    let handle: UInt32
    let origin: NikonPTPIP.FileOrigin
    /// The ticket of the frame; nil: the file belongs to no frame.
    var capture: Ticket?
    /// The body's description; nil: not received yet.
    var info: ObjectInfo?
    /// The size as 64 bits; nil: not requested or not known.
    var size: UInt64?
    /// Whether the size was requested.
    var isSizeRequested = false
    /// The picture in transfer; nil: the transfer has not begun.
    var picture: PictureID?
    /// The time of the first request for the description; nil: not requested yet.
    var describedSince: Duration?
    /// How often a transaction about the file failed.
    var failures = 0
    /// Whether the driver needs nothing more of the file.
    var isDone = false
    /// Whether the file cannot be fetched now and is the only copy.
    var isStuck = false
    /// The time since which the body rejects requests about the file as busy; nil: it does not.
    var busySince: Duration?
    /// The description in an earlier session, or before another card; nil: there is none.
    var formerInfo: ObjectInfo?
    /// Whether the body did not describe the file in time, so that it proves no frame.
    var isProofGivenUp = false

    init(handle: UInt32, origin: NikonPTPIP.FileOrigin, capture: Ticket?) {
        self.handle = handle
        self.origin = origin
        self.capture = capture
    }

    /// Whether the file is only in the memory of the body.
    var isInMemory: Bool { origin == .inMemory }

    /// Whether the description is needed to prove a frame.
    var isProof: Bool {
        guard case .listed(mayBeOwned: true) = origin else { return false }
        return info == nil && capture == nil && !isProofGivenUp
    }

    /// Prepares a new description, because the handle can mean another file by now.
    mutating func forgetInfo() {
        formerInfo = info ?? formerInfo
        info = nil
        describedSince = nil
        size = nil
        isSizeRequested = false
    }

    /// Whether a description is that of the file as it was known.
    func isSame(as info: ObjectInfo) -> Bool {
        // A description from the first bytes has no size.
        guard let formerInfo, formerInfo.compressedSize > 0 else { return true }
        return formerInfo.filename == info.filename && formerInfo.compressedSize == info.compressedSize
            && formerInfo.captureDate == info.captureDate
    }

    /// The body's name of the file; its handle if the body has not described it.
    var name: String { (info ?? formerInfo).flatMap { $0.filename.isEmpty ? nil : $0.filename } ?? handle.hexadecimal }

    /// The size in bytes; nil: not known. The description has 32 bits only.
    var byteCount: UInt64? {
        if let size, size > 0 { return size }
        guard let count = info?.compressedSize, count > 0, count != .max else { return nil }
        return UInt64(count)
    }
}

/// The files that the body announced and that are not transferred yet, and the files of the card before them. They
/// outlive a session: handles on a card stay valid, so an interrupted transfer continues after a reconnect.
struct NikonFiles: Sendable {
    private(set) var waiting: [NikonFile] = []
    /// The handles of the last announced files, the newest at the end.
    private(set) var announced: [UInt32] = []
    /// The handles of all files at the last list; nil: the body did not list them.
    private var listed: Set<UInt32>?
    /// The earliest time of the next transaction about a file; nil: at once.
    var retryAt: Duration?
    /// The earliest time of the next request that proves a frame; nil: at once.
    var proofAt: Duration?
    /// The time since which the first file waits for space on this computer, because no other copy exists; nil: it does
    /// not wait.
    var heldSince: Duration?
    /// The body that announced the files.
    private var bodyID: String?

    /// Notes that a session with a body begins. Files of another body cannot be fetched.
    mutating func begin(bodyID: String?) {
        if bodyID != self.bodyID {
            waiting.removeAll()
            forgetHandles()
        }
        self.bodyID = bodyID
    }

    /// Notes a handle. Returns false if the file is known. All pictures in memory have the same handle.
    mutating func noteHandle(_ handle: UInt32, isInMemory: Bool) -> Bool {
        if isInMemory { return !waiting.contains { $0.handle == handle } }
        guard !announced.contains(handle), listed?.contains(handle) != true else { return false }
        if announced.count >= NikonLimits.handlesMax {
            let oldest = announced.removeFirst()
            listed?.insert(oldest)
        }
        announced.append(handle)
        return true
    }

    /// The files that the body added since the last list, apart from the announced ones. Without an earlier list there
    /// are none.
    mutating func newHandles(in list: [UInt32]) -> [UInt32] {
        let known = listed
        listed = Set(list).subtracting(announced)
        guard let known else { return [] }
        let added = list.filter { !known.contains($0) && !announced.contains($0) }
        let newest = Array(added.sorted().suffix(NikonLimits.filesMax))
        listed?.subtract(newest)
        return newest
    }

    /// Notes that the handles can mean other files, because a card was inserted or removed.
    mutating func forgetHandles() {
        announced.removeAll()
        listed = nil
        for index in waiting.indices where !waiting[index].isInMemory { waiting[index].forgetInfo() }
    }

    /// Whether the first file waits, because it is the only copy and cannot be fetched now.
    var isHeld: Bool { heldSince != nil || waiting.first?.isStuck == true }

    /// Adds a file. If too many files wait, the oldest one on a card is given up, or else the oldest one in memory.
    mutating func add(_ file: NikonFile) {
        // After a change of the card, another file can have the same handle.
        remove(file.handle)
        if waiting.count >= NikonLimits.filesMax {
            waiting.remove(at: waiting.firstIndex { !$0.isInMemory } ?? waiting.startIndex)
        }
        waiting.append(file)
    }

    /// Notes that the body removed a file. Its handle can mean another file later.
    mutating func noteRemoved(_ handle: UInt32) {
        announced.removeAll { $0 == handle }
        listed?.remove(handle)
        update(handle) { $0.isDone = true }
    }

    mutating func remove(_ handle: UInt32) { waiting.removeAll { $0.handle == handle } }

    mutating func removeAll(where isRemoved: (NikonFile) -> Bool) { waiting.removeAll(where: isRemoved) }

    /// Changes the file with a handle.
    mutating func update(_ handle: UInt32, _ change: (inout NikonFile) -> Void) {
        for index in waiting.indices where waiting[index].handle == handle { change(&waiting[index]) }
    }

    /// Changes the first file.
    mutating func updateFirst(_ change: (inout NikonFile) -> Void) {
        guard !waiting.isEmpty else { return }
        change(&waiting[0])
    }

    /// Pictures in memory are lost with the session. The other descriptions are requested again, to recognize the
    /// files.
    mutating func forgetSession() {
        waiting.removeAll(where: \.isInMemory)
        for index in waiting.indices {
            waiting[index].forgetInfo()
            waiting[index].isStuck = false
            waiting[index].busySince = nil
        }
        retryAt = nil
        proofAt = nil
        heldSince = nil
    }
}

extension ObjectInfo {
    /// Whether the object is a folder (libgphoto2 ptp.h).
    var isFolder: Bool { format == 0x3001 }

    /// A description of a picture in memory that the body does not describe.
    static func undescribed(_ handle: UInt32) -> ObjectInfo {
        var info = ObjectInfo()
        info.format = 0x3801
        info.filename = "NIKON_\(String(handle, radix: 16, uppercase: true)).JPG"
        return info
    }

    /// A description of a file that the body does not describe, from its first bytes; nil: the file is no picture.
    init?(nikonHead head: ByteBuffer, handle: UInt32) {
        let bytes = Array(head.readableBytesView.prefix(8))
        let ending: String
        if bytes.starts(with: [0xFF, 0xD8]) {
            (ending, self) = ("JPG", ObjectInfo())
            format = 0x3801
        } else if bytes.starts(with: [0x4D, 0x4D, 0x00, 0x2A]) || bytes.starts(with: [0x49, 0x49, 0x2A, 0x00]) {
            (ending, self) = ("NEF", ObjectInfo())
            format = 0x3000
        } else {
            return nil
        }
        let digits = String(handle, radix: 16, uppercase: true)
        filename = "NIKON_\(digits).\(ending)"
    }
}

extension PictureInfo.Kind {
    /// The format decides about a JPEG, and the file extension about any other file. NEF files have the formats 0x3000
    /// and 0x3800 (airnef mtpdef.py).
    init(nikonFormat format: UInt16, name: String) {
        let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
        switch (format, ending) {
        case (0x3801, _), (_, "jpg"), (_, "jpeg"): self = .jpeg
        case (_, "hif"), (_, "heif"): self = .heif
        case (_, "nef"), (_, "nrw"): self = .raw
        default: self = .other
        }
    }
}
