import Bodies
import Foundation
import Testing

struct CamerasimTests {
    @Test func `a foreign client fires a frame, and the card and the log record it`() throws {
        let card = FileManager.default.temporaryDirectory.appending(path: "camerasim-\(UUID().uuidString).jsonl")
        defer { try? FileManager.default.removeItem(at: card) }
        let simulator = try SimulatorProcess(
            "--log",
            "--card",
            card.path(),
            "--save-time",
            "10ms",
            "--readback",
            "20ms"
        )
        let initiator = try RawInitiator(port: simulator.port)
        try initiator.open()
        // The initiator sets 1/4 and waits until the body reports a change.
        #expect(try initiator.perform(0x9205, 0xD20D, data: [4, 0, 1, 0]).code == 0x2001)
        try initiator.wait(for: 0xC203)
        let start = ContinuousClock.now
        #expect(try initiator.perform(0x9207, 0xD2C1, data: [2, 0]).code == 0x2001)
        #expect(try initiator.perform(0x9207, 0xD2C2, data: [2, 0]).code == 0x2001)
        try initiator.wait(for: 0xC206)
        #expect(ContinuousClock.now - start >= .milliseconds(250))
        #expect(try initiator.perform(0x9207, 0xD2C2, data: [1, 0]).code == 0x2001)
        #expect(try initiator.perform(0x9207, 0xD2C1, data: [1, 0]).code == 0x2001)
        try initiator.wait(for: 0xC201)
        let picture = try initiator.perform(0x1009, 0xFFFF_C001)
        #expect(picture.code == 0x2001)
        #expect(picture.data.starts(with: [0xFF, 0xD8]))
        #expect(try initiator.perform(0x1003).code == 0x2001)

        let (status, log) = simulator.end(by: SIGTERM)
        #expect(status == 0)
        for part in ["SDIO_SetExtDevicePropValue #6 0xD20D data 04000100", "frame 1: shutter opens at 1/4"] {
            #expect(log.contains(part), "no '\(part)' in \(log)")
        }
        #expect(log.split(separator: "\n").allSatisfy { $0.contains(" ms  ") })
        let lines = try String(contentsOf: card, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 1)
        let frame = try #require(try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
        #expect(frame["frame"] as? Int == 1)
        #expect(frame["speed"] as? String == "1/4")
        #expect(frame["exposureMilliseconds"] as? Double == 250)
        #expect(frame["at"] is Int)
    }

    @Test(arguments: BodyMaker.canon.models.map(\.shortName))
    func `a foreign client fires a frame on each Canon body and fetches its file`(model: String) throws {
        let arguments = ["--model", model, "--save-time", "10ms", "--readback", "5ms"]
        let simulator = try SimulatorProcess(host: "127.0.0.1", arguments: arguments, maker: "canon")
        let initiator = try RawInitiator(port: simulator.port)
        for (code, parameter) in [(0x1002, 1), (0x9114, 1), (0x9115, 1)] as [(UInt16, UInt32)] {
            #expect(try initiator.perform(code, parameter).code == 0x2001)
        }
        #expect(try initiator.perform(0x9116).data.count > 1_000)
        // The initiator sets 1/4 and requests lists until the body reports it.
        let write: [UInt8] = [12, 0, 0, 0, 0x02, 0xD1, 0, 0, 0x48, 0, 0, 0]
        #expect(try initiator.perform(0x9110, data: write).code == 0x2001)
        let speed: [UInt8] = [0x89, 0xC1, 0, 0, 0x02, 0xD1, 0, 0, 0x48]
        try initiator.poll { data in data.indices.contains { data[$0...].starts(with: speed) } }
        #expect(try initiator.perform(0x9128, 3, 1).code == 0x2001)
        #expect(try initiator.perform(0x9129, 3).code == 0x2001)
        let ready: [UInt8] = [12, 0, 0, 0, 0x8B, 0xC1, 0, 0, 0, 0, 0, 0]
        try initiator.poll { data in data.indices.contains { data[$0...].starts(with: ready) } }
        let list = try initiator.perform(0x1007, 0xFFFF_FFFF, 0x3801, 0).data
        #expect(list.prefix(4) == [1, 0, 0, 0])
        let picture = try initiator.perform(0x1009, number(list.suffix(4)))
        #expect(picture.code == 0x2001)
        #expect(picture.data.starts(with: [0xFF, 0xD8]))
        #expect(try initiator.perform(0x1003).code == 0x2001)
        #expect(simulator.end(by: SIGTERM).status == 0)
    }

    @Test(arguments: BodyMaker.nikon.models.map(\.shortName))
    func `a foreign client fires a frame on each Nikon body and fetches its file`(model: String) throws {
        let arguments = ["--model", model, "--save-time", "10ms", "--readback", "5ms"]
        let simulator = try SimulatorProcess(host: "127.0.0.1", arguments: arguments, maker: "nikon")
        let initiator = try RawInitiator(port: simulator.port)
        #expect(try initiator.perform(0x1002, 1).code == 0x2001)
        // Only bodies of the later generations have the application mode.
        #expect([0x2001, 0x2005].contains(try initiator.perform(0x9435, 1).code))
        // The initiator sets 1/4 and reads until the body shows it.
        #expect(try initiator.perform(0x1016, 0xD100, data: [4, 0, 1, 0]).code == 0x2001)
        try initiator.poll { try $0.perform(0x1015, 0xD100).data == [4, 0, 1, 0] }
        #expect(try initiator.perform(0x9207, 0xFFFF_FFFF, 0).code == 0x2001)
        #expect(try initiator.perform(0x90C8).code == 0x2019)
        try initiator.poll { try $0.perform(0x90C8).code == 0x2001 }
        let list = try initiator.perform(0x1007, 0xFFFF_FFFF, 0x3801, 0).data
        #expect(list.prefix(4) == [1, 0, 0, 0])
        let picture = try initiator.perform(0x1009, number(list.suffix(4)))
        #expect(picture.code == 0x2001)
        #expect(picture.data.starts(with: [0xFF, 0xD8]))
        #expect(try initiator.perform(0x1003).code == 0x2001)
        #expect(simulator.end(by: SIGTERM).status == 0)
    }

    @Test func `without a size pictures are as large and as late as a real body's`() throws {
        let simulator = try SimulatorProcess(host: "127.0.0.1", arguments: [], size: nil)
        let initiator = try RawInitiator(port: simulator.port)
        try initiator.open()
        #expect(try initiator.perform(0x9207, 0xD2C1, data: [2, 0]).code == 0x2001)
        #expect(try initiator.perform(0x9207, 0xD2C2, data: [2, 0]).code == 0x2001)
        try initiator.wait(for: 0xC206)
        let start = ContinuousClock.now
        #expect(try initiator.perform(0x9207, 0xD2C2, data: [1, 0]).code == 0x2001)
        #expect(try initiator.perform(0x9207, 0xD2C1, data: [1, 0]).code == 0x2001)
        try initiator.wait(for: 0xC201)
        // The body's clock gives the minimum time. The test may have read the first event late.
        #expect(ContinuousClock.now - start >= .milliseconds(2_000))
        #expect(try initiator.perform(0x1009, 0xFFFF_C001).data.count == 11_550_000)
    }

    @Test func `a second initiator gets the answer that the camera is busy`() throws {
        let simulator = try SimulatorProcess()
        let first = try RawInitiator(port: simulator.port)
        try first.open()
        let second = try RawConnection(port: simulator.port)
        try second.send(RawInitiator.greeting)
        // The body probes the first connection, and this connection answers.
        #expect(try first.event.packet().type == 13)
        try first.event.send(u32(8) + u32(14))
        let answer = try second.packet()
        #expect(answer.type == 5)
        #expect(answer.body == [2, 0, 0, 0])
        #expect(throws: RawConnection.Failure.ended) { try second.receive(1) }
        #expect(try first.perform(0x9209, 0).code == 0x2001)
        #expect(simulator.end(by: SIGINT).status == 0)
    }

    @Test func `a dropped link resets, refuses, and accepts connects again on the same port`() throws {
        let simulator = try SimulatorProcess("--log", "--fault", "drop@1:focus,back=300ms")
        let initiator = try RawInitiator(port: simulator.port)
        try initiator.open()
        #expect(throws: RawConnection.Failure.reset) { try initiator.perform(0x9207, 0xD2C1, data: [2, 0]) }
        #expect(throws: RawConnection.Failure.self) { try initiator.event.packet() }
        #expect(throws: RawConnection.Failure.refused) { try RawConnection(port: simulator.port) }
        try simulator.waitForLog("listening again")
        try RawInitiator(port: simulator.port).open()
    }

    @Test func `refused connects are reset`() throws {
        let simulator = try SimulatorProcess("--fault", "refuse-connect=2")
        for _ in 0..<2 {
            #expect(throws: RawConnection.Failure.self) {
                let connection = try RawConnection(port: simulator.port)
                try connection.send(RawInitiator.greeting)
                _ = try connection.packet()
            }
        }
        try RawInitiator(port: simulator.port).open()
    }

    @Test func `latency is added to every answer`() throws {
        let simulator = try SimulatorProcess("--latency", "30ms")
        let start = ContinuousClock.now
        let initiator = try RawInitiator(port: simulator.port)
        try initiator.open()
        // Eight messages are delayed: two Init answers and six responses.
        #expect(ContinuousClock.now - start >= .milliseconds(8 * 30))
    }

    @Test func `random bytes and a client that never reads do not stop it`() throws {
        let simulator = try SimulatorProcess("--slot-hold", "0")
        for seed in 0..<20 {
            let connection = try RawConnection(port: simulator.port)
            try? connection.send((0..<200).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ seed &* 17) })
            if seed % 2 == 0 { _ = try? connection.receive(1) }
        }
        var initiator: RawInitiator? = try RawInitiator(port: simulator.port)
        // The test sends requests without end and does not read the answers. The simulator must stop reading, not use
        // more memory.
        var isStuck = false
        let thousand = (0..<1_000).flatMap { _ in u32(18) + u32(6) + u32(1) + u16(0x1001) + u32(100) }
        for _ in 0..<5_000 where !isStuck {
            do {
                try initiator?.command.send(thousand, patienceMilliseconds: 2_000)
            } catch {
                isStuck = error as? RawConnection.Failure == .timeout
            }
        }
        #expect(isStuck)
        initiator = nil
        // Until the simulator has detected the end, it answers that it is busy.
        let next = (0..<10_000).lazy.compactMap { _ in try? RawInitiator(port: simulator.port) }.first
        try #require(next).open()
    }

    @Test(arguments: [
        (["sony", "--model", "EOS"], "there is no such model; the models are ilce-7m4"),
        (["sony", "--mode", "X"], "a mode is M, S, A or P"),
        (["sony", "--speeds", "1/60,1/61"], "1/61"),
        (["sony", "--battery", "101"], "not a percentage"),
        (["sony", "--battery", "full"], "full"),
        (["sony", "--shots-left", "-1"], "shots-left"),
        (["sony", "--save-time", "soon"], "'soon' is not a duration"),
        (["sony", "--save-time", "-1"], "'-1' is not a duration"),
        (["sony", "--battery", "-1"], "--battery -1 is not a percentage"),
        (["sony", "--latency", "5 parsecs"], "is not a duration"),
        (["sony", "--save-target", "cloud"], "a save target is host, card or both"),
        (["sony", "--lenr", "maybe"], "maybe"),
        (["sony", "--fault", "explode@3"], "there is no such fault"),
        (["sony", "--fault", "drop"], "the frame is missing; the form is drop@FRAME"),
        (["sony", "--listen", "somewhere"], "write ADDR:PORT"),
        (["sony", "--listen", ":80"], "the address is missing"),
        (["sony", "--listen", "127.0.0.1:99999"], "write ADDR:PORT"),
        (["sony", "--card", "/nowhere/at/all"], "cannot be opened: No such file or directory"),
        (["canon", "--model", "ilce-7m4"], "there is no such model; the models are eos-r6m2"),
        (["canon", "--step-time", "1s"], "--step-time"),
        (["canon", "--ssdp-kind", "smartphone"], "needs --ssdp"),
        (["canon", "--ssdp-kind", "http"], "the kinds are utility, smartphone"),
        (["canon", "--fault", "auth-failed=1"], "only bodies of sony have this fault"),
        (["sony", "--fault", "late-counter=1s"], "only bodies of canon, nikon and sony-http have this fault"),
        (["nikon", "--fault", "late-focus@1=1s"], "only bodies of canon have this fault"),
        (["nikon", "--model", "eos-80d"], "there is no such model; the models are z6-2, d850, z8, zr"),
        (["nikon", "--ssdp"], "--ssdp cannot be used: Nikon bodies do not announce themselves"),
        (["nikon", "--fault", "ssdp-silent"], "only bodies of sony, canon and sony-http have this fault"),
        (["nikon", "--steps", "whole"], "whole"),
        (["kodak"], "kodak"),
        (["sony", "--flash"], "--flash"),
    ])
    func `a wrong argument ends it with 64 and a sentence`(arguments: [String], sentence: String) throws {
        let result = try SimulatorProcess.run(arguments)
        #expect(result.status == 64)
        #expect(result.errors.contains(sentence), "\(result.errors)")
        #expect(result.output.isEmpty)
    }

    @Test func `an address in use ends it with 1 and a sentence`() throws {
        let simulator = try SimulatorProcess()
        let result = try SimulatorProcess.run(["sony", "--listen", "127.0.0.1:\(simulator.port)"])
        #expect(result.status == 1)
        #expect(
            result.errors == "camerasim: cannot listen on 127.0.0.1:\(simulator.port): the address is in use; "
                + "choose another with --listen\n"
        )
        #expect(result.output.isEmpty)
    }

    // A name with an empty label is refused without a question to a name server.
    @Test func `an unknown host ends it with 1 and a sentence`() throws {
        let result = try SimulatorProcess.run(["sony", "--listen", "127.0.0..1:15740"])
        #expect(result.status == 1)
        #expect(
            result.errors == "camerasim: cannot listen on 127.0.0..1:15740: this machine cannot resolve that host "
                + "name; use an address of this machine with --listen, such as 127.0.0.1:15740 or [::1]:15740\n"
        )
        #expect(result.output.isEmpty)
    }

    @Test func `a log without a reader does not stop it`() throws {
        let simulator = try SimulatorProcess("--log", "--slot-hold", "0")
        let initiator = try RawInitiator(port: simulator.port)
        try initiator.open()
        // Each request writes a line of more than 30 bytes to the log. Together they exceed the 64 KiB of a pipe.
        for _ in 0..<4_000 { #expect(try initiator.perform(0x1001).code == 0x2001) }
        // When the pipe has room again, the log continues and reports the number of lost lines.
        for _ in 0..<500 { try simulator.waitForLog(" ms  ") }
        #expect(try initiator.perform(0x1001).code == 0x2001)
        try simulator.waitForLog(" lines omitted)")
        #expect(simulator.end(by: SIGTERM).status == 0)
    }

    @Test(arguments: BodyMaker.all.map(\.name)) func `every maker of the table is a command`(maker: String) throws {
        let help = try SimulatorProcess.run([maker, "--help"])
        #expect(help.status == 0)
        #expect(try SimulatorProcess.run(["list"]).output.contains("camerasim \(maker) --model"))
    }

    @Test func `list and help name every model and every fault`() throws {
        let list = try SimulatorProcess.run(["list"])
        #expect(list.status == 0)
        let help = try SimulatorProcess.run(["sony", "--help"])
        #expect(help.status == 0)
        for model in BodyMaker.all.flatMap(\.models) {
            for text in [model.shortName, model.name, model.summary] { #expect(list.output.contains(text)) }
        }
        for fault in FaultGrammar.list {
            for text in [fault.form, fault.meaning] { #expect(list.output.contains(text)) }
        }
        for form in ["drop@FRAME[:PHASE][,back=DURATION]", "wrong-speed@FRAME=SPEED[,times=N]", "busy[@FRAME]=[OP:]N"] {
            #expect(list.output.contains(form))
            #expect(help.output.contains(form))
        }
    }

    @Test func `list as JSON has the same content for programs`() throws {
        let list = try SimulatorProcess.run(["list", "--json"])
        let object = try JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [String: [[String: Any]]]
        let models = try #require(object?["models"])
        let rows = BodyMaker.all.flatMap(\.models)
        #expect(models.map { $0["model"] as? String } == rows.map(\.shortName))
        #expect(models.map { $0["version"] as? Int } == rows.map(\.version))
        #expect(models.first?["summary"] as? String == SonyModel.all.first?.summary)
        let faults = try #require(object?["faults"])
        #expect(faults.map { $0["fault"] as? String } == FaultGrammar.list.map(\.name))
    }

    @Test(arguments: ["rx100m7", "DSC-RX100M7", "ilce-6400", "ZV-E10"])
    func `a model is chosen by its short or its full name`(name: String) throws {
        let simulator = try SimulatorProcess("--model", name)
        let initiator = try RawInitiator(port: simulator.port)
        let version: UInt8 = SonyModel.named(name)?.versionNumber == 2 ? 0xC8 : 0x2C
        #expect(try initiator.perform(0x1002, 1).code == 0x2001)
        #expect(try initiator.perform(0x9202, 0x012C).data.first == version)
    }

    @Test func `an option that cannot be simulated is refused with a sentence`() throws {
        for (arguments, text) in [
            (["--model", "eos"], "ilce-6400"), (["--picture-size", "25mb"], "25MB"),
            (["--step-accuracy", "cap"], "short:N"), (["--fault", "jump@2=fast"], "jump@FRAME[=SPEED]"),
            (["--fault", "ignore-property=colour"], "white-balance"),
            (["--fault", "slow-transfer=0"], "slow-transfer"),
        ] {
            let result = try SimulatorProcess.run(["sony"] + arguments)
            #expect(result.status == 64)
            #expect(result.errors.contains(text), "\(result.errors)")
        }
    }

    @Test func `a file of 25 MB arrives whole, and libexif reads it`() throws {
        let simulator = try SimulatorProcess("--picture-size", "25MB", "--save-time", "10ms")
        let initiator = try RawInitiator(port: simulator.port)
        try initiator.open()
        #expect(try initiator.perform(0x9207, 0xD2C1, data: [2, 0]).code == 0x2001)
        #expect(try initiator.perform(0x9207, 0xD2C2, data: [2, 0]).code == 0x2001)
        try initiator.wait(for: 0xC206)
        #expect(try initiator.perform(0x9207, 0xD2C2, data: [1, 0]).code == 0x2001)
        #expect(try initiator.perform(0x9207, 0xD2C1, data: [1, 0]).code == 0x2001)
        try initiator.wait(for: 0xC201)
        let picture = try initiator.perform(0x1009, 0xFFFF_C001).data
        #expect(picture.count == 25_000_000)
        #expect(picture.suffix(2) == [0xFF, 0xD9])
        try initiator.wait(for: 0xC202)
        let exif = "/usr/bin/exif"
        guard FileManager.default.isExecutableFile(atPath: exif) else { return }
        let file = FileManager.default.temporaryDirectory.appending(path: "camerasim-\(UUID().uuidString).jpg")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(picture.prefix(65_536)).write(to: file)
        let tags = try SimulatorProcess.run(["--machine-readable", file.path()], program: URL(filePath: exif))
        for line in ["Exposure Time\t1/60 sec.", "F-Number\tf/8.0", "ISO Speed Ratings\t100", "Model\tILCE-7M4"] {
            #expect(tags.output.contains(line), "\(tags.output)")
        }
    }

    @Test func `a transfer that breaks leaves the file there for another attempt`() throws {
        let simulator = try SimulatorProcess(
            "--picture-size",
            "25MB",
            "--save-time",
            "10ms",
            "--fault",
            "transfer-breaks@1=20MB,back=200ms",
            "--log"
        )
        let initiator = try RawInitiator(port: simulator.port)
        try initiator.open()
        for (control, value) in [(0xD2C1, 2), (0xD2C2, 2)] as [(UInt32, UInt8)] {
            #expect(try initiator.perform(0x9207, control, data: [value, 0]).code == 0x2001)
        }
        try initiator.wait(for: 0xC201)
        #expect(throws: RawConnection.Failure.self) { try initiator.perform(0x1009, 0xFFFF_C001) }
        try simulator.waitForLog("listening again")
        let again = try RawInitiator(port: simulator.port)
        try again.open()
        let rest = try again.perform(0x101B, 0xFFFF_C001, 20_000_000, 10_000_000)
        #expect(rest.code == 0x2001)
        #expect(rest.data.count == 5_000_000)
    }
}

extension RawInitiator {
    /// Requests event lists of a Canon body until one is as expected.
    fileprivate func poll(until isExpected: ([UInt8]) -> Bool) throws {
        try poll { isExpected(try $0.perform(0x9116).data) }
    }

    /// Performs an operation until its answer is as expected.
    fileprivate func poll(_ isExpected: (RawInitiator) throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < end {
            if try isExpected(self) { return }
            // These bodies report only in answers, so nothing can wake the test.
            usleep(10_000)
        }
        Issue.record("no answer is as expected")
    }
}
