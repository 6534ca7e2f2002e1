import Interface
import Varlink

/// Shows a chart now and after every change.
struct ChartWatch {
    let view: ChartView
    let environment: Environment

    /// Watches the chart until the daemon ends or the reader closes the output.
    ///
    /// The watch begins before the states are read, so that no later transition is missed. But a transition can arrive
    /// that the states already include, or a transition can be lost. In both cases a transition does not start from the
    /// active states, and the states are read again.
    func run(_ connection: Connection) async throws -> Never {
        let daemon = try await Daemon(connection)
        let asking = try await daemon.another()
        var progress = Progress()
        if environment.answersInterrupts, screen != nil { InterruptNotice.resetTerminal() }
        try await daemon.watch(Bracketd.Watch()) {
            progress.marks = try await marks(asking)
            try begin(&progress)
        } each: { reply in
            let transition = reply.transition
            guard transition.chart == view.chart.name, var marks = progress.marks else { return }
            if !marks.follow(transition) { marks = try await self.marks(asking) }
            let line = WatchCommand.text(transition, at: environment.timeOfDay())
            try show(marks, after: line, &progress)
        }
    }

    private struct Progress {
        var marks: ChartMarks?
        var toldSentences: Set<String> = []
    }

    private func marks(_ daemon: Daemon) async throws -> ChartMarks {
        ChartMarks(view.chart, try await daemon.call(Bracketd.GetStatus()).status)
    }

    /// The terminal on which the chart is redrawn; nil: each change is printed below the previous one.
    private var screen: Environment.Screen? {
        guard case .text = view.format else { return nil }
        return environment.screen?()
    }

    private func begin(_ progress: inout Progress) throws {
        guard let marks = progress.marks else { return }
        if let screen { return try draw(marks, on: screen, lastLine: nil) }
        try report(marks, &progress)
        try view.show(marks)
    }

    private func show(_ marks: ChartMarks, after line: String, _ progress: inout Progress) throws {
        let isChange = marks.active != progress.marks?.active
        progress.marks = marks
        if let screen { return try draw(marks, on: screen, lastLine: line) }
        try report(marks, &progress)
        if view.format != .json { try environment.output.line(line) }
        if case .text = view.format { return }
        if isChange { try view.show(marks) }
    }

    /// Reports new remarks on standard error.
    private func report(_ marks: ChartMarks, _ progress: inout Progress) throws {
        for sentence in marks.sentences where progress.toldSentences.insert(sentence).inserted {
            try environment.errors.line("bracketctl: \(sentence)")
        }
    }

    // MARK: - On a terminal

    /// Redraws the whole chart from the upper left corner. The cursor stays visible below the drawing.
    private func draw(_ marks: ChartMarks, on screen: Environment.Screen, lastLine: String?) throws {
        let below = (marks.sentences + [lastLine].compactMap(\.self)).map { sentence in
            String(Output.printable(sentence).prefix(max(1, screen.columns - 1)))
        }
        // The last row of the terminal is for the cursor.
        let rows = max(1, screen.rows - 1 - (below.isEmpty ? 0 : below.count + 1))
        let lines = fitting(marks.active, screen.columns, rows) + (below.isEmpty ? [] : [""] + below)
        let text = lines.map { $0 + "\u{1B}[K\n" }.joined()
        // Moves the cursor home, and clears the end of each line and the screen below. To clear the whole screen first
        // would cause flicker.
        try environment.output.raw("\u{1B}[H" + text + "\u{1B}[J")
    }

    /// The chart in at most `rows` rows: complete, or only its states, or only as many states as fit.
    private func fitting(_ active: Set<String>, _ columns: Int, _ rows: Int) -> [String] {
        guard case .text(let transitions) = view.format else { return [] }
        if transitions {
            let full = view.text(active, columns: columns, transitions: true)
            if full.count <= rows { return full }
        }
        let states = view.text(active, columns: columns, transitions: false)
        if states.count <= rows { return states }
        // If not all lines fit, the last lines are left out. If one of these is active (►), earlier lines are left out.
        let last = states.lastIndex { $0.contains("►") } ?? 0
        return Array(states.dropFirst(max(0, last + 1 - rows)).prefix(rows))
    }
}
