import Glibc

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

extension BoundedProgram.Failure {
    /// The text that follows the program's name.
    package var description: String {
        switch self {
        case .cannotStart(let code): "cannot be started: \(String(cString: strerror(code)))"
        case .tookTooLong: "took too long"
        case .printedTooMuch: "printed too many bytes"
        case .crashed(let signal): "was ended by signal \(signal)"
        case .failed(let code): "ended with \(code)"
        }
    }
}
