/// Pictures that this computer has no space for.
extension SonyPTPIP {
    /// A picture that exists only in the camera waits in the buffer until this computer has space. Every command that
    /// needs an empty buffer waits too. After a time limit the command ends with a sentence for the user.
    mutating func decideWithoutRoom(in turn: inout DriverTurn) -> SonyNextAction? {
        guard let held = drain.held, let (ticket, since) = blockedByBuffer else { return nil }
        guard turn.now >= max(held.since, since) + timing.room else { return nil }
        return end(.failed(.other(TransferSentences.noSpace)), ticket, in: &turn)
    }

    /// The command that waits for an empty buffer, and the time since when it waits.
    private var blockedByBuffer: (Ticket, since: Duration)? {
        switch activity {
        case .settingSpeed(let setting): return (setting.ticket, setting.since)
        case .settingProperty(let setting): return (setting.ticket, setting.since)
        case .awaitingIdle(let ticket, let since): return (ticket, since)
        case .capturing(let capture):
            switch capture.step {
            case .checking where capture.outcome == nil, .finishing: return (capture.ticket, capture.since)
            case .checking, .focusing, .pressing, .holding, .exposing: return nil
            }
        case .takingLiveView(let taking, _): return taking.until == nil ? (taking.ticket, taking.since) : nil
        case .idle, .readingSpeed, .resolving: return nil
        }
    }
}
