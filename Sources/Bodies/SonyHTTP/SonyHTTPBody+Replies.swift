import Cameras
import JSON
import NIOCore
import PTP

/// The replies to calls, with the faults of their form.
extension SonyHTTPBody {
    func has(_ trait: Fault.SonyHTTPTrait) -> Bool { faults.first { $0 == .sonyHTTP(trait) ? true : nil } ?? false }

    mutating func reply(_ result: [JSONValue], to waiter: Waiter, at now: Duration) {
        let member = waiter.call.method == "getMethodTypes" ? "results" : "result"
        send(member, .array(result), to: waiter, at: now)
    }

    mutating func reply(_ failure: SonyHTTPFailure, to waiter: Waiter, at now: Duration) {
        let text = has(.withoutTexts) ? "" : failure.text
        outputs.append(.log("\(waiter.call.method): error \(failure.code) \(failure.text)"))
        send("error", [.int(failure.code), .string(text)], to: waiter, at: now)
    }

    private mutating func send(_ member: String, _ value: JSONValue, to waiter: Waiter, at now: Duration) {
        let damage = faults.take { if case .damagedReply(let damage, _) = $0 { damage } else { nil } }
        let id = waiter.call.id
        guard let damage else {
            return send(text(member, value, id: id), on: waiter.id)
        }
        outputs.append(.log("fault: the reply to \(waiter.call.method) is \(damage.rawValue)"))
        switch damage {
        case .notJSON: send(Array("<html>busy</html>".utf8), on: waiter.id)
        case .otherID: send(text(member, value, id: id % 1_000 + 1_000), on: waiter.id)
        case .huge:
            let filler = JSONValue.string(String(repeating: "x", count: Self.hugeByteCount))
            send(text(member, [value, filler], id: id), on: waiter.id)
        case .deep:
            let brackets = String(repeating: "[", count: Self.deepLevelCount)
            let closing = String(repeating: "]", count: Self.deepLevelCount)
            send(Array("{\"id\":\(id),\"\(member)\":\(brackets)\(closing)}".utf8), on: waiter.id)
        case .numbers: send(text(member, [.double(1e300), .int(Int.max), .int(Int.min)], id: id), on: waiter.id)
        case .slow:
            let bytes = ByteBuffer(bytes: text(member, value, id: id))
            let length = HTTPHeader("Content-Length", "\(bytes.readableBytes)")
            outputs.append(.begin(waiter.id, HTTPHead(status: 200, headers: Self.headers + [length])))
            trickle(bytes, on: waiter.id, at: now)
        case .redirect:
            let place = HTTPHeader("Location", "http://\(Self.foreignHost)\(Self.root)/\(waiter.call.service)")
            outputs.append(.reply(waiter.id, HTTPReply(HTTPHead(status: 302, headers: [place]))))
        }
    }

    /// The sizes of damaged replies.
    private static let hugeByteCount = 10 << 20
    private static let deepLevelCount = 10_000
    /// Another host; no host has this address (RFC 5737).
    static let foreignHost = "198.51.100.1:8080"

    /// Sends a byte, and plans the rest.
    mutating func trickle(_ bytes: ByteBuffer, on id: ConnectionID, at now: Duration) {
        var bytes = bytes
        guard let first = bytes.readSlice(length: 1) else { return outputs.append(.end(id)) }
        outputs.append(.piece(id, first))
        schedule.plan(.trickle(id, bytes), at: now + .seconds(1))
    }

    static let headers = [HTTPHeader("Content-Type", "application/json")]

    private func text(_ member: String, _ value: JSONValue, id: Int) -> [UInt8] {
        var text = value.encoded()
        // Only texts contain slashes. Real bodies write them so (sony_camera_api).
        if !has(.plainSlashes) {
            text = text.flatMap { $0 == UInt8(ascii: "/") ? [UInt8(ascii: "\\"), $0] : [$0] }
        }
        let number = "\"id\":\(id)"
        return has(.resultFirst)
            ? Array("{\"\(member)\":".utf8) + text + Array(",\(number)}".utf8)
            : Array("{\(number),\"\(member)\":".utf8) + text + Array("}".utf8)
    }

    private mutating func send(_ bytes: [UInt8], on id: ConnectionID) {
        let head = HTTPHead(status: 200, headers: Self.headers + closing)
        var rest = ByteBuffer(bytes: bytes)
        guard model.sendsChunks else { return outputs.append(.reply(id, HTTPReply(head, body: rest))) }
        outputs.append(.begin(id, head))
        // Chunks of different sizes, so that a reader meets their boundaries anywhere.
        var size = 17
        while let chunk = rest.readSlice(length: min(size, rest.readableBytes)), chunk.readableBytes > 0 {
            outputs.append(.piece(id, chunk))
            size = min(size * 3, 64 << 10)
        }
        outputs.append(.end(id))
    }

    /// The header of a body that closes the connection after each reply.
    var closing: [HTTPHeader] { has(.closesConnections) ? [HTTPHeader("Connection", "close")] : [] }

    mutating func refuse(_ status: UInt16, on id: ConnectionID) {
        outputs.append(.reply(id, HTTPReply(HTTPHead(status: status, headers: closing))))
    }
}
