import Exposure
import Statecharts

// What the button on the tripod means: the chart says that it was pressed or held, and here stands what for.

/// News of the button's line.
package enum ButtonNews: Hashable, Sendable {
    /// The line is there, or was read again after edges were lost; and whether the button is down.
    case line(isPressed: Bool)
    /// It is not there, or not any more.
    case gone
    /// The kernel saw an edge, at this time of the monotonic clock, bounces taken out.
    case edge(isPressed: Bool, at: Duration)
}

/// What a press means while a shoot goes on.
package enum ButtonPressWord: String, CaseIterable, Hashable, Sendable {
    /// It pauses the shoot when its frame is whole; pressed again it goes on.
    case pause
    case nothing
}

extension RequestID {
    /// What the button asks for; no client has it.
    package static let button = RequestID(rawValue: .max)
}

extension Core {
    mutating func handle(_ news: ButtonNews, at now: Duration, into effects: inout Effects) {
        switch news {
        case .line(let isPressed):
            deliver(isPressed ? Button.Input.lineClosed : .lineOpen, at: now, into: &effects)
        case .gone:
            deliver(Button.Input.lineGone, at: now, into: &effects)
        case .edge(let isPressed, let time):
            let words = isPressed ? "pressed" : "let go"
            effects.append(.journal(.debug("The button was \(words) (\(time.milliseconds) ms).")))
            deliver(isPressed ? Button.Input.edgePressed(time) : .edgeReleased(time), at: now, into: &effects)
        }
    }

    private mutating func deliver(_ input: Button.Input, at now: Duration, into effects: inout Effects) {
        finish(button.handle(input, at: now), into: &effects)
    }

    mutating func finish(_ outcome: ChartRun<ButtonModel>.Outcome, into effects: inout Effects) {
        tellQuietly(outcome.steps, into: &effects)
        for effect in outcome.effects {
            switch effect {
            case .pressed: effects.append(.enqueue(.buttonPressed))
            case .held: effects.append(.enqueue(.buttonHeld))
            case .report(let entry): effects.append(.journal(entry))
            }
        }
    }

    /// The button was pressed, and not for long.
    mutating func takePress(at now: Duration, into effects: inout Effects) {
        let chart = shooting.machine
        if chart.isActive(.active) {
            guard configuration.button.pressWhileShooting == .pause else {
                effects.append(.journal(.debug("The button does nothing while a shoot goes on.")))
                return
            }
            let rests = chart.isActive(.paused) || chart.isActive(.pauseWanted) || chart.isActive(.awaitingCamera)
            ask(rests ? .resume : .pause(), at: now, into: &effects)
            return
        }
        switch outcome {
        // A new shoot would take the place of one that lacks frames, and they could not be fired any more.
        case .interrupted: ask(.resume, at: now, into: &effects)
        case .partial: ask(.retry(streams: false), at: now, into: &effects)
        default: ask(.shoot(armedPlan ?? configuration.button.plan, streams: false), at: now, into: &effects)
        }
    }

    /// What a press fires while nothing else is being fired.
    var armedSentence: String {
        switch draft(armedPlan ?? configuration.button.plan) {
        case .success(let draft): PlanText.headline(draft.plan)
        case .failure(let error): error.sentence ?? ""
        }
    }

    /// The button was held.
    mutating func takeHold(at now: Duration, into effects: inout Effects) {
        guard shooting.machine.isActive(.active) else {
            effects.append(.journal(.debug("The button was held, and nothing is being fired.")))
            return
        }
        ask(.cancel, at: now, into: &effects)
    }

    /// Does what a client could have asked for, and journals the answer if it is a refusal.
    private mutating func ask(_ request: Request, at now: Duration, into effects: inout Effects) {
        var answers = Effects()
        handle(request, .button, at: now, into: &answers)
        for effect in answers.list {
            switch effect {
            case .reply(.button, _, _):
                break
            case .fail(.button, let error):
                let reason = error.sentence ?? "The daemon stops."
                let message = "The button was pressed, and nothing is fired or changed: \(reason)"
                effects.append(.journal(JournalEntry(level: .warning, kind: .button, message: message)))
            default:
                effects.append(effect)
            }
        }
    }
}
