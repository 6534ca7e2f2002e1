import NIOCore
import PTP

extension SonyPTPIP {
    func decide(_ handshake: SonyHandshake, at now: Duration) -> SonyMove {
        if now < handshake.notBefore { return .wait(until: handshake.notBefore) }
        return switch handshake.step {
        case .openSession(let id): .perform(.openSession(id: id))
        case .getDeviceInfo: .perform(.getDeviceInfo)
        case .connect(let phase): .perform(.connect(phase: phase))
        case .getExtDeviceInfo: .perform(.getExtDeviceInfo)
        case .firstReading, .readingAfterPriority: .perform(.reading)
        case .takePriority: .perform(.positionKey(1))
        }
    }

    mutating func finish(
        _ errand: SonyErrand,
        _ result: OperationResult,
        _ handshake: SonyHandshake,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        var next = handshake
        if result.code == .deviceBusy {
            return tryAgain(next, timing.handshakePause, timing.handshakeAttemptMax, errand, result, at: now, &actions)
        }
        switch errand {
        case .openSession(let id):
            finishOpenSession(id, result, next, at: now, into: &actions)
        case .getDeviceInfo:
            finishDeviceInfo(result, next, at: now, into: &actions)
        case .connect(let phase):
            guard result.code == .ok else { return refuse(errand, result, next, at: now, into: &actions) }
            next.go(to: phase == 1 ? .connect(phase: 2) : phase == 2 ? .getExtDeviceInfo : .firstReading)
            self.phase = .connecting(next)
        case .getExtDeviceInfo:
            finishExtDeviceInfo(result, next, at: now, into: &actions)
        case .reading:
            finishHandshakeReading(result, next, at: now, into: &actions)
        case .positionKey:
            noteTakenPriority(result, at: now, into: &actions)
            next.go(to: .readingAfterPriority)
            phase = .connecting(next)
        case .speed, .step, .property, .button, .objectInfo, .object:
            preconditionFailure("not before the session stands")
        }
    }

    private mutating func tryAgain(
        _ handshake: SonyHandshake,
        _ pause: Duration,
        _ attemptMax: Int,
        _ errand: SonyErrand,
        _ result: OperationResult,
        at now: Duration,
        _ actions: inout [CameraAction]
    ) {
        var next = handshake
        next.attempts += 1
        next.notBefore = now + pause
        guard next.attempts < attemptMax else {
            return refuse(errand, result, handshake, at: now, into: &actions)
        }
        phase = .connecting(next)
    }

    private mutating func finishOpenSession(
        _ id: UInt32,
        _ result: OperationResult,
        _ handshake: SonyHandshake,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        var next = handshake
        switch result.code {
        case .ok, .sessionAlreadyOpen:
            next.go(to: .getDeviceInfo)
            phase = .connecting(next)
        case .invalidTransactionID where id < SonyLimits.sessionIDMax:
            next.go(to: .openSession(id: id + 1))
            phase = .connecting(next)
        default:
            refuse(.openSession(id: id), result, next, at: now, into: &actions)
        }
    }

    private mutating func finishDeviceInfo(
        _ result: OperationResult,
        _ handshake: SonyHandshake,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        guard result.isSuccess else { return refuse(.getDeviceInfo, result, handshake, at: now, into: &actions) }
        let info: DeviceInfo
        do throws(DatasetError) {
            info = try DeviceInfo(decoding: result.data)
        } catch {
            let refusal = Refusal.protocolError("The camera's description of itself cannot be read: \(error).")
            return leave(with: .refused(refusal), handshake.ticket, at: now, into: &actions)
        }
        // The vendor extension id is not reliable over WiFi; the maker's name is (libgphoto2 library.c).
        guard info.manufacturer.lowercased().contains("sony") else {
            let name = "\(info.manufacturer) \(info.model)"
            let refusal = Refusal.unsupported("The \(name) is not a Sony camera, and only those can be driven yet.")
            return leave(with: .refused(refusal), handshake.ticket, at: now, into: &actions)
        }
        adopt(info, into: &actions)
        var next = handshake
        next.go(to: .connect(phase: 1))
        phase = .connecting(next)
    }

    private mutating func adopt(_ info: DeviceInfo, into actions: inout [CameraAction]) {
        body.deviceInfo = info
        body.quirks = SonyQuirks(model: info.model)
        for row in SonyQuirks.table where row.models.contains(info.model) {
            actions.append(.note("\(info.model): \(row.quirk); \(row.source)"))
        }
        let guid = session.acknowledgement.map { "\($0.guid)" } ?? ""
        // A serial number of zeros alone names no body.
        let isSerialUseful = info.serialNumber.contains { $0 != "0" }
        let identity = CameraIdentity(
            maker: info.manufacturer,
            model: info.model,
            firmware: info.deviceVersion,
            serial: info.serialNumber,
            id: isSerialUseful ? info.serialNumber : guid
        )
        body.identity = identity
        if positionKeyToRestore?.bodyID != identity.id { positionKeyToRestore = nil }
    }

    private mutating func finishExtDeviceInfo(
        _ result: OperationResult,
        _ handshake: SonyHandshake,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        // Empty while the body is not ready: asked again (libgphoto2 20 times, pysonycam 60 times every 50 ms).
        guard result.isSuccess, result.data.readableBytes > 0 else {
            if result.code != .ok { return refuse(.getExtDeviceInfo, result, handshake, at: now, into: &actions) }
            let (pause, attemptMax) = (timing.extDeviceInfoPause, timing.extDeviceInfoAttemptMax)
            return tryAgain(handshake, pause, attemptMax, .getExtDeviceInfo, result, at: now, &actions)
        }
        let info: SonyExtDeviceInfo
        do throws(DatasetError) {
            info = try SonyExtDeviceInfo(decoding: result.data)
        } catch {
            let refusal = Refusal.protocolError("The camera's list of properties cannot be read: \(error).")
            return leave(with: .refused(refusal), handshake.ticket, at: now, into: &actions)
        }
        guard let version = info.extensionVersion else {
            let refusal = Refusal.unsupported(
                "The \(body.deviceInfo.model) speaks version \(info.version / 100) of Sony's remote control; "
                    + "only version 2 and later can be driven."
            )
            return leave(with: .refused(refusal), handshake.ticket, at: now, into: &actions)
        }
        body.version = version
        body.listed = info
        if version == .version2 { actions.append(.note(info.noteOnSteps)) }
        var next = handshake
        next.go(to: .connect(phase: 3))
        phase = .connecting(next)
    }

    private mutating func finishHandshakeReading(
        _ result: OperationResult,
        _ handshake: SonyHandshake,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        guard let reading = adoptReading(result, at: now, into: &actions) else {
            let (pause, attemptMax) = (timing.bufferPoll, timing.handshakeAttemptMax)
            return tryAgain(handshake, pause, attemptMax, .reading, result, at: now, &actions)
        }
        var next = handshake
        if reading.positionKeyToTake != nil, body.priorityTakenAt == nil {
            next.go(to: .takePriority)
            return phase = .connecting(next)
        }
        let mayStillOpen = handshake.step == .readingAfterPriority && !reading.status.speedIsWritable
        if mayStillOpen, next.attempts + 1 < timing.handshakeAttemptMax {
            next.attempts += 1
            next.notBefore = now + timing.speedPoll
            return phase = .connecting(next)
        }
        stand(reading, handshake.ticket, at: now, into: &actions)
    }

    /// The session stands.
    private mutating func stand(
        _ reading: SonyReading,
        _ ticket: Ticket,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        guard let identity = body.identity else { preconditionFailure("DeviceInfo comes first") }
        phase = .connected
        knownAddress = address
        body.connectedAt = now
        body.hadFilesAtConnect = reading.fileInfo != .empty
        // 0xD222 would say it, if its numbers were certain: two documents disagree about which is the card. So the
        // first frame tells; on a body that keeps its files that costs `fileGrace`, once.
        body.deliversFiles = nil
        body.reported = reading.status
        actions.append(.report(.prepared(identity), ticket: ticket))
        // With the status the controller may go on: by then it has to know all of it.
        reportProperties(into: &actions)
        actions.append(.report(.status(reading.status), ticket: ticket))
    }

    private mutating func refuse(
        _ errand: SonyErrand,
        _ result: OperationResult,
        _ handshake: SonyHandshake,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        let refusal: Refusal =
            switch result.code {
            case .sonyAuthenticationFailed, .deviceBusy:
                .inUse
            case .operationNotSupported:
                .unsupported(
                    "The \(body.deviceInfo.model) does not know \(errand.name): switch its remote shooting on, "
                        + "or it cannot be driven over WiFi."
                )
            default:
                .protocolError(
                    "The camera did not complete \(errand.name): "
                        + (result.code == .ok ? "its answer stayed empty." : "\(result.code.sonyName).")
                )
            }
        leave(with: .refused(refusal), handshake.ticket, at: now, into: &actions)
    }

    /// After 0xD25A was written.
    mutating func noteTakenPriority(
        _ result: OperationResult,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        body.priorityTakenAt = now
        guard result.code == .ok else {
            actions.append(.note("the camera keeps its dials' priority: \(result.code.sonyName)"))
            return
        }
        actions.append(.note("took the priority over the camera's dials, to set the shutter speed"))
        if positionKeyToRestore == nil, let id = body.identity?.id {
            positionKeyToRestore = (id, 0)
        }
    }
}

extension SonyErrand {
    /// The operation's name, for messages.
    var name: String {
        let code: OperationCode =
            switch self {
            case .openSession: .openSession
            case .getDeviceInfo: .getDeviceInfo
            case .connect: .sdioConnect
            case .getExtDeviceInfo: .sdioGetExtDeviceInfo
            case .reading: .sdioGetAllExtDevicePropInfo
            case .positionKey, .speed: .sdioSetExtDevicePropValue
            case .property(let errand): errand.code
            case .button, .step: .sdioControlDevice
            case .objectInfo: .getObjectInfo
            case .object: .getObject
            }
        return code.sonyName
    }
}
