import Cameras
import Exposure
import Statecharts

// The actions of the button. Each action is a request that a client could also send.

extension ShootControl {
    /// The action of a press at this time.
    var pressMeaning: PressMeaning {
        let shoot = shoot?.id
        if chart.isActive(.active) {
            guard rules.button.pressWhileShooting == .pause else { return PressMeaning(.nothing, shoot: shoot) }
            let rests = chart.isActive(.paused) || chart.isActive(.pauseWanted) || chart.isActive(.awaitingCamera)
            return PressMeaning(rests ? .goOn : .pause, shoot: shoot)
        }
        return switch outcome {
        // No action starts a new shoot here: a new shoot would drop the missing frames of the last one.
        case .interrupted: PressMeaning(.resume, shoot: shoot)
        case .partial: PressMeaning(.retry, shoot: shoot)
        default: PressMeaning(.fire, shoot: shoot)
        }
    }

    /// What a press fires while no shoot runs.
    func armedSentence(_ facts: ShootFacts) -> String {
        let meaning = pressMeaning
        if [.resume, .retry].contains(meaning.action), let shoot {
            return ButtonSentences.firesMissingFrames(of: shoot)
        }
        return switch draft(pressPlan, facts) {
        case .success(let draft): PlanText.headline(draft.plan)
        case .failure(let error): error.sentence ?? ""
        }
    }

    private var pressPlan: PlanInput { armedPlan ?? rules.button.plan }

    /// Records the settings that a press is going to change, while the button is still down. A card needs up to 200 ms
    /// for a sync. This is the time of a press, so the shoot itself does not wait for the card.
    ///
    /// The record is only about settings. If no shoot follows, it is dropped, and no shoot was recorded.
    mutating func announceShoot(of meaning: PressMeaning, _ facts: ShootFacts, in turn: inout Turn) {
        guard meaning.action == .fire, facts.service.isServing, facts.propertyOrder == nil,
            facts.ledger.failureSentence == nil, chart.isActive(.present),
            case .success(let made) = draft(pressPlan, facts), made.preflight.failureSentence == nil
        else { return }
        deliver(.pressBegins(settingsShoot(made.plan, on: .unknown, facts)), facts, in: &turn)
        guard settings.isActive(.announced) else { return }
        let mark = chart.inform { $0.announceShoot() }
        turn.send(.commit(mark: mark, isDurable: true))
    }

    /// Whether the settings that this plan changes were recorded when the button went down.
    func isAnnounced(_ plan: Plan, by id: RequestID, _ facts: ShootFacts) -> Bool {
        guard id == .button, settings.isActive(.announced) else { return false }
        return settings.machine.behavior.isAnnounced(settingsShoot(plan, on: .unknown, facts))
    }

    /// Handles a short press of the button.
    ///
    /// The state when the button went down decides the action. A press that began as a pause never starts another
    /// shoot.
    mutating func handlePress(_ meant: PressMeaning, _ facts: ShootFacts, in turn: inout Turn) {
        guard meant.action != .nothing else {
            turn.append(.journal(.debug(ButtonSentences.pressDoesNothing)))
            return
        }
        let meaning = pressMeaning
        // If the shoot has paused for another reason in the meantime, this press must not resume it.
        let isStillPause = meant.action == .pause && meaning == PressMeaning(.goOn, shoot: meant.shoot)
        guard meaning == meant || isStillPause else {
            let isSame = meant.action.isSame(as: meaning.action)
            let message =
                isSame
                ? ButtonSentences.shootChanged(since: meant.action)
                : ButtonSentences.meaningChanged(from: meant.action, to: meaning.action)
            turn.journal(.notice, .button, message)
            return
        }
        switch meant.action {
        case .pause: request(.pause(), facts, in: &turn)
        case .goOn, .resume: request(.resume, facts, in: &turn)
        case .retry: request(.retry(streams: false), facts, in: &turn)
        // The missing frames of a cancelled shoot are dropped; see docs/gpio.md.
        case .fire: request(.shoot(pressPlan, streams: false, drops: true), facts, in: &turn)
        case .nothing: break
        }
    }

    mutating func handleHold(_ facts: ShootFacts, in turn: inout Turn) {
        guard chart.isActive(.active) else {
            turn.append(.journal(.debug(ButtonSentences.holdDoesNothing)))
            return
        }
        request(.cancel, isHold: true, facts, in: &turn)
    }

    /// Handles the button's request, and reports a refusal in the journal.
    private mutating func request(
        _ request: Request,
        isHold: Bool = false,
        _ facts: ShootFacts,
        in turn: inout Turn
    ) {
        var answers = Turn(at: turn.now)
        answers.isWatched = turn.isWatched
        if facts.service.isServing {
            receive(request, .button, facts, in: &answers)
        } else {
            answers.append(.fail(.button, .stopping))
        }
        for effect in answers.effects.list {
            switch effect {
            case .reply(.button, _, _):
                break
            case .fail(.button, let error):
                let message = ButtonSentences.hasNoEffect(isHold: isHold, error.sentence)
                turn.journal(.warning, .button, message)
            default:
                turn.append(effect)
            }
        }
        for message in answers.takeMessages() { turn.send(message) }
    }
}

extension PressMeaning.Action {
    /// Whether both actions are the same to the user. `resume` and `retry` both fire the missing frames.
    fileprivate func isSame(as other: Self) -> Bool {
        let rest: [Self] = [.resume, .retry]
        return self == other || rest.contains(self) && rest.contains(other)
    }
}
