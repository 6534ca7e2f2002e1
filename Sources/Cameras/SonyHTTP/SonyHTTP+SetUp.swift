import JSON

/// The set-up of a session (order: Development Guide v1.20, and the practice of rocc).
extension SonyHTTP {
    mutating func decide(_ setUp: SonyHTTPSetUp, in turn: inout DriverTurn) -> SonyHTTPNextAction {
        if turn.now < setUp.notBefore { return .wait(until: setUp.notBefore) }
        switch setUp.step {
        case .application: return .perform(.application)
        case .description(let index):
            guard index < Self.descriptionPlaces.count else { return endDescription(setUp, at: turn.now) }
            return .perform(.description(index))
        case .methods: return .perform(.methods)
        case .versions: return state.has(.getVersions) ? .perform(.versions) : go(setUp, to: .recMode)
        case .recMode: return startRecMode(setUp, at: turn.now)
        case .shooting: return awaitShooting(setUp, in: &turn)
        case .properties(let index): return readProperties(setUp, from: index, in: &turn)
        }
    }

    mutating func go(_ setUp: SonyHTTPSetUp, to step: SonyHTTPSetUp.Step) -> SonyHTTPNextAction {
        var next = setUp
        next.step = step
        next.until = nil
        stage = .settingUp(next)
        return .again
    }

    private mutating func change(
        _ setUp: SonyHTTPSetUp,
        _ change: (inout SonyHTTPSetUp) -> Void
    ) -> SonyHTTPNextAction {
        var next = setUp
        change(&next)
        stage = .settingUp(next)
        return .again
    }

    /// Waits before the next call.
    private mutating func pause(_ setUp: SonyHTTPSetUp, at now: Duration) {
        var next = setUp
        next.notBefore = now + timing.again
        stage = .settingUp(next)
    }

    // MARK: The shooting mode

    /// Only bodies that need `startRecMode` offer it. The answer comes when the body has changed its mode.
    private mutating func startRecMode(_ setUp: SonyHTTPSetUp, at now: Duration) -> SonyHTTPNextAction {
        guard state.has(.startRecMode) else { return go(setUp, to: .shooting) }
        let until = now + timing.ready
        if setUp.until == nil { _ = change(setUp) { $0.until = until } }
        return .perform(.recMode)
    }

    /// Waits until the body can shoot still pictures. A body in a menu becomes ready later, so the wait has a limit.
    private mutating func awaitShooting(_ setUp: SonyHTTPSetUp, in turn: inout DriverTurn) -> SonyHTTPNextAction {
        let latest = turn.now + timing.ready
        guard let until = setUp.until else { return change(setUp) { $0.until = latest } }
        guard state.wholeAt != nil else { return .perform(.state) }
        if let function = state.function, function != Self.shootingFunction, state.has(.setCameraFunction),
            !setUp.hasSetFunction
        {
            _ = change(setUp) { $0.hasSetFunction = true }
            return .perform(.function(Self.shootingFunction))
        }
        // Some bodies answer with an error if the mode is set to its present value (rocc).
        if let mode = state.shootMode, mode != "still", state.has(.setShootMode), !setUp.hasSetShootMode {
            _ = change(setUp) { $0.hasSetShootMode = true }
            return .perform(.shootMode)
        }
        if isStillReady { return go(setUp, to: .properties(0)) }
        guard turn.now >= until else { return .perform(.state) }
        if let sentence = notReadySentence {
            refuse(.notWaiting(sentence), in: &turn)
            return .again
        }
        return go(setUp, to: .properties(0))
    }

    static let shootingFunction = "Remote Shooting"

    private var isStillReady: Bool {
        state.isReadyToShoot && state.shootMode ?? "still" == "still"
            && state.function ?? Self.shootingFunction == Self.shootingFunction
    }

    /// What prevents shooting, as far as the user can change it; nil: the body is only busy.
    private var notReadySentence: String? {
        if state.has(.startRecMode) { return SonyHTTPSentences.recModeNotStarted }
        if let function = state.function, function != Self.shootingFunction {
            return SonyHTTPSentences.otherFunction(function)
        }
        if let mode = state.shootMode, mode != "still" { return SonyHTTPSentences.otherShootMode(mode) }
        return nil
    }

    /// Reads the properties that the body has and that its events do not report. Old versions of events lack the drive
    /// mode, and no version lists the choices of the white balance.
    private mutating func readProperties(
        _ setUp: SonyHTTPSetUp,
        from start: Int,
        in turn: inout DriverTurn
    ) -> SonyHTTPNextAction {
        let table = SonyHTTPPropertyRow.table
        for index in start..<table.count {
            let row = table[index]
            guard state[row.property]?.candidates == nil, let reader = row.readers.first(where: state.has) else {
                continue
            }
            _ = go(setUp, to: .properties(index + 1))
            return .perform(.read(row.property, reader))
        }
        if let task = askSupported() { return .perform(task) }
        establish(setUp, in: &turn)
        return .again
    }

    /// Asks for the values that the model supports, if the body can set a property and lists no values for it now. An
    /// A6300 sends empty lists. Each property is asked for once.
    mutating func askSupported() -> SonyHTTPTask? {
        for row in SonyHTTPPropertyRow.table where row.form == .value && !supportedAsked.contains(row.property) {
            guard state.has(row.setter), let value = state[row.property], value.candidates?.isEmpty ?? true,
                state.has(.getSupported(row.setting))
            else { continue }
            supportedAsked.insert(row.property)
            return .read(row.property, .getSupported(row.setting))
        }
        return nil
    }

    private mutating func establish(_ setUp: SonyHTTPSetUp, in turn: inout DriverTurn) {
        guard let identity else { preconditionFailure("the description was read or skipped") }
        if isReducedApp { return refuse(.notWaiting(SonyHTTPSentences.reducedApp(application)), in: &turn) }
        stage = .connected
        connectedAt = turn.now
        pictures.skipOthers(than: identity.id, in: &turn)
        settleState()
        let status = status
        turn.report(.prepared(identity), setUp.ticket)
        reported = status
        turn.report(.status(status), setUp.ticket)
        turn.note(SonyHTTPSentences.onlyJPEG)
    }

    /// Whether the app of the body offers no shutter speed in any mode: the pre-installed "Smart Remote Embedded", or
    /// an action camera. Every other app offers at least a getter, whatever the mode dial shows.
    var isReducedApp: Bool {
        let methods: [SonyHTTPMethod] = [
            .setShutterSpeed, .getShutterSpeed, .getAvailable("ShutterSpeed"), .getSupported("ShutterSpeed"),
        ]
        return state.isReadyToShoot && !methods.contains(where: state.has) && state[.shutterSpeed] == nil
    }

    // MARK: Answers

    mutating func finish(
        _ setUp: SonyHTTPSetUp,
        _ task: SonyHTTPTask,
        _ answer: SonyHTTPAnswer,
        since: Duration,
        in turn: inout DriverTurn
    ) {
        if case .error(let error) = answer { return fail(setUp, task, error, in: &turn) }
        guard case .result(let result) = answer else { return }
        switch task {
        case .application:
            application = result.compactMap(\.shownText).joined(separator: " ")
            turn.note(SonyHTTPSentences.application(application))
            _ = go(setUp, to: .description(0))
        case .methods:
            state.adoptMethods(result, at: turn.now)
            _ = go(setUp, to: .versions)
        case .versions:
            eventVersion = SonyHTTPEventSlot.newest(of: result.first?.arrayValue?.compactMap(\.stringValue) ?? [])
            _ = go(setUp, to: .recMode)
        case .recMode: _ = go(setUp, to: .shooting)
        case .state:
            adoptEvent(result, askedAt: since, isWhole: true, in: &turn)
            if !isStillReady { pause(setUp, at: turn.now) }
        case .function, .shootMode: pause(setUp, at: turn.now)
        case .read(let property, let method):
            state.adopt(result, of: property, by: method, askedAt: since, at: turn.now)
        default: break
        }
    }

    private mutating func fail(
        _ setUp: SonyHTTPSetUp,
        _ task: SonyHTTPTask,
        _ error: SonyHTTPError,
        in turn: inout DriverTurn
    ) {
        let until = setUp.until ?? turn.now + timing.ready
        let mayTryAgain = error.isPassing && turn.now < until
        switch task {
        case .application where error == .notFound && !otherPaths.isEmpty: path = otherPaths.removeFirst()
        case .state where error == .unsupportedVersion:
            guard let older = SonyHTTPEventSlot.version(before: eventVersion) else { break }
            eventVersion = older
            return
        case .function, .shootMode:
            var next = setUp
            // Right after the connection a body can reject every call (40401).
            if error.isPassing, task == .shootMode { next.hasSetShootMode = false }
            if error.isPassing, task != .shootMode { next.hasSetFunction = false }
            pause(next, at: turn.now)
        case _ where mayTryAgain:
            var next = setUp
            next.until = until
            pause(next, at: turn.now)
        // The first call of a body without this method. Other errors come from other servers.
        case .application where error == .noSuchMethod || error == .unsupportedOperation:
            _ = go(setUp, to: .description(0))
        case .versions: _ = go(setUp, to: .recMode)
        case .recMode: _ = go(setUp, to: .shooting)
        case .read: break
        case .state where error.meansAbsent: refuse(.unsupported(SonyHTTPSentences.eventsMissing), in: &turn)
        default: refuse(.protocolError(SonyHTTPSentences.stepFailed(task.name, error)), in: &turn)
        }
        if case .state = task, error == .unsupportedVersion {
            refuse(.protocolError(SonyHTTPSentences.stepFailed(task.name, error)), in: &turn)
        }
    }
}
