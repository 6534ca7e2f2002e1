import PTP

/// The maker before a body describes itself, and what the connections to its bodies need.
extension PTPIP {
    /// The row of the maker that the body probably has; nil: not known.
    var expectedRow: PTPIPMakerRow? { makers.first { $0.prefix == common.expectedMaker } }

    /// Notes the maker of the connect command, or else that of the last body at this address.
    mutating func expectMaker(_ prefix: String?) {
        let known = address.flatMap { common.knowledge.id(at: $0) }.flatMap(CameraOffer.maker(ofID:))
        maker.common.expectedMaker = prefix ?? known
    }

    /// Notes the maker by the name in Init_Command_Ack. On access points of cameras every body has the same address,
    /// so the name counts more than the address.
    mutating func expectMaker(ofBodyNamed name: String) {
        guard case .handshake(let handshake) = maker.stage, handshake.maker == nil else { return }
        let row = makers.first { row in row.namePrefixes.contains { name.hasPrefix($0) } }
        if let row { maker.common.expectedMaker = row.prefix }
    }

    var needs: PTPIPConnectionNeeds {
        if common.identity != nil { return makers.first { $0.prefix == makerPrefix }?.needs ?? .unknownMaker }
        return expectedRow?.needs ?? .unknownMaker
    }

    // MARK: The pause before a connection

    /// The end of the pause before a connection; nil: no connection waits.
    var pauseEnd: Duration? {
        guard case .handshake(let handshake) = maker.stage else { return nil }
        return if case .pausing(let until) = handshake.step { until } else { nil }
    }

    mutating func connectAfterPause(in turn: inout DriverTurn) {
        guard let pauseEnd, turn.now >= pauseEnd, case .handshake(let handshake) = maker.stage else { return }
        maker.common.stage = .handshake(PTPIPHandshake(handshake.ticket, maker: handshake.maker))
        run(in: &turn) { $0.connect(at: $1, into: &$2) }
    }

    /// The refusal of a body that another client uses, or that still holds the session that the driver dropped.
    mutating func busyRefusal(at now: Duration) -> Refusal {
        guard let address, let drop = lastEnd?.drop, lastEnd?.address == address, now < drop.until else {
            return .inUse
        }
        lastEnd?.nextAt = now + drop.pause
        return drop.refusal
    }

    // MARK: Probes

    /// Probes the event connection before the first operation, if the body may need that. A body that tolerates no
    /// probe gets the pause alone, which helps too (airnef).
    mutating func beginProbe(in turn: inout DriverTurn) {
        guard needs.isProbed, let address else { return }
        if common.knowledge.mayProbe(address) {
            sendProbe(limit: timing.firstProbe, in: &turn)
        } else {
            probe = .omitted(until: turn.now + timing.firstProbe)
        }
    }

    private mutating func sendProbe(limit: Duration, in turn: inout DriverTurn) {
        probe = .awaited(until: turn.now + limit)
        run(in: &turn) { session, _, told in session.probe(into: &told) }
    }

    /// Sends the next probe when it is due, and ends the wait for an answer. A late answer to a later probe does not
    /// count against the body: an exposure or a transfer can delay it.
    mutating func advanceProbe(in turn: inout DriverTurn) {
        guard let probeDeadline, turn.now >= probeDeadline else { return }
        switch probe {
        case .answered: sendProbe(limit: timing.laterProbe, in: &turn)
        case .awaited:
            probe = .unanswered
            turn.note(ConnectionSentences.probeUnanswered)
        case .omitted: probe = .unsent
        case .unsent, .unanswered: break
        }
    }

    /// The time of the next step about probes; nil: none is due.
    var probeDeadline: Duration? {
        switch probe {
        case .unsent, .unanswered: return nil
        case .awaited(let until), .omitted(let until): return until
        case .answered(let at):
            guard maker.stage.isConnected, let interval = needs.probeInterval else { return nil }
            return at + interval
        }
    }

    /// Notes a body that closes the connection or hangs after the first probe. It is not probed again.
    mutating func noteProbeClosed(_ loss: InitiatorSession.Loss) {
        guard case .handshake = maker.stage, let address else { return }
        switch (loss, probe) {
        case (.closed, .awaited), (.silent, .unanswered): maker.common.knowledge.noteProbeClosed(address)
        default: break
        }
    }
}
