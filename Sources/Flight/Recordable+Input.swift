import Cameras
import Controller
import NIOCore

extension Input {
    /// What it is called in a recording; 0 and 1 mean something else, and none is greater than 63. A message has none: the
    /// core makes it anew.
    var recordKind: UInt8? {
        switch self {
        case .message: nil
        case .started: 2
        case .deadline: 3
        case .link: 4
        case .request: 5
        case .requestCancelled: 6
        case .network: 7
        case .ssdp: 8
        case .fetched: 9
        case .picture: 10
        case .room: 11
        case .ledger: 12
        case .inspected: 13
        case .stop: 14
        case .button: 15
        case .planKept: 16
        case .configured: 17
        }
    }

    /// Writes what it carries.
    ///
    /// - Parameter blanks: what of received bytes is not to be written.
    func write(to writer: inout FieldWriter, except blanks: [Range<Int>]) {
        switch self {
        case .started, .deadline, .stop, .message:
            break
        case .link(let generation, let event):
            writer.number(generation.rawValue)
            event.write(to: &writer, except: blanks)
        case .request(let id, let request):
            writer.number(id.rawValue)
            writer.value(request)
        case .requestCancelled(let id):
            writer.number(id.rawValue)
        case .network(let snapshot):
            writer.value(snapshot)
        case .ssdp(let datagram):
            writer.value(datagram)
        case .fetched(let id, let outcome):
            writer.number(id.rawValue)
            writer.value(outcome)
        case .picture(let id, let outcome):
            writer.number(id.rawValue)
            writer.value(outcome)
        case .room(let isThere):
            writer.flag(isThere)
        case .ledger(let news):
            writer.value(news)
        case .inspected(let findings):
            writer.value(findings)
        case .configured(let configuration):
            writer.value(configuration)
        case .button(let news):
            writer.value(news)
        case .planKept(let id, let trouble):
            writer.number(id.rawValue)
            writer.optional(trouble)
        }
    }

    init(kind: UInt8, from reader: inout FieldReader) throws(FieldError) {
        switch kind {
        case 2: self = .started
        case 3: self = .deadline
        case 4: self = .link(LinkGeneration(rawValue: try reader.number(UInt32.self)), try reader.value())
        case 5: self = .request(RequestID(rawValue: try reader.number()), try reader.value())
        case 6: self = .requestCancelled(RequestID(rawValue: try reader.number()))
        case 7: self = .network(try reader.value())
        case 8: self = .ssdp(try reader.value())
        case 9: self = .fetched(FetchID(rawValue: try reader.number(UInt32.self)), try reader.value())
        case 10: self = .picture(PictureID(rawValue: try reader.number(UInt32.self)), try reader.value())
        case 11: self = .room(isThere: try reader.flag())
        case 12: self = .ledger(try reader.value())
        case 13: self = .inspected(try reader.value())
        case 14: self = .stop
        case 15: self = .button(try reader.value())
        case 16: self = .planKept(RequestID(rawValue: try reader.number()), trouble: try reader.optionalText())
        case 17: self = .configured(try reader.value())
        default: throw FieldError("there is no input \(kind)")
        }
    }
}

extension LinkEvent: Recordable {
    func write(to writer: inout FieldWriter) { write(to: &writer, except: []) }

    func write(to writer: inout FieldWriter, except blanks: [Range<Int>]) {
        switch self {
        case .opened(let channel):
            writer.byte(0)
            writer.value(channel)
        case .openFailed(let channel, let reason, let cause):
            writer.byte(1)
            writer.value(channel)
            writer.text(reason)
            writer.value(cause)
        case .received(let channel, let bytes):
            writer.byte(2)
            writer.value(channel)
            bytes.withUnsafeReadableBytes { writer.octets($0, except: blanks) }
        case .closed(let channel, let reason):
            writer.byte(3)
            writer.value(channel)
            writer.optional(reason)
        }
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        switch try reader.byte() {
        case 0: self = .opened(try reader.value())
        case 1: self = .openFailed(try reader.value(), reason: try reader.text(), cause: try reader.value())
        case 2: self = .received(try reader.value(), try reader.octets())
        case 3: self = .closed(try reader.value(), reason: try reader.optionalText())
        case let other: throw FieldError("there is no event \(other) of a connection")
        }
    }
}

extension LinkID: NumberedChoice {
    var number: UInt8 { rawValue }
}

extension OpenFailure: NumberedChoice {
    package static var allCases: [OpenFailure] { [.refused, .timedOut, .unreachable, .other] }

    var number: UInt8 {
        switch self {
        case .refused: 0
        case .timedOut: 1
        case .unreachable: 2
        case .other: 3
        }
    }
}

extension Request: Recordable {
    func write(to writer: inout FieldWriter) {
        switch self {
        case .getStatus: writer.byte(0)
        case .plan(let plan):
            writer.byte(1)
            writer.value(plan)
        case .shoot(let plan, let streams, let drops):
            writer.byte(2)
            writer.value(plan)
            writer.flag(streams)
            writer.flag(drops)
        case .pause(let withRedo):
            writer.byte(3)
            writer.flag(withRedo)
        case .resume: writer.byte(4)
        case .cancel: writer.byte(5)
        case .retry(let streams):
            writer.byte(6)
            writer.flag(streams)
        case .dismiss: writer.byte(7)
        case .watch: writer.byte(8)
        case .getCamera: writer.byte(9)
        case .setProperty(let name, let value):
            writer.byte(10)
            writer.text(name)
            writer.text(value)
        case .getPhotos: writer.byte(11)
        case .watchPhotos: writer.byte(12)
        case .readLedger(let query):
            writer.byte(13)
            writer.value(query)
        case .redo: writer.byte(14)
        case .preflight(let plan):
            writer.byte(15)
            writer.value(plan)
        case .inspect: writer.byte(16)
        case .getCameras: writer.byte(17)
        case .watchCameras: writer.byte(18)
        case .connect(let target):
            writer.byte(19)
            writer.value(target)
        case .disconnect: writer.byte(20)
        case .arm(let plan):
            writer.byte(21)
            writer.optional(plan)
        case .follow(let streams):
            writer.byte(22)
            writer.flag(streams)
        case .retryShoot(let shoot, let streams, let drops):
            writer.byte(25)
            writer.signed(shoot)
            writer.flag(streams)
            writer.flag(drops)
        case .resumeShoot(let shoot, let drops):
            writer.byte(26)
            writer.signed(shoot)
            writer.flag(drops)
        }
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        switch try reader.byte() {
        case 0: self = .getStatus
        case 1: self = .plan(try reader.value())
        case 2:
            let (plan, streams): (PlanInput, Bool) = (try reader.value(), try reader.flag())
            // Before format 3 every shoot dropped what the last one lacked.
            self = .shoot(plan, streams: streams, drops: reader.format < 3 ? true : try reader.flag())
        case 3: self = .pause(withRedo: try reader.flag())
        case 4: self = .resume
        case 5: self = .cancel
        case 6: self = .retry(streams: try reader.flag())
        case 7: self = .dismiss
        case 8: self = .watch
        case 9: self = .getCamera
        case 10: self = .setProperty(name: try reader.text(), value: try reader.text())
        case 11: self = .getPhotos
        case 12: self = .watchPhotos
        case 13: self = .readLedger(try reader.value())
        case 14: self = .redo
        case 15: self = .preflight(try reader.value())
        case 16: self = .inspect
        case 17: self = .getCameras
        case 18: self = .watchCameras
        case 19: self = .connect(try reader.value())
        case 20: self = .disconnect
        case 21: self = .arm(try reader.optional())
        case 22: self = .follow(streams: try reader.flag())
        // An older shoot that went on always dropped what the last one lacked.
        case 23: self = .retryShoot(try reader.integer(), streams: try reader.flag(), drops: true)
        case 24: self = .resumeShoot(try reader.integer(), drops: true)
        case 25:
            self = .retryShoot(try reader.integer(), streams: try reader.flag(), drops: try reader.flag())
        case 26: self = .resumeShoot(try reader.integer(), drops: try reader.flag())
        case let other: throw FieldError("there is no request \(other)")
        }
    }
}

extension ButtonNews: Recordable {
    func write(to writer: inout FieldWriter) {
        switch self {
        case .line(let isPressed):
            writer.byte(0)
            writer.flag(isPressed)
        case .gone:
            writer.byte(1)
        case .edge(let isPressed, let time):
            writer.byte(2)
            writer.flag(isPressed)
            writer.value(time)
        }
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        switch try reader.byte() {
        case 0: self = .line(isPressed: try reader.flag())
        case 1: self = .gone
        case 2: self = .edge(isPressed: try reader.flag(), at: try reader.value())
        case let other: throw FieldError("there is no news \(other) of a button")
        }
    }
}

extension PlanInput: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.optional(shadow)
        writer.optional(highlight)
        writer.optional(frames)
        writer.optional(spacing) { $0.real($1) }
        writer.optional(biasThirds)
        writer.optional(shareOnce) { $0.flag($1) }
        writer.optional(strict) { $0.flag($1) }
        writer.optional(hash)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        self.init(
            shadow: try reader.optionalText(),
            highlight: try reader.optionalText(),
            // A client may ask for anything.
            frames: try reader.optional { reader throws(FieldError) in Int(try reader.signed()) },
            spacing: try reader.optional { reader throws(FieldError) in try reader.real() },
            biasThirds: try reader.optional { reader throws(FieldError) in Int(try reader.signed()) },
            shareOnce: try reader.optional { reader throws(FieldError) in try reader.flag() },
            strict: try reader.optional { reader throws(FieldError) in try reader.flag() },
            hash: try reader.optionalText()
        )
    }
}

extension LedgerQuery: Recordable {
    func write(to writer: inout FieldWriter) {
        switch self {
        case .shoots(let limit, let before):
            writer.byte(0)
            writer.signed(limit)
            writer.optional(before)
        case .shoot(let id):
            writer.byte(1)
            writer.signed(id)
        }
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        switch try reader.byte() {
        case 0:
            self = .shoots(
                limit: Int(try reader.signed()),
                before: try reader.optional { reader throws(FieldError) in Int(try reader.signed()) }
            )
        case 1: self = .shoot(Int(try reader.signed()))
        case let other: throw FieldError("there is no question \(other) to the ledger")
        }
    }
}

extension ConnectTarget: Recordable {
    func write(to writer: inout FieldWriter) {
        switch self {
        case .text(let text):
            writer.byte(0)
            writer.text(text)
        case .last: writer.byte(1)
        }
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        switch try reader.byte() {
        case 0: self = .text(try reader.text())
        case 1: self = .last
        case let other: throw FieldError("no camera is named by \(other)")
        }
    }
}

extension SSDPDatagram: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.value(from)
        writer.number(interface)
        writer.octets(bytes)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        self.init(from: try reader.value(), interface: try reader.number(UInt32.self), bytes: try reader.octets())
    }
}

extension FetchOutcome: Recordable {
    func write(to writer: inout FieldWriter) {
        switch self {
        case .body(let body):
            writer.byte(0)
            writer.octets(body)
        case .failed(let reason):
            writer.byte(1)
            writer.text(reason)
        }
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        switch try reader.byte() {
        case 0: self = .body(try reader.octets())
        case 1: self = .failed(try reader.text())
        case let other: throw FieldError("nothing is fetched with outcome \(other)")
        }
    }
}

extension PictureOutcome: Recordable {
    func write(to writer: inout FieldWriter) {
        switch self {
        case .stored(let picture):
            writer.byte(0)
            writer.value(picture)
        case .failed(let sentence, let isFull):
            writer.byte(1)
            writer.text(sentence)
            writer.flag(isFull)
        }
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        switch try reader.byte() {
        case 0: self = .stored(try reader.value())
        case 1: self = .failed(sentence: try reader.text(), isFull: try reader.flag())
        case let other: throw FieldError("no picture has outcome \(other)")
        }
    }
}

extension StoredPicture: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.text(path)
        writer.number(byteCount)
        writer.value(metadata)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        self.init(path: try reader.text(), byteCount: try reader.number(), metadata: try reader.value())
    }
}

extension PictureMetadata: Recordable {
    func write(to writer: inout FieldWriter) {
        switch self {
        case .read(let record):
            writer.byte(0)
            writer.value(record)
        case .unreadable(let reason):
            writer.byte(1)
            writer.text(reason)
        case .notRead(let reason):
            writer.byte(2)
            writer.text(reason)
        }
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        switch try reader.byte() {
        case 0: self = .read(try reader.value())
        case 1: self = .unreadable(try reader.text())
        case 2: self = .notRead(try reader.text())
        case let other: throw FieldError("there is no metadata \(other)")
        }
    }
}

extension ExposureRecord: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.optional(exposureTime)
        writer.optional(fNumber)
        writer.optional(iso) { $0.number($1) }
        writer.optional(capturedAt)
        writer.optional(model)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        self.init(
            exposureTime: try reader.optional(),
            fNumber: try reader.optional(),
            iso: try reader.optional { reader throws(FieldError) in try reader.number(UInt32.self) },
            capturedAt: try reader.optionalText(),
            model: try reader.optionalText()
        )
    }
}

extension ExposureRecord.Fraction: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.number(numerator)
        writer.number(denominator)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        let (numerator, denominator) = (try reader.number(UInt32.self), try reader.number(UInt32.self))
        guard let fraction = Self(numerator, denominator) else {
            throw FieldError("\(numerator)/\(denominator) is no fraction")
        }
        self = fraction
    }
}

extension HostFindings: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.list(machine)
        writer.list(network)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        self.init(machine: try reader.list(), network: try reader.list())
    }
}

extension Check: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.text(name)
        writer.value(result)
        writer.text(sentence)
        writer.optional(advice)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        self.init(try reader.text(), try reader.value(), try reader.text(), advice: try reader.optionalText())
    }
}

extension Check.Result: NumberedChoice {
    var number: UInt8 {
        switch self {
        case .pass: 0
        case .warn: 1
        case .fail: 2
        case .skipped: 3
        }
    }
}
