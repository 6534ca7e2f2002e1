import Cameras
import Controller
import NIOCore

/// Encodes inputs and effects as the bytes of a recording. The owner stores the bytes.
///
/// It leaves out pictures, see ``PictureMask``, and the identity that the daemon shows to cameras. docs/flight.md
/// describes the format.
package struct FlightWriter: Sendable {
    private var header: FlightHeader
    private var bytes = ByteBuffer()
    /// The records that are not in a block yet.
    private var records: [UInt8] = []
    private var fields = FieldWriter()
    private var mask = PictureMask()
    /// The numbers of known transitions in this file.
    private var transitions: [FlightTransition: Int] = [:]
    private var clock: FlightClock
    /// The number of records in all files of the run.
    package private(set) var recordCount = 0

    /// Begins a recording by writing the header.
    package init(_ header: FlightHeader) {
        self.header = header
        clock = FlightClock(header.clock)
        writeHeader()
    }

    /// Records an input and its effects. Of the core's own messages it records only the position.
    package mutating func note(_ input: Input, at now: Duration, _ effects: [Effect]) {
        recordCount += 1
        let step = clock.step(to: now)
        var shape = FlightShape(of: input, hasFraction: step.fraction > 0)
        begin(shape, step)
        let isWhole = write(input, except: mask.blanks(in: input, effects))
        for effect in effects {
            switch effect {
            case .journal(let entry) where entry.kind == .transition:
                shape.hasTransitions = true
                write(FlightTransition(entry))
            case .http(let generation, let id, let action): mask.performs(action, id, of: generation)
            default: break
            }
        }
        fields.bytes[0] = shape.byte
        let isTooLarge =
            fields.bytes.count > FlightFormat.recordMax || fields.unfoldedCount > FlightFormat.unfoldedMax
        if isTooLarge || !isWhole { omit(step) }
        records.appendNumber(UInt64(fields.bytes.count))
        records.append(contentsOf: fields.bytes)
        if records.count >= FlightFormat.blockFill { closeBlock() }
    }

    package var byteCount: Int {
        bytes.readableBytes + (records.isEmpty ? 0 : FlightBlock.headLength(records.count) + records.count)
    }

    /// Returns the bytes since the previous call. They end with a whole record.
    package mutating func takeBytes() -> ByteBuffer {
        closeBlock()
        defer { bytes = ByteBuffer() }
        return bytes
    }

    /// Begins the next file of the run by writing the header. The new file does not refer to earlier files. The owner
    /// must take the earlier bytes first.
    package mutating func beginPart() {
        closeBlock()
        header.part += 1
        writeHeader()
    }

    // MARK: Records

    private mutating func begin(_ shape: FlightShape, _ step: FlightClock.Step) {
        fields.beginRecord()
        fields.byte(shape.byte)
        fields.number(step.nanoseconds)
        if shape.hasFraction { fields.number(step.fraction) }
    }

    /// - Returns: false if the input contains something that cannot be written.
    private mutating func write(_ input: Input, except blanks: [Range<Int>]) -> Bool {
        do {
            switch input {
            case .message: break
            case .link(let generation, .received(let link, let bytes)):
                // Such inputs are the largest part of a recording, so they are written without a shape.
                fields.number(generation.rawValue)
                fields.number(link.rawValue)
                bytes.withUnsafeReadableBytes { fields.octets($0, except: blanks) }
            default: try FieldEncoder.write(input, except: blanks, to: &fields)
            }
            return true
        } catch {
            return false
        }
    }

    private mutating func write(_ transition: FlightTransition) {
        if let number = transitions[transition] { return fields.number(UInt(number)) }
        fields.number(UInt(0))
        for text in [transition.chart, transition.from, transition.to, transition.event] { fields.text(text) }
        guard transitions.count < FlightFormat.transitionsMax else { return }
        transitions[transition] = transitions.count + 1
    }

    /// Marks a missing record. Later records must not refer to it, so the history begins again empty.
    private mutating func omit(_ step: FlightClock.Step) {
        fields.beginFile()
        transitions.removeAll()
        begin(FlightShape(kind: FlightShape.omitted, hasFraction: step.fraction > 0), step)
    }

    // MARK: Blocks

    private mutating func writeHeader() {
        fields.beginFile()
        transitions.removeAll()
        clock = FlightClock(header.clock)
        bytes.writeBytes(FlightFormat.mark)
        bytes.writeInteger(FlightFormat.version)
        // If the header cannot be written, the file is unreadable. The reader reports that.
        try? header.write(recordCount: recordCount, to: &fields)
        FlightBlock.write(fields.bytes, into: &bytes)
    }

    private mutating func closeBlock() {
        guard !records.isEmpty else { return }
        FlightBlock.write(records, into: &bytes)
        records.removeAll(keepingCapacity: true)
    }
}

/// The first byte of a record.
struct FlightShape {
    /// A message of the core to itself.
    static let message: UInt8 = 0
    static let omitted: UInt8 = 1
    static let input: UInt8 = 2
    /// Bytes that the daemon received on a link.
    static let received: UInt8 = 3

    var kind: UInt8
    /// Whether the record's time has a fraction of a nanosecond.
    var hasFraction = false
    var hasTransitions = false

    init(kind: UInt8, hasFraction: Bool) {
        self.kind = kind
        self.hasFraction = hasFraction
    }

    init(of input: Input, hasFraction: Bool) {
        let kind =
            switch input {
            case .message: Self.message
            case .link(_, .received): Self.received
            default: Self.input
            }
        self.init(kind: kind, hasFraction: hasFraction)
    }

    init(_ byte: UInt8) {
        kind = byte >> 2
        hasFraction = byte & 1 != 0
        hasTransitions = byte & 2 != 0
    }

    var byte: UInt8 { kind << 2 | (hasTransitions ? 2 : 0) | (hasFraction ? 1 : 0) }
}

/// Writes times as differences between records: in nanoseconds and, for a finer clock, also in attoseconds.
struct FlightClock: Sendable {
    struct Step {
        var nanoseconds: UInt64
        /// The fraction of a nanosecond of the new time, in attoseconds.
        var fraction: UInt64
    }

    private static let attosecondsPerNanosecond: Int64 = 1_000_000_000
    private static let nanosecondsPerSecond: Int64 = 1_000_000_000

    private(set) var time: Duration
    private var nanoseconds: Int64

    init(_ time: Duration) {
        self.time = time
        nanoseconds = Self.nanoseconds(time)
    }

    /// The step from the last time to `now`. A `now` before the last time counts as the last time.
    mutating func step(to now: Duration) -> Step {
        let after = max(now, time)
        let whole = Self.nanoseconds(after)
        defer { (time, nanoseconds) = (after, whole) }
        let fraction = after.components.attoseconds % Self.attosecondsPerNanosecond
        return Step(nanoseconds: UInt64(max(0, whole - nanoseconds)), fraction: UInt64(max(0, fraction)))
    }

    /// - Returns: nil on overflow.
    mutating func follow(_ step: Step) -> Duration? {
        guard let distance = Int64(exactly: step.nanoseconds), step.fraction < Self.attosecondsPerNanosecond else {
            return nil
        }
        let (whole, isTooFar) = nanoseconds.addingReportingOverflow(distance)
        guard !isTooFar, whole < Self.end else { return nil }
        nanoseconds = whole
        let (seconds, rest) = whole.quotientAndRemainder(dividingBy: Self.nanosecondsPerSecond)
        time = Duration(
            secondsComponent: seconds,
            attosecondsComponent: rest * Self.attosecondsPerNanosecond + Int64(step.fraction)
        )
        return time
    }

    /// The greatest number of nanoseconds, 146 years.
    private static let end: Int64 = .max / 2

    private static func nanoseconds(_ time: Duration) -> Int64 {
        let (seconds, attoseconds) = time.components
        guard abs(seconds) < end / nanosecondsPerSecond else { return seconds < 0 ? -end : end }
        return seconds * nanosecondsPerSecond + attoseconds / attosecondsPerNanosecond
    }
}

/// The frame around several records: the length of the records, a check of the length, and the checksum of the records.
enum FlightBlock {
    private static let checksLength = 2 + 4

    static func headLength(_ count: Int) -> Int {
        var rest = count >> 7
        var length = 1 + checksLength
        while rest > 0 {
            length += 1
            rest >>= 7
        }
        return length
    }

    static func write(_ content: [UInt8], into bytes: inout ByteBuffer) {
        var length: [UInt8] = []
        length.appendNumber(UInt64(content.count))
        bytes.writeBytes(length)
        bytes.writeInteger(check(length), endianness: .little)
        bytes.writeInteger(content.withUnsafeBytes(CRC32.checksum), endianness: .little)
        bytes.writeBytes(content)
    }

    /// The check of the length. With it, a wrong length is not mistaken for the end of the file.
    static func check(_ length: [UInt8]) -> UInt16 {
        UInt16(truncatingIfNeeded: length.withUnsafeBytes(CRC32.checksum))
    }

    /// The result of reading a block.
    enum Reading {
        case content(ByteBuffer)
        /// The file ends, possibly within a block.
        case end
        case damaged(String)
    }

    /// Reads the next block. If no whole block follows, `bytes` does not change.
    static func read(from bytes: inout ByteBuffer) -> Reading {
        guard bytes.readableBytes > 0 else { return .end }
        // After a power cut, a file can end with zeros: it was extended, but its bytes were not written.
        if bytes.readableBytesView.allZeros { return .end }
        var rest = bytes
        guard let length = rest.readNumber() else {
            return bytes.readableBytes < 10 ? .end : .damaged("no block begins at this position")
        }
        let lengthBytes = Array(bytes.readableBytesView.prefix(bytes.readableBytes - rest.readableBytes))
        guard let check: UInt16 = rest.readInteger(endianness: .little) else { return .end }
        guard check == Self.check(lengthBytes) else { return .damaged("no block begins at this position") }
        guard let checksum: UInt32 = rest.readInteger(endianness: .little) else { return .end }
        guard length <= UInt64(rest.readableBytes), let content = rest.readSlice(length: Int(length)) else {
            return .end
        }
        guard content.withUnsafeReadableBytes(CRC32.checksum) == checksum else {
            // The bytes of the last block may not have reached the disk.
            let isLast = rest.readableBytesView.allZeros
            return isLast ? .end : .damaged("the checksum of a block is wrong")
        }
        bytes = rest
        return .content(content)
    }
}

extension ByteBufferView {
    fileprivate var allZeros: Bool { allSatisfy { $0 == 0 } }
}

extension FlightTransition {
    /// Reads the fields of a journal entry about a transition; see `Core+Reports`.
    init(_ entry: JournalEntry) {
        self.init(chart: "", from: "", to: "", event: "")
        for field in entry.fields {
            switch field.name {
            case "CHART": chart = field.value
            case "FROM": from = field.value
            case "TO": to = field.value
            case "EVENT": event = field.value
            default: break
            }
        }
    }
}
