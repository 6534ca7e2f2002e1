import PTP

/// The state of emptying the body's buffer. The list of fetched files outlives the session, because a body can deliver
/// them again after a reconnect.
struct SonyDrain: Sendable {
    /// The picture that was fetched last. Its RAW and JPEG have the same file name except for the extension.
    struct Picture: Sendable {
        var stem: String
        /// The formats of the fetched files.
        var formats: [UInt16]
        /// The time of the picture by the body's clock, to the second.
        var captureDate: String
        /// The ticket of the frame's `.capture` command.
        var capture: Ticket?
        /// The latest possible time of the exposure, by the daemon's clock.
        var takenBefore: Duration
    }

    /// A file that this computer has no space for.
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

    /// The next file to fetch; set when its ObjectInfo is known.
    var next: SonyFetch?
    /// A file that waits for space. While it waits, the driver fetches no file.
    var held: Held?
    /// The first file in the buffer and its origin. The origin is decided once, because a second decision could differ.
    var first: (file: ObjectInfo, origin: SonyFileOrigin)?
    /// A file whose transfer failed too often. The driver does not keep this file.
    var unrecoverable: ObjectInfo?
    /// The time at which a file was last fetched. `readyBeforeFetch` is the number of ready files before that fetch.
    var fetchedAt: Duration?
    var readyBeforeFetch = 0
    /// Whether the last fetched file may belong to the last frame.
    var wasEvidence = true
    /// Whether 0xC202 arrived after the last request for a file. Then the reported number of files is current.
    var wasRemovalReported = false
    /// Whether the buffer was empty in a reading of this session.
    var wasEmpty = false
    var failures = 0
    var retryAt: Duration = .zero
    /// How many times in a row the body delivered the same old file.
    var repeats = 0
    private var repeated: ObjectInfo?
    private var bodyID: String?
    /// The last fetched picture. It belongs to the present frame or to the previous one.
    private(set) var lastPicture: Picture?
    /// The last fetched files, the newest at the end.
    private var fetched: [Mark] = []
    /// How many files the driver recognizes when the body delivers them again.
    var knownCount: Int { fetched.count }

    /// Forgets the fetched files when another body connects: only files of one body are compared.
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

    /// Notes that the body delivered an old file again. If the body never removes the file, the driver requests the
    /// file at increasing intervals, up to about a minute.
    mutating func noteRepeat(of file: ObjectInfo, at now: Duration) {
        repeats = file == repeated ? repeats + 1 : 1
        repeated = file
        if repeats > 1 { retryAt = now + .seconds(1 << min(repeats - 1, Self.repeatDoublingsMax)) }
    }

    private static let repeatDoublingsMax = 6

    /// Whether a file is the other format of the last fetched picture. With the same format, it is another picture.
    func belongsToLastPicture(_ info: ObjectInfo) -> Bool {
        guard let lastPicture, !lastPicture.stem.isEmpty else { return false }
        return lastPicture.stem == Self.stem(info.filename) && !lastPicture.formats.contains(info.format)
    }

    /// Whether this file was already fetched. A file without a name is never recognized. The name alone is not enough,
    /// because some bodies may restart their numbers.
    func wasFetched(_ info: ObjectInfo) -> Bool {
        !info.filename.isEmpty && fetched.contains(Mark(info))
    }

    /// Whether a file is older than a shot. An old file has the capture date of the previous picture, although the
    /// body's clock must show a later second at this shot.
    func isOlder(_ info: ObjectInfo, thanShotAt pressedAt: Duration) -> Bool {
        guard let lastPicture, !info.captureDate.isEmpty, lastPicture.captureDate == info.captureDate else {
            return false
        }
        return lastPicture.stem == Self.stem(info.filename) || pressedAt >= lastPicture.takenBefore + Self.dateStep
    }

    /// Whether a file has a later capture date than the file that was assigned to this frame, and both were in the
    /// buffer together. The driver does not release the shutter while a file waits. So the newer file is the frame's,
    /// and the other one is old.
    func isNewer(_ info: ObjectInfo, thanFileOf ticket: Ticket) -> Bool {
        guard fetchedAt != nil, let lastPicture, lastPicture.capture == ticket, !lastPicture.captureDate.isEmpty else {
            return false
        }
        return info.captureDate > lastPicture.captureDate
    }

    /// One second of the capture date, and one second for the difference between the daemon's clock and the shutter.
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
