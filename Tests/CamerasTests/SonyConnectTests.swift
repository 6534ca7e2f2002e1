import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Tests the way from open connections to the first reading, with every possible error.
struct SonyConnectTests {
    @Test func `the handshake runs step by step and ends with the identity and the status`() throws {
        let bench = DriverBench()
        let ticket = bench.perform(.connect(DriverBench.address))
        let events = bench.finish(ticket)
        #expect(
            bench.operations == [
                "OpenSession 0x1", "GetDeviceInfo", "SDIO_Connect 0x1", "SDIO_Connect 0x2",
                "SDIO_GetExtDeviceInfo 0x12C", "SDIO_Connect 0x3", "SDIO_GetAllExtDevicePropInfo",
            ]
        )
        #expect(bench.requests.map(\.request.transaction) == Array(0...6))
        #expect(events.count == 2)
        let identity = CameraIdentity(
            maker: "Sony Corporation",
            model: "TEST-1",
            firmware: "1.00",
            serial: "0000000000000000000000000001234",
            id: "sony:0000000000000000000000000001234"
        )
        #expect(events.first == .prepared(identity))
        guard case .status(let status)? = events.last else {
            Issue.record("no status")
            return
        }
        #expect(status.mode == .manual)
        #expect(status.speed == .speed(try .named("1/15")))
        #expect(status.speeds == ShutterSpeed.all)
        #expect(status.speedIsWritable)
        #expect(status.batteryPercent == 70)
        #expect(status.shotsLeft == 116)
        #expect(status.noiseReduction == .unknown)
        #expect(status.focusMode == "MF")
        #expect(status.isManualFocus == true)
        #expect(status.isISOAuto == true)
        #expect(status.aperture == "f/2.8")
        #expect(status.saveTarget == "host")
    }

    @Test func `every cut of the camera's bytes gives the same session`() {
        let whole = DriverBench()
        _ = whole.finish(whole.perform(.connect(DriverBench.address)))
        for size in [8, 13, 100] {
            let cut = DriverBench()
            cut.pieceSize = size
            _ = cut.finish(cut.perform(.connect(DriverBench.address)))
            #expect(cut.reported.map(\.event) == whole.reported.map(\.event))
        }
    }

    @Test(arguments: [
        (InitFailReason.rejectedInitiator, Refusal.unpaired), (.busy, .inUse),
        (
            .unspecified,
            .protocolError("The camera rejected the connection without a reason (unspecified (3)).")
        ),
    ])
    func `a camera that refuses the session says whether to try again`(reason: InitFailReason, refusal: Refusal) {
        let bench = DriverBench()
        bench.initFail = reason
        let ticket = bench.perform(.connect(DriverBench.address))
        #expect(bench.finish(ticket) == [.refused(refusal)])
        #expect(bench.openChannels.isEmpty)
    }

    @Test func `a camera that another host uses is in use, and is closed in order`() {
        let bench = DriverBench { $0.overrides[.sdioConnect] = [.init(code: .sonyAuthenticationFailed)] }
        let ticket = bench.perform(.connect(DriverBench.address))
        #expect(bench.finish(ticket) == [.refused(.inUse)])
        #expect(bench.operations.last == "CloseSession")
        #expect(bench.openChannels.isEmpty)
    }

    @Test func `another maker's camera is refused with a sentence and closed in order`() {
        let bench = DriverBench {
            $0.manufacturer = "FUJIFILM"
            $0.model = "X-T5"
        }
        let ticket = bench.perform(.connect(DriverBench.address))
        guard case .refused(.unsupported(let sentence))? = bench.finish(ticket).first else {
            Issue.record("not refused")
            return
        }
        #expect(sentence.contains("FUJIFILM"))
        #expect(bench.operations == ["OpenSession 0x1", "GetDeviceInfo", "CloseSession"])
    }

    @Test func `a body of an unknown generation is refused with a sentence`() {
        let bench = DriverBench { $0.extensionVersion = 100 }
        let ticket = bench.perform(.connect(DriverBench.address))
        guard case .refused(.unsupported(let sentence))? = bench.finish(ticket).first else {
            Issue.record("not refused")
            return
        }
        #expect(sentence.contains("version 1"))
        #expect(bench.operations.last == "CloseSession")
    }

    @Test func `an empty 0x9202 is requested again, every 50 ms`() {
        let bench = DriverBench { $0.emptyExtDeviceInfos = 3 }
        let ticket = bench.perform(.connect(DriverBench.address))
        #expect(bench.finish(ticket).count == 2)
        let times = bench.requests.filter { $0.request.code == .sdioGetExtDeviceInfo }.map(\.at)
        #expect(times.count == 4)
        #expect(zip(times.dropFirst(), times).allSatisfy { $0 - $1 == .milliseconds(52) })
    }

    @Test func `the wait for a 0x9202 that stays empty ends`() {
        let bench = DriverBench { $0.emptyExtDeviceInfos = .max }
        let ticket = bench.perform(.connect(DriverBench.address))
        let sentence = "The camera did not complete SDIO_GetExtDeviceInfo: its answers were empty."
        #expect(bench.finish(ticket) == [.refused(.protocolError(sentence))])
        #expect(bench.requests.filter { $0.request.code == .sdioGetExtDeviceInfo }.count == 60)
    }

    @Test func `a body that is busy during the handshake is asked again, with a limit`() {
        let patient = DriverBench { $0.overrides[.sdioConnect] = [.init(code: .deviceBusy), .init(code: .deviceBusy)] }
        #expect(patient.finish(patient.perform(.connect(DriverBench.address))).count == 2)

        let busy = DriverBench {
            $0.overrides[.sdioConnect] = [ScriptedBody.Answer](repeating: .init(code: .deviceBusy), count: 100)
        }
        #expect(busy.finish(busy.perform(.connect(DriverBench.address))) == [.refused(.inUse)])
        #expect(busy.requests.filter { $0.request.code == .sdioConnect }.count == 10)
    }

    @Test func `a session that is already open is a session`() {
        let bench = DriverBench { $0.overrides[.openSession] = [.init(code: .sessionAlreadyOpen)] }
        #expect(bench.finish(bench.perform(.connect(DriverBench.address))).count == 2)
    }

    @Test func `a refused session id is followed by the next one`() {
        let bench = DriverBench { $0.overrides[.openSession] = [.init(code: .invalidTransactionID)] }
        #expect(bench.finish(bench.perform(.connect(DriverBench.address))).count == 2)
        #expect(bench.operations.prefix(2) == ["OpenSession 0x1", "OpenSession 0x2"])
    }

    @Test func `an operation that the body does not support is reported by its name`() {
        let bench = DriverBench { $0.overrides[.sdioConnect] = [.init(code: .operationNotSupported)] }
        guard
            case .refused(.unsupported(let sentence))? = bench.finish(bench.perform(.connect(DriverBench.address)))
                .first
        else {
            Issue.record("not refused")
            return
        }
        #expect(sentence.contains("SDIO_Connect"))
    }

    @Test func `a closed port is a loss with the reason`() {
        let bench = DriverBench()
        bench.openFailures = [.command: ["connection refused"]]
        bench.perform(.connect(DriverBench.address))
        bench.run(for: .seconds(1))
        #expect(bench.losses == [.cannotConnect("connection refused")])
    }

    @Test func `an event connection that listens late is tried again`() {
        let bench = DriverBench()
        bench.openFailures = [.event: ["connection refused", "connection refused"]]
        #expect(bench.finish(bench.perform(.connect(DriverBench.address))).count == 2)
    }

    @Test func `a camera that never answers the handshake is lost, and a known one sooner`() {
        let bench = DriverBench()
        bench.connect()
        bench.perform(.abandon)
        bench.body.isMute = true
        let start = bench.now
        bench.forget()
        bench.perform(.connect(DriverBench.address))
        bench.run(until: { !$0.losses.isEmpty })
        // The driver waits longer than a camera probes an old session before it accepts a new one.
        #expect(bench.now - start == .seconds(15))

        let stranger = DriverBench { $0.isMute = true }
        let begin = stranger.now
        stranger.perform(.connect(DriverBench.address))
        stranger.run(until: { !$0.losses.isEmpty })
        #expect(stranger.now - begin == .seconds(60))
        #expect(stranger.openChannels.isEmpty)
    }

    @Test(arguments: 0..<7)
    func `a camera that stops answering at any step is lost after the step's time`(step: Int) {
        let bench = DriverBench()
        bench.perform(.connect(DriverBench.address))
        bench.run(until: { $0.requests.count == step })
        bench.body.isMute = true
        bench.run(until: { !$0.losses.isEmpty })
        guard case .silent(let time, _)? = bench.losses.first else {
            Issue.record("not lost")
            return
        }
        #expect(time == .seconds(step == 0 ? 60 : 5))
        #expect(bench.openChannels.isEmpty)
        #expect(bench.driver.nextDeadline == nil)
    }

    // MARK: The dials' priority

    @Test func `the priority of the dials stays unchanged if the speed can be set`() {
        let bench = DriverBench()
        bench.connect()
        bench.perform(.disconnect)
        bench.run(for: .seconds(3))
        #expect(!bench.operations.contains { $0.contains("D25A") })
    }

    @Test func `the priority of the dials is taken only if necessary, and returned`() {
        let bench = DriverBench { $0[.sonyShutterSpeed].availability = .displayOnly }
        let ticket = bench.perform(.connect(DriverBench.address))
        bench.run(until: { $0.operations.contains("SDIO_SetExtDevicePropValue 0xD25A 01") })
        // With the priority on the host, the body accepts a speed after a while.
        bench.run(for: .milliseconds(250))
        #expect(bench.events(ticket).isEmpty)
        bench.body[.sonyShutterSpeed].availability = .enabled
        guard case .status(let status)? = bench.finish(ticket).last else {
            Issue.record("no status")
            return
        }
        #expect(status.speedIsWritable)
        bench.forget()
        bench.perform(.disconnect)
        bench.run(for: .seconds(3))
        #expect(bench.operations == ["SDIO_SetExtDevicePropValue 0xD25A 00", "CloseSession"])
    }

    @Test func `the priority is returned after a lost link too`() {
        let bench = DriverBench { $0[.sonyShutterSpeed].availability = .displayOnly }
        bench.connect()
        bench.body[.sonyShutterSpeed].availability = .enabled
        bench.receive(.closed(.command, reason: "reset"))
        bench.connect()
        bench.perform(.disconnect)
        bench.run(for: .seconds(3))
        #expect(bench.operations == ["SDIO_SetExtDevicePropValue 0xD25A 00", "CloseSession"])
    }

    // MARK: The end

    @Test func `a probe is answered at once on the event connection, also in the middle of an operation`() {
        let bench = DriverBench()
        bench.connect()
        bench.body.isMute = true
        bench.perform(.readStatus)
        var sent = bench.sentOnEvent
        bench.receive(.received(.event, PTPIPPacket.probeRequest.encoded()))
        sent.writeImmutableBuffer(PTPIPPacket.probeResponse.encoded())
        #expect(bench.sentOnEvent == sent)
    }

    @Test func `the ordered end closes the session and both sockets`() {
        let bench = DriverBench()
        bench.connect()
        let ticket = bench.perform(.disconnect)
        #expect(bench.finish(ticket) == [.disconnected])
        #expect(bench.operations == ["CloseSession"])
        #expect(bench.openChannels.isEmpty)
        #expect(bench.driver.nextDeadline == nil)
    }

    @Test func `the ordered end has a time limit if the body does not answer, also in mid-transfer`() {
        let bench = DriverBench()
        bench.connect()
        bench.body.isMute = true
        bench.perform(.readStatus)
        let start = bench.now
        let ticket = bench.perform(.disconnect)
        #expect(bench.finish(ticket) == [.disconnected])
        #expect(bench.now - start == .milliseconds(2500))
        #expect(bench.openChannels.isEmpty)
    }

    @Test func `to abandon closes at once and sends nothing`() {
        let bench = DriverBench()
        bench.connect()
        let ticket = bench.perform(.abandon)
        #expect(bench.events(ticket) == [.disconnected])
        #expect(bench.operations.isEmpty)
        #expect(bench.openChannels.isEmpty)
        #expect(bench.driver.nextDeadline == nil)
    }

    @Test func `without a session every command has an answer`() throws {
        let bench = DriverBench()
        let speed = try ShutterSpeed.named("1/60")
        let commands: [CameraCommand] = [
            .readStatus, .setSpeed(speed), .readSpeed, .capture(speed), .awaitIdle,
            .resolveCapture(shotsLeftBefore: nil),
        ]
        for command in commands {
            #expect(bench.events(bench.perform(command)) == [.lost(.notConnected)])
        }
        for command in [CameraCommand.disconnect, .abandon] {
            #expect(bench.events(bench.perform(command)) == [.disconnected])
        }
        bench.perform(.connect(DriverBench.address))
        for command in commands {
            #expect(bench.events(bench.perform(command)) == [.failed(.other("The camera is not connected yet."))])
        }
    }

    @Test(arguments: [LinkID.command, .event])
    func `the end of either connection ends the session`(channel: LinkID) {
        let bench = DriverBench()
        bench.connect()
        bench.receive(.closed(channel, reason: nil))
        #expect(bench.reported.map(\.event) == [.lost(.closedByCamera)])
        #expect(bench.reported.first?.ticket == nil)
        #expect(Set(bench.closedChannels) == Set([LinkID.command, .event]))
        bench.connect()
        bench.receive(.closed(channel, reason: "reset by peer"))
        #expect(bench.losses == [.reset("reset by peer")])
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `random bytes on both connections at worst end the session`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let bench = DriverBench()
            bench.perform(.connect(DriverBench.address))
            let steps = Int(random.next() % 9)
            bench.run(until: { $0.requests.count >= steps }, atMost: .seconds(1))
            for _ in 0..<30 {
                var bytes = ByteBuffer()
                if random.next() % 3 != 0 {
                    bytes.writeInteger(UInt32(8 + random.next() % 24), endianness: .little)
                    bytes.writeInteger(UInt32(random.next() % 16), endianness: .little)
                }
                var rest = random.bytes(Int(random.next() % 24))
                bytes.writeBuffer(&rest)
                let channel: LinkID = random.next() % 2 == 0 ? .command : .event
                if bench.openChannels.contains(channel) { bench.receive(.received(channel, bytes)) }
            }
            bench.run(for: .seconds(30))
            // Whatever the body sent, the driver can be used again.
            bench.perform(.abandon)
            bench.body = ScriptedBody()
            bench.forget()
            #expect(bench.finish(bench.perform(.connect(DriverBench.address))).count == 2)
        }
    }
}
