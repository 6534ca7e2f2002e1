/// Why bracketd rejects its arguments.
enum ArgumentError: Error {
    case unknownOption(String)
    case unexpected(String)
    case valueIsMissing(String)
    case valueIsEmpty(String)
    case takesNoValue(String)

    var sentence: String {
        switch self {
        case .unknownOption(let word): "Error: Unknown option '\(word)'."
        case .unexpected(let word): "Error: Unexpected argument '\(word)'."
        case .valueIsMissing(let form): "Error: The value of '\(form)' is missing."
        case .valueIsEmpty(let form): "Error: The value of '\(form)' is empty."
        case .takesNoValue(let word): "Error: '\(word)' takes no value."
        }
    }
}

/// What the help says.
enum HelpSentences {
    static let overview = "Fires exposure brackets with a camera on WiFi, for the clients of its socket."
    static let details = """
        Runs in the foreground until SIGTERM or SIGINT.
        Exit codes: 0 stopped as requested, 1 any error, 64 wrong arguments.
        """
    static let config = "Read this configuration file (TOML)."
    static let socket = "Listen on this socket instead of the configured one."
    static let check = "Check the configuration, print the values in use, and exit."
    static let restoreLedger = "Restore this ledger, which was moved aside, and exit. No bracketd may run."
    static let debug = "Also write entries of level debug."
    static let version = "Show the version."
    static let help = "Show this help."
    static let seeHelp = "  See 'bracketd --help' for more information."
}
