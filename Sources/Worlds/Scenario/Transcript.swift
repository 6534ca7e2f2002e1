import Bodies
import Cameras
import Controller
import NIOCore
import PTP

/// A hash of all actions of the daemon and of the cameras; on request also a text of these actions and of the
/// daemon's inputs.
///
/// Two runs of a seed that differ have different hashes. The hash does not depend on the machine, because it does not
/// use Swift's hashing, which differs in each process.
package struct Transcript: Equatable, Sendable {
    /// The hash of all notes so far.
    package private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    /// One line for each input and each effect; nil: not requested.
    package private(set) var text: String?

    package init(isReadable: Bool = false) {
        text = isReadable ? "" : nil
    }

    /// Adds an input that the daemon handled, and the effects.
    mutating func note(_ input: Input, _ performed: ArraySlice<Effect>, at now: Duration) {
        mix(now)
        mix(1)
        for effect in performed { mix(effect) }
        guard text != nil else { return }
        write("\(DurationText.milliseconds(now)) ms  \(Self.words(of: input))")
        for effect in performed {
            if let words = Self.words(of: effect) { write("            \(words)") }
        }
    }

    /// Adds an action of a camera.
    mutating func note(_ action: BodyAction, camera: Int, at now: Duration) {
        mix(now)
        switch action {
        case .send(let id, let bytes):
            mix(UInt64(id.rawValue))
            mix(bytes)
        case .close(let id): mix(1 << 32 | UInt64(id.rawValue))
        case .abort(let id): mix(2 << 32 | UInt64(id.rawValue))
        case .exposed(let frame): mix(3 << 32 | UInt64(frame.number))
        case .log(let line): mix(line)
        default: mix(4)
        }
        guard text != nil else { return }
        switch action {
        case .send(_, let bytes): write("    camera \(camera) sends \(bytes.readableBytes) bytes")
        case .log(let line): write("    camera \(camera): \(line)")
        case .exposed(let frame): write("    camera \(camera) has exposed frame \(frame.number) at \(frame.label)")
        default: write("    camera \(camera): \(action)")
        }
    }

    /// Adds another event.
    mutating func note(_ line: @autoclosure () -> String, number: UInt64 = 0, at now: Duration) {
        mix(now)
        mix(number)
        // A text is made only on request, because it takes time and adds nothing to the hash.
        if text != nil { write("\(DurationText.milliseconds(now)) ms  \(line())") }
    }

    private mutating func write(_ line: String) {
        text?.append(line)
        text?.append("  #\(String(UInt32(truncatingIfNeeded: digest), radix: 16))\n")
    }

    // MARK: The number

    /// One step of a multiplicative hash, in which a later value changes all bits of the earlier ones.
    private mutating func mix(_ word: UInt64) {
        digest = (digest ^ word) &* 0x9E37_79B9_7F4A_7C15
        digest ^= digest >> 29
    }

    private mutating func mix(_ time: Duration) {
        let (seconds, attoseconds) = time.components
        mix(UInt64(bitPattern: seconds) << 32 ^ UInt64(bitPattern: attoseconds / 1_000_000_000))
    }

    private mutating func mix(_ text: String) {
        var text = text
        text.withUTF8 { mix(UnsafeRawBufferPointer($0)) }
    }

    private mutating func mix(_ bytes: ByteBuffer) {
        bytes.withUnsafeReadableBytes { mix($0) }
    }

    private mutating func mix(_ bytes: UnsafeRawBufferPointer) {
        mix(UInt64(bytes.count))
        var index = 0
        while index + 8 <= bytes.count {
            mix(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian)
            index += 8
        }
        var rest: UInt64 = 0
        for byte in bytes[index...] { rest = rest << 8 | UInt64(byte) }
        mix(rest)
    }

    private mutating func mix(_ effect: Effect) {
        switch effect {
        case .openLink(let generation, let link, let target, _):
            mix(UInt64(generation.rawValue) << 8 | UInt64(link.rawValue))
            mix(target.address.host)
        case .send(let generation, let link, let bytes):
            mix(UInt64(generation.rawValue) << 8 | UInt64(link.rawValue))
            mix(bytes)
        case .closeLink(let generation, let link):
            mix(21 << 40 | UInt64(generation.rawValue) << 8 | UInt64(link.rawValue))
        case .http(let generation, let id, let action):
            mix(33 << 56 | UInt64(generation.rawValue) << 32 | UInt64(id.rawValue))
            if case .perform(let request) = action {
                mix("\(request.method.rawValue) \(request.address)\(request.path)")
                mix(request.body)
            }
        case .watchRoute(let address): mix(address?.host ?? "")
        case .discovery: mix(22)
        case .reply(let id, _, let continues): mix(24 << 32 | id.rawValue << 1 | (continues ? 1 : 0))
        case .fail(let id, _): mix(25 << 32 | id.rawValue)
        case .journal(let entry):
            mix(entry.message)
            for field in entry.fields { mix(field.value) }
        case .picture(let id, let effect):
            mix(26 << 32 | UInt64(id.rawValue))
            if case .bytes(let bytes) = effect { mix(UInt64(bytes.readableBytes)) }
        case .manifest(let manifest): mix(27 << 32 | UInt64(manifest.frames.count))
        case .readLight(let path): mix(path)
        case .readCoverage(let order): mix(34 << 32 | UInt64(order.frames.count))
        case .checkRoom: mix(28)
        case .enqueue, .record: break
        case .ledger(let effect): mix(effect)
        case .inspect: mix(29)
        case .status(let sentence): mix(sentence)
        case .stopping(let limit): mix(30 << 32 | UInt64(limit.map { $0.milliseconds + 1 } ?? 0))
        case .finished: mix(31)
        case .keepPlan(_, let id): mix(32 << 32 | id.rawValue)
        case .lamp(let sign): mix(sign.rawValue)
        }
    }

    private mutating func mix(_ effect: LedgerEffect) {
        switch effect {
        case .open: mix(41)
        case .read(let id, _): mix(42 << 32 | id.rawValue)
        case .commit(let commit):
            mix(43 << 32 | UInt64(commit.rows.frames.count) << 1 | (commit.isDurable ? 1 : 0))
            for key in commit.rows.frames.keys.sorted() {
                guard let row = commit.rows.frames[key] else { continue }
                mix(UInt64(row.index))
                mix(row.outcome.rawValue)
            }
        }
    }

    // MARK: The text

    private static func words(of input: Input) -> String {
        switch input {
        case .link(let generation, .received(let channel, let bytes)):
            "link \(generation.rawValue) \(channel) received \(bytes.readableBytes) bytes"
        case .link(let generation, let event): "link \(generation.rawValue) \(event)"
        case .http(let generation, let id, .body(let bytes)):
            "http \(generation.rawValue) \(id.rawValue) \(bytes.readableBytes) bytes"
        case .ssdp(let datagram): "ssdp from \(datagram.from), \(datagram.bytes.readableBytes) bytes"
        case .message(.camera(.status, let ticket, _)): "camera status \(ticket.map { "\($0.rawValue)" } ?? "")"
        case .message(.camera(.properties, let ticket, _)): "camera properties \(ticket.map { "\($0.rawValue)" } ?? "")"
        case .message(.cameraReady): "cameraReady"
        case .ledger(.opened): "ledger opened"
        case .network(let snapshot): "network \(snapshot.interfaces.map(\.name)) \(snapshot.route)"
        default: "\(input)"
        }
    }

    /// Returns nil for effects that another note reports.
    private static func words(of effect: Effect) -> String? {
        switch effect {
        case .enqueue: nil
        case .send(let generation, let channel, let bytes):
            "→ send \(generation.rawValue) \(channel) \(bytes.readableBytes) bytes"
        case .journal(let entry): "→ \(entry.kind.rawValue): \(entry.message)"
        case .picture(let id, .bytes(let bytes)): "→ picture \(id.rawValue) \(bytes.readableBytes) bytes"
        case .reply(let id, .status, _): "→ reply \(id.rawValue) status"
        case .reply(let id, .camera, _): "→ reply \(id.rawValue) camera"
        case .ledger(.commit(let commit)): "→ commit\(commit.isDurable ? " durable" : "") \(outcomes(commit))"
        case .manifest: "→ manifest"
        default: "→ \(effect)"
        }
    }

    private static func outcomes(_ commit: LedgerCommit) -> String {
        let shoots = commit.rows.shoots.keys.sorted().map { key in
            "shoot \(key) \(commit.rows.shoots[key]?.outcome?.rawValue ?? "open")"
        }
        let frames = commit.rows.frames.keys.sorted().map { key in
            "frame \(key.index) \(commit.rows.frames[key]?.outcome.rawValue ?? "")"
        }
        return (shoots + frames).joined(separator: ", ")
    }
}
