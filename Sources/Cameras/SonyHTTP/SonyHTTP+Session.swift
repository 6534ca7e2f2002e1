import JSON
import NIOCore

/// The beginning and the end of a session.
extension SonyHTTP {
    // MARK: Commands about the session

    mutating func connect(_ address: CameraAddress, path: String, _ ticket: Ticket, in turn: inout DriverTurn) {
        endRequests(in: &turn)
        forgetSession()
        self.address = address
        self.path = path.isEmpty ? Self.usualPaths[0] : path
        otherPaths = path.isEmpty ? Array(Self.usualPaths.dropFirst()) : []
        stage = .settingUp(SonyHTTPSetUp(ticket: ticket))
    }

    /// The paths of the camera service. The second one is that of an RX100 II and an HX50 (rocc).
    private static let usualPaths = ["/sony/camera", "/camera"]

    mutating func disconnect(_ ticket: Ticket, in turn: inout DriverTurn) {
        switch stage {
        case .disconnected: turn.report(.disconnected, ticket)
        case .leaving(var leaving):
            leaving.event = .disconnected
            leaving.ticket = ticket
            stage = .leaving(leaving)
        case .settingUp, .connected: close(with: .disconnected, ticket, in: &turn)
        }
    }

    mutating func abandon(_ ticket: Ticket, in turn: inout DriverTurn) {
        endRequests(in: &turn)
        forgetSession()
        turn.report(.disconnected, ticket)
    }

    // MARK: The end

    /// Ends the session in order. The protocol needs no end, but the body gets back what the driver changed: its
    /// button, its post-view size and its mode.
    mutating func close(with event: CameraEvent, _ ticket: Ticket?, in turn: inout DriverTurn) {
        let calls = leavingCalls
        endRequests(in: &turn)
        activity = .idle
        stage = .leaving(
            SonyHTTPLeaving(event: event, ticket: ticket, deadline: turn.now + timing.close, calls: calls)
        )
    }

    private var leavingCalls: [SonyHTTPTask] {
        var calls: [SonyHTTPTask] = []
        let body = identity.map { known[$0.id] }
        if body?.isHalfPressed == true { calls.append(.cancelHalfPress) }
        // Another client can have left it on. It slows the body.
        let isOtherOn = state.isLiveViewOn && state.has(.stopLiveview)
        if liveView.ending != nil || isOtherOn { calls.append(.stopLiveView) }
        if let before = body?.postviewBefore, state.has(.setPostviewImageSize) {
            calls.append(.write(.postviewSize, .string(before), [.string(before)]))
        }
        if state.function == Self.contentsFunction { calls.append(.function(Self.shootingFunction)) }
        // A killed daemon may have left the mode on, so the body's list decides.
        if state.has(.stopRecMode) { calls.append(.stopRecMode) }
        return calls
    }

    mutating func finishLeaving(in turn: inout DriverTurn) {
        guard case .leaving(let leaving) = stage else { return }
        endRequests(in: &turn)
        forgetSession()
        turn.report(leaving.event, leaving.ticket)
    }

    /// Handles the loss of the session.
    mutating func lose(_ reason: LossReason, in turn: inout DriverTurn) {
        if case .leaving = stage { return finishLeaving(in: &turn) }
        endRequests(in: &turn)
        forgetSession()
        turn.report(.lost(reason), nil)
    }

    /// Ends a connection attempt that the body answered.
    mutating func refuse(_ refusal: Refusal, in turn: inout DriverTurn) {
        guard case .settingUp(let setUp) = stage else { return }
        close(with: .refused(refusal), setUp.ticket, in: &turn)
    }

    /// Cancels all requests. A picture that was not complete begins again in the next session.
    mutating func endRequests(in turn: inout DriverTurn) {
        pictures.cancel(in: &turn)
        // The client that requested them gets its answer now.
        pictures.removeWanted(in: &turn)
        for running in [requests.poll, requests.command].compactMap({ $0 }) {
            turn.append(.http(running.id, .cancel))
        }
        closeLiveViewStream(in: &turn)
        requests.poll = nil
        requests.command = nil
    }

    private mutating func forgetSession() {
        stage = .disconnected
        identity = nil
        application = ""
        eventVersion = SonyHTTPEventSlot.oldestVersion
        state = SonyHTTPState()
        settled = nil
        activity = .idle
        statusQuestions.removeAll()
        reported = nil
        reportedStates = [:]
        notedRemarks = 0
        savingReportedAt = nil
        release = SonyHTTPRelease()
        stateAskedAt = nil
        readAskedAt = nil
        functionAskedAt = nil
        liveView = SonyHTTPLiveView()
        failedStates = 0
        writes = [:]
        supportedAsked = []
        postview = .due(tries: 0, notBefore: .zero)
        refusedReaders = []
        hasNotedOtherClient = false
        requests.pollNotBefore = .zero
        requests.failedPolls = 0
        requests.isStateNeeded = false
        pictures.notBefore = .zero
    }
}
