import CLinux  // The type `tm` comes from CLinux or Glibc; the compiler decides which.
import Exposure
import Glibc
import ProgramOutput

/// The environment of a command: its output, its questions to the user, and the environment variables.
struct Environment: Sendable {
    let output: Output
    let errors: Output
    let socketPath: String?
    /// Asks the user a question; nil: no terminal. Returns nil at the end of the input.
    let ask: (@Sendable (String) -> String?)?
    /// Whether a command handles an interrupt (Ctrl-C). During a shoot it prints a sentence first.
    let answersInterrupts: Bool
    /// Returns the local time of day, such as `14:03:07.412`.
    let timeOfDay: @Sendable () -> String
    /// Returns the current size of the terminal at standard output; nil: the output cannot be redrawn.
    var screen: (@Sendable () -> Screen)?
    var calendar: @Sendable (time_t) -> tm = localCalendar
    var hasColor = false
    var now: @Sendable () -> Duration = { ContinuousClock.Instant.now - Environment.start }

    /// The width of the terminal, or the default width if there is no terminal.
    var columns: Int { screen?().columns ?? PlanText.columnsUsual }

    private static let start = ContinuousClock.Instant.now

    struct Screen: Sendable {
        var columns: Int
        var rows: Int
    }

    static let process = Environment(
        output: .stream(.output),
        errors: .stream(.errors),
        socketPath: variables["BRACKETD_SOCKET"],
        ask: isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 ? askOnTerminal : nil,
        answersInterrupts: true,
        timeOfDay: wallClock,
        screen: isatty(STDOUT_FILENO) == 1 && canDraw(variables) ? screenOfOutput : nil,
        hasColor: isatty(STDOUT_FILENO) == 1 && wantsColor(variables)
    )

    /// The environment variables that change how bracketctl behaves.
    private static var variables: [String: String] {
        var variables: [String: String] = [:]
        for name in ["BRACKETD_SOCKET", "NO_COLOR", "TERM"] {
            variables[name] = getenv(name).map { String(cString: $0) }
        }
        return variables
    }

    /// Whether the terminal supports escape sequences.
    static func canDraw(_ variables: [String: String]) -> Bool { variables["TERM"] != "dumb" }

    /// Whether output to a terminal has colours. It has none if `NO_COLOR` has any value (no-color.org).
    static func wantsColor(_ variables: [String: String]) -> Bool {
        canDraw(variables) && variables["NO_COLOR"]?.isEmpty != false
    }

    @Sendable private static func localCalendar(_ time: time_t) -> tm {
        var (time, calendar) = (time, tm())
        localtime_r(&time, &calendar)
        return calendar
    }

    @Sendable private static func wallClock() -> String {
        var now = timespec()
        guard clock_gettime(CLOCK_REALTIME, &now) == 0 else { return "" }
        return HistoryTime(seconds: now.tv_sec, milliseconds: now.tv_nsec / 1_000_000).time(localCalendar(now.tv_sec))
    }

    /// Asks on standard error, so that the question is visible when a program reads standard output.
    @Sendable private static func askOnTerminal(_ question: String) -> String? {
        try? StandardStream.errors.write(question)
        return readLine()
    }

    /// The size of the terminal at standard output. A terminal without a known size gets 24 rows of 80 columns.
    @Sendable private static func screenOfOutput() -> Screen {
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
        return Screen(
            columns: isKnown && size.ws_col > 0 ? Int(size.ws_col) : 80,
            rows: isKnown && size.ws_row > 0 ? Int(size.ws_row) : 24
        )
    }
}

extension Environment {
    /// Asks the user a yes-or-no question. Returns nil without a terminal.
    func consents(to question: String) -> Bool? {
        ask.map { ["y", "yes"].contains($0("\n\(question) [y/N] ")?.lowercased().split(separator: " ").joined()) }
    }
}
