import NIOCore

/// The rule that decides which delivered pictures are kept.
package enum TransferPolicy: String, Codable, CaseIterable, Hashable, Sendable {
    /// Keeps no picture. The driver removes delivered pictures from the body's buffer and discards them.
    case none
    /// Keeps JPEG and HEIF files. RAW files are skipped and counted, unless they can be the only copies.
    case jpeg
    /// Keeps every file.
    case both
}

/// The core's request for the next pictures.
package struct PictureRequest: Hashable, Sendable {
    package var policy: TransferPolicy
    /// Whether files can be stored now. If not, a picture that is also on the camera's card is skipped. A picture that
    /// exists only in the camera stays in the body's buffer.
    package var hasRoom: Bool

    package init(policy: TransferPolicy, hasRoom: Bool = true) {
        self.policy = policy
        self.hasRoom = hasRoom
    }
}

/// Identifies a picture during its transfer. Unique among the pictures of a driver.
package struct PictureID: RawRepresentable, Codable, Hashable, Sendable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// The body's description of a file that it delivers.
package struct PictureInfo: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case jpeg, heif, raw, other
    }

    /// The body's name of the file. The name comes from the network: check it before it becomes part of a path.
    package var name: String
    package var kind: Kind
    /// The size in bytes; nil: the body does not report it.
    package var byteCount: UInt64?
    /// The time of the picture, `YYYYMMDDThhmmss` by the body's clock; can be empty.
    package var captureDate: String
    /// The ticket of the frame's `.capture` command; nil: an earlier picture, or a picture that belongs to no frame.
    package var capture: Ticket?
    /// Whether the file was in the body's buffer when the driver connected, and the driver has not released the shutter
    /// since. Such a file may belong to the last frame of an earlier run of the daemon.
    package var wasLeft: Bool

    package init(
        name: String,
        kind: Kind,
        byteCount: UInt64?,
        captureDate: String,
        capture: Ticket?,
        wasLeft: Bool = false
    ) {
        self.name = name
        self.kind = kind
        self.byteCount = byteCount
        self.captureDate = captureDate
        self.capture = capture
        self.wasLeft = wasLeft
    }
}

/// The steps of a picture's transfer. `begin` comes first, then any number of `bytes`, then `end`, `interrupted` or
/// `abandoned`. A picture with `skipped` has no other step.
package enum PictureAction: Equatable, Sendable {
    /// Bytes follow. `offset` 0: a new file. Otherwise the file of the same id continues at this offset, after
    /// `interrupted`.
    case begin(PictureInfo, offset: UInt64)
    case bytes(ByteBuffer)
    /// All bytes arrived.
    case end
    /// The link broke. The received bytes are valid, and the transfer of the file can continue later.
    case interrupted
    /// The transfer will not continue. The received bytes must be discarded.
    case abandoned
    /// The file was removed from the body's buffer and not kept.
    case skipped(PictureInfo, PictureSkip)
}

/// The reason why a picture was not kept.
package enum PictureSkip: Hashable, Sendable {
    /// The policy does not keep files of this kind.
    case policy
    /// This computer has no space for the file, but the file is on the camera's card.
    case noRoom
    /// The body denies every way to the file, which stays on its card.
    case denied
    /// The body answered the request for the file with this HTTP status, because it no longer has the file there.
    case notOffered(status: UInt16)
    /// Each attempt to transfer the file failed.
    case failed(attempts: Int)
    /// The file is at an address that is not the body's.
    case foreign
    /// More files waited for their transfer than the driver stores.
    case tooMany
    /// The file is on another body than the connected one.
    case ofOtherCamera
}
