import Statecharts

/// The button on the tripod. It distinguishes presses from holds.
struct ButtonControl: Sendable {
    /// The button's chart. The core starts and advances it as a row of `ChartEntry.charts`.
    var chart: ChartRun<ButtonModel>

    init(_ rules: ButtonRules) {
        chart = ChartRun(ButtonModel(rules))
    }

    mutating func adopt(_ rules: ButtonRules) {
        chart.inform { $0.rules = rules }
    }

    /// - Parameter meaning: the action of a press at this time.
    mutating func receive(_ news: ButtonLineEvent, _ meaning: PressMeaning, in turn: inout Turn) {
        switch news {
        case .line(let isPressed): deliver(isPressed ? .lineClosed : .lineOpen, in: &turn)
        case .gone: deliver(.lineGone, in: &turn)
        case .edge(let isPressed, let time): receiveEdge(isPressed, at: time, meaning, in: &turn)
        }
    }

    /// Passes an edge to the chart.
    ///
    /// The chart handles a release at the release's own time. Otherwise a hold's timer that is due now would expire
    /// first. The chart handles a press at the present time, because the release may be the next input.
    private mutating func receiveEdge(
        _ isPressed: Bool,
        at time: Duration,
        _ meaning: PressMeaning,
        in turn: inout Turn
    ) {
        turn.append(.journal(.debug(ButtonSentences.edge(isPressed: isPressed, at: time))))
        let press = ButtonPress(time: time, meaning: meaning)
        let countsFrom = isPressed ? turn.now : max(chart.machine.now, min(time, turn.now))
        let release = ButtonRelease(time: time, countsFrom: countsFrom)
        turn.perform(
            chart.handle(isPressed ? .edgePressed(press) : .edgeReleased(release), at: countsFrom),
            level: .debug
        )
    }

    /// Reports that the current press has no effect, because the daemon stops.
    func receiveStopping(in turn: inout Turn) {
        guard chart.isActive(.unfinishedPress) else { return }
        turn.journal(.notice, .button, ButtonSentences.daemonStops)
    }

    // MARK: The chart

    private mutating func deliver(_ input: Button.Input, in turn: inout Turn) {
        turn.perform(chart.handle(input, at: turn.now), level: .debug)
    }
}
