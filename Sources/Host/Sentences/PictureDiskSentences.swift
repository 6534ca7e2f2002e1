/// Texts for the journal and the results of pictures about the disk for pictures.
enum PictureDiskSentences {
    // MARK: Why a picture is not stored

    static func notCreated(_ path: String, _ error: SystemError) -> String { "cannot create \(path): \(error)" }

    static func folderNotCreated(in directory: String, _ error: SystemError) -> String {
        "cannot create a folder in \(directory): \(error)"
    }

    static func noSpace(_ path: String, _ error: SystemError) -> String { "not enough space for \(path): \(error)" }

    static func notWritten(_ path: String, _ error: SystemError) -> String { "cannot write \(path): \(error)" }

    static func notContinued(_ path: String, _ error: SystemError) -> String {
        "cannot continue the file \(path): \(error)"
    }

    static func folderNotSynced(of path: String, _ error: SystemError) -> String {
        "cannot sync the folder of \(path): \(error)"
    }

    static func manifestNotWritten(ofShoot shoot: Int, in directory: String, _ error: SystemError) -> String {
        "cannot write the manifest of shoot \(shoot) in \(directory): \(error)"
    }

    static func tooManyFiles(named name: String, in directory: String) -> String {
        "\(directory) has too many files named \(name)"
    }

    static func tooShortToContinue(_ path: String, at offset: UInt64, byteCount: UInt64) -> String {
        "cannot continue at byte \(offset) of \(path): the file has \(byteCount) bytes"
    }

    /// - Parameter name: the camera's name for the picture.
    static func nothingToContinue(_ name: String) -> String { "there is no partial file of \(name) to continue" }

    static func notBegun(_ path: String) -> String { "cannot complete \(path): writing has not begun" }

    static func slowerThanTransfer(_ directory: String) -> String {
        "the disk of \(directory) is slower than the transfer from the camera"
    }

    static func tooSlow(_ directory: String, waited: Duration) -> String {
        "the disk of \(directory) is too slow: the camera waited \(waited)"
    }

    // MARK: Why a picture is not checked

    static let notOpened = "the file cannot be opened"

    static func unchecked(_ path: String, reason: String) -> String {
        "\(path) and later pictures are stored but not checked: \(reason)."
    }

    static func readerMissing(_ program: String) -> String {
        "\(program) is not installed. Pictures are stored, but not checked against the plan."
    }

    // MARK: The start of the daemon

    static func removed(incomplete count: Int) -> String {
        "Removed \(count) incomplete \(pictures(count)) of an earlier run."
    }

    static func kept(complete count: Int) -> String {
        "Kept \(count) complete \(pictures(count)) that an earlier run did not rename."
    }

    private static func pictures(_ count: Int) -> String { count == 1 ? "picture" : "pictures" }

    static func folderUnusable(_ error: SystemError) -> String {
        "The folder for pictures is not usable: \(error). Frames are fired, but pictures are not stored."
    }
}
