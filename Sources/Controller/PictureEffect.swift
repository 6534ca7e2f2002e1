import Cameras
import NIOCore

/// An action of the host for a picture, in the order of the effects. The result of `finish`, or of the action that
/// fails before it, comes back once, as ``Input/picture(_:_:)``.
package enum PictureEffect: Equatable, Sendable {
    /// Opens the temporary file. With an offset greater than 0, opens the file that `interrupt` left for the same id,
    /// and truncates it there.
    case begin(PictureDestination, offset: UInt64)
    case bytes(ByteBuffer)
    /// Syncs the file, gives it its name, reads its metadata.
    case finish
    /// Keeps the temporary file for a later `begin`. Not answered.
    case interrupt
    /// Removes the temporary file. Not answered.
    case abandon
}

/// A shoot's folder for pictures.
package enum ShootFolder: Hashable, Sendable {
    /// The host chooses a new one.
    case new
    /// An earlier run began the shoot at this time, in milliseconds since 1970, and may have made a folder since.
    case left(since: Int64)
    /// An earlier run stored files in the folder with this name.
    case known(String)
}

/// Where a picture is stored.
package struct PictureDestination: Hashable, Sendable {
    /// The shoot that it belongs to; nil: none of this daemon's.
    package var shoot: Int?
    package var folder = ShootFolder.new
    /// Counted from 1; nil with `shoot`.
    package var set: Int?
    /// The later set that has the frame as its first one; nil: none has.
    package var nextSet: Int?
    /// The camera's name of the file. The host keeps the file inside the folder, whatever its name.
    package var name: String
    package var kind: PictureInfo.Kind
    /// As announced; nil: not known.
    package var byteCount: UInt64?
}

extension PictureDestination {
    /// In a new folder.
    package init(shoot: Int?, set: Int?, name: String, kind: PictureInfo.Kind, byteCount: UInt64?) {
        (self.shoot, self.set, self.name, self.kind, self.byteCount) = (shoot, set, name, kind, byteCount)
    }
}

/// The result of storing a picture.
package enum PictureOutcome: Codable, Hashable, Sendable {
    /// It is durable on disk.
    case stored(StoredPicture)
    /// It is not on disk. `isFull`: because the disk has no free space. The sentence says what failed and where.
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

/// The EXIF data of a picture's file (EXIF 2.32, tags 0x829A, 0x829D, 0x8827, 0x9003).
package enum PictureMetadata: Codable, Hashable, Sendable {
    case read(ExposureRecord)
    /// The file has no readable data; the sentence says why.
    case unreadable(String)
    /// The data were not read, which says nothing about the file; the sentence says why.
    case notRead(String)
}

/// The exposure that a picture's file records. Absent data are nil.
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
    package var fNumber: Fraction?
    /// PhotographicSensitivity.
    package var iso: UInt32?
    /// DateTimeOriginal, `YYYY:MM:DD hh:mm:ss` by the camera's clock.
    package var capturedAt: String?
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

/// The manifest of a shoot's folder. The host writes it as JSON, as a whole, each time it changes.
package struct Manifest: Equatable, Sendable {
    package var shoot: Int
    package var folder = ShootFolder.new
    package var camera: String
    /// The plan in the words of the command line, for users.
    package var plan: String
    package var frames: [Frame]

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
