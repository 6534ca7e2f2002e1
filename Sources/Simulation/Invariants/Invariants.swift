import Cameras
import Controller

/// Judges a world while it goes its way; see ``Invariant``.
///
/// It believes nothing that the daemon says of itself where a body, the ledger's disk or the other side of a request
/// knows better, and looks at what changed only.
package struct Invariants: WorldWatcher {
    /// Those that did not hold; the first ones only.
    package private(set) var violations: [Violation] = []

    /// More are not kept: what follows the first is mostly its consequence.
    private static let violationsMax = 4

    /// - Parameter world: as it is before anything is asked of it. Set what this gives as its watcher.
    package init(of world: World) {}

    /// What is to be expected at the end of a world.
    package struct Expectation: Equatable, Sendable {
        /// Whether the daemon was stopped in order, and had the time for it.
        package var isStopped: Bool
        /// Whether camera and network were sound when it was, so that the session could be ended in order.
        package var isLinkSound: Bool

        package init(isStopped: Bool = false, isLinkSound: Bool = true) {
            self.isStopped = isStopped
            self.isLinkSound = isLinkSound
        }
    }

    /// Judges what can be judged only once everything has come to rest.
    package mutating func judgeEnd(of world: World, _ expectation: Expectation = Expectation()) {}

    package mutating func took(_ input: Input, _ performed: ArraySlice<Effect>, core: Core, at now: Duration) {}

    package mutating func did(_ action: BodyAction, camera: Int, at now: Duration) {}

    package mutating func died(ledger: VirtualLedger.Tables, isPowerCut: Bool, at now: Duration) {}

    mutating func note(_ name: Invariant, at now: Duration, _ sentence: @autoclosure () -> String) {
        guard violations.count < Self.violationsMax else { return }
        violations.append(Violation(name, at: now, sentence()))
    }
}
