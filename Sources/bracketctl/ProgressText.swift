/// A shoot's progress as text. Turns each answer into what is to be written next.
struct ProgressText {
    enum Style: Equatable {
        /// A bar that is drawn again in place, on a terminal of this width.
        case bar(columns: Int)
        /// A line per step.
        case lines
    }

    private let style: Style
    private let retryCommand: String
    private var lastSentence: String?

    /// - Parameter retryCommand: what to type for the frames that a partial shoot lacks.
    init(style: Style, retryCommand: String) {
        self.style = style
        self.retryCommand = retryCommand
    }

    /// What to write for an answer. After the last one the last line is the daemon's sentence, and nothing else.
    mutating func show(_ progress: ShootProgress) -> String {
        guard progress.outcome == nil else { return lineStart + ending(progress) }
        switch style {
        case .lines: return ProgressText.step(progress) + remark(progress) + "\n"
        case .bar(let columns): return lineStart + news(progress) + ProgressText.bar(progress, columns: columns)
        }
    }

    /// Back to the start of the bar's line, which is empty then.
    private var lineStart: String { style == .lines ? "" : "\r\u{1B}[K" }

    private func ending(_ progress: ShootProgress) -> String {
        var lines: [String] = []
        if let cause = progress.cause { lines.append("Why: \(cause)") }
        if progress.exitStatus != .allDone { lines.append("For the frames that are missing: \(retryCommand)") }
        return Output.printable((lines + [progress.sentence]).joined(separator: "\n")) + "\n"
    }

    /// `7/15  set 2, frame 3  1/15  capturing`
    private static func step(_ progress: ShootProgress) -> String {
        var parts = ["\(progress.captured)/\(progress.total)"]
        if let set = progress.set, let frame = progress.frame { parts.append("set \(set), frame \(frame)") }
        if let speed = progress.speed { parts.append(speed) }
        parts.append(progress.phase)
        return Output.printable(parts.joined(separator: "  "))
    }

    /// The phases that every frame passes through; a sentence for each would say nothing new.
    private static let usualPhases: Set = [
        "betweenFrames", "settingSpeed", "confirmingSpeed", "capturing", "waitingForIdle",
    ]

    private func remark(_ progress: ShootProgress) -> String {
        ProgressText.usualPhases.contains(progress.phase) ? "" : "  " + Output.printable(progress.sentence)
    }

    /// What is out of the ordinary stays on the terminal above the bar, once.
    private mutating func news(_ progress: ShootProgress) -> String {
        let isUsual = ProgressText.usualPhases.contains(progress.phase)
        defer { lastSentence = isUsual ? nil : progress.sentence }
        return isUsual || lastSentence == progress.sentence ? "" : Output.printable(progress.sentence) + "\n"
    }

    /// `[########--------]  7/15  set 2, frame 3  1/15  capturing`, no wider than the terminal.
    private static func bar(_ progress: ShootProgress, columns: Int) -> String {
        let text = step(progress)
        let width = min(barWidthMax, columns - text.count - 5)
        guard width >= barWidthMin else { return String(text.prefix(max(0, columns - 1))) }
        let share = progress.total > 0 ? min(1, max(0, Double(progress.captured) / Double(progress.total))) : 1
        let filled = Int(Double(width) * share)
        return "[\(String(repeating: "#", count: filled))\(String(repeating: "-", count: width - filled))]  \(text)"
    }

    private static let barWidthMax = 30
    private static let barWidthMin = 5
}
