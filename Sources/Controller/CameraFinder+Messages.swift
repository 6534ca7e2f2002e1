import Cameras
import Statecharts

/// The facts that the finder reads about other parts. The core collects these facts again for each message.
///
/// The finder never stores these facts, because its decisions need the present values.
struct FinderFacts: Sendable {
    let goal: SearchGoal
    let connection: ConnectionFacts
    /// The driver in use. Each probe uses a copy of this driver, because the driver has learned about bodies.
    let driver: DriverSet
    /// The generation of the current camera's connections.
    let sessionGeneration: LinkGeneration
    let isListWatched: Bool
}

extension CameraFinder {
    // MARK: Messages of the queue

    mutating func receive(_ message: Message, _ facts: FinderFacts, in turn: inout Turn) {
        switch message {
        case .cameraReady:
            noteConnected(facts, in: &turn)
            lastPick = nil
        case .networkBack: forgetRefusals()
        case .cameraFound(let found):
            offer = nil
            if !isOccupied(found.address, facts) { turn.send(.addressFound(found)) }
        case .cameraNeeded, .cameraChosen:
            forgetRefusals()
            deliver(.wanted, facts, in: &turn)
        case .candidate(let generation, let event): receive(event, of: generation, facts, in: &turn)
        case .candidateOpened(let generation, let meeting): handOver(meeting, of: generation, facts, in: &turn)
        case .candidateRefused(let refusal):
            // A refusal counts only if no other camera can be tried.
            guard facts.connection.isDiscovering, refusal.isFinal, facts.goal.wantedCamera == nil,
                facts.goal.addresses(of: cameras).count <= 1
            else { break }
            turn.send(.onlyCameraRefused(refusal))
        case .waveOver:
            guard !candidates.contains(where: \.isOfWave) else { break }
            let goal = facts.goal
            let hasMore = chart.machine.behavior.hasMoreParts(of: scanned(goal), waveMax: goal.rules.waveMax)
            deliver(hasMore ? .partOver : .waveOver, facts, in: &turn)
        case .searchWanted(let isWanted): deliver(isWanted ? .begin : .end, facts, in: &turn)
        default: break
        }
    }

    // MARK: Messages of the same input

    mutating func receive(_ message: TurnMessage, _ facts: FinderFacts, in turn: inout Turn) {
        switch message {
        case .addressWanted: offerAddress(facts, in: &turn)
        case .searchWanted(let isWanted):
            if facts.goal.isSearched { turn.append(.enqueue(.searchWanted(isWanted))) }
        case .cameraRefused(let refusal): pause(refusal, facts, in: &turn)
        case .sessionToClose(let session): close(session, facts, in: &turn)
        case .connectionStopped: finishIfAlone(in: &turn)
        case .camerasWatched(let isWatched): deliver(isWatched ? .watched : .unwatched, facts, in: &turn)
        case .interfacesChanged: deliver(.networkChanged, facts, in: &turn)
        case .goalChanged: lastPick = nil
        case .camerasRestored(let rows): restoreFromLedger(rows, facts, in: &turn)
        default: break
        }
    }

    /// Gives the connection the address that it waits for, if an address is available.
    private mutating func offerAddress(_ facts: FinderFacts, in turn: inout Turn) {
        if !facts.goal.isSearched, facts.goal.addresses(of: cameras).isEmpty {
            let entry = JournalEntry(level: .warning, kind: .note, message: SearchSentences.noTarget)
            return turn.append(.journal(entry))
        }
        offerNext(facts, in: &turn)
    }

    /// Skips the address of a camera whose refusal is final, and reports whether other addresses can be tried.
    private mutating func pause(_ refusal: Refusal, _ facts: FinderFacts, in turn: inout Turn) {
        guard facts.goal.isSearched, refusal.isFinal, let address = facts.connection.address else { return }
        pause(address, for: CandidateModel.refusalPause, at: turn.now)
        let othersAreLeft = facts.goal.addresses(of: cameras).contains { $0 != address }
        turn.send(.othersAvailable(othersAreLeft))
    }

    /// Stores the connected camera's address, so that a later search tries this address first.
    private mutating func noteConnected(_ facts: FinderFacts, in turn: inout Turn) {
        guard let identity = facts.connection.identity, let offer = facts.connection.offer, !identity.id.isEmpty
        else { return }
        let row = CameraRow(
            id: identity.id,
            maker: identity.maker,
            model: identity.model,
            firmware: identity.firmware,
            address: offer.address.description,
            protocol: offer.protocol,
            path: offer.path,
            network: facts.goal.network.camera?.ssid ?? facts.goal.network.ssid
        )
        note(row)
        turn.send(.cameraNoted(row))
    }

    /// Adopts the cameras from the ledger.
    ///
    /// During a search these cameras are probed at once, because the ledger opens after the search has begun.
    private mutating func restoreFromLedger(_ rows: [CameraRow], _ facts: FinderFacts, in turn: inout Turn) {
        begin(with: rows)
        guard chart.isActive(.searching), !cameras.known.isEmpty else { return }
        offerNext(facts, in: &turn)
        probeKnown(facts, in: &turn)
    }

    // MARK: Inputs of the host

    mutating func receive(
        _ datagram: SSDPDatagram,
        _ facts: FinderFacts,
        in turn: inout Turn
    ) {
        let interface = facts.goal.network.snapshot?.interface(datagram.interface)
        if let offer = receive(datagram, on: interface, in: &turn) { probe(offer.address, facts, in: &turn) }
    }

    mutating func receive(_ event: HTTPEvent, of id: HTTPRequestID, _ facts: FinderFacts, in turn: inout Turn) {
        if let offer = receive(event, of: id, in: &turn) { probe(offer.address, facts, in: &turn) }
    }

    // MARK: The search's chart

    private mutating func deliver(_ input: Search.Input, _ facts: FinderFacts, in turn: inout Turn) {
        perform(chart.handle(input, at: turn.now), facts, in: &turn)
    }

    mutating func perform(_ outcome: ChartRun<SearchModel>.Outcome, _ facts: FinderFacts, in turn: inout Turn) {
        turn.publish(outcome.steps, level: .debug)
        for effect in outcome.effects {
            switch effect {
            case .listen:
                guard facts.goal.rules.ways.contains(.ssdp) || facts.isListWatched else { break }
                listen(on: facts.goal.interfaces, in: &turn)
            case .stopListening: stopListening(in: &turn)
            case .ask: ask(in: &turn)
            case .probeKnown: probeKnown(facts, in: &turn)
            case .probePart: probePart(facts, in: &turn)
            case .cancelProbes: cancelProbes(facts, in: &turn)
            }
        }
    }
}
