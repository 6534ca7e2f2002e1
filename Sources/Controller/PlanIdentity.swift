import Cameras
import Exposure

/// A plan on one body. After a user has seen it, a short text requests it again.
package struct PlanIdentity: Equatable, Sendable {
    package let frames: [PlannedFrame]
    package let camera: CameraIdentity
    /// The speeds of the body when the plan was checked.
    package let speeds: [ShutterSpeed]
    /// Equal for the same frames on the same body with the same list of speeds, on every machine and forever.
    package let hash: String

    package init(_ plan: Plan, on camera: CameraIdentity, offering speeds: [ShutterSpeed]) {
        frames = plan.frames
        self.camera = camera
        self.speeds = speeds
        hash = Self.hash(plan.frames, camera.id, speeds)
    }

    /// Without letters that resemble digits or each other.
    private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")
    private static let digitCount = 10
    private static let bits = UInt64(digitCount * 5)

    private static func hash(_ frames: [PlannedFrame], _ camera: String, _ speeds: [ShutterSpeed]) -> String {
        let fired = frames.map { "\($0.position.set).\($0.position.frame) \($0.speed.label)" }
        let text =
            "plan 1\n\(fired.joined(separator: "\n"))\non \(camera)\nof \(speeds.map(\.label).joined(separator: " "))"
        // FNV-1a with 64 bits, folded. A collision is no use to an attacker.
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        sum ^= sum >> bits
        let characters = (0..<digitCount).map { digits[Int(sum >> (UInt64($0) * 5) & 31)] }
        return String(characters)
    }
}

/// The plans that were shown last, by their hash.
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
