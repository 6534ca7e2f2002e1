import Cameras
import Exposure

/// A plan on one body, with a short hash. The user can request the same plan again with the hash.
package struct PlanIdentity: Equatable, Sendable {
    package let frames: [PlannedFrame]
    package let camera: CameraIdentity
    /// The speeds of the body when the plan was checked.
    package let speeds: [ShutterSpeed]
    /// The plan hash. It depends only on the frames, the body and its list of speeds, and never on machine or version.
    package let hash: String

    package init(_ plan: Plan, on camera: CameraIdentity, offering speeds: [ShutterSpeed]) {
        frames = plan.frames
        self.camera = camera
        self.speeds = speeds
        hash = Self.hash(plan, camera.id, speeds)
    }

    /// The characters of a hash. Letters that resemble digits or other letters are left out.
    private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")
    private static let digitCount = 10
    private static let bits = UInt64(digitCount * 5)

    private static func hash(_ plan: Plan, _ camera: String, _ speeds: [ShutterSpeed]) -> String {
        var fired = plan.frames.map { "\($0.position.set).\($0.position.frame) \($0.speed.label)" }
        if let goal = plan.request.goal {
            fired.append("then up to \(goal.framesMax), \(goal.clipHundredths), \(goal.floorCode)")
            if goal.checksLight { fired.append("then the first") }
            fired.append("by \(plan.request.spacing.label)")
        }
        let text =
            "plan 1\n\(fired.joined(separator: "\n"))\non \(camera)\nof \(speeds.map(\.label).joined(separator: " "))"
        // FNV-1a with 64 bits, folded. An attacker gains nothing from a collision, so this simple hash is enough.
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        sum ^= sum >> bits
        let characters = (0..<digitCount).map { digits[Int(sum >> (UInt64($0) * 5) & 31)] }
        return String(characters)
    }
}

/// The plans that clients received most recently, by their hashes.
struct RecentPlans: Sendable {
    private(set) var entries: [(input: PlanInput, identity: PlanIdentity)] = []

    static let entriesMax = 32

    subscript(_ hash: String) -> (input: PlanInput, identity: PlanIdentity)? {
        entries.last { $0.identity.hash == hash }
    }

    mutating func remember(_ input: PlanInput, _ identity: PlanIdentity) {
        var input = input
        input.hash = nil
        entries.removeAll { $0.identity.hash == identity.hash }
        entries.append((input, identity))
        if entries.count > Self.entriesMax { entries.removeFirst() }
    }
}
