import Cameras
import Statecharts

// Which addresses are called, how many at once, and which are left alone.

extension Core {
    mutating func callKnown(in turn: inout Turn) {
        finder.cameras.forgetSilent(at: turn.now)
        for address in callList { add(address, isOfWave: false, in: &turn) }
        giveTurns(in: &turn)
    }

    /// The ledger, which opens after the search has begun, tells of cameras that were met before.
    mutating func callMet(in turn: inout Turn) {
        guard finder.chart.isActive(.searching), !finder.cameras.known.isEmpty else { return }
        lookAgain(in: &turn)
        callKnown(in: &turn)
    }

    mutating func beginWave(in turn: inout Turn) {
        if configuration.search.ways.contains(.scan), onlyAddress == nil {
            let called = Set(finder.candidates.map(\.address))
            let room = max(0, CameraFinder.candidatesMax - finder.candidates.count)
            for address in Scan.addresses(searchInterfaces).lazy.filter({ !called.contains($0) }).prefix(room) {
                add(address, isOfWave: true, in: &turn)
            }
            giveTurns(in: &turn)
        }
        finder.reportWaveOver(in: &turn)
    }

    /// A camera told where it is.
    mutating func call(_ address: CameraAddress, in turn: inout Turn) {
        guard finder.chart.isActive(.searching), !finder.isResting(address, at: turn.now) else { return }
        hurry(address, in: &turn)
        guard !isCalled(address) else { return }
        if connection.isActive(.discovering), finder.offer == nil, onlyAddress == nil {
            name(address, in: &turn)
        } else if finder.candidates.count(where: { !$0.isOfWave }) < CameraFinder.callsMax {
            add(address, isOfWave: false, in: &turn)
            giveTurns(in: &turn)
        }
    }

    /// Who waits for a turn in a wave is called before the rest of it.
    private mutating func hurry(_ address: CameraAddress, in turn: inout Turn) {
        guard let index = finder.candidates.firstIndex(where: { $0.address == address && $0.isOfWave }),
            finder.candidates[index].run.isActive(.queued)
                || finder.candidates[index].run.isActive(.pausing),
            finder.candidates.count(where: { !$0.isOfWave }) < CameraFinder.callsMax
        else { return }
        finder.candidates[index].isOfWave = false
        finder.reportWaveOver(in: &turn)
        giveTurns(in: &turn)
    }

    /// No camera is greeted twice at once: that has wedged some.
    func isCalled(_ address: CameraAddress) -> Bool {
        finder.offer == address || isConnections(address) || finder.candidates.contains { $0.address == address }
    }

    /// Whether the connection itself greets this address, or gives it the time that it needs after a session.
    private func isConnections(_ address: CameraAddress) -> Bool {
        let machine = connection.machine
        guard machine.behavior.address == address else { return false }
        if machine.isActive(.discovering) || machine.isActive(.refused) { return false }
        if machine.isActive(.offNetwork) || machine.isActive(.released) { return false }
        return machine.isActive(.backingOff) ? machine.behavior.isInUse : machine.isActive(.running)
    }

    /// A camera that wants something from its owner is left alone, where others can be called.
    mutating func restRefusing(_ event: CameraEvent, _ ticket: Ticket?, at now: Duration) {
        guard case .refused(let refusal) = event, ticket == session.connectionTicket, isSearched,
            refusal.isFinal, let address = connection.machine.behavior.address
        else { return }
        finder.rest(address, for: CandidateModel.refusalRest, at: now)
        let othersAreLeft = callList.contains { $0 != address }
        connection.inform { $0.othersAreLeft = othersAreLeft }
    }

    /// Tells the connection's chart whom it waits for, while that matters.
    mutating func tellWanted() {
        guard connection.isActive(.seeking) else { return }
        let wanted = wantedCamera
        guard wanted != connection.machine.behavior.wanted else { return }
        connection.inform { $0.wanted = wanted }
    }

    // MARK: Turns

    private mutating func add(_ address: CameraAddress, isOfWave: Bool, in turn: inout Turn) {
        let isOther = onlyAddress.map { $0 != address } ?? false
        guard !isOther, !finder.isResting(address, at: turn.now), isOfWave || !isCalled(address) else { return }
        // A wave has looked at the candidates already.
        if isOfWave, finder.offer == address || isConnections(address) { return }
        let isRescan = isOfWave && finder.chart.machine.behavior.isRescan
        let model = CandidateModel(
            address,
            wanted: wantedCamera,
            callsMax: isRescan ? 1 : CandidateModel.callsMax,
            knownRefusal: finder.refusals[address]
        )
        let candidate = CandidateRun(generation: finder.nextGeneration(), isOfWave: isOfWave, run: ChartRun(model))
        append(candidate, in: &turn)
    }

    /// As many as may be called at once are: those that are known before those of a wave, and each address of a wave
    /// once before any of them is called again, for most have nobody, and who is there answers at once.
    mutating func giveTurns(in turn: inout Turn) {
        // Asked with whatever happens to any of some hundred candidates: looks at them where they are.
        var busy = 0
        for index in finder.candidates.indices where !finder.candidates[index].isWaiting { busy += 1 }
        guard busy < CameraFinder.callsMax else { return }
        var (known, first, again): ([LinkGeneration], [LinkGeneration], [LinkGeneration]) = ([], [], [])
        for index in finder.candidates.indices where finder.candidates[index].run.isActive(.queued) {
            let generation = finder.candidates[index].generation
            if !finder.candidates[index].isOfWave {
                known.append(generation)
            } else if finder.candidates[index].wasCalled {
                again.append(generation)
            } else {
                first.append(generation)
            }
        }
        for generation in known + first + again {
            guard busy < CameraFinder.callsMax else { return }
            guard let index = finder.index(of: generation) else { continue }
            // The connection may have begun to call it since.
            let address = finder.candidates[index].address
            if finder.offer == address || isConnections(address) {
                deliver(.calledOff, to: generation, in: &turn)
            } else {
                busy += 1
                finder.candidates[index].driver = session.driverWithoutSession(at: turn.now)
                deliver(.turn, to: generation, in: &turn)
            }
        }
    }

    /// Nobody else is wanted. Who was met is told when it is known whether it is taken.
    mutating func callOff(in turn: inout Turn) {
        for candidate in finder.candidates where !candidate.run.isActive(.met) {
            deliver(.calledOff, to: candidate.generation, in: &turn)
        }
    }
}
