import Cameras
import Exposure

// Pictures whose only copy is on this computer.
extension Shoot {
    /// Whether the body reported the current frame's picture, and this computer has not stored that picture yet.
    package var isPictureExpected: Bool { attempt == .exposed }

    /// Counts a frame as captured because its picture is durable on this computer.
    ///
    /// - Parameter isOnlyCopy: whether the body stores no picture. Then the file proves that the frame was captured.
    package mutating func settle(_ frame: Int, isOnlyCopy: Bool) {
        guard firings.indices.contains(frame) else { return }
        switch again[frame] ?? firings[frame] {
        case .exposed, .lost: break
        case .unknown, .planned, .failed: if !isOnlyCopy { return }
        case .preparing, .attempting, .exposing, .captured, .verified, .suspect: return
        }
        if again[frame] == nil { return firings[frame] = .captured }
        again[frame] = .captured
        wantedAgain.remove(frame)
    }

    /// Plans again the frames whose pictures were lost.
    package mutating func planLost() {
        for index in firings.indices where firings[index].isLost { firings[index] = .planned }
        again = again.filter { !$0.value.isLost }
    }

}

// The results of the comparison of pictures with the plan, and the frames to fire again.
extension Shoot {

    /// Whether all frames of a set were just fired, and the next set has not begun.
    package var isAtSetEnd: Bool {
        guard let next = nextMissing else { return true }
        return next > 0 && plan.frames[next - 1].position.set != plan.frames[next].position.set
    }

    /// Whether the user can request to fire the last released frame once more.
    package var mayWantAgain: Bool {
        lastReleased.map { !wantedAgain.contains($0) || again[$0]?.isLost == true } ?? false
    }

    /// Plans to fire the last released frame once more after it is captured.
    package mutating func requestRedo() {
        guard let lastReleased else { return }
        if again[lastReleased]?.isLost == true { again[lastReleased] = nil }
        wantedAgain.insert(lastReleased)
    }

    /// Whether the user wants a captured frame once more.
    package var isWantedAgain: Bool { nextWanted != nil }

    /// The frames to fire on resume: first the missing or wanted ones, then those that may have been fired.
    package func firing(withRedo: Bool = false) -> Preflight.Firing {
        var wanted = wantedAgain
        if withRedo, let lastReleased { wanted.insert(lastReleased) }
        var (certain, doubtful): ([ShutterSpeed], [ShutterSpeed]) = ([], [])
        for (index, outcome) in firings.enumerated() {
            let speed = plan.frames[index].speed
            switch outcome {
            case .planned, .preparing, .lost, .failed: certain.append(speed)
            case .attempting, .exposing, .exposed, .unknown: doubtful.append(speed)
            case .captured, .verified, .suspect: if wanted.contains(index) { certain.append(speed) }
            }
        }
        var firing = Preflight.Firing(camera: camera, speeds: certain + doubtful, doubtful: doubtful.count)
        firing.findsRange = isRangeOpen
        return firing
    }

    /// The speeds that are still to be fired. They include the current frame's speed until its picture is captured.
    package var speedsLeft: [ShutterSpeed] {
        firings.indices.filter { index in
            !firings[index].isCaptured || wantedAgain.contains(index)
                || index == current && again[index]?.isCaptured == false
        }.map { plan.frames[$0].speed }
    }

    private var nextWanted: Int? {
        wantedAgain.sorted().first { firings[$0].isCaptured && again[$0]?.isLost != true }
    }

    /// Selects the frame that the user wants once more.
    package mutating func selectRequested() {
        guard let next = nextWanted else { preconditionFailure("the chart asks isRedoWanted first") }
        current = next
        again[next] = .planned
    }

    /// Whether a suspect frame can be fired again. Each suspect frame is fired again only once.
    package var isSuspectLeft: Bool { nextSuspect != nil }

    private var nextSuspect: Int? {
        firings.indices.first { index in
            guard case .suspect = outcome(of: index) else { return false }
            return again[index] == nil || again[index] == .planned
        }
    }

    /// Whether the frame was fired again, or may have been.
    package func wasFiredAgain(_ frame: Int) -> Bool { again[frame].map { $0 != .planned } ?? false }

    /// Whether the current frame is fired again.
    package var isAgain: Bool { current.map { again[$0] != nil } ?? false }

    /// Selects the first suspect frame that was not fired again.
    package mutating func takeSuspect() {
        guard let next = nextSuspect else { preconditionFailure("the chart asks isSuspectLeft first") }
        current = next
        again[next] = .planned
    }

    /// Notes the result of comparing a picture with its frame.
    ///
    /// A suspect file decides for its shot. Of two shots of a frame, a verified shot decides, otherwise the later one.
    package mutating func verify(_ frame: Int, _ verdict: Verdict, shot: Ticket) {
        guard firings.indices.contains(frame) else { return }
        let before = shotVerdicts[frame]
        switch verdict {
        case .none: break
        case .verified where before?.shot == shot: break
        case .verified: shotVerdicts[frame] = ShotVerdict(doubt: nil, shot: shot)
        case .suspect where before != nil && before?.doubt == nil && before?.shot != shot: break
        case .suspect(let doubt): shotVerdicts[frame] = ShotVerdict(doubt: doubt, shot: shot)
        }
    }
}
