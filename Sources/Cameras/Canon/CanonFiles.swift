import PTP

/// A file that waits for its transfer, or for the end of one.
struct CanonFile: Sendable {
    let object: CanonObject
    /// Whether the body keeps the file in its buffer until `TransferComplete`.
    let isInBuffer: Bool
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

    init(object: CanonObject, isInBuffer: Bool, capture: Ticket?) {
        self.object = object
        self.isInBuffer = isInBuffer
        self.capture = capture
    }

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
    /// The handles of the last announced files, the newest at the end.
    private(set) var handles: [UInt32] = []
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
            handles.removeAll()
        }
        self.bodyID = bodyID
    }

    /// Notes the handle of an announced file. Returns false if the file was announced before.
    mutating func noteHandle(_ handle: UInt32) -> Bool {
        guard !handles.contains(handle) else { return false }
        if handles.count >= CanonLimits.handlesMax { handles.removeFirst() }
        handles.append(handle)
        return true
    }

    /// Adds a file. If too many files wait, the oldest one is given up: it stays on the card, or in the body's buffer.
    mutating func add(_ file: CanonFile) {
        if waiting.count >= CanonLimits.filesMax { waiting.removeFirst() }
        waiting.append(file)
    }

    /// Notes that a file needs no further transfer, for example because the body removed it.
    mutating func noteDone(_ handle: UInt32) {
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
        for index in waiting.indices { waiting[index].info = nil }
        retryAt = nil
        heldSince = nil
    }
}
