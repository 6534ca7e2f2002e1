import Foundation
import Statecharts

/// A chart's file, read and checked.
///
/// There are two ways to read it. The dialect is what is compiled: strict, checked for what is suspicious, its data in
/// Swift. The recommendation is what is run as it stands: W3C SCXML with its data models `null` and `ecmascript`, but
/// without scripts and other sessions.
public struct Chart: Sendable {
    /// By which rules a file is read.
    public enum Profile: Sendable {
        /// Those of charts that are compiled, with every check and limit.
        case dialect
        /// Those of W3C SCXML. What is not run is E004; nothing is merely suspicious.
        case recommendation
        /// Those of W3C SCXML, for a picture: what is not run is shown as what it is. Such a chart cannot be run.
        case picture
    }

    /// By which rules it was read.
    public let profile: Profile
    /// What was found wrong, in the order of the file.
    public let diagnostics: [Diagnostic]
    /// The chart, if no error was found.
    public let document: ChartDocument?
    /// The chart as tables, if it is one of the dialect and no error was found.
    public let lowered: LoweredChart?
    /// The SHA-256 of the file, in hexadecimal digits.
    public let digest: String

    /// Whether the chart is refused. Warnings do not refuse it here; `chartc` and `--strict` do.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// Whether the chart is refused for nothing but what is not supported.
    public var isMerelyUnsupported: Bool {
        let errors = diagnostics.filter { $0.severity == .error }
        return !errors.isEmpty && errors.allSatisfy { $0.code == "E004" }
    }

    /// The size of a chart's file, in bytes; a longer one is refused (E001).
    public static let sizeMax = XMLTree.bytesMax

    /// How many faults are told of a file that is read by the recommendation.
    private static let diagnosticsMax = 100

    /// Reads a chart by the rules of a profile.
    ///
    /// By the recommendation, what was ignored is in the document's `notes`, not among the diagnostics.
    public init(reading data: Data, as profile: Profile = .dialect) {
        self.profile = profile
        var bag = profile == .dialect ? DiagnosticBag() : DiagnosticBag(countMax: Self.diagnosticsMax)
        var found: ChartDocument?
        if let root = XMLTree.read(data, into: &bag) {
            let document: ChartDocument
            switch profile {
            case .dialect: (document, bag) = Self.readDialect(root, bag)
            case .recommendation, .picture: (document, bag) = Self.readRecommendation(root, bag, profile)
            }
            found = bag.hasErrors ? nil : document
        }
        diagnostics = bag.sorted
        document = found
        lowered = profile == .dialect ? found.map { LoweredChart($0) } : nil
        digest = SHA256.hexDigest(Array(data))
    }

    private static func readDialect(_ root: ChartElement, _ bag: DiagnosticBag) -> (ChartDocument, DiagnosticBag) {
        let reader = ChartReader(root, bag)
        let resolver = ChartResolver(reader.document, reader.bag, .dialect)
        guard !resolver.bag.hasErrors else { return (resolver.document, resolver.bag) }
        return (resolver.document, ChartChecks(resolver.document, resolver.bag).bag)
    }

    private static func readRecommendation(
        _ root: ChartElement,
        _ bag: DiagnosticBag,
        _ profile: Profile
    ) -> (ChartDocument, DiagnosticBag) {
        let reader = RecommendationReader(root, bag, keepsForeign: profile == .picture)
        let resolver = ChartResolver(reader.document, reader.bag, .recommendation)
        return (resolver.document, resolver.bag)
    }
}
