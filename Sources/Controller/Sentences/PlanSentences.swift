import Cameras
import Exposure

/// What the replies report of plans.
enum PlanSentences {
    /// - Parameter limit: the number of plans that are kept.
    static func unknown(_ hash: String, limit: Int) -> String {
        "Plan \(Quoted.text(hash)) is not among the last \(limit) plans since the daemon started. "
            + "Request it again with bracketctl plan."
    }

    /// - Parameter shown: the plan that was shown with this hash; nil: it is not known any more.
    static func changed(_ hash: String, to identity: PlanIdentity, from shown: PlanIdentity?) -> String {
        let change = shown.map { ": \(identity.changeSentence(from: $0))" } ?? ""
        return "The plan is now \(identity.hash), not \(Quoted.text(hash))\(change). Nothing was fired."
    }

    static func changedByCamera(_ changes: [String]) -> String {
        "The camera would change the plan, and the plan is strict: \(changes.joined(separator: "; "))"
    }

    /// The estimate for a camera that may reduce noise.
    static func basis(_ estimate: Estimate) -> String {
        "\(estimate.basis); up to \(TimeText.text(estimate.longest)) with long-exposure noise reduction"
    }
}

extension PlanIdentity {
    /// The change of a plan that was checked before with another list of speeds, or on another body.
    package func changeSentence(from before: PlanIdentity) -> String {
        if camera.id != before.camera.id {
            return "it was made for \(before.camera.name) (\(before.camera.id)), but \(camera.name) (\(camera.id)) is "
                + "connected"
        }
        if frames.count != before.frames.count {
            return "it had \(before.frames.count) exposures, and now has \(frames.count)"
        }
        if let (old, new) = zip(before.frames, frames).first(where: { $0 != $1 }) {
            return "\(old.position) was \(old.speed.label), and now is \(new.speed.label)"
        }
        return "the camera offered \(Self.list(before.speeds)), and now offers \(Self.list(speeds))"
    }

    private static func list(_ speeds: [ShutterSpeed]) -> String {
        guard let first = speeds.first, let last = speeds.last else { return "no speeds" }
        return "\(speeds.count) speeds from \(first.label) to \(last.label)"
    }
}
