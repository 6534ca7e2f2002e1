import Cameras
import Exposure

/// What the core remembers of pictures and of the frames that they are of. Every list has a bound.
struct PictureBook: Sendable {
    /// In the order in which they came.
    private(set) var photos: [PhotoReport] = []
    private(set) var incoming: [PictureID: Incoming] = [:]
    var verification = Verification()
    private(set) var shots: [FiredFrame] = []
    private var files: [FramePlace: [Manifest.File]] = [:]
    /// As they were written last, the newest shoot's last.
    private(set) var manifests: [Manifest] = []
    private var lastPhoto = 0

    /// A command to release the shutter, and the frame that it was for.
    struct FiredFrame: Equatable, Sendable {
        var shot: Verification.Shot
        /// An index into the plan's frames.
        var index: Int
        var position: FramePosition
        /// The later set that has it as its first frame; nil: none has.
        var nextSet: Int?
        /// Whether an earlier run of the daemon released the shutter, so that only the exposure shows whose picture it
        /// is.
        var wasLeft = false
    }

    /// A picture that the camera hands over and that is not on disk yet.
    struct Incoming: Equatable, Sendable {
        enum Phase: Equatable, Sendable {
            case receiving
            /// The link broke; it may go on.
            case interrupted
            /// All its bytes are with the host.
            case finishing
            /// The host could not store it: what still comes of it is dropped.
            case dropped
        }

        var info: PictureInfo
        var frame: FiredFrame?
        var photo: Int
        var phase: Phase
    }

    private struct FramePlace: Hashable, Sendable {
        var shoot: Int
        var index: Int
    }

    static let photosMax = 1024
    static let shotsMax = 256
    /// A driver hands over one picture at a time; the others were interrupted.
    static let incomingMax = 64
    private static let filesPerFrameMax = 16
    static let manifestsMax = 2

    // MARK: Frames

    mutating func note(_ frame: FiredFrame) {
        shots.append(frame)
        if shots.count > Self.shotsMax { shots.removeFirst() }
    }

    /// The body took the press: from here on the shutter may be open. Some bodies are let settle before it.
    mutating func noteRelease(of ticket: Ticket, at now: Duration) {
        guard let index = shots.lastIndex(where: { $0.shot.ticket == ticket }) else { return }
        shots[index].shot.firedAt = now
    }

    func frame(of ticket: Ticket?) -> FiredFrame? {
        ticket.flatMap { ticket in shots.last { $0.shot.ticket == ticket } }
    }

    // MARK: Photos

    /// Appends a photo and returns it.
    mutating func add(_ info: PictureInfo, _ frame: FiredFrame?, _ state: PhotoReport.State) -> PhotoReport {
        lastPhoto += 1
        let photo = PhotoReport(
            id: lastPhoto,
            state: state,
            name: info.name,
            byteCount: info.byteCount,
            shoot: frame?.shot.shoot,
            set: frame?.position.set,
            frame: frame?.position.frame,
            speed: frame?.shot.speed.label
        )
        photos.append(photo)
        if photos.count > Self.photosMax { photos.removeFirst() }
        return photo
    }

    /// Changes a photo and returns it; nil: it was forgotten.
    mutating func update(_ id: Int, _ change: (inout PhotoReport) -> Void) -> PhotoReport? {
        guard let index = photos.lastIndex(where: { $0.id == id }) else { return nil }
        change(&photos[index])
        return photos[index]
    }

    // MARK: Pictures on their way

    /// Notes a picture on its way. Returns one that had to give way to it.
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

    mutating func keep(_ file: Manifest.File, of frame: FiredFrame) {
        if files.keys.contains(where: { $0.shoot < frame.shot.shoot }) {
            files = files.filter { $0.key.shoot >= frame.shot.shoot }
        }
        let place = FramePlace(shoot: frame.shot.shoot, index: frame.index)
        guard files[place, default: []].count < Self.filesPerFrameMax else { return }
        files[place, default: []].append(file)
    }

    /// Takes over what an earlier run stored of a shoot.
    mutating func restore(_ kept: LedgerContents.Unfinished) {
        files = files.filter { $0.key.shoot >= kept.shoot.id }
        for frame in kept.frames where !frame.files.isEmpty && files(of: frame.shoot, frame.index).isEmpty {
            files[FramePlace(shoot: frame.shoot, index: frame.index)] = frame.files.prefix(Self.filesPerFrameMax).map {
                Manifest.File(path: $0, byteCount: nil, metadata: nil)
            }
        }
    }

    /// The folder of a shoot, as far as it is known here: where its first file is.
    func folder(of shoot: Shoot) -> ShootFolder {
        let first = shoot.plan.frames.indices.lazy.compactMap { self.files(of: shoot.id, $0).first }.first
        if let first { return .known(String(first.path.prefix { $0 != "/" })) }
        return if case .wall(let began) = shoot.began { .left(since: began) } else { .new }
    }

    /// Whether a file of this name is stored for a frame.
    func hasFile(_ name: String, of shoot: Int, _ index: Int) -> Bool {
        files(of: shoot, index).contains { $0.path.hasSuffix("/\(name)") }
    }

    func hasFiles(of shoot: Int) -> Bool { files.keys.contains { $0.shoot == shoot } }

    func files(of shoot: Int, _ index: Int) -> [Manifest.File] {
        files[FramePlace(shoot: shoot, index: index)] ?? []
    }

    /// Whether the manifest is not yet written as it is.
    mutating func isNews(_ manifest: Manifest) -> Bool {
        guard !manifests.contains(manifest) else { return false }
        manifests.removeAll { $0.shoot == manifest.shoot }
        manifests.append(manifest)
        if manifests.count > Self.manifestsMax { manifests.removeFirst() }
        return true
    }
}
