import Statecharts

@testable import Controller

/// The chart of the daemon's stop. The stop order contains the facts about the shoot, which the rules take from the
/// model's shoot.
struct ServiceSketch: ChartSketch, ServiceBehavior {
    struct Notes: Hashable {}

    enum Effect: Hashable {
        case leave
    }

    enum News: Int, CaseIterable {
        case stop
        /// The daemon stops during a frame, and waits for its end.
        case stopInFrame
        case frameOver
    }

    let notes = Notes()

    static func input(_ news: News) -> Service.Input {
        switch news {
        case .stop: .stop(StopOrder())
        case .stopInFrame: .stop(StopOrder(frameLimit: .seconds(1)))
        case .frameOver: .frameOver
        }
    }

    func isFrameUnderWay(_ order: StopOrder) -> Bool { order.frameLimit != nil }
    func frameLimit() -> Duration { .seconds(1) }

    mutating func noteOrder(_ order: StopOrder, _ effects: inout [Effect]) {}
    mutating func reportWaiting(_ effects: inout [Effect]) {}
    mutating func reportForcedStop(_ order: StopOrder, _ effects: inout [Effect]) {}
    mutating func reportLate(_ effects: inout [Effect]) {}
    mutating func beginStopping(_ effects: inout [Effect]) { effects.append(.leave) }
}
