import PTP

/// How far the body's buffer is emptied. Which files were fetched outlives the session: a body that comes back may hand
/// them over once more.
struct SonyDrain: Sendable {
    /// The picture fetched last: RAW and JPEG of one picture share the name but for its ending.
    struct Picture: Sendable {
        var stem: String
        /// In which it came.
        var formats: [UInt16]
        /// By the body's clock, to the second.
        var captureDate: String
        /// Of the frame that it is of.
        var capture: Ticket?
        /// By our clock: it was not taken later.
        var takenBefore: Duration
    }

    /// A file for which there is no room.
    struct Held: Sendable {
        var file: ObjectInfo
        var since: Duration
    }

    /// What makes a file the same one again.
    private struct Mark: Hashable, Sendable {
        var name: String
        var format: UInt16
        var captureDate: String
        var size: UInt32

        init(_ file: ObjectInfo) {
            name = file.filename
            format = file.format
            captureDate = file.captureDate
            size = file.compressedSize
        }
    }

    /// The file that is to be fetched next, once its ObjectInfo is known.
    var next: SonyFetch?
    /// While there is one nothing is fetched.
    var held: Held?
    /// The first file in the buffer and whose it is; said once, for what is asked again must not change its owner.
    var first: (file: ObjectInfo, origin: SonyFileOrigin)?
    /// A file that broke off too often to be kept.
    var hopeless: ObjectInfo?
    /// When the last file was fetched, and how many were ready before it.
    var fetchedAt: Duration?
    var readyBeforeFetch = 0
    /// Whether the file fetched last could be the last frame's.
    var wasEvidence = true
    /// 0xC202 came since the last file was asked for: the count does not lag.
    var isRemovalTold = false
    /// Whether the buffer was seen empty in this session.
    var wasEmpty = false
    var failures = 0
    var retryAt: Duration = .zero
    /// How often in a row the same old file was handed over.
    var repeats = 0
    private var repeated: ObjectInfo?
    private var bodyID: String?
    /// Of this frame or the one before.
    private(set) var lastPicture: Picture?
    /// The files fetched last, the newest at the end.
    private var fetched: [Mark] = []
    /// How many files are recognised when they come again.
    var knownCount: Int { fetched.count }

    /// Files are compared with those of the same body only.
    mutating func meet(bodyID: String?) {
        guard bodyID != self.bodyID else { return }
        self.bodyID = bodyID
        first = nil
        lastPicture = nil
        fetched.removeAll()
    }

    mutating func forgetSession() {
        next = nil
        held = nil
        wasEmpty = false
        hopeless = nil
        fetchedAt = nil
        failures = 0
        retryAt = .zero
        repeats = 0
    }

    /// A body that never removes a file is asked for it at longer and longer intervals, up to about a minute.
    mutating func noteRepeat(of file: ObjectInfo, at now: Duration) {
        repeats = file == repeated ? repeats + 1 : 1
        repeated = file
        if repeats > 1 { retryAt = now + .seconds(1 << min(repeats - 1, Self.repeatDoublingsMax)) }
    }

    private static let repeatDoublingsMax = 6

    /// Whether a file belongs to the picture fetched last: its other format, and not the same name used again.
    func belongsToLastPicture(_ info: ObjectInfo) -> Bool {
        guard let lastPicture, !lastPicture.stem.isEmpty else { return false }
        return lastPicture.stem == Self.stem(info.filename) && !lastPicture.formats.contains(info.format)
    }

    /// Whether this very file was fetched before. One without a name is never recognised, nor one that only has the
    /// name of another: some bodies may count from the beginning again.
    func wasFetched(_ info: ObjectInfo) -> Bool {
        !info.filename.isEmpty && fetched.contains(Mark(info))
    }

    /// Whether a file is older than a shot, by its capture date: that of the picture before, although the shutter was
    /// pressed so much later that the body's clock must show another second.
    func isOlder(_ info: ObjectInfo, thanShotAt pressedAt: Duration) -> Bool {
        guard let lastPicture, !info.captureDate.isEmpty, lastPicture.captureDate == info.captureDate else {
            return false
        }
        return lastPicture.stem == Self.stem(info.filename) || pressedAt >= lastPicture.takenBefore + Self.dateStep
    }

    /// Whether a file was in the buffer together with one that was taken for this frame's, and was taken later by its
    /// capture date. Nothing is fired while a file waits: the newer one is the frame's, and the other one is old.
    func isNewer(_ info: ObjectInfo, thanFileOf ticket: Ticket) -> Bool {
        guard fetchedAt != nil, let lastPicture, lastPicture.capture == ticket, !lastPicture.captureDate.isEmpty else {
            return false
        }
        return info.captureDate > lastPicture.captureDate
    }

    /// A second, and one for what lies between our clock and the shutter.
    private static let dateStep: Duration = .seconds(2)

    mutating func note(fetched fetch: SonyFetch, takenBefore: Duration) {
        first = nil
        hopeless = nil
        failures = 0
        if fetch.origin == .repeated { return }
        repeats = 0
        fetched.append(Mark(fetch.file))
        fetched.removeFirst(max(0, fetched.count - SonyLimits.knownFilesMax))
        if belongsToLastPicture(fetch.file) {
            lastPicture?.formats.append(fetch.file.format)
        } else {
            lastPicture = Picture(
                stem: Self.stem(fetch.file.filename),
                formats: [fetch.file.format],
                captureDate: fetch.file.captureDate,
                capture: fetch.origin.capture,
                takenBefore: takenBefore
            )
        }
    }

    private static func stem(_ filename: String) -> String {
        filename.lastIndex(of: ".").map { String(filename[..<$0]) } ?? filename
    }
}
