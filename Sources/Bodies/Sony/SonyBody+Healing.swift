/// The user's actions on a body, and the end of its faults.
extension SonyBody {
    /// Ends all faults and their effects; the dial is set to `mode`.
    ///
    /// - Returns: whether an answer would have broken off: its end never comes.
    package mutating func heal(mode: DialMode, at now: Duration) -> Bool {
        faults = ActiveFaults([])
        agenda.cancel { $0.isFault }
        objectInfoFrom = .zero
        setBattery(percent: nil)
        turnDial(to: mode)
        switch shutter {
        case .stuck(.busy): pictureSaved(at: now)
        case .stuck(.preparing): bufferHeals(at: now)
        case .ready, .releasing, .open, .darkFrame, .saving: break
        }
        refresh(at: now)
        guard let delivery, delivery.back != nil else { return false }
        self.delivery = nil
        return true
    }

    /// Only the card and the settings remain.
    package mutating func losePower(at now: Duration) {
        agenda = Agenda()
        session = .none
        readSpeed = nil
        toldChanges = nil
        delivery = nil
        buttons = Buttons()
        focus = .idle
        shutter = .ready
        buffer.removeAll()
        lastSet = .none
        objectInfoFrom = .zero
        refreshSheet()
    }

    package mutating func turnDial(to mode: DialMode, at now: Duration) { agenda.plan(.dialTurns(mode), at: now) }

    package mutating func setBattery(percent: Int, at now: Duration) {
        setBattery(percent: percent)
        refresh(at: now)
    }
}

extension SonyBody.Happening {
    /// Whether it is the effect of a fault.
    fileprivate var isFault: Bool {
        switch self {
        case .speedFallsBack, .bodyHeals, .bufferHeals, .dialTurns, .linkFails: true
        case .speedShows, .speedTurned, .propertyShows, .focusSettles, .shutterOpens, .shutterCloses, .darkFrameEnds,
            .pictureSaved,
            .filesArrive, .event:
            false
        }
    }
}
