import Exposure
import JSON
import NIOCore
import Testing

@testable import Cameras

/// Setting the speed and other properties of a Sony body over HTTP.
struct SonyHTTPSettingTests {
    private static func bench(_ change: (inout SonyHTTPScriptedBody) -> Void = { _ in }) -> SonyHTTPBench {
        let bench = SonyHTTPBench(change)
        bench.connect()
        return bench
    }

    private static func speed(_ text: String) throws -> ShutterSpeed { try ShutterSpeed(parsing: text) }

    @Test func `a speed is the body's own text, and its event confirms it`() throws {
        let bench = Self.bench()
        let start = bench.now
        #expect(bench.finish(.setSpeed(try Self.speed("0.3"))) == [.speedAccepted])
        #expect(bench.body.speed == "1/3" && bench.calls == ["setShutterSpeed"])
        // The event arrives with the answer, so nothing is read.
        #expect(bench.now - start <= .milliseconds(20))
        #expect(bench.finish(.readSpeed) == [.speedRead(.speed(try Self.speed("0.3")))])
        #expect(bench.calls == ["setShutterSpeed"])
    }

    // Before that, the body may still apply a value that an earlier session wrote.
    @Test func `a speed that the body shows is written once in a session`() throws {
        let bench = Self.bench()
        #expect(bench.finish(.setSpeed(try Self.speed("1/125"))) == [.speedAccepted])
        #expect(bench.calls == ["setShutterSpeed", "getAvailableShutterSpeed"])
        bench.forget()
        #expect(bench.finish(.setSpeed(try Self.speed("1/125"))) == [.speedAccepted])
        #expect(bench.calls.isEmpty)
    }

    @Test(arguments: [1, 3, 40401]) func `a body that rejects its present value has this value`(code: Int) throws {
        let bench = Self.bench { $0.twists = ["setShutterSpeed": [.error(code)]] }
        #expect(bench.finish(.setSpeed(try Self.speed("1/125"))) == [.speedAccepted])
        #expect(bench.calls.count { $0 == "setShutterSpeed" } <= 2)
    }

    @Test func `an answer of 0 proves nothing, and the value is written again`() throws {
        let bench = Self.bench { $0.twists = ["setShutterSpeed": [.noEffect]] }
        #expect(bench.finish(.setSpeed(try Self.speed("1/60"))) == [.speedAccepted])
        #expect(bench.body.speed == "1/60")
        #expect(bench.calls.filter { $0 == "setShutterSpeed" }.count == 2)
        #expect(bench.calls.contains("getAvailableShutterSpeed"))
    }

    @Test func `a value that the body never takes fails after four writes`() throws {
        let bench = Self.bench { $0.twists = ["setShutterSpeed": Array(repeating: .noEffect, count: 20)] }
        let events = bench.finish(.setSpeed(try Self.speed("1/60")))
        #expect(events == [.failed(.propertyNotKept(.shutterSpeed, "1/60", found: "1/125"))])
        #expect(bench.calls.filter { $0 == "setShutterSpeed" }.count == 4)
    }

    @Test func `a speed outside the body's list is never sent`() throws {
        let bench = Self.bench()
        let speed = try Self.speed("1/8000")
        #expect(bench.finish(.setSpeed(speed)) == [.failed(.speedNotOffered(speed))])
        #expect(bench.finish(.setProperty(.shutterSpeed, "BULB")).isFailure)
        #expect(bench.calls.isEmpty)
    }

    @Test func `a speed cannot be set outside of M and S`() throws {
        let bench = Self.bench { $0.mode = "Aperture" }
        #expect(bench.finish(.setSpeed(try Self.speed("1/60"))) == [.failed(.speedNotWritable)])
        #expect(!bench.calls.contains("setShutterSpeed"))
    }

    @Test func `a busy body gets time, and then the command ends as busy`() throws {
        let bench = Self.bench()
        bench.body.status = "NotReady"
        bench.body.change("cameraStatus", "availableApiList")
        bench.run(for: .milliseconds(50))
        let start = bench.now
        #expect(bench.finish(.setSpeed(try Self.speed("1/60"))) == [.busy])
        #expect(bench.now - start >= .seconds(10) && bench.now - start <= .seconds(12))
    }

    @Test(arguments: [1, 2, 7, 40401]) func `a write that comes too early is repeated`(code: Int) throws {
        let bench = Self.bench { $0.twists = ["setShutterSpeed": [.error(code)]] }
        #expect(bench.finish(.setSpeed(try Self.speed("1/60"))) == [.speedAccepted])
        #expect(bench.body.speed == "1/60")
    }

    @Test func `a method that the body does not have is an error with its number`() throws {
        let bench = Self.bench { $0.twists = ["setShutterSpeed": [.reply(HTTPReply(status: 403))]] }
        let failure = CameraFailure.refused(operation: "setShutterSpeed", code: 403, name: "error 403 (Forbidden)")
        #expect(bench.finish(.setSpeed(try Self.speed("1/60"))) == [.failed(failure)])
    }

    // MARK: Properties

    @Test func `a property is set by its method and confirmed`() {
        let bench = Self.bench()
        guard case .propertySet(let state)? = bench.finish(.setProperty(.exposureMode, "a")).last else {
            Issue.record("not set")
            return
        }
        #expect(state.value == "A" && bench.body.mode == "Aperture")
    }

    @Test func `a value with an object as its parameter is set`() {
        let bench = Self.bench()
        let events = bench.finish(.setProperty(.drive, "continuous"))
        guard case .propertySet(let state)? = events.last else {
            Issue.record("not set: \(events)")
            return
        }
        #expect(state.driveMode == DriveMode(kind: .continuous, name: "continuous") && bench.body.drive == "Continuous")
    }

    /// Settings as bodies report them (API Reference v2.40, and a real ILCE-5000).
    private static let settings: [String: SonyHTTPScriptedBody.Setting] = [
        "IsoSpeedRate": value("isoSpeedRate", "currentIsoSpeedRate", "100", ["AUTO", "100", "200"]),
        "FNumber": value("fNumber", "currentFNumber", "5.6", ["4.0", "5.6", "8.0"]),
        "ExposureCompensation": SonyHTTPScriptedBody.Setting(
            type: "exposureCompensation",
            member: "currentExposureCompensation",
            part: [
                "currentExposureCompensation": 0, "maxExposureCompensation": 9, "minExposureCompensation": -9,
                "stepIndexOfExposureCompensation": 1,
            ]
        ),
        "WhiteBalance": SonyHTTPScriptedBody.Setting(
            type: "whiteBalance",
            member: "currentWhiteBalanceMode",
            part: [
                "checkAvailability": true, "currentWhiteBalanceMode": "Auto WB", "currentColorTemperature": -1,
            ],
            available: #"""
                [{"whiteBalanceMode":"Auto WB","colorTemperature":-1},[\#
                {"whiteBalanceMode":"Auto WB","colorTemperatureRange":[]},\#
                {"whiteBalanceMode":"Daylight","colorTemperatureRange":[]},\#
                {"whiteBalanceMode":"Color Temperature","colorTemperatureRange":[9900,2500,100]}]]
                """#
        ),
        "FocusMode": value("focusMode", "currentFocusMode", "AF-S", ["AF-S", "MF"]),
        "StillQuality": object("stillQuality", "stillQuality", "Fine", ["RAW+JPEG", "Fine", "Standard"]),
        "FlashMode": value("flashMode", "currentFlashMode", "off", ["off", "slowSync"]),
        "ZoomSetting": object("zoomSetting", "zoom", "Optical Zoom Only", ["Optical Zoom Only", "On:Digital Zoom"]),
    ]

    private static func value(
        _ type: String,
        _ member: String,
        _ current: JSONValue,
        _ candidates: JSONValue
    ) -> SonyHTTPScriptedBody.Setting {
        SonyHTTPScriptedBody.Setting(
            type: type,
            member: member,
            part: [member: current, "\(type)Candidates": candidates]
        )
    }

    private static func object(
        _ type: String,
        _ key: String,
        _ current: JSONValue,
        _ candidates: JSONValue
    ) -> SonyHTTPScriptedBody.Setting {
        SonyHTTPScriptedBody.Setting(
            type: type,
            member: key,
            key: key,
            part: [key: current, "candidate": candidates]
        )
    }

    /// A property, the text of a user, and the method and its parameters on the wire.
    private static let writes: [(CameraProperty, String, String, JSONValue)] = [
        (.shutterSpeed, "1/60", "setShutterSpeed", ["1/60"]), (.iso, "Auto", "setIsoSpeedRate", ["AUTO"]),
        (.aperture, "f/8", "setFNumber", ["8.0"]),
        (.exposureCompensation, "+0.7", "setExposureCompensation", [2]),
        (.exposureCompensation, "-1.0", "setExposureCompensation", [-3]),
        (.whiteBalance, "daylight", "setWhiteBalance", ["Daylight", false, -1]),
        (.whiteBalance, "colour temperature", "setWhiteBalance", ["Color Temperature", true, 5_500]),
        (.drive, "continuous", "setContShootingMode", [["contShootingMode": "Continuous"]]),
        (.focusMode, "MF", "setFocusMode", ["MF"]),
        (.quality, "RAW+JPEG", "setStillQuality", [["stillQuality": "RAW+JPEG"]]),
        (.exposureMode, "A", "setExposureMode", ["Aperture"]), (.flash, "slow sync", "setFlashMode", ["slowSync"]),
        (.selfTimer, "2 s", "setSelfTimer", [2]),
        (.postviewSize, "Original", "setPostviewImageSize", ["Original"]),
        (.zoomSetting, "On:Digital Zoom", "setZoomSetting", [["zoom": "On:Digital Zoom"]]),
    ]

    @Test(arguments: writes)
    func `each property is set by its own method, and its event confirms it`(
        property: CameraProperty,
        text: String,
        method: String,
        parameters: JSONValue
    ) {
        let bench = Self.bench { $0.settings = Self.settings }
        let events = bench.finish(.setProperty(property, text))
        guard case .propertySet(let state)? = events.last else {
            Issue.record("not set: \(events)")
            return
        }
        #expect(state.property == property && state.value == text)
        let calls = bench.body.calls.filter { $0.method == method }
        #expect(calls.map(\.params) == [parameters.arrayValue ?? []])
    }

    @Test func `every property over HTTP is set by a test`() {
        #expect(Set(Self.writes.map(\.0)) == Set(SonyHTTPPropertyRow.table.map(\.property)))
    }

    @Test func `empty lists of values are completed by those that the model supports`() throws {
        let bench = SonyHTTPBench { body in
            body.settings = Self.settings
            body.settings["FNumber"]?.part["fNumberCandidates"] = []
            body.supported = ["FNumber": ["4.0", "5.6", "8.0"]]
        }
        bench.perform(.connect(SonyHTTPBench.address, by: .sonyHTTP, path: "/sony/camera"))
        bench.run(for: .seconds(1))
        #expect(bench.calls.filter { $0.hasPrefix("getSupported") } == ["getSupportedFNumber"])
        #expect(bench.properties[.aperture]?.choices == ["f/4", "f/5.6", "f/8"])
        bench.forget()
        guard case .propertySet(let state)? = bench.finish(.setProperty(.aperture, "f/8")).last else {
            Issue.record("not set: \(bench.reported)")
            return
        }
        #expect(state.value == "f/8" && bench.calls == ["setFNumber"])
    }

    @Test func `a running self-timer is a drive mode, and another drive mode ends it`() {
        let bench = SonyHTTPBench { $0.selfTimer = 10 }
        bench.perform(.connect(SonyHTTPBench.address, by: .sonyHTTP, path: "/sony/camera"))
        bench.run(for: .seconds(1))
        #expect(bench.properties[.drive]?.driveMode == DriveMode(kind: .selfTimer, name: "self-timer 10 s"))
        let events = bench.finish(.setProperty(.drive, "single"))
        guard case .propertySet(let state)? = events.last else {
            Issue.record("not set: \(events)")
            return
        }
        #expect(state.driveMode?.kind == .single && bench.body.selfTimer == 0)
    }

    @Test func `a property that the body does not have is refused`() {
        let bench = Self.bench()
        #expect(bench.finish(.setProperty(.saveTarget, "card")) == [.failed(.propertyUnknown(.saveTarget))])
        #expect(bench.finish(.setProperty(.flash, "off")) == [.failed(.propertyUnknown(.flash))])
        let choices = ["Auto", "100", "200"]
        #expect(bench.finish(.setProperty(.iso, "50")) == [.failed(.propertyNotOffered(.iso, "50", choices: choices))])
    }

    @Test func `a reading is repeated while the core waits for the speed`() throws {
        let bench = Self.bench()
        bench.run(for: .seconds(5))
        let ticket = bench.perform(.readSpeed)
        bench.run(for: .milliseconds(100))
        #expect(bench.events(ticket).contains(.speedRead(.speed(try Self.speed("1/125")))))
        bench.body.speed = "1/60"
        bench.body.change("shutterSpeed")
        bench.run(for: .milliseconds(100))
        #expect(bench.events(ticket).last == .speedRead(.speed(try Self.speed("1/60"))))
    }
}

extension [CameraEvent] {
    /// Whether the last event is a failure.
    var isFailure: Bool { if case .failed? = last { true } else { false } }
}
