import Statecharts

/// A stop of the daemon, and the state of the shoot at that time.
package struct StopOrder: Hashable, Sendable {
    /// The longest time that the current frame may still take; nil: no frame is in work.
    package var frameLimit: Duration?
    /// The user's order for the shoot; nil: none.
    package var requestedStop: RequestedStop?
}

/// The data behind `service.scxml`.
struct ServiceModel: Equatable, Sendable {
    private var order = StopOrder()

    /// The user's order for the shoot at the time of the stop. The pause that the stop itself causes is no such order.
    var requestedStop: RequestedStop? { order.requestedStop }

    private func entry(_ level: JournalEntry.Level, _ message: String) -> PartEffect {
        .journal(JournalEntry(level: level, kind: .stopping, message: message))
    }
}

// This extension has only the functions that the chart names. A test compares both lists.
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
