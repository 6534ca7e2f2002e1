import PTP

/// The texts of replies and the journal about the files in the buffer of a Sony body.
enum SonyPictureSentences {
    static let onCardOnly = "pictures are on the card, not in the buffer"

    // MARK: The frame of a file

    static func descriptionUnreadable(_ error: DatasetError) -> String {
        "the description of a file cannot be read: \(error)"
    }

    static func ofPreviousFrame(_ name: String) -> String { "\(name) belongs to the previous frame" }

    static func ofPreviousPicture(_ name: String) -> String { "\(name) belongs to the previous picture" }

    static func alreadyTransferred(_ name: String) -> String {
        "\(name) was already transferred; it is an old picture and belongs to no frame"
    }

    static func ofUnknownFrame(_ name: String) -> String { "\(name) belongs to no known frame" }

    // MARK: The transfer

    static func rawKept(_ name: String) -> String {
        "\(name) is kept although RAW is not wanted: it may be the only copy"
    }

    static func transferRejected(_ code: ResponseCode) -> String {
        "a file in the buffer cannot be transferred: \(code.sonyName)"
    }

    static func transferFailedTooOften(_ name: String) -> String {
        "the transfer of \(name) failed too often; the file is discarded"
    }

    static func sessionBrokenTooOften(_ name: String) -> String {
        "the transfer of \(name) ended the session too often; "
            + "the daemon discards the file in the camera's buffer if possible"
    }

    static func restLost(_ name: String) -> String {
        "the camera no longer has \(name): the missing part is lost"
    }

    static func sizeDiffers(_ name: String, byteCount: UInt64, announced: UInt64) -> String {
        "\(name) has \(byteCount) bytes instead of \(announced)"
    }

    static func completeDespite(_ code: ResponseCode, _ name: String) -> String {
        "\(name) is complete, although the camera reports \(code.sonyName)"
    }

    // MARK: No space on this computer

    /// The reason for the end of the session.
    static let noSpaceInTransfer =
        "this computer cannot store the picture in transfer, which exists only in the camera"

    static func transferInterrupted(_ name: String) -> String {
        "the transfer of \(name) is interrupted: no space, and the file exists only in the camera"
    }

    static func staysInBuffer(_ name: String) -> String {
        "no space for \(name): the file stays in the camera's buffer"
    }
}
