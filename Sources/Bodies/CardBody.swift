import Cameras
import NIOCore
import PTP

/// A PTP body that writes its frames to a card: its transfers, and the faults that are the same for every maker.
package protocol CardBody: PTPBody {
    var faults: ActiveFaults { get set }
    /// The frames exposed so far, in order.
    var card: [CardFrame] { get set }
    /// The part of a file in transfer; nil: none.
    var delivery: FileDelivery? { get set }
    /// The frame that is exposed, saved or set up now.
    var currentFrame: Int { get }

    /// Plans a failure of the link.
    mutating func plan(_ fault: BodyLinkFault, at time: Duration)
    /// Plans a turn of the mode dial.
    mutating func planTurn(to mode: DialMode, at time: Duration)
}

/// A part of a file in transfer to the initiator.
package struct FileDelivery: Equatable, Sendable {
    let transaction: UInt32
    let frame: Int
    let name: String
    /// Whether the answer contains the last byte of the file.
    var isLast: Bool
    /// How the link fails after the answer breaks off; nil: the answer does not break off.
    var linkFault: BodyLinkFault?
}

/// A file in transfer.
struct DeliveredFile {
    let frame: Int
    let name: String
    let content: ResponderContent
}

extension CardBody {
    // MARK: Faults

    /// Whether the link fails at this point of the current frame.
    mutating func fails(in phase: Fault.FramePhase) -> Bool {
        guard let fault = takeLinkFault(in: phase) else { return false }
        outputs.append(.link(fault))
        return true
    }

    mutating func takeLinkFault(in phase: Fault.FramePhase, of frame: Int? = nil) -> BodyLinkFault? {
        faults.takeLinkFault(in: phase, of: frame ?? currentFrame)
    }

    /// Turns the dial if a fault says so for the current frame.
    mutating func turnDialForFrame(at now: Duration) {
        let frame = currentFrame
        if let mode = faults.take({ if case .modeAtFrame(frame, let mode) = $0 { mode } else { nil } }) {
            planTurn(to: mode, at: now)
        }
    }

    /// Plans the turns of the dial after the first session began. Each fault `modeAfter` turns the dial only once.
    mutating func planTurnsOfSession(at now: Duration) {
        while let turn = faults.take({ if case .modeAfter(let delay, let mode) = $0 { (delay, mode) } else { nil } }) {
            planTurn(to: turn.1, at: now + turn.0)
        }
    }

    /// Whether a fault makes the body ignore a new speed for this frame.
    mutating func ignoresSpeed(for frame: Int) -> Bool {
        faults.take { fault -> Bool? in
            if case .ignoreSets(let only, _) = fault, only ?? frame == frame { true } else { nil }
        } != nil
    }

    /// Whether a fault makes the body ignore a new value of one of these properties.
    mutating func ignoresSet(of isChanged: (CameraProperty) -> Bool) -> Bool {
        faults.take { fault -> Bool? in
            if case .ignoreProperty(let property, _) = fault, isChanged(property) { true } else { nil }
        } != nil
    }

    /// Whether the body never reports this sign of a picture.
    func omits(_ sign: Fault.PictureSign) -> Bool { faults.first { $0 == .omits(sign) ? true : nil } ?? false }

    // MARK: Transfers

    /// The answer with a part of a file.
    mutating func deliver(
        _ file: DeliveredFile,
        from offset: Int,
        count: Int,
        in transaction: UInt32
    ) -> ResponderAnswer {
        var answer = ResponderAnswer.ok(file.content.part(from: offset, count: count))
        answer.waitsForNetwork = true
        let isLast = offset + count == file.content.count
        var delivery = FileDelivery(transaction: transaction, frame: file.frame, name: file.name, isLast: isLast)
        if let (after, back) = faults.takeTransferBreak(of: file.frame, from: offset, count: count) {
            answer.breaksAfter = after
            delivery.isLast = false
            delivery.linkFault = .broken(back: back)
        }
        self.delivery = delivery
        return answer
    }

    /// Handles an answer that the responder has sent completely.
    package mutating func answered(_ transaction: UInt32, at now: Duration) {
        guard let delivery, delivery.transaction == transaction else { return }
        self.delivery = nil
        guard delivery.isLast else { return }
        if let index = card.firstIndex(where: { $0.number == delivery.frame }) { card[index].isFetched = true }
        outputs.append(.log("\(delivery.name) fetched"))
    }

    /// Handles an answer that a fault cut at the planned byte. The link fails when that byte arrives.
    package mutating func brokeOff(_ transaction: UInt32, arriving time: Duration) {
        guard let delivery, delivery.transaction == transaction, let fault = delivery.linkFault else { return }
        self.delivery = nil
        plan(fault, at: time)
    }

    /// Handles a transaction that the initiator cancelled.
    package mutating func cancelled(_ transaction: UInt32) {
        if delivery?.transaction == transaction { delivery = nil }
    }

    /// Forgets a transfer whose missing part is never sent because of a fault.
    ///
    /// - Returns: whether there was one.
    mutating func endsBrokenDelivery() -> Bool {
        guard delivery?.linkFault != nil else { return false }
        delivery = nil
        return true
    }
}
