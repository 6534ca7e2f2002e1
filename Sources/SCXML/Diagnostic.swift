/// A position in a chart's file. Lines and columns start at 1. Columns count bytes, as in Swift and Clang.
public struct SourcePosition: Sendable, Hashable, Comparable {
    /// The number of the line, counted from 1.
    public var line: Int
    /// The number of the byte in the line, counted from 1.
    public var column: Int

    /// Whether the left position is earlier in the file.
    public static func < (left: Self, right: Self) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// An error or a warning about a chart.
public struct Diagnostic: Sendable, Hashable {
    /// The severity of a diagnostic.
    public enum Severity: String, Sendable {
        case error
        /// A warning. The compiler refuses the chart, unless the element has `bd:allow` and a reason.
        case warning
    }

    /// The position of the start tag of the element with the error or warning.
    public var position: SourcePosition
    /// The severity.
    public var severity: Severity
    /// The code: E001 to E016 or W101 to W115. W100 is a note about an ignored part.
    public var code: String
    /// The description of the error. For a chart of the dialect it also says how to correct it.
    public var message: String

    /// `FILE:LINE:COLUMN: error: E007 …`, the format of build systems and editors.
    public func line(file: String) -> String {
        "\(file):\(position.line):\(position.column): \(severity.rawValue): \(code) \(message)"
    }

    /// One JSON object on one line. The keys have a fixed order.
    public func json(file: String) -> String {
        "{\"file\":\(JSONText.quoted(file)),\"line\":\(position.line),\"column\":\(position.column),"
            + "\"severity\":\"\(severity.rawValue)\",\"code\":\"\(code)\",\"message\":\(JSONText.quoted(message))}"
    }
}

struct DiagnosticBag {
    private(set) var all: [Diagnostic] = []
    private var known: Set<Diagnostic> = []
    private(set) var hasErrors = false
    /// The maximum number of diagnostics. Without this limit, a file that breaks the rules could cause any number.
    private let countMax: Int

    init(countMax: Int = .max) {
        self.countMax = countMax
    }

    var isFull: Bool { all.count >= countMax }

    mutating func error(_ code: String, _ place: some Positioned, _ message: String) {
        add(Diagnostic(position: place.position, severity: .error, code: code, message: message))
    }

    mutating func warning(_ code: String, _ place: some WarningTarget, _ message: String) {
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

/// A part of a chart's file that an error can refer to.
protocol Positioned {
    var position: SourcePosition { get }
}

extension SourcePosition: Positioned {
    var position: SourcePosition { self }
}

/// An element that a warning can refer to, with the codes of the warnings that it allows.
protocol WarningTarget: Positioned {
    var allowed: Set<String> { get }
}
