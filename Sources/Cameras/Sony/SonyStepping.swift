import Exposure

/// Moves a body from one speed to another in notches of a third of a stop. It sends a jump over the whole distance,
/// reads the speed, and sends the remaining notches. Each command begins at a speed that the body showed and points
/// towards the target. This value is pure like the driver: its inputs are readings, and its outputs are next steps.
struct SonyStepping: Sendable {
    /// The next step.
    enum NextStep: Hashable, Sendable {
        /// The body shows the target.
        case arrived
        /// Send this number of notches, positive for faster.
        case step(Int)
        /// The speed moves or can still move. Request another reading.
        case wait
        /// Not even single notches move the speed.
        case stuck
        /// The speed moves, but not to the target.
        case wrongDirection
    }

    /// A command that the body accepted.
    struct StepCommand: Sendable {
        let notches: Int
        let from: Int
        let sentAt: Duration
    }

    let target: Int
    let startedAt: Duration
    /// The data from before this stepping. New data are kept only if the end of the range is confirmed.
    let knownBefore: SonyStepData
    private let distance: Int
    private(set) var command: StepCommand?
    /// The body was busy and rejected the last command. The driver does not repeat the command before this time.
    private(set) var refusedUntil: Duration?
    /// Whether the speed moved towards the target in this stepping.
    private(set) var hasMoved = false
    /// Whether the user turned the dial in this stepping or a jump failed, and no notch has worked correctly since.
    private var isDisturbed = false
    private var isSingle: Bool
    private var shown: (notch: Int, since: Duration)?
    private var rounds = 0
    private var misses = 0
    private var stuckNotches = 0
    private var hasStuckJump = false

    private static let roundsMax = 80
    /// How often the speed is allowed to pass the target or to move in the wrong direction.
    private static let missesMax = 4
    /// The number of single notches without effect that ends the stepping. One notch can get lost.
    private static let stuckNotchesMax = 2

    init(from notch: Int, to target: Int, at now: Duration, _ known: SonyStepData) {
        self.target = target
        startedAt = now
        knownBefore = known
        distance = abs(target - notch)
        isSingle = known.stuckJumps >= SonyStepData.stuckJumpsMax
    }

    /// The time limit of the stepping.
    func deadline(_ timing: SonyTiming, perNotch: Duration) -> Duration {
        startedAt + timing.stepping + (isSingle ? max(perNotch, timing.singleNotch) : perNotch) * distance
    }

    /// Notes that the body accepted the command.
    mutating func took(_ notches: Int, from: Int, at now: Duration) {
        command = StepCommand(notches: notches, from: from, sentAt: now)
        refusedUntil = nil
        shown = nil
        rounds += 1
    }

    /// Notes that the body was too busy for the command.
    mutating func wasRefused(until time: Duration) {
        refusedUntil = time
    }

    /// Starts the stepping again, because a possible reason why the speed did not move was removed.
    mutating func startAgain() {
        command = nil
        stuckNotches = 0
        hasStuckJump = false
        isSingle = knownBefore.stuckJumps >= SonyStepData.stuckJumpsMax
    }

    /// Decides the next step after a reading that shows `notch`.
    ///
    /// - Parameter isLast: Whether no later step checks the speed. The user may have turned the dial to the target
    ///   while the last notches still take effect.
    mutating func decide(
        _ notch: Int,
        requestedAt: Duration,
        receivedAt: Duration,
        settle: Duration,
        isLast: Bool = false,
        _ timing: SonyTiming,
        _ known: inout SonyStepData
    ) -> NextStep {
        guard let command else { return notch == target ? .arrived : next(from: notch, known) }
        guard requestedAt >= command.sentAt else { return .wait }
        if shown?.notch != notch { shown = (notch, receivedAt) }
        let moved = command.notches > 0 ? command.from - notch : notch - command.from
        if moved == 0 {
            return requestedAt >= command.sentAt + timing.stepMove ? noteStuck(command, notch, known) : .wait
        }
        // A speed that is not at its destination can still move, even beyond the target.
        let isWhole = moved == abs(command.notches) && !isDisturbed
        let rest = notch == target ? max(settle, timing.speedMove) : settle
        let isSure = isWhole && (!isLast || notch != target || requestedAt >= command.sentAt + timing.speedMove)
        guard isSure || requestedAt >= (shown?.since ?? receivedAt) + rest else { return .wait }
        self.command = nil
        note(moved, of: command, &known)
        if notch == target { return .arrived }
        let isPast = (notch - target > 0) != (command.from - target > 0)
        if isPast || moved < 0 { misses += 1 }
        return misses > Self.missesMax ? .wrongDirection : next(from: notch, known)
    }

    private func next(from notch: Int, _ known: SonyStepData) -> NextStep {
        guard rounds < Self.roundsMax else { return .wrongDirection }
        let distance = notch - target
        let notches = isSingle ? 1 : known.notches(for: abs(distance))
        return .step(distance > 0 ? notches : -notches)
    }

    /// Notes that the speed did not move in the time that a move may take.
    private mutating func noteStuck(_ command: StepCommand, _ notch: Int, _ known: SonyStepData) -> NextStep {
        self.command = nil
        if abs(command.notches) > 1 {
            isSingle = true
            hasStuckJump = true
        } else {
            stuckNotches += 1
        }
        return stuckNotches >= Self.stuckNotchesMax ? .stuck : next(from: notch, known)
    }

    private mutating func note(_ moved: Int, of command: StepCommand, _ known: inout SonyStepData) {
        stuckNotches = 0
        // Learns nothing from a move in the wrong direction or beyond a jump's greatest error: the user caused it.
        if moved > 0, moved <= abs(command.notches) + SonyStepData.errorMax {
            hasMoved = true
            if moved == abs(command.notches) { isDisturbed = false }
            known.note(moved, of: abs(command.notches), afterStuckJump: hasStuckJump)
        } else {
            isDisturbed = true
        }
        hasStuckJump = false
    }
}

/// The data about a body's steps that a session learned. Bodies differ (libgphoto2#527, #775, #854): an A9 jumps to the
/// target at once, others stop short of it, and some miss it by a notch.
struct SonyStepData: Sendable {
    /// Whether a step has moved the speed in this session.
    var hasMoved = false
    /// The greatest error of the jumps.
    var error = 0
    /// The longest jump that the body performs.
    var reach = Self.notchesMax
    /// The number of jumps in a row without effect where a single notch had an effect (libgphoto2#694).
    var stuckJumps = 0
    /// The ends of the range at which the speed stopped.
    private var fastest: End?
    private var slowest: End?
    /// Whether the absolute property is listed but cannot be written.
    var isAbsoluteRefused = false
    /// The time until which the last move can still continue.
    var settledAt: Duration = .zero

    /// The greatest number of notches in one signed byte, the same in both directions (PTP 2 p.80).
    static let notchesMax = 127
    static let stuckJumpsMax = 2
    /// The lower limit of `reach`. One shortened jump must not slow down a whole session.
    private static let reachMin = 8
    /// The greatest error of a jump that missed. A jump with a larger error was shortened.
    static let errorMax = 2

    /// The size of the next jump for a distance, never past the target. If jumps miss, single notches cover the end of
    /// the distance, or all of a short distance. A notch past the target costs another notch back.
    func notches(for distance: Int) -> Int {
        if error > 0, distance <= error * 4 { return 1 }
        return max(1, min(distance - error, reach))
    }

    mutating func note(_ moved: Int, of notches: Int, afterStuckJump: Bool) {
        hasMoved = true
        guard notches > 1 else {
            if afterStuckJump { stuckJumps += 1 }
            return
        }
        stuckJumps = 0
        switch notches - moved {
        case 0: break
        case let short where short > Self.errorMax: reach = max(Self.reachMin, moved)
        case let miss: error = max(error, min(abs(miss), Self.errorMax))
        }
    }

    /// An end of the range. A body that was only too busy gives the same readings, so a new end is trusted only for a
    /// short time. An end that is found again at the same place is trusted ten times as long. A speed beyond the end
    /// disproves the end.
    private struct End {
        let notch: Int
        var belief: Duration
        var until: Duration
    }

    /// Notes that the speed did not move beyond this position.
    mutating func noteEnd(_ notch: Int, isFastest: Bool, at now: Duration, _ timing: SonyTiming) {
        let known = isFastest ? fastest : slowest
        let belief = known.flatMap { $0.notch == notch ? $0.belief * 10 : nil } ?? timing.stepEnd
        let end = End(notch: notch, belief: belief, until: now + belief)
        if isFastest { fastest = end } else { slowest = end }
    }

    /// Whether the speed stopped at this position before.
    func hasMet(_ notch: Int, isFastest: Bool) -> Bool { (isFastest ? fastest : slowest)?.notch == notch }

    /// The positions between the trusted ends.
    func range(within all: ClosedRange<Int>, at now: Duration) -> ClosedRange<Int> {
        let first = fastest.flatMap { now < $0.until ? max($0.notch, all.lowerBound) : nil } ?? all.lowerBound
        let last = slowest.flatMap { now < $0.until ? min($0.notch, all.upperBound) : nil } ?? all.upperBound
        return first...max(first, last)
    }

    /// Restores the earlier data about jumps, but keeps the ends of the range.
    mutating func forgetJumps(since known: Self) {
        (error, reach, stuckJumps) = (known.error, known.reach, known.stuckJumps)
    }

    /// Notes a speed that the body shows.
    mutating func note(shown notch: Int) {
        if let end = fastest, notch < end.notch { fastest = nil }
        if let end = slowest, notch > end.notch { slowest = nil }
    }
}
