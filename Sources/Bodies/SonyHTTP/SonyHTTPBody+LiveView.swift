import Cameras
import JSON
import NIOCore
import PTP

/// Live view: a stream of JPEGs without an end. One client can read it.
extension SonyHTTPBody {
    /// The stream in progress.
    struct LiveView: Sendable {
        let id: ConnectionID
        let since: Duration
        var sequence: UInt16 = 0
        var eye = LiveViewEye()
    }

    /// The time between two pictures (SR).
    private static let frameInterval = Duration.milliseconds(33)

    mutating func startLiveView(on id: ConnectionID, at now: Duration) {
        guard isLiveViewOn else { return refuse(404, on: id) }
        endLiveView()
        liveView = LiveView(id: id, since: now)
        let type = HTTPHeader("Content-Type", "application/octet-stream")
        outputs.append(.begin(id, HTTPHead(status: 200, headers: [type])))
        schedule.plan(.liveViewFrame, at: now)
    }

    mutating func endLiveView() {
        schedule.cancel { $0 == .liveViewFrame }
        if let liveView { outputs.append(.end(liveView.id)) }
        liveView = nil
    }

    /// Sends the next picture. The stream stands still while the body works on a picture.
    mutating func sendLiveViewFrame(at now: Duration) {
        guard var stream = liveView else { return }
        if shutter == .ready {
            let milliseconds = UInt32(truncatingIfNeeded: DurationText.milliseconds(now - stream.since))
            let frame = CardFrame(
                number: 0,
                speed: speed.ofBody,
                at: now,
                exposure: speed.exposureTime ?? .seconds(1),
                settings: frameSettings(at: speed)
            )
            let jpeg = stream.eye.picture(of: frame, options.scene).jpeg
            outputs.append(
                .piece(stream.id, Self.packet(.picture(jpeg), number: stream.sequence, milliseconds: milliseconds))
            )
            stream.sequence &+= 1
            if hasFrameInfo {
                let packet = Self.packet(.focusFrame, number: stream.sequence, milliseconds: milliseconds)
                outputs.append(.piece(stream.id, packet))
                stream.sequence &+= 1
            }
        }
        liveView = stream
        schedule.plan(.liveViewFrame, at: now + Self.frameInterval)
    }

    /// The content of a packet of the stream.
    package enum LiveViewPayload: Sendable {
        case picture(ByteBuffer)
        /// One focus frame in the middle, by contrast, in focus.
        case focusFrame
    }

    /// A packet: 8 bytes common header, 128 bytes payload header, payload, padding; all numbers big-endian (API
    /// Reference v2.40, pysony).
    package static func packet(_ payload: LiveViewPayload, number: UInt16, milliseconds: UInt32) -> ByteBuffer {
        let bytes: ByteBuffer
        let type: UInt8
        /// The size of the padding, and the fields of the type.
        let rest: [UInt8]
        switch payload {
        case .picture(let picture):
            (bytes, type) = (picture, 1)
            // Padding to a multiple of 8 bytes.
            rest = [UInt8((8 - picture.readableBytes % 8) % 8)]
        case .focusFrame:
            (bytes, type) = (ByteBuffer(bytes: Self.focusFrame), 2)
            // No padding, version 1.0, one frame of 16 bytes.
            rest = [0, 1, 0, 0, 1, 0, 16]
        }
        var packet = ByteBuffer(bytes: [0xFF, type])
        packet.writeMultipleIntegers(number, milliseconds, endianness: .big)
        packet.writeBytes([0x24, 0x35, 0x68, 0x79])
        let size = UInt32(bytes.readableBytes)
        packet.writeBytes([UInt8(size >> 16 & 0xFF), UInt8(size >> 8 & 0xFF), UInt8(size & 0xFF)])
        packet.writeBytes(rest)
        packet.writeRepeatingByte(0, count: headerByteCount - packet.readableBytes)
        packet.writeImmutableBuffer(bytes)
        packet.writeRepeatingByte(0, count: Int(rest[0]))
        return packet
    }

    private static let headerByteCount = 136
    private static let focusFrame: [UInt8] = [
        0x0F, 0xA0, 0x0F, 0xA0, 0x17, 0x70, 0x17, 0x70, 1, 4, 0, 0, 0, 0, 0, 0,
    ]

    // MARK: Calls

    /// The calls that are neither about the shutter nor about a setting.
    mutating func performOther(_ waiter: Waiter, at now: Duration) {
        let params = waiter.call.params
        switch waiter.call.method {
        case "setCameraFunction": setFunction(waiter, at: now)
        case "getCameraFunction": reply([.string(functionName)], to: waiter, at: now)
        case "getAvailableCameraFunction":
            reply([.string(functionName), .strings(model.functions)], to: waiter, at: now)
        case "startLiveview", "startLiveviewWithSize":
            guard params.isEmpty || params == ["M"] || params == ["L"] else {
                return reply(.illegalArgument, to: waiter, at: now)
            }
            let size = params.first?.stringValue ?? "M"
            guard !isLiveViewOn || size == liveViewSize else {
                return reply(.otherSize(size, running: liveViewSize), to: waiter, at: now)
            }
            (isLiveViewOn, liveViewSize) = (true, size)
            note("liveviewStatus")
            reply([.string("http://\(authority)\(Self.liveViewPath)")], to: waiter, at: now)
        case "stopLiveview":
            isLiveViewOn = false
            endLiveView()
            note("liveviewStatus")
            reply([0], to: waiter, at: now)
        case "getLiveviewSize": reply([.string(liveViewSize)], to: waiter, at: now)
        case "getAvailableLiveviewSize": reply([.string(liveViewSize), ["L", "M"]], to: waiter, at: now)
        case "getSupportedLiveviewSize": reply([["L", "M"]], to: waiter, at: now)
        case "setLiveviewFrameInfo":
            hasFrameInfo = params.first?["frameInfo"]?.boolValue ?? false
            reply([], to: waiter, at: now)
        case "getLiveviewFrameInfo": reply([["frameInfo": .bool(hasFrameInfo)]], to: waiter, at: now)
        case "setTouchAFPosition":
            reply([0, ["AFResult": true, "AFType": "Touch"]], to: waiter, at: now)
        case "getTouchAFPosition": reply([["set": false, "touchCoordinates": []]], to: waiter, at: now)
        case "cancelTouchAFPosition": reply([], to: waiter, at: now)
        case "actZoom": reply([0], to: waiter, at: now)
        default: reply(.noSuchMethod, to: waiter, at: now)
        }
    }

    private var functionName: String { function == .contents ? "Contents Transfer" : "Remote Shooting" }
}
