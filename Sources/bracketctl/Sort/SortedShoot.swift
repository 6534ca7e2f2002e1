import Exposure
import Interface

struct SortedShoot {
    struct Frame {
        let record: FrameRecord
        /// The pictures of the frame, in the order of the attempts.
        var exposures: [CardExposure] = []
        /// Whether the assignment is uncertain. The picture of the last attempt could belong to another frame, or
        /// another picture could belong to this frame.
        var isAmbiguous = false
        var hasOtherSpeed = false

        /// Whether the shutter was released for the frame, or is in doubt.
        var isFired: Bool { SortedShoot.firedOutcomes.contains(record.outcome) }
        /// The name of the frame in sentences: `Set 2, frame 3 (1/60)`.
        var title: String { SortSentences.frame(record.frame, ofSet: record.set, speed: record.speed) }
    }

    /// A picture taken during the shoot that belongs to none of its frames.
    struct Stray {
        let exposure: CardExposure
        /// The index of a frame with the same speed that was fired at nearly the same time; nil: none.
        let near: Int?
    }

    enum Match {
        case sorted(CardSort.Clock)
        case ambiguous([CardSort.Clock])
        case noFit(matched: Int)
    }

    private static let firedOutcomes: Set<String> = ["attempting", "captured", "verified", "suspect", "unknown"]

    let shoot: ShootRecord
    let began: Double
    let match: Match
    private(set) var frames: [Frame]
    private(set) var strays: [Stray] = []

    /// - Parameter offset: The camera's clock minus UTC; nil: the user did not give an offset.
    init(_ target: SortSource.Shoot, among session: [SortSource.Shoot], _ exposures: [CardExposure], offset: Double?) {
        shoot = target.record
        frames = shoot.frames.map { Frame(record: $0) }
        let id = shoot.summary.id
        let exposures = SortedShoot.exposures(of: shoot.summary.camera, among: exposures)
        var shots: [CardShot] = []
        /// The index of the frame for each shot of this shoot.
        var places: [Int: Int] = [:]
        for record in session.map(\.record) {
            for (index, frame) in record.frames.enumerated() {
                guard let shot = CardShot(frame, of: record.summary.id) else { continue }
                if record.summary.id == id { places[shots.count] = index }
                shots.append(shot)
            }
        }
        began = target.began ?? places.keys.map { shots[$0].attempted }.min() ?? 0
        switch CardSort.sort(shots, target: id, pictures: exposures.map(\.picture), offset: offset) {
        case .ambiguous(let clocks): match = .ambiguous(clocks)
        case .noFit(let matched): match = .noFit(matched: matched)
        case .sorted(let sorted):
            match = .sorted(sorted.clock)
            for (shot, index) in places {
                let match = sorted.matches[shot]
                frames[index].exposures = (match.earlier + [match.picture].compactMap { $0 }).map { exposures[$0] }
                frames[index].isAmbiguous = match.isAmbiguous
                frames[index].hasOtherSpeed = match.hasOtherSpeed
            }
            strays = sorted.strays.map { stray in
                Stray(exposure: exposures[stray.picture], near: stray.near.flatMap { places[$0] })
            }
        }
    }

    var foundCount: Int { frames.count { !$0.exposures.isEmpty } }

    /// The frames of each set with their positions. A frame that two sets share is in both sets.
    var sets: [(set: Int, frames: [(place: Int, index: Int)])] {
        var next = 0
        return shoot.sets.map { set in
            let frames = set.frames.map { place, record in
                guard record.set == set.set else { return (place, next - 1) }
                next += 1
                return (place, next - 1)
            }
            return (set.set, frames)
        }
    }

    /// The pictures of this camera if the models in the pictures identify it; otherwise all pictures.
    private static func exposures(of camera: String, among exposures: [CardExposure]) -> [CardExposure] {
        func fits(_ model: String) -> Bool { camera.lowercased().contains(model.lowercased()) }
        guard exposures.contains(where: { $0.model.map(fits) ?? false }) else { return exposures }
        return exposures.filter { $0.model.map(fits) ?? true }
    }
}

extension CardShot {
    /// Returns nil for a frame that was not fired or whose time is unknown.
    fileprivate init?(_ frame: FrameRecord, of shoot: Int) {
        guard SortedShoot.Frame(record: frame).isFired, let speed = try? ShutterSpeed(parsing: frame.speed) else {
            return nil
        }
        let captured = frame.captured.flatMap(HistoryTime.init)?.epoch
        let exposure = Double(speed.exposureTime.components.seconds)
        guard let attempted = frame.attempted.flatMap(HistoryTime.init)?.epoch ?? captured.map({ $0 - exposure }) else {
            return nil
        }
        self.init(
            shoot: shoot,
            speed: speed,
            attempted: attempted,
            captured: captured,
            names: Set(frame.files.flatMap(CardShot.names)),
            isRepeated: frame.again.map { $0 != "planned" && $0 != "failed" } ?? false,
            isSuspect: frame.outcome == "suspect" || frame.again == "suspect"
        )
    }

    /// The possible names in the camera for a file of the daemon. The daemon adds a number if the name already exists.
    private static func names(of path: String) -> [String] {
        let stem = CardFile.stem(of: path.split(separator: "/").last.map(String.init) ?? "")
        guard let hyphen = stem.lastIndex(of: "-"), Int(stem[hyphen...].dropFirst()) != nil else { return [stem] }
        return [stem, String(stem[..<hyphen])]
    }
}
