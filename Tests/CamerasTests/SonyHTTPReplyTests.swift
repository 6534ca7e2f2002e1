import Exposure
import JSON
import NIOCore
import Testing

@testable import Cameras

/// Replies of real bodies, and replies that are wrong.
struct SonyHTTPReplyTests {
    private static func reply(_ text: String, status: UInt16 = 200) -> HTTPReply {
        HTTPReply(status: status, body: ByteBuffer(string: text))
    }

    // MARK: Real replies

    @Test func `the real replies are read`() throws {
        for vector in SonyHTTPVectors.list("http_real_replies") {
            let method = try #require(vector["method"]?.stringValue)
            let result = try #require(vector["result"]?.arrayValue)
            // On the wire the members can have any order, and slashes are escaped.
            let text = "{\"result\":\(JSONValue.array(result)),\"id\":7}".replacing("/", with: "\\/")
            let answer = try SonyHTTPAnswer.read(Self.reply(text), id: 7)
            #expect(answer == .result(result))
            try check(method, result)
        }
    }

    /// Checks that the driver understands the result of a method.
    private func check(_ method: String, _ result: [JSONValue]) throws {
        switch method {
        case "getVersions":
            let versions = SonyHTTPVectors.texts(result.first)
            #expect(SonyHTTPEventSlot.newest(of: versions) == versions.last)
        case "getApplicationInfo": #expect(result.compactMap(\.shownText).count == 2)
        case "actTakePicture":
            let urls = SonyHTTP.urls(in: result)
            let url = try DescriptionURL.parse(try #require(urls.first))
            #expect(urls.count == 1 && url.port == 60152)
        case "getAvailableCameraFunction": #expect(result.first?.stringValue == SonyHTTP.contentsFunction)
        case "getAvailableShootMode":
            // The driver reads this value in the event.
            let mode = try #require(result.first)
            let part: JSONValue = ["type": "shootMode", "currentShootMode": mode, "shootModeCandidates": []]
            #expect(Self.state([part]).shootMode == mode.stringValue)
        // The driver does not read it. The simulated ILCE-5000 has the same result (SonyHTTPBodyTests).
        case "getAvailableLiveviewSize": break
        default:
            let row = SonyHTTPPropertyRow.table.first { $0.readers.contains { $0.rawValue == method } }
            let found = try #require(row, "\(method)")
            let value = try #require(found.value(in: result))
            let state = found.state(value, hasSetter: true)
            #expect(state.value != nil && state.choices.contains(state.value ?? ""), "\(method)")
        }
    }

    @Test func `a compensation is a number of steps of a third or a half`() throws {
        let row = try #require(SonyHTTPPropertyRow.row(of: .exposureCompensation))
        let thirds = try #require(row.value(in: [0, 9, -9, 1]))
        let choices = row.state(thirds, hasSetter: true).choices
        #expect(choices.count == 19 && choices.first == "-3.0" && choices.last == "+3.0")
        #expect(choices[8...11] == ["-0.3", "0", "+0.3", "+0.7"])
        let halves = try #require(row.value(in: [1, 6, -6, 2]))
        #expect(row.state(halves, hasSetter: true).value == "+0.5")
        #expect(row.value(for: "+1.5", in: halves) == 3)
        // The body allows none now.
        #expect(row.state(try #require(row.value(in: [0, 0, 0, 0])), hasSetter: true).choices == [])
    }

    // MARK: Errors

    @Test(arguments: [
        ("{\"id\":1,\"error\":[40401,\"Camera Not Ready\"]}", 40401), ("{\"error\":[40400,\"\"],\"id\":1}", 40400),
        ("{\"id\":1,\"error\":[]}", 1), ("{\"id\":1,\"error\":\"x\"}", 1),
    ])
    func `an error is its number`(text: String, number: Int) throws {
        #expect(try SonyHTTPAnswer.read(Self.reply(text), id: 1) == .error(SonyHTTPError(rawValue: number)))
    }

    @Test func `a status of HTTP is an error with that number`() throws {
        #expect(try SonyHTTPAnswer.read(Self.reply("Forbidden", status: 403), id: 1) == .error(.forbidden))
        #expect(try SonyHTTPAnswer.read(Self.reply("", status: 302), id: 1) == .error(SonyHTTPError(rawValue: 302)))
    }

    @Test(arguments: [
        ("", "the reply is not JSON: byte 0"), ("<html>", "the reply is not JSON: byte 0"),
        ("[1]", "the reply is not a JSON object"), ("{\"id\":2,\"result\":[]}", "number 2 of another call"),
        ("{\"result\":[]}", "the reply has no number"), ("{\"id\":\"1\",\"result\":[]}", "the reply has no number"),
        ("{\"id\":1}", "neither a result nor an error"), ("{\"id\":1,\"result\":{}}", "neither a result nor an error"),
        ("{\"id\":1,\"result\":[99999999999999999999]}", "the number is too large"),
        ("{\"id\":1,\"result\":[1e999]}", "the number is too large"),
    ])
    func `a wrong reply is an error that says what is wrong`(text: String, part: String) {
        #expect { try SonyHTTPAnswer.read(Self.reply(text), id: 1) } throws: { "\($0)".contains(part) }
    }

    @Test func `deep nesting is an error, and not an overflow of the stack`() {
        let deep = "{\"id\":1,\"result\":" + String(repeating: "[", count: 10_000)
        #expect { try SonyHTTPAnswer.read(Self.reply(deep), id: 1) } throws: { "\($0)".contains("nested deeper") }
    }

    // MARK: Events

    private static func state(_ event: [JSONValue]) -> SonyHTTPState {
        var state = SonyHTTPState()
        state.adopt(event, askedAt: .seconds(1), isWhole: true, at: .seconds(2))
        return state
    }

    @Test func `a null means unchanged, and an empty text means not valid`() throws {
        var state = Self.state([
            ["type": "shutterSpeed", "currentShutterSpeed": "1/60", "shutterSpeedCandidates": ["1/60"]],
            ["type": "cameraStatus", "cameraStatus": "IDLE"],
        ])
        state.adopt([.null, .null], askedAt: .seconds(3), isWhole: false, at: .seconds(3))
        #expect(state[.shutterSpeed]?.current == "1/60" && state.status == .idle)
        state.adopt(
            [["type": "shutterSpeed", "currentShutterSpeed": "", "shutterSpeedCandidates": []]],
            askedAt: .seconds(4),
            isWhole: false,
            at: .seconds(4)
        )
        let value = try #require(state[.shutterSpeed])
        #expect(SonyHTTPPropertyRow.shutterSpeed.state(value, hasSetter: true).value == nil)
    }

    @Test func `an answer to a request from before a change does not replace the change`() {
        var state = Self.state([["type": "shutterSpeed", "currentShutterSpeed": "1/60", "shutterSpeedCandidates": []]])
        let change: JSONValue = ["type": "shutterSpeed", "currentShutterSpeed": "1/250", "shutterSpeedCandidates": []]
        state.adopt([change], askedAt: .seconds(3), isWhole: false, at: .seconds(5))
        func read(_ speed: String, askedAt: Duration) {
            state.adopt(
                [.string(speed), [.string(speed)]],
                of: .shutterSpeed,
                by: .getAvailable("ShutterSpeed"),
                askedAt: askedAt,
                at: .seconds(7)
            )
        }
        read("1/60", askedAt: .seconds(4))
        #expect(state[.shutterSpeed]?.current == "1/250" && state.askedAt(.shutterSpeed) == .zero)
        read("1/60", askedAt: .seconds(6))
        #expect(state[.shutterSpeed]?.current == "1/60" && state.askedAt(.shutterSpeed) == .seconds(6))
    }

    @Test func `a part in an unexpected form is noted, and the rest is valid`() {
        let state = Self.state([
            5, "x", ["type": "cameraStatus", "cameraStatus": 3], ["type": "shutterSpeed", "currentShutterSpeed": 60],
            ["type": "unknownPart", "value": 1], ["noType": 1],
            ["type": "exposureMode", "currentExposureMode": "Manual", "exposureModeCandidates": [1, "Manual"]],
        ])
        #expect(state.remarks == ["place 0", "place 1", "cameraStatus", "shutterSpeed", "place 5"])
        #expect(state[.exposureMode]?.current == "Manual" && state[.exposureMode]?.candidates == ["Manual"])
        #expect(state.status == nil)
    }

    @Test func `the remarks and lists of a hostile body are bounded`() {
        let parts = (0..<2000).map { JSONValue.object(["type": .string("part"), "n\($0)": 1]) }
        let strange = (0..<2000).map { _ in JSONValue.int(3) }
        let state = Self.state(parts + strange)
        #expect(state.remarks.count <= 16)
        let urls = JSONValue.strings((0..<5000).map { "http://192.168.122.1/\($0)" })
        #expect(Self.state([[["type": "takePicture", "takePictureUrl": urls]]]).urls.count <= 200)
    }

    @Test func `the storage with the record target counts, in either form of its fields`() {
        let storages: [[JSONValue]] = [
            [["storageID": "Memory Card 1", "recordTarget": true, "numberOfRecordableImages": 42]],
            [["storageID": "Memory Card 1", "recordTarget": "true", "numberOfRecordableImages": "42"]],
        ]
        for list in storages {
            let typed = list.map {
                JSONValue.object(($0.objectValue ?? [:]).merging(["type": "storageInformation"]) { $1 })
            }
            let state = Self.state([.array(typed)])
            #expect(state.shotsLeft == 42 && state.hasCard == true)
        }
        let none = Self.state([
            [["type": "storageInformation", "storageID": "No Media", "numberOfRecordableImages": -1]]
        ])
        #expect(none.shotsLeft == nil && none.hasCard == false)
    }

    @Test func `a battery without a known charge does not count`() {
        func percent(_ batteries: JSONValue) -> Int? {
            Self.state([["type": "batteryInfo", "batteryInfo": batteries]]).batteryPercent
        }
        #expect(percent([["status": "active", "levelNumer": 3, "levelDenom": 4]]) == 75)
        #expect(percent([["status": "active", "levelNumer": -1, "levelDenom": 4]]) == nil)
        #expect(percent([["levelNumer": 5, "levelDenom": 0], ["levelNumer": 1, "levelDenom": 2]]) == 50)
    }
}
