import Testing
import Worlds

extension World {
    /// The same world, in which every invariant is watched from now on.
    var checked: World {
        var world = self
        world.watcher = Invariants(of: self)
        return world
    }

    /// The violations so far.
    var violations: [Violation] { (watcher as? Invariants)?.violations ?? [] }
}

/// Expects that every invariant has held so far.
func expectSound(_ world: World, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(world.watcher is Invariants, "the world has no watcher", sourceLocation: sourceLocation)
    #expect(world.violations.isEmpty, comment ?? "\(world.violations)", sourceLocation: sourceLocation)
}

/// Expects that every invariant has held, and that it holds at the end, after the last event.
func expectSoundEnd(
    _ world: World,
    isStopped: Bool = false,
    isLinkSound: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard var invariants = world.watcher as? Invariants else {
        Issue.record("the world has no watcher", sourceLocation: sourceLocation)
        return
    }
    invariants.checkEnd(of: world, Invariants.Expectation(isStopped: isStopped, isLinkSound: isLinkSound))
    #expect(invariants.violations.isEmpty, "\(invariants.violations)", sourceLocation: sourceLocation)
}
