import PTP

/// The pairing of a body with this computer.
extension NikonPTPIP {
    mutating func finishPairing(_ pairing: NikonPairing, _ result: OperationResult, in turn: inout DriverTurn) {
        switch pairing {
        case .first: finishPairingInfo(result, requests: 0, isRefused: false, in: &turn)
        case .polling(let count, let isRefused):
            finishPairingInfo(result, requests: count + 1, isRefused: isRefused, in: &turn)
        case .mode: finishPairedMode(result, in: &turn)
        case .confirming(let pin): finishConfirmation(of: pin, result, in: &turn)
        }
    }

    /// The first step. A number that waits for its confirmation, and a known pairing, need no dialog.
    var firstPairing: NikonSetUp.Step {
        guard body.abilities.canPair else { return .vendorList }
        let isAsked = !known.isPaired && known.awaitedPIN == nil
        return isAsked || !has(.nikonChangeApplicationMode) ? .pairing(.first) : .pairing(.mode)
    }

    /// The body answers with data while it shows the dialog. Only then the pairing continues.
    private mutating func finishPairingInfo(
        _ result: OperationResult,
        requests: Int,
        isRefused: Bool,
        in turn: inout DriverTurn
    ) {
        if result.isSuccess, let pin = NikonPairingPIN(decoding: result.data) {
            return setUp.go(to: .pairing(.confirming(pin)))
        }
        // A busy body may be about to show its dialog.
        let isAsked = isRefused || result.code == .deviceBusy && requests < NikonLimits.pairingRequestsMax
        guard isAsked else { return setUp.go(to: has(.nikonChangeApplicationMode) ? .pairing(.mode) : .vendorList) }
        guard requests < NikonLimits.pairingRequestsMax else {
            let event = CameraEvent.refused(result.code == .deviceBusy ? .inUse : .notPaired)
            return common.ending = .close(event)
        }
        setUp.go(to: .pairing(.polling(count: requests, isRefused: isRefused)))
        setUp.notBefore = turn.now + timing.pairingPoll
    }

    /// A paired body accepts the application mode. A busy body says nothing about the pairing.
    private mutating func finishPairedMode(_ result: OperationResult, in turn: inout DriverTurn) {
        if result.code == .deviceBusy {
            return tryAgain(.applicationMode(isOn: true), result, at: turn.now)
        }
        known.isPaired = result.code == .ok
        body.modes.isApplication = result.code == .ok
        if result.code == .ok {
            known.awaitedPIN = nil
            return setUp.go(to: .vendorList)
        }
        known.entered.isApplication = false
        if let awaited = known.awaitedPIN, turn.now < awaited.until {
            return common.ending = .close(.refused(.notWaiting(NikonSessionSentences.confirm(awaited.pin))))
        }
        known.awaitedPIN = nil
        setUp.go(to: .pairing(.polling(count: 0, isRefused: true)))
    }

    /// After the confirmation the user confirms too, and the body restarts its access point. Until then nothing more
    /// may be sent (OpenZCine).
    private mutating func finishConfirmation(
        of pin: NikonPairingPIN,
        _ result: OperationResult,
        in turn: inout DriverTurn
    ) {
        guard result.code == .ok else {
            turn.note(NikonSessionSentences.pairingRefused(result.code))
            return common.ending = .close(.refused(.notPaired))
        }
        let until = turn.now + timing.pairing
        known.awaitedPIN = (pin, until)
        let refusal = Refusal.notWaiting(NikonSessionSentences.confirm(pin))
        common.ending = .drop(PTPIPDrop(refusal: refusal, pause: timing.pairingPause, until: until))
    }
}

extension Refusal {
    fileprivate static let notPaired = Refusal.notWaiting(NikonSessionSentences.notPaired)
}
