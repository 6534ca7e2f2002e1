/// Texts for the journal about the flight recorder.
enum RecorderSentences {
    static func begins(_ file: String) -> String { "The flight recorder writes to \(file)." }

    // MARK: Why recording ends

    static let recordingEnds = "The flight recorder stops recording this run. The daemon continues."

    /// - Parameter cause: another sentence of this enumeration.
    static func ended(_ cause: String) -> String { "\(recordingEnds) \(cause)" }

    static let diskTooSlow = "The disk of the flight recorder is too slow. \(recordingEnds)"

    static func directoryUnusable(_ path: String, _ error: SystemError) -> String {
        "\(path) cannot be used: \(error)."
    }

    static func notCreated(_ file: String, _ error: SystemError) -> String { "\(file) cannot be created: \(error)." }

    static func notWritten(_ file: String, _ error: SystemError) -> String { "\(file) cannot be written: \(error)." }

    static func notSynced(_ file: String, _ error: SystemError) -> String { "\(file) cannot be synced: \(error)." }

    static func notRemoved(_ file: String, _ error: SystemError) -> String { "\(file) cannot be removed: \(error)." }

    /// - Parameter reserved: the reserved space in bytes.
    static func diskReserved(_ path: String, reserved: UInt64) -> String {
        "The disk of \(path) has less than \(ByteCount.text(Int(reserved))) free. This space is reserved for the "
            + "ledger. Free some space. Recording starts again at the next start of the daemon."
    }

    static let inputTooLarge = "One input is larger than [flight] files and size allow."

    // MARK: What is lost

    static let beginningRemoved =
        "This run alone fills the flight recorder. The first file of this run is removed: the rest cannot be replayed. "
        + "To keep more, raise files or size under [flight]."
}
