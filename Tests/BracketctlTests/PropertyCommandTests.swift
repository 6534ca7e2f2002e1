import Testing
import Varlink

@testable import bracketctl

private enum Settings {
    static let speed: JSONValue = [
        "name": "shutter-speed", "value": "1/125",
        "choices": ["1/8000", "1/6400", "1/5000", "1/4000", "15\"", "20\"", "30\""], "isWritable": true,
    ]
    static let iso: JSONValue = [
        "name": "iso", "value": "100", "choices": ["Auto", "100", "200"], "isWritable": true,
    ]
    static let aperture: JSONValue = ["name": "aperture", "choices": [], "isWritable": true]
    static let drive: JSONValue = ["name": "drive", "value": "sin\u{1B}gle", "choices": [], "isWritable": false]

    static func camera(_ properties: JSONValue = [speed, iso, aperture, drive]) -> FakeDaemon.Answer {
        .one(
            "camera",
            [
                "id": "sony-1", "maker": "Sony", "model": "ILCE-7M4", "firmware": "2.00", "address": "10.0.0.2:15740",
                "mode": "M", "speed": "1/125", "speeds": ["1/8000", "30\""], "noiseReduction": "off", "iso": "100",
                "properties": properties,
            ]
        )
    }
}

@Suite struct `bracketctl camera with settings` {
    @Test func `lists each of them once`() async throws {
        try await withDaemon(["GetCamera": Settings.camera()]) { daemon in
            let bench = Bench()
            #expect(await bench.run("camera", against: daemon) == .allDone)
            #expect(
                bench.output == """
                    camera           Sony ILCE-7M4
                    id               sony-1
                    firmware         2.00
                    address          10.0.0.2:15740
                    mode             M
                    speeds           2, 1/8000 to 30"
                    noise reduction  off

                    setting        value         can be set to
                    shutter-speed  1/125         1/8000, 1/6400, 1/5000 … 30" (7 in all)
                    iso            100           Auto, 100, 200
                    aperture       not reported  not reported
                    drive          sin?gle       no other value now

                    """
            )
        }
    }

    @Test func `as JSON has all of their members`() async throws {
        try await withDaemon(["GetCamera": Settings.camera()]) { daemon in
            let bench = Bench()
            #expect(await bench.run("camera", "--json", against: daemon) == .allDone)
            let properties = bench.objects.first?["properties"]
            #expect(properties == [Settings.speed, Settings.iso, Settings.aperture, Settings.drive])
        }
    }

    @Test func `of another version reports the version`() async throws {
        try await withDaemon(["GetCamera": Settings.camera([["name": "iso", "choices": []]])]) { daemon in
            let bench = Bench()
            #expect(await bench.run("get", against: daemon) == .error)
            #expect(
                bench.errors
                    == "bracketctl: In the daemon's reply, camera.properties.isWritable is not true or false: "
                    + "bracketctl and bracketd have different versions.\n"
            )
        }
    }
}

@Suite struct `bracketctl get` {
    /// Runs a command with the camera of a scripted daemon.
    private func run(
        _ arguments: String...,
        camera: FakeDaemon.Answer = Settings.camera()
    ) async throws -> (bench: Bench, status: ProcessExit) {
        let bench = Bench()
        var status = ProcessExit.allDone
        try await withDaemon(["GetCamera": camera]) { daemon in
            status = await Bracketctl.run(arguments, in: bench.environment(socket: daemon.path))
        }
        return (bench, status)
    }

    @Test func `without a name lists every setting`() async throws {
        let text = try await run("get")
        #expect(text.status == .allDone)
        #expect(text.bench.lines.count == 5)
        #expect(text.bench.lines[2] == "iso            100           Auto, 100, 200")
        let json = try await run("get", "--json")
        #expect(json.bench.objects == [Settings.speed, Settings.iso, Settings.aperture, Settings.drive])
    }

    @Test func `prints the value alone`() async throws {
        let text = try await run("get", "shutter-speed")
        #expect(text.status == .allDone)
        #expect(text.bench.output == "1/125\n")
        #expect(try await run("get", "ISO").bench.output == "100\n")
        #expect(try await run("get", "iso", "--json").bench.objects == [Settings.iso])
    }

    @Test func `prints the possible values, one per line`() async throws {
        let text = try await run("get", "iso", "--choices")
        #expect(text.status == .allDone)
        #expect(text.bench.lines == ["Auto", "100", "200"])
        #expect(try await run("get", "iso", "--choices", "--json").bench.objects == [Settings.iso])
    }

    @Test(
        arguments: [
            (["flash"], "The camera has no setting 'flash'. Its settings are shutter-speed, iso, aperture, drive."),
            (["aperture"], "The camera does not report its aperture now."),
            (["aperture", "--choices"], "The camera does not report the choices of its aperture."),
            (["drive", "--choices"], "The camera does not allow its drive to be set now."),
        ]
    )
    func `of an unknown setting is an error with a sentence`(arguments: [String], sentence: String) async throws {
        try await withDaemon(["GetCamera": Settings.camera()]) { daemon in
            for json in [[], ["--json"]] {
                let bench = Bench()
                let status = await Bracketctl.run(
                    ["get"] + arguments + json,
                    in: bench.environment(socket: daemon.path)
                )
                #expect(status == .error)
                #expect(bench.errors == "bracketctl: \(sentence)\n")
                #expect(bench.objects.map { $0["sentence"] } == (json.isEmpty ? [] : [.string(sentence)]))
            }
        }
    }

    @Test func `of a camera without settings reports that`() async throws {
        for arguments in [["get"], ["get", "iso"]] {
            try await withDaemon(["GetCamera": Settings.camera([])]) { daemon in
                let bench = Bench()
                #expect(await Bracketctl.run(arguments, in: bench.environment(socket: daemon.path)) == .error)
                #expect(bench.errors == "bracketctl: The camera reports no settings.\n")
            }
        }
    }

    @Test func `without a camera prints the daemon's sentence`() async throws {
        let refusal = FakeDaemon.Answer.error("io.bracketd.NotConnected", ["sentence": "Searching for the camera."])
        let text = try await run("get", "iso", camera: refusal)
        #expect(text.status == .error)
        #expect(text.bench.errors == "bracketctl: Searching for the camera.\n")
    }

    @Test func `with choices but without a name is a usage error without a call`() async {
        let bench = Bench()
        #expect(await bench.run("get", "--choices") == .usage)
        #expect(
            bench.errors == "bracketctl: --choices needs a setting: bracketctl get shutter-speed --choices.\n"
        )
        #expect(await Bench().run("get", "iso", "aperture") == .usage)
    }
}

@Suite struct `bracketctl set` {
    private let shown: JSONValue = [
        "name": "iso", "value": "200", "choices": ["Auto", "100", "200"], "isWritable": true,
    ]

    @Test func `prints the camera's new value`() async throws {
        try await withDaemon(["SetProperty": .one("property", shown)]) { daemon in
            let text = Bench()
            #expect(await text.run("set", "iso", "200", against: daemon) == .allDone)
            #expect(text.output == "200\n")
            #expect(daemon.calls.map(\.method) == ["io.bracketd.SetProperty"])
            #expect(daemon.calls.first?.parameters == ["name": "iso", "value": "200"])
            #expect(daemon.calls.first?.more == false)
            let json = Bench()
            #expect(await json.run("set", "iso", "200", "--json", against: daemon) == .allDone)
            #expect(json.objects == [shown])
        }
    }

    @Test(arguments: [
        (["exposure-compensation", "-0.3"], "-0.3"), (["save-target", "host", "and", "card"], "host and card"),
        (["quality", "RAW+JPEG fine"], "RAW+JPEG fine"), (["shutter-speed", "30\""], "30\""),
        (["exposure-compensation", "--json", "-1"], "-1"),
    ])
    func `accepts negative values and values of several words`(arguments: [String], value: String) async throws {
        try await withDaemon(["SetProperty": .one("property", shown)]) { daemon in
            let bench = Bench()
            let status = await Bracketctl.run(["set"] + arguments, in: bench.environment(socket: daemon.path))
            #expect(status == .allDone)
            #expect(daemon.calls.map { $0.parameters["value"] } == [.string(value)])
        }
    }

    @Test func `that is refused gives the reason and advice`() async throws {
        let sentence = "The camera does not accept 123 as iso now; it accepts Auto, 100, 200."
        let refusal = FakeDaemon.Answer.error(
            "io.bracketd.PropertyRefused",
            ["property": "iso", "value": "123", "sentence": .string(sentence)]
        )
        try await withDaemon(["SetProperty": refusal]) { daemon in
            let bench = Bench()
            #expect(await bench.run("set", "iso", "123", "--json", against: daemon) == .error)
            #expect(bench.errors == "bracketctl: \(sentence) See bracketctl get.\n")
            #expect(bench.objects.map { $0["error"] } == ["io.bracketd.PropertyRefused"])
            #expect(bench.objects.map { $0["parameters"]?["value"] } == ["123"])
        }
    }

    @Test(arguments: ["NotNow", "NotConnected"])
    func `that is not possible now is refused with the daemon's sentence`(name: String) async throws {
        let sentence = "A shoot is running. The camera's settings cannot change until the shoot ends."
        let refusal = FakeDaemon.Answer.error("io.bracketd.\(name)", ["sentence": .string(sentence)])
        try await withDaemon(["SetProperty": refusal]) { daemon in
            let bench = Bench()
            #expect(await bench.run("set", "iso", "200", against: daemon) == .error)
            #expect(bench.errors == "bracketctl: \(sentence)\n")
        }
    }

    @Test func `waits longer than for an answer without the camera`() {
        // The daemon itself waits three minutes at most, so the client waits longer than that.
        #expect(SetCommand.answerTimeMax > .seconds(180))
    }

    @Test(arguments: [
        (["iso"], "Missing expected argument '<value> ...'. See bracketctl set --help."),
        ([], "Missing expected argument '<property>'. See bracketctl set --help."),
        (["iso", "--fast"], "Unknown option '--fast'. See bracketctl set --help."),
        (["iso", "100", "-v"], "Unknown option '-v'. See bracketctl set --help."),
    ])
    func `without its arguments is a usage error without a call`(arguments: [String], sentence: String) async {
        let bench = Bench()
        #expect(await Bracketctl.run(["set"] + arguments, in: bench.environment(socket: "/nonexistent")) == .usage)
        #expect(bench.errors == "bracketctl: \(sentence)\n")
    }
}
