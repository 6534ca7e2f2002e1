import Exposure
import Statecharts

// What the button on the tripod means: the chart says that it was pressed or held, and here stands what for.

/// News of the button's line.
package enum ButtonNews: Codable, Hashable, Sendable {
    /// The line is there, or was read again after edges were lost; and whether the button is down.
    case line(isPressed: Bool)
    /// It is not there, or not any more.
    case gone
    /// The kernel saw an edge, at this time by the clock that stamps the inputs, bounces taken out. It comes with one
    /// that is no earlier, and before any other that is later than the edge, if the host can help it.
    case edge(isPressed: Bool, at: Duration)
}

/// What a press means while a shoot goes on.
package enum PressWhileShooting: String, Codable, CaseIterable, Hashable, Sendable {
    /// It pauses the shoot when its frame is whole; pressed again it goes on.
    case pause
    case nothing
}

extension RequestID {
    /// What the button asks for; no client has it.
    package static let button = RequestID(rawValue: .max)
}

extension Core {
    mutating func handle(_ news: ButtonNews, in turn: inout Turn) {
        switch news {
        case .line(let isPressed):
            deliver(isPressed ? Button.Input.lineClosed : .lineOpen, in: &turn)
        case .gone:
            deliver(Button.Input.lineGone, in: &turn)
        case .edge:
            break  // It was heard before all else: `hearEdge`.
        }
    }

    /// A release counts when it was, and not when it is heard of: the timer of a hold that is due by now is younger. A
    /// press counts from now on, for its release may be the next input.
    mutating func hearEdge(_ isPressed: Bool, at time: Duration, in turn: inout Turn) {
        let words = isPressed ? "pressed" : "let go"
        turn.append(.journal(.debug("The button was \(words) (\(time.milliseconds) ms).")))
        let press = ButtonPress(at: time, meaning: pressMeaning)
        let heard = isPressed ? turn.now : max(button.machine.now, min(time, turn.now))
        let release = ButtonRelease(at: time, heard: heard)
        finish(button.handle(isPressed ? .edgePressed(press) : .edgeReleased(release), at: heard), in: &turn)
    }

    private mutating func deliver(_ input: Button.Input, in turn: inout Turn) {
        finish(button.handle(input, at: turn.now), in: &turn)
    }

    mutating func finish(_ outcome: ChartRun<ButtonModel>.Outcome, in turn: inout Turn) {
        turn.publish(outcome.steps, level: .debug)
        for effect in outcome.effects {
            switch effect {
            case .pressed(let meaning): turn.append(.enqueue(.buttonPressed(meaning)))
            case .held: turn.append(.enqueue(.buttonHeld))
            case .report(let entry): turn.append(.journal(entry))
            }
        }
    }

    /// What a press does if it is done now.
    private var pressMeaning: PressMeaning {
        let chart = shooting.chart.machine
        let shoot = chart.behavior.shoot?.id
        if chart.isActive(.active) {
            guard configuration.button.pressWhileShooting == .pause else { return PressMeaning(.nothing, shoot: shoot) }
            let rests = chart.isActive(.paused) || chart.isActive(.pauseWanted) || chart.isActive(.awaitingCamera)
            return PressMeaning(rests ? .goOn : .pause, shoot: shoot)
        }
        return switch outcome {
        // A new shoot would take the place of one that lacks frames, and they could not be fired any more.
        case .interrupted: PressMeaning(.resume, shoot: shoot)
        case .partial: PressMeaning(.retry, shoot: shoot)
        default: PressMeaning(.fire, shoot: shoot)
        }
    }

    /// The button was pressed, and not for long.
    ///
    /// What it does is what it meant when it went down. A shoot that ended meanwhile is not followed by another one
    /// because somebody wanted it to pause.
    mutating func takePress(_ meant: PressMeaning, in turn: inout Turn) {
        guard meant.action != .nothing else {
            turn.append(.journal(.debug("The button does nothing while a shoot goes on.")))
            return
        }
        let meaning = pressMeaning
        // Whatever holds the shoot up by now, it is not to go on by itself.
        let isStillPause = meant.action == .pause && meaning == PressMeaning(.goOn, shoot: meant.shoot)
        guard meaning == meant || isStillPause else {
            let change =
                meant.action.words == meaning.action.words
                ? "The last shoot is not what it was then" : "Done now it would \(meaning.action.words)"
            let message = "The button was pressed to \(meant.action.words). \(change), so nothing is done."
            turn.append(.journal(JournalEntry(level: .notice, kind: .button, message: message)))
            return
        }
        switch meant.action {
        case .pause: ask(.pause(), because: "pressed", in: &turn)
        case .goOn, .resume: ask(.resume, because: "pressed", in: &turn)
        case .retry: ask(.retry(streams: false), because: "pressed", in: &turn)
        // The frames that a cancelled shoot lacks are dropped: docs/gpio.md.
        case .fire: ask(.shoot(pressPlan, streams: false, drops: true), because: "pressed", in: &turn)
        case .nothing: break
        }
    }

    private var pressPlan: PlanInput { shooting.armedPlan ?? configuration.button.plan }

    /// What a press fires while nothing else is being fired.
    var armedSentence: String {
        let meaning = pressMeaning
        if [.resume, .retry].contains(meaning.action), let shoot = shooting.shoot {
            return "what shoot \(shoot.id) lacks, \(shoot.total - shoot.captured) of \(shoot.total) exposures"
        }
        return switch draft(pressPlan) {
        case .success(let draft): PlanText.headline(draft.plan)
        case .failure(let error): error.sentence ?? ""
        }
    }

    /// The button was held.
    mutating func takeHold(in turn: inout Turn) {
        guard shooting.chart.isActive(.active) else {
            turn.append(.journal(.debug("The button was held, and nothing is being fired.")))
            return
        }
        ask(.cancel, because: "held", in: &turn)
    }

    /// Does what a client could have asked for, and journals the answer if it is a refusal.
    private mutating func ask(_ request: Request, because action: String, in turn: inout Turn) {
        var answers = Turn(at: turn.now, turn.numbers)
        answers.isWatched = turn.isWatched
        handle(request, .button, in: &answers)
        deliverMessages(in: &answers)
        turn.numbers = answers.numbers
        for effect in answers.effects.list {
            switch effect {
            case .reply(.button, _, _):
                break
            case .fail(.button, let error):
                let reason = error.sentence ?? "The daemon stops."
                let message = "The button was \(action), and nothing is fired or changed: \(reason)"
                turn.append(.journal(JournalEntry(level: .warning, kind: .button, message: message)))
            default:
                turn.append(effect)
            }
        }
    }
}

extension PressMeaning.Action {
    /// After "to".
    fileprivate var words: String {
        switch self {
        case .fire: "fire the plan"
        case .resume, .retry: "fire what the shoot lacks"
        case .pause: "pause the shoot"
        case .goOn: "let the shoot go on"
        case .nothing: "do nothing"
        }
    }
}
