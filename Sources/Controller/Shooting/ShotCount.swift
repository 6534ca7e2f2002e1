/// The camera's shot counter, which may lag behind its pictures.
struct ShotCount: Equatable, Sendable {
    /// The counter at the last release of the shutter.
    private var atRelease = AtRelease.none

    private enum AtRelease: Equatable {
        case none
        case left(Int)
        /// The camera reported no count, or it is not known whether the shutter fired.
        case unclear
    }

    /// Adopts the count before the last frame of an earlier run; nil: not known.
    mutating func adopt(before: Int?) { atRelease = before.map { .left($0) } ?? .unclear }

    /// Notes that the last command may or may not have released the shutter.
    mutating func doubt() { atRelease = .unclear }

    /// Notes the counter at a release of the shutter: the reported value, minus the shots that it does not include yet.
    mutating func release(saying left: Int?) {
        guard let left else { return atRelease = .unclear }
        guard case .left(let before) = atRelease, left >= before else { return atRelease = .left(left) }
        atRelease = .left(before - 1)
    }

    /// The counter, if it certainly includes the last frame; otherwise nil.
    func certain(saying left: Int?) -> Int? {
        guard let left else { return nil }
        return switch atRelease {
        case .none: left
        case .left(let before): left < before ? left : nil
        case .unclear: nil
        }
    }
}
