/// The way of a version 2 body to a value: one notch, a look at where it stands, another notch.
///
/// Which sign leads where is documented for the shutter speed only (PTP 2 p.80), so it is learned from the first notch.
/// Larger jumps would be faster and land on wrong values on some bodies (libgphoto2#775, #854); nobody waits for these
/// settings frame by frame.
package struct SonyNotchWalk: Hashable, Sendable {
    private let target: Int64
    private var direction: Int8 = 1
    private var turnsLeft = 1
    private var notchesLeft: Int
    /// Where the body stood before the last notch.
    private(set) var start: Int64?

    /// - Parameter target: A position as `SonyPropertyWords.position` tells it.
    package init(to target: Int64, notchesMax: Int) {
        self.target = target
        notchesLeft = notchesMax
    }

    /// The next notch from here. Nil: the body has no such value, or no end is in sight.
    package mutating func notch(from position: Int64) -> Int8? {
        if let start, position != start {
            let hasPassed = (start < target) != (position < target)
            if hasPassed { return nil }
            let isFarther = distance(to: position) > distance(to: start)
            if isFarther, !turn() { return nil }
            // Now the direction is known.
            turnsLeft = 0
        }
        guard notchesLeft > 0 else { return nil }
        notchesLeft -= 1
        start = position
        return direction
    }

    /// The body was too busy for the last notch: the next one is the same again.
    mutating func takeBack() {
        start = nil
        notchesLeft += 1
    }

    /// The last notch led nowhere: at the end of a scale that is the wrong direction. Nil: it was the right one, or the
    /// other one was wrong too.
    package mutating func notchAfterStanding() -> Int8? {
        guard notchesLeft > 0, turn() else { return nil }
        notchesLeft -= 1
        return direction
    }

    /// The body says any 64 bits: their distance needs no sign, and has a bit more for it.
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
