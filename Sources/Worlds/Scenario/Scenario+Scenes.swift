import Bodies
import Cameras
import Controller
import Exposure

// Worlds whose body sees a scene with known light, and whose shoots find their own range. They are a twelfth of the
// worlds with transfer.

extension Scenario {
    /// A separate random stream for scenes. With this salt, the worlds in mutants and tests of other rules have none.
    private static let sceneSalt: UInt64 = 0x29A9_B629

    /// The scene of a seed's world, and the plan of its shoots; nil: the world has none. It has none if clients change
    /// the ISO, because no range can be found with ISO AUTO.
    static func scene(
        of seed: UInt64,
        _ kinds: Set<FaultKind>,
        _ policy: TransferPolicy
    ) -> (eye: SceneEye, plan: PlanInput)? {
        var chance = SeededGenerator(seed: seed ^ sceneSalt)
        guard chance.chance(oneIn: 12), policy != .none, !kinds.contains(.watching) else { return nil }
        let scene = Scene.drawn(from: &chance)
        let goal = GoalInput(framesMax: chance.next(in: 6...12))
        return (SceneEye(scene), PlanInput(spacing: chance.pick(from: [1.5, 2]), goal: goal))
    }

    /// The scene that decides whether a range is right; nil: there is none, or a dial changes the exposure.
    package var judgedScene: SceneEye? { kinds.isDisjoint(with: [.dials, .mode]) ? options.scene : nil }
}
