/// A recorded firing of the shutter, with the data that is needed to match it with a picture on the card.
package struct CardShot: Equatable, Sendable {
    package var shoot: Int
    package var speed: ShutterSpeed
    /// The time just before the last firing of the frame, in seconds since 1970-01-01 UTC by the computer's clock.
    package var attempted: Double
    /// The time at which the camera reported the picture, by the computer's clock; nil: unknown.
    package var captured: Double?
    /// The names, without extensions, of the frame's files that the daemon has received.
    package var names: Set<String>
    /// Whether the frame was fired a second time; the first picture is then on the card too.
    package var isRepeated: Bool
    /// Whether the daemon doubts that the picture has the planned exposure.
    package var isSuspect: Bool

    package init(
        shoot: Int,
        speed: ShutterSpeed,
        attempted: Double,
        captured: Double? = nil,
        names: Set<String> = [],
        isRepeated: Bool = false,
        isSuspect: Bool = false
    ) {
        self.shoot = shoot
        self.speed = speed
        self.attempted = attempted
        self.captured = captured
        self.names = names
        self.isRepeated = isRepeated
        self.isSuspect = isSuspect
    }
}

/// A picture on the card; RAW and JPEG of one exposure are one picture.
package struct CardPicture: Equatable, Sendable {
    /// The name of the picture's files, without extension.
    package var name: String
    /// Nil: a speed outside the scale, such as BULB.
    package var speed: ShutterSpeed?
    /// Seconds since 1970-01-01 00:00 by the camera's clock, which has no time zone.
    package var time: Double

    package init(name: String, speed: ShutterSpeed?, time: Double) {
        self.name = name
        self.speed = speed
        self.time = time
    }
}

/// The assignment of the pictures on a card to the firings of a shoot, by order, speed and time.
///
/// The offset of the camera's clock is unknown, and so is its time zone. The chosen offset is the one at which the most
/// firings have a picture. The computation is pure: equal inputs give equal results.
package struct CardSort: Equatable, Sendable {
    /// The relation of the camera's clock to the computer's clock.
    package struct Clock: Equatable, Sendable {
        /// The camera's clock minus UTC by the computer's clock, in seconds.
        package var offset: Double
        /// Whether the camera writes the end of the exposure into the picture; if not, it writes the start.
        package var stampsEnd: Bool
        /// The number of firings that have a picture at this offset.
        package var matched: Int
    }

    /// The result for one firing.
    package struct Match: Equatable, Sendable {
        /// The index of the picture; nil: none.
        package var picture: Int?
        /// Pictures of earlier firings of the same frame, oldest first.
        package var earlier: [Int] = []
        /// Whether another picture fits this firing, or another firing fits this picture, equally well by speed and
        /// time.
        package var isAmbiguous = false
        /// Whether the picture has the right time but another speed. The daemon had marked the frame as suspect.
        package var hasOtherSpeed = false
    }

    /// A picture that the camera took during a shoot and that belongs to no frame.
    package struct Stray: Equatable, Sendable {
        package var picture: Int
        /// The index of a firing that has the same speed and is near in time; nil: none.
        package var near: Int?
    }

    package enum Result: Equatable, Sendable {
        case sorted(CardSort)
        /// Several offsets fit about equally well. The list begins with the best.
        case ambiguous([Clock])
        /// No offset fits. `matched` is the number of firings that have a picture at the best offset.
        case noFit(matched: Int)
    }

    package var clock: Clock
    /// The matches, in the order of the shots.
    package var matches: [Match]
    /// The strays, in the order of their time.
    package var strays: [Stray]

    /// Matches the shots of a shoot with pictures.
    ///
    /// - Parameters:
    ///   - shots: the shots of the shoot, and of earlier and later shoots with the same camera. The other shoots make
    ///     the offset more certain.
    ///   - target: the shoot to match.
    ///   - offset: the camera's clock minus UTC, to the minute, if the user gave it; nil: derived from the pictures.
    package static func sort(
        _ shots: [CardShot],
        target: Int,
        pictures: [CardPicture],
        offset: Double? = nil
    ) -> Result {
        let all = sortTogether(shots, target: target, pictures: pictures, offset: offset)
        let own = shots.indices.filter { shots[$0].shoot == target }
        guard offset == nil, own.count < shots.count else { return all }
        // The user may have changed the computer's clock between the shoots. Then only the shoot itself gives the
        // offset.
        var rest = Array(pictures.indices)
        switch all {
        case .ambiguous: return all
        case .noFit: break
        case .sorted(let sorted):
            guard own.count(where: { sorted.matches[$0].picture != nil }) * 2 < own.count else { return all }
            let taken = Set(
                shots.indices.filter { shots[$0].shoot != target }.compactMap { sorted.matches[$0].picture }
            )
            rest.removeAll { taken.contains($0) }
        }
        let alone = sortTogether(own.map { shots[$0] }, target: target, pictures: rest.map { pictures[$0] })
        guard case .sorted(let sorted) = alone else { return all }
        return .sorted(sorted.placed(in: shots.count, shots: own, pictures: rest))
    }

    private static func sortTogether(
        _ shots: [CardShot],
        target: Int,
        pictures: [CardPicture],
        offset: Double? = nil
    ) -> Result {
        let search = OffsetSearch(shots, pictures, target: target)
        var candidates = search.candidates()
        if let offset {
            candidates.removeAll { abs($0.offset - offset) > givenOffsetMax }
            candidates += [false, true].map { Clock(offset: offset, stampsEnd: $0, matched: 0) }
        }
        let trials = candidates.map { search.best(near: $0) }.sorted { $0.score > $1.score }
        guard let best = trials.first, offset != nil || search.isPlausible(best) else {
            return .noFit(matched: trials.first?.clock.matched ?? 0)
        }
        let rivals = offset == nil ? trials.dropFirst().filter { search.isAmbiguousAlternative($0, of: best) } : []
        guard rivals.isEmpty else { return .ambiguous(([best] + rivals).map(\.clock)) }
        return .sorted(search.finish(best))
    }

    /// The maximum error of an offset that the user gives, in seconds. Cameras show their time in minutes.
    private static let givenOffsetMax = 60.0

    /// Converts the indices to those of a larger list of shots and pictures.
    private func placed(in count: Int, shots: [Int], pictures: [Int]) -> CardSort {
        var placed = CardSort(clock: clock, matches: Array(repeating: Match(), count: count), strays: [])
        for (shot, match) in zip(shots, matches) {
            placed.matches[shot] = match
            placed.matches[shot].picture = match.picture.map { pictures[$0] }
            placed.matches[shot].earlier = match.earlier.map { pictures[$0] }
        }
        placed.strays = strays.map { Stray(picture: pictures[$0.picture], near: $0.near.map { shots[$0] }) }
        return placed
    }
}
