import Bodies
import Cameras
import Exposure
import Foundation
import JSON
import NIOCore
import Testing

/// Tests the simulated bodies with Sony's HTTP API without a driver.
struct SonyHTTPBodyTests {
    private static let vectors: JSONValue = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appending(path: "CamerasTests/Fixtures/sony-http-vectors.json")
        let data = (try? Data(contentsOf: file)) ?? Data()
        return (try? JSONValue(parsing: data)) ?? .null
    }()

    // MARK: The start

    @Test(arguments: SonyHTTPModel.all.filter(\.needsRecMode).map(\.shortName))
    func `a body offers few methods before its recording mode, and its own afterwards`(name: String) throws {
        let initiator = try SonyHTTPInitiator(model: try #require(SonyHTTPModel.named(name)))
        let before = try initiator.methods()
        #expect(before.starts(with: ["getVersions", "getMethodTypes", "getApplicationInfo", "getAvailableApiList"]))
        #expect(before.contains("startRecMode") && !before.contains("actTakePicture"))
        #expect(try initiator.status() == "NotReady")
        #expect(initiator.call("actTakePicture") == .error(1, "Not Available Now"))
        let pending = initiator.begin("startRecMode")
        #expect(initiator.answer(on: pending) == .unreadable(""))
        initiator.advance(.seconds(1))
        #expect(initiator.answer(on: pending) == .result([0]))
        #expect(try initiator.status() == "IDLE")
        let methods = try initiator.methods()
        #expect(methods.contains("actTakePicture") && !methods.contains("startRecMode"))
        #expect(methods.contains("setShutterSpeed") == (name != "nex-6-preinstalled"))
        #expect(initiator.call("startRecMode") == .result([0]))
        #expect(initiator.call("stopRecMode") == .result([0]))
        #expect(try initiator.methods() == before)
        #expect(initiator.facts.last == .left(isOrderly: true) && !initiator.camera.isSessionOpen)
    }

    @Test func `a body on the other port needs no recording mode`() throws {
        let initiator = try SonyHTTPInitiator(model: .rx100m4)
        #expect(initiator.call("startRecMode") == .error(12, "No Such Method"))
        #expect(try initiator.status() == "IDLE")
        let url = try initiator.fire("1/60")
        #expect(url.hasPrefix("http://192.0.2.9:10000/pict") && url.contains(".JPG?%211234%21http%2dget"))
        #expect(initiator.get(url).status == 200)
        let methods = try initiator.methods()
        #expect(methods.contains("actZoom") && !methods.contains("stopRecMode"))
        // Without a method for the end, the end of the poll is the end of the session.
        #expect(initiator.call("stopRecMode") == .error(12, "No Such Method"))
        _ = initiator.call("getEvent", false)
        let poll = initiator.begin("getEvent", [true])
        #expect(initiator.camera.isSessionOpen)
        initiator.hangUp(poll)
        #expect(!initiator.camera.isSessionOpen && initiator.facts.last == .left(isOrderly: true))
    }

    @Test func `the lists of an ILCE-5000 are those of a real one`() throws {
        let initiator = try SonyHTTPInitiator(model: .a5000)
        initiator.start()
        let speeds = try #require(Self.vectors["http_shutter_speed_strings"]?["manual_a5000"]?.arrayValue)
        #expect(initiator.call("getAvailableShutterSpeed").result?.last == .array(speeds))
        // With a fixed ISO the compensation could not be set in M.
        #expect(initiator.call("setIsoSpeedRate", "AUTO", waiting: .milliseconds(100)) == .result([0]))
        for reply in Self.vectors["http_real_replies"]?.arrayValue ?? []
        where reply["camera"]?.stringValue?.hasPrefix("ILCE-5000") == true {
            let method = try #require(reply["method"]?.stringValue)
            #expect(initiator.call(method).result == reply["result"]?.arrayValue, "\(method)")
        }
        let priority = try SonyHTTPInitiator(model: .a5000) { $0.mode = .shutterPriority }
        priority.start()
        #expect(priority.call("getAvailableShutterSpeed").result?.last == .array(Array(speeds.dropFirst())))
    }

    @Test func `each service lists its own methods, with their versions`() throws {
        let initiator = try SonyHTTPInitiator(model: .a6300)
        var names: [[String]] = []
        for service in ["guide", "camera", "system", "avContent"] {
            let rows = try #require(initiator.call("getMethodTypes", "", service: service).result)
            #expect(rows.allSatisfy { $0.arrayValue?.count == 4 })
            names.append(rows.compactMap { $0.arrayValue?.first?.stringValue })
        }
        // Foreign clients stop if services share their methods.
        let own = names.map { Set($0).subtracting(["getVersions", "getMethodTypes"]) }
        #expect(own.allSatisfy { !$0.isEmpty } && own.map(\.count).reduce(0, +) == Set(own.joined()).count)
        #expect(own[2].contains("setCurrentTime") && own[3].contains("getContentList"))
        let events = try #require(initiator.call("getMethodTypes", "1.3").result)
        #expect(events.compactMap { $0.arrayValue?.first?.stringValue } == ["getEvent"])
        #expect(initiator.call("getContentList", version: "1.0", service: "avContent").code == 14)
        #expect(initiator.call("getVersions", service: "accessControl") == .status(404))
        // A body without the service has no list of its card.
        #expect(try SonyHTTPInitiator().call("getSchemeList", service: "avContent") == .status(404))
    }

    // MARK: Settings

    @Test func `the mode decides which values can be set`() throws {
        for (mode, setters) in [
            (DialMode.manual, ["setShutterSpeed", "setFNumber", "setIsoSpeedRate"]),
            (.shutterPriority, ["setShutterSpeed", "setExposureCompensation"]),
            (.aperturePriority, ["setFNumber", "setExposureCompensation"]),
            (.program, ["setIsoSpeedRate", "setExposureCompensation"]),
        ] {
            let initiator = try SonyHTTPInitiator { $0.mode = mode }
            initiator.start()
            let methods = try initiator.methods()
            let all = ["setShutterSpeed", "setFNumber", "setExposureCompensation"]
            for setter in all { #expect(methods.contains(setter) == setters.contains(setter), "\(mode) \(setter)") }
            guard !setters.contains("setShutterSpeed") else { continue }
            // The present value is still there, and no value can be set.
            let speed = try #require(initiator.call("getAvailableShutterSpeed").result)
            #expect(speed[0].stringValue?.isEmpty == false && speed[1] == [])
            #expect(initiator.call("setShutterSpeed", "1/60").code == 1)
        }
        // A body with a mode dial has no method for the mode; another one has.
        let dial = try SonyHTTPInitiator()
        dial.start()
        #expect(dial.call("setExposureMode", "Shutter").code == 12)
        #expect(dial.call("getAvailableExposureMode").code == 12)
        #expect(dial.call("getExposureMode") == .result(["Manual"]))
        #expect(try dial.methods().filter { $0.hasSuffix("ExposureMode") } == ["getExposureMode"])
        let free = try SonyHTTPInitiator(model: .a5000)
        free.start()
        #expect(free.call("setExposureMode", "Shutter", waiting: .milliseconds(100)) == .result([0]))
        #expect(free.camera.mode == .shutterPriority)
    }

    @Test func `a reply of 0 comes before the value, and an unknown value is an error`() throws {
        let initiator = try SonyHTTPInitiator { $0.readbackDelay = .milliseconds(400) }
        initiator.start()
        let before = initiator.call("getShutterSpeed")
        #expect(initiator.call("setShutterSpeed", "1/1000") == .result([0]))
        #expect(initiator.call("getShutterSpeed") == before)
        initiator.advance(.milliseconds(400))
        #expect(initiator.call("getShutterSpeed") == .result(["1/1000"]))
        #expect(initiator.call("setShutterSpeed", "1/7") == .error(500, "Set operation failed."))
        let other = try SonyHTTPInitiator(model: .a6300)
        other.start()
        #expect(other.call("setShutterSpeed", "1/7").code == 3)
    }

    @Test func `settings have their own forms in calls and in events`() throws {
        let initiator = try SonyHTTPInitiator(model: .a6300)
        initiator.start()
        #expect(initiator.call("setContShootingMode", ["contShootingMode": "Continuous"]) == .result([]))
        #expect(initiator.call("setIsoSpeedRate", "AUTO") == .result([0]))
        #expect(initiator.call("setWhiteBalance", "Color Temperature", true, 4_500) == .result([0]))
        #expect(initiator.call("setWhiteBalance", "Color Temperature", true, 100).code == 3)
        initiator.advance(.milliseconds(100))
        #expect(initiator.call("setExposureCompensation", -3, waiting: .milliseconds(100)) == .result([0]))
        let state = try initiator.state(version: "1.4")
        #expect(state["contShootingMode"]?["contShootingMode"] == "Continuous")
        #expect(state["whiteBalance"]?["currentColorTemperature"] == 4_500)
        #expect(state["exposureCompensation"]?["currentExposureCompensation"] == -3)
        #expect(state["exposureCompensation"]?["stepIndexOfExposureCompensation"] == 1)
        #expect(state["isoSpeedRate"]?["isoSpeedRateCandidates"]?.arrayValue?.first == "AUTO")
        #expect(try initiator.methods().contains("startContShooting"))
        // In mode M with a fixed ISO, the compensation has no limits.
        let fixed = try SonyHTTPInitiator()
        fixed.start()
        #expect(fixed.call("getAvailableExposureCompensation") == .result([0, 0, 0, 0]))
    }

    // MARK: Events

    @Test func `an event has a place for each type of its version`() throws {
        let positions = try #require(Self.vectors["http_get_event_positions"]?["array_length_by_version"]?.objectValue)
        let lists = Self.vectors["http_get_event_positions"]?["array_valued_positions"]?.arrayValue ?? []
        let initiator = try SonyHTTPInitiator(model: .a5000)
        initiator.start()
        for (version, count) in positions {
            let slots = try #require(initiator.call("getEvent", false, version: version).result)
            #expect(.int(slots.count) == count, "\(version)")
            for place in lists.compactMap(\.intValue) { #expect(slots[place].arrayValue != nil) }
        }
        #expect(initiator.call("getEvent", false, version: "1.9").code == 14)
        #expect(try SonyHTTPInitiator().call("getEvent", false, version: "1.4").code == 14)
    }

    @Test func `a poll waits for a change, and one client can poll`() throws {
        let initiator = try SonyHTTPInitiator()
        initiator.start()
        _ = try initiator.state()
        let first = initiator.begin("getEvent", [true])
        initiator.advance(.seconds(5))
        #expect(initiator.answer(on: first) == .unreadable(""))
        let second = initiator.begin("getEvent", [true])
        #expect(initiator.answer(on: first) == .error(40_402, "DoublePolling"))
        initiator.camera.turnSpeed(to: try ShutterSpeed(parsing: "1/500"), at: initiator.now)
        initiator.advance(.milliseconds(1))
        let slots = try #require(initiator.answer(on: second).result)
        #expect(slots[32]["currentShutterSpeed"] == "1/500")
        #expect(slots[1] == .null && slots[5] == [])
        // Nothing new: the next poll waits again.
        let third = initiator.begin("getEvent", [true])
        initiator.advance(.seconds(14))
        #expect(initiator.answer(on: third) == .unreadable(""))
        initiator.advance(.seconds(1))
        #expect(initiator.answer(on: third).result?.allSatisfy { $0 == .null || $0 == [] } == true)
    }

    @Test(arguments: [("a6000", "1.0", 15, nil), ("a6300", "1.3", 60, 2), ("rx100m4", "1.1", 15, 1)])
    func `a poll without changes ends after the time of its version`(
        name: String,
        version: String,
        seconds: Int,
        error: Int?
    ) throws {
        let initiator = try SonyHTTPInitiator(model: try #require(SonyHTTPModel.named(name)))
        initiator.start()
        _ = initiator.call("getEvent", false, version: version)
        let poll = initiator.begin("getEvent", [true], version: version)
        initiator.advance(.seconds(seconds) - .milliseconds(1))
        #expect(initiator.answer(on: poll) == .unreadable(""))
        initiator.advance(.milliseconds(1))
        let answer = initiator.answer(on: poll)
        guard let error else {
            #expect(answer.result?.allSatisfy { $0 == .null || $0 == [] } == true, "\(answer)")
            return
        }
        #expect(answer.code == error)
    }

    // MARK: Pictures

    @Test func `a picture is reported once and can be fetched until the next one`() throws {
        let initiator = try SonyHTTPInitiator()
        initiator.start()
        let url = try initiator.fire("1/60")
        #expect(url.hasPrefix("http://192.0.2.9:8080/postview/pict20260101_"))
        #expect(initiator.exposed.map(\.label) == ["1/60"])
        let event = try #require(initiator.call("getEvent", false).result)
        #expect(event[5] == [["type": "takePicture", "takePictureUrl": [.string(url)]]])
        #expect(initiator.call("getEvent", false).result?[5] == [])
        let reply = initiator.get(url)
        #expect(reply.status == 200 && reply.headers["content-type"] == "image/jpeg")
        #expect(try JPEGReader.segments(reply.body).markers.contains(0xE1))
        #expect(initiator.get("http://192.0.2.9:8080/postview/private.dat").status == 403)
        #expect(initiator.call("awaitTakePicture") == .result([[.string(url)]]))
        try initiator.fire("1/30")
        #expect(initiator.get(url).status == 404)
        // The original stays until the end.
        #expect(initiator.call("setPostviewImageSize", "Original", waiting: .milliseconds(100)) == .result([0]))
        let kept = try initiator.fire("1/15")
        try initiator.fire("1/8")
        #expect(initiator.get(kept).status == 200)
        // Its URL is valid for one session.
        #expect(initiator.call("stopRecMode") == .result([0]))
        initiator.start()
        #expect(initiator.get(kept).status == 404)
    }

    @Test func `a long exposure is answered 40403 until it is over`() throws {
        let initiator = try SonyHTTPInitiator()
        initiator.start()
        #expect(initiator.call("awaitTakePicture") == .error(1, "Not Available Now"))
        #expect(initiator.call("setShutterSpeed", "30\"", waiting: .milliseconds(100)) == .result([0]))
        #expect(initiator.call("actTakePicture", waiting: .seconds(15)) == .error(40_403, "Long shooting"))
        #expect(try initiator.status() == "StillCapturing")
        let methods = try initiator.methods()
        #expect(methods.contains("awaitTakePicture") && !methods.contains("setShutterSpeed"))
        #expect(initiator.call("setShutterSpeed", "1/60").code == 1)
        let first = initiator.begin("awaitTakePicture")
        let second = initiator.begin("awaitTakePicture")
        #expect(initiator.answer(on: first).code == 40_402)
        initiator.advance(.seconds(15))
        #expect(initiator.answer(on: second) == .error(40_403, "Not Finished"))
        #expect(initiator.call("awaitTakePicture", waiting: .seconds(10)).result?.count == 1)
        #expect(initiator.exposed.first?.exposure == .seconds(32))
    }

    @Test func `other calls wait for the picture, and too long ones fail`() throws {
        let initiator = try SonyHTTPInitiator()
        initiator.start()
        _ = initiator.call("setShutterSpeed", "10\"", waiting: .milliseconds(100))
        let press = initiator.begin("actTakePicture")
        let early = initiator.begin("getIsoSpeedRate")
        initiator.advance(.seconds(5))
        #expect(initiator.answer(on: early) == .unreadable(""))
        initiator.advance(.seconds(7))
        #expect(initiator.answer(on: press).result != nil && initiator.answer(on: early) == .result(["100"]))
        #expect(initiator.call("setShutterSpeed", "30\"", waiting: .milliseconds(100)) == .result([0]))
        _ = initiator.begin("actTakePicture")
        let late = initiator.begin("getIsoSpeedRate")
        initiator.advance(.seconds(15))
        #expect(initiator.answer(on: late).code == 2)
    }

    @Test func `noise reduction takes as long as the exposure`() throws {
        let initiator = try SonyHTTPInitiator { $0.noiseReduction = true }
        initiator.start()
        _ = initiator.call("setShutterSpeed", "4\"", waiting: .milliseconds(100))
        let press = initiator.begin("actTakePicture")
        initiator.advance(.seconds(8))
        #expect(initiator.answer(on: press) == .unreadable(""))
        initiator.advance(.seconds(1))
        #expect(initiator.answer(on: press).result != nil)
    }

    @Test func `BULB is open until the call that ends it`() throws {
        let initiator = try SonyHTTPInitiator()
        initiator.start()
        #expect(initiator.call("setShutterSpeed", "BULB", waiting: .milliseconds(100)) == .result([0]))
        let methods = try initiator.methods()
        #expect(methods.contains("startBulbShooting") && !methods.contains("actTakePicture"))
        #expect(initiator.call("startBulbShooting", waiting: .seconds(3)) == .result([]))
        #expect(initiator.exposed.isEmpty)
        #expect(initiator.call("stopBulbShooting", waiting: .seconds(2)) == .result([]))
        #expect(initiator.exposed.count == 1)
        #expect(initiator.exposed[0].exposure > .milliseconds(2_900))
    }

    @Test func `a series ends with the call that ends it`() throws {
        let initiator = try SonyHTTPInitiator()
        initiator.start()
        _ = initiator.call("setShutterSpeed", "1/500")
        _ = initiator.call("setContShootingMode", ["contShootingMode": "Continuous"], waiting: .milliseconds(100))
        #expect(initiator.call("startContShooting", waiting: .seconds(3)) == .result([]))
        #expect(initiator.call("stopContShooting", waiting: .seconds(2)) == .result([]))
        let count = initiator.exposed.count
        #expect(count > 2)
        initiator.advance(.seconds(5))
        #expect(initiator.exposed.count == count)
        #expect(try initiator.status() == "IDLE")
    }

    // MARK: HTTP

    @Test func `a connection serves one request after the other, and chunks are complete`() throws {
        let initiator = try SonyHTTPInitiator(model: .a6300)
        let id = initiator.open()
        for number in 1...3 {
            let call = #"{"method":"getVersions","params":[],"id":\#(number),"version":"1.0"}"#
            initiator.post(call, to: "/sony/camera", on: id)
            let reply = initiator.reply(on: id)
            #expect(reply.isComplete && reply.headers["connection"] == "keep-alive" && !reply.chunks.isEmpty)
            #expect(String(buffer: reply.body).hasPrefix("{\"id\":\(number),\"result\":"))
        }
        #expect(!initiator.ended.contains(id))
        initiator.post("{}", to: "/sony/camera", headers: "Connection: close\r\n", on: id)
        #expect(String(buffer: initiator.reply(on: id).body).contains("\"error\":[5,"))
        #expect(initiator.ended.contains(id))
    }

    @Test func `illegal requests are answered with an error`() throws {
        let initiator = try SonyHTTPInitiator()
        let zero = #"{"method":"getVersions","params":[],"id":0}"#
        for body in ["", "[]", zero, #"{"method":1,"params":[],"id":1}"#] {
            let id = initiator.post(body, to: "/sony/camera")
            #expect(initiator.answer(on: id).code == 5, "\(body)")
        }
        #expect(initiator.call("makeCoffee").code == 12)
        let long = initiator.post(String(repeating: " ", count: 30_000), to: "/sony/camera")
        #expect(initiator.answer(on: long) == .status(413))
        #expect(initiator.answer(on: initiator.post("{}", to: "/other")) == .status(404))
    }

    @Test func `live view is a stream of packets, for one client`() throws {
        let initiator = try SonyHTTPInitiator(model: .a6300)
        initiator.start()
        #expect(initiator.call("setLiveviewFrameInfo", ["frameInfo": true]) == .result([]))
        let url = try #require(initiator.call("startLiveview").result?.first?.stringValue)
        let stream = initiator.open()
        initiator.send("GET /liveview/liveviewstream HTTP/1.1\r\nHost: 192.0.2.9:8080\r\n\r\n", on: stream)
        initiator.advance(.seconds(1))
        let reply = initiator.reply(on: stream)
        #expect(!reply.isComplete && (50...70).contains(reply.chunks.count))
        var bytes = reply.body
        let head = bytes.readBytes(length: 136) ?? []
        try #require(head.count == 136)
        #expect(head[0] == 0xFF && head[1] == 1 && Array(head[4..<12]) == [0, 0, 0, 0, 0x24, 0x35, 0x68, 0x79])
        #expect(initiator.call("startLiveviewWithSize", "L").code == 3)
        // Another reader ends the stream of the first one.
        _ = initiator.get(url)
        #expect(initiator.reply(on: stream).isComplete)
        #expect(initiator.call("stopLiveview") == .result([0]))
        #expect(initiator.get(url).status == 404)
        #expect(initiator.call("startLiveviewWithSize", "L") == .result([.string(url)]))
        #expect(initiator.call("getLiveviewSize") == .result(["L"]))
    }

    /// The vectors were written by the layout of two clients.
    @Test func `packets of live view are those of the vectors`() throws {
        let vectors = Self.vectors["http_live_view_packet_derived"]
        let bytes = { (name: String) -> [UInt8] in
            (vectors?[name]?.stringValue ?? "").split(separator: " ").compactMap { UInt8($0, radix: 16) }
        }
        let picture = SonyHTTPBody.packet(.picture(ByteBuffer(repeating: 1, count: 5)), number: 7, milliseconds: 1_234)
        #expect(Array(picture.readableBytesView.prefix(136)) == bytes("image_header_136_bytes"))
        #expect(picture.readableBytes == 144)
        let frame = SonyHTTPBody.packet(.focusFrame, number: 8, milliseconds: 1_240)
        #expect(
            Array(frame.readableBytesView) == bytes("frame_info_header_136_bytes") + bytes("frame_record_16_bytes")
        )
        for (packet, name) in [(picture, "decode"), (frame, "frame_info_decode")] {
            let decoded = try #require(vectors?[name])
            let large = packet.getBytes(at: 12, length: 3)?.reduce(0) { $0 << 8 | Int($1) }
            let small = packet.getInteger(at: 15, as: UInt8.self).map(Int.init)
            #expect(packet.getInteger(at: 1, as: UInt8.self).map(Int.init) == decoded["payload_type"]?.intValue)
            #expect(packet.getInteger(at: 2, as: UInt16.self).map(Int.init) == decoded["sequence"]?.intValue)
            #expect(packet.getInteger(at: 4, as: UInt32.self).map(Int.init) == decoded["timestamp_ms"]?.intValue)
            #expect(large == decoded["payload_size"]?.intValue && small == decoded["padding_size"]?.intValue)
            #expect(packet.readableBytes == decoded["total_packet_length"]?.intValue)
        }
        let info = try #require(vectors?["frame_info_decode"])
        #expect(frame.getInteger(at: 18, as: UInt16.self).map(Int.init) == info["frame_count"]?.intValue)
        #expect(frame.getInteger(at: 20, as: UInt16.self).map(Int.init) == info["frame_size"]?.intValue)
        let record = try #require(vectors?["frame_record_decode"])
        let sides = (0..<4).map { frame.getInteger(at: 136 + $0 * 2, as: UInt16.self).map(Int.init) }
        #expect(sides == ["left", "top", "right", "bottom"].map { record[$0]?.intValue })
        #expect(frame.getInteger(at: 144, as: UInt8.self).map(Int.init) == record["category"]?.intValue)
        #expect(frame.getInteger(at: 145, as: UInt8.self).map(Int.init) == record["status"]?.intValue)
    }
}
