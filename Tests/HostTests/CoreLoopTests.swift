import Controller
import Dispatch
import NIOCore
import NIOPosix
import Testing

@testable import Host

/// A core with scripted answers that records its inputs.
struct ScriptedCore: LoopCore {
    final class Log {
        var inputs: [Input] = []
        var stamps: [Duration] = []
        var depth = 0
    }

    let log: Log
    var nextDeadline: Duration?
    var script: (Input, Duration, inout ScriptedCore, inout Effects) -> Void

    mutating func handle(_ input: Input, at now: Duration, into effects: inout Effects) {
        log.inputs.append(input)
        log.stamps.append(now)
        let script = script
        script(input, now, &self, &effects)
    }
}

struct CoreLoopTests {
    /// Runs a loop until `body` has called its closure `end`.
    private func runLoop(_ body: @escaping (any EventLoop, @escaping () -> Void) -> Void) {
        MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { eventLoop in
            body(eventLoop) { eventLoop.shutdownGracefully(queue: .global()) { _ in } }
        }
    }

    private func cancelled(_ number: UInt64) -> Input { .requestCancelled(RequestID(rawValue: number)) }

    @Test func `an input is handled completely before the next, and never inside the callback that queued it`() {
        let log = ScriptedCore.Log()
        var performed: [Effect] = []
        runLoop { eventLoop, end in
            var loop: CoreLoop?
            let core = ScriptedCore(log: log) { input, _, _, effects in
                guard input == .started else { return }
                effects.append(.status("one"))
                effects.append(.enqueue(.networkBack))
                effects.append(.status("two"))
            }
            let made = CoreLoop(core: core, eventLoop: eventLoop) { effect in
                performed.append(effect)
                // The core receives the result of an effect after the inputs that already wait.
                if effect == .status("one") { loop?.enqueue(.deadline) }
                if effect == .status("two") {
                    #expect(log.inputs == [.started])
                    eventLoop.assumeIsolated().execute {
                        loop = nil
                        end()
                    }
                }
            }
            loop = made
            made.enqueue(.started)
            made.enqueue(self.cancelled(1))
            #expect(log.inputs.isEmpty)
        }
        #expect(performed == [.status("one"), .status("two")])
        #expect(log.inputs == [.started, cancelled(1), .deadline, .message(.networkBack)])
        #expect(log.stamps == log.stamps.sorted())
    }

    @Test func `the deadline fires as often as it is set, and not before its time`() {
        let log = ScriptedCore.Log()
        runLoop { eventLoop, end in
            var loop: CoreLoop?
            let core = ScriptedCore(log: log) { input, now, core, effects in
                if let deadline = core.nextDeadline, input == .deadline { #expect(now >= deadline) }
                if log.inputs.count == 4 {
                    core.nextDeadline = nil
                    effects.append(.finished)
                } else {
                    core.nextDeadline = now + .milliseconds(2)
                }
            }
            loop = CoreLoop(core: core, eventLoop: eventLoop) { effect in
                #expect(effect == .finished)
                loop?.end()
                loop = nil
                end()
            }
            loop?.enqueue(.started)
        }
        #expect(log.inputs == [.started, .deadline, .deadline, .deadline])
    }

    @Test func `a cancelled deadline does not fire`() {
        let log = ScriptedCore.Log()
        runLoop { eventLoop, end in
            var loop: CoreLoop?
            let core = ScriptedCore(log: log) { input, now, core, effects in
                switch input {
                case .started:
                    core.nextDeadline = now + .milliseconds(1)
                    effects.append(.enqueue(.networkBack))
                case .message: core.nextDeadline = now + .milliseconds(4)
                default:
                    #expect(core.nextDeadline.map { now >= $0 } == true)
                    core.nextDeadline = nil
                    effects.append(.finished)
                }
            }
            loop = CoreLoop(core: core, eventLoop: eventLoop) { _ in
                loop = nil
                end()
            }
            loop?.enqueue(.started)
        }
        #expect(log.inputs == [.started, .message(.networkBack), .deadline])
    }

    /// The inputs that a core receives if edges can be read when `input` arrives.
    private func inputs(isOver: Bool, as input: Input, edges: [Input], then next: [Input] = []) -> [Input] {
        let log = ScriptedCore.Log()
        runLoop { eventLoop, end in
            let core = ScriptedCore(log: log) { _, now, core, _ in
                core.nextDeadline = now + .seconds(isOver ? -1 : 60)
            }
            let loop = CoreLoop(core: core, eventLoop: eventLoop) { _ in }
            var edges = edges
            loop.onLate = { while !edges.isEmpty { loop.enqueue(edges.removeFirst()) } }
            loop.enqueue(.started)
            eventLoop.assumeIsolated().execute {
                loop.enqueue(input)
                // When these inputs of the same turn arrive, the queue is not empty and there are new edges.
                for input in next {
                    edges = [.button(.gone)]
                    loop.enqueue(input)
                }
                eventLoop.assumeIsolated().execute {
                    loop.end()
                    end()
                }
            }
        }
        #expect(log.stamps == log.stamps.sorted())
        return log.inputs.filter { $0 != .deadline && $0 != .started }
    }

    @Test func `edges older than a due deadline come before the next input`() {
        let down = Input.button(.edge(isPressed: true, at: .seconds(1)))
        let up = Input.button(.edge(isPressed: false, at: .seconds(2)))
        #expect(inputs(isOver: true, as: cancelled(1), edges: [down, up]) == [down, up, cancelled(1)])
        #expect(inputs(isOver: false, as: cancelled(1), edges: [down, up]) == [cancelled(1)])
        let rest = inputs(isOver: true, as: cancelled(1), edges: [down], then: [cancelled(2)])
        #expect(rest == [down, cancelled(1), .button(.gone), cancelled(2)])
        // The edges that were not read yet are later than this input.
        #expect(inputs(isOver: true, as: down, edges: [up]) == [down])
    }

    @Test func `a core that is always busy still lets the sockets be served`() {
        let log = ScriptedCore.Log()
        runLoop { eventLoop, end in
            var loop: CoreLoop?
            let core = ScriptedCore(log: log) { _, _, _, effects in effects.append(.enqueue(.networkBack)) }
            loop = CoreLoop(core: core, eventLoop: eventLoop) { _ in }
            loop?.enqueue(.started)
            eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(1)) {
                #expect(!log.inputs.isEmpty)
                #expect(loop?.isMakingProgress() == false)
                loop?.end()
                loop = nil
                end()
            }
        }
        #expect(log.inputs.count > 1)
    }

    @Test func `inputs after the end are dropped`() {
        let log = ScriptedCore.Log()
        runLoop { eventLoop, end in
            let core = ScriptedCore(log: log) { _, _, _, _ in }
            let loop = CoreLoop(core: core, eventLoop: eventLoop) { _ in }
            loop.enqueue(.started)
            loop.end()
            loop.enqueue(.stop)
            eventLoop.assumeIsolated().execute(end)
        }
        #expect(log.inputs == [])
    }

    /// Collects `count` reports of the loop about its progress, one for each turn of the event loop.
    private func progress(
        _ count: Int,
        deadline: @escaping (Duration) -> Duration? = { _ in nil },
        script: @escaping (Input, inout Effects) -> Void
    ) -> [Bool] {
        var answers: [Bool] = []
        runLoop { eventLoop, end in
            let core = ScriptedCore(log: ScriptedCore.Log()) { input, now, core, effects in
                core.nextDeadline = deadline(now)
                script(input, &effects)
            }
            let loop = CoreLoop(core: core, eventLoop: eventLoop) { _ in }
            loop.enqueue(.started)
            func ask() {
                eventLoop.assumeIsolated().execute {
                    answers.append(loop.isMakingProgress())
                    guard answers.count == count else { return ask() }
                    loop.end()
                    end()
                }
            }
            ask()
        }
        return answers
    }

    @Test func `an idle loop makes progress, and so does one that is idle at times`() {
        #expect(progress(3) { _, _ in } == [true, true, true])
        let once = progress(3) { input, effects in if input == .started { effects.append(.enqueue(.networkBack)) } }
        #expect(once == [true, true, true])
    }

    @Test func `charts that send each other messages without end make no progress, however much is handled`() {
        #expect(progress(4) { _, effects in effects.append(.enqueue(.networkBack)) } == [false, false, false, false])
    }

    @Test func `a deadline that is long overdue is no progress`() {
        let answers = progress(4, deadline: { $0 - .seconds(6) }) { _, _ in }
        #expect(answers == [false, false, false, false])
        #expect(progress(2, deadline: { $0 - .seconds(4) }) { _, _ in } == [true, true])
    }
}
