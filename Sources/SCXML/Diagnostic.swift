/// A place in a chart's file. Both numbers count from 1; columns count bytes, as Swift's and Clang's do.
public struct SourcePosition: Sendable, Hashable, Comparable {
    /// The line.
    public var line: Int
    /// The byte in the line.
    public var column: Int

    /// A place.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Whether one stands before the other.
    public static func < (left: Self, right: Self) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// Something wrong with a chart, or suspicious about it.
public struct Diagnostic: Sendable, Hashable {
    /// Whether it can be allowed.
    public enum Severity: String, Sendable {
        /// The chart is refused.
        case error
        /// The chart is refused unless the element says `bd:allow` and why.
        case warning
    }

    /// Where: the start tag of the element to blame.
    public var position: SourcePosition
    /// How bad.
    public var severity: Severity
    /// E001 to E016, W101 to W115; W100 is a note that something is ignored.
    public var code: String
    /// What is wrong and, of a chart of the dialect, what to do.
    public var message: String

    /// `FILE:LINE:COLUMN: error: E007 …`, which build systems and editors understand.
    public func line(file: String) -> String {
        "\(file):\(position.line):\(position.column): \(severity.rawValue): \(code) \(message)"
    }

    /// One JSON object in one line, with its keys always in this order.
    public func json(file: String) -> String {
        "{\"file\":\(JSONText.quoted(file)),\"line\":\(position.line),\"column\":\(position.column),"
            + "\"severity\":\"\(severity.rawValue)\",\"code\":\"\(code)\",\"message\":\(JSONText.quoted(message))}"
    }
}

/// Collects what is found, from whoever looks.
struct DiagnosticBag {
    private(set) var all: [Diagnostic] = []
    private var known: Set<Diagnostic> = []
    private(set) var hasErrors = false
    /// How many are kept. A chart of the dialect is small; elsewhere a file can be wrong as often as it is long.
    private let countMax: Int

    init(countMax: Int = .max) {
        self.countMax = countMax
    }

    var isFull: Bool { all.count >= countMax }

    mutating func error(_ code: String, _ position: SourcePosition, _ message: String) {
        add(Diagnostic(position: position, severity: .error, code: code, message: message))
    }

    mutating func warning(_ code: String, _ place: some Blamable, _ message: String) {
        if place.allowed.contains(code) { return }
        add(Diagnostic(position: place.position, severity: .warning, code: code, message: message))
    }

    var sorted: [Diagnostic] {
        all.sorted { ($0.position, $0.code, $0.message) < ($1.position, $1.code, $1.message) }
    }

    private mutating func add(_ diagnostic: Diagnostic) {
        guard !isFull, known.insert(diagnostic).inserted else { return }
        all.append(diagnostic)
        if diagnostic.severity == .error { hasErrors = true }
    }
}

/// What a warning can point at: it has a place, and a list of warnings that are wanted there.
protocol Blamable {
    var position: SourcePosition { get }
    var allowed: Set<String> { get }
}
