import Cameras
import JSON
import NIOCore

/// A body with the Camera Remote API that a test controls. It knows only its own side of the protocol.
struct SonyHTTPScriptedBody {
    /// An answer in place of the usual one.
    enum Twist {
        case error(Int)
        case result(String)
        /// The bytes of the reply.
        case reply(HTTPReply)
        case failure(HTTPFailure)
        /// Answers 0 and changes nothing.
        case noEffect
        /// Never answers.
        case silence
    }

    /// The number of the body, as its description gives it.
    var number = 1

    private var description: String { Self.description.replacing("020000000001", with: "02000000000\(number)") }

    private static let description = """
        <?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0"><device>
        <deviceType>urn:schemas-upnp-org:device:Basic:1</deviceType><friendlyName>ILCE-6000</friendlyName>
        <manufacturer>Sony Corporation</manufacturer><modelName>SonyImagingDevice</modelName>
        <UDN>uuid:000000001000-1010-8000-020000000001</UDN></device></root>
        """

    /// A setting that the body has beside the usual ones, or instead of one of them.
    struct Setting {
        /// The type of its part of the event.
        var type: String
        /// The member of that part with the present value.
        var member: String
        /// The member of an object as the parameter; nil: the parameter is the value.
        var key: String?
        var part: [String: JSONValue]
        /// The result of `getAvailable…`; nil: the body has no such method.
        var available: String?
    }

    /// Settings by the common part of their methods: `FNumber`.
    var settings: [String: Setting] = [:]
    /// The values of `getSupported…` by the same names.
    var supported: [String: JSONValue] = [:]
    /// The next answers to a method, the first one first.
    var twists: [String: [Twist]] = [:]
    var hasDescription = true
    /// How often the port of the description refuses a connection.
    var refusedDescriptions = 0
    /// The path of the camera service.
    var path = "/sony/camera"
    var versions = ["1.0", "1.1", "1.2", "1.3"]
    var isRecording = true
    var function = "Remote Shooting"
    var shootMode = "still"
    var mode = "Manual"
    var speed = "1/125"
    var speeds = ["BULB", "30\"", "2\"", "1\"", "0.5\"", "1/3", "1/60", "1/125", "1/250", "1/4000"]
    var focus = "MF"
    var drive = "Single"
    var selfTimer = 0
    var postview = "2M"
    var shotsLeft = 100
    /// Whether the number of remaining pictures decreases with each picture.
    var countsShots = true
    /// Whether the body rejects the shutter call without a half press.
    var needsHalfPress = false
    var isHalfPressed = false
    var status = "IDLE"
    /// Methods that the body lacks although its state allows them.
    var missing: Set<String> = []
    /// Methods that the body has besides the usual ones.
    var extra: Set<String> = []
    /// The state of the focus; nil: the body does not report it.
    var focusStatus: String?
    /// Types of the event that the body does not have.
    var hidden: Set<String> = []
    /// Whether the number of remaining pictures decreases only when the test says so.
    var countsLate = false
    private var lateCount = 0
    /// The answer to a shutter call that fired; nil: the URL. The picture then has no URL.
    var errorAfterShot: Int?
    /// Whether that picture has a URL in the events.
    var hasURLAfterError = false
    /// The time between the picture and the answer to the shutter call.
    var answerDelay: Duration = .zero
    /// The time between a reading of the speed and its answer.
    var readDelay: Duration = .zero
    var isLiveViewOn = false
    var liveViewURL = "http://192.168.122.1:8080/liveview/liveviewstream"
    var saveTime: Duration = .milliseconds(200)
    /// The URL of the next picture has this host.
    var urlHost = "192.168.122.1:8080"
    var pictureCount = 0
    /// The events of the next transfers, until one that ends the transfer. Afterwards transfers succeed.
    var pictureAnswers: [HTTPEvent] = []
    /// The entries of the card, the newest one first.
    var contents: [JSONValue] = []
    /// The bytes of each picture.
    var picture = ByteBuffer(repeating: 0xFF, count: 1000)

    private(set) var calls: [(method: String, params: [JSONValue])] = []
    /// The types of the event's parts that changed since the last event.
    private var changes: Set<String> = []
    private var poll: (id: Int, request: HTTPRequestID, until: Duration)?
    private var wait: (id: Int, request: HTTPRequestID, until: Duration)?
    private var shot: (end: Duration, ready: Duration, isDone: Bool)?
    private var url: String?
    /// Replies that are due.
    private var replies: [(request: HTTPRequestID, event: HTTPEvent, at: Duration)] = []

    private static let hold: Duration = .seconds(15)
    static let latency: Duration = .milliseconds(5)

    /// An entry of the card: a picture with a JPEG and a RAW file. Each picture is a second newer than the one before.
    ///
    /// - Parameter isPlain: whether its URLs have no names of files, as those of real bodies.
    static func content(_ number: Int, isPlain: Bool = false) -> JSONValue {
        func digits(_ value: Int, _ count: Int) -> String {
            String(repeating: "0", count: count - "\(value)".count) + "\(value)"
        }
        let name = digits(number, 5)
        let files = [("JPG", "jpeg"), ("ARW", "raw")].map { ending, kind -> JSONValue in
            let path = isPlain ? "contentstransfer/\(kind)/index%3A%2F%2F\(name)" : "contents/\(name).\(ending)"
            return [
                "fileName": .string("DSC\(name).\(ending)"), "stillObject": .string(kind),
                "url": .string("http://192.168.122.1:8080/\(path)"),
            ]
        }
        let time = "2014-08-18T12:\(digits(number / 60, 2)):\(digits(number % 60, 2))+09:00"
        return [
            "uri": .string("image:content?contentId=\(name)"), "title": "", "contentKind": "still",
            "createdTime": .string(time), "content": ["original": .array(files)],
        ]
    }

    // MARK: Requests

    mutating func receive(_ request: HTTPRequest, _ id: HTTPRequestID, at now: Duration) {
        if request.method == .get { return serve(request, id, at: now) }
        guard request.path.hasPrefix(path.prefix(while: { $0 != "c" })),
            let call = try? JSONValue(parsing: request.body.readableBytesView),
            let method = call["method"]?.stringValue, let number = call["id"]?.intValue
        else { return reply(id, .reply(HTTPReply(status: 404)), at: now) }
        calls.append((method, call["params"]?.arrayValue ?? []))
        if var list = twists[method], !list.isEmpty {
            let twist = list.removeFirst()
            twists[method] = list
            return perform(twist, number, id, at: now)
        }
        answer(method, call["params"]?.arrayValue ?? [], call["version"]?.stringValue ?? "", number, id, at: now)
    }

    mutating func cancelled(_ id: HTTPRequestID) {
        if poll?.request == id { poll = nil }
        if wait?.request == id { wait = nil }
        replies.removeAll { $0.request == id }
    }

    private mutating func serve(_ request: HTTPRequest, _ id: HTTPRequestID, at now: Duration) {
        let refusal = HTTPEvent.failed(.notConnected(.refused, reason: "Connection refused"))
        if request.path == "/dd.xml", hasDescription, refusedDescriptions > 0 {
            refusedDescriptions -= 1
            return reply(id, refusal, at: now)
        }
        if request.path == "/dd.xml", hasDescription {
            return reply(id, .reply(HTTPReply(status: 200, body: ByteBuffer(string: description))), at: now)
        }
        guard request.delivery == .pieces else {
            let isServed = hasDescription && request.address.port == 64321
            return reply(id, isServed ? .reply(HTTPReply(status: 404)) : refusal, at: now)
        }
        guard pictureAnswers.isEmpty else {
            while !pictureAnswers.isEmpty {
                let event = pictureAnswers.removeFirst()
                reply(id, event, at: now)
                if event.isLast { return }
            }
            return
        }
        reply(id, .head(HTTPHead(status: 200)), at: now)
        reply(id, .body(picture), at: now)
        reply(id, .end, at: now)
    }

    private mutating func perform(_ twist: Twist, _ number: Int, _ id: HTTPRequestID, at now: Duration) {
        switch twist {
        case .error(let code): send("{\"id\":\(number),\"error\":[\(code),\"\"]}", id, at: now)
        case .result(let text): send("{\"result\":\(text),\"id\":\(number)}", id, at: now)
        case .reply(let whole): reply(id, .reply(whole), at: now)
        case .failure(let failure): reply(id, .failed(failure), at: now)
        case .noEffect: send("{\"result\":[0],\"id\":\(number)}", id, at: now)
        case .silence: break
        }
    }

    private mutating func send(_ text: String, _ id: HTTPRequestID, at now: Duration) {
        reply(id, .reply(HTTPReply(status: 200, body: ByteBuffer(string: text))), at: now)
    }

    private mutating func reply(_ id: HTTPRequestID, _ event: HTTPEvent, at now: Duration) {
        replies.append((id, event, now + Self.latency))
    }

    // MARK: Methods

    private mutating func answer(
        _ method: String,
        _ params: [JSONValue],
        _ version: String,
        _ number: Int,
        _ id: HTTPRequestID,
        at now: Duration
    ) {
        func fail(_ code: Int) -> String { "{\"id\":\(number),\"error\":[\(code),\"\"]}" }
        func success(_ result: String) -> String { "{\"id\":\(number),\"result\":\(result)}" }
        guard methods.contains(method) || method == "awaitTakePicture" else { return send(fail(1), id, at: now) }
        switch method {
        case "getApplicationInfo": send(success("[\"Smart Remote Control SR/4.31 __SAK__\",\"2.1.4\"]"), id, at: now)
        case "getVersions": send(success("[\(JSONValue.strings(versions))]"), id, at: now)
        case "getAvailableApiList": send(success("[\(JSONValue.strings(methods))]"), id, at: now)
        case "startRecMode":
            isRecording = true
            change("availableApiList", "cameraStatus")
            send(success("[0]"), id, at: now)
        case "getEvent": answerEvent(params, version, number, id, at: now)
        case "actTakePicture": take(number, id, at: now)
        case "awaitTakePicture":
            guard url != nil || shot != nil else { return send(fail(1), id, at: now) }
            wait = (number, id, now + Self.hold)
        case "actHalfPressShutter", "cancelHalfPressShutter":
            isHalfPressed = method == "actHalfPressShutter"
            send(success("[]"), id, at: now)
        case "startLiveview", "startLiveviewWithSize":
            isLiveViewOn = true
            change("liveviewStatus", "availableApiList")
            send(success("[\(JSONValue.string(liveViewURL))]"), id, at: now)
        case "stopLiveview":
            isLiveViewOn = false
            change("liveviewStatus", "availableApiList")
            send(success("[0]"), id, at: now)
        case "stopRecMode": send(success("[0]"), id, at: now)
        default:
            let delay = method == "getAvailableShutterSpeed" ? readDelay : .zero
            send(setOrGet(method, params).map(success) ?? fail(12), id, at: now + delay)
        }
    }

    private mutating func setOrGet(_ method: String, _ params: [JSONValue]) -> String? {
        let first = params.first?.stringValue ?? ""
        if let result = useSetting(method, params) { return result }
        switch method {
        case "setShutterSpeed":
            speed = first
            change("shutterSpeed")
        case "setExposureMode":
            mode = first
            change("exposureMode", "shutterSpeed")
        case "setPostviewImageSize":
            postview = first
            change("postviewImageSize")
        case "setSelfTimer":
            selfTimer = params.first?.intValue ?? -1
            change("selfTimer")
        case "setContShootingMode":
            drive = params.first?["contShootingMode"]?.stringValue ?? ""
            change("contShootingMode")
            return "[]"
        case "setCameraFunction":
            function = first
            status = first == "Remote Shooting" ? "IDLE" : "ContentsTransfer"
            change("cameraFunction", "cameraStatus", "availableApiList")
        case "setShootMode":
            shootMode = first
            change("shootMode", "availableApiList")
        case "getSchemeList": return "[[{\"scheme\":\"storage\"}]]"
        case "getSourceList": return "[[{\"source\":\"storage:memoryCard1\"}]]"
        case "getContentCount": return "[{\"count\":\(contents.count)}]"
        case "getContentList":
            let start = min(params.first?["stIdx"]?.intValue ?? 0, contents.count)
            let count = min(params.first?["cnt"]?.intValue ?? 0, 100)
            return "[\(JSONValue.array(Array(contents[start...].prefix(count))))]"
        case "getShutterSpeed": return "[\(JSONValue.string(speed))]"
        case "getAvailableShutterSpeed": return "[\(JSONValue.string(speed)),\(JSONValue.strings(speeds))]"
        default: return nil
        }
        return "[0]"
    }

    /// Sets or reads one of `settings`; nil: another method.
    private mutating func useSetting(_ method: String, _ params: [JSONValue]) -> String? {
        for (name, setting) in settings {
            if method == "getAvailable\(name)" { return setting.available }
            if method == "getSupported\(name)" { return supported[name].map { "[\($0)]" } }
            guard method == "set\(name)" else { continue }
            settings[name]?.part[setting.member] = setting.key.map { params.first?[$0] ?? .null } ?? params.first
            change(setting.type)
            return setting.key == nil ? "[0]" : "[]"
        }
        return nil
    }

    /// The methods that can be called now.
    var methods: [String] {
        var names = [
            "getVersions", "getMethodTypes", "getApplicationInfo", "getAvailableApiList", "getEvent", "stopRecMode",
        ]
        guard isRecording else { return (names + ["startRecMode"]).filter { !missing.contains($0) } }
        names += ["getCameraFunction", "setCameraFunction", "getShutterSpeed", "getAvailableShutterSpeed"]
        guard function == "Remote Shooting" else {
            return names + ["getSchemeList", "getSourceList", "getContentCount", "getContentList"]
        }
        if status == "IDLE", shootMode == "still" {
            names += [
                "actTakePicture", "setSelfTimer", "setExposureMode", "setPostviewImageSize", "setContShootingMode",
                "setIsoSpeedRate", "actHalfPressShutter", "cancelHalfPressShutter",
            ]
            if mode == "Manual" || mode == "Shutter" { names.append("setShutterSpeed") }
        }
        names += settings.filter { $0.value.available != nil }.keys.sorted().map { "getAvailable\($0)" }
        names += supported.keys.sorted().map { "getSupported\($0)" }
        if status == "IDLE" { names += settings.keys.sorted().map { "set\($0)" } }
        if shootMode != "still" { names.append("setShootMode") }
        if url != nil || shot != nil { names.append("awaitTakePicture") }
        names += extra
        if isLiveViewOn { names.append("stopLiveview") }
        return names.filter { !missing.contains($0) }
    }

    // MARK: Events

    mutating func change(_ types: String...) { changes.formUnion(types) }

    private mutating func answerEvent(
        _ params: [JSONValue],
        _ version: String,
        _ number: Int,
        _ id: HTTPRequestID,
        at now: Duration
    ) {
        guard versions.contains(version) else {
            return send("{\"id\":\(number),\"error\":[14,\"Unsupported Version\"]}", id, at: now)
        }
        if params.first?.boolValue == true {
            poll = (number, id, now + Self.hold)
        } else {
            send("{\"id\":\(number),\"result\":\(event(nil))}", id, at: now)
            changes = []
        }
    }

    private static let battery: JSONValue = [
        "batteryInfo": [["status": "active", "levelNumer": 3, "levelDenom": 4, "batteryID": "", "description": ""]]
    ]

    /// The places of an event. `types` nil: all places.
    func event(_ types: Set<String>?) -> JSONValue {
        let names = JSONValue.strings(methods)
        var parts: [String: JSONValue] = [
            "availableApiList": ["names": names],
            "liveviewStatus": ["liveviewStatus": .bool(isLiveViewOn)],
            "cameraStatus": ["cameraStatus": .string(isRecording ? status : "NotReady")],
            "takePicture": [["type": "takePicture", "takePictureUrl": .strings(url.map { [$0] } ?? [])]],
            "storageInformation": [
                [
                    "type": "storageInformation", "storageID": "Memory Card 1", "recordTarget": true,
                    "numberOfRecordableImages": .int(shotsLeft), "recordableTime": -1, "storageDescription": "",
                ]
            ],
            "cameraFunction": ["currentCameraFunction": .string(function), "cameraFunctionCandidates": []],
            "focusStatus": ["focusStatus": .string(focusStatus ?? "")],
            "exposureMode": ["currentExposureMode": .string(mode), "exposureModeCandidates": ["Manual", "Aperture"]],
            "postviewImageSize": [
                "currentPostviewImageSize": .string(postview), "postviewImageSizeCandidates": ["Original", "2M"],
            ],
            "selfTimer": ["currentSelfTimer": .int(selfTimer), "selfTimerCandidates": [0, 2, 10]],
            "shootMode": ["currentShootMode": .string(shootMode), "shootModeCandidates": ["still"]],
            "focusMode": ["currentFocusMode": .string(focus), "focusModeCandidates": []],
            "isoSpeedRate": ["currentIsoSpeedRate": "100", "isoSpeedRateCandidates": ["AUTO", "100", "200"]],
            "shutterSpeed": ["currentShutterSpeed": .string(speed), "shutterSpeedCandidates": .strings(speeds)],
            "contShootingMode": ["contShootingMode": .string(drive), "candidate": ["Single", "Continuous"]],
            "batteryInfo": Self.battery,
        ]
        for setting in settings.values { parts[setting.type] = .object(setting.part) }
        return .array(
            SonyHTTPEventSlot.types.map { type in
                if type == "focusStatus", focusStatus == nil { return .null }
                guard types?.contains(type) ?? true, !hidden.contains(type), let part = parts[type] else {
                    return .null
                }
                guard case .object(var members) = part else { return part }
                members["type"] = .string(type)
                return .object(members)
            }
        )
    }

    // MARK: The shutter

    private mutating func take(_ number: Int, _ id: HTTPRequestID, at now: Duration) {
        guard !needsHalfPress || isHalfPressed else {
            return send("{\"id\":\(number),\"error\":[40400,\"\"]}", id, at: now)
        }
        let time = Self.seconds[speed] ?? .milliseconds(8)
        url = nil
        shot = (now + time, now + time + saveTime, false)
        status = "StillCapturing"
        change("cameraStatus", "availableApiList")
        wait = (number, id, now + Self.hold)
    }

    private static let seconds: [String: Duration] = [
        "30\"": .seconds(30), "2\"": .seconds(2), "1\"": .seconds(1), "0.5\"": .milliseconds(500),
    ]

    /// Whether the body knows the answer to the shutter call.
    private var isShotAnswered: Bool { url != nil || errorAfterShot != nil && shot?.isDone ?? true }

    private var nextURL: String { "http://\(urlHost)/postview/pict\(pictureCount).JPG" }

    /// The number of remaining pictures follows the pictures.
    mutating func catchUp() {
        shotsLeft -= lateCount
        lateCount = 0
        change("storageInformation")
    }

    /// The user presses the button of the body.
    mutating func takeByButton() {
        pictureCount += 1
        if countsShots { shotsLeft -= 1 }
        url = nextURL
        change("takePicture", "storageInformation")
    }

    // MARK: Time

    var nextTime: Duration? {
        let times = [
            replies.map(\.at).min(), poll?.until, wait?.until, shot.map { $0.isDone ? $0.ready : $0.end },
            changes.isEmpty || poll == nil ? nil : .zero, wait == nil || !isShotAnswered ? nil : .zero,
        ]
        return times.compactMap { $0 }.min()
    }

    /// Performs what is due.
    ///
    /// - Returns: the events that arrive at the driver.
    mutating func advance(to now: Duration) -> [(HTTPRequestID, HTTPEvent)] {
        if let shot, !shot.isDone, shot.end <= now {
            self.shot?.isDone = true
            pictureCount += 1
            if countsShots, !countsLate { shotsLeft -= 1 }
            if countsLate { lateCount += 1 }
            if errorAfterShot == nil || hasURLAfterError { url = nextURL }
            change("takePicture", "storageInformation")
        }
        if let shot, shot.isDone, shot.ready <= now {
            self.shot = nil
            status = "IDLE"
            change("cameraStatus", "availableApiList")
        }
        if let wait, isShotAnswered || wait.until <= now {
            let code = isShotAnswered ? errorAfterShot : 40403
            let result = code.map { "\"error\":[\($0),\"\"]" } ?? "\"result\":[[\(JSONValue.string(url ?? ""))]]"
            send("{\"id\":\(wait.id),\(result)}", wait.request, at: now + answerDelay)
            self.wait = nil
        }
        if let poll, !changes.isEmpty || poll.until <= now {
            send("{\"id\":\(poll.id),\"result\":\(event(changes))}", poll.request, at: now)
            changes = []
            self.poll = nil
        }
        let due = replies.filter { $0.at <= now }
        replies.removeAll { $0.at <= now }
        return due.map { ($0.request, $0.event) }
    }
}
