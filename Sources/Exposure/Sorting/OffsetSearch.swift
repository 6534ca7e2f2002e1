/// The shots and pictures of one assignment, ordered by time, and the search for the offset of the camera's clock.
struct OffsetSearch {
    struct Trial {
        var clock: CardSort.Clock
        var pictures: [Int?]
        var score: Double
    }

    /// The maximum delay of the shutter after the attempt, plus the drift of the camera's clock in a session, in
    /// seconds.
    private static let lagMax = 5.0
    /// The difference, in seconds, below which two time differences count as equal.
    private static let tolerance = 0.75
    /// The maximum number of offsets to try.
    private static let candidatesMax = 16
    /// The weight of a match by name, relative to a match by speed and time.
    private static let nameWeight = 0.5
    /// What one second of time difference costs, and the maximum cost. A match counts 1.
    private static let costPerSecond = 0.001
    private static let costMax = 0.02

    private let shots: [CardShot]
    private let pictures: [CardPicture]
    private let target: Int
    /// Indices of the shots, oldest first.
    private let order: [Int]
    /// Indices of the pictures of each speed, oldest first.
    private let bySpeed: [ShutterSpeed: [Int]]
    /// The rank of each picture by time and name.
    private let rank: [Int]

    init(_ shots: [CardShot], _ pictures: [CardPicture], target: Int) {
        self.shots = shots
        self.target = target
        self.pictures = pictures
        order = shots.indices.sorted { (shots[$0].attempted, $0) < (shots[$1].attempted, $1) }
        let byTime = pictures.indices.sorted {
            (pictures[$0].time, pictures[$0].name, $0) < (pictures[$1].time, pictures[$1].name, $1)
        }
        var rank = Array(repeating: 0, count: pictures.count)
        for (place, picture) in byTime.enumerated() { rank[picture] = place }
        self.rank = rank
        var bySpeed: [ShutterSpeed: [Int]] = [:]
        for picture in byTime {
            if let speed = pictures[picture].speed { bySpeed[speed, default: []].append(picture) }
        }
        self.bySpeed = bySpeed
    }

    // MARK: Candidates

    /// The offsets with the most votes. Each shot votes for the time difference to each picture of its speed.
    func candidates() -> [CardSort.Clock] {
        var found: [CardSort.Clock] = []
        for stampsEnd in [false, true] { found += candidates(stampsEnd: stampsEnd) }
        return Array(found.sorted { $0.matched > $1.matched }.prefix(Self.candidatesMax))
    }

    private func candidates(stampsEnd: Bool) -> [CardSort.Clock] {
        var votes: [(offset: Double, shot: Int)] = []
        for (index, shot) in shots.enumerated() {
            let time = Self.stamp(shot, stampsEnd)
            votes += (bySpeed[shot.speed] ?? []).map { (pictures[$0].time - time, index) }
        }
        votes.sort { $0.offset < $1.offset }
        // For each window of offsets that starts at a vote, the loop counts the shots that vote within it.
        var counts = Array(repeating: 0, count: shots.count)
        var windows: [(count: Int, first: Int, last: Int)] = []
        var (end, distinct) = (0, 0)
        for first in votes.indices {
            while end < votes.count, votes[end].offset - votes[first].offset <= Self.lagMax {
                counts[votes[end].shot] += 1
                if counts[votes[end].shot] == 1 { distinct += 1 }
                end += 1
            }
            windows.append((distinct, first, end - 1))
            counts[votes[first].shot] -= 1
            if counts[votes[first].shot] == 0 { distinct -= 1 }
        }
        var taken: [CardSort.Clock] = []
        for window in windows.sorted(by: { ($0.count, $1.first) > ($1.count, $0.first) }) {
            let middle = votes[(window.first + window.last) / 2].offset
            guard !taken.contains(where: { abs($0.offset - middle) <= Self.lagMax }) else { continue }
            taken.append(CardSort.Clock(offset: middle, stampsEnd: stampsEnd, matched: window.count))
            if taken.count == Self.candidatesMax { break }
        }
        return taken
    }

    /// The time that the camera writes into the picture of a shot, converted to the computer's clock.
    private static func stamp(_ shot: CardShot, _ stampsEnd: Bool) -> Double {
        shot.attempted + (stampsEnd ? shot.exposure : 0)
    }

    // MARK: Trying

    /// The best assignment near a clock. The function tries the clock, corrects it by the matches, and tries again.
    func best(near clock: CardSort.Clock) -> Trial {
        let first = assign(clock)
        let residuals = shots.indices.compactMap { shot in first.pictures[shot].map { residual(shot, $0, clock) } }
        guard !residuals.isEmpty else { return first }
        var refined = clock
        refined.offset += residuals.sorted()[residuals.count / 2]
        let second = assign(refined)
        return second.score >= first.score ? second : first
    }

    private func residual(_ shot: Int, _ picture: Int, _ clock: CardSort.Clock) -> Double {
        pictures[picture].time - clock.offset - Self.stamp(shots[shot], clock.stampsEnd)
    }

    private func isInTime(_ shot: Int, _ picture: Int, _ clock: CardSort.Clock) -> Bool {
        let late = residual(shot, picture, clock)
        let lateMax = max(0, (shots[shot].captured ?? 0) - Self.stamp(shots[shot], clock.stampsEnd)) + Self.lagMax
        return -Self.lagMax...lateMax ~= late
    }

    /// The pictures that have the shot's speed and a time that is possible for the shot.
    private func fitting(_ shot: Int, _ clock: CardSort.Clock) -> [Int] {
        let all = bySpeed[shots[shot].speed] ?? []
        let from = Self.stamp(shots[shot], clock.stampsEnd) + clock.offset - Self.lagMax
        var (low, high) = (0, all.count)
        while low < high {
            let middle = (low + high) / 2
            if pictures[all[middle]].time < from { low = middle + 1 } else { high = middle }
        }
        return Array(all[low...].prefix { isInTime(shot, $0, clock) })
    }

    private func isNamed(_ shot: Int, _ picture: Int) -> Bool { shots[shot].names.contains(pictures[picture].name) }

    /// The best assignment in which later shots have later pictures. Best means the most matches, then the least time
    /// difference.
    private func assign(_ clock: CardSort.Clock) -> Trial {
        var chain = BestChain(placeCount: pictures.count)
        for shot in order {
            // The pictures are added from last to first, so that the chain has only one picture of this shot.
            for picture in fitting(shot, clock).reversed() {
                let cost = min(Self.costMax, abs(residual(shot, picture, clock)) * Self.costPerSecond)
                let value = 1 + (isNamed(shot, picture) ? Self.nameWeight : 0) - cost
                chain.append(shot: shot, picture: picture, place: rank[picture], value: value)
            }
        }
        var trial = Trial(clock: clock, pictures: Array(repeating: nil, count: shots.count), score: chain.score)
        for link in chain.links { trial.pictures[link.shot] = link.picture }
        trial.clock.matched = chain.links.count
        return trial
    }

    // MARK: Judging

    /// Whether the offset is better than chance: at least one shoot has half of its pictures, or names agree.
    func isPlausible(_ trial: Trial) -> Bool {
        var counts: [Int: (matched: Int, fired: Int)] = [:]
        var named = 0
        for (shot, picture) in zip(shots.indices, trial.pictures) {
            counts[shots[shot].shoot, default: (0, 0)].fired += 1
            guard let picture else { continue }
            counts[shots[shot].shoot, default: (0, 0)].matched += 1
            if isNamed(shot, picture) { named += 1 }
        }
        return named >= 2 || counts.values.contains { $0.matched >= min(2, $0.fired) && $0.matched * 2 >= $0.fired }
    }

    /// Whether another offset fits almost as well and gives the shoot other pictures.
    func isAmbiguousAlternative(_ trial: Trial, of best: Trial) -> Bool {
        guard isPlausible(trial) else { return false }
        let margin = min(3, max(1, best.score / 10))
        guard trial.score >= best.score - margin - Self.costMax * Double(shots.count) else { return false }
        let wanted = shots.indices.filter { shots[$0].shoot == target }
        let differing = wanted.count { trial.pictures[$0] != best.pictures[$0] }
        return differing * 2 > wanted.count
    }
}

/// The chain of matches with the greatest value in which both shot and picture increase.
private struct BestChain {
    private struct Node {
        var shot: Int
        var picture: Int
        var value: Double
        var before: Int?
    }

    private var nodes: [Node] = []
    /// A Fenwick tree over the ranks of pictures. Each node has the end of the best chain up to its rank.
    private var tree: [Int?]

    init(placeCount: Int) { tree = Array(repeating: nil, count: placeCount + 1) }

    /// Appends a match. Shots must come in ascending order, and the pictures of one shot in descending order.
    mutating func append(shot: Int, picture: Int, place: Int, value: Double) {
        let before = best(below: place)
        let sum = value + (before.map { nodes[$0].value } ?? 0)
        nodes.append(Node(shot: shot, picture: picture, value: sum, before: before))
        var index = place + 1
        while index < tree.count {
            if tree[index].map({ nodes[$0].value < sum }) ?? true { tree[index] = nodes.count - 1 }
            index += index & -index
        }
    }

    private func best(below place: Int) -> Int? {
        var (index, best) = (place, Int?.none)
        while index > 0 {
            if let node = tree[index], best.map({ nodes[$0].value < nodes[node].value }) ?? true { best = node }
            index -= index & -index
        }
        return best
    }

    private var last: Int? { best(below: tree.count - 1) }

    var score: Double { last.map { nodes[$0].value } ?? 0 }

    /// The matches of the best chain, the last one first.
    var links: [(shot: Int, picture: Int)] {
        var (links, next) = ([(shot: Int, picture: Int)](), last)
        while let node = next {
            links.append((nodes[node].shot, nodes[node].picture))
            next = nodes[node].before
        }
        return links
    }
}

// MARK: - Finishing

extension OffsetSearch {
    /// Converts the assignment into a result for each shot, and collects the remaining pictures of the shoot.
    func finish(_ trial: Trial) -> CardSort {
        var matches = trial.pictures.map { CardSort.Match(picture: $0) }
        var free = Set(pictures.indices).subtracting(trial.pictures.compactMap { $0 })
        for shot in order where shots[shot].shoot == target {
            if let picture = matches[shot].picture {
                matches[shot].isAmbiguous = isAmbiguous(shot, picture, trial, free)
                guard shots[shot].isRepeated, let first = firstFiring(shot, picture, trial, free) else { continue }
                matches[shot].earlier = [first]
                matches[shot].isAmbiguous = false
                free.remove(first)
            } else if shots[shot].isSuspect, let other = otherSpeed(shot, trial, free) {
                matches[shot].picture = other
                matches[shot].hasOtherSpeed = true
                free.remove(other)
            }
        }
        return CardSort(clock: trial.clock, matches: matches, strays: strays(trial, free))
    }

    /// Whether a free picture also fits the shot equally well, or the picture also fits a shot without a picture.
    private func isAmbiguous(_ shot: Int, _ picture: Int, _ trial: Trial, _ free: Set<Int>) -> Bool {
        guard !isNamed(shot, picture) else { return false }
        let own = abs(residual(shot, picture, trial.clock))
        func isAsNear(_ shot: Int, _ picture: Int) -> Bool {
            isInTime(shot, picture, trial.clock) && abs(residual(shot, picture, trial.clock)) < own + Self.tolerance
        }
        if fitting(shot, trial.clock).contains(where: { free.contains($0) && isAsNear(shot, $0) }) { return true }
        return shots.indices.contains { other in
            trial.pictures[other] == nil && shots[other].speed == shots[shot].speed && isAsNear(other, picture)
        }
    }

    /// The picture of a frame's first firing: the only free picture of the frame's speed between the shoot's start and
    /// the last firing of the frame.
    private func firstFiring(_ shot: Int, _ picture: Int, _ trial: Trial, _ free: Set<Int>) -> Int? {
        let begin = span(trial.clock).lowerBound
        let found = (bySpeed[shots[shot].speed] ?? []).filter {
            free.contains($0) && rank[$0] < rank[picture] && pictures[$0].time >= begin
        }
        return found.count == 1 ? found[0] : nil
    }

    /// The only free picture that has the time of the shot, another speed, and a place between the pictures of the
    /// neighbouring shots.
    private func otherSpeed(_ shot: Int, _ trial: Trial, _ free: Set<Int>) -> Int? {
        guard let place = order.firstIndex(of: shot) else { return nil }
        let before = order[..<place].last { trial.pictures[$0] != nil }.flatMap { trial.pictures[$0] }
        let after = order[(place + 1)...].first { trial.pictures[$0] != nil }.flatMap { trial.pictures[$0] }
        let found = free.filter { picture in
            isInTime(shot, picture, trial.clock) && pictures[picture].speed != shots[shot].speed
                && before.map { rank[$0] < rank[picture] } ?? true && after.map { rank[$0] > rank[picture] } ?? true
        }
        return found.count == 1 ? found.first : nil
    }

    /// The time from the first firing of the shoot to the end of its last firing, by the camera's clock.
    private func span(_ clock: CardSort.Clock) -> ClosedRange<Double> {
        let own = shots.filter { $0.shoot == target }
        let begin = own.map { Self.stamp($0, clock.stampsEnd) }.min() ?? 0
        let end = own.map { max($0.attempted + $0.exposure, $0.captured ?? 0) }.max() ?? 0
        return begin + clock.offset - Self.lagMax...max(begin, end) + clock.offset + Self.lagMax
    }

    private func strays(_ trial: Trial, _ free: Set<Int>) -> [CardSort.Stray] {
        let span = span(trial.clock)
        let found = free.filter { span.contains(pictures[$0].time) }.sorted { rank[$0] < rank[$1] }
        return found.map { CardSort.Stray(picture: $0, near: nearest(to: $0, trial)) }
    }

    /// The shot of the picture's speed that is nearest in time, if no shot of another speed is between them.
    private func nearest(to picture: Int, _ trial: Trial) -> Int? {
        let time = pictures[picture].time - trial.clock.offset
        let own = order.filter { shots[$0].shoot == target }
        let before = own.last { Self.stamp(shots[$0], trial.clock.stampsEnd) <= time }
        let after = own.first { Self.stamp(shots[$0], trial.clock.stampsEnd) > time }
        return [before, after].compactMap { $0 }.filter { shots[$0].speed == pictures[picture].speed }
            .min { abs(residual($0, picture, trial.clock)) < abs(residual($1, picture, trial.clock)) }
    }
}

extension CardShot {
    /// The exposure time in seconds.
    fileprivate var exposure: Double {
        let time = speed.exposureTime.components
        return Double(time.seconds) + Double(time.attoseconds) / 1e18
    }
}
