import Cameras
import Exposure
import NIOCore
import PTP

/// The values that ``PTPIPBody`` and the rules read from a Canon body.
extension CanonBody {
    package var cameraID: String { "canon:\(model.serialNumber)" }
    package var modelName: String { model.name }
    package var shownSpeed: BodySpeed { speed.ofBody }
    package var isButtonHeld: Bool { buttons.half || buttons.full }
    package var slotHold: Duration { options.slotHold ?? model.slotHold }
    package var idleLimit: Duration? { nil }

    package func discovery(at host: IPAddress, port: UInt16) -> BodyDiscovery? {
        let description = CanonDescription(model)
        let location = DescriptionURL(host: host, port: port, path: CanonDescription.path)
        return BodyDiscovery(.canon(model, at: location), description.files)
    }

    /// Eight zeros, 0001 and the MAC address, as in the Ack of a Canon body (vcam).
    package var guid: GUID {
        guard let guid = GUID(bytes: [UInt8](repeating: 0, count: 8) + [0x00, 0x01] + model.macAddress) else {
            preconditionFailure("a MAC address has 6 bytes")
        }
        return guid
    }

    package static func name(of code: OperationCode) -> String { code.canonName }

    /// Reads the fields of PTP/IP, of 0x9128 with the full press, and of 0x910F directly, without the driver's code.
    package static func transactionOfPress(_ bytes: ByteBuffer) -> UInt32? {
        let start = bytes.readerIndex
        switch bytes.getInteger(at: start + 12, endianness: .little, as: UInt16.self) {
        case 0x910F?: break
        case 0x9128?:
            let stages = bytes.getInteger(at: start + 18, endianness: .little, as: UInt32.self) ?? 0
            guard stages & 2 != 0 else { return nil }
        default: return nil
        }
        return bytes.getInteger(at: start + 14, endianness: .little)
    }

    // MARK: The user's actions, and the end of faults

    package mutating func turnDial(to mode: DialMode, at now: Duration) { schedule.plan(.dialTurns(mode), at: now) }

    package mutating func turnSpeed(to speed: ShutterSpeed, at now: Duration) {
        schedule.plan(.speedTurned(CanonShutterSpeed(speed)), at: now)
    }

    package mutating func setBattery(percent: Int, at now: Duration) { showBattery(Self.batteryLevel(percent)) }

    private mutating func showBattery(_ level: UInt32) {
        guard sheet.number(.canonBattery) != level else { return }
        sheet.set(.canonBattery, level)
        reportValue(of: .canonBattery)
    }

    /// Ends all faults and their effects, and turns the dial to `mode`.
    ///
    /// - Returns: whether an answer ends too early because of a fault. The missing part is never sent.
    package mutating func clearFaults(mode: DialMode, at now: Duration) -> Bool {
        faults = ActiveFaults([])
        schedule.cancel { $0.isFault }
        objectInfoFrom = .zero
        showBattery(options.batteryPercent.map(Self.batteryLevel) ?? model.dump.number(.canonBattery) ?? 0)
        turnDial(to: mode)
        if shutter == .stuck { pictureSaved(at: now) }
        showCounter()
        return endsBrokenDelivery()
    }

    /// Removes the power. Only the card and the settings remain.
    package mutating func losePower(at now: Duration) {
        schedule = Schedule()
        session = Session()
        delivery = nil
        buttons = Buttons()
        focus = .idle
        shutter = .ready
        buffered.removeAll()
        lastSet = .none
        objectInfoFrom = .zero
        showCounter()
    }
}

extension CanonBody.ScheduledEvent {
    /// Whether the event is the effect of a fault.
    fileprivate var isFault: Bool {
        switch self {
        case .speedFallsBack, .bodyRecovers, .dialTurns, .linkFails, .warnsOfPowerOff, .powersOff: true
        case .speedShows, .speedTurned, .propertyShows, .focusSettles, .focusReported, .shutterOpens, .shutterCloses,
            .darkFrameEnds, .pictureSaved, .counterShows, .filesArrive:
            false
        }
    }
}

extension CanonShutterSpeed {
    /// The speed in the form that is the same for all makers.
    package var ofBody: BodySpeed {
        if let shutterSpeed { return BodySpeed(shutterSpeed) }
        let milliseconds = exposureTime.map { max(1, Int(DurationText.milliseconds($0))) }
        return BodySpeed(reading, nominal: milliseconds.map { BodySpeed.Fraction($0, 1_000) })
    }
}

extension SimulatedCamera {
    package init(model: CanonModel, options: BodyOptions = BodyOptions()) {
        self.init(PTPIPBody(CanonBody(model: model, options: options), options: options), options: options)
    }
}
