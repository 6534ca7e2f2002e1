import Cameras
import NIOCore
import PTP
import Testing

/// The events of a driver's pictures, as a receiver of the pictures sees them.
struct PictureLog {
    /// The events as text, without the bytes: `begin 1 at 0`, `end 1`.
    private(set) var lines: [String] = []
    private(set) var infos: [PictureInfo] = []
    /// The file of each picture that ended.
    private(set) var files: [PictureID: ByteBuffer] = [:]
    private(set) var skipped: [PictureInfo] = []
    private var parts: [PictureID: ByteBuffer] = [:]
    private var open: PictureID?

    init<Body>(_ bench: Bench<Body>) {
        for (id, action) in bench.pictures { note(action, id) }
    }

    private mutating func note(_ action: PictureAction, _ id: PictureID) {
        switch action {
        case .begin(let info, let offset):
            #expect(open == nil, "one picture at a time")
            lines.append("begin \(id.rawValue) at \(offset)")
            infos.append(info)
            open = id
            if offset == 0 { parts[id] = ByteBuffer() }
            #expect(UInt64(parts[id]?.readableBytes ?? 0) == offset, "no gap and no byte twice")
        case .bytes(let bytes):
            #expect(open == id)
            #expect(bytes.readableBytes > 0)
            parts[id]?.writeImmutableBuffer(bytes)
        case .end:
            #expect(open == id)
            lines.append("end \(id.rawValue)")
            files[id] = parts.removeValue(forKey: id)
            open = nil
        case .interrupted:
            #expect(open == id)
            lines.append("interrupted \(id.rawValue)")
            open = nil
        case .abandoned:
            #expect(parts[id] != nil, "only a picture that began is abandoned, and once")
            parts[id] = nil
            lines.append("abandoned \(id.rawValue)")
            open = nil
        case .skipped(let info, let reason):
            #expect(open == nil)
            lines.append("skipped \(info.name) \(reason)")
            skipped.append(info)
        }
    }

    subscript(number: UInt32) -> ByteBuffer? { files[PictureID(rawValue: number)] }
}

extension ObjectInfo {
    /// The description of a file, as a body sends it.
    static func file(_ name: String, format: UInt16 = 0x3801, size: UInt32 = 1000, date: String = "") -> ObjectInfo {
        var info = ObjectInfo()
        info.filename = name
        info.format = format
        info.compressedSize = size
        info.captureDate = date
        return info
    }
}

extension DriverBench {
    var log: PictureLog { PictureLog(self) }

    /// The transfers that were requested, with the offset of a part.
    var fetches: [String] {
        requests.compactMap { request in
            switch request.request.code {
            case .getObject: "whole"
            case .getPartialObject: "from \(request.request.parameters[1]), \(request.request.parameters[2])"
            default: nil
            }
        }
    }

    /// A bench that keeps pictures.
    static func keeping(
        _ policy: TransferPolicy,
        _ change: (inout ScriptedBody) -> Void = { _ in }
    ) throws -> DriverBench {
        let bench = try DriverBench.showing(.named("1/60"), change)
        bench.perform(.keepPictures(PictureRequest(policy: policy)))
        return bench
    }

    /// Fires a frame to its end.
    func shoot() throws -> (ticket: Ticket, events: [CameraEvent]) {
        let ticket = perform(.capture(try .named("1/60")))
        return (ticket, finish(ticket))
    }

    /// Notifies the driver of a file that the test put into the body.
    func announceFile() {
        let event = PTPEvent(code: .sonyObjectAdded, parameters: [SonyObjectHandle.shotImage])
        receive(.received(.event, PTPIPPacket.event(event).encoded()))
    }
}
