import Cameras
import Controller
import NIOCore

/// An input of the core and the transitions that followed.
package struct FlightRecord: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
        case input(Input)
        /// The core handled its next message to itself.
        case message
        /// An input that was too large to be recorded.
        case omitted
    }

    /// The number of the record, counted from 1 through all files of the run.
    package var number: Int
    /// The time of the input by the daemon's clock.
    package var time: Duration
    package var content: Content
    package var transitions: [FlightTransition]

    package init(number: Int, time: Duration, content: Content, transitions: [FlightTransition]) {
        self.number = number
        self.time = time
        self.content = content
        self.transitions = transitions
    }
}

/// Reads a file of a recording, record by record. The reader does not trust the file: it checks each length before use,
/// and limits the content of a record.
package struct FlightReader: Sendable {
    package let header: FlightHeader
    /// The number of the run's records in earlier files.
    package let recordsBefore: Int
    /// The number of bytes at the end that are not a whole block; known only after the end was reached.
    package private(set) var tornByteCount = 0

    private let byteCount: Int
    private var bytes: ByteBuffer
    private var block = ByteBuffer()
    /// The offset of the block's records in the file.
    private var fields = FieldReader()
    private var transitions: [FlightTransition] = []
    private var clock: FlightClock
    private var number: Int
    private var failure: FlightError?

    /// - Throws: a `FlightError` if this is not a readable recording.
    package init(_ file: ByteBuffer) throws(FlightError) {
        var bytes = file.slice()
        byteCount = bytes.readableBytes
        guard bytes.readBytes(length: FlightFormat.mark.count) == FlightFormat.mark,
            let version: UInt8 = bytes.readInteger(), version > 0
        else { throw .notARecording }
        let offset = byteCount - bytes.readableBytes
        switch FlightBlock.read(from: &bytes) {
        case .content(let content): fields.begin(content)
        case .end where version == FlightFormat.version:
            throw .damaged(offset: offset, "it ends inside its header")
        case .damaged(let what) where version == FlightFormat.version: throw .damaged(offset: offset, what)
        case .end, .damaged: break
        }
        guard version == FlightFormat.version else {
            throw .otherFormat(Int(version), version: try? fields.text())
        }
        do throws(FieldError) {
            (header, recordsBefore) = try FlightHeader.read(from: &fields)
        } catch {
            throw .damaged(offset: offset, error.what)
        }
        self.bytes = bytes
        clock = FlightClock(header.clock)
        number = recordsBefore
    }

    /// Reads the next record. Returns nil at the end, see ``tornByteCount``.
    ///
    /// - Throws: `FlightError.damaged`, and then at every later call too, because the later records cannot be located.
    package mutating func next() throws(FlightError) -> FlightRecord? {
        if let failure { throw failure }
        while block.readableBytes == 0 {
            let offset = byteCount - bytes.readableBytes
            switch FlightBlock.read(from: &bytes) {
            case .content(let content): block = content
            case .end:
                tornByteCount = bytes.readableBytes
                return nil
            case .damaged(let what): throw fail(at: offset, what)
            }
        }
        let offset = byteCount - bytes.readableBytes - block.readableBytes
        guard let length = block.readNumber(), length > 0, length <= FlightFormat.recordMax,
            let record = block.readSlice(length: Int(length))
        else { throw fail(at: offset, "no record begins at this position") }
        do throws(FieldError) {
            return try read(record)
        } catch {
            throw fail(at: offset, error.what)
        }
    }

    private mutating func fail(at offset: Int, _ what: String) -> FlightError {
        let error = FlightError.damaged(offset: offset, what)
        failure = error
        return error
    }

    private mutating func read(_ record: ByteBuffer) throws(FieldError) -> FlightRecord {
        fields.begin(record)
        let shape = FlightShape(try fields.byte())
        let step = FlightClock.Step(
            nanoseconds: try fields.number(),
            fraction: shape.hasFraction ? try fields.number() : 0
        )
        let before = clock.time
        guard let time = clock.follow(step), time >= before else {
            throw FieldError("the time of a record is out of range")
        }
        let content: FlightRecord.Content
        switch shape.kind {
        case FlightShape.message: content = .message
        case FlightShape.omitted:
            content = .omitted
            fields.forget()
            transitions.removeAll()
        case FlightShape.input: content = .input(try FieldDecoder.read(from: &fields))
        case FlightShape.received:
            let generation = LinkGeneration(rawValue: try fields.number(UInt32.self))
            guard let link = LinkID(rawValue: try fields.number(UInt8.self)) else {
                throw FieldError("the link is not defined")
            }
            content = .input(.link(generation, .received(link, try fields.octets())))
        default: throw FieldError("the record kind \(shape.kind) is unknown")
        }
        var led: [FlightTransition] = []
        while shape.hasTransitions, !fields.isAtEnd { led.append(try transition()) }
        guard fields.isAtEnd else { throw FieldError("a record is longer than its content") }
        number += 1
        return FlightRecord(number: number, time: time, content: content, transitions: led)
    }

    private mutating func transition() throws(FieldError) -> FlightTransition {
        let number = try fields.number()
        if number > 0 {
            guard number <= UInt64(transitions.count) else {
                throw FieldError("the transition \(number) is not defined")
            }
            return transitions[Int(number) - 1]
        }
        let transition = FlightTransition(
            chart: try fields.text(),
            from: try fields.text(),
            to: try fields.text(),
            event: try fields.text()
        )
        if transitions.count < FlightFormat.transitionsMax { transitions.append(transition) }
        return transition
    }
}
