import Cameras
import Controller
import NIOCore

/// The host's disk without a system: takes the bytes of pictures and answers after a while.
package struct VirtualDisk: Sendable {
    /// What was stored, by its path.
    package private(set) var files: [String: ByteBuffer] = [:]
    /// Each as it was written, in order.
    package private(set) var manifests: [Manifest] = []
    /// How many bytes it takes; nil: any number.
    package var capacity: Int?
    /// How long it takes from the last byte until a picture is on disk and read.
    package var delay = Duration.zero
    /// Nothing can be written, for this reason.
    package var trouble: String?
    /// Reads what a file says of its exposure.
    package var metadata: @Sendable (ByteBuffer) -> PictureMetadata = { ExifReader.read($0) }
    /// The picture effects, without bytes, as `begin 1`.
    package private(set) var log: [String] = []
    private var open: [PictureID: OpenFile] = [:]
    /// What the next picture needs: as much as the largest so far.
    private var needed = 0
    private var pending = Agenda<Input>()

    private struct OpenFile: Sendable {
        var destination: PictureDestination
        var bytes = ByteBuffer()
    }

    /// When it has something to say next.
    package var nextTime: Duration? { pending.nextTime }

    package var used: Int {
        files.values.reduce(0) { $0 + $1.readableBytes } + open.values.reduce(0) { $0 + $1.bytes.readableBytes }
    }

    package init() {}

    /// Each answer takes a time that is drawn; nil: ``delay``.
    package mutating func beSlow(_ delays: ClosedRange<Duration>?, seed: UInt64 = 0) {}

    /// Nothing can be written until then, for this reason.
    package mutating func refuse(_ reason: String, until end: Duration) {}

    /// It is full until then.
    package mutating func beFull(until end: Duration) {}

    /// It is as well as ever.
    package mutating func heal(at now: Duration) {}

    /// What a crash left of pictures on their way, by the path that they would have had: no one takes them for pictures.
    package private(set) var parts: [String: ByteBuffer] = [:]

    /// What it says by now.
    mutating func takeDue(by now: Duration) -> [Input] {
        var due: [Input] = []
        while let (_, input) = pending.takeNext(dueBy: now) { due.append(input) }
        return due
    }

    /// The process that waits for its answers ends.
    mutating func crash() {
        open.removeAll()
        pending = Agenda()
    }

    mutating func write(_ manifest: Manifest) {
        manifests.append(manifest)
    }

    mutating func checkRoom(at now: Duration) {
        log.append("check room")
        let hasRoom = trouble == nil && capacity.map { used + needed <= $0 } ?? true
        pending.plan(.room(isThere: hasRoom), at: now + delay)
    }

    mutating func perform(_ effect: PictureEffect, of id: PictureID, at now: Duration) {
        switch effect {
        case .begin(let destination, let offset):
            log.append("begin \(id.rawValue)" + (offset > 0 ? " at \(offset)" : ""))
            if offset == 0 { open[id] = OpenFile(destination: destination) }
            guard let bytes = open[id]?.bytes, bytes.readableBytes >= offset else {
                return fail(id, "There is no file to go on with.", isFull: false, at: now)
            }
            open[id]?.bytes.moveWriterIndex(to: bytes.readerIndex + Int(offset))
        case .bytes(let bytes):
            guard let file = open[id] else { break }
            if let trouble { return fail(id, trouble, isFull: false, at: now) }
            if let capacity, used + bytes.readableBytes > capacity {
                let size = file.bytes.readableBytes + bytes.readableBytes
                needed = max(needed, Int(clamping: file.destination.byteCount ?? 0), size)
                return fail(id, "The disk for pictures is full.", isFull: true, at: now)
            }
            open[id]?.bytes.writeImmutableBuffer(bytes)
        case .finish:
            log.append("finish \(id.rawValue)")
            finish(id, at: now)
        case .interrupt:
            log.append("interrupt \(id.rawValue)")
        case .abandon:
            log.append("abandon \(id.rawValue)")
            open[id] = nil
        }
    }

    private mutating func finish(_ id: PictureID, at now: Duration) {
        guard let file = open.removeValue(forKey: id) else { return }
        let folder = file.destination.shoot.map { "shoot-\($0)/set-\(file.destination.set ?? 0)" } ?? "other"
        var path = "\(folder)/\(file.destination.name)"
        while files[path] != nil { path += "+" }
        files[path] = file.bytes
        needed = max(needed, file.bytes.readableBytes)
        let stored = StoredPicture(
            path: path,
            byteCount: UInt64(file.bytes.readableBytes),
            metadata: metadata(file.bytes)
        )
        pending.plan(.picture(id, .stored(stored)), at: now + delay)
    }

    private mutating func fail(_ id: PictureID, _ sentence: String, isFull: Bool, at now: Duration) {
        open[id] = nil
        pending.plan(.picture(id, .failed(sentence: sentence, isFull: isFull)), at: now + delay)
    }
}
