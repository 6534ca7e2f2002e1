import Exposure
import JSON
import NIOCore
import Testing

@testable import Cameras

/// What proves a frame on a Sony body over HTTP, and what does not.
struct SonyHTTPProofTests {
    private static func bench(_ change: (inout SonyHTTPScriptedBody) -> Void = { _ in }) -> SonyHTTPBench {
        let bench = SonyHTTPBench(change)
        bench.connect()
        return bench
    }

    private static func order(_ bench: SonyHTTPBench, _ text: String = "1/125") throws -> Ticket {
        bench.perform(.capture(try ShutterSpeed(parsing: text)))
    }

    /// The events of a frame until its result, without those of its storing.
    private static func finish(_ ticket: Ticket, _ bench: SonyHTTPBench) -> [CameraEvent] {
        bench.run(
            until: { bench in
                !bench.losses.isEmpty || bench.events(ticket).contains { $0 == .captured || $0.isLastWord }
            },
            atMost: .seconds(200)
        )
        return bench.events(ticket).filter { $0 != .saving && $0 != .idle }
    }

    private static func capture(_ bench: SonyHTTPBench, _ text: String = "1/125") throws -> [CameraEvent] {
        finish(try order(bench, text), bench)
    }

    private static func fire(_ bench: SonyHTTPBench) throws {
        #expect(try capture(bench) == [.shutterReleased, .captured])
        #expect(bench.finish(.awaitIdle).last == .idle)
    }

    private static func presses(_ bench: SonyHTTPBench) -> Int { bench.calls.count { $0 == "actTakePicture" } }

    /// Orders a frame whose shutter call gets no answer and has no effect, and connects again.
    private static func lose(_ bench: SonyHTTPBench, _ change: (inout SonyHTTPScriptedBody) -> Void = { _ in }) throws {
        let before = presses(bench)
        bench.body.twists = ["actTakePicture": [.silence]]
        _ = try order(bench)
        bench.run(until: { presses($0) > before })
        bench.isDead = true
        bench.run(for: .seconds(30))
        #expect(bench.losses.count == 1)
        change(&bench.body)
        bench.isDead = false
        bench.connect()
    }

    @Test func `the URL of a picture that an earlier daemon fired proves no frame`() throws {
        let bench = Self.bench { $0.hidden = ["takePicture"] }
        try Self.fire(bench)
        bench.perform(.abandon)
        bench.driver = SonyHTTP()
        bench.connect()
        try Self.lose(bench)
        #expect(bench.finish(.resolveCapture(shotsLeftBefore: nil)).last == .captureResolved(.unknown))
        #expect(!bench.calls.contains("awaitTakePicture"))
    }

    @Test func `the URL of a picture that another client fired between two sessions proves no frame`() throws {
        let bench = Self.bench { $0.hidden = ["takePicture"] }
        try Self.fire(bench)
        _ = bench.finish(.disconnect)
        bench.body.takeByButton()
        bench.connect()
        try Self.lose(bench)
        _ = bench.finish(.resolveCapture(shotsLeftBefore: nil))
        #expect(!bench.calls.contains("awaitTakePicture"))
    }

    // MARK: The number of remaining pictures

    @Test func `a number that follows late proves no later frame`() throws {
        let bench = Self.bench { $0.countsLate = true }
        try Self.fire(bench)
        bench.body.twists = ["actTakePicture": Array(repeating: .error(40400), count: 9)]
        let ticket = try Self.order(bench)
        bench.run(until: { Self.presses($0) == 2 })
        bench.body.catchUp()
        #expect(Self.finish(ticket, bench) == [.failed(.other(SonyHTTPSentences.noPictureTaken))])
        #expect(bench.body.pictureCount == 1)
    }

    @Test func `a number that follows late is no proof after a lost link`() throws {
        let bench = Self.bench {
            $0.countsLate = true
            $0.missing = ["awaitTakePicture"]
        }
        try Self.fire(bench)
        try Self.lose(bench) { $0.catchUp() }
        #expect(bench.finish(.resolveCapture(shotsLeftBefore: 100)) == [.captureResolved(.unknown)])
    }

    @Test func `a picture without a URL is not fired again while its number can still follow`() throws {
        let bench = Self.bench { $0.missing = ["awaitTakePicture"] }
        try Self.fire(bench)
        bench.body.errorAfterShot = 40400
        bench.body.countsLate = true
        let ticket = try Self.order(bench)
        bench.run(for: .seconds(1))
        #expect(bench.body.pictureCount == 2 && Self.presses(bench) == 2)
        bench.body.catchUp()
        #expect(Self.finish(ticket, bench) == [.shutterReleased, .captured])
        #expect(bench.body.pictureCount == 2)
    }

    @Test func `an exposure that no poll saw is in doubt`() throws {
        let bench = Self.bench {
            $0.hidden = ["storageInformation"]
            $0.errorAfterShot = 40400
            $0.saveTime = .zero
        }
        bench.body.twists = ["getEvent": [.error(40402)]]
        bench.body.change("isoSpeedRate")
        bench.run(for: .milliseconds(100))
        #expect(bench.open.isEmpty)
        #expect(try Self.capture(bench) == [.captureResolved(.unknown)])
        #expect(bench.body.pictureCount == 1)
    }

    // MARK: The URL

    @Test func `a URL that came by event proves the frame of a call without an answer`() throws {
        let bench = Self.bench {
            $0.countsShots = false
            $0.answerDelay = .seconds(500)
        }
        _ = try Self.order(bench)
        bench.run(until: { $0.driver.lastFrame.frame?.urls.isEmpty == false })
        bench.isDead = true
        bench.run(for: .seconds(100))
        #expect(bench.losses.count == 1)
        bench.isDead = false
        bench.connect()
        #expect(bench.finish(.resolveCapture(shotsLeftBefore: nil)) == [.captureResolved(.fired)])
    }

    @Test(arguments: [1, 40400]) func `a URL that came by event outweighs an error of the call`(code: Int) throws {
        let bench = Self.bench {
            $0.countsShots = false
            $0.errorAfterShot = code
            $0.hasURLAfterError = true
            $0.answerDelay = .seconds(1)
        }
        #expect(try Self.capture(bench) == [.shutterReleased, .captured])
        #expect(bench.body.pictureCount == 1)
    }

    @Test func `a picture that the user took proves no later frame`() throws {
        let bench = Self.bench {
            $0.countsShots = false
            $0.missing = ["awaitTakePicture"]
        }
        bench.body.takeByButton()
        bench.run(for: .seconds(1))
        try Self.lose(bench)
        #expect(bench.finish(.resolveCapture(shotsLeftBefore: nil)) == [.captureResolved(.unknown)])
    }

    // MARK: Errors and slow answers

    @Test(arguments: [12, 404, 500, 503]) func `an error of the wait does not undo an exposure`(code: Int) throws {
        let bench = Self.bench {
            $0.speed = "30\""
            $0.twists = ["awaitTakePicture": Array(repeating: .error(code), count: 9)]
        }
        #expect(try Self.capture(bench, "30\"") == [.shutterReleased, .captured])
        #expect(bench.body.pictureCount == 1 && Self.presses(bench) == 1)
    }

    @Test(arguments: [500, 503, 700]) func `an unknown error of the call proves nothing`(code: Int) throws {
        let bench = Self.bench { $0.errorAfterShot = code }
        #expect(try Self.capture(bench) == [.shutterReleased, .captured])
        let idle = Self.bench { $0.twists = ["actTakePicture": [.error(code)]] }
        guard case .failed(.refused(operation: "actTakePicture", _, _))? = try Self.capture(idle).last else {
            Issue.record("no failure: \(idle.reported)")
            return
        }
        #expect(idle.body.pictureCount == 0 && Self.presses(idle) == 1)
    }

    @Test func `a call that the body holds for 15 s is no lost session`() throws {
        let bench = Self.bench { $0.answerDelay = .seconds(17) }
        #expect(try Self.capture(bench) == [.shutterReleased, .captured])
        #expect(bench.losses.isEmpty)
        let status = bench.driver.status
        #expect(status.captureTimeMax > SonyHTTPTiming().picture + .seconds(15))
    }

    @Test func `a body that does not hold its calls is not asked at network speed`() throws {
        let bench = Self.bench {
            $0.speed = "2\""
            $0.twists = [
                "actTakePicture": [.error(40403)], "awaitTakePicture": Array(repeating: .error(40403), count: 99),
            ]
        }
        _ = try Self.order(bench, "2\"")
        bench.run(for: .seconds(5))
        #expect(bench.calls.count { $0 == "awaitTakePicture" } <= 11)
    }
}
