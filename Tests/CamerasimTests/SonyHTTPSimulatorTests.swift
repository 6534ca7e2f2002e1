import Bodies
import Foundation
import Testing

/// Tests `camerasim sony-http` as a process, with JSON that a foreign client would send.
struct SonyHTTPSimulatorTests {
    private func simulator(_ host: String, _ arguments: String..., announced: Bool = false) throws -> SimulatorProcess {
        let found = announced ? ["--ssdp", "--description-port", "0", "--ssdp-delay", "10ms"] : []
        return try SimulatorProcess(host: host, arguments: arguments + found, maker: "sony-http")
    }

    /// The reply to one request on its own connection, as JSON.
    private func call(
        _ simulator: SimulatorProcess,
        _ method: String,
        _ params: String = "[]"
    ) throws -> [String: Any] {
        let body = #"{"method":"\#(method)","params":\#(params),"id":1,"version":"1.0"}"#
        let head = [
            "POST /sony/camera HTTP/1.1", "Host: \(simulator.host):\(simulator.port)", "Connection: close",
            "Content-Length: \(body.utf8.count)", "", body,
        ]
        let connection = try RawConnection(host: simulator.host, port: simulator.port)
        try connection.send(Array(head.joined(separator: "\r\n").utf8))
        let bytes = Data(try connection.receiveAll(atMost: 1 << 20))
        let end = try #require(bytes.range(of: Data("\r\n\r\n".utf8)))
        let value = try JSONSerialization.jsonObject(with: bytes[end.upperBound...])
        return try #require(value as? [String: Any])
    }

    @Test(arguments: ["a6000", "a5000", "rx100m4"])
    func `a foreign client sets a speed, fires a frame and fetches its picture`(model: String) throws {
        let simulator = try simulator("127.0.0.1", "--model", model, "--save-time", "10ms", "--log")
        if model != "rx100m4" { #expect(try call(simulator, "startRecMode")["result"] as? [Int] == [0]) }
        #expect(try call(simulator, "setShutterSpeed", "[\"1/60\"]")["result"] as? [Int] == [0])
        try simulator.waitForLog("speed is 1/60")
        let urls = try #require(try call(simulator, "actTakePicture")["result"] as? [[String]])
        let url = try #require(urls.first?.first.flatMap { URL(string: $0) })
        #expect(url.host() == "127.0.0.1" && url.port == Int(simulator.port))
        let path = url.path() + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
        let connection = try RawConnection(host: simulator.host, port: simulator.port)
        try connection.send(Array("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".utf8))
        let bytes = Data(try connection.receiveAll(atMost: 1 << 20))
        let end = try #require(bytes.range(of: Data("\r\n\r\n".utf8)))
        #expect(bytes[end.upperBound...].starts(with: [0xFF, 0xD8]))
        #expect(simulator.end(by: SIGTERM).status == 0)
    }

    @Test func `a picture of real size arrives whole before the connection is closed`() throws {
        let simulator = try simulator("127.0.0.1", "--picture-size", "9000000", "--save-time", "10ms", "--log")
        #expect(try call(simulator, "startRecMode")["result"] as? [Int] == [0])
        #expect(try call(simulator, "setPostviewImageSize", "[\"Original\"]")["result"] as? [Int] == [0])
        let urls = try #require(try call(simulator, "actTakePicture")["result"] as? [[String]])
        let url = try #require(urls.first?.first.flatMap { URL(string: $0) })
        let connection = try RawConnection(host: simulator.host, port: simulator.port)
        try connection.send(Array("GET \(url.path()) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".utf8))
        // More than the kernel's buffers take at once.
        let bytes = Data(try connection.receiveAll(atMost: 1 << 25))
        let end = try #require(bytes.range(of: Data("\r\n\r\n".utf8)))
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let count = bytes[end.upperBound...].count
        #expect(count > 8_000_000 && head.contains("Content-Length: \(count)"), "\(head) \(count)")
    }

    @Test func `a body is found by SSDP, and its description names the port on which it listens`() throws {
        let simulator = try simulator("127.21.9.2", "--serial", "http9", announced: true)
        let model = try #require(SonyHTTPModel.a6000.identified(as: "http9"))
        let target = "urn:schemas-sony-com:service:ScalarWebAPI:1"
        let name = String(model.udn.dropFirst("uuid:".count))
        let answers = try Searcher().search(target, for: name, count: 1)
        let port = try #require(simulator.descriptionPort)
        #expect(answers.first?.place == "127.21.9.2:\(port)")
        let (_, body) = try fetch("/dd.xml", host: simulator.host, port: port)
        let text = String(decoding: body, as: UTF8.self)
        #expect(text.contains("http://127.21.9.2:\(simulator.port)/sony<") && text.contains(model.udn))
    }

    @Test func `a body in its menu for pictures announces its own port, and starts a transfer`() throws {
        let listener = try SimulatorProcess.run(["sony-http", "--selected-pictures", "0"])
        #expect(listener.status == 64 && listener.errors.contains("--selected-pictures 0 is not a number"))
        let simulator = try simulator("127.21.9.3", "--selected-pictures", "2", announced: true)
        #expect(simulator.descriptionPort == simulator.port)
        let connection = try RawConnection(host: simulator.host, port: simulator.port)
        let action = "urn:schemas-sony-com:service:XPushList:1#X_TransferStart"
        let head = [
            "POST /upnp/control/XPushList HTTP/1.1", "Host: \(simulator.host):\(simulator.port)", "Connection: close",
            "SOAPAction: \"\(action)\"", "Content-Length: 0", "", "",
        ]
        try connection.send(Array(head.joined(separator: "\r\n").utf8))
        let reply = String(decoding: try connection.receiveAll(atMost: 1 << 16), as: UTF8.self)
        #expect(reply.hasPrefix("HTTP/1.1 200 OK") && reply.contains("X_TransferStartResponse"))
    }

    @Test func `the usual port is that of the model, and a fault of another maker is refused`() throws {
        for (arguments, text) in [
            (["--fault", "init-fail=busy"], "only bodies of sony, canon and nikon have this fault"),
            (["--fault", "bad-reply=odd"], "the names are no-json"), (["--model", "ilce-7m4"], "a6000, a5000"),
            (["--save-target", "host"], "--save-target cannot be used: a body with HTTP"),
            (["--slot-hold", "1s"], "--slot-hold cannot be used: a body with HTTP"),
        ] {
            let result = try SimulatorProcess.run(["sony-http"] + arguments)
            #expect(result.status == 64 && result.errors.contains(text), "\(result.errors)")
        }
        let help = try SimulatorProcess.run(["sony-http", "--help"])
        #expect(help.output.contains("the usual port of the model") && !help.output.contains("init-fail"))
        #expect(!help.output.contains("--save-target") && !help.output.contains("--slot-hold"))
    }
}
