import Bodies
import Cameras
import Controller
import Exposure
import NIOCore

/// The host's disk for pictures without an operating system. It stores the bytes and answers later.
package struct VirtualDisk: Sendable {
    /// The stored files, by their paths.
    package private(set) var files: [String: ByteBuffer] = [:]
    /// The written manifests, in order.
    package private(set) var manifests: [Manifest] = []
    /// The capacity of the disk in bytes; nil: unlimited.
    package var capacity: Int?
    /// The time from the last byte of a picture until the picture is stored and its exposure data are read.
    package var delay = Duration.zero
    /// Why nothing can be written; nil: writing works.
    package var writeFailure: String?
    /// Reads the exposure data of a file.
    package var metadata: @Sendable (ByteBuffer) -> PictureMetadata = { ExifReader.read($0) }
    /// Decodes a file; nil: it is not a JPEG.
    package var light: @Sendable (ByteBuffer) -> PictureLight? = { FlatJPEGReader.light(of: $0) }
    /// The effects on pictures, without their bytes. One line is `begin 1`.
    package private(set) var log: [String] = []
    /// Incomplete pictures of ended processes, by the planned path of each. These files do not count as pictures.
    package private(set) var parts: [String: ByteBuffer] = [:]
    private var failureUntil: Duration?
    private var fullUntil = Duration.zero
    /// The range of random answer times; nil: every answer takes ``delay``.
    private var delays: ClosedRange<Duration>?
    private var random = SeededGenerator(seed: 0)
    private var busyUntil = Duration.zero
    private var open: [PictureID: OpenFile] = [:]
    /// The space that the next picture can need: the size of the largest picture so far.
    private var needed = 0
    private var pending = Schedule<Input>()
    /// The operations that fail once: see ``failOnce(_:)``.
    private var failing: Set<DiskOperation> = []

    private struct OpenFile: Sendable {
        var destination: PictureDestination
        var bytes = ByteBuffer()
    }

    /// When the next answer of the disk is due.
    package var nextTime: Duration? { pending.nextTime }

    /// The destinations of the pictures, in the order of their start.
    package private(set) var destinations: [PictureDestination] = []

    package var used: Int {
        files.values.reduce(0) { $0 + $1.readableBytes } + open.values.reduce(0) { $0 + $1.bytes.readableBytes }
    }

    package init() {}

    /// Draws a random time for each later answer; nil: every answer takes ``delay``.
    package mutating func beSlow(_ delays: ClosedRange<Duration>?, seed: UInt64 = 0) {
        self.delays = delays
        random = SeededGenerator(seed: seed)
    }

    /// Makes all writes fail until `end`, for this reason.
    package mutating func refuse(_ reason: String, until end: Duration) {
        writeFailure = reason
        failureUntil = end
    }

    /// Makes only the next operation of this kind fail.
    package mutating func failOnce(_ operation: DiskOperation) {
        failing.insert(operation)
    }

    private static let failure = "Input/output error"

    /// Makes the disk full until `end`.
    package mutating func beFull(until end: Duration) {
        fullUntil = end
    }

    /// Ends all faults, so that the disk works and has space.
    package mutating func clearFaults() {
        delays = nil
        delay = .zero
        (writeFailure, failureUntil) = (nil, nil)
        capacity = nil
        fullUntil = .zero
        failing.removeAll()
    }

    /// Removes and returns the answers that are due at this time.
    package mutating func takeDue(by now: Duration) -> [Input] {
        var due: [Input] = []
        while let (_, input) = pending.takeNext(dueBy: now) { due.append(input) }
        return due
    }

    /// Removes all unfinished work at the end of the process.
    mutating func crash() {
        open.removeAll()
        pending = Schedule()
        busyUntil = .zero
    }

    /// Removes all unfinished work with a random result. Incomplete pictures keep only some of their first bytes. A
    /// complete picture whose answer is still due can lose its name.
    package mutating func crash(drawing random: inout SeededGenerator) {
        for id in open.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            guard let file = open[id] else { continue }
            tear(file.bytes, path(of: file.destination), drawing: &random)
        }
        while let (_, input) = pending.takeNext() {
            guard case .picture(_, .stored(let stored)) = input, random.chance(oneIn: 2),
                let bytes = files.removeValue(forKey: stored.path)
            else { continue }
            tear(bytes, stored.path, drawing: &random)
        }
        crash()
    }

    private mutating func tear(_ bytes: ByteBuffer, _ path: String, drawing random: inout SeededGenerator) {
        parts[path] = bytes.getSlice(at: bytes.readerIndex, length: random.next(in: 0...bytes.readableBytes))
    }

    mutating func write(_ manifest: Manifest) {
        manifests.append(manifest)
    }

    package mutating func checkRoom(at now: Duration) {
        log.append("check room")
        let hasRoom = writeFailure(at: now) == nil && capacity.map { used + needed <= $0 } ?? true && now >= fullUntil
        pending.plan(.room(isThere: hasRoom), at: end(at: now))
    }

    /// Decodes a stored picture.
    mutating func readLight(of path: String, at now: Duration) {
        log.append("read light")
        let light = files[path].flatMap(light)
        let outcome = light.map { LightReading.Outcome.read(LightNumbers($0)) } ?? .failed("No JPEG is at \(path).")
        pending.plan(.light(LightReading(path: path, outcome: outcome)), at: end(at: now))
    }

    /// Decodes the stored pictures of a shoot. It draws no random time, so that the later answers of a world stay the
    /// same.
    mutating func readCoverage(_ order: CoverageOrder, at now: Duration) {
        var tally = CoverageTally()
        for frame in order.frames { tally.add(files[frame.path].flatMap(light)?.map, at: frame.speed) }
        let coverage = Coverage(tally, spacing: order.spacing, available: order.available)
        pending.plan(.coverage(ShootCoverage(shoot: order.shoot, coverage: coverage)), at: now + delay)
    }

    private func writeFailure(at now: Duration) -> String? {
        if let failureUntil, failureUntil <= now { nil } else { writeFailure }
    }

    private func isFull(_ count: Int, at now: Duration) -> Bool {
        now < fullUntil || capacity.map { used + count > $0 } ?? false
    }

    /// When the disk answers a request that arrives now.
    private mutating func end(at now: Duration) -> Duration {
        guard let delays else { return now + delay }
        busyUntil = max(now, busyUntil) + random.duration(in: delays)
        return busyUntil
    }

    package mutating func perform(_ effect: PictureEffect, of id: PictureID, at now: Duration) {
        switch effect {
        case .begin(let destination, let offset):
            log.append("begin \(id.rawValue)" + (offset > 0 ? " at \(offset)" : ""))
            if offset == 0 {
                open[id] = OpenFile(destination: destination)
                destinations.append(destination)
            }
            guard let bytes = open[id]?.bytes, bytes.readableBytes >= offset else {
                return fail(id, "There is no file to go on with.", isFull: false, at: now)
            }
            open[id]?.bytes.moveWriterIndex(to: bytes.readerIndex + Int(offset))
        case .bytes(let bytes):
            guard let file = open[id] else { break }
            if let writeFailure = writeFailure(at: now) { return fail(id, writeFailure, isFull: false, at: now) }
            if failing.remove(.write) != nil { return fail(id, Self.failure, isFull: false, at: now) }
            if isFull(bytes.readableBytes, at: now) {
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
        guard let file = open[id] else { return }
        if failing.remove(.sync) != nil { return fail(id, Self.failure, isFull: false, at: now) }
        open[id] = nil
        let path = path(of: file.destination)
        files[path] = file.bytes
        needed = max(needed, file.bytes.readableBytes)
        let stored = StoredPicture(
            path: path,
            byteCount: UInt64(file.bytes.readableBytes),
            metadata: failing.remove(.read) != nil ? .notRead(Self.failure) : metadata(file.bytes)
        )
        pending.plan(.picture(id, .stored(stored)), at: end(at: now))
    }

    /// The path for a picture. If a file already has the planned path, the picture gets another path.
    private func path(of destination: PictureDestination) -> String {
        let folder = destination.shoot.map { "shoot-\($0)/set-\(destination.set ?? 0)" } ?? "other"
        var path = "\(folder)/\(destination.name)"
        while files[path] != nil { path += "+" }
        return path
    }

    private mutating func fail(_ id: PictureID, _ sentence: String, isFull: Bool, at now: Duration) {
        open[id] = nil
        pending.plan(.picture(id, .failed(sentence: sentence, isFull: isFull)), at: end(at: now))
    }
}
