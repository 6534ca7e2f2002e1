import ArgumentParser

/// The options of commands that follow a shoot.
struct ProgressOptions: ParsableArguments {
    @Flag(help: "Show the states of the shooting chart instead of the steps.")
    var states = false

    @OptionGroup var wait: WaitOption
}

/// Prints each answer about the progress of a shoot. Between two answers it updates the remaining time on a terminal.
actor ProgressPrinter {
    private let environment: Environment
    private var text: ProgressText

    /// The pause between two redraws. It is short enough to show every second of a countdown.
    private static let redrawPause = Duration.milliseconds(200)

    init(_ environment: Environment, _ text: ProgressText) {
        self.environment = environment
        self.text = text
    }

    func show(_ progress: ShootProgress) throws(OutputClosed) {
        fitScreen()
        try environment.output.raw(text.show(progress, at: environment.now()))
    }

    /// Redraws the line after each pause until the task is cancelled.
    func redrawUntilCancelled() async throws {
        while true {
            try await Task.sleep(for: ProgressPrinter.redrawPause)
            fitScreen()
            if let line = text.redraw(at: environment.now()) { try environment.output.raw(line) }
        }
    }

    /// Reads the size of the terminal again, because the size can change at any time.
    private func fitScreen() {
        text.style = environment.screen.map { .bar(columns: $0().columns) } ?? .lines
    }
}
