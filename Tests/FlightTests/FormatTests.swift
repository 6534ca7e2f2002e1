import Bodies
import Cameras
import Exposure
import NIOCore
import Testing
import Worlds

@testable import Controller
@testable import Flight

/// Tests that records are read as they were written, and the treatment of damaged and hostile files.
@Suite struct FormatTests {
    private static let header = FlightHeader(
        version: "0.1.0",
        configuration: Samples.configuration,
        charts: ["connection": "ab", "shooting": "cd"],
        began: 1_700_000_000_123,
        clock: .milliseconds(3)
    )

    private static func transition(_ number: Int) -> Effect {
        let fields = ["CHART": "shooting", "FROM": "a\(number)", "TO": "b", "EVENT": "e"].sorted { $0.key < $1.key }
        return .journal(
            JournalEntry(level: .info, kind: .transition, message: "", fields: fields.map { .init($0.key, $0.value) })
        )
    }

    private static func recorded(_ number: Int) -> FlightTransition {
        FlightTransition(chart: "shooting", from: "a\(number)", to: "b", event: "e")
    }

    /// A file with every sample. Each block has `count` records.
    static func samples(blocksOf count: Int = 5) throws -> ByteBuffer {
        try file(of: Samples.inputs(), blocksOf: count)
    }

    private static func file(of inputs: [Input], blocksOf count: Int = 5) -> ByteBuffer {
        var writer = FlightWriter(header)
        var file = writer.takeBytes()
        for (index, input) in inputs.enumerated() {
            var effects: [Effect] = []
            if case .link(_, .received(_, let bytes)) = input { effects = [.record([0..<bytes.readableBytes])] }
            if index % 3 == 0 { effects += [transition(index), transition(0)] }
            writer.note(input, at: .milliseconds(3 + 10 * index), effects)
            if index % count == 0 { file.writeImmutableBuffer(writer.takeBytes()) }
        }
        file.writeImmutableBuffer(writer.takeBytes())
        return file
    }

    static func expected() throws -> [FlightRecord] { records(of: try Samples.inputs()) }

    private static func records(of inputs: [Input]) -> [FlightRecord] {
        inputs.enumerated().map { index, input in
            FlightRecord(
                number: index + 1,
                time: .milliseconds(3 + 10 * index),
                content: .input(input),
                transitions: index % 3 == 0 ? [recorded(index), recorded(0)] : []
            )
        }
    }

    /// All readable records, the error that ended reading, and the number of torn bytes.
    private func read(_ file: ByteBuffer) throws -> (records: [FlightRecord], error: FlightError?, torn: Int) {
        var reader = try FlightReader(file)
        var records: [FlightRecord] = []
        do {
            while let record = try reader.next() { records.append(record) }
        } catch {
            return (records, error, 0)
        }
        return (records, nil, reader.tornByteCount)
    }

    // MARK: Round trips

    @Test func `every kind of input has a sample`() throws {
        let kinds = Set(try Samples.inputs().map(Samples.kind))
        #expect(kinds.count == Samples.kindCount, "\(kinds.sorted())")
    }

    @Test func `every kind of input is read as it was written`() throws {
        let (records, error, torn) = try read(Self.samples())
        #expect(error == nil)
        #expect(torn == 0)
        let expected = try Self.expected()
        #expect(records.count == expected.count)
        for (record, expected) in zip(records, expected) { #expect(record == expected) }
    }

    @Test func `the header is read as it was written, without our identity for cameras`() throws {
        var header = Self.header
        header.configuration.identity.guid = Array(1...16)
        header.part = 3
        var writer = FlightWriter(header)
        let file = writer.takeBytes()
        header.configuration.identity.guid = Self.header.configuration.identity.guid
        #expect(try FlightReader(file).header == header)
    }

    /// This finds a field that was added to a type but not to its sample, and would therefore not be tested.
    @Test func `no field of the samples is empty`() throws {
        let full: [Any] = [
            Samples.plan, Samples.network, Samples.discovery[0], Samples.pictures[0], Samples.frames[0],
            try Samples.shoots()[0], try Samples.opened(Samples.camera), Samples.checks[0], Samples.configuration,
            Samples.goal,
        ]
        for value in full { expectFull(value, path: "\(type(of: value))") }
    }

    private func expectFull(_ value: Any, path: String) {
        if let text = value as? String { #expect(!text.isEmpty, "\(path)") }
        // `every-input-7.rec` is older than goals. The samples of metering have one.
        guard !(value is ByteBuffer), !path.hasSuffix(".goal") else { return }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: #expect(!mirror.children.isEmpty, "\(path) is nil")
        case .collection, .set, .dictionary: #expect(!mirror.children.isEmpty, "\(path) is empty")
        default: break
        }
        // Checks and frames occur several times, some without all fields.
        let children = mirror.displayStyle == .collection ? Array(mirror.children.prefix(1)) : Array(mirror.children)
        for child in children { expectFull(child.value, path: "\(path).\(child.label ?? "")") }
    }

    @Test func `times are exact, however fine the clock`() throws {
        let times: [Duration] = [
            .milliseconds(3), .milliseconds(3), .nanoseconds(3_000_001),
            .milliseconds(3) + Duration(secondsComponent: 0, attosecondsComponent: 1_000_000_001),
            .seconds(32) / 3, .seconds(1 << 32),
        ]
        var writer = FlightWriter(Self.header)
        for time in times { writer.note(.deadline, at: time, []) }
        #expect(try read(writer.takeBytes()).records.map(\.time) == times)
    }

    @Test func `messages are recorded by their position, and take few bytes`() throws {
        var writer = FlightWriter(Self.header)
        writer.note(.deadline, at: .seconds(1), [.enqueue(.waveOver)])
        _ = writer.byteCount
        let before = writer.byteCount
        writer.note(.message(.waveOver), at: .seconds(1), [])
        #expect(writer.byteCount - before == 3)
        #expect(try read(writer.takeBytes()).records.map(\.content) == [.input(.deadline), .message])
    }

    @Test func `pending bytes are counted`() throws {
        var writer = FlightWriter(Self.header)
        for count in 0..<3000 {
            let waiting = writer.byteCount
            if count % 501 == 0 { #expect(writer.takeBytes().readableBytes == waiting) }
            writer.note(.requestCancelled(RequestID(rawValue: UInt64(count) << 40)), at: .seconds(count), [])
        }
        let waiting = writer.byteCount
        #expect(writer.takeBytes().readableBytes == waiting)
        #expect(writer.byteCount == 0)
    }

    @Test func `transitions without a number are written in full`() throws {
        var writer = FlightWriter(Self.header)
        for number in 0..<1500 { writer.note(.deadline, at: .seconds(1), [Self.transition(number)]) }
        for number in 0..<1500 { writer.note(.deadline, at: .seconds(1), [Self.transition(number)]) }
        let records = try read(writer.takeBytes()).records
        #expect(records.map(\.transitions) == (0..<3000).map { [Self.recorded($0 % 1500)] })
    }

    private static func http(_ number: Int, _ event: HTTPEvent) -> Input {
        .http(.discovery, HTTPRequestID(rawValue: UInt32(number)), event)
    }

    @Test func `an input that is too large is marked as missing, and recording continues`() throws {
        var writer = FlightWriter(Self.header)
        let large = ByteBuffer(repeating: 7, count: FlightFormat.unfoldedMax + 1)
        let failed = HTTPEvent.failed(.broken(reason: "a long reason"))
        for (time, event) in [(1, failed), (2, .body(large)), (3, failed)] {
            writer.note(Self.http(1, event), at: .seconds(time), [Self.transition(1)])
        }
        let records = try read(writer.takeBytes()).records
        #expect(records.map(\.content).dropFirst() == [.omitted, records[0].content])
        #expect(records.map(\.transitions) == [[Self.recorded(1)], [], [Self.recorded(1)]])
        #expect(records.map(\.time) == [.seconds(1), .seconds(2), .seconds(3)])
    }

    /// Bytes like those of a camera: many of them repeat, at other positions.
    @Test(arguments: 0..<20) func `repeated bytes are read as they were written`(seed: UInt64) throws {
        var generator = KnuthGenerator(seed: seed)
        var sheet = (0..<generator.draw(9000)).map { _ in UInt8(generator.draw(seed % 2 == 0 ? 256 : 4)) }
        var bodies: [ByteBuffer] = []
        var writer = FlightWriter(Self.header)
        for number in 0..<80 {
            for _ in 0..<generator.draw(6) where !sheet.isEmpty { sheet[generator.draw(sheet.count)] = 7 }
            let start = generator.draw(sheet.count + 1)
            let body = ByteBuffer(bytes: sheet[start..<start + generator.draw(sheet.count - start + 1)] + sheet)
            bodies.append(body)
            writer.note(Self.http(number, .body(body)), at: .seconds(number), [])
        }
        let contents = bodies.enumerated().map { number, body in
            FlightRecord.Content.input(Self.http(number, .body(body)))
        }
        #expect(try read(writer.takeBytes()).records.map(\.content) == contents)
    }

    @Test func `only the marked parts of a camera's bytes are kept`() throws {
        let bytes = ByteBuffer(bytes: 1...100)
        let input = Input.link(Samples.generation, .received(.command, bytes))
        let marks: [[Effect]] = [
            [], [.record([])], [.record([0..<100])], [.record([0..<4, 90..<100])], [.record([10..<20, 20..<30])],
            // These parts belong to other bytes of the connection.
            [.record([0..<101])], [.record([50..<60, 40..<45])],
        ]
        var writer = FlightWriter(Self.header)
        for effects in marks { writer.note(input, at: .seconds(1), effects) }
        let kept: [[Range<Int>]] = [[], [], [0..<100], [0..<4, 90..<100], [10..<30], [], [50..<60]]
        let expected = kept.map { parts in
            ByteBuffer(bytes: (0..<100).map { index in parts.contains { $0.contains(index) } ? UInt8(index + 1) : 0 })
        }
        #expect(
            try read(writer.takeBytes()).records.map(\.content)
                == expected.map {
                    FlightRecord.Content.input(.link(Samples.generation, .received(.command, $0)))
                }
        )
    }

    // MARK: Damage

    /// The samples in several files. The tests read a file once for each of its bytes, so the time grows with the
    /// square of its size. One more record at the end is the last block, so every sample is before the last block.
    private static let parts: [[Input]] = {
        let inputs = (try? Samples.inputs()) ?? []
        return stride(from: 0, to: inputs.count, by: 11).map { Array(inputs[$0...].prefix(11)) + [.deadline] }
    }()

    @Test(arguments: parts.indices)
    func `a file that is cut at any byte is read up to its last complete block`(part: Int) throws {
        let file = Self.file(of: Self.parts[part])
        let expected = Self.records(of: Self.parts[part])
        var counts: Set<Int> = []
        for length in 0..<file.readableBytes {
            let part = file.getSlice(at: 0, length: length) ?? ByteBuffer()
            guard let (records, error, _) = try? read(part) else { continue }
            #expect(error == nil, "\(length)")
            #expect(records == Array(expected.prefix(records.count)), "\(length)")
            counts.insert(records.count)
        }
        // The end of each block of five records.
        #expect(counts.isSuperset(of: [0] + stride(from: 1, to: expected.count, by: 5)))
    }

    @Test func `trailing zeros count as a torn file`() throws {
        var file = try Self.samples()
        let whole = file.readableBytes
        file.writeRepeatingByte(0, count: 4096)
        let (records, error, torn) = try read(file)
        #expect(try records == Self.expected())
        #expect(error == nil)
        #expect(torn == 4096)
        var cut = file.getSlice(at: 0, length: whole - 3) ?? ByteBuffer()
        cut.writeRepeatingByte(0, count: 4096)
        #expect(try read(cut).error == nil)
        #expect(try read(cut).torn > 4096)
    }

    @Test(arguments: parts.indices)
    func `a flipped bit anywhere is noticed, and does not count as the end`(part: Int) throws {
        let file = Self.file(of: Self.parts[part])
        let expected = Self.records(of: Self.parts[part])
        // Damage in the last block cannot be distinguished from a torn file.
        var lastBlock = file.readableBytes
        var rest = file.getSlice(at: FlightFormat.mark.count + 1, length: lastBlock - FlightFormat.mark.count - 1)
        while let left = rest?.readableBytes, left > 0 {
            lastBlock = left
            guard var blocks = rest, case .content = FlightBlock.read(from: &blocks) else { break }
            rest = blocks
        }
        for index in 0..<file.readableBytes {
            var flipped = file
            let byte = file.getInteger(at: index, as: UInt8.self) ?? 0
            flipped.setInteger(byte ^ 1 << UInt8(index % 8), at: index)
            guard let (records, error, torn) = try? read(flipped) else { continue }
            #expect(records == Array(expected.prefix(records.count)), "\(index)")
            #expect(error != nil || torn > 0, "\(index)")
            if index < file.readableBytes - lastBlock { #expect(error != nil, "\(index)") }
        }
    }

    /// The position at which the block of this byte begins.
    private func blockStart(of place: Int, in file: ByteBuffer) -> Int {
        var blocks = file
        blocks.moveReaderIndex(forwardBy: FlightFormat.mark.count + 1)
        var start = blocks.readerIndex
        while case .content = FlightBlock.read(from: &blocks), blocks.readerIndex <= place {
            start = blocks.readerIndex
        }
        return start
    }

    @Test func `damage is reported with its position at every call`() throws {
        var file = try Self.samples()
        let place = file.readableBytes / 2
        let start = blockStart(of: place, in: file)
        file.setInteger((file.getInteger(at: place, as: UInt8.self) ?? 0) ^ 0x10, at: place)
        var reader = try FlightReader(file)
        var count = 0
        var first: FlightError?
        do {
            while try reader.next() != nil { count += 1 }
        } catch {
            first = error
        }
        #expect(count > 10)
        guard let first, case .damaged(let offset, _) = first else {
            Issue.record("no damage found")
            return
        }
        #expect(offset == start)
        #expect(throws: first) { try reader.next() }
    }

    @Test func `another file and another format are reported as such`() throws {
        #expect(throws: FlightError.notARecording) { try FlightReader(ByteBuffer()) }
        #expect(throws: FlightError.notARecording) { try FlightReader(ByteBuffer(string: "bracketd-flighty\n\u{1}")) }
        var later = try Self.samples()
        later.setInteger(FlightFormat.version + 1, at: FlightFormat.mark.count)
        let error = FlightError.otherFormat(8, version: "0.1.0")
        #expect(throws: error) { try FlightReader(later) }
        #expect(error.sentence.contains("has format 8. This program reads format 7."))
        #expect(error.sentence.contains("bracketd 0.1.0"))
        // A future format with another header.
        let strange = later.getSlice(at: 0, length: FlightFormat.mark.count + 1) ?? ByteBuffer()
        #expect(throws: FlightError.otherFormat(8, version: nil)) { try FlightReader(strange) }
    }

    // MARK: Hostile files

    /// A file that contains only this record and has valid checksums.
    private func file(_ record: [UInt8]) -> ByteBuffer {
        var length: [UInt8] = []
        length.appendNumber(UInt64(record.count))
        return file(block: length + record)
    }

    private func file(block: [UInt8]) -> ByteBuffer {
        var writer = FlightWriter(Self.header)
        var file = writer.takeBytes()
        FlightBlock.write(block, into: &file)
        return file
    }

    /// The record of an input with this shape.
    private static func input(_ shape: [UInt8], _ values: [UInt8] = [], flags: UInt8 = 0) -> [UInt8] {
        [2 << 2 | flags, 0, 1, UInt8(shape.count)] + shape + values
    }

    /// A name that occurs for the first time.
    private static func name(_ text: String) -> [UInt8] { [1, UInt8(text.utf8.count)] + text.utf8 }

    private static let deadline = name("deadline") + [0]
    /// The beginning of a record of bytes from link 0 of generation 1.
    private static let received: [UInt8] = [3 << 2, 0, 1, 0]

    @Test func `a complete record is read`() throws {
        let bytes = LinkEvent.received(.command, ByteBuffer(bytes: [7, 8]))
        let deadline = try read(file(Self.input(Self.deadline))).records
        #expect(deadline.map(\.content) == [FlightRecord.Content.input(.deadline)])
        let received = try read(file(Self.received + [2, 7, 8])).records
        #expect(received.map(\.content) == [.input(.link(LinkGeneration(rawValue: 1), bytes))])
    }

    @Test(
        arguments: [
            // The errors: an unknown kind, a message with extra bytes, a time beyond the range.
            [63 << 2, 0], [0, 0, 9], [2 << 2, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 1, 11] + deadline,
            // The errors: a number without an end, a number that is too large.
            [2 << 2] + Array(repeating: 255, count: 30), [2 << 2, 255, 255, 255, 255, 255, 255, 255, 255, 255, 127],
            // The shape is missing, has an unknown number, is shorter than its length, or is longer than the record.
            [2 << 2, 0], [2 << 2, 0, 2], [2 << 2, 0, 1, 12] + deadline,
            [2 << 2, 0, 1, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1],
            // The name is missing, unknown, a number without a name, or not UTF-8. Or an end is missing, or more
            // follows it.
            input([0]), input(name("xyz") + [0]), input([2, 0]), input([1, 2, 0xC3, 0x28, 0]),
            input(Array(deadline.dropLast())), input(deadline + [0]), input(name("deadline") + name("stop") + [0]),
            // A field has another name, or there is an extra field.
            input(name("room") + name("isNotThere") + [0], [1]),
            input(name("room") + name("isThere") + name("more") + [0], [1, 1]),
            // A list has no end, or an address has five bytes.
            input(name("network") + name("_0") + name("interfaces") + [1]),
            input(name("ssdp") + name("_0") + name("from") + [0, 0], [5, 1, 2, 3, 4, 5]),
            // The bytes are beyond the limit, endless zeros, missing, or longer than announced.
            received + [255, 255, 255, 255, 255, 255, 255, 255, 255, 1], received + [9, 3],
            received + [9, 0], received + [9, 43],
            // A reference is to bytes before the beginning, to itself, or out of reach.
            received + [9, 37, 255, 255, 3], received + [9, 37, 0], received + [9, 38, 1],
            // A transition has an unknown number, or a time has a fraction greater than a nanosecond.
            input(deadline, [0, 7], flags: 2), [2 << 2 | 1, 0, 255, 255, 255, 255, 255, 255, 255, 1, 1, 11] + deadline,
        ] as [[UInt8]]
    )
    func `an invalid record is damage`(record: [UInt8]) throws {
        let (records, error, _) = try read(file(record))
        #expect(records.isEmpty)
        guard case .damaged? = error else {
            Issue.record("\(record) was taken")
            return
        }
    }

    @Test(arguments: [[0], [255], [5, 0], [255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 0]] as [[UInt8]])
    func `a record that is longer than its block is damage`(block: [UInt8]) throws {
        #expect(try read(file(block: block)).error != nil)
    }

    @Test(arguments: 0..<8) func `any content with valid checksums is read to an end`(seed: UInt64) throws {
        var generator = KnuthGenerator(seed: seed)
        // The header is skipped, so that only the bytes of the records are changed.
        var whole = FlightWriter(Self.header)
        let headLength = whole.takeBytes().readableBytes
        var records: [UInt8] = []
        var blocks = try Self.samples(blocksOf: .max)
        blocks.moveReaderIndex(forwardBy: headLength)
        while case .content(let block) = FlightBlock.read(from: &blocks) { records += block.readableBytesView }
        #expect(records.count > 1000)
        for _ in 0..<400 {
            var changed = records
            for _ in 0...generator.draw(4) { changed[generator.draw(changed.count)] = UInt8(generator.draw(256)) }
            let file = file(block: changed)
            _ = try read(file)
        }
    }
}

/// Reproducible random numbers (Knuth's MMIX generator).
struct KnuthGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15 }

    /// A number from 0 to `bound` - 1.
    mutating func draw(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return bound > 0 ? Int(state >> 33) % bound : 0
    }
}
