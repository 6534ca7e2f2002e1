import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Tests the way from open connections to the first report, with every refusal.
struct CanonConnectTests {
    @Test func `the set-up runs in the order of the facts and ends with the identity and the status`() throws {
        let bench = CanonBench()
        let events = bench.finish(bench.perform(.connect(CanonBench.address)))
        #expect(
            bench.operations == [
                "OpenSession 0x1", "GetDeviceInfo", "SetRemoteMode 0x1", "GetStorageIDs", "SetEventMode 0x1",
                "SetRequestOLCInfoGroup 0x1FFF", "GetEvent", "GetEvent",
            ]
        )
        let identity = CameraIdentity(
            maker: "Canon.Inc",
            model: "Canon EOS R6m2",
            firmware: "1.0.0",
            serial: "0123456789abcdef0123456789abcdef",
            id: "canon:0123456789abcdef0123456789abcdef"
        )
        #expect(events.first == .prepared(identity))
        #expect(identity.name == "Canon EOS R6m2")
        guard case .status(let status)? = events.last else {
            Issue.record("no status")
            return
        }
        #expect(status.mode == .manual && status.speedIsWritable && status.speeds == ShutterSpeed.all)
        #expect(status.speed == .speed(try .named("1/125")))
        #expect(status.batteryPercent == 100 && status.shotsLeft == 500)
        #expect(status.isManualFocus == true && status.focusMode == "MF")
        #expect(status.iso == "100" && status.isISOAuto == false && status.aperture == "f/8")
        #expect(status.saveTarget == "card" && !status.savesToHostAlone)
        let properties: [[PropertyState]] = bench.reported.compactMap { report in
            if case .properties(let states) = report.event { states } else { nil }
        }
        #expect(properties.count == 1)
        let drive = DriveMode(kind: .single, name: "single")
        #expect(properties.first?.compactMap(\.driveMode) == [drive])
    }

    @Test func `every cut of the camera's bytes gives the same session`() {
        let whole = CanonBench()
        _ = whole.finish(whole.perform(.connect(CanonBench.address)))
        for size in [8, 13, 100] {
            let cut = CanonBench()
            cut.pieceSize = size
            _ = cut.finish(cut.perform(.connect(CanonBench.address)))
            #expect(cut.reported.map(\.event) == whole.reported.map(\.event))
        }
    }

    @Test(arguments: [
        ("Canon Inc.", "Canon EOS 60D", "Canon EOS 60D"), ("Canon.Inc", "Canon EOS R6m2", "Canon EOS R6m2"),
        ("Nikon Corporation", "NIKON Z 6", "NIKON Z 6"), ("Sony Corporation", "ILCE-7M4", "Sony Corporation ILCE-7M4"),
        ("Canon Inc.", "Canonet", "Canon Inc. Canonet"), ("", "ILCE-7M4", "ILCE-7M4"), ("Sony", "", "Sony"),
    ])
    func `the name for users has the maker once`(maker: String, model: String, name: String) {
        #expect(CameraIdentity.name(maker: maker, model: model) == name)
    }

    // MARK: Refusals

    @Test func `a rejected connection is final only for an unknown body`() {
        let unknown = CanonBench()
        unknown.initFail = .rejectedInitiator
        #expect(unknown.finish(unknown.perform(.connect(CanonBench.address))) == [.refused(.unpaired)])
        #expect(Refusal.unpaired.sentence.contains("EOS Utility"))

        let found = CanonBench()
        found.initFail = .rejectedInitiator
        let refusal = found.finish(found.perform(.connect(CanonBench.address, maker: "canon"))).first
        guard case .refused(.notWaiting(let sentence))? = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(sentence.contains("EOS Utility"))
    }

    @Test func `a body that accepted this computer before is not waiting`() {
        let bench = CanonBench.connected()
        bench.perform(.disconnect)
        bench.run(for: .seconds(3))
        bench.initFail = .rejectedInitiator
        let events = bench.finish(bench.perform(.connect(CanonBench.address)))
        guard case .refused(.notWaiting)? = events.first else {
            Issue.record("\(events)")
            return
        }
    }

    @Test func `a body without remote control is refused with a sentence and closed in order`() {
        for missing in [OperationCode.canonGetEvent, .canonSetProperty, .canonPress] {
            let bench = CanonBench { $0.operations.removeAll { $0 == missing } }
            let events = bench.finish(bench.perform(.connect(CanonBench.address)))
            guard case .refused(.unsupported(let sentence))? = events.first else {
                Issue.record("not refused")
                continue
            }
            #expect(sentence.contains("remote control"))
            #expect(bench.operations.last == "CloseSession")
            #expect(bench.openChannels.isEmpty)
        }
    }

    @Test func `a body that is busy is asked again, within a bound`() {
        let bench = CanonBench {
            $0.overrides[.canonSetRemoteMode] = [.init(code: .deviceBusy), .init(code: .deviceBusy)]
        }
        #expect(bench.finish(bench.perform(.connect(CanonBench.address))).count == 2)
        let busy = CanonBench {
            $0.overrides[.canonSetRemoteMode] = [ScriptedAnswer](repeating: .init(code: .deviceBusy), count: 100)
        }
        #expect(busy.finish(busy.perform(.connect(CanonBench.address))) == [.refused(.inUse)])
        #expect(busy.operations.last == "CloseSession")
    }

    @Test func `a mode that is already on is no error, and another error is a refusal`() {
        let on = CanonBench { $0.overrides[.canonSetRemoteMode] = [.init(code: .canonAlreadyInMode)] }
        #expect(on.finish(on.perform(.connect(CanonBench.address))).count == 2)
        let other = CanonBench { $0.overrides[.canonSetEventMode] = [.init(code: .canonOperationRefused)] }
        let sentence = "The camera did not complete SetEventMode: OperationRefused."
        #expect(other.finish(other.perform(.connect(CanonBench.address))) == [.refused(.protocolError(sentence))])
        // The remote mode was on, so it is switched off.
        #expect(other.operations.suffix(2) == ["SetRemoteMode", "CloseSession"])
    }

    // MARK: Kinds of bodies

    @Test func `a body of the EOS M family has its own modes and moves its lens`() {
        let bench = CanonBench {
            $0.model = "Canon EOS M6"
            $0.values[.canonLiveViewOutput] = 0
            $0.lists[.canonLiveViewOutput] = [0, 8]
        }
        #expect(bench.finish(bench.perform(.connect(CanonBench.address))).count == 2)
        #expect(bench.operations.contains("SetRemoteMode 0x15") && bench.operations.contains("SetEventMode 0x2"))
        #expect(bench.actions.contains("SetDevicePropValueEx 0c000000b0d1000008000000"))
        bench.forget()
        bench.perform(.disconnect)
        bench.run(for: .seconds(3))
        #expect(bench.actions.first == "SetDevicePropValueEx 0c000000b0d1000000000000")
    }

    @Test func `pictures go to a card, and only a report confirms that`() {
        let bench = CanonBench { $0.values[.canonSaveTarget] = 4 }
        let events = bench.finish(bench.perform(.connect(CanonBench.address)))
        #expect(bench.actions.last == "SetDevicePropValueEx 0c0000001cd1000002000000")
        guard case .status(let status)? = events.last else {
            Issue.record("no status")
            return
        }
        #expect(status.saveTarget == "card")
        let stubborn = CanonBench {
            $0.values[.canonSaveTarget] = 4
            $0.ignoredWrites = 100
        }
        _ = stubborn.finish(stubborn.perform(.connect(CanonBench.address)))
        #expect(stubborn.actions.filter { $0.hasPrefix("SetDevicePropValueEx") }.count == 4)
        #expect(stubborn.notes.contains { $0.contains("save target") })
    }

    @Test func `the save target of the camera is restored at the end, also after a lost link`() {
        for target: UInt32 in [4, 6] {
            let bench = CanonBench.connected { $0.values[.canonSaveTarget] = target }
            #expect(bench.body.values[.canonSaveTarget] == 2)
            bench.breakLink()
            bench.connect()
            #expect(bench.writes.isEmpty)
            bench.perform(.disconnect)
            bench.run(for: .seconds(3))
            #expect(bench.writes == ["1cd100000\(target)000000"])
        }
    }

    @Test func `the user's own save target is not undone`() {
        let bench = CanonBench.connected { $0.values[.canonSaveTarget] = 4 }
        _ = bench.finish(bench.perform(.setProperty(.saveTarget, "host and card")))
        bench.forget()
        bench.perform(.disconnect)
        bench.run(for: .seconds(3))
        #expect(bench.writes.isEmpty)
        #expect(bench.body.values[.canonSaveTarget] == 6)
    }

    @Test func `pictures that are wanted on this computer alone do not go to a card`() {
        let bench = CanonBench.connected(keeping: .jpeg) { $0.values[.canonSaveTarget] = 4 }
        #expect(bench.body.values[.canonSaveTarget] == 4)
        bench.perform(.disconnect)
        bench.run(for: .seconds(3))
        #expect(bench.writes.isEmpty)
    }

    // MARK: The end

    @Test func `the lens of the EOS M family moves in at the end, also after a lost link`() {
        let bench = CanonBench.connected {
            $0.model = "Canon EOS M6"
            $0.values[.canonLiveViewOutput] = 0
            $0.lists[.canonLiveViewOutput] = [0, 8]
        }
        #expect(bench.body.values[.canonLiveViewOutput] == 8)
        bench.breakLink()
        // The user switched the body off and on.
        bench.body.values[.canonLiveViewOutput] = 0
        bench.connect()
        #expect(bench.body.values[.canonLiveViewOutput] == 8)
        bench.breakLink()
        bench.connect()
        bench.perform(.disconnect)
        bench.run(for: .seconds(3))
        #expect(bench.writes == ["b0d1000000000000"])
    }

    @Test func `the session ends in order`() {
        let bench = CanonBench.connected()
        let ticket = bench.perform(.disconnect)
        bench.run(for: .seconds(3))
        #expect(bench.events(ticket) == [.disconnected])
        #expect(bench.operations.suffix(4) == ["GetEvent", "SetEventMode", "SetRemoteMode", "CloseSession"])
        #expect(bench.openChannels.isEmpty)
    }

    @Test func `a mute body does not delay the end beyond its bound`() {
        let bench = CanonBench.connected()
        bench.body.isMute = true
        let start = bench.now
        let ticket = bench.perform(.disconnect)
        bench.run(until: { !$0.events(ticket).isEmpty })
        #expect(bench.events(ticket) == [.disconnected])
        #expect(bench.now - start <= .milliseconds(2500))
    }

    // MARK: Idle

    @Test func `an idle body is asked about once per second and kept on every 10 s`() {
        let bench = CanonBench.connected()
        bench.run(for: .seconds(60))
        #expect((55...75).contains(bench.listCount), "\(bench.listCount)")
        #expect((5...7).contains(bench.operations.filter { $0 == "KeepDeviceOn" }.count))
        #expect(bench.reported.isEmpty)
    }

    @Test func `an idle body that always reports changes is asked as rarely`() {
        let bench = CanonBench.connected { $0.isChatty = true }
        bench.run(for: .seconds(5))
        bench.forget()
        bench.run(for: .seconds(60))
        #expect((55...75).contains(bench.listCount), "\(bench.listCount)")
        let start = bench.now
        #expect(bench.finish(bench.perform(.setProperty(.iso, "125"))).count == 1)
        #expect(bench.now - start < .milliseconds(200))
    }

    @Test func `a body that announces its power-off is kept on at once`() {
        let bench = CanonBench.connected()
        bench.run(for: .seconds(5))
        bench.forget()
        bench.body.report(0xC18D, [30])
        bench.run(for: .seconds(2))
        #expect(bench.operations.contains("KeepDeviceOn"))
    }

    @Test func `a turned dial is reported`() throws {
        let bench = CanonBench.connected()
        bench.body.set(.canonExposureMode, 2)
        bench.body.setList(.canonShutterSpeed, [])
        bench.run(for: .seconds(2))
        let statuses: [CameraStatus] = bench.reported.compactMap { report in
            if case .status(let status) = report.event { status } else { nil }
        }
        #expect(statuses.last?.mode == .aperturePriority)
        #expect(statuses.last?.speedIsWritable == false)
    }

    @Test func `a damaged list is reported once, and the values are requested again`() {
        let bench = CanonBench.connected()
        bench.body.damagedLists = [ByteBuffer(hex: "0000000000000000"), ByteBuffer(hex: "0000000000000000")]
        bench.run(for: .seconds(4))
        #expect(bench.notes.filter { $0.contains("event list") }.count == 1)
        #expect(bench.operations.contains("RequestDevicePropValue 0xD102"))
        #expect(bench.losses.isEmpty)
    }

    @Test func `a value that was requested again is in doubt until the next list`() throws {
        let bench = CanonBench.connected()
        bench.body.values[.canonShutterSpeed] = 0x68
        bench.body.damagedLists = [ByteBuffer(hex: "0000000000000000")]
        bench.run(until: { $0.operations.contains { $0.hasPrefix("RequestDevicePropValue") } })
        bench.run(until: { $0.operations.last == "GetEvent" })
        let ticket = bench.perform(.readSpeed)
        #expect(bench.events(ticket).isEmpty)
        bench.run(for: .milliseconds(50))
        #expect(bench.events(ticket).first == .speedRead(.speed(try .named("1/60"))))
    }

    @Test func `random lists never stop the driver, and no list of it grows without a bound`() {
        var random = SeededGenerator(seed: 26)
        let whole = CanonVectors.bytes("eos_5dsr_get_event")
        let bench = CanonBench.connected()
        bench.perform(.keepPictures(PictureRequest(policy: .jpeg)))
        for _ in 0..<200 {
            var changed = whole
            for _ in 0..<20 {
                let index = Int.random(in: 0..<whole.readableBytes, using: &random)
                changed.setInteger(UInt8.random(in: 0...255, using: &random), at: index)
            }
            bench.body.damagedLists.append(changed)
        }
        bench.run(for: .seconds(60))
        #expect(bench.driver.overflow == nil)
        #expect(bench.notes.count < 100)
    }
}
