import SCXML
import Testing

@testable import Statecharts

/// Compares the delayed events of a machine with a list that is sorted each time.
@Suite struct TimerQueueTests {
    private typealias Queue = TimerQueue<LoadedChart<WideSet>>

    private static func entry(_ number: Int, due: Int, id: Int?) -> Queue.Entry {
        let event = LoadedEvent(tableNumber: number)
        return Queue.Entry(due: .milliseconds(due), id: id, number: number, place: number, timer: event)
    }

    /// A deterministic generator of steps.
    private struct SeededSteps {
        var state: UInt64

        mutating func below(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
    }

    @Test(arguments: 1...20) func `timers expire in order of due time, then of sending`(seed: UInt64) {
        var dice = SeededSteps(state: seed)
        var queue = Queue()
        var expected: [(due: Int, id: Int?, number: Int)] = []
        for number in 0..<2_000 {
            switch dice.below(10) {
            case 0..<5:
                let (due, id) = (dice.below(50), dice.below(3) == 0 ? nil : dice.below(8))
                queue.insert(Self.entry(number, due: due, id: id))
                let place = expected.firstIndex { $0.due > due } ?? expected.count
                expected.insert((due, id, number), at: place)
            case 5..<8:
                guard !expected.isEmpty else { continue }
                #expect(queue.isDue(by: .milliseconds(expected[0].due)))
                #expect(queue.removeNext().number == expected.removeFirst().number)
            case 8:
                let id = dice.below(9)
                let count = expected.count
                expected.removeAll { $0.id == id }
                #expect(queue.cancel(id: id) == count - expected.count)
            default: if dice.below(40) == 0 { (queue, expected) = (Queue(), []) }
            }
            #expect(queue.count == expected.count)
            #expect(queue.nextDue == expected.first.map { .milliseconds($0.due) })
            #expect(queue.ordered.map(\.number) == expected.map(\.number))
            #expect(queue.entries.map(\.number).sorted() == expected.map(\.number).sorted())
            // Cancelled entries use at most as much space as active ones.
            #expect(queue.heap.count <= 2 * expected.count + 1)
        }
    }

    /// The processor time on this thread for this number of timers.
    private static func cost(of count: Int) -> Duration {
        threadTime {
            var queue = Queue()
            for number in 0..<count { queue.insert(entry(number, due: number, id: number)) }
            for number in stride(from: 0, to: count, by: 2) { _ = queue.cancel(id: number) }
            while queue.count > 0 { _ = queue.removeNext() }
            for number in 0..<count { queue.insert(entry(number, due: count - number, id: 0)) }
            _ = queue.cancel(id: 0)
        }
    }

    @Test func `the cost of timers grows less than quadratically`() {
        _ = Self.cost(of: 1_000)
        // 16 times the work, plus a logarithmic factor; a quadratic cost would be 256 times higher.
        #expect(Self.cost(of: 64_000) < Self.cost(of: 4_000) * 60)
    }
}
