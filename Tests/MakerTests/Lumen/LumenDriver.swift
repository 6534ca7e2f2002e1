import Cameras
import Exposure
import NIOCore

extension CameraProtocol {
    static let lumen = CameraProtocol(rawValue: "lumen")
}

/// The driver for Lumen bodies: calls, one long poll for events, and pictures as streams.
struct LumenDriver: Camera {
    /// The purpose of a request.
    private enum Purpose: Equatable {
        case open, close, poll
        case read(Ticket?)
        case set(Ticket)
        case shutter(Ticket, ShutterSpeed)
        case picture(LumenPicture, PictureID)
        /// The request delivers the bytes of a picture.
        case stream(LumenPicture, PictureID)
    }

    private enum Phase: Equatable {
        case apart
        case opening(Ticket)
        /// The session is open, and the first reading is still missing.
        case handshake(Ticket)
        case open
        case closing(Ticket)
    }

    /// The state for which the last command waits.
    private enum Wait: Equatable {
        case nothing
        case speed(Ticket)
        /// The body accepted the press of this shot.
        case shot(Ticket, number: Int, isReported: Bool)
        case idle(Ticket)
        case resolution(Ticket, shotsLeftBefore: Int?)
    }

    private static let callTime = Duration.seconds(5)
    private static let pictureTime = Duration.seconds(60)
    private static let pictureBytesMax = 64 << 20

    private var phase = Phase.apart
    private var wait = Wait.nothing
    private var address = CameraAddress(host: "")
    /// The path of the body's service.
    private var root = ""
    private var requests: [HTTPRequestID: Purpose] = [:]
    private var lastRequest: UInt32 = 0
    private var sheet = LumenSheet()
    private var identity = CameraIdentity.unknown
    private var reported: CameraStatus?
    private var wanted = PictureRequest(policy: .none)
    private var lastPicture: UInt32 = 0
    /// The command of each shot. The key is the body's number of the shot.
    private var shots: [Int: Ticket] = [:]
    /// The pictures that were delivered or skipped.
    private var handled: [String] = []
    private static let handledMax = 256

    var nextDeadline: Duration? { nil }

    mutating func advance(to now: Duration, into actions: inout [CameraAction]) {}

    mutating func receive(_ event: LinkEvent, at now: Duration, into actions: inout [CameraAction]) {}

    mutating func takeRecordableParts() -> [Range<Int>] { [] }

    // MARK: Commands

    mutating func perform(
        _ command: CameraCommand,
        ticket: Ticket,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        switch command {
        case .keepPictures(let request):
            wanted = request
            return fetchPictures(into: &actions)
        case .connect(let address, _, let path, _):
            cancelAll(into: &actions)
            (self.address, root) = (address, path)
            (phase, wait, reported, sheet) = (.opening(ticket), .nothing, nil, LumenSheet())
            return ask(.open, .post, "/v1/session", into: &actions)
        case .disconnect where phase != .apart:
            phase = .closing(ticket)
            return ask(.close, .delete, "/v1/session", timeout: .seconds(2), into: &actions)
        case .disconnect, .abandon:
            cancelAll(into: &actions)
            phase = .apart
            return actions.append(.report(.disconnected, ticket: ticket))
        default: break
        }
        guard phase == .open else { return actions.append(.report(.lost(.notConnected), ticket: ticket)) }
        wait = .nothing
        perform(command, ticket, into: &actions)
    }

    private mutating func perform(_ command: CameraCommand, _ ticket: Ticket, into actions: inout [CameraAction]) {
        switch command {
        case .readStatus: ask(.read(ticket), .get, "/v1/camera", into: &actions)
        case .setSpeed(let speed):
            let body = "\(Lumen.microseconds(speed))"
            ask(.set(ticket), .put, "/v1/exposure", body: body, into: &actions)
        case .readSpeed:
            wait = .speed(ticket)
            ask(.read(nil), .get, "/v1/camera", into: &actions)
        case .capture(let speed):
            guard shown == .speed(speed) else {
                return actions.append(.report(.failed(.speedChanged(found: shown)), ticket: ticket))
            }
            let body = "\(Lumen.microseconds(speed))"
            ask(.shutter(ticket, speed), .post, "/v1/shutter", body: body, into: &actions)
        case .awaitIdle:
            wait = .idle(ticket)
            judge(into: &actions)
        case .resolveCapture(let shotsLeft):
            wait = .resolution(ticket, shotsLeftBefore: shotsLeft)
            judge(into: &actions)
        case .setProperty(let property, _):
            actions.append(.report(.failed(.propertyUnknown(property)), ticket: ticket))
        case .files: actions.append(.report(.failed(.other("Lumen lists no files.")), ticket: ticket))
        case .liveView: actions.append(.report(.failed(.other("Lumen shows no live view.")), ticket: ticket))
        case .connect, .keepPictures, .disconnect, .abandon: break
        }
    }

    // MARK: Requests

    private mutating func ask(
        _ purpose: Purpose,
        _ method: HTTPRequest.Method,
        _ path: String,
        body: String = "",
        timeout: Duration = Self.callTime,
        into actions: inout [CameraAction]
    ) {
        lastRequest += 1
        let id = HTTPRequestID(rawValue: lastRequest)
        requests[id] = purpose
        var request = HTTPRequest(
            method,
            address,
            path: root + path,
            headers: [HTTPHeader("Call", "\(lastRequest)")],
            body: ByteBuffer(string: body),
            replyBytesMax: LumenSheet.byteCountMax,
            timeout: timeout
        )
        if case .picture = purpose {
            request.delivery = .pieces
            request.isPicture = true
            request.replyBytesMax = Self.pictureBytesMax
        }
        actions.append(.http(id, .perform(request)))
    }

    private mutating func poll(into actions: inout [CameraAction]) {
        guard !requests.values.contains(.poll) else { return }
        let path = "/v1/events?after=\(sheet.number("seq") ?? 0)"
        ask(.poll, .get, path, timeout: Lumen.pollTime + .seconds(10), into: &actions)
    }

    private mutating func cancelAll(into actions: inout [CameraAction]) {
        for id in requests.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            if case .stream(let picture, let number) = requests[id] {
                actions.append(.picture(number, .abandoned))
                handled.removeAll { $0 == picture.name }
            }
            actions.append(.http(id, .cancel))
        }
        requests.removeAll()
    }

    // MARK: Replies

    mutating func receive(
        _ event: HTTPEvent,
        of id: HTTPRequestID,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        guard let purpose = requests[id] else { return }
        if event.isLast { requests[id] = nil }
        switch (purpose, event) {
        case (.picture(let picture, let number), .head(let head)) where head.status == 200:
            requests[id] = .stream(picture, number)
            actions.append(.picture(number, .begin(info(of: picture), offset: 0)))
        case (.picture(let picture, _), .head(let head)):
            actions.append(.note("\(picture.name) is not there: status \(head.status)"))
        case (.stream(_, let number), .body(let bytes)): actions.append(.picture(number, .bytes(bytes)))
        case (.stream(_, let number), .end): actions.append(.picture(number, .end))
        case (.stream(let picture, let number), .failed):
            actions.append(.picture(number, .abandoned))
            handled.removeAll { $0 == picture.name }
        case (.picture(let picture, _), .failed): handled.removeAll { $0 == picture.name }
        case (.picture, _), (.stream, _): break
        case _ where isClosing && purpose != .close: break
        case (_, .reply(let reply)): receive(reply, for: purpose, into: &actions)
        case (_, .failed(let failure)): fail(failure, of: purpose, into: &actions)
        case (_, .head), (_, .body), (_, .end): break
        }
    }

    private mutating func receive(_ reply: HTTPReply, for purpose: Purpose, into actions: inout [CameraAction]) {
        let status = reply.head.status
        switch purpose {
        case .open:
            guard case .opening(let ticket) = phase else { return }
            guard status == 200 else {
                phase = .apart
                let refusal = status == 423 ? Refusal.inUse : .protocolError("The camera answered \(status).")
                return actions.append(.report(.refused(refusal), ticket: ticket))
            }
            phase = .handshake(ticket)
            ask(.read(ticket), .get, "/v1/camera", into: &actions)
        case .close: finishClosing(into: &actions)
        case .read(let ticket):
            guard status == 200 else { return lose(.protocolError("status \(status)"), into: &actions) }
            adopt(LumenSheet(reply.body), for: ticket, into: &actions)
        case .poll:
            if status == 200 { adopt(LumenSheet(reply.body), for: nil, into: &actions) }
            guard status == 200 || status == 204 else { return lose(.closedByCamera, into: &actions) }
            if phase == .open { poll(into: &actions) }
        case .set(let ticket): actions.append(.report(answer(to: status, "PUT exposure"), ticket: ticket))
        case .shutter(let ticket, _):
            guard status == 202, let number = LumenSheet(reply.body).number("shot") else {
                return actions.append(.report(answer(to: status, "POST shutter"), ticket: ticket))
            }
            shots[number] = ticket
            wait = .shot(ticket, number: number, isReported: false)
            actions.append(.report(.shutterReleased, ticket: ticket))
            judge(into: &actions)
        case .picture, .stream: break
        }
    }

    private func answer(to status: UInt16, _ operation: String) -> CameraEvent {
        switch status {
        case 204: .speedAccepted
        case 409: .busy
        case 412: .failed(.speedChanged(found: shown))
        case 403: .failed(.speedNotWritable)
        case 507: .failed(.storageFull)
        default: .failed(.refused(operation: operation, code: status, name: "status \(status)"))
        }
    }

    private mutating func fail(_ failure: HTTPFailure, of purpose: Purpose, into actions: inout [CameraAction]) {
        switch (purpose, failure) {
        case (.close, _): finishClosing(into: &actions)
        case (.open, .notConnected(_, let reason)): lose(.cannotConnect(reason), into: &actions)
        case (_, .timedOut(let time)): lose(.silent(after: time, during: "a call"), into: &actions)
        case (_, .closed): lose(.closedByCamera, into: &actions)
        default: lose(.reset("\(failure)"), into: &actions)
        }
    }

    private var isClosing: Bool { if case .closing = phase { true } else { false } }

    private mutating func finishClosing(into actions: inout [CameraAction]) {
        guard case .closing(let ticket) = phase else { return }
        cancelAll(into: &actions)
        phase = .apart
        actions.append(.report(.disconnected, ticket: ticket))
    }

    private mutating func lose(_ reason: LossReason, into actions: inout [CameraAction]) {
        guard phase != .apart else { return }
        cancelAll(into: &actions)
        (phase, wait) = (.apart, .nothing)
        actions.append(.report(.lost(reason), ticket: nil))
    }

    // MARK: Readings

    private var shown: SpeedReading {
        guard let time = sheet.number("exposure") else { return .other(sheet["exposure"] ?? "nothing") }
        return Lumen.speed(time).map { .speed($0) } ?? .other("\(time) µs")
    }

    private var status: CameraStatus {
        let offered = (sheet["exposures"] ?? "").split(separator: ",").compactMap { Int($0).flatMap(Lumen.speed) }
        let mode: ExposureMode = sheet["mode"] == "M" ? .manual : .other(sheet["mode"] ?? "unknown")
        return CameraStatus(
            mode: mode,
            speeds: offered.sorted(),
            speed: shown,
            speedIsWritable: mode == .manual,
            batteryPercent: sheet.number("battery"),
            shotsLeft: sheet.number("left"),
            noiseReduction: .off,
            focusMode: "MF",
            isManualFocus: true,
            saveTarget: "card",
            fileKinds: [.jpeg]
        )
    }

    private mutating func adopt(_ news: LumenSheet, for ticket: Ticket?, into actions: inout [CameraAction]) {
        // The replies to a call and to the poll can arrive in the wrong order. The older reading is ignored.
        guard news.number("seq") ?? 0 >= sheet.number("seq") ?? 0 || phase != .open else { return }
        sheet = news
        if case .handshake(let ticket) = phase {
            let serial = news["serial"] ?? ""
            identity = CameraIdentity(
                maker: "Lumen",
                model: news["model"] ?? "",
                firmware: news["firmware"] ?? "",
                serial: serial,
                id: "lumen:\(serial)"
            )
            phase = .open
            actions.append(.report(.prepared(identity), ticket: ticket))
            reported = status
            actions.append(.report(.status(status), ticket: ticket))
            poll(into: &actions)
        } else if ticket != nil || status != reported {
            reported = status
            actions.append(.report(.status(status), ticket: ticket))
        }
        if case .speed(let ticket) = wait { actions.append(.report(.speedRead(shown), ticket: ticket)) }
        judge(into: &actions)
        fetchPictures(into: &actions)
    }

    /// Ends the last command if the body has reached the state for which the command waits.
    private mutating func judge(into actions: inout [CameraAction]) {
        let isReady = sheet["state"] == "ready"
        switch wait {
        case .nothing, .speed: break
        case .shot(let ticket, let number, false) where number <= sheet.number("taken") ?? 0:
            wait = .shot(ticket, number: number, isReported: true)
            actions.append(.report(.captured, ticket: ticket))
        case .shot: break
        case .idle(let ticket):
            guard isReady else { return actions.append(.report(.saving, ticket: ticket)) }
            wait = .nothing
            actions.append(.report(.idle, ticket: ticket))
        case .resolution(let ticket, let before):
            guard isReady else { return }
            wait = .nothing
            let resolution = before.flatMap { before in
                sheet.number("left").map { $0 < before ? CaptureResolution.fired : .notFired }
            }
            actions.append(.report(.captureResolved(resolution ?? .unknown), ticket: ticket))
        }
    }

    // MARK: Pictures

    private mutating func fetchPictures(into actions: inout [CameraAction]) {
        guard phase == .open, wanted.policy != .none else { return }
        for text in (sheet["pictures"] ?? "").split(separator: ",") {
            guard let picture = LumenPicture(text), !handled.contains(picture.name) else { continue }
            handled.append(picture.name)
            if handled.count > Self.handledMax { handled.removeFirst() }
            // A picture of an earlier session is on the card. No frame waits for it.
            guard shots[picture.shot] != nil else { continue }
            lastPicture += 1
            let id = PictureID(rawValue: lastPicture)
            guard wanted.hasRoom else {
                actions.append(.picture(id, .skipped(info(of: picture), .noRoom)))
                continue
            }
            let path = "/v1/pictures/\(picture.name)"
            ask(.picture(picture, id), .get, path, timeout: Self.pictureTime, into: &actions)
        }
    }

    private func info(of picture: LumenPicture) -> PictureInfo {
        PictureInfo(
            name: picture.name,
            kind: .jpeg,
            byteCount: picture.byteCount,
            captureDate: picture.date,
            capture: shots[picture.shot]
        )
    }
}

/// A picture as a body lists it: `name:shot:bytes:date`.
struct LumenPicture: Equatable, Sendable {
    var name: String
    var shot: Int
    var byteCount: UInt64
    var date: String

    init(name: String, shot: Int, byteCount: UInt64, date: String) {
        (self.name, self.shot, self.byteCount, self.date) = (name, shot, byteCount, date)
    }

    init?(_ text: Substring) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, let shot = Int(parts[1]), let count = UInt64(parts[2]) else { return nil }
        self.init(name: parts[0], shot: shot, byteCount: count, date: parts[3])
    }

    var text: String { "\(name):\(shot):\(byteCount):\(date)" }
}
