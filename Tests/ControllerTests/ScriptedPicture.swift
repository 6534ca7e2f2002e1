import Cameras
import Controller
import Exposure
import NIOCore

/// A file of a scripted camera. It has one line with the data that a real file has in its EXIF block.
struct ScriptedPicture {
    var id: PictureID
    var info: PictureInfo
    var content: String

    /// The number of bytes after which a broken link ends the file.
    static let half = 8

    init(_ id: PictureID, _ kind: PictureInfo.Kind, _ content: String, number: Int, _ ticket: Ticket) {
        self.id = id
        self.content = content
        info = PictureInfo(
            name: "DSC\(number).\(kind == .raw ? "ARW" : "JPG")",
            kind: kind,
            byteCount: UInt64(content.utf8.count),
            captureDate: "",
            capture: ticket
        )
    }

    func bytes(from start: Int = 0, to end: Int = .max) -> ByteBuffer {
        ByteBuffer(bytes: Array(content.utf8)[min(start, content.utf8.count)..<min(end, content.utf8.count)])
    }

    /// The content, such as `2026:11:21 08:00:07 8/1000`. At time 0 the camera's clock shows 8 o'clock.
    static func content(_ speed: ShutterSpeed, firedAt now: Duration) -> String {
        let seconds = Int(now.components.seconds)
        let clock = [8 + seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        let time = speed.exposureTime
        let microseconds = time.components.seconds * 1_000_000 + time.components.attoseconds / 1_000_000_000_000
        return "2026:11:21 \(clock.joined(separator: ":")) \(microseconds)/1000000"
    }

    static func read(_ file: ByteBuffer) -> PictureMetadata {
        let text = String(buffer: file)
        let numbers = text.split(separator: " ").last?.split(separator: "/").compactMap { UInt32($0) } ?? []
        guard numbers.count == 2 else { return .unreadable("it has no EXIF block") }
        return .read(ExposureRecord(exposureTime: .init(numbers[0], numbers[1]), capturedAt: String(text.prefix(19))))
    }
}
