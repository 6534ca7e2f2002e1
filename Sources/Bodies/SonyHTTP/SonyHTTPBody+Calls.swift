import Cameras
import JSON
import NIOCore
import PTP

/// Requests and calls: which of them the body takes, and when it answers.
extension SonyHTTPBody {
    /// How long a call waits for another one, and a call for a picture for its picture (SR).
    static let callLimit = Duration.seconds(15)
    /// How long a change of the recording mode can take (SR).
    private static let recModeLimit = Duration.seconds(20)

    package mutating func answer(_ request: ServedRequest, on id: ConnectionID, at now: Duration) {
        calledAt = now
        authority = request["Host"] ?? "192.168.122.1:\(model.port)"
        switch request.method {
        case "GET": serve(request, on: id, at: now)
        case "POST" where push != nil: answerPush(request, on: id)
        case "POST": take(request, on: id, at: now)
        default: refuse(405, on: id)
        }
    }

    private mutating func take(_ request: ServedRequest, on id: ConnectionID, at now: Duration) {
        let service = String(request.path.dropFirst(Self.root.count + 1))
        guard request.path.hasPrefix(Self.root + "/"), model.services.contains(service) else {
            return refuse(404, on: id)
        }
        guard request.body.readableBytes <= SonyHTTPRequest.byteCountMax else { return refuse(413, on: id) }
        guard let call = SonyHTTPRequest.read(request.body, service: service) else {
            let empty = SonyHTTPRequest(service: service, method: "", params: [], id: 0, version: "")
            return reply(.illegalRequest, to: Waiter(id: id, call: empty, until: now), at: now)
        }
        outputs.append(.log("\(call.method) #\(call.id)"))
        readings.requestArrived(call.id, isPoll: call.method == "getEvent" && call.params.first == true)
        let waiter = Waiter(id: id, call: call, until: now + Self.callLimit)
        if faults.first({ $0 == .locked(call.method) ? true : nil }) != nil {
            outputs.append(.log("fault: \(call.method) is locked"))
            if SonyHTTPRequest.presses.contains(call.method) { notePress(call, isTaken: false) }
            return refuse(403, on: id)
        }
        if let failure = rejection(of: call) { return reject(waiter, failure, at: now) }
        switch call.method {
        case "getEvent": takePoll(waiter, at: now)
        case "awaitTakePicture": awaitPicture(waiter, at: now)
        case _ where running != nil: queue.append(waiter)
        default: perform(waiter, at: now)
        }
        answerPoll(at: now)
    }

    /// The error of a call that the body rejects at once; nil: it takes the call.
    private mutating func rejection(of call: SonyHTTPRequest) -> SonyHTTPFailure? {
        let rows = methodTypes(of: call.service).filter { $0.name == call.method }
        guard let row = rows.first else { return .noSuchMethod }
        guard row.versions.contains(call.version), call.method != "getEvent" || model.versions.contains(call.version)
        else { return .unsupportedVersion }
        if faults.take({ if case .notReadyFirst = $0 { true } else { nil } }) != nil {
            outputs.append(.log("fault: not ready for \(call.method)"))
            return .notReady
        }
        guard call.method != "stopRecMode", faults.takeBusy(during: currentFrame, { Self.isOfKind(call.method, $0) })
        else { return nil }
        outputs.append(.log("fault: busy for \(call.method)"))
        return .notReady
    }

    private static func isOfKind(_ method: String, _ kind: Fault.CommandKind) -> Bool {
        let isShutter = SonyHTTPRequest.presses.contains(method)
        let isControl = isShutter || method.hasSuffix("HalfPressShutter")
        return switch kind {
        case .any: true
        case .change: method.hasPrefix("set") || isControl
        case .open: method == "startRecMode"
        case .set: method.hasPrefix("set")
        case .control: isControl
        case .shutter: isShutter
        case .read: method == "getEvent"
        case .object, .operation: false
        }
    }

    /// Rejects a call. A rejected press is still a press for the rules.
    mutating func reject(_ waiter: Waiter, _ failure: SonyHTTPFailure, at now: Duration) {
        if SonyHTTPRequest.presses.contains(waiter.call.method) { notePress(waiter.call, isTaken: false) }
        reply(failure, to: waiter, at: now)
    }

    // MARK: Waiting calls

    package mutating func gone(_ id: ConnectionID, at now: Duration) {
        calledAt = max(calledAt, now)
        if poll?.id == id {
            poll = nil
            if !model.needsRecMode { endSession(isOrderly: true) }
        }
        if awaiting?.id == id { awaiting = nil }
        if liveView?.id == id { liveView = nil }
        schedule.cancel { if case .trickle(id, _) = $0 { true } else { false } }
        queue.removeAll { $0.id == id }
        if running?.id == id { endRunning(at: now) }
    }

    /// Ends the running call, and takes the calls that wait for its end.
    mutating func endRunning(at now: Duration) {
        running = nil
        while running == nil, !queue.isEmpty { perform(queue.removeFirst(), at: now) }
    }

    mutating func replyToRunning(_ result: [JSONValue], at now: Duration) {
        if let running { reply(result, to: running, at: now) }
        endRunning(at: now)
    }

    mutating func endLateCalls(at now: Duration) {
        if let waiter = awaiting, waiter.until <= now {
            awaiting = nil
            reply(.notFinished, to: waiter, at: now)
        }
        for waiter in queue where waiter.until <= now { reject(waiter, .timedOut, at: now) }
        queue.removeAll { $0.until <= now }
        guard let waiter = running, waiter.until <= now else { return }
        let isPicture = waiter.call.method == "actTakePicture"
        reply(isPicture ? .longShooting : .unknown, to: waiter, at: now)
        endRunning(at: now)
    }

    // MARK: Methods

    private mutating func perform(_ waiter: Waiter, at now: Duration) {
        let call = waiter.call
        guard call.service == "camera" else { return performElsewhere(waiter, at: now) }
        guard availableMethods.contains(call.method) || Self.isAlwaysTaken(call.method) else {
            return reject(waiter, .notAvailable, at: now)
        }
        switch call.method {
        case "getVersions": reply([.strings(model.versions)], to: waiter, at: now)
        case "getMethodTypes": replyMethodTypes(waiter, at: now)
        case "getApplicationInfo":
            reply([.string(model.application.name), .string(model.application.version)], to: waiter, at: now)
        case "getAvailableApiList": reply([.strings(availableMethods)], to: waiter, at: now)
        case "startRecMode": startRecMode(waiter, at: now)
        case "stopRecMode": stopRecMode(waiter, at: now)
        case "getStorageInformation": reply([[storage]], to: waiter, at: now)
        case "actTakePicture": takePicture(waiter, at: now)
        case "startBulbShooting": startBulb(waiter, at: now)
        case "stopBulbShooting": stopBulb(waiter, at: now)
        case "startContShooting": startSeries(waiter, at: now)
        case "stopContShooting": stopSeries(waiter, at: now)
        case "actHalfPressShutter": pressHalf(waiter, at: now)
        case "cancelHalfPressShutter":
            releaseHalfPress()
            reply([], to: waiter, at: now)
        default: performSetting(waiter, at: now)
        }
    }

    /// Whether the method is taken in any state: the body answers with an error of its own.
    private static func isAlwaysTaken(_ method: String) -> Bool { ["startRecMode", "stopRecMode"].contains(method) }

    private mutating func performElsewhere(_ waiter: Waiter, at now: Duration) {
        switch waiter.call.method {
        case "getVersions":
            let isContents = waiter.call.service == "avContent"
            reply([.strings(isContents ? ["1.0", "1.1", "1.2", "1.3"] : ["1.0"])], to: waiter, at: now)
        case "getMethodTypes": replyMethodTypes(waiter, at: now)
        case "getServiceProtocols":
            reply([.array(model.services.map { [.string($0), ["http:post"]] })], to: waiter, at: now)
        case "setCurrentTime": reply([], to: waiter, at: now)
        default: performContents(waiter, at: now)
        }
    }

    private mutating func replyMethodTypes(_ waiter: Waiter, at now: Duration) {
        let wanted = waiter.call.params.first?.stringValue ?? ""
        let rows = methodTypes(of: waiter.call.service)
        reply(rows.flatMap { $0.entries(of: wanted, in: model.versions) }, to: waiter, at: now)
    }

    // MARK: The recording mode

    private mutating func startRecMode(_ waiter: Waiter, at now: Duration) {
        openSession(at: now)
        guard function == .none else { return reply([0], to: waiter, at: now) }
        function = .entering
        running = Waiter(id: waiter.id, call: waiter.call, until: now + Self.recModeLimit)
        schedule.plan(.functionStarts, at: now + model.recModeTime)
        note("availableApiList")
    }

    private mutating func stopRecMode(_ waiter: Waiter, at now: Duration) {
        if function != .none {
            function = .none
            schedule.cancel { $0 == .functionStarts }
            noteAll()
        }
        reply([0], to: waiter, at: now)
        isLiveViewOn = false
        endLiveView()
        endSession(isOrderly: true)
    }

    /// The recording mode or another function has started.
    mutating func functionStarts(at now: Duration) {
        switch function {
        case .entering: function = .shooting
        case .changing(let isContents):
            function = isContents ? .contents : .shooting
            functionResult = "Success"
            note("cameraFunctionResult")
        case .none, .shooting, .contents: return
        }
        noteAll()
        if running?.call.method == "startRecMode" { replyToRunning([0], at: now) }
    }

    /// Changes between shooting and the list of the card. The reply only means that the change has begun.
    mutating func setFunction(_ waiter: Waiter, at now: Duration) {
        guard let name = waiter.call.params.first?.stringValue, model.functions.contains(name) else {
            return reply(.illegalArgument, to: waiter, at: now)
        }
        let isContents = name == "Contents Transfer"
        reply([0], to: waiter, at: now)
        guard (function == .contents) != isContents else { return }
        function = .changing(isContents: isContents)
        endLiveView()
        schedule.plan(.functionStarts, at: now + model.functionTime)
        noteAll()
    }
}

extension SonyHTTPModel {
    /// The functions between which the body can change.
    var functions: [String] { ["Remote Shooting"] + (hasContents ? ["Contents Transfer"] : []) }
}
