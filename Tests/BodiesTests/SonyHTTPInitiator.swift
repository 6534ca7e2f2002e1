import Bodies
import Cameras
import Exposure
import JSON
import NIOCore
import PTP
import Testing

/// A client of a simulated body with Sony's HTTP API, in virtual time. It uses no code of the driver.
final class SonyHTTPInitiator {
    /// The answer to a call.
    enum Answer: Equatable {
        case result([JSONValue])
        case error(Int, String)
        /// Another status of HTTP than 200.
        case status(Int)
        /// No JSON, or nothing.
        case unreadable(String)

        /// The values of a result; nil: no result.
        var result: [JSONValue]? { if case .result(let values) = self { values } else { nil } }
        var code: Int? { if case .error(let code, _) = self { code } else { nil } }
    }

    /// A reply of HTTP, as far as it has arrived.
    struct Reply: Equatable {
        var status = 0
        var headers: [String: String] = [:]
        var body = ByteBuffer()
        var isComplete = false
        /// The sizes of the chunks; empty: no chunks.
        var chunks: [Int] = []
    }

    var camera: SimulatedCamera
    var now = Duration.zero
    var facts: [BodyFact] = []
    var exposed: [CardFrame] = []
    var log: [String] = []
    private(set) var ended: Set<ConnectionID> = []
    private var received: [ConnectionID: ByteBuffer] = [:]
    private var connectionsMade = 0
    private var callsMade = 0
    let authority: String

    init(
        _ faults: String...,
        model: SonyHTTPModel = .a6000,
        options change: (inout BodyOptions) -> Void = { _ in }
    ) throws {
        var options = BodyOptions()
        options.faults = try faults.map { try Fault(parsing: $0, for: "sony-http") }
        change(&options)
        camera = model.row.camera(options)
        authority = "192.0.2.9:\(model.port)"
    }

    // MARK: Connections

    func open() -> ConnectionID {
        connectionsMade += 1
        let id = ConnectionID(rawValue: connectionsMade)
        let isAccepted = camera.acceptsConnection(at: now)
        #expect(isAccepted)
        step { camera, now, actions in camera.accepted(id, at: now, into: &actions) }
        return id
    }

    func hangUp(_ id: ConnectionID) {
        step { camera, now, actions in camera.closed(id, at: now, into: &actions) }
    }

    func send(_ text: String, on id: ConnectionID) {
        let bytes = ByteBuffer(string: text)
        step { camera, now, actions in camera.received(id, bytes, at: now, into: &actions) }
    }

    func advance(_ time: Duration) {
        let end = now + time
        while let next = camera.nextDeadline, next <= end {
            now = max(now, next)
            step { camera, now, actions in camera.advance(to: now, into: &actions) }
        }
        now = end
    }

    private func step(_ body: (inout SimulatedCamera, Duration, inout [BodyAction]) -> Void) {
        var actions: [BodyAction] = []
        body(&camera, now, &actions)
        for action in actions {
            switch action {
            case .send(let id, let bytes): received[id, default: ByteBuffer()].writeImmutableBuffer(bytes)
            case .close(let id), .abort(let id): ended.insert(id)
            case .fact(let fact): facts.append(fact)
            case .exposed(let frame): exposed.append(frame)
            case .log(let line): log.append(line)
            case .refuseConnections, .leave: break
            }
        }
    }

    // MARK: HTTP

    func post(_ body: String, to path: String, headers: String = "") -> ConnectionID {
        let id = open()
        post(body, to: path, headers: headers, on: id)
        return id
    }

    func post(_ body: String, to path: String, headers: String = "", on id: ConnectionID) {
        let length = body.utf8.count
        let head = "POST \(path) HTTP/1.1\r\nHost: \(authority)\r\n\(headers)Content-Length: \(length)\r\n\r\n"
        send(head + body, on: id)
    }

    /// Fetches a URL of the body, and fails the test if it leads to another host.
    func get(_ url: String, waiting time: Duration = .seconds(1)) -> Reply {
        let prefix = "http://\(authority)"
        #expect(url.hasPrefix(prefix), "\(url)")
        let id = open()
        send("GET \(url.dropFirst(prefix.count)) HTTP/1.1\r\nHost: \(authority)\r\n\r\n", on: id)
        advance(time)
        return reply(on: id)
    }

    /// The first reply on a connection, as far as it has arrived. A complete reply is removed.
    func reply(on id: ConnectionID) -> Reply {
        var reply = Reply()
        var bytes = received[id] ?? ByteBuffer()
        let view = bytes.readableBytesView
        guard let end = view.firstRange(of: "\r\n\r\n".utf8) else { return reply }
        let head = bytes.readString(length: end.upperBound - view.startIndex) ?? ""
        let lines = head.split(separator: "\r\n")
        reply.status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            reply.headers[parts[0].lowercased()] = parts[1].trimmingPrefix(" ").description
        }
        if reply.headers["transfer-encoding"] == "chunked" {
            readChunks(&reply, &bytes)
        } else {
            let length = reply.headers["content-length"].flatMap { Int($0) } ?? 0
            let count = min(length, bytes.readableBytes)
            reply.body = bytes.readSlice(length: count) ?? ByteBuffer()
            reply.isComplete = count == length
        }
        if reply.isComplete { received[id] = bytes }
        return reply
    }

    private func readChunks(_ reply: inout Reply, _ bytes: inout ByteBuffer) {
        while let line = readLine(&bytes), let size = Int(line, radix: 16) {
            guard size > 0 else {
                reply.isComplete = readLine(&bytes) == ""
                return
            }
            guard let chunk = bytes.readSlice(length: size), readLine(&bytes) == "" else { return }
            reply.body.writeImmutableBuffer(chunk)
            reply.chunks.append(size)
        }
    }

    private func readLine(_ bytes: inout ByteBuffer) -> String? {
        guard let end = bytes.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let line = bytes.readString(length: end + 1 - bytes.readerIndex)
        return line.map { String($0.dropLast($0.hasSuffix("\r\n") ? 1 : 0)) }
    }

    // MARK: Calls

    /// Sends a call on its own connection.
    func begin(
        _ method: String,
        _ params: [JSONValue] = [],
        version: String = "1.0",
        service: String = "camera"
    ) -> ConnectionID {
        callsMade += 1
        let call: JSONValue = [
            "method": .string(method), "params": .array(params), "id": .int(callsMade), "version": .string(version),
        ]
        return post("\(call)", to: "/sony/\(service)")
    }

    /// The answer to a call, as far as it has arrived.
    func answer(on id: ConnectionID) -> Answer {
        let reply = reply(on: id)
        guard reply.status == 200 || reply.status == 0 else { return .status(reply.status) }
        let text = String(buffer: reply.body)
        guard reply.isComplete, let value = try? JSONValue(parsing: reply.body.readableBytesView) else {
            return .unreadable(text)
        }
        if let error = value["error"]?.arrayValue, error.count == 2 {
            return .error(error[0].intValue ?? -1, error[1].stringValue ?? "")
        }
        guard let result = (value["result"] ?? value["results"])?.arrayValue else { return .unreadable(text) }
        return .result(result)
    }

    /// Calls a method, and lets time pass.
    @discardableResult
    func call(
        _ method: String,
        _ params: JSONValue...,
        version: String = "1.0",
        service: String = "camera",
        waiting time: Duration = .milliseconds(1)
    ) -> Answer {
        let id = begin(method, params, version: version, service: service)
        advance(time)
        return answer(on: id)
    }

    /// Enters the recording mode.
    func start() {
        guard camera.body.modelName != "DSC-RX100M4" else { return }
        #expect(call("startRecMode", waiting: .seconds(2)) == .result([0]))
    }

    /// The present objects of an event, by their type.
    func state(version: String = "1.0") throws -> [String: JSONValue] {
        let slots = try #require(call("getEvent", false, version: version).result)
        let objects = slots.flatMap { $0.arrayValue ?? [$0] }
        return Dictionary(
            objects.compactMap { object in object["type"]?.stringValue.map { ($0, object) } },
            uniquingKeysWith: { $1 }
        )
    }

    func status() throws -> String? { try state()["cameraStatus"]?["cameraStatus"]?.stringValue }

    func methods() throws -> [String] {
        try #require(call("getAvailableApiList").result?.first?.arrayValue).compactMap(\.stringValue)
    }

    /// Sets a speed, reads it, and takes a picture.
    ///
    /// - Returns: the URL of the picture.
    @discardableResult
    func fire(_ speed: String) throws -> String {
        #expect(call("setShutterSpeed", .string(speed), waiting: .milliseconds(100)) == .result([0]))
        #expect(call("getShutterSpeed") == .result([.string(speed)]))
        let answer = call("actTakePicture", waiting: .seconds(5))
        return try #require(answer.result?.first?.arrayValue?.first?.stringValue, "\(answer)")
    }
}
