import Exposure
import Interface

/// The progress of a shoot as text. It converts each answer to the next output.
struct ProgressText {
    enum Style: Equatable {
        /// One line on a terminal of this width. It is redrawn in place.
        case bar(columns: Int)
        /// One line for each step.
        case lines
    }

    /// The style of the output. It can change with the size of the terminal.
    var style: Style
    private let retryCommand: String
    /// Whether the text of a step is the chart's name of its state.
    private let showsStates: Bool
    /// The latest answer and its arrival time; nil before the first answer and after the end of the shoot.
    private var last: (progress: ShootProgress, at: Duration)?
    private var lastRemark: String?
    private var lastLine: String?

    /// - Parameters:
    ///   - retryCommand: The command that fires the missing frames of a partial shoot.
    ///   - showsStates: Whether the text of a step is the chart's name of its state.
    init(style: Style, retryCommand: String, showsStates: Bool = false) {
        self.style = style
        self.retryCommand = retryCommand
        self.showsStates = showsStates
    }

    /// The output for an answer; empty if nothing changed. The last line of a shoot is only the daemon's sentence.
    ///
    /// - Parameter now: The arrival time of the answer on a monotonic clock.
    mutating func show(_ progress: ShootProgress, at now: Duration = .zero) -> String {
        guard progress.outcome == nil else {
            last = nil
            return lineStart + ending(progress)
        }
        last = (progress, now)
        let remark = remark(progress)
        defer { lastRemark = remark }
        switch style {
        case .lines: return line(progress, remark)
        case .bar(let columns):
            let news = remark.flatMap { $0 == lastRemark ? nil : $0 + "\n" } ?? ""
            let drawing = drawing(progress, after: .zero, columns: columns)
            lastLine = drawing
            return lineStart + news + drawing
        }
    }

    /// The output after some time without an answer; nil: the line has not changed.
    mutating func redraw(at now: Duration) -> String? {
        guard case .bar(let columns) = style, let last else { return nil }
        let drawing = drawing(last.progress, after: now - last.at, columns: columns)
        guard drawing != lastLine else { return nil }
        lastLine = drawing
        return lineStart + drawing
    }

    /// The escape sequence that moves to the start of the drawn line and clears the line.
    private var lineStart: String { style == .lines ? "" : "\r\u{1B}[K" }

    private func ending(_ progress: ShootProgress) -> String {
        var lines: [String] = []
        if let settings = progress.settings { lines.append(settings) }
        lines += progress.rangeSentences
        if let cause = progress.cause { lines.append(ShootReportSentences.cause(cause)) }
        // The daemon's sentence about an interrupted shoot already includes the retry command.
        if progress.exitStatus != .allDone, progress.outcome != "interrupted" {
            lines.append(ShootReportSentences.missingFramesAdvice(retry: retryCommand))
        }
        return Output.printable((lines + [progress.sentence]).joined(separator: "\n")) + "\n"
    }

    /// The daemon's sentence for an unusual step; nil for other steps.
    private func remark(_ progress: ShootProgress) -> String? {
        progress.step.kind == .usual ? nil : Output.printable(progress.sentence)
    }

    // MARK: Lines

    /// One line: `7/15  set 2, frame 3  exposing 1/15  25 s left`. Consecutive states with the same text give only one
    /// line.
    private mutating func line(_ progress: ShootProgress, _ remark: String?) -> String {
        let parts = Parts(progress, after: .zero, showsStates: showsStates)
        let line = [parts.count, parts.place, parts.step].compactMap(\.self).joined(separator: "  ")
        let text = [line, remark].compactMap(\.self).joined(separator: "  ")
        guard text != lastLine else { return "" }
        lastLine = text
        return [line, parts.left, remark].compactMap(\.self).joined(separator: "  ") + "\n"
    }

    // MARK: The progress line

    /// The line `[########--------]  7/15  set 2, frame 3  exposing 30", 12 s  1 min 5 s left`. It is narrower than the
    /// terminal, because many terminals wrap after the last column. A line that is too long loses its least important
    /// part first. A narrow terminal never shows such parts, so that the form of the line is stable.
    private func drawing(_ progress: ShootProgress, after elapsed: Duration, columns: Int) -> String {
        let parts = Parts(progress, after: elapsed, showsStates: showsStates)
        let room = max(0, columns - 1)
        let isNarrow = columns < ProgressText.columnsUsual
        let texts = [
            [parts.count, isNarrow ? nil : parts.place, parts.step, parts.left], [parts.count, parts.step, parts.left],
            [parts.count, parts.step, parts.minutesLeft], [parts.count, parts.step],
        ].map { $0.compactMap(\.self).joined(separator: "  ") }
        guard let text = texts.first(where: { $0.count <= room }) else { return String(parts.step.prefix(room)) }
        let width = min(ProgressText.barWidthMax, room - text.count - 4)
        return isNarrow || width < ProgressText.barWidthMin
            ? text : "[\(ProgressText.bar(progress, width: width))]  \(text)"
    }

    private static func bar(_ progress: ShootProgress, width: Int) -> String {
        let share = progress.total > 0 ? min(1, max(0, Double(progress.captured) / Double(progress.total))) : 1
        let filled = Int(Double(width) * share)
        return String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
    }

    /// The minimum width of a terminal, in columns, for every part of the line.
    private static let columnsUsual = 60
    private static let barWidthMax = 30
    private static let barWidthMin = 5

    private struct Parts {
        /// The number of captured frames and of all frames: `7/15`.
        let count: String
        /// The set and the frame: `set 2, frame 3`.
        let place: String?
        /// The step with the remaining time of the exposure: `exposing 30", 12 s`.
        let step: String
        /// The remaining time of the shoot: `1 min 5 s left`; nil while the shoot waits.
        let left: String?
        /// The remaining time in whole minutes if it is one minute or more: `2 min left`.
        let minutesLeft: String?

        init(_ progress: ShootProgress, after elapsed: Duration, showsStates: Bool) {
            count = "\(progress.captured)/\(progress.total)"
            place = progress.set.flatMap { set in
                progress.frame.map { ShootReportSentences.place(set: set, frame: $0) }
            }
            let words =
                showsStates
                ? [progress.speed, progress.phase].compactMap(\.self).joined(separator: "  ")
                : progress.step.text(speed: progress.speed)
            let open = progress.exposureLeft.map { $0 - elapsed }.flatMap { Parts.text($0, in: 1) }
            step = Output.printable([words, open].compactMap(\.self).joined(separator: ", "))
            let time = progress.step.kind == .waiting ? nil : progress.timeLeft.map { $0 - elapsed }
            left = time.flatMap { Parts.text($0, in: 1) }.map(ShootReportSentences.timeLeft)
            minutesLeft = time.flatMap { Parts.text($0, in: $0 > .seconds(60) ? 60 : 1) }
                .map(ShootReportSentences.timeLeft)
        }

        /// The time rounded up to a multiple of `unit` seconds; nil: no time is left.
        private static func text(_ time: Duration, in unit: Int64) -> String? {
            guard time > .zero else { return nil }
            let (whole, attoseconds) = time.components
            let seconds = attoseconds > 0 ? whole + 1 : whole
            return TimeText.text(.seconds((seconds + unit - 1) / unit * unit))
        }
    }
}
