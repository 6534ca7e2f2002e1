import JSON

/// Lists and transfers the files on the card: the body changes its function, and afterwards changes back.
extension SonyHTTP {
    static let contentsFunction = "Contents Transfer"

    mutating func decide(_ work: SonyHTTPContentsWork, in turn: inout DriverTurn) -> SonyHTTPNextAction {
        if turn.now < work.notBefore { return .wait(until: work.notBefore) }
        switch work.step {
        case .entering: return enter(work, in: &turn)
        case .schemes: return .perform(.contents(SonyHTTPCall(.getSchemeList)))
        case .sources(let schemes):
            guard let scheme = schemes.first else { return giveUp(work, SonyHTTPContentsSentences.noCard, in: &turn) }
            return .perform(.contents(SonyHTTPCall(.getSourceList, [["scheme": .string(scheme)]])))
        case .count(let source):
            return .perform(
                .contents(
                    SonyHTTPCall(.getContentCount, [["uri": .string(source), "target": "all", "view": "flat"]])
                )
            )
        case .page(let source, let from, let count): return readPage(work, source, from: from, count: count, in: &turn)
        case .fetching(let next, let failed): return fetch(work, next, failed: failed, in: &turn)
        case .returning(let event): return leave(work, event, in: &turn)
        }
    }

    private mutating func change(
        _ work: SonyHTTPContentsWork,
        to step: SonyHTTPContentsWork.Step,
        at now: Duration
    ) -> SonyHTTPNextAction {
        var next = work
        next.step = step
        next.until = now + timing.ready
        next.hasSetFunction = false
        activity = .contents(next)
        return .again
    }

    private mutating func giveUp(
        _ work: SonyHTTPContentsWork,
        _ sentence: String,
        in turn: inout DriverTurn
    ) -> SonyHTTPNextAction {
        change(work, to: .returning(.failed(.other(sentence))), at: turn.now)
    }

    // MARK: The function

    private mutating func enter(_ work: SonyHTTPContentsWork, in turn: inout DriverTurn) -> SonyHTTPNextAction {
        if state.function == Self.contentsFunction, state.status == .contentsTransfer {
            return change(work, to: .schemes, at: turn.now)
        }
        // The change can delete the post-view pictures.
        guard pictures.isEmpty || turn.now >= work.until else { return .wait(until: work.until) }
        guard work.hasSetFunction || state.has(.setCameraFunction) else {
            return end(.failed(.other(SonyHTTPContentsSentences.unsupported)), work.ticket, in: &turn)
        }
        return setFunction(work, Self.contentsFunction, in: &turn) { driver, turn in
            let sentence = SonyHTTPContentsSentences.functionNotChanged(Self.contentsFunction)
            return driver.giveUp(work, sentence, in: &turn)
        }
    }

    private mutating func leave(
        _ work: SonyHTTPContentsWork,
        _ event: CameraEvent,
        in turn: inout DriverTurn
    ) -> SonyHTTPNextAction {
        let isBack = state.function == nil || state.function == Self.shootingFunction
        if isBack, state.isReadyToShoot { return end(event, work.ticket, in: &turn) }
        return setFunction(work, Self.shootingFunction, in: &turn) { driver, turn in
            let sentence = SonyHTTPContentsSentences.functionNotChanged(Self.shootingFunction)
            return driver.end(.failed(.other(sentence)), work.ticket, in: &turn)
        }
    }

    /// Asks for a function once, and then waits until the body reports it. The answer 0 means only "started".
    private mutating func setFunction(
        _ work: SonyHTTPContentsWork,
        _ function: String,
        in turn: inout DriverTurn,
        late: (inout SonyHTTP, inout DriverTurn) -> SonyHTTPNextAction
    ) -> SonyHTTPNextAction {
        if turn.now >= work.until { return late(&self, &turn) }
        guard !work.hasSetFunction, state.function != function, state.has(.setCameraFunction) else {
            return readStateRarely(in: &turn)
        }
        var next = work
        next.hasSetFunction = true
        activity = .contents(next)
        functionAskedAt = turn.now
        return .perform(.function(function))
    }

    // MARK: The list

    private mutating func readPage(
        _ work: SonyHTTPContentsWork,
        _ source: String,
        from: Int,
        count: Int,
        in turn: inout DriverTurn
    ) -> SonyHTTPNextAction {
        guard !work.isComplete, from < min(count, SonyHTTPLimits.contentsMax) else {
            var next = work
            next.isCut = from < count
            return finishList(next, in: &turn)
        }
        let parameter: JSONValue = [
            "uri": .string(source), "stIdx": .int(from), "cnt": .int(SonyHTTPLimits.pageMax), "view": "flat",
            "sort": "descending",
        ]
        return .perform(.contents(SonyHTTPCall(.getContentList, [parameter])))
    }

    private mutating func finishList(_ work: SonyHTTPContentsWork, in turn: inout DriverTurn) -> SonyHTTPNextAction {
        switch work.request {
        case .list, .listSelected, .getSelected:
            return change(work, to: .returning(.files(.listed(work.found.map(\.file)))), at: turn.now)
        case .get(let uris):
            let missing = uris.filter { uri in !work.found.contains { $0.file.uri == uri } }
            guard missing.isEmpty else {
                let sentence =
                    work.isCut
                    ? SonyHTTPContentsSentences.tooManyFiles(missing, SonyHTTPLimits.contentsMax)
                    : SonyHTTPContentsSentences.unknownFiles(missing)
                return giveUp(work, sentence, in: &turn)
            }
            return change(work, to: .fetching(next: 0, failed: 0), at: turn.now)
        }
    }

    /// Transfers one picture after the other, so that no list of pictures becomes too long.
    private mutating func fetch(
        _ work: SonyHTTPContentsWork,
        _ next: Int,
        failed: Int,
        in turn: inout DriverTurn
    ) -> SonyHTTPNextAction {
        guard pictures.isEmpty else { return .wait(until: nil) }
        var (next, failed) = (next, failed)
        while pictures.isEmpty {
            if pictures.takeFailure() { failed += 1 }
            guard next < work.found.count else {
                return change(work, to: .returning(CameraFileAnswer.event(of: next, failed: failed)), at: turn.now)
            }
            pictures.add(work.found[next], at: address, of: identity?.id, in: &turn)
            pictures.skipWithoutRoom(in: &turn)
            next += 1
        }
        return change(work, to: .fetching(next: next, failed: failed), at: turn.now)
    }

    // MARK: Answers

    mutating func finishContents(_ task: SonyHTTPTask, _ answer: SonyHTTPAnswer, in turn: inout DriverTurn) {
        guard case .contents(let work) = activity else { return }
        switch answer {
        case .error(let error):
            if error.isPassing, turn.now < work.until {
                // Right after the change of its function a body can reject every call (40401).
                var next = work
                next.notBefore = turn.now + timing.again
                if case .function = task { next.hasSetFunction = false }
                activity = .contents(next)
                return
            }
            // A change of the function that failed ends with the wait for it.
            if case .function = task { return }
            let sentence =
                error == .timeout
                ? SonyHTTPContentsSentences.slow(task.name) : SonyHTTPContentsSentences.refused(task.name, error)
            _ = giveUp(work, sentence, in: &turn)
        case .result(let result): adopt(result, work, in: &turn)
        }
    }

    private mutating func adopt(_ result: [JSONValue], _ work: SonyHTTPContentsWork, in turn: inout DriverTurn) {
        let list = result.first?.arrayValue?.prefix(SonyHTTPLimits.namesMax) ?? []
        switch work.step {
        case .schemes: _ = change(work, to: .sources(list.compactMap { $0["scheme"]?.shownText }), at: turn.now)
        case .sources:
            guard let source = list.lazy.compactMap({ $0["source"]?.shownText }).first else {
                _ = giveUp(work, SonyHTTPContentsSentences.noCard, in: &turn)
                return
            }
            _ = change(work, to: .count(source: source), at: turn.now)
        case .count(let source):
            guard let count = result.first?["count"]?.intValue else {
                _ = giveUp(work, SonyHTTPContentsSentences.refused("getContentCount", .illegalResponse), in: &turn)
                return
            }
            _ = change(work, to: .page(source: source, from: 0, count: max(count, 0)), at: turn.now)
        case .page(let source, let from, let count):
            var next = work
            let isOld = next.add(list.compactMap { SonyHTTPContent($0) })
            // An empty page ends the list, whatever the body counted.
            let end = isOld || list.isEmpty ? 0 : count
            _ = change(next, to: .page(source: source, from: from + list.count, count: end), at: turn.now)
        case .entering, .fetching, .returning: break
        }
    }
}
