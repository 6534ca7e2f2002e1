import Cameras
import NIOCore

/// What the host is to do with a picture. The order of effects is the order in which it is done; the outcome of
/// `finish`, or of whatever fails before it, comes back once, as ``Input/picture(_:_:)``.
package enum PictureEffect: Equatable, Sendable {
    /// Opens the temporary file; with an offset greater than 0 the one that `interrupt` left for the same id, which is
    /// cut there.
    case begin(PictureDestination, offset: UInt64)
    case bytes(ByteBuffer)
    /// Syncs the file, gives it its name, reads its metadata.
    case finish
    /// Keeps the temporary file for a later `begin`. Not answered.
    case interrupt
    /// Removes the temporary file. Not answered.
    case abandon
}

/// Which folder a shoot has among the pictures.
package enum ShootFolder: Hashable, Sendable {
    /// The host chooses a new one.
    case new
    /// An earlier run began the shoot then, in milliseconds since 1970, and may have made a folder since.
    case left(since: Int64)
    /// An earlier run stored files in the folder with this name.
    case known(String)
}

/// Where a picture goes.
package struct PictureDestination: Hashable, Sendable {
    /// The shoot that it belongs to; nil: none of this daemon's.
    package var shoot: Int?
    package var folder: ShootFolder
    /// Counted from 1; nil with `shoot`.
    package var set: Int?
    /// The later set that has the frame as its first one; nil: none has.
    package var nextSet: Int?
    /// As the camera names the file. The host keeps it inside the folder, whatever it is.
    package var name: String
    package var kind: PictureInfo.Kind
    /// As announced; nil: not known.
    package var byteCount: UInt64?

    package init(
        shoot: Int?,
        folder: ShootFolder = .new,
        set: Int?,
        nextSet: Int? = nil,
        name: String,
        kind: PictureInfo.Kind,
        byteCount: UInt64?
    ) {
        self.shoot = shoot
        self.folder = folder
        self.set = set
        self.nextSet = nextSet
        self.name = name
        self.kind = kind
        self.byteCount = byteCount
    }
}

/// What became of a picture.
package enum PictureOutcome: Codable, Hashable, Sendable {
    /// It is on disk for good.
    case stored(StoredPicture)
    /// It is not. `isFull`: for want of room on the disk. The sentence says what and where.
    case failed(sentence: String, isFull: Bool)
}

/// A picture on disk.
package struct StoredPicture: Codable, Hashable, Sendable {
    /// Below the configured folder, with slashes.
    package var path: String
    package var byteCount: UInt64
    package var metadata: PictureMetadata

    package init(path: String, byteCount: UInt64, metadata: PictureMetadata) {
        self.path = path
        self.byteCount = byteCount
        self.metadata = metadata
    }
}

/// What a picture's file says of itself (EXIF 2.32, tags 0x829A, 0x829D, 0x8827, 0x9003).
package enum PictureMetadata: Codable, Hashable, Sendable {
    case read(ExposureRecord)
    /// There is nothing in the file that can be read; the sentence says why.
    case unreadable(String)
    /// Nobody could look, which says nothing of the file; the sentence says why.
    case notRead(String)
}

/// The exposure that a picture's file records. What the file does not say is nil.
package struct ExposureRecord: Codable, Hashable, Sendable {
    /// A fraction as EXIF writes it; the denominator is not 0.
    package struct Fraction: Codable, Hashable, Sendable {
        package var numerator: UInt32
        package var denominator: UInt32

        package init?(_ numerator: UInt32, _ denominator: UInt32) {
            guard denominator > 0 else { return nil }
            self.numerator = numerator
            self.denominator = denominator
        }

        package init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            numerator = try fields.decode(UInt32.self, forKey: .numerator)
            denominator = try fields.decode(UInt32.self, forKey: .denominator)
            guard denominator > 0 else {
                throw DecodingError.dataCorruptedError(
                    forKey: .denominator,
                    in: fields,
                    debugDescription: "a fraction's denominator is 0"
                )
            }
        }

        package var value: Double { Double(numerator) / Double(denominator) }
    }

    /// ExposureTime, in seconds.
    package var exposureTime: Fraction?
    /// FNumber.
    package var fNumber: Fraction?
    /// PhotographicSensitivity.
    package var iso: UInt32?
    /// DateTimeOriginal, `YYYY:MM:DD hh:mm:ss` by the camera's clock.
    package var capturedAt: String?
    /// Model.
    package var model: String?

    package init(
        exposureTime: Fraction? = nil,
        fNumber: Fraction? = nil,
        iso: UInt32? = nil,
        capturedAt: String? = nil,
        model: String? = nil
    ) {
        self.exposureTime = exposureTime
        self.fNumber = fNumber
        self.iso = iso
        self.capturedAt = capturedAt
        self.model = model
    }
}

/// The manifest of a shoot's folder; the host writes it as JSON, whole, each time it changes.
package struct Manifest: Equatable, Sendable {
    package var shoot: Int
    package var folder = ShootFolder.new
    package var camera: String
    /// The plan in the words of the command line, for people.
    package var plan: String
    package var frames: [Frame]

    /// A planned frame.
    package struct Frame: Equatable, Sendable {
        package var set: Int
        package var frame: Int
        package var speed: String
        /// `planned`, `captured`, `verified`, `suspect`, …
        package var outcome: String
        /// Why it is suspect or lost; nil: it is neither.
        package var doubt: String?
        /// Its files, below the shoot's folder.
        package var files: [File] = []
    }

    package struct File: Equatable, Sendable {
        /// Below the configured folder, with slashes.
        package var path: String
        /// Nil, as `metadata`: an earlier run stored the file, and the host reads both from it.
        package var byteCount: UInt64?
        package var metadata: PictureMetadata?

        package init(path: String, byteCount: UInt64?, metadata: PictureMetadata?) {
            self.path = path
            self.byteCount = byteCount
            self.metadata = metadata
        }
    }
}
