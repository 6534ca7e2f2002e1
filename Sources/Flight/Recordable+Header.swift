import Cameras
import Controller

/// Without whom we are to cameras: who has a recording is not to be taken for us.
extension FlightHeader: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.text(version)
        writer.signed(began)
        writer.value(clock)
        writer.signed(part)
        writer.list(charts.keys.sorted()) { writer, name in
            writer.text(name)
            writer.text(charts[name] ?? "")
        }
        writer.value(configuration)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        let version = try reader.text()
        let began = Int64(try reader.integer())
        let clock: Duration = try reader.value()
        guard clock >= .zero else { throw FieldError("its clock stood before its beginning") }
        let part = try reader.integer(in: 0...FieldReader.usual.upperBound)
        let charts = try reader.list { reader throws(FieldError) in (try reader.text(), try reader.text()) }
        self.init(
            version: version,
            configuration: try reader.value(),
            charts: Dictionary(charts) { $1 },
            began: began,
            clock: clock,
            part: part
        )
    }
}

extension CoreConfiguration: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.optional(cameraAddress)
        writer.text(identity.name)
        writer.value(transfer)
        writer.value(ledger)
        writer.flag(resumesByItself)
        writer.list(skippedChecks.sorted())
        writer.value(search)
        writer.value(button)
        writer.optional(armedPlan)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        self.init(
            cameraAddress: try reader.optional(),
            identity: InitiatorIdentity(
                guid: Array(repeating: 0, count: InitiatorIdentity.guidByteCount),
                name: try reader.text()
            ),
            transfer: try reader.value(),
            ledger: try reader.value(),
            resumesByItself: try reader.flag(),
            skippedChecks: Set(try reader.texts()),
            search: try reader.value()
        )
        guard reader.format >= 2 else { return }
        button = try reader.value()
        armedPlan = try reader.optional()
    }
}

extension ButtonConfiguration: Recordable {
    func write(to writer: inout FieldWriter) {
        for duration in [rules.pressMin, rules.hold, rules.settle, rules.lockout] { writer.value(duration) }
        writer.value(pressWhileShooting)
        writer.value(plan)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        self.init(
            rules: ButtonRules(
                pressMin: try reader.value(),
                hold: try reader.value(),
                settle: try reader.value(),
                lockout: try reader.value()
            ),
            pressWhileShooting: try reader.value(),
            plan: try reader.value()
        )
    }
}

extension PressWhileShooting: NumberedChoice {
    var number: UInt8 {
        switch self {
        case .pause: 0
        case .nothing: 1
        }
    }
}

extension CameraAddress: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.text(host)
        writer.number(port)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        self.init(host: try reader.text(), port: try reader.number(UInt16.self))
    }
}

extension TransferConfiguration: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.value(policy)
        writer.flag(firesSuspectsAgain)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        self.init(policy: try reader.value(), firesSuspectsAgain: try reader.flag())
    }
}

extension TransferPolicy: NumberedChoice {
    var number: UInt8 {
        switch self {
        case .none: 0
        case .jpeg: 1
        case .both: 2
        }
    }
}

extension LedgerMode: NumberedChoice {
    var number: UInt8 {
        switch self {
        case .required: 0
        case .bestEffort: 1
        case .off: 2
        }
    }
}

extension SearchRules: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.list(ways.sorted { $0.number < $1.number })
        writer.optional(interface)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        self.init(ways: Set(try reader.list()), interface: try reader.optionalText())
    }
}

extension SearchWay: NumberedChoice {
    var number: UInt8 {
        switch self {
        case .known: 0
        case .ssdp: 1
        case .scan: 2
        }
    }
}
