/// The sentences of `plan`, `shoot` and `arm` about a plan.
enum PlanSentences {
    // MARK: What the plan is based on

    static func checked(against camera: String) -> String { "Checked against \(camera.withFullStop)" }

    static func unchecked(because reason: String) -> String {
        "Not checked against a camera: \(reason.withFullStop)"
    }

    static func uncheckedWithoutDaemon(_ path: String) -> String {
        "Not checked against a camera: no daemon answers at \(path)."
    }

    /// - Parameter basis: The basis of the estimate; empty: unknown.
    static func estimate(_ time: String, basis: String) -> String {
        basis.isEmpty ? "About \(time)." : "About \(time): \(basis)".withFullStop
    }

    // MARK: Remarks

    static func note(_ sentence: String) -> String { "Note: \(sentence.withFullStop)" }
    static func warning(_ sentence: String) -> String { "Warning: \(sentence.withFullStop)" }

    // MARK: The hash

    /// - Parameter command: The command that fires the plan with this hash.
    static func firesExactly(_ hash: String, on camera: String, command: String) -> String {
        "Plan \(hash) on \(camera): \(command) fires exactly this plan."
    }

    static func firesWithOtherSpeeds(_ hash: String, on camera: String, command: String) -> String {
        "Plan \(hash) on \(camera), which does not have all speeds: \(command) fires it as shown here."
    }

    // MARK: Options that are not valid

    static func invalidFrames(_ text: Substring) -> String {
        "'\(text)' is not a valid number of frames. Choose 3, 5, 7 or 9."
    }

    static func invalidSharing(_ text: Substring) -> String { "'\(text)' is not valid. Choose once or twice." }

    static func notAnOption(_ text: String) -> String { "\(text) is not an option of a plan" }

    static func invalidOption(_ option: String, _ sentence: String) -> String { "\(option): \(sentence)" }

    static func invalidLine(_ line: Int, of path: String, _ sentence: String) -> String {
        "\(path), line \(line): \(sentence)"
    }
}
