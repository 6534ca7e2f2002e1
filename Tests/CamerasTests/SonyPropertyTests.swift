import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Tests how properties are reported, set and confirmed between the controller and a body.
struct SonyPropertyTests {
    private static func changes(_ bench: DriverBench) -> [[PropertyState]] {
        bench.reported.compactMap { reported in
            guard case .properties(let states) = reported.event, reported.ticket == nil else { return nil }
            return states
        }
    }

    private static func sets(_ bench: DriverBench) -> [String] {
        bench.operations.filter { $0.hasPrefix("SDIO_SetExtDevicePropValue") }
            .map { $0.replacing("SDIO_SetExtDevicePropValue ", with: "") }
    }

    private static func touch(_ bench: DriverBench) {
        let event = PTPEvent(code: .sonyDevicePropChanged, parameters: [0])
        bench.receive(.received(.event, PTPIPPacket.event(event).encoded()))
    }

    private let speed: ShutterSpeed

    init() throws {
        speed = try .named("1/60")
    }

    // MARK: Reports

    @Test func `after connecting all properties are reported, before the first status`() {
        let bench = DriverBench()
        bench.perform(.connect(DriverBench.address))
        bench.run(for: .seconds(1))
        let kinds = bench.reported.map { reported in
            switch reported.event {
            case .prepared: "prepared"
            case .status: "status"
            case .properties: "properties"
            default: "other"
            }
        }
        #expect(kinds == ["prepared", "properties", "status"])
        #expect(Self.changes(bench).first?.map(\.property) == SonyPropertyRow.table.map(\.property))
    }

    @Test func `a turned dial is reported alone`() {
        let bench = DriverBench.showing(speed)
        bench.body.set(.fNumber, .uint16(800))
        Self.touch(bench)
        bench.run(for: .seconds(1))
        let changes = Self.changes(bench)
        #expect(changes.count == 1)
        #expect(changes.first?.map(\.property) == [.aperture])
        #expect(changes.first?.first?.value == "f/8")
        bench.run(for: .seconds(30))
        #expect(Self.changes(bench).count == 1)
    }

    @Test func `values that a body hides during a frame cause no report, and changes are reported after it`() {
        let bench = DriverBench.showing(speed)
        bench.perform(.capture(speed))
        bench.run(until: { $0.buttonMoves.count == 4 })
        bench.forget()
        let form = bench.body[.sonyISO].form
        bench.body[.sonyISO].form = .enumeration(settable: [], supported: [])
        bench.body[.sonyISO].availability = .disabled
        bench.body.set(.fNumber, .uint16(800))
        bench.run(until: { $0.reported.contains { $0.event == .captured } })
        #expect(Self.changes(bench).isEmpty)
        bench.body[.sonyISO].form = form
        bench.body[.sonyISO].availability = .enabled
        bench.run(for: .seconds(10))
        #expect(Self.changes(bench).flatMap { $0 }.map(\.property) == [.aperture])
    }

    // MARK: Setting

    @Test(
        arguments: [
            (.shutterSpeed, "1/125", ["0xD20D 7d000100"]), (.iso, "400", ["0xD21E 90010000"]),
            (.aperture, "5.6", ["0x5007 3002"]), (.exposureCompensation, "-1.7", ["0x5010 5cf9"]),
            (.whiteBalance, "cloudy", ["0x5005 1080"]), (.drive, "bracket single 1.0 EV 3", ["0x5013 10830500"]),
            (.focusMode, "AF-S", ["0x500A 0200"]), (.quality, "JPEG standard", ["0xD252 03"]),
            (.quality, "RAW", ["0xD253 01"]), (.quality, "raw+jpeg standard", ["0xD253 02", "0xD252 03"]),
        ] as [(CameraProperty, String, [String])]
    )
    func `a property is set in its own type and confirmed by a reading`(
        property: CameraProperty,
        text: String,
        sets: [String]
    ) throws {
        let bench = DriverBench.showing(speed)
        let events = bench.finish(bench.perform(.setProperty(property, text)))
        #expect(Self.sets(bench) == sets)
        guard case .propertySet(let state)? = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(events.count == 1)
        #expect(state.property == property)
        let last = try #require(bench.operations.last)
        #expect(last == "SDIO_GetAllExtDevicePropInfo")
        // The answer has already reported the value, so it is not reported again.
        bench.run(for: .seconds(10))
        #expect(!Self.changes(bench).flatMap { $0 }.contains { $0.property == property })
    }

    @Test func `a second property is written only when the first one shows`() throws {
        let bench = DriverBench.showing(speed)
        bench.perform(.setProperty(.quality, "RAW+JPEG standard"))
        bench.run(until: { Self.sets($0).count == 2 })
        let writes = bench.operations.suffix(4)
        #expect(
            Array(writes) == [
                "SDIO_GetAllExtDevicePropInfo", "SDIO_SetExtDevicePropValue 0xD253 02", "SDIO_GetAllExtDevicePropInfo",
                "SDIO_SetExtDevicePropValue 0xD252 03",
            ]
        )
    }

    @Test func `a value that the body already shows is not written`() {
        let bench = DriverBench.showing(speed)
        let events = bench.finish(bench.perform(.setProperty(.aperture, "f/2.8")))
        #expect(Self.sets(bench).isEmpty)
        guard case .propertySet(let state)? = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(state.value == "f/2.8")
    }

    @Test func `a body that says OK and does nothing receives the value again, and fails after three seconds`() {
        let bench = DriverBench.showing(speed)
        bench.body.overrides[.sdioSetExtDevicePropValue] = [ScriptedBody.Answer](repeating: .init(), count: 20)
        let start = bench.now
        let events = bench.finish(bench.perform(.setProperty(.iso, "400")))
        #expect(events == [.failed(.propertyNotKept(.iso, "400", found: "Auto"))])
        #expect(bench.now - start >= .seconds(3))
        #expect(bench.now - start < .milliseconds(3200))
        #expect(Self.sets(bench).count == 4)
        #expect(bench.operations.count < 40)
    }

    @Test func `a body that shows the value late, or only at the second attempt, has accepted it`() {
        let bench = DriverBench.showing(speed)
        bench.body.overrides[.sdioSetExtDevicePropValue] = [.init()]
        let events = bench.finish(bench.perform(.setProperty(.iso, "400")))
        #expect(events.count == 1)
        #expect(Self.sets(bench).count == 2)
        let slow = DriverBench.showing(speed) { $0.readbackDelay = .milliseconds(700) }
        // After this time, no earlier value is on its way to the body.
        slow.run(for: .seconds(1))
        let start = slow.now
        guard case .propertySet? = slow.finish(slow.perform(.setProperty(.shutterSpeed, "1/125"))).last else {
            Issue.record("not set")
            return
        }
        #expect(Self.sets(slow).count == 1)
        #expect(slow.now - start < .milliseconds(900))
    }

    @Test func `a speed that shows right after connecting may be about to change, and does not count as set`() throws {
        let bench = DriverBench()
        bench.body.set(.sonyShutterSpeed, SonyShutterSpeed(speed).value)
        bench.connect()
        // The previous host set this speed.
        let late = SonyShutterSpeed(try .named("1/4")).rawValue
        bench.body.plan(.speedShows(late), at: bench.now + .milliseconds(600))
        guard case .propertySet? = bench.finish(bench.perform(.setProperty(.shutterSpeed, speed.label))).last else {
            Issue.record("not set")
            return
        }
        #expect(bench.body.speed == SonyShutterSpeed(speed).rawValue)
        #expect(Self.sets(bench).count == 1)
    }

    @Test func `an answer under way does not prove that the previous speed is still set`() throws {
        let bench = DriverBench.showing(speed) { $0.readbackDelay = .milliseconds(900) }
        bench.run(for: .seconds(1))
        let other = try ShutterSpeed.named("1/125")
        #expect(bench.finish(bench.perform(.setSpeed(other))) == [.speedAccepted])
        let ticket = bench.perform(.setProperty(.shutterSpeed, speed.label))
        // The value that the body shows now arrives at the driver only when the body shows another one.
        bench.body.holdsAnswersUntil = bench.now + .milliseconds(1050)
        guard case .propertySet? = bench.finish(ticket).last else {
            Issue.record("not set")
            return
        }
        bench.run(for: .seconds(2))
        #expect(bench.body.speed == SonyShutterSpeed(speed).rawValue)
    }

    @Test func `no property is set while a picture waits in the buffer`() {
        let bench = DriverBench.showing(speed)
        bench.body.overrides[.getObjectInfo] = [ScriptedBody.Answer](repeating: .init(code: .accessDenied), count: 3)
        bench.body.leaveFiles(2)
        let events = bench.finish(bench.perform(.setProperty(.iso, "400")))
        #expect(events.count == 1)
        let set = bench.operations.firstIndex { $0.hasPrefix("SDIO_Set") }
        let fetch = bench.operations.lastIndex { $0.hasPrefix("GetObject 0x") }
        #expect(set ?? 0 > fetch ?? .max)
        #expect(bench.body.files.isEmpty)
    }

    @Test func `a buffer that never empties makes the body busy`() {
        let bench = DriverBench.showing(speed)
        bench.body.set(.sonyShootingFileInfo, .uint16(1))
        #expect(bench.finish(bench.perform(.setProperty(.iso, "400"))) == [.busy])
        #expect(Self.sets(bench).isEmpty)
    }

    @Test func `a busy body is asked again, and fails as busy after three seconds`() {
        let bench = DriverBench.showing(speed)
        bench.body.overrides[.sdioSetExtDevicePropValue] = [.init(code: .deviceBusy)]
        guard case .propertySet? = bench.finish(bench.perform(.setProperty(.iso, "400"))).last else {
            Issue.record("not set")
            return
        }
        bench.body.overrides[.sdioSetExtDevicePropValue] =
            [ScriptedBody.Answer](repeating: .init(code: .deviceBusy), count: 20)
        #expect(bench.finish(bench.perform(.setProperty(.iso, "800"))) == [.busy])
    }

    // MARK: Refusals

    @Test func `a property that the body lacks, locks or does not offer is refused before anything is sent`() {
        let bench = DriverBench.showing(speed) { body in
            body[.fNumber].code = PropertyCode(rawValue: 0xEEEE)
            body[.whiteBalance].availability = .displayOnly
        }
        #expect(
            bench.finish(bench.perform(.setProperty(.aperture, "f/4"))) == [.failed(.propertyUnknown(.aperture))]
        )
        let start = bench.now
        #expect(
            bench.finish(bench.perform(.setProperty(.whiteBalance, "auto")))
                == [.failed(.propertyNotWritable(.whiteBalance))]
        )
        #expect(bench.now - start < .milliseconds(100))
        #expect(
            bench.finish(bench.perform(.setProperty(.focusMode, "AF-D")))
                == [
                    .failed(
                        .propertyNotOffered(.focusMode, "AF-D", choices: ["AF-S", "AF-A", "AF-C", "DMF", "MF"])
                    )
                ]
        )
        #expect(bench.finish(bench.perform(.setProperty(.saveTarget, "card"))).count == 1)
        #expect(Self.sets(bench).isEmpty)
    }

    @Test func `the dials' priority is not taken for a property`() {
        let bench = DriverBench.showing(speed) { $0[.sonyISO].availability = .displayOnly }
        _ = bench.finish(bench.perform(.setProperty(.iso, "400")))
        #expect(Self.sets(bench).isEmpty)
    }

    @Test func `the driver waits for a property that is not available for a moment`() {
        let bench = DriverBench.showing(speed) { $0[.sonyISO].availability = .disabled }
        let ticket = bench.perform(.setProperty(.iso, "400"))
        bench.run(for: .seconds(1))
        #expect(bench.events(ticket).isEmpty)
        bench.body[.sonyISO].availability = .enabled
        guard case .propertySet? = bench.finish(ticket).last else {
            Issue.record("not set")
            return
        }
        bench.body[.sonyISO].availability = .disabled
        bench.run(for: .seconds(10))
        #expect(
            bench.finish(bench.perform(.setProperty(.iso, "800"))) == [.failed(.propertyNotWritable(.iso))]
        )
    }

    @Test func `a body's refusal is reported with its reason`() {
        let bench = DriverBench.showing(speed)
        bench.body.overrides[.sdioSetExtDevicePropValue] = [
            .init(code: .accessDenied), .init(code: .invalidDevicePropValue),
        ]
        guard case .failed(.refused)? = bench.finish(bench.perform(.setProperty(.iso, "400"))).last else {
            Issue.record("no refusal")
            return
        }
        guard
            case .failed(.propertyNotOffered(.iso, "400", _))? =
                bench.finish(bench.perform(.setProperty(.iso, "400"))).last
        else {
            Issue.record("no refusal")
            return
        }
    }

    @Test func `another command ends a setting, and the next one works`() throws {
        let bench = DriverBench.showing(speed)
        bench.body.overrides[.sdioSetExtDevicePropValue] = [.init()]
        let ticket = bench.perform(.setProperty(.iso, "400"))
        bench.run(until: { Self.sets($0).count == 1 })
        let next = bench.perform(.setSpeed(try .named("1/125")))
        #expect(bench.finish(next) == [.speedAccepted])
        #expect(bench.events(ticket).isEmpty)
    }

    @Test func `a session that ends in the middle of a setting is lost once`() {
        let bench = DriverBench.showing(speed)
        bench.body.overrides[.sdioSetExtDevicePropValue] = [.init(after: .seconds(1))]
        let ticket = bench.perform(.setProperty(.iso, "400"))
        bench.run(until: { Self.sets($0).count == 1 })
        bench.receive(.closed(.command, reason: "reset"))
        #expect(bench.events(ticket).isEmpty)
        #expect(bench.losses.count == 1)
    }

    // MARK: Unreadable data

    @Test func `each defect of a reading is reported once a session`() {
        let bench = DriverBench { body in
            body.records.append(body[.sonyISO])
        }
        bench.perform(.connect(DriverBench.address))
        bench.run(for: .seconds(60))
        let told = bench.notes.filter { $0.contains("0xD21E occurs twice") }
        #expect(told.count == 1)
    }

    @Test func `an unreadable record is reported with its property, and the rest is used`() throws {
        let bench = DriverBench()
        var bytes = SonyPropertyDataset(records: bench.body.records).encoded(version: .version3)
        // The position of the type of 0xD278, which is the last record.
        let place = try #require(
            bytes.readableBytesView.indices.last { index in
                bytes.getInteger(at: index, endianness: .little, as: UInt16.self) == 0xD278
            }
        )
        bytes.setInteger(UInt16(0x0BAD), at: place + 2, endianness: .little)
        bench.body.overrides[.sdioGetAllExtDevicePropInfo] = [ScriptedBody.Answer](
            repeating: .init(data: bytes),
            count: 9
        )
        bench.perform(.connect(DriverBench.address))
        bench.run(for: .seconds(60))
        #expect(bench.notes.filter { $0.contains("property 0xD278") && $0.contains("0x0BAD") }.count == 1)
        #expect(Self.changes(bench).first?.count == SonyPropertyRow.table.count)
    }
}
