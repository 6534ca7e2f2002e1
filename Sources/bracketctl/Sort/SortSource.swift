import Glibc
import Interface
import Varlink

/// The shoots whose pictures are sorted. They come from the daemon or from exported files.
struct SortSource {
    struct Shoot {
        var record: ShootRecord
        var camera: String

        /// The start time in seconds since 1970-01-01 UTC.
        var began: Double? { record.summary.began.flatMap(HistoryTime.init)?.epoch }
    }

    enum Choice {
        case last
        case shoot(Int)
        case all
    }

    private static let exportSizeMax = 16 << 20
    /// The maximum number of listed shoots to read. If the user names a shoot, half of this number are later shoots.
    private static let listMax = 50
    private static let listMaxOfAll = 200
    /// The longest time between two shoots, in seconds, for which the camera's clock is assumed to be unchanged.
    private static let gapMax = 6.0 * 3600

    /// All known shoots, the oldest first.
    private(set) var shoots: [Shoot] = []
    /// The indexes of the shoots to sort.
    private(set) var targets: [Int] = []

    // MARK: From the daemon

    init(_ daemon: Daemon, _ choice: Choice) async throws(Failure) {
        var call = Bracketd.GetHistory(limit: SortSource.listMax)
        switch choice {
        case .last: break
        case .shoot(let id):
            call.before = min(id, Int.max - SortSource.listMax / 2) + SortSource.listMax / 2
        case .all: call.limit = SortSource.listMaxOfAll
        }
        let listed: [(id: Int, camera: String, began: Double?)] = try await daemon.call(call).shoots.map {
            ($0.id, $0.cameraId, $0.began.flatMap(HistoryTime.init)?.epoch)
        }
        switch choice {
        case .last: targets = listed.prefix(1).map(\.id)
        case .shoot(let id): targets = [id]
        case .all: targets = listed.map(\.id).reversed()
        }
        var needed = Set(targets)
        for target in targets { needed.formUnion(SortSource.session(of: target, in: listed)) }
        for id in needed.sorted() {
            let record = try await daemon.call(Bracketd.GetShoot(id: id)).shoot
            let camera = listed.first { $0.id == id }?.camera ?? record.summary.camera
            shoots.append(Shoot(record: record, camera: camera))
        }
        guard !targets.isEmpty else {
            throw Failure("NoSuchShoot", SortSentences.noShoot)
        }
    }

    // MARK: From files

    /// - Parameter files: Files that `history export` or `history show --json` wrote.
    init(files: [String], _ choice: Choice) throws(Failure) {
        for file in files { shoots.append(try SortSource.shoot(inFile: file)) }
        shoots.sort { ($0.began ?? 0, $0.record.summary.id) < ($1.began ?? 0, $1.record.summary.id) }
        let ids = shoots.map(\.record.summary.id)
        guard Set(ids).count == ids.count else {
            throw Failure("InvalidExport", SortSentences.sameShootTwice)
        }
        switch choice {
        case .last: targets = ids.suffix(1)
        case .all: targets = ids
        case .shoot(let id):
            guard ids.contains(id) else {
                throw Failure("NoSuchShoot", SortSentences.shootNotInFiles(id))
            }
            targets = [id]
        }
    }

    private static func shoot(inFile path: String) throws(Failure) -> Shoot {
        func refuse(_ reason: String) -> Failure {
            Failure("InvalidExport", SortSentences.exportNotUsed(path, reason))
        }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw refuse(String(cString: strerror(errno))) }
        defer { close(file) }
        guard let bytes = InputFile.bytes(of: file, countMax: exportSizeMax + 1), bytes.count <= exportSizeMax else {
            throw refuse(SortSentences.notAFileOrTooLarge)
        }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw refuse(SortSentences.notJSON)
        }
        do throws(VarlinkMismatch) {
            let record = try ShootRecord(record(printed: value))
            return Shoot(record: record, camera: record.summary.camera)
        } catch {
            throw refuse(SortSentences.notComplete)
        }
    }

    /// Converts a printed shoot to the form of the interface. An export lists a frame twice if two sets share it.
    private static func record(printed value: JSONValue) -> JSONValue {
        // A shoot with an object `shoot` already has the form of the interface.
        guard value["shoot"]?.objectValue == nil else { return value }
        var summary = value.objectValue ?? [:]
        summary["id"] = value["shoot"]
        // An export does not have the member `cameraId`.
        summary["cameraId"] = value["cameraId"] ?? value["camera"]
        // An export of version 1 has the member `total`.
        summary["total"] = value["totalExposures"] ?? value["total"]
        guard value["sets"] != nil else {
            return .object(summary.merging(["shoot": .object(summary)]) { $1 })
        }
        var frames: [JSONValue] = []
        for set in value["sets"]?.arrayValue ?? [] {
            for frame in set["frames"]?.arrayValue ?? [] where frame["sharedWithSet"] == nil {
                var members = frame.objectValue ?? [:]
                members["set"] = set["set"]
                frames.append(.object(members))
            }
        }
        return ["shoot": .object(summary), "isDismissed": false, "frames": .array(frames)]
    }

    // MARK: Sessions

    func shoot(_ id: Int) -> Shoot? { shoots.first { $0.record.summary.id == id } }

    /// The shoot, and the shoots before and after it for which the same camera's clock is assumed to be unchanged.
    func session(of target: Int) -> [Shoot] {
        let ids = SortSource.session(of: target, in: shoots.map { ($0.record.summary.id, $0.camera, $0.began) })
        return shoots.filter { ids.contains($0.record.summary.id) }
    }

    private static func session(of target: Int, in list: [(id: Int, camera: String, began: Double?)]) -> Set<Int> {
        let own = list.first { $0.id == target }
        let dated = list.filter { $0.camera == own?.camera }.compactMap { shoot in
            shoot.began.map { (id: shoot.id, began: $0) }
        }.sorted { $0.began < $1.began }
        guard let place = dated.firstIndex(where: { $0.id == target }) else { return [target] }
        var (first, last) = (place, place)
        while first > 0, dated[first].began - dated[first - 1].began <= gapMax { first -= 1 }
        while last + 1 < dated.count, dated[last + 1].began - dated[last].began <= gapMax { last += 1 }
        return Set(dated[first...last].map(\.id))
    }
}
