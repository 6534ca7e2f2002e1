import Controller
import Exposure
import Glibc
import PictureReader
import ProgramOutput

/// A picture that is metered: its light and its shutter speed.
struct MeteredPicture {
    let path: String
    let report: LightReport
    let speed: ShutterSpeed

    init(path: String, _ points: [PicturePoint], _ reader: MetadataReader) throws(Failure) {
        func refuse(_ reason: String) -> Failure {
            Failure("InvalidPicture", MeterSentences.notUsed(path, reason))
        }
        self.path = path
        switch MeteredPicture.light(of: path, at: points, reader) {
        case .success(let report): self.report = report
        case .failure(let refusal): throw refuse(refusal.reason)
        }
        guard let time = report.metadata.exposure.exposureTime else { throw refuse(MeterSentences.noExposureTime) }
        guard let speed = ShutterSpeed(nearestToNumerator: time.numerator, denominator: time.denominator) else {
            throw refuse(MeterSentences.offScale("\(time.numerator)/\(time.denominator)"))
        }
        self.speed = speed
    }

    init(path: String, report: LightReport, speed: ShutterSpeed) {
        (self.path, self.report, self.speed) = (path, report, speed)
    }

    /// Why a picture cannot be used.
    struct Refusal: Error {
        let reason: String
    }

    /// The light of a file.
    static func light(
        of path: String,
        at points: [PicturePoint],
        _ reader: MetadataReader
    ) -> Result<LightReport, Refusal> {
        // O_NONBLOCK prevents that a FIFO at this path blocks the command.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return .failure(Refusal(reason: String(cString: strerror(errno)))) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .failure(Refusal(reason: FileSentences.notAFile))
        }
        return read(file, points, reader)
    }

    /// The light of a JPEG in memory. The reader needs a file, so the bytes are written to one without a name.
    static func light(
        of bytes: [UInt8],
        at points: [PicturePoint],
        _ reader: MetadataReader
    ) -> Result<LightReport, Refusal> {
        var template = Array("/tmp/bracketctl-\(String(repeating: "X", count: 6))".utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else { return .failure(Refusal(reason: String(cString: strerror(errno)))) }
        defer { close(file) }
        unlink(template)
        if let code = bytes.withUnsafeBytes({ StandardStream.write($0, to: file) }) {
            return .failure(Refusal(reason: String(cString: strerror(code))))
        }
        guard lseek(file, 0, SEEK_SET) == 0 else {
            return .failure(Refusal(reason: String(cString: strerror(errno))))
        }
        return read(file, points, reader)
    }

    private static func read(
        _ file: CInt,
        _ points: [PicturePoint],
        _ reader: MetadataReader
    ) -> Result<LightReport, Refusal> {
        do throws(PictureReport.Failure) {
            return .success(try reader.light(file, at: points))
        } catch {
            return .failure(Refusal(reason: error.sentence))
        }
    }

    /// Pictures with other apertures or ISO values would give wrong speeds.
    static func requireSameSettings(_ pictures: [MeteredPicture]) throws(Failure) {
        guard let first = pictures.first else { return }
        for picture in pictures.dropFirst() where !first.hasSameSettings(as: picture) {
            throw Failure("InvalidPicture", MeterSentences.otherSettings(first.path, picture.path))
        }
    }

    /// Whether the aperture and the ISO are equal, as far as both files have them.
    private func hasSameSettings(as other: MeteredPicture) -> Bool {
        let (own, others) = (report.metadata.exposure, other.report.metadata.exposure)
        func areEqual<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
            left == nil || right == nil || left == right
        }
        return areEqual(own.fNumber?.value, others.fNumber?.value) && areEqual(own.iso, others.iso)
    }
}
