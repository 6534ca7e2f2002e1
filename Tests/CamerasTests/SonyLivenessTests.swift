import Exposure
import PTP
import Testing

@testable import Cameras

/// Tests how often the driver asks an idle body, and when the driver reports that a silent body is lost.
struct SonyLivenessTests {
    private static let fast = ShutterSpeed.all[20]
    private let slow = ShutterSpeed.all.max { $0.exposureTime < $1.exposureTime } ?? fast

    /// The times from the answer of each reading to the request of the next one.
    private func pauses(_ bench: DriverBench, for time: Duration) -> [Duration] {
        bench.forget()
        bench.run(for: time)
        let readings = bench.requests.filter { $0.request.code == .sdioGetAllExtDevicePropInfo }.map(\.at)
        #expect(readings.count == bench.requests.count && readings.count > 1, "\(bench.operations)")
        // The scripted body needs two milliseconds for an answer.
        return zip(readings.dropFirst(), readings).map { $0 - $1 - .milliseconds(2) }
    }

    /// Makes the body close both connections after a pause.
    private func leave(_ bench: DriverBench, after pause: Duration, reason: String? = nil) {
        bench.run(for: pause)
        bench.receive(.closed(.command, reason: reason))
        #expect(bench.losses.count == 1)
    }

    // MARK: Keep-alive

    @Test func `an idle body is asked every 24 seconds, and the driver sleeps in between`() {
        let bench = DriverBench()
        bench.connect()
        // The driver also needs no reading for the facts that it learns right after it connects.
        #expect(bench.driver.nextDeadline == bench.now + .seconds(24))
        let pauses = pauses(bench, for: .seconds(600))
        #expect(pauses.count == 23)
        #expect(pauses.allSatisfy { $0 == .seconds(24) }, "\(pauses)")
        #expect(bench.losses.isEmpty)
    }

    @Test func `a body known to leave after ten seconds is asked every eight`() {
        let bench = DriverBench { $0.model = "ILCE-7CM2" }
        bench.connect()
        #expect(bench.driver.nextDeadline == bench.now + .seconds(8))
        #expect(pauses(bench, for: .seconds(100)).allSatisfy { $0 == .seconds(8) })
    }

    @Test func `the interval for an unknown body can be configured`() {
        var timing = PTPIPTiming()
        timing.keepAlive = .seconds(17)
        let bench = DriverBench()
        bench.driver = PTPIP(identity: InitiatorIdentity(guid: Array(1...16), name: "bracketd"), timing: timing)
        bench.connect()
        #expect(pauses(bench, for: .seconds(100)).allSatisfy { $0 == .seconds(17) })
    }

    @Test func `a body that leaves an idle session is asked more often from then on, and that is reported`() {
        let bench = DriverBench()
        bench.connect()
        leave(bench, after: .seconds(10))
        let note =
            "the camera closed the connection after 10.0 seconds without a request; "
            + "the daemon now sends a request every 7.0 seconds"
        #expect(bench.notes.last == note)
        bench.connect()
        #expect(bench.driver.nextDeadline == bench.now + .seconds(7))
        #expect(pauses(bench, for: .seconds(100)).allSatisfy { $0 == .seconds(7) })
        // The learned time does not apply to another body.
        bench.perform(.abandon)
        bench.body.serialNumber = "4711"
        bench.connect()
        #expect(pauses(bench, for: .seconds(100)).allSatisfy { $0 == .seconds(24) })
    }

    @Test func `no body is asked more often than every two seconds for the keep-alive`() {
        var timing = PTPIPTiming()
        timing.keepAliveMin = .seconds(5)
        let bench = DriverBench()
        bench.driver = PTPIP(identity: InitiatorIdentity(guid: Array(1...16), name: "bracketd"), timing: timing)
        bench.connect()
        leave(bench, after: .seconds(4))
        bench.connect()
        #expect(pauses(bench, for: .seconds(50)).allSatisfy { $0 == .seconds(5) })
        #expect(PTPIPTiming().keepAliveMin == .seconds(2))
    }

    @Test func `a body that stayed longer before was switched off, until it leaves early twice`() {
        let bench = DriverBench()
        bench.connect()
        bench.run(for: .seconds(30))
        for isSecond in [false, true] {
            let last = bench.now
            bench.run(until: { $0.requests.last.map { $0.at > last } ?? false })
            bench.run(for: .milliseconds(2))
            bench.forget()
            leave(bench, after: .seconds(10))
            bench.connect()
            let expected = bench.now + (isSecond ? .seconds(7) : .seconds(24))
            #expect(bench.driver.nextDeadline == expected)
        }
    }

    @Test func `a broken connection does not change the interval, unless it breaks twice after the same time`() {
        let bench = DriverBench()
        bench.connect()
        for (pause, keepAlive) in [(10, 24), (20, 24), (20, 14)] {
            leave(bench, after: .seconds(pause), reason: "Connection reset by peer")
            bench.connect()
            #expect(bench.driver.nextDeadline == bench.now + .seconds(keepAlive))
        }
    }

    @Test func `an end right after a question, or during a command, does not change the interval`() {
        let bench = DriverBench.showing(slow)
        leave(bench, after: .seconds(2))
        bench.connect()
        #expect(bench.driver.nextDeadline == bench.now + .seconds(24))

        bench.body.holdsAnswersUntil = bench.now + .seconds(100)
        bench.perform(.readStatus)
        leave(bench, after: .seconds(4))
        bench.body.holdsAnswersUntil = .zero
        bench.connect()
        #expect(bench.driver.nextDeadline == bench.now + .seconds(24))

        bench.perform(.capture(slow))
        bench.run(until: { $0.buttonMoves.count == 4 })
        bench.body.holdsAnswersUntil = bench.now + .seconds(100)
        leave(bench, after: .seconds(10))
        #expect(!bench.notes.contains { $0.contains("without a request") })
    }

    @Test func `eight bodies are kept, and the one that was not seen for the longest time is forgotten`() {
        var limits = PTPIPBodyData()
        for number in 1...8 {
            _ = limits.noteEnd(of: "\(number)", after: .seconds(10), isInOrder: true)
        }
        #expect((1...8).allSatisfy { limits.idleLimit(of: "\($0)") == .seconds(10) })
        limits.noteAnswer(of: "1", after: .seconds(7))
        _ = limits.noteEnd(of: "9", after: .seconds(10), isInOrder: true)
        #expect((1...9).filter { limits.idleLimit(of: "\($0)") == nil } == [2])
    }

    // MARK: Silence

    /// The time from a moment to the loss. From this moment on, the body answers nothing.
    private func timeToLoss(_ bench: DriverBench, since start: Duration? = nil) -> Duration? {
        bench.body.isMute = true
        bench.body.sendsEvents = false
        let start = start ?? bench.now
        bench.run(until: { !$0.losses.isEmpty })
        guard case .silent? = bench.losses.first else { return nil }
        return bench.now - start
    }

    @Test func `an idle body that stops answering is lost five seconds after the next keep-alive`() {
        let bench = DriverBench()
        bench.connect()
        #expect(timeToLoss(bench) == .seconds(24 + 5))
        let strict = DriverBench { $0.model = "ILCE-7CM2" }
        strict.connect()
        #expect(timeToLoss(strict) == .seconds(8 + 5))
    }

    @Test func `a body that stops answering while its speed is set is lost five seconds later`() {
        let bench = DriverBench.showing(slow)
        bench.body.isMute = true
        bench.perform(.setSpeed(Self.fast))
        #expect(timeToLoss(bench) == .seconds(5))
        // The time is the same if the body accepted the setting and only the confirmation is missing.
        let later = DriverBench.showing(slow)
        #expect(later.finish(later.perform(.setSpeed(Self.fast))) == [.speedAccepted])
        later.body.isMute = true
        later.perform(.readSpeed)
        let time = timeToLoss(later)
        #expect(time.map { $0 >= .seconds(5) && $0 < .seconds(5.2) } == true, "\(String(describing: time))")
    }

    @Test func `a body that stops answering in a 30 second exposure is lost ten seconds after its end, not before`() {
        let bench = DriverBench.showing(slow)
        bench.perform(.capture(slow))
        bench.run(until: { $0.buttonMoves.count == 4 })
        bench.run(for: .seconds(5))
        let sony = bench.driver.maker as? SonyPTPIP
        guard let frame = sony?.lastFrame.frame, let time = timeToLoss(bench, since: frame.pressedAt) else {
            Issue.record("not lost")
            return
        }
        #expect(time == frame.latestEnd - frame.pressedAt + bench.driver.timing.exposureMargin)
        #expect(time >= slow.exposureTime + .seconds(10))
    }

    @Test func `a body that stops answering before its file arrives is lost five seconds after the next question`() {
        let bench = DriverBench.showing(Self.fast) { $0.saveTime = .seconds(60) }
        bench.perform(.capture(Self.fast))
        bench.run(until: { $0.buttonMoves.count == 4 })
        bench.run(for: .seconds(2))
        let time = timeToLoss(bench)
        #expect(time.map { $0 > .seconds(4) && $0 <= .seconds(6) } == true, "\(String(describing: time))")
    }

    @Test func `a body that answers nothing during a 30 second exposure is not lost`() {
        let bench = DriverBench.showing(slow) { $0.sendsEvents = false }
        let ticket = bench.perform(.capture(slow))
        // The body does not answer the press, and nothing after it.
        bench.run(until: { $0.buttonMoves.count == 2 })
        bench.body.holdsAnswersUntil = bench.now + slow.exposureTime
        #expect(bench.finish(ticket).last == .idle, "\(bench.reported)")
        #expect(bench.losses.isEmpty)
        #expect(bench.body.framesFired.count == 1)
    }
}
