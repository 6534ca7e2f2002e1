import Cameras
import Exposure

/// The texts of the replies about plans.
enum PlanSentences {
    /// - Parameter limit: the number of plans that the daemon remembers.
    static func unknown(_ hash: String, limit: Int) -> String {
        "Plan \(Quoted.text(hash)) is not among the last \(limit) plans since the daemon started. "
            + "Request it again with bracketctl plan."
    }

    /// - Parameter shown: the plan that was shown with this hash; nil: the daemon no longer remembers it.
    static func changed(_ hash: String, to identity: PlanIdentity, from shown: PlanIdentity?) -> String {
        let change = shown.map { ": \(identity.changeSentence(from: $0))" } ?? ""
        return "The plan's hash is now \(identity.hash), not \(Quoted.text(hash))\(change). Nothing was fired."
    }

    static func goalOutOfRange(_ parameter: String, _ least: Int, _ most: Int) -> String {
        "\(parameter): write a number from \(least) to \(most)."
    }

    static func changedByCamera(_ changes: [String]) -> String {
        "The camera would change the plan, and the plan is strict: \(changes.joined(separator: "; "))"
    }

    /// The basis of the estimate for a camera that may take dark frames.
    static func basis(_ estimate: Estimate) -> String {
        "\(estimate.basis); up to \(TimeText.text(estimate.longest)) with long-exposure noise reduction"
    }
}

extension PlanIdentity {
    /// The clause that says how a plan has changed because the body or its list of speeds is another.
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
