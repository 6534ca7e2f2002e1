/// A firing of the shutter that the ledger has, as far as a picture on the card can be matched with it.
package struct CardShot: Equatable, Sendable {
    package var shoot: Int
    package var speed: ShutterSpeed
    /// When the frame was about to be fired last: seconds since 1970-01-01 UTC by the computer's clock.
    package var attempted: Double
    /// When the camera reported its picture, by the same clock; nil: not known.
    package var captured: Double?
    /// What the files are called, without their endings, that the daemon has of the frame.
    package var names: Set<String>
    /// Whether the frame was fired a second time: the first picture is then on the card too.
    package var isRepeated: Bool
    /// Whether the daemon doubts that its picture shows the planned exposure.
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
    /// What its files are called, without their endings.
    package var name: String
    /// Nil: on no speed of the scale, such as BULB.
    package var speed: ShutterSpeed?
    /// Seconds since 1970-01-01 00:00 by the camera's clock, which has no time zone.
    package var time: Double

    package init(name: String, speed: ShutterSpeed?, time: Double) {
        self.name = name
        self.speed = speed
        self.time = time
    }
}

/// Which picture of a card belongs to which firing of a shoot: by the order, the speed and the time.
///
/// The camera's clock is off by an unknown time, zone included. It is learned from the pictures: the offset at which
/// most firings have a picture. Pure arithmetic; the same values give the same result.
package struct CardSort: Equatable, Sendable {
    /// How the camera's clock stands to the computer's.
    package struct Clock: Equatable, Sendable {
        /// The camera's clock minus UTC by the computer's clock, in seconds.
        package var offset: Double
        /// Whether the camera writes when the exposure ended; otherwise when it began.
        package var stampsEnd: Bool
        /// How many firings have a picture at this offset.
        package var matched: Int
    }

    /// What became of one firing.
    package struct Match: Equatable, Sendable {
        /// Index into the pictures; nil: there is none.
        package var picture: Int?
        /// Pictures of earlier firings of the same frame, oldest first.
        package var earlier: [Int] = []
        /// Another picture, or another firing's, fits as well by speed and time.
        package var isUnsure = false
        /// The picture was taken at its time and shows another speed; the daemon suspected it.
        package var hasOtherSpeed = false
    }

    /// A picture that was taken during a shoot and belongs to no frame.
    package struct Stray: Equatable, Sendable {
        package var picture: Int
        /// The firing whose speed it has and near which it was taken, an index; nil: none.
        package var near: Int?
    }

    package enum Result: Equatable, Sendable {
        case sorted(CardSort)
        /// Several offsets fit as well, the best first.
        case ambiguous([Clock])
        /// No offset fits; the number of firings that have a picture at the best one.
        case noFit(matched: Int)
    }

    package var clock: Clock
    /// In the order of the shots.
    package var matches: [Match]
    /// In the order of their time.
    package var strays: [Stray]

    /// Matches the shots of a shoot with pictures.
    ///
    /// - Parameters:
    ///   - shots: of the shoot, and of those before and after it with the same camera. They make the offset surer.
    ///   - target: the shoot that matters.
    ///   - offset: the camera's clock minus UTC, to the minute, where the user knows it; nil: it is learned.
    package static func sort(
        _ shots: [CardShot],
        target: Int,
        pictures: [CardPicture],
        offset: Double? = nil
    ) -> Result {
        let all = sortTogether(shots, target: target, pictures: pictures, offset: offset)
        let own = shots.indices.filter { shots[$0].shoot == target }
        guard offset == nil, own.count < shots.count else { return all }
        // The computer's clock may have been set between the shoots: then the shoot alone has the offset.
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
        let rivals = offset == nil ? trials.dropFirst().filter { search.isRival($0, of: best) } : []
        guard rivals.isEmpty else { return .ambiguous(([best] + rivals).map(\.clock)) }
        return .sorted(search.finish(best))
    }

    /// How far an offset that the user gives may be off, in seconds: cameras show minutes.
    private static let givenOffsetMax = 60.0

    /// The same with indices of a larger list of shots and of pictures.
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
