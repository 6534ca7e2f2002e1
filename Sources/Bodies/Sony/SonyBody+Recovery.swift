/// The user's actions on a body, and the end of its faults.
extension SonyBody {
    /// Ends all faults and their effects, and turns the dial to `mode`.
    ///
    /// - Returns: whether an answer ends too early because of a fault. The missing part is never sent.
    package mutating func clearFaults(mode: DialMode, at now: Duration) -> Bool {
        faults = ActiveFaults([])
        schedule.cancel { $0.isFault }
        objectInfoFrom = .zero
        setBattery(percent: nil)
        turnDial(to: mode)
        switch shutter {
        case .stuck(.busy): pictureSaved(at: now)
        case .stuck(.preparing): bufferRecovers(at: now)
        case .ready, .releasing, .open, .darkFrame, .saving: break
        }
        refresh(at: now)
        guard let delivery, delivery.back != nil else { return false }
        self.delivery = nil
        return true
    }

    /// Removes the power. Only the card and the settings remain.
    package mutating func losePower(at now: Duration) {
        schedule = Schedule()
        session = .none
        readSpeed = nil
        reportedChanges = nil
        delivery = nil
        buttons = Buttons()
        focus = .idle
        shutter = .ready
        buffer.removeAll()
        lastSet = .none
        objectInfoFrom = .zero
        refreshSheet()
    }

    package mutating func turnDial(to mode: DialMode, at now: Duration) { schedule.plan(.dialTurns(mode), at: now) }

    package mutating func setBattery(percent: Int, at now: Duration) {
        setBattery(percent: percent)
        refresh(at: now)
    }
}

extension SonyBody.ScheduledEvent {
    /// Whether the event is the effect of a fault.
    fileprivate var isFault: Bool {
        switch self {
        case .speedFallsBack, .bodyRecovers, .bufferRecovers, .dialTurns, .linkFails: true
        case .speedShows, .speedTurned, .propertyShows, .focusSettles, .shutterOpens, .shutterCloses, .darkFrameEnds,
            .pictureSaved,
            .filesArrive, .event:
            false
        }
    }
}
