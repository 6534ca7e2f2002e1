import Glibc

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
