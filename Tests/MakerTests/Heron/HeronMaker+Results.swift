import Cameras
import Exposure
import NIOCore
import PTP

/// Handles the answers of the body.
extension HeronMaker {
    mutating func finish(_ result: OperationResult, in turn: inout DriverTurn) {
        guard let task else { return }
        self.task = nil
        switch task {
        case .remote(true): setUp(result)
        case .remote(false): break
        case .state: take(result, in: &turn)
        case .speed: finishSpeed(result, in: &turn)
        case .shoot: finishShot(result, in: &turn)
        case .files: takeFiles(result)
        case .info(let handle): takeInfo(handle, result, in: &turn)
        case .object: finishObject(result, in: &turn)
        }
    }

    private mutating func setUp(_ result: OperationResult) {
        isRemote = result.code == .ok
        if !isRemote { common.ending = .close(.refused(.inUse)) }
    }

    private mutating func take(_ result: OperationResult, in turn: inout DriverTurn) {
        guard result.isSuccess, let state = HeronState(result.data) else {
            return common.ending = .lose(.protocolError("its state cannot be read"))
        }
        reading = Reading(state: state, at: turn.now, requestedAt: common.transactionSince)
        let status = state.status
        if let ticket = common.connectTicket, let identity = common.identity {
            common.establish(at: turn.now)
            reported = status
            turn.report(.prepared(identity), ticket)
            turn.report(.properties([state.property]), nil)
            return turn.report(.status(status), ticket)
        }
        for ticket in questions { turn.report(.status(status), ticket) }
        if status != reported, questions.isEmpty {
            turn.report(.properties([state.property]), nil)
            turn.report(.status(status), nil)
        }
        questions = []
        reported = status
        if case .readingSpeed(let ticket, let since) = activity, common.transactionSince >= since,
            let speed = status.speed
        {
            turn.report(.speedRead(speed), ticket)
        }
    }

    private mutating func finishSpeed(_ result: OperationResult, in turn: inout DriverTurn) {
        guard case .setting(let ticket, let speed, let isProperty, let since, _) = activity else { return }
        activity = .idle
        switch result.code {
        case .ok where isProperty:
            activity = .setting(ticket, speed, isProperty: true, since: since, sentAt: turn.now)
        case .ok: turn.report(.speedAccepted, ticket)
        case .deviceBusy: turn.report(.busy, ticket)
        case .invalidDevicePropValue: turn.report(.failed(.speedNotOffered(speed)), ticket)
        default: turn.report(.failed(.speedNotWritable), ticket)
        }
    }

    private mutating func finishShot(_ result: OperationResult, in turn: inout DriverTurn) {
        guard case .capturing(let ticket, let speed, let since, _, _) = activity else { return }
        guard result.code == .ok else {
            frame = .notPressed
            activity = .idle
            let event: CameraEvent = result.code == .storeFull ? .failed(.storageFull) : .busy
            return turn.report(event, ticket)
        }
        activity = .capturing(ticket, speed, since: since, isPressed: true, isCaptured: false)
        turn.report(.shutterReleased, ticket)
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

    private mutating func takeInfo(_ handle: UInt32, _ result: OperationResult, in turn: inout DriverTurn) {
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
            common.pictures.abandon(in: &turn)
            return turn.append(.picture(common.pictures.nextID(), .skipped(info, .noRoom)))
        }
        if common.pictures.current?.isOf(file, bodyID: common.identity?.id) != true {
            common.pictures.abandon(in: &turn)
            _ = common.pictures.order(info, file, bodyID: common.identity?.id)
        }
        fetchNext = handle
    }

    private mutating func finishObject(_ result: OperationResult, in turn: inout DriverTurn) {
        guard let current = common.pictures.current else { return }
        if result.isSuccess, current.isWhole {
            common.pictures.end(in: &turn)
            if !waiting.isEmpty { waiting.removeFirst() }
        } else {
            common.pictures.breakOff(at: turn.now, in: &turn)
            retryAt = turn.now + Self.poll
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
