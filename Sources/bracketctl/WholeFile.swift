import ProgramOutput

/// A file that the user named.
enum WholeFile {
    static func write(_ text: String, to path: String) throws(Failure) {
        do throws(OutputFailure) {
            try NamedFile.write(text, to: path)
        } catch {
            throw Failure(.error, name: "NotWritten", error.sentence)
        }
    }
}
