import NIOCore

/// Which pictures are to be kept of those that a body hands over.
package enum TransferPolicy: String, Codable, CaseIterable, Hashable, Sendable {
    /// None: what the body hands over is taken out of its buffer and dropped.
    case none
    /// JPEG and HEIF; RAW files are skipped and counted, but for those that may be nowhere else.
    case jpeg
    /// Every file.
    case both
}

/// What the controller wants of the pictures to come.
package struct PictureRequest: Hashable, Sendable {
    package var policy: TransferPolicy
    /// Whether files can be taken now. While not, a picture that is on the camera's card as well is skipped, and one
    /// that is nowhere else stays in the body's buffer.
    package var hasRoom: Bool

    /// See the fields.
    package init(policy: TransferPolicy, hasRoom: Bool = true) {
        self.policy = policy
        self.hasRoom = hasRoom
    }
}

/// Names a picture for as long as it is being transferred. Unique among the pictures of a driver.
package struct PictureID: RawRepresentable, Codable, Hashable, Sendable {
    package var rawValue: UInt32

    /// The picture with this number.
    package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// What a body says of a file that it hands over.
package struct PictureInfo: Hashable, Sendable {
    /// What kind of file it is.
    package enum Kind: String, Hashable, Sendable {
        case jpeg, heif, raw, other
    }

    /// As the body names it. From the wire: who makes a path of it checks it first.
    package var name: String
    package var kind: Kind
    /// In bytes; nil: the body does not say.
    package var byteCount: UInt64?
    /// `YYYYMMDDThhmmss` by the body's clock; may be empty.
    package var captureDate: String
    /// The `.capture` command whose frame this is; nil: a picture of something else, from before.
    package var capture: Ticket?
    /// Whether it was in the body's buffer when the driver came, and the driver has released no shutter yet: it may be
    /// of the last frame of an earlier run.
    package var wasLeft: Bool

    /// See the fields.
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

/// What becomes of a picture, in the order in which it happens. `begin` is followed by any number of `bytes` and by one
/// of `end`, `interrupted` and `abandoned`; `skipped` stands alone.
package enum PictureAction: Equatable, Sendable {
    /// Bytes follow. `offset` 0: a new file. Else the file of the same id goes on from there, after `interrupted`.
    case begin(PictureInfo, offset: UInt64)
    case bytes(ByteBuffer)
    /// All its bytes came.
    case end
    /// The link broke: what came is good and may go on later.
    case interrupted
    /// It will not go on; what came is to be dropped.
    case abandoned
    /// It was taken out of the body's buffer and not kept.
    case skipped(PictureInfo, PictureSkip)
}

/// Why a picture was not kept.
package enum PictureSkip: Hashable, Sendable {
    /// Its kind is not wanted.
    case policy
    /// There is no room for it here; it is on the camera's card.
    case noRoom
}
