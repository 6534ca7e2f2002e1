import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// Clients' requests to set properties of the camera. The camera answers as scripted.
@Suite struct PropertyTests {
    private static let iso = PropertyState(
        property: .iso,
        value: "100",
        choices: ["Auto", "100", "200", "400"],
        isWritable: true
    )
    private static let aperture = PropertyState(
        property: .aperture,
        value: "f/8",
        choices: ["f/5.6", "f/8", "f/11"],
        isWritable: true
    )
    private static let speed = PropertyState(property: .shutterSpeed, value: "1/60", isWritable: true)

    private static func connected(_ twists: ScriptedCamera.Deviation...) -> Bench {
        var camera = ScriptedCamera(twists: twists)
        // This order differs from the order in the list of properties.
        camera.properties = [aperture, iso, speed]
        return Bench(camera)
    }

    private static func properties(_ bench: inout Bench) -> [PropertyState]? {
        let id = bench.ask(.getCamera)
        guard case .reply(.camera(let report), _) = bench.answers(to: id).first else { return nil }
        return report.properties
    }

    /// The only answer to a request. No answer, or several answers, are a failure of the test.
    private static func answer(to id: RequestID, _ bench: Bench) throws -> Bench.Answer {
        let answers = bench.answers(to: id)
        #expect(answers.count == 1)
        return try #require(answers.first)
    }

    private static func sets(_ bench: Bench) -> [CameraCommand] {
        bench.scripted.commands.filter { if case .setProperty = $0 { true } else { false } }
    }

    // MARK: The table

    @Test func `a refusal lists all choices, or as many as fit in a sentence`() {
        func sentence(_ count: Int) -> String {
            CameraFailure.propertyNotOffered(.iso, "99", choices: (1...count).map(String.init)).sentence
        }
        #expect(sentence(3) == "The camera does not accept 99 as iso now; it accepts 1, 2, 3.")
        #expect(sentence(60).hasSuffix("it accepts 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 … (60 in all)."))
    }

    @Test func `the camera's settings are listed in one order, whatever the body's order`() {
        var bench = Self.connected()
        #expect(Self.properties(&bench) == [Self.speed, Self.iso, Self.aperture])
    }

    @Test func `a setting that is absent from a report keeps its value`() {
        var bench = Self.connected()
        let changed = PropertyState(property: .iso, value: nil)
        bench.camera { camera, now in camera.tell(.properties([changed]), at: now) }
        #expect(Self.properties(&bench) == [Self.speed, changed, Self.aperture])
    }

    @Test func `the last camera's settings are forgotten when another connection stands`() {
        var bench = Self.connected()
        bench.camera { camera, _ in camera.properties = [Self.iso] }
        bench.camera { camera, now in camera.tell(.lost(.closedByCamera), at: now) }
        #expect(Self.properties(&bench) == nil)
        bench.pass { $0.state("connection") == "connected" }
        #expect(Self.properties(&bench) == [Self.iso])
    }

    // MARK: Setting

    @Test func `a setting is answered when the camera shows it, and not before`() throws {
        var bench = Self.connected(.showPropertyAfter(.seconds(2)))
        let id = bench.ask(.setProperty(name: "iso", value: "400"))
        bench.pass(.seconds(1))
        #expect(bench.answers(to: id).isEmpty)
        bench.pass(.seconds(1))
        var state = Self.iso
        state.value = "400"
        #expect(try Self.answer(to: id, bench) == .reply(.property(state), continues: false))
        #expect(Self.properties(&bench)?.contains(state) == true)
        #expect(Self.sets(bench) == [.setProperty(.iso, "400")])
        #expect(bench.journal.contains { $0.message == "The camera's iso was set to 400." })
    }

    @Test(arguments: [
        ("iso", "auto", CameraCommand.setProperty(.iso, "Auto")), ("ISO", "123", .setProperty(.iso, "123")),
        ("aperture", "5.6", .setProperty(.aperture, "f/5.6")), ("aperture", "F11", .setProperty(.aperture, "f/11")),
        ("aperture", "f/1", .setProperty(.aperture, "f/1")),
        ("shutter-speed", "2s", .setProperty(.shutterSpeed, "2\"")),
        ("shutter-speed", "bulb", .setProperty(.shutterSpeed, "bulb")),
    ])
    func `values are accepted in the forms that users type`(name: String, value: String, command: CameraCommand) {
        var bench = Self.connected()
        bench.ask(.setProperty(name: name, value: value))
        #expect(Self.sets(bench) == [command])
    }

    @Test(arguments: [
        ("0.3", "+0.3"), ("+0.3", "+0.3"), ("-0.3", "-0.3"), ("0", "0.0"), ("1", "+1.0"), ("+0", "0.0"), ("9", "9"),
    ])
    func `an exposure compensation needs no sign and no zero`(text: String, value: String) {
        let property = PropertyState(
            property: .exposureCompensation,
            value: "0.0",
            choices: ["-1.0", "-0.3", "0.0", "+0.3", "+1.0"],
            isWritable: true
        )
        var camera = ScriptedCamera()
        camera.properties = [property]
        var bench = Bench(camera)
        bench.ask(.setProperty(name: "exposure-compensation", value: text))
        #expect(Self.sets(bench) == [.setProperty(.exposureCompensation, value)])
    }

    // MARK: Refusals

    private static func refused(_ name: String, _ value: String, _ sentence: String) -> Bench.Answer {
        .error(.propertyRefused(property: name, value: value, sentence: sentence))
    }

    @Test func `an unknown name is refused with all valid names, and the camera receives nothing`() throws {
        var bench = Self.connected()
        let id = bench.ask(.setProperty(name: "fl\u{1B}ash", value: "on"))
        let sentence =
            "The camera has no property 'fl?ash'. Choose one of shutter-speed, iso, aperture, exposure-compensation, "
            + "white-balance, drive, focus-mode, quality, save-target, exposure-mode, flash, self-timer, "
            + "postview-size, zoom-setting."
        #expect(try Self.answer(to: id, bench) == Self.refused("fl\u{1B}ash", "on", sentence))
        #expect(Self.sets(bench).isEmpty)
    }

    @Test func `an empty value is refused with the choices`() throws {
        var bench = Self.connected()
        let id = bench.ask(.setProperty(name: "aperture", value: ""))
        let sentence = "The value for aperture is empty. Choose one of f/5.6, f/8, f/11."
        #expect(try Self.answer(to: id, bench) == Self.refused("aperture", "", sentence))
    }

    @Test func `a setting that the body lacks is refused with the driver's sentence`() throws {
        var bench = Self.connected()
        let id = bench.ask(.setProperty(name: "drive", value: "single"))
        let sentence = CameraFailure.propertyUnknown(.drive).sentence
        #expect(try Self.answer(to: id, bench) == Self.refused("drive", "single", sentence))
    }

    @Test func `a camera that fails or is busy changes nothing`() throws {
        let failure = CameraFailure.propertyNotWritable(.iso)
        for (twist, sentence) in [
            (ScriptedCamera.Deviation.failProperty(failure), failure.sentence),
            (.busyOnProperty, "The camera is busy. Try again in a moment."),
        ] {
            var bench = Self.connected(twist)
            let id = bench.ask(.setProperty(name: "iso", value: "400"))
            #expect(try Self.answer(to: id, bench) == Self.refused("iso", "400", sentence))
            #expect(Self.properties(&bench)?.contains(Self.iso) == true)
            #expect(bench.state("shooting") == "idle")
        }
    }

    @Test func `without a camera a setting is refused`() throws {
        var bench = Bench(address: nil)
        let id = bench.ask(.setProperty(name: "iso", value: "400"))
        #expect(try Self.answer(to: id, bench) == .error(.notConnected(sentence: bench.status.sentence)))
    }

    @Test func `a camera whose dial is wrong accepts settings`() throws {
        var camera = ScriptedCamera(status: CameraStatus(mode: .program))
        camera.properties = [Self.iso]
        var bench = Bench(camera)
        #expect(bench.state("connection") == "modeCheck")
        let id = bench.ask(.setProperty(name: "iso", value: "400"))
        guard case .reply(.property, false) = try Self.answer(to: id, bench) else {
            Issue.record("it was not set")
            return
        }
    }

    // MARK: Shoots

    @Test(arguments: ["settingSpeed", "confirmingSpeed", "capturing", "waitingForIdle", "byCommand", "cameraNotFit"])
    func `a setting is refused in every state of a shoot`(state: String) throws {
        var bench = Self.connected(.ignoreSet(1))
        bench.ask(.shoot(ShootingTests.threeFrames, streams: false))
        if state == "byCommand" { bench.ask(.pause()) }
        if state == "cameraNotFit" {
            var wrong = bench.scripted.status
            wrong.mode = .program
            bench.camera { camera, now in camera.tell(.status(wrong), at: now) }
        }
        // A request cannot arrive in a state that ends within an instant.
        if state != "settingSpeed" { bench.pass { $0.state("shooting") == state } }
        let before = bench.scripted.commands
        let id = bench.ask(.setProperty(name: "iso", value: "400"))
        guard case .error(.notNow("SetProperty", let told, let sentence)) = try Self.answer(to: id, bench) else {
            Issue.record("it was not refused")
            return
        }
        let isPaused = ["byCommand", "cameraNotFit"].contains(state)
        #expect(state == "settingSpeed" || told == state)
        #expect(
            sentence
                == "A shoot is \(isPaused ? "paused" : "running"). "
                + "The camera's settings cannot change until the shoot ends."
        )
        #expect(bench.scripted.commands == before)
    }

    @Test func `after a shoot its settings can be set again`() throws {
        var bench = Self.connected()
        bench.ask(.shoot(ShootingTests.threeFrames, streams: false))
        bench.pass { $0.state("shooting") == "completed" }
        // In this time the speed from before the shoot is restored.
        bench.pass(.seconds(5))
        let id = bench.ask(.setProperty(name: "iso", value: "400"))
        guard case .reply(.property, false) = try Self.answer(to: id, bench) else {
            Issue.record("it was not set")
            return
        }
    }

    @Test func `a shoot or a second setting that would end a setting under way is refused`() throws {
        var bench = Self.connected(.showPropertyAfter(.seconds(2)))
        let set = bench.ask(.setProperty(name: "iso", value: "400"))
        let second = bench.ask(.setProperty(name: "aperture", value: "8"))
        #expect(
            try Self.answer(to: second, bench)
                == .error(
                    .notNow(
                        command: "SetProperty",
                        state: "idle",
                        sentence: "The camera's iso is being set. Try again when that is done."
                    )
                )
        )
        for (command, request) in [
            ("Shoot", Request.shoot(ShootingTests.threeFrames, streams: true)), ("Retry", .retry(streams: true)),
        ] {
            let sentence = "The camera's iso is being set to 400. Try again in a moment."
            let id = bench.ask(request)
            #expect(
                try Self.answer(to: id, bench)
                    == .error(.notNow(command: command, state: "idle", sentence: sentence))
            )
        }
        bench.pass(.seconds(2))
        guard case .reply(.property, false) = try Self.answer(to: set, bench) else {
            Issue.record("it was not set")
            return
        }
        let shoot = bench.ask(.shoot(ShootingTests.threeFrames, streams: true))
        bench.pass(.seconds(60))
        #expect(bench.progress(of: shoot).last?.outcome == .completed)
    }

    // MARK: Each request is answered once

    @Test func `a broken link answers the client that waits`() throws {
        for isAtOnce in [true, false] {
            var bench = isAtOnce ? Self.connected(.loseOn(.property, 1)) : Self.connected(.ignoreProperty)
            let id = bench.ask(.setProperty(name: "iso", value: "400"))
            if !isAtOnce {
                bench.camera { camera, now in camera.tell(.lost(.reset("Connection reset by peer")), at: now) }
            }
            let sentence = LossReason.reset("Connection reset by peer").sentence
            #expect(try Self.answer(to: id, bench) == .error(.notConnected(sentence: sentence)))
            bench.pass(.seconds(300))
            #expect(bench.answers(to: id).count == 1)
        }
    }

    @Test func `a network that is left answers the client that waits`() throws {
        var bench = Self.connected(.ignoreProperty)
        bench.put(.network(.joined(ssid: "A")))
        let id = bench.ask(.setProperty(name: "iso", value: "400"))
        bench.put(.network(.down))
        guard case .error(.notConnected) = try Self.answer(to: id, bench) else {
            Issue.record("\(bench.answers(to: id))")
            return
        }
    }

    @Test func `a stop of the daemon answers the client that waits`() throws {
        var bench = Self.connected(.ignoreProperty)
        let id = bench.ask(.setProperty(name: "iso", value: "400"))
        bench.put(.stop)
        #expect(try Self.answer(to: id, bench) == .error(.stopping))
        bench.pass(.seconds(300))
        #expect(bench.answers(to: id).count == 1)
        #expect(bench.isFinished)
    }

    @Test func `the wait for a camera that never answers ends, and the driver abandons the setting`() throws {
        var bench = Self.connected(.ignoreProperty)
        let id = bench.ask(.setProperty(name: "iso", value: "400"))
        bench.pass(PropertyModel.timeMax - .milliseconds(1))
        #expect(bench.answers(to: id).isEmpty)
        bench.pass(.milliseconds(1))
        let sentence = "The camera did not report the result."
        #expect(try Self.answer(to: id, bench) == Self.refused("iso", "400", sentence))
        #expect(bench.scripted.commands.last == .awaitIdle)
        bench.pass(.seconds(60))
        #expect(bench.state("connection") == "connected")
        bench.ask(.setProperty(name: "iso", value: "200"))
        #expect(Self.sets(bench).count == 2)
    }

    @Test func `an answer that arrives too late is ignored`() throws {
        var bench = Self.connected(.showPropertyAfter(PropertyModel.timeMax + .milliseconds(1)))
        let id = bench.ask(.setProperty(name: "iso", value: "400"))
        bench.pass(.seconds(300))
        #expect(bench.answers(to: id).count == 1)
        #expect(Self.properties(&bench)?.contains(Self.iso) == true)
    }

    @Test func `a client that disconnected receives nothing, and its request is still recorded`() {
        var bench = Self.connected(.showPropertyAfter(.seconds(2)))
        let id = bench.ask(.setProperty(name: "iso", value: "400"))
        bench.put(.requestCancelled(id))
        bench.pass(.seconds(2))
        #expect(bench.answers(to: id).isEmpty)
        #expect(Self.properties(&bench)?.first { $0.property == .iso }?.value == "400")
    }
}
