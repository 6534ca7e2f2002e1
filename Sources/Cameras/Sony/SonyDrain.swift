import PTP

/// The progress of emptying the body's buffer. The list of fetched files outlives the session: a body may deliver them
/// again after a reconnect.
struct SonyDrain: Sendable {
    /// The last fetched picture: RAW and JPEG of one picture share the name except for its extension.
    struct Picture: Sendable {
        var stem: String
        /// The formats that were fetched.
        var formats: [UInt16]
        /// By the body's clock, to the second.
        var captureDate: String
        /// The `.capture` command of its frame.
        var capture: Ticket?
        /// By the daemon's clock: it was not taken later.
        var takenBefore: Duration
    }

    /// A file for which there is no space.
    struct Held: Sendable {
        var file: ObjectInfo
        var since: Duration
    }

    /// Identifies a file that is delivered again.
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

    /// The next file to fetch, when its ObjectInfo is known.
    var next: SonyFetch?
    /// While this is set, nothing is fetched.
    var held: Held?
    /// The first file in the buffer and its origin. The origin is decided once: a repeated question must not change it.
    var first: (file: ObjectInfo, origin: SonyFileOrigin)?
    /// A file that broke off too often and is not kept.
    var unrecoverable: ObjectInfo?
    /// When the last file was fetched, and how many were ready before it.
    var fetchedAt: Duration?
    var readyBeforeFetch = 0
    /// Whether the last fetched file can be the last frame's.
    var wasEvidence = true
    /// 0xC202 arrived since the last file was requested: the count is current.
    var wasRemovalReported = false
    /// Whether the buffer was empty in a reading of this session.
    var wasEmpty = false
    var failures = 0
    var retryAt: Duration = .zero
    /// How often in a row the same old file was delivered.
    var repeats = 0
    private var repeated: ObjectInfo?
    private var bodyID: String?
    /// The picture of this frame or the previous one.
    private(set) var lastPicture: Picture?
    /// The last fetched files, the newest at the end.
    private var fetched: [Mark] = []
    /// How many files are recognized when they are delivered again.
    var knownCount: Int { fetched.count }

    /// Compares files only with those of the same body.
    mutating func identify(bodyID: String?) {
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
        unrecoverable = nil
        fetchedAt = nil
        failures = 0
        retryAt = .zero
        repeats = 0
    }

    /// A body that never removes a file is asked for it at increasing intervals, up to about a minute.
    mutating func noteRepeat(of file: ObjectInfo, at now: Duration) {
        repeats = file == repeated ? repeats + 1 : 1
        repeated = file
        if repeats > 1 { retryAt = now + .seconds(1 << min(repeats - 1, Self.repeatDoublingsMax)) }
    }

    private static let repeatDoublingsMax = 6

    /// Whether a file belongs to the last fetched picture: its other format, and not a reused name.
    func belongsToLastPicture(_ info: ObjectInfo) -> Bool {
        guard let lastPicture, !lastPicture.stem.isEmpty else { return false }
        return lastPicture.stem == Self.stem(info.filename) && !lastPicture.formats.contains(info.format)
    }

    /// Whether this file was already fetched. A file without a name is never recognized, and neither is another file of
    /// the same name: some bodies may restart their numbers.
    func wasFetched(_ info: ObjectInfo) -> Bool {
        !info.filename.isEmpty && fetched.contains(Mark(info))
    }

    /// Whether a file is older than a shot. Its capture date is that of the previous picture, although the body's clock
    /// must show a later second at this shot.
    func isOlder(_ info: ObjectInfo, thanShotAt pressedAt: Duration) -> Bool {
        guard let lastPicture, !info.captureDate.isEmpty, lastPicture.captureDate == info.captureDate else {
            return false
        }
        return lastPicture.stem == Self.stem(info.filename) || pressedAt >= lastPicture.takenBefore + Self.dateStep
    }

    /// Whether a file was in the buffer together with one that was assigned to this frame, and has a later capture
    /// date. The shutter is not released while a file waits: so the newer one is the frame's, and the other one is old.
    func isNewer(_ info: ObjectInfo, thanFileOf ticket: Ticket) -> Bool {
        guard fetchedAt != nil, let lastPicture, lastPicture.capture == ticket, !lastPicture.captureDate.isEmpty else {
            return false
        }
        return info.captureDate > lastPicture.captureDate
    }

    /// One second, and one for the difference between the daemon's clock and the shutter.
    private static let dateStep: Duration = .seconds(2)

    mutating func note(fetched fetch: SonyFetch, takenBefore: Duration) {
        first = nil
        unrecoverable = nil
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
