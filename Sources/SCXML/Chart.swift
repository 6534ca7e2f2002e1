import Foundation
import Statecharts

/// A chart's file, read and checked.
///
/// There are two sets of rules. Charts of the dialect are compiled: they are checked strictly, and their data is in
/// Swift. Charts of the recommendation are run as they are: W3C SCXML with its data models `null` and `ecmascript`,
/// without scripts and other sessions.
public struct Chart: Sendable {
    /// The rules for reading a file.
    public enum Profile: Sendable {
        /// The rules of compiled charts, with all checks and limits.
        case dialect
        /// The rules of W3C SCXML. Unsupported elements are error E004; there are no warnings.
        case recommendation
        /// The rules of W3C SCXML, for a picture: unsupported elements are shown as written. Such a chart cannot be
        /// run.
        case picture
    }

    /// The rules by which the file was read.
    public let profile: Profile
    /// The errors and warnings, in the order of the file.
    public let diagnostics: [Diagnostic]
    /// The chart; nil after an error.
    public let document: ChartDocument?
    /// The chart as tables; nil after an error, or if it is not of the dialect.
    public let lowered: LoweredChart?
    /// The SHA-256 of the file, as hexadecimal digits.
    public let digest: String

    /// Whether the chart is refused. Warnings do not refuse it here; `chartc` and `--strict` refuse it.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// Whether unsupported elements are the only errors.
    public var isMerelyUnsupported: Bool {
        let errors = diagnostics.filter { $0.severity == .error }
        return !errors.isEmpty && errors.allSatisfy { $0.code == "E004" }
    }

    /// The maximum size of a chart's file, in bytes; a longer one is refused (E001).
    public static let sizeMax = XMLTree.bytesMax

    /// The maximum number of diagnostics for a file that is read by the recommendation.
    private static let diagnosticsMax = 100

    /// Reads a chart by the rules of a profile.
    ///
    /// For the recommendation, ignored elements are in the document's `notes`, not among the diagnostics.
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
