import Foundation
import Statecharts

/// A chart's file, read and checked.
public struct Chart: Sendable {
    /// What was found wrong, in the order of the file.
    public let diagnostics: [Diagnostic]
    /// The chart, if no error was found.
    public let document: ChartDocument?
    /// The chart as tables, if no error was found.
    public let lowered: LoweredChart?
    /// The SHA-256 of the file, in hexadecimal digits.
    public let digest: String

    /// Whether the chart is refused. Warnings do not refuse it here; `chartc` and `--strict` do.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// Reads a chart and checks it against the dialect.
    public init(reading data: Data) {
        var bag = DiagnosticBag()
        var found: ChartDocument?
        if let root = XMLTree.read(data, into: &bag) {
            let resolver = ChartResolver(ChartReader(root, bag))
            bag = resolver.bag
            if !bag.hasErrors { bag = ChartChecks(resolver.document, bag).bag }
            found = bag.hasErrors ? nil : resolver.document
        }
        diagnostics = bag.sorted
        document = found
        lowered = found.map { LoweredChart($0) }
        digest = SHA256.hexDigest(Array(data))
    }
}
