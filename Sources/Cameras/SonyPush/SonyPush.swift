import NIOCore

/// The driver for a Sony body in the mode "Send to Smartphone". The body cannot shoot. It delivers the pictures that
/// its user selected.
package struct SonyPush: Camera {
    enum Stage: Sendable {
        case disconnected
        /// The description is read, by the number of its place.
        case describing(Ticket, place: Int)
        case connected
        /// The description is read again, to see that the body is still there. The tickets are those of `.readStatus`.
        case checking([Ticket])
        case transferring(Transfer)
        /// The body ends its transfer, at the latest by this time.
        case leaving(Ticket, deadline: Duration)
    }

    /// A running `.files`.
    struct Transfer: Sendable {
        let ticket: Ticket
        let isFetched: Bool
        var found: [SonyHTTPContent] = []
        /// How many pictures the user selected.
        var total = 0
        /// The failure that is reported when the body has ended its transfer; nil: none.
        var failure: String?
        var step = Step.calling(.start)

        enum Step: Sendable {
            case calling(SonyPushCall)
            /// The pictures are in transfer, one after the other: the number of the next one, and how many failed.
            case fetching(next: Int, failed: Int)
        }
    }

    let timing: SonyHTTPTiming
    var stage = Stage.disconnected
    var address = CameraAddress(host: "")
    /// The id of the connected body.
    var bodyID = ""
    /// The path of the description.
    var descriptionPath = ""
    /// The services of the body: the full type, and the path of the calls.
    var services: [(type: String, path: String)] = []
    /// The time of the body's latest answer.
    var lastAnswer: Duration = .zero
    private var lastRequest: UInt32 = 0
    var running: HTTPRequestID?
    var pictures = SonyHTTPPictures()

    package init(timing: SonyHTTPTiming = SonyHTTPTiming()) { self.timing = timing }

    package internal(set) var nextDeadline: Duration?

    package var overflow: (list: String, count: Int, limit: Int)? {
        guard pictures.count > SonyHTTPLimits.picturesMax else { return nil }
        return ("pictures", pictures.count, SonyHTTPLimits.picturesMax)
    }

    /// The time of the next question at rest. Without one, a body that was switched off would stay connected.
    var checkAt: Duration { lastAnswer + Self.checkPause }

    static let checkPause = Duration.seconds(30)

    // MARK: Inputs

    package mutating func perform(
        _ command: CameraCommand,
        ticket: Ticket,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        handle(at: now, into: &actions) { driver, turn in driver.perform(command, ticket, in: &turn) }
    }

    package mutating func receive(_ event: LinkEvent, at now: Duration, into actions: inout [CameraAction]) {}

    package mutating func receive(
        _ event: HTTPEvent,
        of id: HTTPRequestID,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        handle(at: now, into: &actions) { driver, turn in driver.receive(event, of: id, in: &turn) }
    }

    package mutating func takeRecordableParts() -> [Range<Int>] { [] }

    package mutating func advance(to now: Duration, into actions: inout [CameraAction]) {
        handle(at: now, into: &actions) { driver, turn in
            switch driver.stage {
            case .leaving(let ticket, let deadline) where now >= deadline: driver.finishLeaving(ticket, in: &turn)
            case .connected where now >= driver.checkAt:
                driver.stage = .checking([])
                driver.describe(driver.descriptionPath, in: &turn)
            default: break
            }
        }
    }

    private mutating func handle(
        at now: Duration,
        into actions: inout [CameraAction],
        _ input: (inout SonyPush, inout DriverTurn) -> Void
    ) {
        var turn = DriverTurn(at: now, &actions)
        input(&self, &turn)
        proceed(in: &turn)
        turn.give(to: &actions)
    }

    // MARK: Commands

    private mutating func perform(_ command: CameraCommand, _ ticket: Ticket, in turn: inout DriverTurn) {
        switch command {
        case .connect(let address, _, _, _):
            endRequests(in: &turn)
            self.address = address
            stage = .describing(ticket, place: 0)
            describe(SonyHTTP.descriptionPaths[0], in: &turn)
        case .disconnect: disconnect(ticket, in: &turn)
        case .abandon: finishLeaving(ticket, in: &turn)
        case .keepPictures(let request): pictures.request = request
        case .readStatus, .setSpeed, .readSpeed, .capture, .awaitIdle, .resolveCapture, .setProperty, .files,
            .liveView:
            performConnected(command, ticket, in: &turn)
        }
    }

    private mutating func performConnected(
        _ command: CameraCommand,
        _ ticket: Ticket,
        in turn: inout DriverTurn
    ) {
        switch stage {
        case .disconnected: return turn.report(.lost(.notConnected), ticket)
        case .describing, .leaving: return turn.report(.failed(.other(ConnectionSentences.notYetConnected)), ticket)
        case .connected, .checking, .transferring: break
        }
        switch command {
        case .readStatus: check(ticket, in: &turn)
        case .files(.listSelected), .files(.getSelected):
            if case .transferring = stage { return turn.report(.busy, ticket) }
            endCheck(in: &turn)
            go(Transfer(ticket: ticket, isFetched: command == .files(.getSelected)), to: .start, in: &turn)
        case .files: turn.report(.failed(.other(SonyPushSentences.onlySelected)), ticket)
        // Nothing was fired in this mode.
        case .resolveCapture: turn.report(.captureResolved(.unknown), ticket)
        case .awaitIdle: turn.report(.idle, ticket)
        default: turn.report(.failed(.other(SonyPushSentences.cannotShoot)), ticket)
        }
    }

    // MARK: The status

    /// Answers a question for the status. A running transfer shows that the body is there.
    private mutating func check(_ ticket: Ticket, in turn: inout DriverTurn) {
        switch stage {
        case .checking(let tickets) where tickets.count < StatusQuestions.countMax:
            stage = .checking(tickets + [ticket])
        case .connected:
            stage = .checking([ticket])
            describe(descriptionPath, in: &turn)
        default: turn.report(.status(Self.status), ticket)
        }
    }

    /// Answers the questions for the status without the body's answer, because a command follows.
    private mutating func endCheck(in turn: inout DriverTurn) {
        guard case .checking(let tickets) = stage else { return }
        endRequests(in: &turn)
        finishCheck(tickets, in: &turn)
    }

    func finishCheck(_ tickets: [Ticket], in turn: inout DriverTurn) {
        for ticket in tickets { turn.report(.status(Self.status), ticket) }
    }

    // MARK: The end

    /// Without the end of its transfer the body keeps "Connecting…".
    private mutating func disconnect(_ ticket: Ticket, in turn: inout DriverTurn) {
        switch stage {
        case .transferring:
            endRequests(in: &turn)
            stage = .leaving(ticket, deadline: turn.now + timing.close)
            call(.end, in: &turn)
        case .leaving(_, let deadline): stage = .leaving(ticket, deadline: deadline)
        case .disconnected, .describing, .connected, .checking: finishLeaving(ticket, in: &turn)
        }
    }

    mutating func finishLeaving(_ ticket: Ticket, in turn: inout DriverTurn) {
        endRequests(in: &turn)
        stage = .disconnected
        turn.report(.disconnected, ticket)
    }

    static let status = CameraStatus(
        mode: .other(SonyPushSentences.mode),
        modeControl: .menu(advice: SonyPushSentences.wayBack)
    )

    // MARK: Requests

    mutating func nextID() -> HTTPRequestID {
        lastRequest &+= 1
        return HTTPRequestID(rawValue: lastRequest)
    }

    private mutating func send(_ request: HTTPRequest, in turn: inout DriverTurn) {
        let id = nextID()
        running = id
        turn.append(.http(id, .perform(request)))
    }

    mutating func describe(_ path: String, in turn: inout DriverTurn) {
        send(
            HTTPRequest(
                .get,
                address,
                path: path,
                replyBytesMax: DeviceDescription.byteCountMax,
                timeout: timing.description
            ),
            in: &turn
        )
    }

    mutating func call(_ call: SonyPushCall, in turn: inout DriverTurn) {
        guard let service = services.first(where: { $0.type.hasSuffix(":\(call.service)") }) else { return }
        send(
            HTTPRequest(
                .post,
                address,
                path: service.path,
                headers: call.headers(service.type),
                body: call.body(service.type),
                replyBytesMax: DeviceDescription.byteCountMax,
                timeout: timing.call
            ),
            in: &turn
        )
    }

    mutating func endRequests(in turn: inout DriverTurn) {
        pictures.removeWanted(in: &turn)
        if let running { turn.append(.http(running, .cancel)) }
        running = nil
    }
}
