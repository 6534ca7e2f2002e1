import Exposure
import JSON
import NIOCore
import Testing

@testable import Cameras

/// The beginning, the rest and the end of a session with a Sony body over HTTP.
struct SonyHTTPConnectTests {
    private typealias Bench = SonyHTTPBench

    private static func status(_ events: [CameraEvent]) -> CameraStatus? {
        events.lazy.compactMap { if case .status(let status) = $0 { status } else { nil } }.first
    }

    private static func refusal(_ bench: Bench) -> Refusal? {
        bench.reported.lazy.compactMap { if case .refused(let refusal) = $0.event { refusal } else { nil } }.first
    }

    private static let connect = CameraCommand.connect(Bench.address, by: .sonyHTTP, path: "/sony/camera")

    @Test func `a body is identified by its description, and its state is complete`() throws {
        let bench = Bench()
        let events = bench.finish(Self.connect)
        let identity = CameraIdentity(
            maker: "Sony",
            model: "ILCE-6000",
            firmware: "",
            serial: "",
            id: "sony:000000001000-1010-8000-020000000001"
        )
        #expect(events.first == .prepared(identity))
        let status = try #require(Self.status(events))
        let speed = try ShutterSpeed(parsing: "1/125")
        #expect(status.mode == .manual && status.speed == .speed(speed))
        #expect(status.speeds.count == 9 && status.speedIsWritable)
        #expect(status.shotsLeft == 100 && status.batteryPercent == 75 && status.fileKinds == [.jpeg])
        #expect(status.isManualFocus == true && status.iso == "100" && status.isISOAuto == false)
        #expect(bench.calls.prefix(4) == ["getApplicationInfo", "getAvailableApiList", "getVersions", "getEvent"])
        #expect(!bench.calls.contains("startRecMode") && !bench.calls.contains("setShootMode"))
        #expect(bench.notes.contains { $0.contains("RAW files stay on its card") })
    }

    @Test func `the properties are reported with their choices`() throws {
        let bench = Bench()
        bench.perform(Self.connect)
        bench.run(for: .seconds(1))
        let properties = bench.properties
        #expect(properties[.exposureMode]?.value == "M" && properties[.exposureMode]?.choices == ["M", "A"])
        #expect(
            properties[.iso]
                == PropertyState(property: .iso, value: "100", choices: ["Auto", "100", "200"], isWritable: true)
        )
        #expect(properties[.drive]?.driveMode == DriveMode(kind: .single, name: "single"))
        #expect(properties[.selfTimer]?.choices == ["off", "2 s", "10 s"])
        #expect(properties[.shutterSpeed]?.choices.contains("BULB") == false)
        // The body has no setter for its focus mode.
        #expect(properties[.focusMode] == PropertyState(property: .focusMode, value: "MF"))
        #expect(properties[.flash] == nil)
    }

    @Test func `one poll is open while the body is idle, and nothing else`() {
        let bench = Bench()
        bench.connect()
        bench.run(for: .seconds(120))
        #expect(bench.calls.isEmpty && bench.open.count == 1)
        #expect(bench.requests.allSatisfy { $0.timeout >= .seconds(75) })
        // The body holds each poll for 15 s.
        #expect(bench.requests.count <= 9)
    }

    @Test func `a body that needs it is switched to its shooting mode, and back at the end`() throws {
        let bench = Bench { $0.isRecording = false }
        let status = try #require(Self.status(bench.finish(Self.connect)))
        #expect(status.speedIsWritable && bench.calls.contains("startRecMode"))
        bench.forget()
        #expect(bench.finish(.disconnect) == [.disconnected])
        #expect(bench.calls == ["stopRecMode"] && bench.open.isEmpty)
    }

    @Test func `the function and the shoot mode are changed only if they differ`() {
        let bench = Bench {
            $0.function = "Contents Transfer"
            $0.status = "ContentsTransfer"
        }
        #expect(Self.status(bench.finish(Self.connect))?.speedIsWritable == true)
        #expect(bench.body.function == "Remote Shooting")
        let movie = Bench { $0.shootMode = "movie" }
        #expect(Self.status(movie.finish(Self.connect))?.speedIsWritable == true)
        #expect(movie.body.shootMode == "still")
    }

    @Test func `a call that comes too early is repeated`() {
        let bench = Bench {
            $0.twists = ["getApplicationInfo": [.error(40401), .error(40401)], "getEvent": [.error(40401)]]
        }
        #expect(Self.status(bench.finish(Self.connect)) != nil)
    }

    @Test func `the version of events is stepped down`() {
        let bench = Bench {
            $0.missing = ["getVersions"]
            $0.versions = ["1.0"]
        }
        #expect(Self.status(bench.finish(Self.connect)) != nil)
        let lying = Bench { $0.twists = ["getVersions": [.result("[[\"1.0\",\"1.4\"]]")]] }
        #expect(Self.status(lying.finish(Self.connect)) != nil)
        #expect(lying.driver.eventVersion == "1.3")
    }

    @Test func `a body without a readable description has an id by its address`() {
        let bench = Bench { $0.hasDescription = false }
        guard case .prepared(let identity)? = bench.finish(Self.connect).first else {
            Issue.record("not prepared")
            return
        }
        #expect(identity.id == "sony:192.168.122.1" && identity.model == "camera")
    }

    // A server of the body that begins late, or a network that refuses some connections.
    @Test(arguments: [1, 3]) func `a refused connection to the description does not change the id`(refusals: Int) {
        let bench = Bench { $0.refusedDescriptions = refusals }
        guard case .prepared(let identity)? = bench.finish(Self.connect).first else {
            Issue.record("not prepared")
            return
        }
        #expect(identity.id == "sony:000000001000-1010-8000-020000000001")
    }

    @Test func `an address without a path is tried at both usual paths`() {
        let bench = Bench { $0.path = "/camera" }
        #expect(Self.status(bench.finish(.connect(Bench.address, by: .sonyHTTP))) != nil)
    }

    // MARK: Refusals

    @Test func `the pre-installed app is refused with what to install`() {
        let bench = Bench { body in
            body.missing = ["setShutterSpeed", "getShutterSpeed", "getAvailableShutterSpeed"]
            body.hidden = ["shutterSpeed"]
        }
        bench.perform(Self.connect)
        bench.run(for: .seconds(40))
        guard case .notWaiting(let sentence)? = Self.refusal(bench) else {
            Issue.record("not refused: \(bench.reported)")
            return
        }
        #expect(sentence.contains("Smart Remote Control") && sentence.contains("does not offer the shutter speed"))
    }

    @Test func `a body whose dial is not at M is connected, and cannot set its speed`() throws {
        let bench = Bench { $0.mode = "Aperture" }
        let status = try #require(Self.status(bench.finish(Self.connect)))
        #expect(status.mode == .aperturePriority && !status.speedIsWritable && status.speeds.isEmpty)
        bench.body.mode = "Manual"
        bench.body.change("exposureMode", "availableApiList")
        bench.run(for: .seconds(1))
        let later = Self.status(bench.reported.filter { $0.ticket == nil }.map(\.event))
        #expect(later?.mode == .manual && later?.speedIsWritable == true)
    }

    @Test(arguments: [
        SonyHTTPScriptedBody.Twist.reply(HTTPReply(status: 200, body: ByteBuffer(string: "<html>"))),
        .reply(HTTPReply(status: 200, body: ByteBuffer(string: "{\"id\":999,\"result\":[]}"))),
        .reply(HTTPReply(HTTPHead(status: 302, headers: [HTTPHeader("Location", "http://198.51.100.1/")]))),
        .failure(.tooLong(byteCountMax: SonyHTTPAnswer.byteCountMax)), .failure(.notHTTP),
    ])
    func `a device that is no such camera is refused or lost, and nothing else is asked`(
        twist: SonyHTTPScriptedBody.Twist
    ) {
        let bench = Bench { $0.twists = ["getApplicationInfo": [twist]] }
        bench.perform(Self.connect)
        bench.run(for: .seconds(60))
        #expect(Self.refusal(bench) != nil || !bench.losses.isEmpty)
        #expect(bench.calls == ["getApplicationInfo"] && bench.open.isEmpty)
        #expect(bench.requests.allSatisfy { $0.address.host == Bench.address.host })
    }

    @Test func `a silent device is given up in bounded time`() {
        let bench = Bench()
        bench.isDead = true
        bench.perform(Self.connect)
        bench.run(for: .seconds(6))
        #expect(bench.losses == [.silent(after: .seconds(5), during: "getApplicationInfo")])
    }

    @Test func `a body that never becomes ready is refused with what to do`() {
        let bench = Bench {
            $0.isRecording = false
            $0.twists = ["startRecMode": Array(repeating: .error(1), count: 500)]
        }
        bench.perform(Self.connect)
        bench.run(for: .seconds(60))
        #expect(Self.refusal(bench) == .notWaiting(SonyHTTPSentences.recModeNotStarted))
    }

    // MARK: Polls

    @Test(arguments: [1, 2]) func `an error of the time limit is no loss`(code: Int) {
        let bench = Bench()
        bench.connect()
        bench.body.twists = ["getEvent": Array(repeating: .error(code), count: 100)]
        bench.run(for: .seconds(20))
        #expect(bench.losses.isEmpty)
        // The body answers at once, but the driver asks twice in a second at the most.
        #expect(bench.requests.count <= 42)
    }

    @Test func `nulls that come at once do not become a storm of polls`() {
        let bench = Bench()
        bench.connect()
        bench.body.twists = ["getEvent": Array(repeating: .result("[null,null,[],[]]"), count: 1000)]
        bench.run(for: .seconds(20))
        #expect(bench.losses.isEmpty && bench.requests.count <= 42)
    }

    @Test func `a poll that another client displaced is repeated after a pause`() {
        let bench = Bench()
        bench.connect()
        bench.body.twists = ["getEvent": [.error(40402)]]
        bench.body.change("isoSpeedRate")
        bench.run(for: .seconds(30))
        #expect(bench.losses.isEmpty && bench.notes.contains { $0.contains("another program") })
    }

    @Test func `a poll whose connection broke is repeated after a reading of the state`() {
        let bench = Bench()
        bench.connect()
        bench.run(for: .seconds(16))
        bench.body.twists = ["getEvent": [.failure(.closed(isAnswered: false))]]
        bench.run(for: .seconds(20))
        #expect(bench.losses.isEmpty && bench.calls.contains("getEvent") && bench.open.count == 1)
    }

    @Test func `polls that always fail end the session`() {
        let bench = Bench()
        bench.connect()
        bench.body.twists = ["getEvent": Array(repeating: .failure(.closed(isAnswered: false)), count: 100)]
        bench.run(for: .seconds(60))
        #expect(bench.losses == [.closedByCamera] && bench.open.isEmpty)
    }

    // MARK: The end

    // Each call has its own connection, so nothing else shows a changed battery. The event may lack the status.
    @Test(arguments: [["cameraStatus", "availableApiList"], ["availableApiList"]])
    func `a body that restarted has lost its session, and is prepared again`(changes: [String]) throws {
        let bench = Bench()
        bench.connect()
        bench.body.isRecording = false
        for change in changes { bench.body.change(change) }
        bench.run(for: .seconds(4))
        #expect(bench.losses == [.closedByCamera] && bench.open.isEmpty)
        bench.forget()
        let status = try #require(Self.status(bench.finish(Self.connect)))
        #expect(status.speedIsWritable && bench.calls.contains("startRecMode"))
    }

    @Test func `a command on a body that restarted ends soon`() throws {
        let bench = Bench()
        bench.connect()
        bench.body.isRecording = false
        let start = bench.now
        _ = bench.finish(.setSpeed(try ShutterSpeed(parsing: "1/60")))
        #expect(bench.losses == [.closedByCamera] && bench.now - start <= .seconds(4))
    }

    @Test func `a body that leaves its shooting mode for a moment keeps its session`() {
        let bench = Bench()
        bench.connect()
        bench.body.isRecording = false
        bench.body.change("cameraStatus", "availableApiList")
        bench.run(for: .seconds(1))
        bench.body.isRecording = true
        bench.body.change("cameraStatus", "availableApiList")
        bench.run(for: .seconds(30))
        #expect(bench.losses.isEmpty)
    }

    @Test func `the end of a session is bounded, even if the body is silent`() {
        let bench = Bench { $0.isRecording = false }
        bench.connect()
        bench.isDead = true
        let start = bench.now
        #expect(bench.finish(.disconnect) == [.disconnected])
        #expect(bench.now - start <= .seconds(2) && bench.open.isEmpty)
    }

    @Test func `an abandoned session cancels every request and calls nothing`() {
        let bench = Bench()
        bench.connect()
        #expect(bench.finish(.abandon) == [.disconnected])
        #expect(bench.requests.isEmpty && bench.open.isEmpty)
    }

    @Test func `a command without a session is answered`() {
        let bench = Bench()
        #expect(bench.finish(.readStatus) == [.lost(.notConnected)])
    }

    @Test func `a status is read from the body`() throws {
        let bench = Bench()
        bench.connect()
        bench.body.shotsLeft = 7
        #expect(Self.status(bench.finish(.readStatus))?.shotsLeft == 7)
        #expect(bench.calls == ["getEvent"])
    }

    @Test func `live view of another client is ended`() {
        let bench = Bench { $0.isLiveViewOn = true }
        bench.connect()
        #expect(bench.finish(.disconnect) == [.disconnected])
        #expect(bench.calls == ["stopLiveview", "stopRecMode"] && !bench.body.isLiveViewOn)
    }

    // MARK: Passing errors

    @Test(arguments: ["setCameraFunction", "setShootMode"])
    func `a change of the body is asked for again if it comes too early`(method: String) throws {
        let bench = Bench {
            $0.twists = [method: [.error(40401)]]
            if method == "setShootMode" {
                $0.shootMode = "movie"
            } else {
                $0.function = "Contents Transfer"
                $0.status = "ContentsTransfer"
            }
        }
        #expect(Self.status(bench.finish(Self.connect))?.speedIsWritable == true)
    }

    @Test func `the pre-installed app is also found after a busy set-up`() {
        let bench = Bench { body in
            body.missing = ["setShutterSpeed", "getShutterSpeed", "getAvailableShutterSpeed"]
            body.hidden = ["shutterSpeed"]
            body.status = "NotReady"
        }
        bench.perform(Self.connect)
        bench.run(for: .seconds(40))
        #expect(Self.refusal(bench) == nil && bench.losses.isEmpty)
        bench.body.status = "IDLE"
        bench.body.change("cameraStatus", "availableApiList")
        bench.run(for: .seconds(1))
        guard case .protocolError(let sentence)? = bench.losses.first else {
            Issue.record("not lost: \(bench.reported)")
            return
        }
        #expect(sentence.contains("does not offer the shutter speed"))
    }

    @Test func `another client that polls is noted once`() {
        let bench = Bench()
        bench.connect()
        bench.body.twists = ["getEvent": Array(repeating: .error(40402), count: 9)]
        bench.body.change("isoSpeedRate")
        bench.run(for: .seconds(60))
        #expect(bench.notes.count { $0 == SonyHTTPSentences.otherClientPolls } == 1)
    }
}
