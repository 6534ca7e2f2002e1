/// The texts of replies about pictures that the driver transfers.
enum TransferSentences {
    static let noSpace =
        "This computer cannot store pictures now, and some pictures exist only in the camera. "
        + "See `bracketctl status`."

    /// - Parameter name: the file that is only in the camera's buffer.
    static func onlyInBuffer(_ name: String) -> String {
        "The picture \(name) cannot be fetched. It exists only in the camera's buffer, and is lost when the camera is "
            + "switched off. The daemon tries again. Set the save target to the card for the next pictures."
    }

    // MARK: The journal

    static let linkBroken = "the connection broke each time"

    static func givenUp(_ name: String, _ reason: String, isGone: Bool) -> String {
        "the transfer of \(name) failed: \(reason); "
            + (isGone ? "the camera no longer has the file" : "the file stays on the camera's card")
    }

    static func onlyInBuffer(_ name: String, _ reason: String) -> String {
        "the transfer of \(name) failed: \(reason); the picture exists only in the camera's buffer, and the "
            + "transfer is tried again"
    }
}
