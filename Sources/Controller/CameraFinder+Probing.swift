import Cameras
import Statecharts

// The selection of the addresses to probe, and the number of probes at the same time.

extension CameraFinder {
    // MARK: The connection's next address

    /// Selects the address that the connection tries next. The selection goes through the list of addresses in order.
    ///
    /// No other address is selected until the connection has received this address from the queue.
    mutating func offerNext(_ facts: FinderFacts, in turn: inout Turn) {
        guard facts.connection.isDiscovering, offer == nil else { return }
        let isSearched = facts.goal.isSearched
        let list = facts.goal.addresses(of: cameras).filter { !isSearched || !isAddressPaused($0, at: turn.now) }
        let start = lastPick.flatMap { list.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        guard let address = (list[start...] + list[..<start]).first(where: { !isOccupied($0, facts) }) else { return }
        lastPick = address
        offer(address, in: &turn)
    }

    private mutating func offer(_ address: CameraAddress, in turn: inout Turn) {
        offer = address
        turn.append(.enqueue(.cameraFound(offer(at: address))))
    }

    /// Whether the connection or a candidate already uses an address.
    ///
    /// Some cameras stopped working after two connection attempts at the same time.
    func isOccupied(_ address: CameraAddress, _ facts: FinderFacts) -> Bool {
        offer == address || facts.connection.occupiedAddress == address
            || candidates.contains { $0.address == address }
    }

    // MARK: Addresses to probe

    mutating func probeKnown(_ facts: FinderFacts, in turn: inout Turn) {
        forgetSilent(at: turn.now)
        for address in facts.goal.addresses(of: cameras) {
            add(address, isOfWave: false, attemptsMax: waveAttemptsMax, facts, in: &turn)
        }
        startQueuedProbes(facts, in: &turn)
    }

    mutating func probePart(_ facts: FinderFacts, in turn: inout Turn) {
        let called = Set(candidates.map(\.address))
        let room = max(0, Self.candidatesMax - candidates.count)
        let part = chart.machine.behavior.part(of: scanned(facts.goal), waveMax: facts.goal.rules.waveMax)
        for address in part.lazy.filter({ !called.contains($0) }).prefix(room) {
            add(address, isOfWave: true, attemptsMax: waveAttemptsMax, facts, in: &turn)
        }
        startQueuedProbes(facts, in: &turn)
        reportWaveOver(in: &turn)
    }

    /// Probes an address at which a camera announced itself.
    mutating func probe(_ address: CameraAddress, _ facts: FinderFacts, in turn: inout Turn) {
        guard chart.isActive(.searching), !isAddressPaused(address, at: turn.now) else { return }
        prioritize(address, facts, in: &turn)
        guard !isOccupied(address, facts) else { return }
        if facts.connection.isDiscovering, offer == nil, facts.goal.onlyAddress == nil {
            offer(address, in: &turn)
        } else if candidates.count(where: { !$0.isOfWave }) < Self.probesMax {
            add(address, isOfWave: false, attemptsMax: CandidateModel.attemptsMax, facts, in: &turn)
            startQueuedProbes(facts, in: &turn)
        }
    }

    /// Probes an address before the other addresses of its wave.
    private mutating func prioritize(_ address: CameraAddress, _ facts: FinderFacts, in turn: inout Turn) {
        guard let index = candidates.firstIndex(where: { $0.address == address && $0.isOfWave }),
            candidates[index].isWaiting, candidates.count(where: { !$0.isOfWave }) < Self.probesMax
        else { return }
        candidates[index].isOfWave = false
        reportWaveOver(in: &turn)
        startQueuedProbes(facts, in: &turn)
    }

    /// The number of probes of an address, known or not, for which only the schedule of waves is a reason.
    private var waveAttemptsMax: Int { chart.machine.behavior.isSlow ? 1 : CandidateModel.attemptsMax }

    private mutating func add(
        _ address: CameraAddress,
        isOfWave: Bool,
        attemptsMax: Int,
        _ facts: FinderFacts,
        in turn: inout Turn
    ) {
        let isOther = facts.goal.onlyAddress.map { $0 != address } ?? false
        guard !isOther, !isAddressPaused(address, at: turn.now), isOfWave || !isOccupied(address, facts) else { return }
        // The caller has already excluded the addresses of candidates from the wave.
        if isOfWave, offer == address || facts.connection.occupiedAddress == address { return }
        let model = CandidateModel(
            offer(at: address),
            wanted: facts.goal.wantedCamera,
            attemptsMax: attemptsMax,
            knownRefusal: refusals[address]
        )
        let generation = turn.nextGeneration()
        append(CandidateRun(generation: generation, isOfWave: isOfWave, run: ChartRun(model)), facts, in: &turn)
    }

    // MARK: The order of the probes

    /// Starts as many probes as are allowed at the same time. Known addresses come before those of a wave.
    ///
    /// Each address of a wave is probed once before any address is probed again. Most addresses have no camera, and a
    /// camera answers at once.
    mutating func startQueuedProbes(_ facts: FinderFacts, in turn: inout Turn) {
        // This loop makes no copies, because it runs after each event of hundreds of candidates.
        var busy = 0
        for index in candidates.indices where !candidates[index].isWaiting { busy += 1 }
        guard busy < Self.probesMax else { return }
        var (known, first, again): ([LinkGeneration], [LinkGeneration], [LinkGeneration]) = ([], [], [])
        for index in candidates.indices where candidates[index].run.isActive(.queued) {
            let generation = candidates[index].generation
            if !candidates[index].isOfWave {
                known.append(generation)
            } else if candidates[index].wasProbed {
                again.append(generation)
            } else {
                first.append(generation)
            }
        }
        for generation in known + first + again {
            guard busy < Self.probesMax else { return }
            guard let index = index(of: generation) else { continue }
            // The connection may have begun to use this address while the probe waited.
            let address = candidates[index].address
            if offer == address || facts.connection.occupiedAddress == address {
                deliver(.withdrawn, to: generation, facts, in: &turn)
            } else {
                busy += 1
                candidates[index].driver = facts.driver.withoutSession(at: turn.now)
                candidates[index].link = LinkNetwork()
                deliver(.turn, to: generation, facts, in: &turn)
            }
        }
    }

    /// Cancels the probes, because no other camera is wanted. Complete handshakes are handled separately.
    mutating func cancelProbes(_ facts: FinderFacts, in turn: inout Turn) {
        for candidate in candidates where !candidate.run.isActive(.handshakeDone) {
            deliver(.withdrawn, to: candidate.generation, facts, in: &turn)
        }
    }
}

extension Camera {
    /// Returns a copy without a session. The copy keeps what the driver has learned about bodies.
    func withoutSession(at now: Duration) -> Self {
        var copy = self
        var actions: [CameraAction] = []
        // No command has this ticket. The driver does not answer `abandon`.
        copy.perform(.abandon, ticket: Ticket(rawValue: 0), at: now, into: &actions)
        return copy
    }
}
