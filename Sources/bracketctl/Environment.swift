import Exposure
import Foundation
import ProgramOutput

/// What surrounds a command: where it writes, whom it asks, what the process was given.
struct Environment: Sendable {
    /// Standard output.
    let output: Output
    /// Standard error.
    let errors: Output
    /// `BRACKETD_SOCKET`.
    let socketPath: String?
    /// Asks a question and returns the answer; nil when there is no terminal to ask on. The answer is nil at its end.
    let ask: (@Sendable (String) -> String?)?
    /// Whether an interrupt (Ctrl-C) is answered, during a shoot with words.
    let answersInterrupts: Bool
    /// The time of day here and now, as `14:03:07.412`.
    let timeOfDay: @Sendable () -> String
    /// How large the terminal that standard output is is now; nil when it is none that can be drawn on.
    var screen: (@Sendable () -> Screen)?
    /// A time as the calendar here has it.
    var calendar: @Sendable (time_t) -> tm = localCalendar
    /// Whether colours may be used on standard output.
    var hasColor = false
    /// The time on a clock that is never set.
    var now: @Sendable () -> Duration = { ContinuousClock.Instant.now - Environment.start }

    /// The width of the terminal, or what is usual where there is none that can be drawn on.
    var columns: Int { screen?().columns ?? PlanText.columnsUsual }

    private static let start = ContinuousClock.Instant.now

    /// The size of a terminal.
    struct Screen: Sendable {
        var columns: Int
        var rows: Int
    }

    /// The environment of this process.
    static let process = Environment(
        output: .stream(.output),
        errors: .stream(.errors),
        socketPath: ProcessInfo.processInfo.environment["BRACKETD_SOCKET"],
        ask: isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 ? askOnTerminal : nil,
        answersInterrupts: true,
        timeOfDay: wallClock,
        screen: isatty(STDOUT_FILENO) == 1 && canDraw(variables) ? screenOfOutput : nil,
        hasColor: isatty(STDOUT_FILENO) == 1 && wantsColor(variables)
    )

    private static var variables: [String: String] { ProcessInfo.processInfo.environment }

    /// Whether the terminal knows escape sequences.
    static func canDraw(_ variables: [String: String]) -> Bool { variables["TERM"] != "dumb" }

    /// Whether a terminal gets colours: not when `NO_COLOR` is set to anything (no-color.org).
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
        var time = tm()
        guard clock_gettime(CLOCK_REALTIME, &now) == 0, localtime_r(&now.tv_sec, &time) != nil else { return "" }
        let parts = [Int(time.tm_hour), Int(time.tm_min), Int(time.tm_sec)].map { digits($0, 2) }
        return parts.joined(separator: ":") + "." + digits(now.tv_nsec / 1_000_000, 3)
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    /// The question goes to standard error, so that it is seen while standard output is read by a program.
    @Sendable private static func askOnTerminal(_ question: String) -> String? {
        try? StandardStream.errors.write(question)
        return readLine()
    }

    @Sendable private static func screenOfOutput() -> Screen { size(of: STDOUT_FILENO) }

    /// A terminal that does not tell is as large as they usually were.
    private static func size(of terminal: Int32) -> Screen {
        var size = winsize()
        let isKnown = ioctl(terminal, UInt(TIOCGWINSZ), &size) == 0
        return Screen(
            columns: isKnown && size.ws_col > 0 ? Int(size.ws_col) : 80,
            rows: isKnown && size.ws_row > 0 ? Int(size.ws_row) : 24
        )
    }
}

extension Environment {
    /// Asks the user; nil: there is no terminal to ask on.
    func consents(to question: String) -> Bool? {
        ask.map { ["y", "yes"].contains($0(question)?.lowercased().split(separator: " ").joined()) }
    }
}
