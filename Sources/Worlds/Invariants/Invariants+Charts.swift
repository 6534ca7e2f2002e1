import Cameras
import Controller

// The charts, the lists and the time.

extension Invariants {
    mutating func checkCharts(_ core: Core, at now: Duration) {
        if let fault = core.chartFault(at: now) { check(fault, at: now) }
        guard core.candidateCount > 0 else { return }
        // A search has hundreds of candidates, so not every call checks all of them.
        untilCandidatesAreJudged -= 1
        guard core.candidateCount <= Self.candidatesMax || untilCandidatesAreJudged <= 0 else { return }
        untilCandidatesAreJudged = Self.candidatesPause
        if let fault = core.candidateFault { check(fault, at: now) }
    }

    /// Reports a chart that has a fault after an input.
    package mutating func check(_ fault: ChartFault, at now: Duration) {
        switch fault {
        case .illegal(let chart):
            note(.configurationIsLegal, at: now, "The chart \(chart) is in an illegal configuration.")
        case .withoutTimer(let chart, let state):
            note(.waitingIsTimed, at: now, "\(chart) waits in \(state), whose timeout is not armed.")
        case .withoutState(let chart, let timer):
            note(.timerEndsWithItsState, at: now, "The timer \(timer) of \(chart) continues after its state.")
        }
    }

    /// Checks the lists only at every ``boundsPause``th call, because a list that grew too long stays too long.
    mutating func checkBounds(_ core: Core, at now: Duration) {
        if queued > Self.queuedMax {
            note(.queuesAreBounded, at: now, "\(queued) messages between charts wait, more than \(Self.queuedMax).")
        }
        untilBoundsAreJudged -= 1
        guard untilBoundsAreJudged <= 0 else { return }
        untilBoundsAreJudged = Self.boundsPause
        checkAllBounds(core, at: now)
    }

    mutating func checkAllBounds(_ core: Core, at now: Duration) {
        if let overflow = core.overflow {
            let sentence = "\(overflow.count) \(overflow.list), more than \(overflow.limit)."
            note(.queuesAreBounded, at: now, sentence)
        }
        if let overflow = core.camera.overflow {
            note(.queuesAreBounded, at: now, "\(overflow.count) \(overflow.list), more than \(overflow.limit).")
        }
    }

    mutating func checkTime(_ input: Input, _ core: Core, at time: Duration) {
        if time < now { note(.timeAdvances, at: time, "The time decreases.") }
        if time != now {
            now = time
            messagesNow = 0
            wakingsNow = 0
        }
        // Only messages and wake-ups are limited, because the world can send many other inputs at one instant.
        if case .message = input {
            messagesNow += 1
            if messagesNow == Self.messagesPerInstantMax {
                note(.timeAdvances, at: time, "\(messagesNow) messages between charts are handled at one instant.")
            }
        }
        guard input == .deadline else { return }
        wakingsNow += 1
        if let due = core.nextDeadline, due < time {
            note(.timeAdvances, at: time, "The core asks for a wake-up at \(due), which is in the past.")
        } else if wakingsNow == Self.wakingsPerInstantMax {
            note(.timeAdvances, at: time, "The core is woken \(wakingsNow) times at one instant.")
        }
    }

    /// The maximum number of waiting messages: twice the number of addresses that can be probed.
    private static let queuedMax = 4096
    private static let messagesPerInstantMax = 8192
    private static let wakingsPerInstantMax = 64
    private static let boundsPause = 32
    /// Up to this number of candidates, every call checks them. Otherwise every ``candidatesPause``th call does.
    private static let candidatesMax = 4
    private static let candidatesPause = 64
}
