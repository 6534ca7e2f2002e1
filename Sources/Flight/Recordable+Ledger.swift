import Controller
import Exposure

extension LedgerNews: Recordable {
    func write(to writer: inout FieldWriter) {
        switch self {
        case .opened(let contents):
            writer.byte(0)
            writer.value(contents)
        case .unavailable(let sentence):
            writer.byte(1)
            writer.text(sentence)
        case .committed: writer.byte(2)
        case .failed(let sentence):
            writer.byte(3)
            writer.text(sentence)
        case .read(let id, let answer):
            writer.byte(4)
            writer.number(id.rawValue)
            writer.value(answer)
        case .room(let freeBytes):
            writer.byte(5)
            writer.signed(freeBytes)
        }
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        switch try reader.byte() {
        case 0: self = .opened(try reader.value())
        case 1: self = .unavailable(try reader.text())
        case 2: self = .committed
        case 3: self = .failed(try reader.text())
        case 4: self = .read(RequestID(rawValue: try reader.number()), try reader.value())
        case 5: self = .room(freeBytes: try reader.signed())
        case let other: throw FieldError("there is no news \(other) of the ledger")
        }
    }
}

extension LedgerContents: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.signed(lastShoot)
        writer.optional(unfinished)
        writer.list(settings)
        writer.list(cameras)
        writer.list(timings)
        writer.optional(notice)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        self.init()
        lastShoot = try reader.integer()
        unfinished = try reader.optional()
        settings = try reader.list()
        cameras = try reader.list()
        timings = try reader.list()
        notice = try reader.optionalText()
    }
}

extension LedgerContents.Unfinished: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.value(shoot)
        writer.list(frames)
        writer.flag(isRecordIncomplete)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        self.init(
            shoot: try reader.value(),
            frames: try reader.list(),
            isRecordIncomplete: reader.format < 4 ? false : try reader.flag()
        )
    }
}

extension LedgerAnswer: Recordable {
    func write(to writer: inout FieldWriter) {
        switch self {
        case .shoots(let shoots):
            writer.byte(0)
            writer.list(shoots)
        case .shoot(let shoot, let frames):
            writer.byte(1)
            writer.value(shoot)
            writer.list(frames)
        case .noShoot(let id):
            writer.byte(2)
            writer.signed(id)
        case .failed(let sentence):
            writer.byte(3)
            writer.text(sentence)
        }
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        switch try reader.byte() {
        case 0: self = .shoots(try reader.list())
        case 1: self = .shoot(try reader.value(), try reader.list())
        case 2: self = .noShoot(Int(try reader.signed()))
        case 3: self = .failed(try reader.text())
        case let other: throw FieldError("there is no answer \(other) of the ledger")
        }
    }
}

extension ShootSummary: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.value(shoot)
        writer.signed(captured)
        writer.signed(total)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        self.init(shoot: try reader.value(), captured: try reader.integer(), total: try reader.integer())
    }
}

extension ShootRow: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.signed(id)
        writer.value(request)
        writer.text(headline)
        writer.text(cameraID)
        writer.text(cameraName)
        writer.value(began)
        writer.optional(ended)
        writer.optional(outcome)
        writer.optional(cause)
        writer.optional(dismissal)
        writer.list(incidents)
        writer.optional(requestedStop)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        self.init(
            id: try reader.integer(),
            request: try reader.value(),
            headline: try reader.text(),
            cameraID: try reader.text(),
            cameraName: try reader.text(),
            began: try reader.value(),
            ended: try reader.optional(),
            outcome: try reader.optional(),
            cause: try reader.optionalText(),
            dismissal: reader.format < 3 ? (try reader.flag() ? .unrecorded : nil) : try reader.optional(),
            incidents: reader.format < 3 ? [] : try reader.list()
        )
        guard reader.format >= 6 else {
            // As migration 7 of the ledger: up to then only the sentence told.
            requestedStop = RequestedStop.allCases.first { $0.sentence == cause }
            return
        }
        requestedStop = try reader.optional()
    }
}

extension Incident: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.value(kind)
        writer.value(reason)
        writer.optional(frame)
        writer.optional(outcome)
        writer.optional(began)
        writer.optional(ended)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        self.init(
            try reader.value(),
            try reader.value(),
            frame: try reader.optionalInteger(),
            outcome: try reader.optional(),
            began: try reader.optional(),
            ended: try reader.optional()
        )
    }
}

extension RequestedStop: NumberedChoice {
    var number: UInt8 {
        switch self {
        case .pause: 0
        case .cancel: 1
        }
    }
}

extension Incident.Kind: NumberedChoice {
    var number: UInt8 {
        switch self {
        case .paused: 0
        case .interrupted: 1
        case .inDoubt: 2
        case .firedAgain: 3
        }
    }
}

extension Incident.Reason: NumberedChoice {
    var number: UInt8 {
        switch self {
        case .command: 0
        case .linkLost: 1
        case .wifiSwitched: 2
        case .cameraNotFit: 3
        case .notRecorded: 4
        case .interrupted: 5
        case .noPicture: 6
        case .inDoubt: 7
        case .suspect: 8
        }
    }
}

extension Incident.Outcome: NumberedChoice {
    var number: UInt8 {
        switch self {
        case .fired: 0
        case .notFired: 1
        case .unknown: 2
        }
    }
}

extension Dismissal: Recordable {
    func write(to writer: inout FieldWriter) {
        switch self {
        case .request: writer.byte(0)
        case .shoot(let shoot, by: .client):
            writer.byte(1)
            writer.signed(shoot)
        case .shoot(let shoot, by: .button):
            writer.byte(2)
            writer.signed(shoot)
        case .unrecorded: writer.byte(3)
        }
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        switch try reader.byte() {
        case 0: self = .request
        case 1: self = .shoot(try reader.integer(), by: .client)
        case 2: self = .shoot(try reader.integer(), by: .button)
        case 3: self = .unrecorded
        case let other: throw FieldError("nothing is dropped by \(other)")
        }
    }
}

extension FrameRow: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.signed(shoot)
        writer.signed(index)
        writer.value(planned)
        writer.value(outcome)
        writer.optional(again)
        writer.optional(doubt)
        writer.optional(attempted)
        writer.optional(captured)
        writer.optional(shotsLeft)
        writer.list(files)
        writer.optional(taken)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        self.init(
            shoot: try reader.integer(),
            index: try reader.integer(),
            planned: try reader.value(),
            outcome: try reader.value(),
            again: try reader.optional(),
            doubt: try reader.optionalText(),
            attempted: try reader.optional(),
            captured: try reader.optional(),
            shotsLeft: try reader.optionalInteger(),
            files: try reader.texts(),
            taken: reader.format < 5 ? nil : try reader.optionalInteger()
        )
    }
}

extension SettingRow: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.text(cameraID)
        writer.text(cameraName)
        writer.text(property)
        writer.text(original)
        writer.list(values)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        self.init(
            cameraID: try reader.text(),
            cameraName: try reader.text(),
            property: try reader.text(),
            original: try reader.text(),
            values: try reader.texts()
        )
    }
}

extension CameraRow: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.text(id)
        writer.text(maker)
        writer.text(model)
        writer.text(firmware)
        writer.text(address)
        writer.optional(network)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        self.init(
            id: try reader.text(),
            maker: try reader.text(),
            model: try reader.text(),
            firmware: try reader.text(),
            address: try reader.text(),
            network: try reader.optionalText()
        )
    }
}

extension TimingRow: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.text(cameraID)
        writer.text(link)
        writer.value(step)
        writer.signed(milliseconds)
        writer.value(at)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        self.init(
            cameraID: try reader.text(),
            link: try reader.text(),
            step: try reader.value(),
            milliseconds: try reader.integer(),
            at: try reader.value()
        )
    }
}

extension TimingRow.Step: NumberedChoice {
    var number: UInt8 {
        switch self {
        case .set: 0
        case .confirm: 1
        case .release: 2
        case .frame: 3
        }
    }
}

extension Moment: Recordable {
    func write(to writer: inout FieldWriter) {
        switch self {
        case .clock(let time):
            writer.byte(0)
            writer.value(time)
        case .wall(let milliseconds):
            writer.byte(1)
            writer.signed(milliseconds)
        }
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        switch try reader.byte() {
        case 0: self = .clock(try reader.value())
        case 1: self = .wall(milliseconds: Int64(try reader.integer()))
        case let other: throw FieldError("there is no moment \(other)")
        }
    }
}

/// Whole seconds, and the rest in attoseconds.
extension Duration: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.signed(components.seconds)
        writer.signed(components.attoseconds)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        let (seconds, attoseconds) = (try reader.integer(), try reader.signed())
        guard abs(attoseconds / 1_000_000_000) < 1_000_000_000 else {
            throw FieldError("\(attoseconds) attoseconds are a second or more")
        }
        self.init(secondsComponent: Int64(seconds), attosecondsComponent: attoseconds)
    }
}

extension FrameState: NumberedChoice {
    var number: UInt8 {
        switch self {
        case .planned: 0
        case .attempting: 1
        case .captured: 2
        case .verified: 3
        case .suspect: 4
        case .unknown: 5
        case .failed: 6
        case .exposed: 7
        case .lost: 8
        }
    }
}

extension ShootOutcome: NumberedChoice {
    var number: UInt8 {
        switch self {
        case .completed: 0
        case .partial: 1
        case .cancelled: 2
        case .interrupted: 3
        }
    }
}

extension PlanRequest: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.value(shadow)
        writer.value(highlight)
        writer.signed(framesPerSet)
        writer.value(spacing)
        writer.value(sharing)
        writer.signed(biasThirds)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        let (shadow, highlight): (ShutterSpeed, ShutterSpeed) = (try reader.value(), try reader.value())
        let framesPerSet = try reader.integer()
        let (spacing, sharing): (Spacing, Sharing) = (try reader.value(), try reader.value())
        let biasThirds = try reader.integer()
        do {
            try self.init(
                shadow: shadow,
                highlight: highlight,
                framesPerSet: framesPerSet,
                spacing: spacing,
                sharing: sharing,
                biasThirds: biasThirds
            )
        } catch {
            throw FieldError("there is no such plan: \(error)")
        }
    }
}

extension PlannedFrame: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.signed(position.set)
        writer.signed(position.frame)
        writer.value(speed)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        let set = try reader.integer(in: 1...FieldReader.usual.upperBound)
        let frame = try reader.integer(in: 1...FieldReader.usual.upperBound)
        self.init(position: FramePosition(set: set, frame: frame), speed: try reader.value())
    }
}

extension ShutterSpeed: Recordable {
    func write(to writer: inout FieldWriter) { writer.byte(UInt8(index)) }

    init(from reader: inout FieldReader) throws(FieldError) {
        let index = try reader.byte()
        guard let speed = ShutterSpeed(index: Int(index)) else { throw FieldError("the scale has no speed \(index)") }
        self = speed
    }
}

extension Spacing: NumberedChoice {
    var number: UInt8 {
        switch self {
        case .one: 0
        case .oneAndAHalf: 1
        case .two: 2
        }
    }
}

extension Sharing: NumberedChoice {
    var number: UInt8 {
        switch self {
        case .twice: 0
        case .once: 1
        }
    }
}
