import Cameras
import Exposure
import NIOCore
import PTP

/// The values that ``PTPIPBody`` and the rules read from a Nikon body.
extension NikonBody {
    package var cameraID: String { "nikon:\(model.serialNumber)" }
    package var modelName: String { model.name }
    package var shownSpeed: BodySpeed { ofBody(speed) }

    /// Whether an exposure lasts until the initiator ends it.
    package var isButtonHeld: Bool {
        if case .open(let exposure) = shutter { exposure.ends == nil } else { false }
    }

    package var slotHold: Duration { options.slotHold ?? model.slotHold }
    package var idleLimit: Duration? { nil }

    /// Ten bytes that all bodies share, and the MAC address. The form is an assumption.
    package var guid: GUID {
        guard let guid = GUID(bytes: [UInt8](repeating: 0x4E, count: 10) + model.macAddress) else {
            preconditionFailure("a MAC address has 6 bytes")
        }
        return guid
    }

    package static func name(of code: OperationCode) -> String { code.nikonName }

    package func adjust(_ options: inout ResponderOptions) {
        options.sendsDataAtEnd = true
        options.splitsPackets = false
        options.firstConnectionNumber = faults.first { $0 == .connectionZero ? 0 : nil } ?? 1
        let reaction = faults.first { if case .probed(let fault) = $0 { fault } else { nil } }
        options.probeReaction =
            switch reaction {
            case .ignore: .ignore
            case .close: .close
            case nil: .answer
            }
    }

    package mutating func answersInit(at now: Duration) -> Bool {
        if now >= silentUntil, !ignoresNextInit { return true }
        ignoresNextInit = false
        outputs.append(.log("fault: the Init packet stays unanswered"))
        return false
    }

    /// Reads the fields of PTP/IP directly, without the driver's code.
    package static func transactionOfPress(_ bytes: ByteBuffer) -> UInt32? {
        let start = bytes.readerIndex
        let code = bytes.getInteger(at: start + 12, endianness: .little, as: UInt16.self)
        guard let code, [0x9207, 0x90C0, 0x90CB, 0x100E].contains(code) else { return nil }
        return bytes.getInteger(at: start + 14, endianness: .little)
    }

    // MARK: The user's actions, and the end of faults

    package mutating func turnDial(to mode: DialMode, at now: Duration) { planTurn(to: mode, at: now) }

    package mutating func turnSpeed(to speed: ShutterSpeed, at now: Duration) {
        schedule.plan(.speedTurned(NikonSpeedScale.value(of: speed)), at: now)
    }

    package mutating func setBattery(percent: Int, at now: Duration) { showBattery(Self.batteryLevel(percent)) }

    private mutating func showBattery(_ level: Int64) {
        guard sheet.number(.batteryLevel) != level else { return }
        sheet.set(.batteryLevel, level)
        reportChange(of: .batteryLevel)
    }

    /// Ends all faults and their effects, and turns the dial to `mode`.
    ///
    /// - Returns: whether an answer ends too early because of a fault. The missing part is never sent.
    package mutating func clearFaults(mode: DialMode, at now: Duration) -> Bool {
        faults = ActiveFaults([])
        schedule.cancel { $0.isFault }
        objectInfoFrom = .zero
        silentUntil = .zero
        ignoresNextInit = false
        lateBusy = .none
        pairing = .paired
        sheet.restore(from: model.sheet)
        let captured = options.batteryPercent.map(Self.batteryLevel) ?? model.sheet.number(.batteryLevel) ?? 0
        showBattery(captured)
        turnDial(to: mode)
        if case .stuck = shutter { pictureSaved(at: now) }
        // A user ends a Bulb exposure that a fault has begun.
        endBulb(at: now)
        showCounter()
        return endsBrokenDelivery()
    }

    /// Removes the power. Only the card, the settings and the pairing remain.
    package mutating func losePower(at now: Duration) {
        schedule = Schedule()
        session = nil
        queue.removeAll()
        delivery = nil
        shutter = .ready
        failure = nil
        lateBusy = .none
        inMemory = nil
        lastSet = .none
        objectInfoFrom = .zero
        silentUntil = .zero
        ignoresNextInit = false
        if pairing != .paired { pairing = .none }
        sheet.set(.nikonApplicationMode, 0)
        sheet.set(.nikonLiveViewStatus, 0)
        showCounter()
    }
}

extension NikonBody.ScheduledEvent {
    /// Whether the event is the effect of a fault.
    fileprivate var isFault: Bool {
        switch self {
        case .speedFallsBack, .bodyRecovers, .dialTurns, .linkFails, .pairingConfirmed: true
        case .speedShows, .speedTurned, .propertyShows, .focusSettles, .shutterOpens, .shutterCloses, .darkFrameEnds,
            .pictureSaved, .counterShows, .filesArrive:
            false
        }
    }
}

extension SimulatedCamera {
    package init(model: NikonModel, options: BodyOptions = BodyOptions()) {
        self.init(PTPIPBody(NikonBody(model: model, options: options), options: options), options: options)
    }
}
