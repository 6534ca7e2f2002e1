import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// A body with version 2 of the extension.
private enum Version2 {
    private static let sensitivities: [PTPValue] = [0x00FF_FFFF, 100, 125, 160, 200, 250, 320, 400].map(PTPValue.uint32)

    static func bench(_ change: (inout ScriptedBody) -> Void = { _ in }) -> DriverBench {
        DriverBench { body in
            body.extensionVersion = 0x00C8
            for index in body.records.indices {
                if case .enumeration(let settable, _) = body.records[index].form {
                    body.records[index].form = .enumeration(settable: settable, supported: nil)
                }
            }
            body[.stillCaptureMode] = SonyPropertyRecord(
                code: .stillCaptureMode,
                defaultValue: .uint16(1),
                currentValue: .uint16(1),
                form: .enumeration(settable: [.uint16(1), .uint16(0x8012)], supported: nil)
            )
            body[.sonyISO].getSet = 0
            body[.sonyISO].form = .none
            body.set(.sonyISO, .uint32(160))
            body.dials[.sonyISO] = sensitivities
            change(&body)
        }
    }
}

/// Tests properties of bodies with version 2 of the extension. These bodies move most properties by notches.
@Suite struct SonyPropertyVersion2Tests {
    private static func controls(_ bench: DriverBench) -> [String] {
        bench.operations.filter { $0.hasPrefix("SDIO_ControlDevice") }.map {
            $0.replacing("SDIO_ControlDevice ", with: "")
        }
    }

    @Test func `a sensitivity is moved notch by notch, with a reading after each`() {
        let bench = Version2.bench()
        bench.connect()
        let events = bench.finish(bench.perform(.setProperty(.iso, "320")))
        let state = PropertyState(property: .iso, value: "320", isWritable: true)
        #expect(events == [.propertySet(state)])
        #expect(Self.controls(bench) == ["0xD21E 01", "0xD21E 01", "0xD21E 01"])
        bench.forget()
        #expect(bench.finish(bench.perform(.setProperty(.iso, "Auto"))).count == 1)
        #expect(bench.body[.sonyISO].currentValue == .uint32(0x00FF_FFFF))
        // The first notch goes in the wrong direction.
        #expect(Self.controls(bench).count == 8)
    }

    @Test func `a value that the body does not have is given up, and the present one is reported`() {
        let bench = Version2.bench()
        bench.connect()
        let events = bench.finish(bench.perform(.setProperty(.iso, "6400")))
        #expect(events == [.failed(.propertyNotKept(.iso, "6400", found: "400"))])
        #expect(Self.controls(bench).count < 10)
    }

    @Test func `a body that does not move is given up`() {
        let bench = Version2.bench { $0.dials[.sonyISO] = [.uint32(160)] }
        bench.connect()
        let start = bench.now
        let events = bench.finish(bench.perform(.setProperty(.iso, "320")))
        #expect(events == [.failed(.propertyNotKept(.iso, "320", found: "160"))])
        #expect(bench.now - start < .seconds(8))
        #expect(Self.controls(bench) == ["0xD21E 01", "0xD21E ff"])
    }

    @Test func `a notch that the body is too busy for is sent again`() {
        let bench = Version2.bench()
        bench.connect()
        let ticket = bench.perform(.setProperty(.iso, "320"))
        bench.run(until: { Self.controls($0).count == 1 })
        bench.body.overrides[.sdioControlDevice] = [.init(code: .deviceBusy), .init(code: .deviceBusy)]
        let start = bench.now
        let state = PropertyState(property: .iso, value: "320", isWritable: true)
        #expect(bench.finish(ticket) == [.propertySet(state)])
        #expect(Self.controls(bench) == [String](repeating: "0xD21E 01", count: 5))
        #expect(bench.now - start < .seconds(2))
    }

    @Test func `a body that was busy for long has the full time for the next value`() {
        let bench = Version2.bench()
        bench.connect()
        let busy = PTPValue.uint16(SonyShootingFileInfo.inPreparation.rawValue)
        bench.body.set(.sonyShootingFileInfo, busy)
        let ticket = bench.perform(.setProperty(.iso, "320"))
        for count in 1...8 {
            bench.body.set(.sonyShootingFileInfo, busy)
            bench.run(for: .seconds(9))
            bench.body.leaveFiles(1)
            bench.run(until: { $0.fetches.count == count }, atMost: .seconds(3))
        }
        let state = PropertyState(property: .iso, value: "320", isWritable: true)
        #expect(bench.finish(ticket) == [.propertySet(state)])
    }

    @Test func `a refused notch is reported as such`() {
        let bench = Version2.bench()
        bench.connect()
        bench.body.overrides[.sdioControlDevice] = [.init(code: .generalError)]
        let name = ResponseCode.generalError.sonyName
        let code = ResponseCode.generalError.rawValue
        let failure = CameraFailure.refused(operation: "SDIO_ControlDevice", code: code, name: name)
        #expect(bench.finish(bench.perform(.setProperty(.iso, "320"))) == [.failed(failure)])
    }

    @Test(arguments: [true, false])
    func `an absolute speed that is listed alone is set after a reading shows it`(isTaken: Bool) throws {
        let bench = Version2.bench { body in
            body.records.removeAll { $0.code == .sonyShutterSpeedVersion2 }
            body.listedOnly = [.sonyShutterSpeedVersion2]
            body[.sonyShutterSpeed].form = .none
            body.set(.sonyShutterSpeed, .uint32(0x0001_003C))
            if !isTaken { body.overrides[.sdioSetExtDevicePropValue] = [.init()] }
        }
        bench.connect()
        let events = bench.finish(bench.perform(.setProperty(.shutterSpeed, "1/125")))
        let failure = CameraFailure.propertyNotKept(.shutterSpeed, "1/125", found: "1/60")
        if !isTaken { return #expect(events == [.failed(failure)]) }
        guard case .propertySet(let state)? = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(state.value == "1/125")
    }

    @Test func `a drive mode is written in its 16 bits`() {
        let bench = Version2.bench()
        bench.connect()
        #expect(bench.finish(bench.perform(.setProperty(.drive, "continuous lo"))).count == 1)
        #expect(bench.operations.contains("SDIO_SetExtDevicePropValue 0x5013 1280"))
        #expect(bench.body[.stillCaptureMode].currentValue == .uint16(0x8012))
    }

    @Test func `a shutter speed is set like every speed, and is answered as a property`() throws {
        let bench = Version2.bench { body in
            body[.sonyShutterSpeed].form = .none
            body.dials[.sonyShutterSpeed] = ShutterSpeed.all.reversed().map { SonyShutterSpeed($0).value }
            body.set(.sonyShutterSpeed, .uint32(0x0001_003C))
        }
        bench.connect()
        let events = bench.finish(bench.perform(.setProperty(.shutterSpeed, "1/125")))
        guard case .propertySet(let state)? = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(events.count == 1)
        #expect(state.property == .shutterSpeed)
        #expect(state.value == "1/125")
        #expect(bench.body.speed == 0x0001_007D)
        bench.run(for: .seconds(10))
        #expect(!bench.reported.contains { if case .properties = $0.event { true } else { false } })
    }
}
