import Cameras
import Exposure
import NIOCore
import PTP

/// A body with PTP/IP. A responder reads the packets, and a maker's body handles the operations.
package struct PTPIPBody<Maker: PTPBody>: FrontedBody {
    package var maker: Maker
    private var responder: ResponderSession
    private var faults: ActiveFaults
    /// Initiators that wait until the user presses OK on the body.
    private var pairings = Schedule<ConnectionID>()
    /// Answers that the body gives later.
    private var answers = Schedule<LateAnswer>()
    /// When the first initiator asked to connect; nil: none has.
    private var firstAskedAt: Duration?
    /// The time to which only the maker's body has advanced; nil: the responder has advanced to the same time.
    private var passed: Duration?
    private let latency: Duration
    /// Whether the send window exists only because of a fault.
    private let isWindowOfFault: Bool

    private struct LateAnswer: Sendable {
        let transaction: UInt32
        let answer: ResponderAnswer
    }

    package static var ports: [BodyPort] { [BodyPort(PTPIPPacket.port)] }

    package init(_ maker: Maker, options: BodyOptions = BodyOptions()) {
        self.maker = maker
        faults = ActiveFaults(options.faults)
        latency = options.latency
        isWindowOfFault = options.sendWindow == nil && options.pace != nil
        var responderOptions = ResponderOptions(
            guid: maker.guid,
            name: maker.modelName,
            operations: maker.operations,
            dataOutOperations: Maker.dataOutOperations
        )
        responderOptions.sendWindow = options.sendWindow ?? (options.pace == nil ? nil : Self.pacedWindow)
        responderOptions.slotHold =
            faults.first { if case .refuseAfterUncleanEnd(let time, isBusy: true) = $0 { time } else { nil } }
            ?? maker.slotHold
        responderOptions.idleLimit =
            faults.first { if case .idleDrop(let limit) = $0 { limit } else { nil } } ?? maker.idleLimit
        responderOptions.probeInterval = faults.first { if case .probe(let every) = $0 { every } else { nil } }
        responderOptions.splitsPackets = true
        maker.adjust(&responderOptions)
        responder = ResponderSession(options: responderOptions)
    }

    /// The send window of a body with a limited transfer rate: two packets of data.
    private static var pacedWindow: Int { 128 << 10 }

    // MARK: Connections

    package mutating func accepted(_ id: ConnectionID, on port: UInt16, at now: Duration) {
        responder.accepted(id, at: now)
    }

    package mutating func received(_ id: ConnectionID, _ bytes: ByteBuffer, at now: Duration) {
        responder.received(id, bytes, at: now)
    }

    package mutating func missed(_ id: ConnectionID, _ bytes: ByteBuffer) { responder.missed(id, bytes) }

    package mutating func written(_ id: ConnectionID, _ count: Int) { responder.written(id, count) }

    package mutating func closed(_ id: ConnectionID, at now: Duration) { responder.closed(id, at: now) }

    package mutating func disconnect(at now: Duration) { responder.disconnect(at: now) }

    package var connectionCount: Int { responder.connectionCount }

    package var isSessionOpen: Bool { responder.isSessionOpen }

    // MARK: Time

    package var nextDeadline: Duration? {
        maker.nextDeadline.earlier(responder.nextDeadline).earlier(pairings.nextTime).earlier(answers.nextTime)
    }

    package mutating func advance(to now: Duration) {
        while let (_, id) = pairings.takeNext(dueBy: now) { responder.admit(id, at: now) }
        maker.advance(to: now)
        while let (_, late) = answers.takeNext(dueBy: now) { responder.answer(late.answer, to: late.transaction) }
        passed = now
    }

    package mutating func work(at now: Duration, into outputs: inout [BodyOutput]) -> Bool {
        if takePending(into: &outputs) { return true }
        if let passed {
            self.passed = nil
            responder.advance(to: passed)
        }
        guard let action = responder.nextAction(at: now) else { return false }
        perform(action, at: now, into: &outputs)
        takePending(into: &outputs)
        return true
    }

    private mutating func perform(_ action: ResponderAction, at now: Duration, into outputs: inout [BodyOutput]) {
        switch action {
        case .send(let id, let bytes): outputs.append(.send(id, bytes))
        case .close(let id): outputs.append(.close(id))
        case .initiatorAsks(let id, let request): decide(on: id, request, at: now, into: &outputs)
        case .initiatorConnected: outputs.append(.log("connected"))
        case .perform(let request):
            outputs.append(.log(Self.describe(request)))
            let transaction = request.transaction
            guard let answer = maker.perform(request, at: now) else { return responder.forget(transaction) }
            guard answer.delay > .zero else { return responder.answer(answer, to: transaction) }
            answers.plan(LateAnswer(transaction: transaction, answer: answer), at: now + answer.delay)
        case .answered(let transaction): maker.answered(transaction, at: now)
        case .brokeOff(let transaction): maker.brokeOff(transaction, arriving: now + latency)
        case .cancelled(let transaction):
            maker.cancelled(transaction)
            outputs.append(.log("transaction \(transaction) cancelled"))
        case .initiatorDisconnected(let leave):
            outputs.append(.log(leave == .lost ? "connection lost" : "disconnected"))
            outputs.append(.fact(.left(isOrderly: leave != .lost)))
            answers = Schedule()
            maker.initiatorDisconnected(at: now)
        case .note(let note): outputs.append(.log(note))
        }
    }

    /// Delivers the outputs of the maker's body. Stops after a fault of the link.
    @discardableResult
    private mutating func takePending(into outputs: inout [BodyOutput]) -> Bool {
        guard !maker.outputs.isEmpty else { return false }
        var count = 0
        drain: for output in maker.outputs {
            count += 1
            switch output {
            case .event(let event): responder.send(event)
            case .exposed(let frame): outputs.append(.exposed(frame))
            case .fact(let fact): outputs.append(.fact(fact))
            case .log(let line): outputs.append(.log(line))
            case .link(let fault):
                outputs.append(.link(fault))
                break drain
            }
        }
        maker.outputs.removeFirst(count)
        return true
    }

    private mutating func decide(
        on id: ConnectionID,
        _ request: InitCommandRequest,
        at now: Duration,
        into outputs: inout [BodyOutput]
    ) {
        // The connection stays open, and the slot is free when the initiator has closed it.
        guard maker.answersInit(at: now) else { return }
        if let reason = faults.take({ if case .initFail(let reason, _) = $0 { reason } else { nil } }) {
            outputs.append(.log("fault: initiator rejected with reason \(reason)"))
            return responder.reject(id, InitFailReason(rawValue: reason), at: now)
        }
        if rejectsStranger(request, at: now) {
            outputs.append(.log("fault: the body does not wait for this initiator"))
            return responder.reject(id, .rejectedInitiator, at: now)
        }
        if let delay = faults.first({ if case .pairing(let delay) = $0 { delay } else { nil } }) {
            outputs.append(.log("fault: the initiator waits for the confirmation on the body"))
            return pairings.plan(id, at: now + delay)
        }
        responder.admit(id, at: now)
    }

    /// Whether the body does not wait for a connection yet, or is paired with another initiator.
    private mutating func rejectsStranger(_ request: InitCommandRequest, at now: Duration) -> Bool {
        let begin = firstAskedAt ?? now
        firstAskedAt = begin
        return faults.first { fault -> Bool? in
            switch fault {
            case .notWaiting(let time) where now < begin + time: true
            case .paired(let guid) where guid != request.guid: true
            default: nil
            }
        } ?? false
    }

    // MARK: End of faults, loss of power

    package mutating func clearFaults(mode: DialMode, at now: Duration, into outputs: inout [BodyOutput]) -> Bool {
        let breaks = maker.clearFaults(mode: mode, at: now)
        while takePending(into: &outputs) {}
        faults = ActiveFaults([])
        responder.options.operations = maker.operations
        responder.options.slotHold = maker.slotHold
        responder.options.idleLimit = maker.idleLimit
        responder.options.probeInterval = nil
        if isWindowOfFault { responder.options.sendWindow = nil }
        maker.adjust(&responder.options)
        while let (_, id) = pairings.takeNext() { responder.admit(id, at: now) }
        return breaks
    }

    package mutating func losePower(at now: Duration) {
        maker.losePower(at: now)
        responder = ResponderSession(options: responder.options)
        pairings = Schedule()
        answers = Schedule()
        maker.outputs = []
        passed = nil
    }

    package static func otherClient(number: Int) -> (any OtherClient)? { PTPIPOtherClient(number: number) }

    // MARK: Meaning of bytes for the rules

    package static func meaning(of bytes: ByteBuffer) -> DriverSignal? {
        if let transaction = Maker.transactionOfPress(bytes) { return .press(CommandID(rawValue: UInt64(transaction))) }
        return bytes.isCloseSession ? .sessionClosing : nil
    }
}

extension ByteBuffer {
    fileprivate var isCloseSession: Bool {
        getInteger(at: readerIndex + 12, endianness: .little, as: UInt16.self) == 0x1003
    }
}
