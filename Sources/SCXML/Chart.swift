import Foundation
import Statecharts

/// A chart's file after reading and checking.
///
/// The profile selects the rules. A chart of the dialect is checked strictly and compiled. Its data is in Swift. A
/// chart of the W3C recommendation is interpreted. It can use the data models `null` and `ecmascript`, but no scripts
/// and no other sessions.
public struct Chart: Sendable {
    /// The rules for reading a file.
    public enum Profile: Sendable {
        /// The rules of compiled charts, with all checks and limits.
        case dialect
        /// The rules of W3C SCXML. An unsupported element is error E004. This profile gives no warnings.
        case recommendation
        /// The rules of W3C SCXML, for a picture. Unsupported elements are shown as text. The chart cannot run.
        case picture
    }

    /// The rules by which the file was read.
    public let profile: Profile
    /// The errors and warnings, in the order of their positions in the file.
    public let diagnostics: [Diagnostic]
    /// The chart; nil after an error.
    public let document: ChartDocument?
    /// The chart as tables; nil after an error, and for a chart of W3C SCXML.
    public let lowered: LoweredChart?
    /// The SHA-256 of the file, as hexadecimal digits.
    public let digest: String

    /// Whether the chart has an error. Only `chartc` and `--strict` also refuse a chart with warnings.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// Whether unsupported elements are the only errors.
    public var isMerelyUnsupported: Bool {
        let errors = diagnostics.filter { $0.severity == .error }
        return !errors.isEmpty && errors.allSatisfy { $0.code == "E004" }
    }

    /// The maximum size of a chart's file in bytes. A longer file is refused (E001).
    public static let sizeMax = XMLTree.bytesMax

    /// The maximum number of diagnostics for a file that is read as W3C SCXML.
    private static let diagnosticsMax = 100

    /// Reads a chart by the rules of a profile.
    ///
    /// For W3C SCXML, each ignored element is in the document's `notes`, not among the diagnostics.
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
