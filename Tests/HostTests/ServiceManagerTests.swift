import Dispatch
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import Host

struct ServiceManagerTests {
    @Test func `the service manager gets the daemon's state`() {
        var told: [String] = []
        let manager = ServiceManager(watchdogTimeout: nil) { told.append($0) }
        manager.ready()
        manager.status("Set 1, frame 2.\nWATCHDOG=trigger")
        manager.status(String(repeating: "x", count: 10_000))
        manager.stopping()
        // A line end in the status would begin another assignment.
        #expect(told[0...1] == ["READY=1", "STATUS=Set 1, frame 2. WATCHDOG=trigger"])
        #expect(told[2].utf8.count == 7 + 512)
        #expect(told[3] == "STOPPING=1")
    }

    @Test func `watchdog notifications come four times within the limit, while the loop makes progress`() {
        let eventLoop = EmbeddedEventLoop()
        var told = 0
        var isAlive = true
        let manager = ServiceManager(watchdogTimeout: .seconds(10)) { state in
            #expect(state == "WATCHDOG=1")
            told += 1
        }
        manager.startWatchdog(on: eventLoop, while: { isAlive })
        eventLoop.run()
        #expect(told == 1)
        eventLoop.advanceTime(by: .seconds(15))
        #expect(told == 7)
        isAlive = false
        eventLoop.advanceTime(by: .seconds(60))
        #expect(told == 7)
        isAlive = true
        eventLoop.advanceTime(by: .milliseconds(2500))
        #expect(told == 8)
        manager.stopWatchdog()
        eventLoop.advanceTime(by: .seconds(60))
        #expect(told == 8)
    }

    @Test func `without a watchdog there are no wake-ups`() {
        let eventLoop = EmbeddedEventLoop()
        let manager = ServiceManager(watchdogTimeout: nil) { _ in Issue.record("a message without a request") }
        manager.startWatchdog(on: eventLoop, while: { true })
        eventLoop.advanceTime(by: .hours(1))
    }

    @Test func `a service manager that does not read delays nothing, and excess notifications are dropped`() {
        let listening = DispatchSemaphore(value: 0)
        let told = Mutex<[String]>([])
        let sender = NotificationSender { state in
            listening.wait()
            told.withLock { $0.append(state) }
        }
        let taken = (0..<100).count { sender.notify("STATUS=\($0)") }
        #expect(taken == NotificationSender.waitingSentencesMax)
        #expect(sender.notify("STOPPING=1"))
        for _ in 0..<100 { listening.signal() }
        sender.finish(within: .seconds(10))
        #expect(told.withLock { $0 } == (0..<taken).map { "STATUS=\($0)" } + ["STOPPING=1"])
    }
}
