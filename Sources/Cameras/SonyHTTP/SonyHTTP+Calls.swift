import JSON
import NIOCore

/// The calls and their replies.
extension SonyHTTP {
    /// Starts a call on its own connection.
    mutating func start(_ task: SonyHTTPTask, in turn: inout DriverTurn) {
        let id = requests.next()
        let running = SonyHTTPRequests.Running(id: id, task: task, since: turn.now)
        if task == .poll { requests.poll = running } else { requests.command = running }
        turn.append(.http(id, .perform(request(task, id))))
    }

    private func request(_ task: SonyHTTPTask, _ id: HTTPRequestID) -> HTTPRequest {
        if case .description(let index) = task { return descriptionRequest(index) }
        guard let call = task.call(eventVersion: eventVersion) else {
            preconditionFailure("every other task is a call")
        }
        return HTTPRequest(
            .post,
            address,
            path: path(of: call.method.service),
            headers: [HTTPHeader("Content-Type", "application/json")],
            body: call.encoded(id: SonyHTTPRequests.number(of: id)),
            replyBytesMax: SonyHTTPAnswer.byteCountMax,
            timeout: timeout(task)
        )
    }

    /// The time limit for a call. The body answers a shutter call when the picture is complete, or before that.
    private func timeout(_ task: SonyHTTPTask) -> Duration {
        switch task {
        case .take, .awaitPicture: (lastFrame.frame?.occupied ?? .zero) + timing.picture
        default: task.timeout(timing)
        }
    }

    func path(of service: SonyHTTPService) -> String {
        guard service != .camera, let slash = path.lastIndex(of: "/") else { return path }
        return "\(path[...slash])\(service.rawValue)"
    }

    mutating func receive(_ event: HTTPEvent, of id: HTTPRequestID, in turn: inout DriverTurn) {
        if pictures.transfer?.request == id { return pictures.receive(event, timing, in: &turn) }
        if liveView.stream?.id == id { return receiveLiveView(event, in: &turn) }
        if let poll = requests.poll, poll.id == id {
            requests.poll = nil
            return finish(poll, event, in: &turn)
        }
        guard let command = requests.command, command.id == id else { return }
        requests.command = nil
        finish(command, event, in: &turn)
    }

    private mutating func finish(
        _ running: SonyHTTPRequests.Running,
        _ event: HTTPEvent,
        in turn: inout DriverTurn
    ) {
        switch event {
        case .reply(let reply):
            if case .description(let index) = running.task { return finishDescription(index, reply, in: &turn) }
            do throws(SonyHTTPReplyFault) {
                let answer = try SonyHTTPAnswer.read(reply, id: SonyHTTPRequests.number(of: running.id))
                finish(running.task, answer, since: running.since, in: &turn)
            } catch {
                failReply(running, error, in: &turn)
            }
        case .failed(let failure): fail(running, failure, in: &turn)
        case .head, .body, .end: break
        }
    }

    private mutating func failReply(
        _ running: SonyHTTPRequests.Running,
        _ fault: SonyHTTPReplyFault,
        in turn: inout DriverTurn
    ) {
        let text = SonyHTTPSentences.invalidReply(to: running.task.name, fault)
        if case .settingUp = stage, running.task == .application {
            return refuse(.protocolError(SonyHTTPSentences.notACamera(fault)), in: &turn)
        }
        failCall(running, .protocolError(text), in: &turn)
    }

    private mutating func fail(
        _ running: SonyHTTPRequests.Running,
        _ failure: HTTPFailure,
        in turn: inout DriverTurn
    ) {
        // The body has no description at this place. Any other failure could give the body another id.
        if case .description(let index) = running.task, case .notConnected(.refused, _) = failure {
            return skipDescription(index, hasAnswered: false)
        }
        failCall(running, LossReason(failure, during: running.task.name), in: &turn)
    }

    /// Handles a call without a valid answer. A failed poll is repeated after the driver has read the whole state.
    private mutating func failCall(
        _ running: SonyHTTPRequests.Running,
        _ reason: LossReason,
        in turn: inout DriverTurn
    ) {
        if case .leaving = stage { return }
        if running.task == .poll, requests.failedPolls < SonyHTTPLimits.failedPollsMax {
            if case .cannotConnect = reason { return lose(reason, in: &turn) }
            requests.failedPolls += 1
            requests.isStateNeeded = true
            return
        }
        if case .description(let index) = running.task, case .protocolError = reason {
            return skipDescription(index, hasAnswered: true)
        }
        if case .contents = running.task, case .silent = reason {
            return finish(running.task, .error(.timeout), since: running.since, in: &turn)
        }
        if running.task.isOptional, case .protocolError = reason {
            return finish(running.task, .error(.any), since: running.since, in: &turn)
        }
        lose(reason, in: &turn)
    }

    private mutating func finish(
        _ task: SonyHTTPTask,
        _ answer: SonyHTTPAnswer,
        since: Duration,
        in turn: inout DriverTurn
    ) {
        switch stage {
        case .disconnected: break
        case .settingUp(let setUp): finish(setUp, task, answer, since: since, in: &turn)
        case .connected: finishConnected(task, answer, since: since, in: &turn)
        case .leaving: finishLeavingCall(task, answer)
        }
    }

    private mutating func finishLeavingCall(_ task: SonyHTTPTask, _ answer: SonyHTTPAnswer) {
        guard let id = identity?.id, case .result = answer else { return }
        switch task {
        case .cancelHalfPress: known.update(id) { $0.isHalfPressed = false }
        case .write(.postviewSize, _, _): known.update(id) { $0.postviewBefore = nil }
        default: break
        }
    }
}
