import Cameras
import Exposure
import NIOCore

/// The wire format of an invented maker, Lumen, whose bodies use HTTP: text, with a key and a value in each line.
enum Lumen {
    static let port: UInt16 = 8090
    /// The path under which some bodies have their service.
    static let root = "/studio"
    /// The time for which a body lets a client wait for an event.
    static let pollTime = Duration.seconds(30)

    /// The body's encoding of a speed: the nominal time in microseconds.
    static func microseconds(_ speed: ShutterSpeed) -> Int {
        Int((speed.nominalSeconds * 1_000_000).rounded())
    }

    static func speed(_ microseconds: Int) -> ShutterSpeed? {
        ShutterSpeed.all.first { self.microseconds($0) == microseconds }
    }
}

/// Lines of `key=value`, as in every reply and event.
struct LumenSheet: Equatable, Sendable {
    /// The lines, in the order of the body.
    private(set) var lines: [(key: String, value: String)] = []

    static func == (left: Self, right: Self) -> Bool { left.lines.elementsEqual(right.lines) { $0 == $1 } }

    init(_ lines: [(String, String)] = []) { self.lines = lines.map { (key: $0.0, value: $0.1) } }

    /// The maximum size of a sheet. A longer one is refused.
    static let byteCountMax = 8 * 1024

    /// Reads a body's text, and skips lines without an equals sign.
    init(_ text: ByteBuffer) {
        for line in String(buffer: text).split(separator: "\n") {
            guard let mark = line.firstIndex(of: "=") else { continue }
            lines.append((String(line[..<mark]), String(line[line.index(after: mark)...])))
        }
    }

    var text: String { lines.map { "\($0.key)=\($0.value)\n" }.joined() }

    subscript(_ key: String) -> String? { lines.first { $0.key == key }?.value }

    func number(_ key: String) -> Int? { self[key].flatMap { Int($0) } }
}
