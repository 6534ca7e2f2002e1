import Glibc

/// Why the metadata of a picture is unknown, as a part of a sentence.
enum MetadataSentences {
    static let programIsMissing = "\(MetadataReader.programName) is missing beside the daemon"

    static func programFailed(_ failure: BoundedProgram.Failure) -> String {
        "\(MetadataReader.programName) \(failure)"
    }

    static func reportIsInvalid(_ error: ReportError) -> String {
        "\(MetadataReader.programName) printed an invalid report: \(error)"
    }

    static let noMetadata = "the file has no EXIF data"
}

extension BoundedProgram.Failure {
    /// The text after the program's name.
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
