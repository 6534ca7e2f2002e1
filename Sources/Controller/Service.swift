import Statecharts

/// A stop of the daemon, and the state of the shoot at that time.
package struct StopOrder: Hashable, Sendable {
    /// The longest time that the current frame can still take; nil: no frame is being fired.
    package var frameLimit: Duration?
    /// The user's request to pause or cancel the shoot; nil: there is none.
    package var requestedStop: RequestedStop?
}

/// The data behind `service.scxml`.
struct ServiceModel: Equatable, Sendable {
    private var order = StopOrder()

    /// The user's request to pause or cancel the shoot before the stop. The pause by the stop itself does not count.
    var requestedStop: RequestedStop? { order.requestedStop }

    private func entry(_ level: JournalEntry.Level, _ message: String) -> PartEffect {
        .journal(JournalEntry(level: level, kind: .stopping, message: message))
    }
}

// This extension has only the functions that the chart names. A test compares it with the chart.
extension ServiceModel: ServiceBehavior {
    typealias Effect = PartEffect

    // MARK: Guards

    func isFrameUnderWay(_ order: StopOrder) -> Bool { order.frameLimit != nil }

    // MARK: Delays

    func frameLimit() -> Duration { order.frameLimit ?? .zero }

    // MARK: Actions

    mutating func noteOrder(_ order: StopOrder, _ effects: inout [PartEffect]) { self.order = order }

    mutating func reportWaiting(_ effects: inout [PartEffect]) {
        effects.append(.append(.stopping(waiting: frameLimit())))
        effects.append(entry(.notice, StatusSentences.stopWaits(frameLimit())))
    }

    mutating func reportForcedStop(_ order: StopOrder, _ effects: inout [PartEffect]) {
        effects.append(entry(.warning, StatusSentences.secondStop))
    }

    mutating func reportLate(_ effects: inout [PartEffect]) {
        effects.append(entry(.warning, StatusSentences.frameTooLate(frameLimit())))
    }

    mutating func beginStopping(_ effects: inout [PartEffect]) {
        effects += [.append(.stopping(waiting: nil)), .send(.stopping)]
    }
}
