import Processes

/// Parts of sentences that say why the metadata of a picture is unknown.
enum MetadataSentences {
    static let programIsMissing = "\(MetadataReader.programName) is not installed"

    static func programFailed(_ failure: BoundedProgram.Failure) -> String {
        "\(MetadataReader.programName) \(failure)"
    }

    static func reportIsInvalid(_ error: ReportError) -> String {
        "\(MetadataReader.programName) printed an invalid report: \(error)"
    }

    static let noMetadata = "the file has no EXIF data"
}
