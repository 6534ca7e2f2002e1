import Cameras
import Exposure
import NIOCore
import PTP

/// The body's answers.
extension HeronMaker {
    mutating func finish(_ result: OperationResult, at now: Duration, into actions: inout [CameraAction]) {
        guard let task else { return }
        self.task = nil
        switch task {
        case .remote(true): setUp(result)
        case .remote(false): break
        case .state: take(result, at: now, into: &actions)
        case .speed: finishSpeed(result, at: now, into: &actions)
        case .shoot: finishShot(result, at: now, into: &actions)
        case .files: takeFiles(result)
        case .info(let handle): takeInfo(handle, result, at: now, into: &actions)
        case .object: finishObject(result, at: now, into: &actions)
        }
    }

    private mutating func setUp(_ result: OperationResult) {
        isRemote = result.code == .ok
        if !isRemote { common.ending = .leave(.refused(.inUse)) }
    }

    private mutating func take(_ result: OperationResult, at now: Duration, into actions: inout [CameraAction]) {
        guard result.isSuccess, let state = HeronState(result.data) else {
            return common.ending = .lose(.protocolError("its state cannot be read"))
        }
        reading = Reading(state: state, at: now, requestedAt: common.transactionSince)
        let status = state.status
        if let ticket = common.connectTicket, let identity = common.identity {
            common.stand(at: now)
            reported = status
            actions.append(.report(.prepared(identity), ticket: ticket))
            actions.append(.report(.properties([state.property]), ticket: nil))
            return actions.append(.report(.status(status), ticket: ticket))
        }
        for ticket in questions { actions.append(.report(.status(status), ticket: ticket)) }
        if status != reported, questions.isEmpty {
            actions.append(.report(.properties([state.property]), ticket: nil))
            actions.append(.report(.status(status), ticket: nil))
        }
        questions = []
        reported = status
        if case .readingSpeed(let ticket, let since) = activity, common.transactionSince >= since,
            let speed = status.speed
        {
            actions.append(.report(.speedRead(speed), ticket: ticket))
        }
    }

    private mutating func finishSpeed(
        _ result: OperationResult,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        guard case .setting(let ticket, let speed, let isProperty, let since, _) = activity else { return }
        activity = .idle
        switch result.code {
        case .ok where isProperty:
            activity = .setting(ticket, speed, isProperty: true, since: since, sentAt: now)
        case .ok: actions.append(.report(.speedAccepted, ticket: ticket))
        case .deviceBusy: actions.append(.report(.busy, ticket: ticket))
        case .invalidDevicePropValue: actions.append(.report(.failed(.speedNotOffered(speed)), ticket: ticket))
        default: actions.append(.report(.failed(.speedNotWritable), ticket: ticket))
        }
    }

    private mutating func finishShot(
        _ result: OperationResult,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        guard case .capturing(let ticket, let speed, let since, _, _) = activity else { return }
        guard result.code == .ok else {
            frame = .notPressed
            activity = .idle
            let event: CameraEvent = result.code == .storeFull ? .failed(.storageFull) : .busy
            return actions.append(.report(event, ticket: ticket))
        }
        activity = .capturing(ticket, speed, since: since, isPressed: true, isCaptured: false)
        actions.append(.report(.shutterReleased, ticket: ticket))
    }

    // MARK: Pictures

    private mutating func takeFiles(_ result: OperationResult) {
        reading?.state.newFiles = 0
        var reader = DatasetReader(result.data)
        guard result.isSuccess, let handles = try? reader.array("Files", of: UInt32.self) else { return }
        guard common.pictures.request.policy != .none else { return }
        var capture: Ticket?
        if case .pressed(let ticket, _, _, _, _) = frame { capture = ticket }
        waiting += handles.suffix(Self.filesMax).map { ($0, $0 == handles.last ? capture : nil) }
    }

    private static let filesMax = 100

    private mutating func takeInfo(
        _ handle: UInt32,
        _ result: OperationResult,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        guard let next = waiting.first else { return }
        guard result.isSuccess, let file = try? ObjectInfo(decoding: result.data) else {
            waiting.removeFirst()
            return
        }
        let info = PictureInfo(
            name: file.filename,
            kind: .jpeg,
            byteCount: UInt64(file.compressedSize),
            captureDate: file.captureDate,
            capture: next.capture
        )
        guard common.pictures.request.hasRoom else {
            waiting.removeFirst()
            common.pictures.abandon(into: &actions)
            return actions.append(.picture(common.pictures.nextID(), .skipped(info, .noRoom)))
        }
        if common.pictures.current?.isOf(file, bodyID: common.identity?.id) != true {
            common.pictures.abandon(into: &actions)
            _ = common.pictures.order(info, file, bodyID: common.identity?.id)
        }
        fetchNext = handle
    }

    private mutating func finishObject(
        _ result: OperationResult,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        guard let current = common.pictures.current else { return }
        if result.isSuccess, current.isWhole {
            common.pictures.end(into: &actions)
            if !waiting.isEmpty { waiting.removeFirst() }
        } else {
            common.pictures.breakOff(at: now, into: &actions)
            retryAt = now + Self.poll
        }
    }
}

extension HeronState {
    var status: CameraStatus {
        let mode: ExposureMode =
            switch UnicodeScalar(mode) {
            case "M": .manual
            case "S": .shutterPriority
            case "A": .aperturePriority
            case "P": .program
            default: .other("unknown mode")
            }
        return CameraStatus(
            mode: mode,
            speeds: speeds.compactMap(\.speed).sorted(),
            speed: speed.speed.map { .speed($0) },
            speedIsWritable: mode == .manual || mode == .shutterPriority,
            batteryPercent: Int(battery),
            shotsLeft: Int(shotsLeft),
            noiseReduction: .off,
            focusMode: "MF",
            isManualFocus: true,
            iso: "100",
            isISOAuto: false,
            aperture: "f/8.0",
            saveTarget: "card",
            fileKinds: [.jpeg]
        )
    }

    var property: PropertyState {
        let labels = speeds.compactMap(\.speed).map(\.label)
        let isWritable = status.speedIsWritable
        return PropertyState(
            property: .shutterSpeed,
            value: speed.speed?.label,
            choices: isWritable ? labels : [],
            isWritable: isWritable
        )
    }
}
