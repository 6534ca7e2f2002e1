/// Moves a value of a version 2 body by single notches, with a reading after each notch.
///
/// The direction is documented only for the shutter speed (PTP 2 p.80), so the first notch shows the direction. Larger
/// jumps would be faster but lead to wrong values on some bodies (libgphoto2#775, #854). These settings do not change
/// between frames, so slow steps are acceptable.
package struct SonyNotchSequence: Hashable, Sendable {
    private let target: Int64
    private var direction: Int8 = 1
    private var turnsLeft = 1
    private var notchesLeft: Int
    /// The position of the body before the last notch.
    private(set) var start: Int64?

    /// - Parameter target: A position from `SonyPropertyText.position`.
    package init(to target: Int64, notchesMax: Int) {
        self.target = target
        notchesLeft = notchesMax
    }

    /// The next notch from this position. nil: notches do not lead to the target, or too many notches were sent.
    package mutating func notch(from position: Int64) -> Int8? {
        if let start, position != start {
            let hasPassed = (start < target) != (position < target)
            if hasPassed { return nil }
            let isFarther = distance(to: position) > distance(to: start)
            if isFarther, !turn() { return nil }
            // The last notch moved the value, so the direction is known.
            turnsLeft = 0
        }
        guard notchesLeft > 0 else { return nil }
        notchesLeft -= 1
        start = position
        return direction
    }

    /// Forgets the last notch, because the body was too busy for it. The driver will send the same notch again.
    mutating func undoNotch() {
        start = nil
        notchesLeft += 1
    }

    /// The next notch after a notch without effect: at the end of a scale the direction was wrong. nil: the direction
    /// is already known, or both directions were tried.
    package mutating func notchAfterNoChange() -> Int8? {
        guard notchesLeft > 0, turn() else { return nil }
        notchesLeft -= 1
        return direction
    }

    /// The distance to the target. The distance is unsigned, because the body can report any 64 bits.
    private func distance(to position: Int64) -> UInt64 {
        UInt64(bitPattern: max(target, position) &- min(target, position))
    }

    private mutating func turn() -> Bool {
        guard turnsLeft > 0 else { return false }
        turnsLeft -= 1
        direction = -direction
        return true
    }
}
