import Controller
import Statecharts

// How the button and the stop act on the shoot: `ShootControl+Button.swift` and `ShootControl+Messages.swift`.

extension ModelRules {
    func isButton(_ state: Button.State, _ situation: Int) -> Bool { button.isActive(state, in: situation) }

    func isService(_ state: Service.State, _ world: ModelWorld) -> Bool { service.isActive(state, in: world.service) }

    // MARK: The button

    /// Adds the events of the line: a user presses and releases, the line appears, disappears, and is read again. The
    /// edges come in any order.
    func addButton(_ world: ModelWorld, _ events: inout [(event: ModelEvent, actor: ModelActor)]) {
        if button.machines[world.button].nextDeadline != nil { events.append((.buttonTimer, .daemon)) }
        for news in [ButtonSketch.News.pressed, .released] { events.append((.button(news), .order)) }
        for news in [ButtonSketch.News.lineOpen, .lineClosed, .lineGone] { events.append((.button(news), .harm)) }
    }

    func tell(_ news: ButtonSketch.News, _ world: ModelWorld) -> [ModelWorld] {
        button.after(world.button, news).map { applied($0, on: news, to: world) }
    }

    /// - Parameter news: the event; nil: the chart's timer fired.
    func applied(
        _ outcome: ChartModel<ButtonSketch>.Outcome,
        on news: ButtonSketch.News?,
        to world: ModelWorld
    ) -> ModelWorld {
        check(outcome, on: news, before: world.button)
        var world = world
        world.button = outcome.next
        for effect in outcome.effects { push(effect == .pressed ? .buttonPressed : .buttonHeld, &world) }
        return world
    }

    /// Each press has one meaning. The press gets it at its end, or when the tripod has settled after the press.
    private func check(_ outcome: ChartModel<ButtonSketch>.Outcome, on news: ButtonSketch.News?, before: Int) {
        if outcome.effects.count > 1 { fault(.button, "one press has \(outcome.effects.count) effects") }
        let wasPressed = isButton(.pressed, before)
        let wasDown = wasPressed || isButton(.pressedWhileSettling, before) || isButton(.pressedAgain, before)
        let isLetGo = news == .released
        for effect in outcome.effects {
            let isAnEnd =
                switch effect {
                case .pressed: wasPressed && isLetGo || isButton(.settling, before) && news == nil
                case .held: wasDown && (isLetGo || news == nil)
                }
            if !isAnEnd { fault(.button, "\(effect) without an end of a press") }
        }
        if wasDown, news == nil, outcome.effects != [.held] { fault(.button, "a hold has no effect") }
        guard isButton(.pressed, outcome.next), !wasPressed else { return }
        if news != .pressed || !isButton(.ready, before) { fault(.button, "a press is kept for later") }
    }

    /// Models `Core.takePress`. It leaves open which effect a press in a shoot has in the configuration, and whether a
    /// frame may be fired.
    func takePress(_ world: ModelWorld) -> [ModelWorld] {
        guard isServing(world) else { return [world] }
        let done: [ModelWorld]
        if isShooting(.active, world) {
            let rests =
                isShooting(.paused, world) || isShooting(.pauseWanted, world) || isShooting(.awaitingCamera, world)
            done = worlds(after: .shooting(rests ? .resume : .pause), world)
        } else if isShooting(.interrupted, world) {
            let goesOn: ModelEvent = isShooting(.present, world) ? .shooting(.retry) : .retryWithoutCamera
            done = worlds(after: goesOn, world) + worlds(after: .shooting(.start), world)
        } else {
            done = worlds(after: .shooting(.start), world)
        }
        return done + [world]
    }

    /// Models `Core.takeHold`.
    func takeHold(_ world: ModelWorld) -> [ModelWorld] {
        guard isServing(world), isShooting(.active, world) else { return [world] }
        let done = worlds(after: .shooting(.cancel), world)
        let goesOn = done.contains { isShooting(.active, $0) && !isShooting(.cancelWanted, $0) }
        if goesOn { fault(.button, "the button was held, and the shoot continues") }
        return done
    }

    // MARK: The stop

    /// Whether the daemon still receives requests about the shoot.
    func isServing(_ world: ModelWorld) -> Bool { !world.isStopping && isService(.serving, world) }

    private func isFrameUnderWay(_ world: ModelWorld) -> Bool {
        isShooting(.running, world) && !isShooting(.awaitingCamera, world)
    }

    /// Models `Core.stop`.
    func stop(_ world: ModelWorld) -> [ModelWorld] {
        let isFirst = isService(.serving, world)
        let paused = isFirst && isShooting(.running, world) ? worlds(after: .shooting(.pause), world) : [world]
        return paused.flatMap { world in
            tell(isFrameUnderWay(world) ? .stopInFrame : .stop, world, mayCut: !isFirst)
        }
    }

    /// - Parameter mayCut: whether the stop may cut an exposure, because it is urgent or the exposure takes too long.
    func tell(_ news: ServiceSketch.News, _ world: ModelWorld, mayCut: Bool = false) -> [ModelWorld] {
        service.after(world.service, news).flatMap { applied($0, to: world, mayCut: mayCut) }
    }

    func applied(
        _ outcome: ChartModel<ServiceSketch>.Outcome,
        to world: ModelWorld,
        mayCut: Bool
    ) -> [ModelWorld] {
        var world = world
        world.service = outcome.next
        guard outcome.effects.contains(.leave) else { return [world] }
        if !mayCut, isShooting(.capturing, world) { fault(.stop, "the daemon ends while the shutter is open") }
        return leave(world)
    }

    /// Ends the shooting chart. Its state no longer matters.
    func leave(_ world: ModelWorld) -> [ModelWorld] {
        var world = world
        world.isStopping = true
        world.shooting = 0
        world.asked = .nothing
        return tell(ConnectionSketch.News.stop, world)
    }

    /// Models `Core.tellService`, which runs after each change of the shoot.
    func tellService(_ world: inout ModelWorld) {
        guard isService(.finishingFrame, world), !isFrameUnderWay(world) else { return }
        push(.frameOver, &world)
    }
}
