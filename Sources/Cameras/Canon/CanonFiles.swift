import PTP

/// A file that waits for its transfer, or for the end of one.
struct CanonFile: Sendable {
    let object: CanonObject
    /// Whether the body keeps the file in its buffer until `TransferComplete`.
    let isInBuffer: Bool
    /// Whether the file is on a card. Otherwise it can be the only copy.
    let isOnCard: Bool
    /// The ticket of the frame; nil: the file belongs to no frame.
    let capture: Ticket?
    /// The body's description; nil: not requested yet.
    var info: ObjectInfo?
    /// The picture in transfer; nil: the transfer has not begun.
    var picture: PictureID?
    /// How often a transaction about the file failed.
    var failures = 0
    /// Whether the driver needs nothing more of the file.
    var isDone = false
    /// Whether the file cannot be fetched now and may be the only copy.
    var isStuck = false

    init(object: CanonObject, isInBuffer: Bool, isOnCard: Bool, capture: Ticket?) {
        self.object = object
        self.isInBuffer = isInBuffer
        self.isOnCard = isOnCard
        self.capture = capture
    }

    /// The body's name of the file; can be empty.
    var name: String { info.flatMap { $0.filename.isEmpty ? nil : $0.filename } ?? object.name }

    /// The size in bytes; nil: not known. The description has 32 bits only, so the event list is preferred.
    var byteCount: UInt64? {
        if let count = object.byteCount, count > 0 { return count }
        guard let count = info?.compressedSize, count > 0, count != .max else { return nil }
        return UInt64(count)
    }
}

/// The files that event lists announced and that are not transferred yet. They outlive a session: the handles stay
/// valid, so an interrupted transfer continues after a reconnect.
struct CanonFiles: Sendable {
    private(set) var waiting: [CanonFile] = []
    /// The last announced files, the newest at the end.
    private(set) var handles: [CanonObject] = []
    /// The handle of the last file on a card; nil: not known. Later files have greater handles.
    private var newest: UInt32?
    /// The value of `newest` when the session began.
    private var newestBefore: UInt32?
    /// The earliest time of the next transaction about a file; nil: at once.
    var retryAt: Duration?
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
        newestBefore = newest
    }

    /// Notes the handle of a file. Returns false if the file is known.
    mutating func noteHandle(of object: CanonObject, isInBuffer: Bool) -> Bool {
        let known = handles.first { $0.handle == object.handle }
        if let known = known ?? waiting.first(where: { $0.object.handle == object.handle })?.object {
            guard object.isOtherFile(than: known) else { return false }
            handles.removeAll { $0.handle == object.handle }
            remove(object.handle)
        }
        if handles.count >= CanonLimits.handlesMax { handles.removeFirst() }
        handles.append(object)
        if !isInBuffer { newest = object.handle }
        return true
    }

    /// The files of a folder that the body added since the last session, the oldest one first. Without an earlier file
    /// there are none.
    mutating func newHandles(in list: [UInt32], folder: UInt32) -> [UInt32] {
        let last = list.max() ?? folder
        defer { newest = max(newest ?? last, last) }
        guard let before = newestBefore, Self.card(of: before) == Self.card(of: last) else { return [] }
        return list.filter { $0 > before }.sorted().suffix(CanonLimits.filesMax)
    }

    /// The bits of a handle that stand for the card.
    private static func card(of handle: UInt32) -> UInt32 { handle >> 28 }

    /// Notes that the handles can mean other files, because a card was inserted or removed.
    mutating func forgetHandles() {
        handles.removeAll()
        newest = nil
        newestBefore = nil
    }

    /// Whether the first file waits, because it is the only copy and cannot be fetched now.
    var isHeld: Bool { heldSince != nil || waiting.first?.isStuck == true }

    /// Adds a file. If too many files wait, the oldest one on a card is given up, or else the oldest one in the buffer.
    mutating func add(_ file: CanonFile) {
        if waiting.count >= CanonLimits.filesMax {
            waiting.remove(at: waiting.firstIndex(where: \.isOnCard) ?? waiting.startIndex)
        }
        waiting.append(file)
    }

    /// Notes that the body removed a file. Its handle can mean another file later.
    mutating func noteRemoved(_ handle: UInt32) {
        handles.removeAll { $0.handle == handle }
        for index in waiting.indices where waiting[index].object.handle == handle { waiting[index].isDone = true }
    }

    mutating func remove(_ handle: UInt32) { waiting.removeAll { $0.object.handle == handle } }

    mutating func removeAll(where isRemoved: (CanonFile) -> Bool) { waiting.removeAll(where: isRemoved) }

    /// Changes the first file.
    mutating func updateFirst(_ change: (inout CanonFile) -> Void) {
        guard var first = waiting.first else { return }
        change(&first)
        waiting[0] = first
    }

    /// The descriptions are requested again in the next session, to recognize the files.
    mutating func forgetSession() {
        for index in waiting.indices {
            waiting[index].info = nil
            waiting[index].isStuck = false
        }
        retryAt = nil
        heldSince = nil
    }
}
