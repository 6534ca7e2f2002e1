import Processes

@testable import PictureReader

extension Examples {
    /// Pictures whose metadata is unknown.
    static let pictureReader: [String] =
        [
            MetadataSentences.programIsMissing,
            // ENOENT.
            MetadataSentences.programFailed(.cannotStart(code: 2)),
            MetadataSentences.programFailed(.tookTooLong),
            MetadataSentences.programFailed(.printedTooMuch),
            MetadataSentences.programFailed(.crashed(signal: 11)),
            MetadataSentences.programFailed(.failed(code: 71)),
            MetadataSentences.reportIsInvalid(ReportError(description: "the last line is missing")),
            MetadataSentences.noMetadata,
        ] + LightReport.Refusal.allCases.map(LightSentences.refused)
}
