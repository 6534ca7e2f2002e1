import Testing
import Varlink

@testable import bracketctl

private func camera(battery: JSONValue? = 80) -> JSONValue {
    .object(leavingOutNil: [
        "id": "sony-1", "maker": "Sony", "model": "ILCE-7M4", "firmware": "2.00", "address": "10.0.0.2:15740",
        "mode": "M", "speeds": [], "noiseReduction": "off", "properties": [], "batteryPercent": battery,
    ])
}

@Suite struct `bracketctl connect` {
    @Test func `names the connected camera in a sentence`() async throws {
        try await withDaemon(["Connect": .one("camera", camera())]) { daemon in
            let text = Bench()
            #expect(await text.run("connect", "10.0.0.2", against: daemon) == .allDone)
            #expect(text.output == "Connected to Sony ILCE-7M4 at 10.0.0.2:15740, mode M, battery 80 %.\n")
            let json = Bench()
            #expect(await json.run("connect", "10.0.0.2", "--json", against: daemon) == .allDone)
            #expect(json.objects == [camera()])
        }
        try await withDaemon(["Connect": .one("camera", camera(battery: nil))]) { daemon in
            let text = Bench()
            #expect(await text.run("connect", "--last", against: daemon) == .allDone)
            #expect(text.output == "Connected to Sony ILCE-7M4 at 10.0.0.2:15740, mode M.\n")
        }
    }

    private static let names: [(arguments: [String], parameters: JSONValue)] = [
        (["sony-1"], ["camera": "sony-1"]), (["Sony", "ILCE-7M4"], ["camera": "Sony ILCE-7M4"]),
        (["Sony ILCE-7M4"], ["camera": "Sony ILCE-7M4"]),
        (["[fe80::1%wlan0]:99"], ["camera": "[fe80::1%wlan0]:99"]), (["--last"], [:]),
    ]

    @Test(arguments: names)
    func `names the camera to the daemon`(arguments: [String], parameters: JSONValue) async throws {
        try await withDaemon(["Connect": .one("camera", camera())]) { daemon in
            let bench = Bench()
            let status = await Bracketctl.run(["connect"] + arguments, in: bench.environment(socket: daemon.path))
            #expect(status == .allDone)
            #expect(daemon.calls.map(\.method) == ["io.bracketd.Connect"])
            #expect(daemon.calls.map(\.parameters) == [parameters])
        }
    }

    @Test(arguments: [
        ([], "Name a camera from bracketctl cameras, or its address, or give --last."),
        (["ILCE-7M4", "--last"], "--last means the last connected camera. Use either ILCE-7M4 or --last."),
        ([""], "The name is empty. bracketctl cameras lists the cameras."),
        (["--network"], "Unknown option '--network'. See bracketctl connect --help."),
    ])
    func `without exactly one camera is a usage error without a call`(
        arguments: [String],
        sentence: String
    ) async {
        let bench = Bench()
        #expect(await Bracketctl.run(["connect"] + arguments, in: bench.environment(socket: "/nonexistent")) == .usage)
        #expect(bench.errors == "bracketctl: \(sentence)\n")
    }

    @Test func `of an ambiguous or unknown camera shows the known ones`() async throws {
        let sentence = "No camera matches \"x\". To list the cameras: bracketctl cameras. You can also give an address."
        func refusal(_ sentence: String, known: [String]) -> FakeDaemon.Answer {
            .error(
                "io.bracketd.NoSuchCamera",
                ["camera": "x", "known": .strings(known), "sentence": .string(sentence)]
            )
        }
        try await withDaemon(["Connect": refusal(sentence, known: ["sony-1", "10.0.0.3:15740"])]) { daemon in
            let bench = Bench()
            #expect(await bench.run("connect", "x", "--json", against: daemon) == .error)
            #expect(bench.errors == "bracketctl: \(sentence) Known cameras: sony-1 and 10.0.0.3:15740.\n")
            #expect(bench.objects.map { $0["error"] } == ["io.bracketd.NoSuchCamera"])
            #expect(bench.objects.map { $0["parameters"]?["known"] } == [["sony-1", "10.0.0.3:15740"]])
        }
        // The sentence lists each camera once, and it has no empty list.
        let twice = "2 cameras match \"x\". Choose one of sony-1, sony-2."
        for (sentence, known) in [(twice, ["sony-1", "sony-2"]), ("No camera was connected yet.", [])] {
            try await withDaemon(["Connect": refusal(sentence, known: known)]) { daemon in
                let bench = Bench()
                #expect(await bench.run("connect", "x", against: daemon) == .error)
                #expect(bench.errors == "bracketctl: \(sentence)\n")
            }
        }
    }

    @Test(arguments: [
        ("NotConnected", "The camera cannot be reached.", "Not connected. The camera cannot be reached."),
        ("NotNow", "A shoot is active and needs its camera.", "A shoot is active and needs its camera."),
    ])
    func `that failed reports the reason`(name: String, sentence: String, shown: String) async throws {
        let refusal = FakeDaemon.Answer.error("io.bracketd.\(name)", ["sentence": .string(sentence)])
        try await withDaemon(["Connect": refusal]) { daemon in
            let bench = Bench()
            #expect(await bench.run("connect", "--last", "--json", against: daemon) == .error)
            #expect(bench.errors == "bracketctl: \(shown)\n")
            #expect(bench.objects.map { $0["error"] } == [.string("io.bracketd.\(name)")])
        }
    }

    @Test(arguments: [("192.0.2.1", true), ("192.0.2.1:8080", false), ("Sony ILCE-6000", false)])
    func `to an address without a port names the ports of older cameras`(camera: String, isNamed: Bool) async throws {
        let refusal = FakeDaemon.Answer.error("io.bracketd.NotConnected", ["sentence": "There was no answer."])
        try await withDaemon(["Connect": refusal]) { daemon in
            let bench = Bench()
            #expect(await bench.run("connect", camera, against: daemon) == .error)
            #expect(bench.errors.contains("192.0.2.1:8080, or 192.0.2.1:10000.") == isNamed, "\(bench.errors)")
        }
    }

    @Test func `waits longer than the daemon searches for a camera`() {
        // The daemon itself answers within a minute, so the client waits longer than that.
        #expect(ConnectCommand.answerTimeMax > .seconds(60))
    }

    @Test func `of another version reports the version`() async throws {
        try await withDaemon(["Connect": .one("camera", ["maker": "Sony"])]) { daemon in
            let bench = Bench()
            #expect(await bench.run("connect", "--last", against: daemon) == .error)
            #expect(bench.errors.hasPrefix("bracketctl: In the daemon's reply, camera.id is not a string: "))
        }
    }
}

@Suite struct `bracketctl disconnect` {
    @Test func `reports first the settings that are still to be restored`() async throws {
        let settings = "The shutter speed of Sony A is put back to 1/60 when the camera is connected again."
        let answer = FakeDaemon.Answer(replies: [VarlinkReply(parameters: ["settings": .string(settings)])])
        try await withDaemon(["Disconnect": answer]) { daemon in
            let (text, json) = (Bench(), Bench())
            #expect(await text.run("disconnect", against: daemon) == .allDone)
            #expect(text.lines.first == settings && text.lines.count == 2)
            #expect(await json.run("disconnect", "--json", against: daemon) == .allDone)
            #expect(json.objects.first?["settings"] == .string(settings))
        }
        #expect(DisconnectCommand.answerTimeMax > .seconds(485))
    }

    @Test func `reports that the camera was disconnected`() async throws {
        try await withDaemon(["Disconnect": .done]) { daemon in
            let text = Bench()
            #expect(await text.run("disconnect", against: daemon) == .allDone)
            #expect(text.output == "The camera is disconnected. To connect again: bracketctl connect --last.\n")
            let json = Bench()
            #expect(await json.run("disconnect", "--json", against: daemon) == .allDone)
            #expect(
                json.objects == [
                    [
                        "command": "disconnect",
                        "sentence": "The camera is disconnected. To connect again: bracketctl connect --last.",
                    ]
                ]
            )
            #expect(daemon.calls.allSatisfy { $0.method == "io.bracketd.Disconnect" && $0.parameters == [:] })
        }
    }

    @Test func `during a shoot is refused with the daemon's sentence`() async throws {
        let sentence =
            "A shoot is active and needs its camera. To end the shoot after the current frame: bracketctl cancel."
        let refusal = FakeDaemon.Answer.error(
            "io.bracketd.NotNow",
            ["command": "Disconnect", "state": "capturing", "sentence": .string(sentence)]
        )
        try await withDaemon(["Disconnect": refusal]) { daemon in
            let bench = Bench()
            #expect(await bench.run("disconnect", against: daemon) == .error)
            #expect(bench.errors == "bracketctl: \(sentence)\n")
        }
    }
}
