import NIOCore

/// Which of the delivered pictures are kept.
package enum TransferPolicy: String, Codable, CaseIterable, Hashable, Sendable {
    /// None: delivered pictures are removed from the body's buffer and dropped.
    case none
    /// JPEG and HEIF; RAW files are skipped and counted, except possible only copies.
    case jpeg
    /// Every file.
    case both
}

/// The controller's request for the next pictures.
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

/// Names a picture during its transfer. Unique among the pictures of a driver.
package struct PictureID: RawRepresentable, Codable, Hashable, Sendable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// What a body reports of a file that it delivers.
package struct PictureInfo: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case jpeg, heif, raw, other
    }

    /// The body's name of the file. From the wire: check it before making a path of it.
    package var name: String
    package var kind: Kind
    /// In bytes; nil: the body does not report it.
    package var byteCount: UInt64?
    /// `YYYYMMDDThhmmss` by the body's clock; may be empty.
    package var captureDate: String
    /// The `.capture` command of its frame; nil: an earlier picture, or not one of a frame.
    package var capture: Ticket?
    /// Whether it was in the body's buffer when the driver connected, and the driver has released no shutter since. It
    /// may then be of the last frame of an earlier run.
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

/// The steps of a picture, in order. `begin` is followed by any number of `bytes` and by one of `end`, `interrupted`
/// and `abandoned`; `skipped` has no other step.
package enum PictureAction: Equatable, Sendable {
    /// Bytes follow. `offset` 0: a new file. Otherwise the file of the same id continues at this offset, after
    /// `interrupted`.
    case begin(PictureInfo, offset: UInt64)
    case bytes(ByteBuffer)
    /// All bytes arrived.
    case end
    /// The link broke: the received bytes are good, and the file may continue later.
    case interrupted
    /// It will not continue; the received bytes are to be dropped.
    case abandoned
    /// It was removed from the body's buffer and not kept.
    case skipped(PictureInfo, PictureSkip)
}

/// Why a picture was not kept.
package enum PictureSkip: Hashable, Sendable {
    /// Its kind is not wanted.
    case policy
    /// No space for it here; it is on the camera's card.
    case noRoom
}
