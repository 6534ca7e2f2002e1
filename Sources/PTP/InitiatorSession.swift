import NIOCore

/// The initiator's side of a PTP/IP session, as a state machine over the bytes of its two connections.
///
/// The handshake opens the command connection (Init_Command_Request, Ack), then the event connection
/// (Init_Event_Request, Ack). After the handshake, one transaction runs at a time. The session answers a probe on the
/// connection of the probe, and delivers events at any time. Every wait has a time limit: `nextDeadline` is the time of
/// the next call of `advance`. After `.lost`, `.refused` and `.closed` both connections are closed. `connect` begins a
/// new session.
///
/// The driver does the maker's part, including OpenSession.
package struct InitiatorSession: Sendable {
    package enum Channel: UInt8, CaseIterable, Sendable {
        /// Operations, data and responses.
        case command
        /// Events and probes.
        case event
    }

    /// What the session requests and reports, in order.
    package enum Action: Equatable, Sendable {
        /// Open a TCP connection, then call `opened` or `openFailed`.
        case open(Channel, timeout: Duration)
        case send(Channel, ByteBuffer)
        /// Close the connection, or stop opening it.
        case close(Channel)
        /// Both connections are open. Operations can start.
        case connected(InitCommandAck)
        /// The next part of the data of the running operation, never empty; only with `.stream`. The part shares the
        /// storage of the received bytes.
        case data(ByteBuffer)
        /// The running operation has ended.
        case finished(OperationResult)
        case event(PTPEvent)
        /// The camera answered a probe of ``InitiatorSession/probe(into:)``.
        case probeAnswered
        /// The camera has not answered Init_Command_Request for some time. Its user may have to confirm the initiator.
        case confirmationAwaited
        /// The camera rejected the initiator.
        case refused(InitFailReason)
        case lost(Loss)
        /// The camera has answered CloseSession, or the time limit for the answer is over.
        case closed
        /// One line for the journal.
        case note(String)
    }

    /// Why the session broke.
    package enum Loss: Hashable, Sendable {
        /// A connection could not be opened.
        case cannotConnect(Channel, reason: String)
        /// The camera closed a connection. `reason` nil: the camera closed it in order.
        case closed(Channel, reason: String?)
        case silent(after: Duration, during: String)
        /// The camera violates the protocol.
        case protocolError(PTPIPError)
    }

    /// The time limits of the steps.
    package struct Timing: Hashable, Sendable {
        /// The time limit for opening a TCP connection.
        package var open: Duration = .seconds(5)
        /// The time limit for Init_Command_Ack. During a first pairing the camera waits for its user to press OK.
        package var commandAck: Duration = .seconds(60)
        /// The time without Init_Command_Ack after which the session reports `.confirmationAwaited`.
        package var confirmation: Duration = .seconds(3)
        /// The time limit for Init_Event_Ack.
        package var eventAck: Duration = .seconds(10)
        /// The pause before a retry of the event connection. Some bodies open its socket late (libgphoto2 ptpip.c).
        package var eventRetryPause: Duration = .milliseconds(100)
        /// The maximum number of retries of the event connection.
        package var eventRetryCountMax = 2
        /// The longest time between two received parts of one packet.
        package var withinPacket: Duration = .seconds(10)
        /// The time limit for the answer to a cancelled transaction.
        package var cancel: Duration = .seconds(5)
        /// The time limit for the answer to CloseSession.
        package var closeSession: Duration = .seconds(2)

        /// The default values, taken from the sources.
        package init() {}
    }

    enum State: Sendable {
        case closed
        case openingCommand(Wait)
        case waitingForCommandAck(Wait)
        case openingEvent(InitCommandAck, attempt: Int, Wait)
        case pausing(InitCommandAck, attempt: Int, until: Duration)
        case waitingForEventAck(InitCommandAck, Wait)
        case open(InitCommandAck)
        case running(InitCommandAck, Transaction)
        case closing(Wait)
    }

    /// A step that must end in time.
    struct Wait: Sendable {
        let step: String
        let since: Duration
        let deadline: Duration
        /// When the session reports `.confirmationAwaited`; nil: it does not, or it has reported that already.
        var reportAt: Duration?

        init(_ step: String, at now: Duration, for time: Duration, reportAfter: Duration? = nil) {
            self.step = step
            since = now
            deadline = now + time
            reportAt = reportAfter.map { now + $0 }
        }

        var next: Duration { min(deadline, reportAt ?? deadline) }
    }

    /// The running operation.
    struct Transaction: Sendable {
        enum Data: Sendable {
            case none
            case receiving(announced: UInt64?)
            case ended(announced: UInt64?)
        }

        let id: UInt32
        let operation: Operation
        let since: Duration
        var progressAt: Duration
        var data = Data.none
        var byteCount: UInt64 = 0
        var collected = ByteBuffer()
        /// The deadline of the answer to Cancel; nil: the transaction is not cancelled.
        var cancelledUntil: Duration?

        var deadline: Duration {
            cancelledUntil ?? min(progressAt + operation.timeout.silence, since + operation.timeout.total)
        }
    }

    let guid: GUID
    let name: String
    /// The time limits. A change takes effect with the next step.
    package var timing: Timing
    var state = State.closed
    /// One decoder per channel.
    var decoders = Self.freshDecoders
    var nextTransaction: UInt32 = 0
    /// The deadline for the next bytes of an incomplete packet, one per channel.
    var packetDeadlines: [Duration?] = [nil, nil]
    /// One value per channel.
    var recordableBytes = [RecordableBytes(), RecordableBytes()]
    /// See ``takeRecordableParts()``.
    var recordableParts: [Range<Int>] = []

    /// Only the command connection carries data.
    private static var freshDecoders: [PacketDecoder] { [PacketDecoder(payload: .inPieces), PacketDecoder()] }

    /// - Parameters:
    ///   - guid: Identifies the initiator in the camera's pairing store.
    ///   - name: A text that the camera can show to its user.
    package init(guid: GUID, name: String, timing: Timing = Timing()) {
        self.guid = guid
        self.name = name
        self.timing = timing
    }

    /// Whether an operation can be started now.
    package var isReady: Bool {
        if case .open = state { true } else { false }
    }

    /// Whether no connection is open or being opened.
    package var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    /// The camera's Init_Command_Ack; nil before it arrives and after the session ends.
    package var acknowledgement: InitCommandAck? {
        switch state {
        case .openingEvent(let ack, _, _), .pausing(let ack, _, _), .waitingForEventAck(let ack, _), .open(let ack),
            .running(let ack, _):
            ack
        case .closed, .openingCommand, .waitingForCommandAck, .closing:
            nil
        }
    }

    /// Returns the parts of the last received bytes without picture data. A second call returns no parts.
    package mutating func takeRecordableParts() -> [Range<Int>] {
        defer { recordableParts = [] }
        return recordableParts
    }

    /// When `advance` must be called next; nil: not before the next input.
    package var nextDeadline: Duration? {
        let own: Duration? =
            switch state {
            case .closed, .open: nil
            case .openingCommand(let wait), .waitingForCommandAck(let wait), .openingEvent(_, _, let wait),
                .waitingForEventAck(_, let wait), .closing(let wait):
                wait.next
            case .pausing(_, _, let until): until
            case .running(_, let transaction): transaction.deadline
            }
        return ([own] + packetDeadlines).compactMap { $0 }.min()
    }

    /// Opens both connections and does the Init handshake. Ends with `.connected`, `.refused` or `.lost`.
    package mutating func connect(at now: Duration, into actions: inout [Action]) {
        precondition(isClosed, "one session at a time")
        decoders = Self.freshDecoders
        packetDeadlines = [nil, nil]
        recordableBytes = [RecordableBytes(), RecordableBytes()]
        nextTransaction = 0
        // The host applies `timing.open`. If the host does not answer, the session is lost one second later.
        state = .openingCommand(Wait(StepNames.connecting, at: now, for: timing.open + .seconds(1)))
        actions.append(.open(.command, timeout: timing.open))
    }

    package mutating func opened(_ channel: Channel, at now: Duration, into actions: inout [Action]) {
        switch (state, channel) {
        case (.openingCommand, .command):
            let (limit, report) = (timing.commandAck, timing.confirmation)
            state = .waitingForCommandAck(Wait(StepNames.initHandshake, at: now, for: limit, reportAfter: report))
            let request = InitCommandRequest(guid: guid, name: name)
            actions.append(.send(.command, PTPIPPacket.initCommandRequest(request).encoded()))
        case (.openingEvent(let ack, _, _), .event):
            state = .waitingForEventAck(ack, Wait(StepNames.initHandshake, at: now, for: timing.eventAck))
            let request = PTPIPPacket.initEventRequest(connectionNumber: ack.connectionNumber)
            actions.append(.send(.event, request.encoded()))
        default:
            break
        }
    }

    package mutating func openFailed(
        _ channel: Channel,
        reason: String,
        at now: Duration,
        into actions: inout [Action]
    ) {
        switch (state, channel) {
        case (.openingCommand, .command):
            lose(.cannotConnect(.command, reason: reason), into: &actions)
        case (.openingEvent(let ack, let attempt, _), .event) where attempt < timing.eventRetryCountMax:
            state = .pausing(ack, attempt: attempt + 1, until: now + timing.eventRetryPause)
        case (.openingEvent, .event):
            lose(.cannotConnect(.event, reason: reason), into: &actions)
        default:
            break
        }
    }

    /// Handles the end of a connection. `reason` nil: the camera closed it in order.
    package mutating func closed(_ channel: Channel, reason: String?, at now: Duration, into actions: inout [Action]) {
        switch state {
        case .closed:
            break
        case .closing:
            finishClosing(into: &actions)
        default:
            lose(.closed(channel, reason: reason), into: &actions)
        }
    }

    package mutating func advance(to now: Duration, into actions: inout [Action]) {
        switch state {
        case .openingCommand(let wait), .openingEvent(_, _, let wait):
            if now >= wait.deadline {
                let channel: Channel = if case .openingCommand = state { .command } else { .event }
                lose(.cannotConnect(channel, reason: InitiatorSentences.openTimedOut), into: &actions)
            }
        case .waitingForCommandAck(let wait), .waitingForEventAck(_, let wait):
            if now >= wait.deadline {
                lose(.silent(after: now - wait.since, during: wait.step), into: &actions)
            } else {
                reportWait(at: now, into: &actions)
            }
        case .pausing(let ack, let attempt, let until):
            if now >= until { openEvent(ack, attempt: attempt, at: now, into: &actions) }
        case .running(_, let transaction):
            if now >= transaction.deadline {
                let silence = now - transaction.progressAt
                lose(.silent(after: silence, during: "\(transaction.operation.code)"), into: &actions)
            }
        case .closing(let wait):
            if now >= wait.deadline { finishClosing(into: &actions) }
        case .closed, .open:
            break
        }
        for channel in Channel.allCases {
            guard let deadline = packetDeadlines[Int(channel.rawValue)], now >= deadline else { continue }
            lose(.silent(after: timing.withinPacket, during: StepNames.packet(on: channel)), into: &actions)
        }
    }

    /// Reports once that the camera's user may have to confirm the initiator.
    private mutating func reportWait(at now: Duration, into actions: inout [Action]) {
        guard case .waitingForCommandAck(var wait) = state, let due = wait.reportAt, now >= due else { return }
        wait.reportAt = nil
        state = .waitingForCommandAck(wait)
        actions.append(.confirmationAwaited)
    }

    /// Closes both connections at once and sends nothing.
    package mutating func abandon(into actions: inout [Action]) {
        closeChannels(into: &actions)
        state = .closed
    }

    mutating func openEvent(_ ack: InitCommandAck, attempt: Int, at now: Duration, into actions: inout [Action]) {
        let wait = Wait(StepNames.connecting, at: now, for: timing.open + .seconds(1))
        state = .openingEvent(ack, attempt: attempt, wait)
        actions.append(.open(.event, timeout: timing.open))
    }

    mutating func lose(_ loss: Loss, into actions: inout [Action]) {
        guard !isClosed else { return }
        closeChannels(into: &actions)
        state = .closed
        actions.append(.lost(loss))
    }

    mutating func finishClosing(into actions: inout [Action]) {
        closeChannels(into: &actions)
        state = .closed
        actions.append(.closed)
    }

    /// Closes the open connections. Closes the command connection last: the camera then ends the session.
    mutating func closeChannels(into actions: inout [Action]) {
        packetDeadlines = [nil, nil]
        switch state {
        case .closed:
            break
        case .openingCommand, .waitingForCommandAck, .pausing:
            actions.append(.close(.command))
        case .openingEvent, .waitingForEventAck, .open, .running, .closing:
            actions.append(.close(.event))
            actions.append(.close(.command))
        }
    }
}
