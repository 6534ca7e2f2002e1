import Cameras
import Statecharts

// Which addresses are called, how many at once, and which are left alone.

extension Core {
    /// How many addresses are called at once; and how many wait for it beside those of a wave.
    package static let callsMax = 64
    /// How many wait or are called altogether: two networks of the largest size that is gone through.
    static let candidatesMax = 2048 + callsMax
    /// How many addresses rest at the most.
    static let restingMax = 256

    mutating func callKnown(in turn: inout Turn) {
        book.forgetSilent(at: turn.now)
        for address in callList { add(address, isOfWave: false, in: &turn) }
        giveTurns(in: &turn)
    }

    /// The ledger, which opens after the search has begun, tells of cameras that were met before.
    mutating func callMet(in turn: inout Turn) {
        guard search.machine.isActive(.searching), !book.known.isEmpty else { return }
        lookAgain(in: &turn)
        callKnown(in: &turn)
    }

    mutating func beginWave(in turn: inout Turn) {
        if configuration.search.ways.contains(.scan), onlyAddress == nil {
            let called = Set(candidates.map(\.address))
            let room = max(0, Self.candidatesMax - candidates.count)
            for address in Scan.addresses(searchInterfaces).lazy.filter({ !called.contains($0) }).prefix(room) {
                add(address, isOfWave: true, in: &turn)
            }
            giveTurns(in: &turn)
        }
        if !candidates.contains(where: \.isOfWave) { turn.append(.enqueue(.waveOver)) }
    }

    /// A camera told where it is.
    mutating func call(_ address: CameraAddress, in turn: inout Turn) {
        guard search.machine.isActive(.searching), !isResting(address, at: turn.now) else { return }
        hurry(address, in: &turn)
        guard !isCalled(address) else { return }
        if connection.machine.isActive(.discovering), named == nil, onlyAddress == nil {
            name(address, in: &turn)
        } else if candidates.count(where: { !$0.isOfWave }) < Self.callsMax {
            add(address, isOfWave: false, in: &turn)
            giveTurns(in: &turn)
        }
    }

    /// Who waits for a turn in a wave is called before the rest of it.
    private mutating func hurry(_ address: CameraAddress, in turn: inout Turn) {
        guard let index = candidates.firstIndex(where: { $0.address == address && $0.isOfWave }),
            candidates[index].run.machine.isActive(.queued) || candidates[index].run.machine.isActive(.pausing),
            candidates.count(where: { !$0.isOfWave }) < Self.callsMax
        else { return }
        candidates[index].isOfWave = false
        if !candidates.contains(where: \.isOfWave) { turn.append(.enqueue(.waveOver)) }
        giveTurns(in: &turn)
    }

    /// No camera is greeted twice at once: that has wedged some.
    func isCalled(_ address: CameraAddress) -> Bool {
        named == address || isConnections(address) || candidates.contains { $0.address == address }
    }

    /// Whether the connection itself greets this address, or gives it the time that it needs after a session.
    private func isConnections(_ address: CameraAddress) -> Bool {
        let machine = connection.machine
        guard machine.behavior.address == address else { return false }
        if machine.isActive(.discovering) || machine.isActive(.refused) { return false }
        if machine.isActive(.offNetwork) || machine.isActive(.released) { return false }
        return machine.isActive(.backingOff) ? machine.behavior.isInUse : machine.isActive(.running)
    }

    // MARK: Rest

    /// A user wants a camera, or the network changed: addresses that refused are called again, and reported anew.
    mutating func forgetRefusals() {
        resting.removeAll()
        refusals.removeAll()
    }

    mutating func note(_ refusal: Refusal, of address: CameraAddress) {
        if refusals.count >= Self.restingMax { refusals.removeAll() }
        refusals[address] = refusal
    }

    func isResting(_ address: CameraAddress, at now: Duration) -> Bool {
        resting[address].map { now < $0 } ?? false
    }

    /// Somebody is there who is not to be called again for a while.
    mutating func rest(_ address: CameraAddress, for time: Duration, at now: Duration) {
        resting = resting.filter { now < $0.value }
        if resting.count >= Self.restingMax, let first = resting.min(by: { $0.value < $1.value })?.key {
            resting[first] = nil
        }
        resting[address] = now + time
    }

    /// A camera that wants something from its owner is left alone, where others can be called.
    mutating func restRefusing(_ event: CameraEvent, _ ticket: Ticket?, at now: Duration) {
        guard case .refused(let refusal) = event, ticket == connectionTicket, isSearched,
            refusal.isFinal, let address = connection.machine.behavior.address
        else { return }
        rest(address, for: CandidateModel.refusalRest, at: now)
        let othersAreLeft = callList.contains { $0 != address }
        connection.inform { $0.othersAreLeft = othersAreLeft }
    }

    /// Tells the connection's chart whom it waits for, while that matters.
    mutating func tellWanted() {
        guard connection.machine.isActive(.seeking) else { return }
        let wanted = wantedCamera
        guard wanted != connection.machine.behavior.wanted else { return }
        connection.inform { $0.wanted = wanted }
    }

    // MARK: Turns

    private mutating func add(_ address: CameraAddress, isOfWave: Bool, in turn: inout Turn) {
        let isOther = onlyAddress.map { $0 != address } ?? false
        guard !isOther, !isResting(address, at: turn.now), isOfWave || !isCalled(address) else { return }
        // A wave has looked at the candidates already.
        if isOfWave, named == address || isConnections(address) { return }
        let isRescan = isOfWave && search.machine.behavior.isRescan
        let model = CandidateModel(
            address,
            wanted: wantedCamera,
            callsMax: isRescan ? 1 : CandidateModel.callsMax,
            knownRefusal: refusals[address]
        )
        let candidate = CandidateRun(generation: nextGeneration(), isOfWave: isOfWave, run: ChartRun(model))
        append(candidate, in: &turn)
    }

    mutating func nextGeneration() -> LinkGeneration {
        lastGeneration.rawValue &+= 1
        return lastGeneration
    }

    /// As many as may be called at once are: those that are known before those of a wave, and each address of a wave
    /// once before any of them is called again, for most have nobody, and who is there answers at once.
    mutating func giveTurns(in turn: inout Turn) {
        // Asked with whatever happens to any of some hundred candidates: looks at them where they are.
        var busy = 0
        for index in candidates.indices where !candidates[index].isWaiting { busy += 1 }
        guard busy < Self.callsMax else { return }
        var (known, first, again): ([LinkGeneration], [LinkGeneration], [LinkGeneration]) = ([], [], [])
        for index in candidates.indices where candidates[index].run.machine.isActive(.queued) {
            let generation = candidates[index].generation
            if !candidates[index].isOfWave {
                known.append(generation)
            } else if candidates[index].wasCalled {
                again.append(generation)
            } else {
                first.append(generation)
            }
        }
        for generation in known + first + again {
            guard busy < Self.callsMax else { return }
            guard let index = index(of: generation) else { continue }
            // The connection may have begun to call it since.
            let address = candidates[index].address
            if named == address || isConnections(address) {
                deliver(.calledOff, to: generation, in: &turn)
            } else {
                busy += 1
                giveTurn(to: generation, in: &turn)
            }
        }
    }

    /// Nobody else is wanted. Who was met is told when it is known whether it is taken.
    mutating func callOff(in turn: inout Turn) {
        for candidate in candidates where !candidate.run.machine.isActive(.met) {
            deliver(.calledOff, to: candidate.generation, in: &turn)
        }
    }
}
