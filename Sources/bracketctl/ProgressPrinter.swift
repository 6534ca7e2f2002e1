import ArgumentParser

/// Options for following a shoot.
struct ProgressOptions: ParsableArguments {
    @Flag(help: "Show the states of the shooting chart instead of the steps.")
    var states = false

    @OptionGroup var wait: WaitOption
}

/// Prints a shoot's progress: each answer, and on a terminal the remaining time in between.
actor ProgressPrinter {
    private let environment: Environment
    private var text: ProgressText

    /// Often enough to count seconds down.
    private static let redrawPause = Duration.milliseconds(200)

    init(_ environment: Environment, _ text: ProgressText) {
        self.environment = environment
        self.text = text
    }

    func show(_ progress: ShootProgress) throws(OutputClosed) {
        fitScreen()
        try environment.output.raw(text.show(progress, at: environment.now()))
    }

    /// Redraws the line after each change, until it is cancelled.
    func redrawUntilCancelled() async throws {
        while true {
            try await Task.sleep(for: ProgressPrinter.redrawPause)
            fitScreen()
            if let line = text.redraw(at: environment.now()) { try environment.output.raw(line) }
        }
    }

    /// A terminal's size may change at any time.
    private func fitScreen() {
        text.style = environment.screen.map { .bar(columns: $0().columns) } ?? .lines
    }
}
