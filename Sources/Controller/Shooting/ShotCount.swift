/// The shots that the camera has left: its counter may lag behind its pictures.
struct ShotCount: Equatable, Sendable {
    /// What the camera said when the shutter was released last.
    private var atRelease = AtRelease.none

    private enum AtRelease: Equatable {
        case none
        case left(Int)
        /// It did not say, or whether it fired is not known.
        case unclear
    }

    /// Takes over the count before the last frame of an earlier run; nil: not known.
    mutating func adopt(before: Int?) { atRelease = before.map { .left($0) } ?? .unclear }

    /// It is not known whether the last command fired.
    mutating func doubt() { atRelease = .unclear }

    /// The shutter is released, and the camera says that it has so many left.
    ///
    /// What it has left now, less what it has not counted yet.
    mutating func release(saying left: Int?) {
        guard let left else { return atRelease = .unclear }
        guard case .left(let before) = atRelease, left >= before else { return atRelease = .left(left) }
        atRelease = .left(before - 1)
    }

    /// What the camera says, where the last frame is certain to be counted in it.
    func certain(saying left: Int?) -> Int? {
        guard let left else { return nil }
        return switch atRelease {
        case .none: left
        case .left(let before): left < before ? left : nil
        case .unclear: nil
        }
    }
}
