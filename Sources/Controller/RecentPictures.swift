import Cameras
import Exposure

/// The recent pictures and their frames. Every list has a limit.
struct RecentPictures: Sendable {
    /// The pictures, in the order of their arrival.
    private(set) var photos: [PhotoReport] = []
    private(set) var incoming: [PictureID: Incoming] = [:]
    private(set) var verification = Verification()
    private(set) var shots: [FiredFrame] = []
    private var files: [FrameKey: [Manifest.File]] = [:]
    /// The time of each frame's newest picture by the camera's clock, in seconds since 1970.
    private var taken: [FrameKey: Int] = [:]
    /// The frame of an earlier run whose files were still in the camera's buffer. All these files belong to one frame,
    /// because each frame begins with an empty buffer.
    private var left: FrameKey?
    /// The manifests as they were last written. The manifest of the newest shoot is the last one.
    private(set) var manifests: [Manifest] = []
    /// The last check of a shoot's pictures that the host was asked for; nil: none yet.
    private var coverageOrder: CoverageOrder?
    /// The host's last answer.
    private var coverage: ShootCoverage?
    private var lastPhoto = 0

    /// A command to release the shutter, and its frame.
    struct FiredFrame: Equatable, Sendable {
        var shot: Verification.Shot
        /// An index into the plan's frames.
        var index: Int
        var position: FramePosition
        /// The later set that has this frame as its first frame; nil: there is no such set.
        var nextSet: Int?
        /// Whether an earlier run of the daemon fired this frame. If so, only time and exposure identify its pictures.
        var wasLeft = false
    }

    /// A picture in transfer.
    struct Incoming: Equatable, Sendable {
        enum Phase: Equatable, Sendable {
            case receiving
            /// The link broke; the transfer may continue.
            case interrupted
            /// The host has received all bytes and stores the picture.
            case finishing
            /// The host could not store the picture. Later bytes of the picture are dropped.
            case dropped
        }

        var info: PictureInfo
        var frame: FiredFrame?
        var photo: Int
        var phase: Phase
    }

    static let photosMax = 1024
    static let shotsMax = 256
    /// The limit of pictures in transfer. A driver transfers one picture at a time; the others were interrupted.
    static let incomingMax = 64
    private static let filesPerFrameMax = 16
    static let manifestsMax = 2

    // MARK: Frames

    mutating func record(_ frame: FiredFrame) {
        shots.append(frame)
        if shots.count > Self.shotsMax { shots.removeFirst() }
    }

    /// Notes that the body accepted the shutter command. From then on the shutter may be open. On some bodies the
    /// driver waits for a settle time before the command.
    mutating func recordRelease(of ticket: Ticket, at now: Duration) {
        guard let index = shots.lastIndex(where: { $0.shot.ticket == ticket }) else { return }
        shots[index].shot.firedAt = now
    }

    func frame(of ticket: Ticket?) -> FiredFrame? {
        ticket.flatMap { ticket in shots.last { $0.shot.ticket == ticket } }
    }

    /// Forgets the offset of the camera's clock, because the camera of a new session may have another clock.
    mutating func forgetClock() { verification.forgetClock() }

    /// Compares a picture's data with its frame.
    mutating func verify(_ metadata: PictureMetadata, _ kind: PictureInfo.Kind, of frame: FiredFrame) -> Verdict {
        verification.verify(metadata, kind, of: frame.shot, isTimeKnown: !frame.wasLeft)
    }

    // MARK: Photos

    /// Adds a photo and returns it. A picture whose transfer failed before keeps its row.
    mutating func add(_ info: PictureInfo, _ frame: FiredFrame?, _ state: PhotoReport.State) -> PhotoReport {
        var photo = PhotoReport(
            id: lastPhoto + 1,
            state: state,
            name: info.name,
            byteCount: info.byteCount,
            shoot: frame?.shot.shoot,
            set: frame?.position.set,
            frame: frame?.position.frame,
            speed: frame?.shot.speed.label
        )
        if let failed = photos.lastIndex(where: { $0.state == .failed && $0.isSamePicture(as: photo) }) {
            photo.id = photos[failed].id
            photos[failed] = photo
            return photo
        }
        lastPhoto = photo.id
        photos.append(photo)
        if photos.count > Self.photosMax { photos.removeFirst() }
        return photo
    }

    /// Changes a photo and returns it; nil: it is no longer in the list.
    mutating func update(_ id: Int, _ change: (inout PhotoReport) -> Void) -> PhotoReport? {
        guard let index = photos.lastIndex(where: { $0.id == id }) else { return nil }
        change(&photos[index])
        return photos[index]
    }

    // MARK: Pictures on their way

    /// Notes a picture in transfer. If the list is full, returns the oldest picture, whose transfer must end.
    mutating func receive(_ id: PictureID, _ picture: Incoming) -> PictureID? {
        incoming[id] = picture
        guard incoming.count > Self.incomingMax else { return nil }
        return incoming.keys.filter { $0 != id }.min { $0.rawValue < $1.rawValue }
    }

    mutating func setPhase(_ phase: Incoming.Phase, of id: PictureID) {
        incoming[id]?.phase = phase
    }

    mutating func forget(_ id: PictureID) {
        incoming[id] = nil
    }

    // MARK: Manifests

    mutating func keep(_ file: Manifest.File, _ info: PictureInfo, of frame: FiredFrame) {
        forget(before: frame.shot.shoot)
        let place = FrameKey(shoot: frame.shot.shoot, index: frame.index)
        if let time = info.taken { taken[place] = max(time, taken[place] ?? time) }
        if frame.wasLeft { left = place }
        guard files[place, default: []].count < Self.filesPerFrameMax else { return }
        files[place, default: []].append(file)
    }

    /// Adopts the times and files of a shoot's pictures from the ledger of an earlier run.
    mutating func restore(_ kept: LedgerContents.Unfinished) {
        forget(before: kept.shoot.id)
        for frame in kept.frames where frame.taken != nil {
            let place = FrameKey(shoot: frame.shoot, index: frame.index)
            taken[place] = taken[place] ?? frame.taken
        }
        for frame in kept.frames where !frame.files.isEmpty && files(of: frame.shoot, frame.index).isEmpty {
            files[FrameKey(shoot: frame.shoot, index: frame.index)] = frame.files.prefix(Self.filesPerFrameMax).map {
                Manifest.File(path: $0, byteCount: nil, metadata: nil)
            }
        }
    }

    private mutating func forget(before shoot: Int) {
        guard files.keys.contains(where: { $0.shoot < shoot }) || taken.keys.contains(where: { $0.shoot < shoot })
        else { return }
        files = files.filter { $0.key.shoot >= shoot }
        taken = taken.filter { $0.key.shoot >= shoot }
    }

    /// The frame of this shoot to which the files in the camera's buffer belong; nil: not known.
    func leftFrame(of shoot: Int) -> Int? { left.flatMap { $0.shoot == shoot ? $0.index : nil } }

    func taken(of shoot: Int, _ index: Int) -> Int? { taken[FrameKey(shoot: shoot, index: index)] }

    /// Whether a file from the camera's buffer can belong to this frame. By the camera's clock, the file must be newer
    /// than the pictures of the shoot's other frames. If the frame already has another file, both must have the same
    /// time. Without these times the answer is no: the file may be from before the shoot, or the user's own picture.
    func isNewest(_ info: PictureInfo, of shoot: Int, _ index: Int) -> Bool {
        let others = taken.filter { $0.key.shoot == shoot && $0.key.index != index }.values
        guard let time = info.taken, let newest = others.max(), time > newest else { return false }
        let own = files(of: shoot, index)
        // A file with a known name was transferred a second time.
        if own.contains(where: { $0.path.hasSuffix("/\(info.name)") }) { return false }
        return taken(of: shoot, index) == (own.isEmpty ? nil : time)
    }

    /// The folder of a shoot. It is known if the shoot has a file.
    func folder(of shoot: Shoot) -> ShootFolder {
        let first = shoot.plan.frames.indices.lazy.compactMap { self.files(of: shoot.id, $0).first }.first
        if let first { return .known(String(first.path.prefix { $0 != "/" })) }
        return if case .wall(let began) = shoot.began { .left(since: began) } else { .new }
    }

    func hasFiles(of shoot: Int) -> Bool { files.keys.contains { $0.shoot == shoot } }

    func files(of shoot: Int, _ index: Int) -> [Manifest.File] {
        files[FrameKey(shoot: shoot, index: index)] ?? []
    }

    /// The path of a frame's newest JPEG; nil: it is not stored.
    func jpegPath(of shoot: Int, _ index: Int) -> String? {
        files(of: shoot, index).map(\.path).last(where: Self.isJPEG)
    }

    /// Whether a file's name is that of a JPEG. Cameras write the ending in capitals.
    private static func isJPEG(_ path: String) -> Bool {
        let ending = path.split(separator: ".").last?.lowercased()
        return ending == "jpg" || ending == "jpeg"
    }

    /// Whether the host was not asked yet to check these pictures.
    mutating func isNews(_ order: CoverageOrder) -> Bool {
        guard order.shoot != coverageOrder?.shoot || order.frames != coverageOrder?.frames else { return false }
        coverageOrder = order
        coverage = nil
        return true
    }

    /// Drops a check of fewer frames than the shoot has now.
    mutating func forgetCoverage(of shoot: Int) {
        if coverageOrder?.shoot == shoot { (coverageOrder, coverage) = (nil, nil) }
    }

    /// Whether this is the answer to the last check. An answer about fewer frames belongs to an earlier one.
    mutating func adopt(_ reading: ShootCoverage) -> Bool {
        guard let order = coverageOrder, reading.shoot == order.shoot,
            reading.coverage.map({ $0.framesRead + $0.framesUnread == order.frames.count }) ?? true
        else { return false }
        coverage = reading
        return true
    }

    /// What the pictures of a shoot cover; nil: not known.
    func coverage(of shoot: Int?) -> Coverage? { coverage?.shoot == shoot ? coverage?.coverage : nil }

    /// Whether the manifest differs from the written manifest of this shoot.
    mutating func isNews(_ manifest: Manifest) -> Bool {
        guard !manifests.contains(manifest) else { return false }
        manifests.removeAll { $0.shoot == manifest.shoot }
        manifests.append(manifest)
        if manifests.count > Self.manifestsMax { manifests.removeFirst() }
        return true
    }
}

extension PhotoReport {
    /// Whether both are attempts to transfer the same file.
    fileprivate func isSamePicture(as other: PhotoReport) -> Bool {
        name == other.name && (shoot, set, frame) == (other.shoot, other.set, other.frame)
    }
}

extension PictureInfo {
    /// The time of the exposure by the camera's clock, in seconds since 1970; nil: not reported.
    fileprivate var taken: Int? { CaptureTime.ofPTP(captureDate).map { Int($0.seconds) } }
}
