import Cameras
import NIOCore
import PTP

/// Sessions, modes, pairing and live view.
extension NikonBody {
    mutating func open(at now: Duration) -> ResponderAnswer {
        session = Session(openedAt: now)
        if !model.keepsEvents { queue.removeAll() }
        planTurnsOfSession(at: now)
        return .ok
    }

    /// The shortest session after which bodies answer the next Init packet (airnef).
    private static let sessionMin = Duration.seconds(1)

    mutating func close(at now: Duration) -> ResponderAnswer {
        let wasShort = session.map { now < $0.openedAt + Self.sessionMin } ?? false
        if wasShort, faults.first({ $0 == .earlyClose ? true : nil }) != nil {
            outputs.append(.log("fault: CloseSession came too early"))
            ignoresNextInit = true
        }
        noteModesLeftOn()
        initiatorDisconnected(at: now)
        return .ok
    }

    /// Logs the modes that the initiator should have ended before the session. A user finds such a body locked.
    private mutating func noteModesLeftOn() {
        if session?.isApplication == true { outputs.append(.log("the session ends in the application mode")) }
        if session?.isRemote == true { outputs.append(.log("the session ends in the remote mode")) }
    }

    /// Handles 0x9435. In an open dialog of a pairing, it disturbs the dialog (OpenZCine).
    mutating func changeApplicationMode(_ parameter: UInt32) -> ResponderAnswer {
        if case .showingPIN = pairing { pairing = .none }
        guard pairing == .paired else { return ResponderAnswer(.generalError) }
        session?.isApplication = parameter != 0
        return .ok
    }

    /// Handles 0x90C2.
    mutating func changeCameraMode(_ parameter: UInt32) -> ResponderAnswer {
        if model.refusesCameraMode || pairing != .paired, parameter != 0 {
            return ResponderAnswer(.nikonChangeCameraModeFailed)
        }
        session?.isRemote = parameter != 0
        return .ok
    }

    // MARK: Pairing

    /// The time from the first request until the body shows its PIN.
    private static let pinTime = Duration.milliseconds(500)
    /// How long the network of a body is down after a pairing.
    private static let restartTime = Duration.seconds(5)

    /// Handles 0x952B. UNSURE: the encoding of the PIN differs between bodies.
    mutating func pairingInfo(at now: Duration) -> ResponderAnswer {
        switch pairing {
        case .paired, .confirming: return ResponderAnswer(.generalError)
        case .none:
            pairing = .showingPIN(from: now + Self.pinTime)
            return ResponderAnswer(.deviceBusy)
        case .showingPIN(let from):
            guard now >= from else { return ResponderAnswer(.deviceBusy) }
            outputs.append(.log("the body shows the PIN \(model.pin)"))
            let pin = Array(model.pin.utf8)
            return .ok(ByteBuffer(bytes: model.hasWidePIN ? pin.flatMap { [$0, 0] } + [0, 0] : pin))
        }
    }

    mutating func confirmPairing(_ parameter: UInt32, at now: Duration) -> ResponderAnswer {
        guard parameter == 0x2001 else { return ResponderAnswer(.invalidParameter) }
        guard case .showingPIN(let from) = pairing, now >= from else { return ResponderAnswer(.generalError) }
        pairing = .confirming
        let delay = faults.first { if case .unpaired(let delay) = $0 { delay } else { nil } }
        schedule.plan(.pairingConfirmed, at: now + (delay ?? .zero))
        return .ok
    }

    mutating func pairingConfirmed() {
        pairing = .paired
        outputs.append(.log("the user has confirmed the pairing, and the body restarts its network"))
        outputs.append(.link(.broken(back: Self.restartTime)))
    }

    // MARK: Live view

    mutating func startLiveView() -> ResponderAnswer {
        guard shutter == .ready, inMemory == nil else { return ResponderAnswer(.deviceBusy) }
        session?.isLiveView = true
        sheet.set(.nikonLiveViewStatus, 1)
        return .ok
    }

    mutating func endLiveView() -> ResponderAnswer {
        session?.isLiveView = false
        sheet.set(.nikonLiveViewStatus, 0)
        return .ok
    }
}
