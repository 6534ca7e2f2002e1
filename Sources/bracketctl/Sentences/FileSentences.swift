/// The sentences about files and folders of the user that cannot be used.
enum FileSentences {
    enum Action: String {
        case opened, created, read, written
    }

    static func failed(_ path: String, _ action: Action, _ reason: String) -> String {
        "\(path) cannot be \(action.rawValue): \(reason)."
    }

    static func folderNotWatched(of path: String, _ reason: String) -> String {
        "The folder of \(path) cannot be watched: \(reason)."
    }

    static func folderGone(of path: String) -> String {
        "The folder of \(path) no longer exists, so the watch ends."
    }

    static func folderNotRead(_ path: String) -> String { "The folder \(path) cannot be read." }

    static func drawingNotWritten(_ path: String, _ reason: String) -> String {
        "The drawing cannot be written to \(path): \(reason)."
    }

    static func noConfiguration(_ path: String) -> String {
        "\(path) does not exist. Use --config with the configuration file of bracketd."
    }

    // MARK: Reasons

    static let notAFile = "Not a file"

    static func longerThan(_ byteCountMax: Int) -> String { "More than \(byteCountMax) bytes" }
}
