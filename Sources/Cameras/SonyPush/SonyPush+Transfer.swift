import NIOCore

/// The answers of the body, and the transfer of the selected pictures.
extension SonyPush {
    /// Starts the next transfer, and ends the command after the last one.
    mutating func proceed(in turn: inout DriverTurn) {
        nextDeadline = nil
        if case .leaving(_, let deadline) = stage { nextDeadline = deadline }
        if case .connected = stage { nextDeadline = checkAt }
        guard case .transferring(let transfer) = stage, case .fetching(let next, let failed) = transfer.step else {
            return
        }
        fetch(transfer, next, failed: failed, in: &turn)
        if pictures.isDue(in: &turn) { pictures.start(nextID(), at: address, timing, in: &turn) }
        nextDeadline = pictures.nextAt(turn.now)
    }

    /// Transfers one picture after the other, so that no list of pictures becomes too long.
    private mutating func fetch(_ transfer: Transfer, _ next: Int, failed: Int, in turn: inout DriverTurn) {
        guard pictures.isEmpty else { return }
        var (work, next, failed) = (transfer, next, failed)
        while pictures.isEmpty {
            if pictures.takeFailure() { failed += 1 }
            guard next < work.found.count else {
                work.failure = SonyPushSentences.incomplete(sent: next - failed, of: max(work.total, next))
                return go(work, to: .end, in: &turn)
            }
            pictures.add(work.found[next], at: address, of: bodyID, in: &turn)
            pictures.skipWithoutRoom(in: &turn)
            next += 1
        }
        work.step = .fetching(next: next, failed: failed)
        stage = .transferring(work)
    }

    // MARK: Answers

    mutating func receive(_ event: HTTPEvent, of id: HTTPRequestID, in turn: inout DriverTurn) {
        if pictures.transfer?.request == id { return pictures.receive(event, timing, in: &turn) }
        guard running == id, event.isLast else { return }
        running = nil
        lastAnswer = turn.now
        switch (stage, event) {
        case (.describing(let ticket, let place), .reply(let reply)): identify(reply, ticket, place, in: &turn)
        case (.checking(let tickets), .reply(let reply)): check(reply, tickets, in: &turn)
        case (.transferring(let transfer), .reply(let reply)): finish(transfer, reply, in: &turn)
        case (.leaving(let ticket, _), _): finishLeaving(ticket, in: &turn)
        case (.disconnected, _), (.connected, _): break
        case (.transferring(let transfer), .failed(let failure)): fail(transfer, failure, in: &turn)
        case (_, .failed(let failure)): lose(LossReason(failure, during: SonyPushSentences.step), in: &turn)
        case (_, .head), (_, .body), (_, .end): break
        }
    }

    /// Ends the body's transfer before the session counts as lost. The body can be there, and only slow.
    private mutating func fail(_ transfer: Transfer, _ failure: HTTPFailure, in turn: inout DriverTurn) {
        let reason = LossReason(failure, during: SonyPushSentences.step)
        guard case .calling(let call) = transfer.step, call != .end else { return lose(reason, in: &turn) }
        var next = transfer
        next.failure = SonyPushSentences.unanswered(call.action)
        go(next, to: .end, in: &turn)
    }

    private mutating func lose(_ reason: LossReason, in turn: inout DriverTurn) {
        endRequests(in: &turn)
        stage = .disconnected
        turn.report(.lost(reason), nil)
    }

    private mutating func identify(
        _ reply: HTTPReply,
        _ ticket: Ticket,
        _ place: Int,
        in turn: inout DriverTurn
    ) {
        guard let (device, services) = Self.read(reply) else {
            guard place + 1 < SonyHTTP.descriptionPaths.count else {
                stage = .disconnected
                return turn.report(.refused(.protocolError(SonyPushSentences.notInMode)), ticket)
            }
            stage = .describing(ticket, place: place + 1)
            return describe(SonyHTTP.descriptionPaths[place + 1], in: &turn)
        }
        self.services = services
        descriptionPath = SonyHTTP.descriptionPaths[place]
        stage = .connected
        bodyID = id(of: device)
        let identity = CameraIdentity(maker: "Sony", model: device.friendlyName, firmware: "", serial: "", id: bodyID)
        turn.report(.prepared(identity), ticket)
        turn.report(.status(Self.status), ticket)
    }

    /// A body that left the mode no longer describes its services.
    private mutating func check(_ reply: HTTPReply, _ tickets: [Ticket], in turn: inout DriverTurn) {
        guard let device = Self.read(reply)?.device else {
            return lose(.protocolError(SonyPushSentences.notInMode), in: &turn)
        }
        // Another body at the same address.
        guard id(of: device) == bodyID else { return lose(.closedByCamera, in: &turn) }
        stage = .connected
        finishCheck(tickets, in: &turn)
    }

    private func id(of device: DeviceDescription) -> String {
        device.udn.map(SonyDiscovery.id) ?? "\(SonyDiscovery.idPrefix):\(address.host)"
    }

    private static func read(
        _ reply: HTTPReply
    ) -> (device: DeviceDescription, services: [(type: String, path: String)])? {
        guard reply.head.status == 200, let device = try? DeviceDescription.read(reply.body),
            let services = services(of: device)
        else { return nil }
        return (device, services)
    }

    /// The two services of the mode; nil: the device has not both.
    private static func services(of device: DeviceDescription) -> [(type: String, path: String)]? {
        let all = device.content.descendants(named: "service").compactMap { service -> (type: String, path: String)? in
            guard let type = service["serviceType"]?.text, let path = service["controlURL"]?.text, path.hasPrefix("/")
            else { return nil }
            return (type, path)
        }
        let wanted = [SonyPushCall.pushList, SonyPushCall.contents]
        return wanted.allSatisfy { name in all.contains { $0.type.hasSuffix(":\(name)") } } ? all : nil
    }

    private mutating func finish(_ transfer: Transfer, _ reply: HTTPReply, in turn: inout DriverTurn) {
        guard case .calling(let done) = transfer.step else { return }
        var next = transfer
        if reply.head.status != 200 {
            next.failure = next.failure ?? SonyPushSentences.refused(done.action, reply.head.status)
            // A body that refused to begin or to end a transfer has none to end.
            if case .browse = done { return go(next, to: .end, in: &turn) }
            return go(next, to: nil, in: &turn)
        }
        switch done {
        case .start: go(next, to: .browse(from: 0), in: &turn)
        case .browse(let from): browse(next, from: from, reply, in: &turn)
        case .end: go(next, to: nil, in: &turn)
        }
    }

    private mutating func browse(_ transfer: Transfer, from: Int, _ reply: HTTPReply, in turn: inout DriverTurn) {
        var next = transfer
        do throws(DescriptionFault) {
            let page = try SonyPushPage.read(reply.body)
            next.found += page.pictures
            let end = from + page.count
            if page.count > 0, end < min(page.total, CameraFileRequest.countMax) {
                return go(next, to: .browse(from: end), in: &turn)
            }
            // Entries that are no pictures do not count.
            next.total = next.found.count + max(page.total - end, 0)
        } catch {
            next.failure = SonyPushSentences.listUnreadable(error)
        }
        guard next.isFetched, next.failure == nil else { return go(next, to: .end, in: &turn) }
        next.step = .fetching(next: 0, failed: 0)
        stage = .transferring(next)
    }

    /// Continues with a call; nil: the command has ended.
    mutating func go(_ transfer: Transfer, to call: SonyPushCall?, in turn: inout DriverTurn) {
        guard let call else {
            stage = .connected
            if let failure = transfer.failure { return turn.report(.failed(.other(failure)), transfer.ticket) }
            let files = transfer.found.map(\.file)
            return turn.report(.files(transfer.isFetched ? .sent(files.count) : .listed(files)), transfer.ticket)
        }
        var next = transfer
        next.step = .calling(call)
        stage = .transferring(next)
        self.call(call, in: &turn)
    }
}

extension LossReason {
    /// - Parameter step: what the driver waited for.
    init(_ failure: HTTPFailure, during step: String) {
        self =
            switch failure {
            case .notConnected(_, let reason): .cannotConnect(reason)
            case .timedOut(let time): .silent(after: time, during: step)
            case .closed: .closedByCamera
            case .broken(let reason): .reset(reason)
            case .tooLong, .headersTooLong, .tooManyBytes, .notHTTP, .tooManyRequests: .protocolError("\(failure)")
            }
    }
}
