import Bodies
import Cameras
import Exposure
import JSON
import NIOCore
import Testing

/// Tests the faults of bodies with Sony's HTTP API.
struct SonyHTTPFaultTests {
    private func started(_ fault: String, model: SonyHTTPModel = .a6000) throws -> SonyHTTPInitiator {
        let initiator = try SonyHTTPInitiator(fault, model: model)
        initiator.start()
        return initiator
    }

    private func text(_ initiator: SonyHTTPInitiator, _ method: String) -> String {
        let id = initiator.begin(method)
        initiator.advance(.milliseconds(1))
        return String(buffer: initiator.reply(on: id).body)
    }

    // MARK: The form of replies

    @Test func `slashes are escaped, and errors have texts, unless a fault says otherwise`() throws {
        let initiator = try SonyHTTPInitiator()
        initiator.start()
        #expect(text(initiator, "getAvailableShutterSpeed").contains(#""1\/125""#))
        #expect(text(initiator, "awaitTakePicture").contains("Not Available Now"))
        #expect(text(try started("plain-slashes"), "getAvailableShutterSpeed").contains(#""1/125""#))
        #expect(text(try started("no-error-texts"), "awaitTakePicture").hasSuffix(#""error":[1,""]}"#))
        #expect(text(try started("result-first"), "getIsoSpeedRate").hasPrefix(#"{"result":["100"],"id":"#))
    }

    @Test func `a damaged reply is damaged once`() throws {
        let initiator = try SonyHTTPInitiator("bad-reply=no-json:2")
        #expect(initiator.call("getVersions") == .unreadable("<html>busy</html>"))
        #expect(initiator.call("getVersions") == .unreadable("<html>busy</html>"))
        #expect(initiator.call("getVersions").result != nil)
        #expect(text(try SonyHTTPInitiator("bad-reply=other-id"), "getVersions").hasPrefix(#"{"id":1001,"#))
        #expect(text(try SonyHTTPInitiator("bad-reply=huge"), "getVersions").utf8.count > 10_000_000)
        #expect(text(try SonyHTTPInitiator("bad-reply=deep"), "getVersions").filter { $0 == "[" }.count >= 10_000)
        #expect(text(try SonyHTTPInitiator("bad-reply=numbers"), "getVersions").contains("9223372036854775807"))
        let redirect = try SonyHTTPInitiator("bad-reply=redirect")
        let reply = redirect.reply(on: redirect.begin("getVersions"))
        #expect(reply.status == 302 && reply.headers["location"]?.contains("198.51.100.1") == true)
    }

    @Test func `a slow reply comes at a byte a second, and ends with its connection`() throws {
        let initiator = try SonyHTTPInitiator("bad-reply=slow")
        let id = initiator.begin("getVersions")
        initiator.advance(.seconds(5))
        #expect(initiator.reply(on: id).body.readableBytes == 6)
        initiator.hangUp(id)
        #expect(initiator.camera.nextDeadline == nil)
        let whole = try SonyHTTPInitiator("bad-reply=slow")
        let slow = whole.begin("getVersions")
        whole.advance(.seconds(100))
        #expect(whole.answer(on: slow) == .result([["1.0", "1.1", "1.2", "1.3"]]))
    }

    @Test func `a body can close the connection after each reply`() throws {
        let initiator = try SonyHTTPInitiator("closes-connections")
        let id = initiator.begin("getVersions")
        #expect(initiator.reply(on: id).headers["connection"] == "close" && initiator.ended.contains(id))
    }

    // MARK: The start and the polls

    @Test func `the first calls are not ready, and a method can be locked`() throws {
        let initiator = try SonyHTTPInitiator("not-ready-first=2")
        #expect(initiator.call("getVersions").code == 40_401)
        #expect(initiator.call("getApplicationInfo").code == 40_401)
        #expect(initiator.call("getVersions").result != nil)
        let locked = try SonyHTTPInitiator("locked=getVersions")
        #expect(locked.call("getVersions") == .status(403))
        #expect(locked.call("getApplicationInfo").result != nil)
    }

    @Test(arguments: [("error-2", 2), ("error-1", 1), ("nulls", nil)] as [(String, Int?)])
    func `a poll without changes ends as the fault says`(end: String, code: Int?) throws {
        let initiator = try started("poll-end=\(end)", model: .a6300)
        _ = try initiator.state()
        let poll = initiator.begin("getEvent", [true])
        initiator.advance(.seconds(15))
        let answer = initiator.answer(on: poll)
        guard let code else {
            #expect(answer.result?.allSatisfy { $0 == .null || $0 == [] } == true, "\(answer)")
            return
        }
        #expect(answer.code == code)
    }

    @Test func `candidates can be empty while the value is there`() throws {
        let initiator = try started("no-candidates")
        let available = try #require(initiator.call("getAvailableShutterSpeed").result)
        #expect(available[1] == [] && available[0].stringValue?.isEmpty == false)
        #expect(try initiator.state()["shutterSpeed"]?["shutterSpeedCandidates"] == [])
        #expect(initiator.call("setShutterSpeed", "1/60") == .result([0]))
    }

    // MARK: Frames

    @Test func `a body can want a half press before each picture`() throws {
        let initiator = try started("needs-focus", model: .a6300)
        #expect(initiator.call("actTakePicture", waiting: .seconds(3)) == .error(40_400, ""))
        #expect(initiator.exposed.isEmpty)
        #expect(initiator.call("actHalfPressShutter", waiting: .milliseconds(350)) == .result([]))
        #expect(try initiator.state(version: "1.1")["focusStatus"]?["focusStatus"] == "Focused")
        #expect(initiator.call("actTakePicture", waiting: .seconds(3)).result != nil)
        #expect(initiator.camera.isButtonHeld)
        #expect(initiator.call("cancelHalfPressShutter") == .result([]))
        #expect(!initiator.camera.isButtonHeld)
    }

    @Test(
        arguments: [
            ("fail@1", 40_400, 0), ("no-focus@1", 40_400, 0), ("busy=shutter:1", 40_401, 0), ("no-url@1", 40_400, 1),
            ("locked=actTakePicture", nil, 0),
        ] as [(String, Int?, Int)]
    )
    func `a press can fail`(fault: String, code: Int?, frames: Int) throws {
        let initiator = try started(fault, model: .a6300)
        #expect(initiator.call("actTakePicture", waiting: .seconds(4)).code == code)
        #expect(initiator.exposed.count == frames)
        let presses = initiator.facts.compactMap { if case .pressed(let press) = $0 { press.isTaken } else { nil } }
        #expect(presses == [frames > 0])
        #expect(try initiator.status() == "IDLE")
    }

    @Test func `a body can answer a press without a picture, or with a URL that does not work`() throws {
        let none = try started("no-picture@1")
        #expect(none.call("actTakePicture", waiting: .seconds(3)) == .result([[]]))
        #expect(none.exposed.isEmpty)
        let expired = try started("expired-url@1")
        #expect(expired.get(try expired.fire("1/60")).status == 404)
        let foreign = try started("foreign-urls")
        #expect(try foreign.fire("1/60").hasPrefix("http://198.51.100.1:8080/"))
    }

    @Test func `the status has a gap after a picture`() throws {
        let gap = try started("not-ready-gap=500ms")
        let press = gap.begin("actTakePicture")
        while gap.answer(on: press).result == nil, gap.now < .seconds(5) { gap.advance(.milliseconds(50)) }
        #expect(try gap.status() == "NotReady")
        gap.advance(.milliseconds(500))
        #expect(try gap.status() == "IDLE")
    }

    @Test func `a body stays busy, and the previous picture comes again`() throws {
        let busy = try started("never-idle@1,back=40s")
        #expect(busy.call("actTakePicture", waiting: .seconds(15)).code == 40_403)
        #expect(busy.call("awaitTakePicture", waiting: .seconds(15)).code == 40_403)
        #expect(busy.call("awaitTakePicture", waiting: .seconds(15)).result != nil)
        let stale = try started("stale@2")
        let first = try stale.fire("1/60")
        _ = try stale.state()
        let second = try stale.fire("1/30")
        let event = try #require(stale.call("getEvent", false).result)
        #expect(event[5].arrayValue?.map { $0["takePictureUrl"] } == [[.string(first)], [.string(second)]])
    }

    @Test func `a value can be ignored, wrong, or return to the previous one`() throws {
        let ignored = try started("ignore-set")
        let before = ignored.call("getShutterSpeed")
        #expect(ignored.call("setShutterSpeed", "1/1000", waiting: .seconds(1)) == .result([0]))
        #expect(ignored.call("getShutterSpeed") == before)
        let wrong = try started("wrong-speed@1=1/30")
        #expect(wrong.call("setShutterSpeed", "1/1000", waiting: .seconds(1)) == .result([0]))
        #expect(wrong.call("getShutterSpeed") == .result(["1/30"]))
        let property = try started("ignore-property=iso:1")
        #expect(property.call("setIsoSpeedRate", "400", waiting: .seconds(1)) == .result([0]))
        #expect(property.call("getIsoSpeedRate") == .result(["100"]))
        let jump = try started("jump@1")
        let previous = jump.call("getShutterSpeed")
        _ = jump.call("setShutterSpeed", "1/1000", waiting: .milliseconds(100))
        #expect(jump.call("getShutterSpeed") == .result(["1/1000"]))
        #expect(jump.call("getShutterSpeed") == previous)
    }

    @Test(arguments: ["set", "confirm", "focus", "press", "expose", "save"])
    func `the link breaks in each phase of a frame`(phase: String) throws {
        let initiator = try started("drop@1:\(phase),back=2s", model: .a6300)
        _ = initiator.call("setShutterSpeed", "1/60", waiting: .milliseconds(100))
        _ = initiator.camera.isLinkUp ? initiator.call("getShutterSpeed") : .unreadable("")
        if initiator.camera.isLinkUp { _ = initiator.call("actHalfPressShutter", waiting: .milliseconds(400)) }
        if initiator.camera.isLinkUp { _ = initiator.call("actTakePicture", waiting: .milliseconds(800)) }
        #expect(!initiator.camera.isLinkUp, "\(initiator.log)")
        initiator.advance(.seconds(5))
        #expect(initiator.camera.isLinkUp)
        #expect(initiator.exposed.count == (["press", "expose", "save"].contains(phase) ? 1 : 0))
    }

    @Test func `a transfer breaks in the middle of a picture`() throws {
        let initiator = try SonyHTTPInitiator("transfer-breaks@1=1000B,back=2s") { $0.pictureSize = 5_000 }
        initiator.start()
        _ = initiator.call("setPostviewImageSize", "Original", waiting: .milliseconds(100))
        let url = try initiator.fire("1/60")
        let reply = initiator.get(url)
        #expect(!reply.isComplete && reply.body.readableBytes == 1_000)
        initiator.advance(.seconds(5))
        #expect(initiator.get(url).isComplete)
    }

    @Test func `a silent initiator loses its session, and its half press ends`() throws {
        let initiator = try started("needs-focus", model: .a6300)
        _ = initiator.call("actHalfPressShutter")
        #expect(initiator.camera.isSessionOpen && initiator.camera.isButtonHeld)
        initiator.advance(.seconds(11))
        #expect(!initiator.camera.isSessionOpen && !initiator.camera.isButtonHeld)
        #expect(initiator.facts.contains(.left(isOrderly: false)))
        // A pending poll keeps it.
        _ = try initiator.state()
        _ = initiator.begin("getEvent", [true])
        initiator.advance(.seconds(14))
        #expect(initiator.camera.isSessionOpen)
    }

    @Test func `a body that is healed works again, whatever the fault`() throws {
        let own = FaultGrammar.list.filter { $0.makers.isEmpty || $0.makers.contains("sony-http") }
        for fault in own where !fault.example.contains("ssdp") {
            let initiator = try SonyHTTPInitiator(fault.example, model: .a6300)
            if initiator.camera.acceptsConnection(at: initiator.now) {
                _ = initiator.call("startRecMode", waiting: .seconds(2))
                _ = initiator.camera.isLinkUp ? initiator.call("setShutterSpeed", "1/500") : .unreadable("")
            }
            var actions: [BodyAction] = []
            initiator.camera.clearFaults(at: initiator.now, into: &actions)
            initiator.advance(.seconds(130))
            initiator.start()
            try initiator.fire("1/60")
            #expect(initiator.camera.card.last?.label == "1/60", "\(fault.example)")
        }
    }

    @Test func `a healed body keeps its mode`() throws {
        let initiator = try SonyHTTPInitiator("mode-after=5s:A", model: .a6300)
        initiator.start()
        var actions: [BodyAction] = []
        initiator.camera.clearFaults(at: initiator.now, into: &actions)
        initiator.advance(.seconds(20))
        #expect(initiator.camera.mode == .manual)
    }

    @Test func `the counter of the remaining pictures can be late`() throws {
        let initiator = try SonyHTTPInitiator("late-counter=3s") { $0.shotsLeft = 10 }
        initiator.start()
        func left() throws -> JSONValue? {
            try initiator.state()["storageInformation"]?["numberOfRecordableImages"]
        }
        let press = initiator.begin("actTakePicture")
        initiator.advance(.seconds(2))
        #expect(initiator.answer(on: press).result != nil)
        #expect(try left() == 10)
        initiator.advance(.seconds(2))
        #expect(try left() == 9)
    }

    @Test func `hostile names are in the API, in the description and in the files`() throws {
        let initiator = try SonyHTTPInitiator(model: .a6300) { $0.hasHostileNames = true }
        let description = initiator.get("http://192.0.2.9:8080/dd.xml")
        #expect(String(buffer: description.body).contains("owned"))
        #expect(initiator.call("getApplicationInfo").result?.first?.stringValue?.contains("owned") == true)
        initiator.start()
        #expect(initiator.call("setPostviewImageSize", "Original", waiting: .milliseconds(100)) == .result([0]))
        let picture = initiator.get(try initiator.fire("1/60"))
        #expect(String(buffer: picture.body).contains("owned"))
    }
}
