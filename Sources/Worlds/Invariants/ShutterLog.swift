import Bodies
import Cameras
import Controller
import Exposure
import NIOCore

/// The frame and the result of each shutter command. The rules compare the daemon's reports with this log.
struct ShutterLog: Sendable {
    private(set) var cameras: [CameraTrack]
    var shoots: [ShootTrack] = []
    /// Shutter commands that the daemon sent and that have not arrived at a camera.
    private var underWay: [Press] = []
    private var links: [LinkGeneration: Int] = [:]
    let firesSuspectsAgain: Bool
    let keepsPictures: Bool
    private var stored: Set<StoredFile> = []
    /// The state of the shooting chart after its last transition.
    var last = Last()

    /// A shutter command as the daemon sent it.
    struct Press: Equatable, Sendable {
        var command: CommandID
        var generation: LinkGeneration
        var camera: Int
        /// An index into ``shoots``.
        var shoot: Int
        /// An index into the plan's frames.
        var frame: Int
        var planned: ShutterSpeed
        /// Whether the last speed that the body showed was the planned speed.
        var isConfirmed = false
    }

    /// A file of a picture that is stored on the computer.
    private struct StoredFile: Hashable {
        /// The body's number of the picture.
        var number: Int
        var isRaw: Bool
    }

    struct CameraTrack: Sendable {
        /// The camera id: see ``Cameras/CameraIdentity/id``.
        var id: String
        /// The speeds that are allowed at the end of the world: the original speed and those of the dial or a client.
        var speeds: [SpeedReading]
        /// The type of the body, which decodes the shutter command in sent bytes.
        var kind: any SimulatedBody.Type
        /// The last shutter command that the body accepted.
        var press: Press?
        /// Whether the shutter is open or about to open.
        var isExposing = false
        /// Whether the exposure is longer than planned, and the body has not shown its speed yet. The speed changed
        /// when the shutter opened.
        var isLongerUnseen = false
        /// Whether the link of the last accepted shutter command was lost.
        var isLost = false
        /// Whether the last initiator that disconnected had closed its session; nil: no initiator has disconnected
        /// since the daemon's last connection.
        var leftInOrder: Bool?
        /// Whether a shoot of this daemon used the camera.
        var wasUsed = false
        /// Whether the ledger lost the pending restore of the camera's speed.
        var isSpeedForgotten = false
        /// The number of exposures of unrecorded shoots from ended processes. The camera's counter includes these
        /// exposures.
        var unrecorded = 0
    }

    struct Last: Equatable, Sendable {
        var shoot = -1
        var frame = -1
        var isCaptured = false
        var isCapturing = false
        /// Whether a frame was being captured before the transition.
        var wasCapturing = false
        var isResting = false
        var isCompleted = false
        var isActive = false
        /// The number of busy answers since the last captured frame. `isHoldingOff`: the daemon waits after one.
        var busyCount = 0
        var isHoldingOff = false
    }

    /// The maximum number of shutter commands under way. The log removes older ones, because some never arrive.
    private static let underWayMax = 16

    init(_ cameras: [SimulatedCamera], _ tables: VirtualLedger.Tables, firesSuspectsAgain: Bool, keepsPictures: Bool) {
        self.firesSuspectsAgain = firesSuspectsAgain
        self.keepsPictures = keepsPictures
        self.cameras = []
        shoots = tables.shoots.keys.sorted().compactMap { id in
            tables.shoots[id].map { ShootTrack($0, tables.frames(of: id)) }
        }
        for camera in cameras { add(camera) }
    }

    mutating func add(_ camera: SimulatedCamera) {
        cameras.append(
            CameraTrack(id: camera.cameraID, speeds: [camera.shownSpeed.reading], kind: type(of: camera.body))
        )
    }

    // MARK: Links

    mutating func link(_ generation: LinkGeneration, to camera: Int) {
        links[generation] = camera
        if cameras.indices.contains(camera) { cameras[camera].leftInOrder = nil }
    }

    func camera(of generation: LinkGeneration) -> Int? { links[generation] }

    /// The meaning of bytes for the camera of this connection. If no camera accepted the connection, the first meaning
    /// for any camera.
    func meaning(of bytes: ByteBuffer, _ generation: LinkGeneration) -> DriverSignal? {
        if let camera = links[generation], cameras.indices.contains(camera) {
            return cameras[camera].kind.meaning(of: bytes)
        }
        return cameras.lazy.compactMap { $0.kind.meaning(of: bytes) }.first
    }

    mutating func lose(_ generation: LinkGeneration) {
        for camera in cameras.indices where cameras[camera].press?.generation == generation {
            cameras[camera].isLost = true
        }
    }

    mutating func loseAll() {
        for camera in cameras.indices { cameras[camera].isLost = true }
    }

    mutating func left(_ camera: Int, isOrderly: Bool) {
        guard cameras.indices.contains(camera) else { return }
        cameras[camera].leftInOrder = isOrderly
        cameras[camera].isLost = true
    }

    mutating func lostPower(_ camera: Int) {
        guard cameras.indices.contains(camera) else { return }
        cameras[camera].press = nil
        cameras[camera].isExposing = false
        cameras[camera].isLost = true
        cameras[camera].leftInOrder = nil
    }

    /// The camera whose shutter is open and whose link works; nil: none.
    var exposing: Int? { cameras.firstIndex { $0.isExposing && !$0.isLost } }

    // MARK: Speeds

    mutating func allow(_ speed: SpeedReading, _ camera: Int) {
        guard cameras.indices.contains(camera) else { return }
        if !cameras[camera].speeds.contains(speed) { cameras[camera].speeds.append(speed) }
    }

    /// Allows every camera to have, at the end of the world, this speed, which a client set.
    mutating func allowEverywhere(_ text: String) {
        guard let speed = try? ShutterSpeed(parsing: text) else { return }
        for camera in cameras.indices { allow(.speed(speed), camera) }
    }

    // MARK: Presses

    mutating func note(_ press: Press) {
        underWay.append(press)
        if underWay.count > Self.underWayMax { underWay.removeFirst() }
        if cameras.indices.contains(press.camera) { cameras[press.camera].wasUsed = true }
    }

    /// Removes and returns the shutter command that arrived; nil: the daemon did not send it.
    mutating func arrive(_ command: CommandID, _ camera: Int) -> Press? {
        let index = underWay.lastIndex { $0.camera == camera && $0.command == command }
        return index.map { underWay.remove(at: $0) }
    }

    mutating func begin(_ press: Press, _ camera: Int) {
        guard cameras.indices.contains(camera) else { return }
        cameras[camera].press = press
        cameras[camera].isLost = false
    }

    mutating func opened(_ camera: Int, at speed: BodySpeed) {
        guard cameras.indices.contains(camera) else { return }
        cameras[camera].isExposing = true
        guard let press = cameras[camera].press else { return }
        cameras[camera].isLongerUnseen = speed.exposureTime.map { $0 > press.planned.exposureTime } ?? false
    }

    /// Notes that the body showed its speed after the shutter command.
    mutating func shown(_ camera: Int) {
        if cameras.indices.contains(camera) { cameras[camera].isLongerUnseen = false }
    }

    /// Notes that the shutter has closed. Returns the shutter command of the exposure.
    mutating func closed(_ camera: Int) -> Press? {
        guard cameras.indices.contains(camera) else { return nil }
        cameras[camera].isExposing = false
        return cameras[camera].press
    }

    // MARK: Pictures

    /// Notes a stored file such as `shoot-1/set-1/DSC00002.JPG`.
    mutating func noteStored(_ path: String) {
        let name = path.split(separator: "/").last ?? ""
        // The file names of all cameras end in the number (DCF). The daemon can append a suffix to an existing name.
        let digits = name.drop { !$0.isNumber }.prefix { $0.isNumber }
        guard let number = Int(digits) else { return }
        stored.insert(StoredFile(number: number, isRaw: !name.uppercased().contains(".JPG")))
    }

    /// Whether a frame's picture is on the card, or all of its files are stored. Exposures from before the first input
    /// count as stored.
    ///
    /// A file with number 0 is from before the shoot. If its exposure equals that of the first frame, the file counts
    /// as the file of that frame: the protocol does not distinguish the two. At the end the frame's own file must be
    /// stored. See docs/simulation.md.
    func isKept(_ frame: FrameTrack, isEnd: Bool = false) -> Bool {
        !keepsPictures || frame.pictures.isEmpty
            || frame.pictures.contains { picture in
                let isExcused = !isEnd && picture.number == 1 && picture.fileKinds.count == 1
                return picture.isForCard || isStored(picture.number, picture.fileKinds)
                    || isExcused && isStored(0, picture.fileKinds)
            }
    }

    private func isStored(_ number: Int, _ kinds: [PictureInfo.Kind]) -> Bool {
        kinds.allSatisfy { stored.contains(StoredFile(number: number, isRaw: $0 == .raw)) }
    }

    // MARK: The end of a process

    /// Replaces the log's values by those on disk, because the next process knows only these.
    mutating func died(_ tables: VirtualLedger.Tables, isRecordRequired: Bool) {
        links.removeAll()
        last = Last()
        loseAll()
        for index in shoots.indices {
            let row = tables.shoots[shoots[index].id]
            let isKept = row.map { $0.began.milliseconds == shoots[index].began } ?? false
            if !isKept { noteUnrecorded(index) }
            for frame in shoots[index].frames.indices {
                let kept = isKept ? tables.frames[FrameKey(shoot: shoots[index].id, index: frame)] : nil
                shoots[index].frames[frame].died(kept, isRecordRequired: isRecordRequired)
            }
            shoots[index].lastReleased = shoots[index].frames.lastIndex { $0.isCaptured }
        }
    }

    /// Handles a damaged ledger log: the next process knows less than the daemon recorded. At the user's request, it is
    /// then allowed to fire once more a frame whose shutter command was sent.
    mutating func lostCommits(_ tables: VirtualLedger.Tables) {
        let before = shoots.map { $0.frames.map { $0.isCaptured || $0.isUnknown || $0.exposures + $0.wrong > 0 } }
        died(tables, isRecordRequired: true)
        for (index, frames) in before.enumerated() {
            for (frame, wasPressed) in frames.enumerated()
            where wasPressed && !shoots[index].frames[frame].isCaptured && !shoots[index].frames[frame].isUnknown {
                shoots[index].frames[frame].permits += 1
            }
        }
    }

    /// Notes that the pending restore of the body's speed is lost.
    mutating func forgetSpeed(of id: String) {
        for camera in cameras.indices where cameras[camera].id == id { cameras[camera].isSpeedForgotten = true }
    }

    /// The index of the last shoot with this number that has a record, or can still get one. A shoot whose process
    /// ended without a record can have the same number.
    func recordedIndex(of id: Int) -> Int? { shoots.lastIndex { $0.id == id && !$0.isForgotten } }

    /// The index of the shoot of this row. A shoot that began before the ledger was open can have the same number.
    func recordedIndex(of row: ShootRow) -> Int? {
        shoots.lastIndex { $0.id == row.id && $0.began == row.began.milliseconds && !$0.isForgotten }
    }

    private mutating func noteUnrecorded(_ index: Int) {
        let shoot = shoots[index]
        guard !shoot.isForgotten, let camera = cameras.firstIndex(where: { $0.id == shoot.camera }) else { return }
        shoots[index].isForgotten = true
        cameras[camera].unrecorded += shoot.frames.reduce(0) { $0 + $1.exposures + $1.wrong }
    }

    /// Whether the daemon can mistake another exposure in the camera's counter for this frame's. The frame was in doubt
    /// when a process ended. Afterwards a shoot without a record fired on the same camera.
    mutating func isTakenForAnother(_ shoot: Int, _ frame: Int) -> Bool {
        guard shoots[shoot].frames[frame].wasLeftInDoubt, shoots[shoot].frames[frame].exposures == 0,
            let camera = cameras.firstIndex(where: { $0.id == shoots[shoot].camera && $0.unrecorded > 0 })
        else { return false }
        cameras[camera].unrecorded = 0
        shoots[shoot].frames[frame].excusedCount += 1
        return true
    }
}

extension Moment {
    /// The milliseconds since 1970, when the virtual world began.
    var milliseconds: Int64 {
        switch self {
        case .clock(let time): time.milliseconds
        case .wall(let milliseconds): milliseconds
        }
    }
}
