import Cameras
import Exposure

/// The frame of the latest new speed, and whether the initiator has read the speed since then.
enum LastSpeedSet: Equatable, Sendable {
    case none
    case unread(frame: Int)
    case read(frame: Int)
}

/// A body that takes a new speed by its value, with the faults of speeds.
protocol SpeedBody: CardBody {
    /// A speed in the form of the maker.
    associatedtype Speed: Equatable

    /// The speed of the next exposure.
    var speed: Speed { get }
    /// The speed before the latest set.
    var speedBefore: Speed { get set }
    /// Every speed that the initiator can set in M, in the body's order.
    var speeds: [Speed] { get }
    var lastSet: LastSpeedSet { get set }
    /// Whether the shutter is ready.
    var isIdle: Bool { get }
    /// Whether a new speed does not show yet.
    var isSpeedPending: Bool { get }

    /// The speed in the form that is the same for all makers.
    func ofBody(_ speed: Speed) -> BodySpeed
    /// The value of a speed of the third-stop scale.
    func ofMaker(_ speed: ShutterSpeed) -> Speed
    mutating func showSpeed(_ speed: Speed)
    /// Plans a speed that shows after the body's delay. An earlier plan, also of a return, has no effect then.
    mutating func planShown(_ speed: Speed, at now: Duration)
    mutating func planFallBack(of frame: Int, at time: Duration)
}

extension SpeedBody {
    /// Plans a new speed for the current frame, or another one because of a fault.
    mutating func plan(_ wanted: Speed, at now: Duration) {
        let frame = currentFrame
        var target = wanted
        if let wrong = faults.take({ if case .wrongSpeed(frame, let wrong, _) = $0 { wrong } else { nil } }) {
            target = nearestOffered(wrong)
            outputs.append(.fact(.moved(ofBody(target))))
            outputs.append(.log("fault: set of \(ofBody(wanted).label) settles on \(ofBody(target).label)"))
        } else {
            outputs.append(.log("set \(ofBody(wanted).label) for frame \(frame)"))
        }
        speedBefore = speed
        planShown(target, at: now)
    }

    /// The offered speed that is nearest to `speed`. A body can only have speeds that it offers.
    private func nearestOffered(_ speed: ShutterSpeed) -> Speed {
        let timed = speeds.compactMap { ofBody($0).shutterSpeed }
        let nearest = timed.min { abs($0.thirds(to: speed)) < abs($1.thirds(to: speed)) }
        return ofMaker(nearest ?? speed)
    }

    /// Plans the fault `jump`: after the initiator first read a frame's speed, the speed returns to the previous one.
    mutating func planFallBack(at now: Duration) {
        let frame = currentFrame
        guard lastSet == .read(frame: frame), !isSpeedPending,
            let delay = faults.first({ if case .jump(frame, _, let delay) = $0 { delay } else { nil } })
        else { return }
        // The fault happens once for each new speed.
        lastSet = .none
        planFallBack(of: frame, at: now + delay)
    }

    mutating func fallBack(_ frame: Int) {
        guard isIdle, frame == currentFrame,
            faults.take({ if case .jump(frame, _, _) = $0 { true } else { nil } }) != nil
        else { return }
        let back = speedBefore != speed ? speedBefore : speeds.first { $0 != speed } ?? speed
        outputs.append(.log("fault: the speed returns from \(ofBody(speed).label) to \(ofBody(back).label)"))
        outputs.append(.fact(.moved(ofBody(back))))
        showSpeed(back)
    }
}
