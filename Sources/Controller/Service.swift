import Exposure
import Statecharts

/// A stop of the daemon, and the state of the shoot at that time.
package struct StopOrder: Hashable, Sendable {
    /// How long the current frame may still take; nil: no frame.
    package var frameLimit: Duration?
    /// What the user ordered for the shoot; nil: nothing.
    package var requestedStop: RequestedStop?
}

package enum ServiceEffect: Equatable, Sendable {
    /// The stop waits for a frame, at most for this time.
    case waitsForFrame(atMost: Duration)
    /// The ordered stop begins.
    case leave
    case report(JournalEntry)
}

/// The data behind `service.scxml`.
package struct ServiceModel: Equatable, Sendable {
    private var order = StopOrder()

    /// The user's order for the shoot at the time of the stop, without the pause that belongs to the stop.
    package var requestedStop: RequestedStop? { order.requestedStop }

    private func entry(_ level: JournalEntry.Level, _ message: String) -> ServiceEffect {
        .report(JournalEntry(level: level, kind: .stopping, message: message))
    }
}

// Only the functions that the chart names; a test compares both lists.
extension ServiceModel: ServiceBehavior {
    package typealias Effect = ServiceEffect

    // MARK: Guards

    package func isFrameUnderWay(_ order: StopOrder) -> Bool { order.frameLimit != nil }

    // MARK: Delays

    package func frameLimit() -> Duration { order.frameLimit ?? .zero }

    // MARK: Actions

    package mutating func noteOrder(_ order: StopOrder, _ effects: inout [ServiceEffect]) { self.order = order }

    package mutating func reportWaiting(_ effects: inout [ServiceEffect]) {
        effects.append(.waitsForFrame(atMost: frameLimit()))
        let limit = TimeText.text(frameLimit())
        effects.append(
            entry(
                .notice,
                "Stopping after the current frame, in \(limit) at most. A second stop request does not wait for it."
            )
        )
    }

    package mutating func reportHurry(_ order: StopOrder, _ effects: inout [ServiceEffect]) {
        effects.append(entry(.warning, "A second stop request: the daemon does not wait for the current frame."))
    }

    package mutating func reportLate(_ effects: inout [ServiceEffect]) {
        effects.append(
            entry(
                .warning,
                "The frame did not end within \(TimeText.text(frameLimit())), and the daemon stops waiting. "
                    + "When the shoot is resumed, the camera is asked whether it was taken."
            )
        )
    }

    package mutating func leave(_ effects: inout [ServiceEffect]) { effects.append(.leave) }
}
