import Cameras
import Exposure
import NIOCore

/// An action of the host for a picture. The host performs the actions in the order of the effects.
///
/// The host answers once with ``Input/picture(_:_:)``, after `finish` or after the first action that fails.
package enum PictureEffect: Equatable, Sendable {
    /// Opens a temporary file. If the offset is greater than 0, this is the file that `interrupt` kept for the same id.
    /// The host truncates the file at the offset.
    case begin(PictureDestination, offset: UInt64)
    case bytes(ByteBuffer)
    /// Syncs the file, gives the file its final name, and reads the metadata.
    case finish
    /// Keeps the temporary file for a later `begin`. The host does not answer.
    case interrupt
    /// Removes the temporary file. The host does not answer.
    case abandon
}

/// The folder for the pictures of a shoot.
package enum ShootFolder: Hashable, Sendable {
    /// The host chooses a new folder.
    case new
    /// An earlier run began the shoot at this time, in milliseconds since 1970. That run may have made a folder.
    case left(since: Int64)
    /// An earlier run stored files in the folder with this name.
    case known(String)
}

/// The place and name for a picture on disk.
package struct PictureDestination: Hashable, Sendable {
    /// The shoot of the picture; nil: the picture belongs to no shoot.
    package var shoot: Int?
    package var folder = ShootFolder.new
    /// The set of the picture, counted from 1; nil: the picture belongs to no shoot.
    package var set: Int?
    /// The next set, if this picture is also the first frame of that set; nil: it is not.
    package var nextSet: Int?
    /// The camera's name for the file. The host stores the file inside the folder, even if the name has slashes.
    package var name: String
    package var kind: PictureInfo.Kind
    /// The length that the camera announced; nil: not known.
    package var byteCount: UInt64?
}

extension PictureDestination {
    /// Creates a destination in a new folder.
    package init(shoot: Int?, set: Int?, name: String, kind: PictureInfo.Kind, byteCount: UInt64?) {
        (self.shoot, self.set, self.name, self.kind, self.byteCount) = (shoot, set, name, kind, byteCount)
    }
}

/// The result of storing a picture.
package enum PictureOutcome: Codable, Hashable, Sendable {
    /// The picture is durable on disk.
    case stored(StoredPicture)
    /// The picture is not on disk; the sentence says what failed and where. `isFull`: whether the disk is full.
    case failed(sentence: String, isFull: Bool)
}

/// A picture on disk.
package struct StoredPicture: Codable, Hashable, Sendable {
    /// The path relative to the configured folder, with slashes.
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
    /// The host could not read the data, although the file may have them. The sentence says why.
    case notRead(String)
}

/// The exposure that a picture's file records. A value is nil if the file does not have it.
package struct ExposureRecord: Codable, Hashable, Sendable {
    /// A fraction in the form of EXIF. The denominator is not 0.
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

    /// The EXIF field ExposureTime, in seconds.
    package var exposureTime: Fraction?
    package var fNumber: Fraction?
    /// The EXIF field PhotographicSensitivity.
    package var iso: UInt32?
    /// The EXIF field DateTimeOriginal: `YYYY:MM:DD hh:mm:ss` by the camera's clock.
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

/// The manifest of a shoot's folder. After each change, the host writes the whole manifest as JSON.
package struct Manifest: Equatable, Sendable {
    package var shoot: Int
    package var folder = ShootFolder.new
    package var camera: String
    /// The plan as text for users, in the form of the command line.
    package var plan: String
    package var frames: [Frame]
    /// What the pictures cover; nil: the shoot runs, or its pictures are not checked.
    package var coverage: Coverage?

    package struct Frame: Equatable, Sendable {
        package var set: Int
        package var frame: Int
        package var speed: String
        /// The state of the frame: `planned`, `captured`, `verified`, `suspect`, …
        package var outcome: String
        /// Why the picture is suspect or lost; nil: it is neither.
        package var doubt: String?
        /// The files of the frame.
        package var files: [File] = []
    }

    package struct File: Equatable, Sendable {
        /// The path relative to the configured folder, with slashes.
        package var path: String
        /// The length of the file; nil: an earlier run stored the file, so the host reads length and metadata itself.
        package var byteCount: UInt64?
        package var metadata: PictureMetadata?

        package init(path: String, byteCount: UInt64?, metadata: PictureMetadata?) {
            self.path = path
            self.byteCount = byteCount
            self.metadata = metadata
        }
    }
}
