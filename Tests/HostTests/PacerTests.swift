import NIOCore
import NIOEmbedded
import Testing

@testable import Host

/// Tests repeated actions with a virtual clock.
@Suite struct PacerTests {
    /// A pacer whose action can fail, and the times of its actions in milliseconds.
    private final class Bench {
        let loop = EmbeddedEventLoop()
        var isRefused = false
        private(set) var times: [Int64] = []
        private(set) var pacer: Pacer?
        private let begin: NIODeadline

        init() {
            begin = loop.now
            pacer = Pacer(on: loop, interval: .milliseconds(100)) { [weak self] in self?.act() }
        }

        private func act() {
            times.append((loop.now - begin).nanoseconds / 1_000_000)
            if isRefused { pacer?.requestAfterRefusal() } else { pacer?.succeeded() }
        }

        var pauses: [Int64] { zip(times, times.dropFirst()).map { $1 - $0 } }
    }

    @Test func `frequent requests run at once and then at an interval`() {
        let bench = Bench()
        for _ in 0..<25 {
            bench.pacer?.request()
            bench.loop.advanceTime(by: .milliseconds(10))
        }
        #expect(bench.times == [0, 100, 200])
    }

    @Test func `a refused action is tried less and less often, up to a minute, and often again after a success`() {
        let bench = Bench()
        bench.isRefused = true
        bench.pacer?.request()
        bench.loop.advanceTime(by: .minutes(5))
        #expect(bench.pauses == [200, 400, 800, 1600, 3200, 6400, 12800, 25600, 51200, 60000, 60000, 60000])
        bench.isRefused = false
        bench.loop.advanceTime(by: .minutes(1))
        #expect(bench.pacer?.isPending == false)
        let count = bench.times.count
        bench.pacer?.request()
        bench.loop.advanceTime(by: .zero)
        bench.pacer?.request()
        bench.loop.advanceTime(by: .milliseconds(100))
        #expect(bench.times.count == count + 2 && bench.pauses.last == 100)
    }
}
