import Exposure
import JSON
import NIOCore
import Testing

@testable import Cameras

/// Frames on a Sony body over HTTP, from the check of the speed until the body is idle.
struct SonyHTTPFrameTests {
    private static func bench(_ change: (inout SonyHTTPScriptedBody) -> Void = { _ in }) -> SonyHTTPBench {
        let bench = SonyHTTPBench(change)
        bench.connect()
        return bench
    }

    private static func speed(_ text: String) throws -> ShutterSpeed { try ShutterSpeed(parsing: text) }

    /// Fires a frame at the body's present speed, as the core does.
    private static func capture(_ bench: SonyHTTPBench, _ text: String = "1/125") throws -> [CameraEvent] {
        let ticket = bench.perform(.capture(try speed(text)))
        bench.run(
            until: { bench in
                !bench.losses.isEmpty
                    || bench.events(ticket).contains { $0 == .captured || $0.isLastWord }
            },
            atMost: .seconds(200)
        )
        return bench.events(ticket).filter { $0 != .saving }
    }

    @Test func `a frame is fired, its picture is reported, and the body becomes idle`() throws {
        let bench = Self.bench()
        #expect(try Self.capture(bench) == [.shutterReleased, .captured])
        #expect(bench.finish(.awaitIdle).last == .idle)
        #expect(bench.body.pictureCount == 1 && bench.body.status == "IDLE")
        #expect(bench.calls == ["getAvailableShutterSpeed", "actTakePicture"])
    }

    @Test func `the speed is read once more right before the shutter call`() throws {
        let bench = Self.bench { $0.twists = ["getAvailableShutterSpeed": [.result(#"["1/60",["1/60","1/125"]]"#)]] }
        let found = SpeedReading.speed(try Self.speed("1/60"))
        #expect(bench.finish(.capture(try Self.speed("1/125"))) == [.failed(.speedChanged(found: found))])
        #expect(!bench.calls.contains("actTakePicture"))
    }

    @Test func `a reading whose answer came late is repeated before the shutter call`() throws {
        let bench = Self.bench()
        bench.run(for: .seconds(1))
        bench.body.readDelay = .seconds(3)
        let ticket = bench.perform(.capture(try Self.speed("1/125")))
        bench.run(for: .seconds(1))
        bench.body.readDelay = .zero
        bench.body.speed = "1/60"
        bench.run(until: { !$0.events(ticket).isEmpty })
        let found = SpeedReading.speed(try Self.speed("1/60"))
        #expect(bench.events(ticket) == [.failed(.speedChanged(found: found))])
        #expect(!bench.calls.contains("actTakePicture"))
    }

    @Test func `a slow link fires on the second reading`() throws {
        let bench = Self.bench()
        bench.run(for: .seconds(1))
        bench.body.readDelay = .seconds(3)
        #expect(try Self.capture(bench) == [.shutterReleased, .captured])
        #expect(bench.calls == ["getAvailableShutterSpeed", "getAvailableShutterSpeed", "actTakePicture"])
    }

    @Test func `a reading right before a frame does not delay the frame`() throws {
        let times = try [false, true].map { isRead in
            let bench = Self.bench()
            bench.run(for: .seconds(2))
            if isRead { #expect(bench.finish(.readSpeed).count == 1) }
            let start = bench.now
            _ = try Self.capture(bench)
            return bench.now - start
        }
        #expect(times[0] == times[1])
    }

    @Test func `a long exposure is awaited, and its release is reported early`() throws {
        let bench = Self.bench { $0.speed = "30\"" }
        let start = bench.now
        #expect(try Self.capture(bench, "30\"") == [.shutterReleased, .captured])
        #expect(bench.now - start >= .seconds(30) && bench.now - start < .seconds(31))
        #expect(bench.calls == ["getAvailableShutterSpeed", "actTakePicture", "awaitTakePicture"])
        let release = bench.reported.first { $0.event == .shutterReleased }
        #expect(release.map { $0.at - start < .seconds(1) } == true)
    }

    @Test func `the shutter is not pressed at another speed`() throws {
        let bench = Self.bench()
        let found = SpeedReading.speed(try Self.speed("1/125"))
        #expect(bench.finish(.capture(try Self.speed("1/60"))) == [.failed(.speedChanged(found: found))])
        #expect(bench.calls.isEmpty)
    }

    @Test func `the shutter is not pressed while the body is busy`() throws {
        let bench = Self.bench()
        bench.body.status = "NotReady"
        bench.body.change("cameraStatus", "availableApiList")
        bench.run(for: .milliseconds(50))
        #expect(bench.finish(.capture(try Self.speed("1/125"))) == [.busy])
        #expect(!bench.calls.contains("actTakePicture"))
    }

    @Test func `a short gap in which the body is not ready is waited for`() throws {
        let bench = Self.bench()
        bench.body.status = "NotReady"
        bench.body.change("cameraStatus", "availableApiList")
        bench.run(for: .milliseconds(50))
        let ticket = bench.perform(.capture(try Self.speed("1/125")))
        bench.run(for: .milliseconds(500))
        bench.body.status = "IDLE"
        bench.body.change("cameraStatus", "availableApiList")
        bench.run(for: .seconds(2))
        #expect(bench.events(ticket).contains(.captured))
    }

    // MARK: 40400

    @Test func `a body that wants a half press gets one, and keeps it until the end`() throws {
        let bench = Self.bench { $0.needsHalfPress = true }
        #expect(try Self.capture(bench) == [.shutterReleased, .captured])
        #expect(bench.finish(.awaitIdle).last == .idle)
        let calls = ["actTakePicture", "actHalfPressShutter", "actTakePicture", "cancelHalfPressShutter"]
        #expect(bench.calls.filter { !$0.hasPrefix("get") } == calls)
        #expect(!bench.body.isHalfPressed && bench.body.pictureCount == 1)
        bench.forget()
        // The driver remembers the need of the body.
        #expect(try Self.capture(bench) == [.shutterReleased, .captured])
        let presses = bench.calls.filter { !$0.hasPrefix("get") }.prefix(2)
        #expect(presses == ["actHalfPressShutter", "actTakePicture"])
    }

    @Test func `a body that never focuses fails after four tries, and its button is released`() throws {
        let bench = Self.bench {
            $0.focus = "AF-S"
            $0.twists = ["actTakePicture": Array(repeating: .error(40400), count: 20)]
        }
        #expect(bench.finish(.capture(try Self.speed("1/125"))) == [.failed(.focusFailed)])
        #expect(bench.calls.filter { $0 == "actTakePicture" }.count == 4)
        #expect(bench.calls.last == "cancelHalfPressShutter" && !bench.body.isHalfPressed)
    }

    @Test func `40400 with a picture less on the card is a picture without a URL`() throws {
        let bench = Self.bench { $0.twists = ["actTakePicture": [.error(40400)]] }
        bench.body.shotsLeft = 99
        #expect(try Self.capture(bench) == [.shutterReleased, .captured])
        #expect(bench.calls.filter { $0 == "actTakePicture" }.count == 1)
        #expect(bench.notes.contains { $0.contains("no URL") })
    }

    @Test(arguments: [1, 40401, 7]) func `a call that comes too early is repeated without a doubt`(code: Int) throws {
        let bench = Self.bench { $0.twists = ["actTakePicture": [.error(code)]] }
        #expect(try Self.capture(bench) == [.shutterReleased, .captured])
        #expect(bench.body.pictureCount == 1)
    }

    @Test func `a method that the body does not have is an error with its number`() throws {
        let bench = Self.bench { $0.twists = ["actTakePicture": [.error(12)]] }
        let name = "error 12 (No Such Method)"
        let failure = CameraFailure.refused(operation: "actTakePicture", code: 12, name: name)
        #expect(bench.finish(.capture(try Self.speed("1/125"))) == [.failed(failure)])
    }

    // MARK: The link breaks

    /// Begins a frame, and breaks the link as soon as the body has the shutter call.
    @discardableResult
    private static func breakLink(after bench: SonyHTTPBench) throws -> Ticket {
        let count = { (bench: SonyHTTPBench) in bench.calls.count { $0 == "actTakePicture" } }
        let before = count(bench)
        let ticket = bench.perform(.capture(try speed("1/125")))
        bench.run(until: { count($0) > before })
        bench.isDead = true
        return ticket
    }

    private static func reconnect(_ bench: SonyHTTPBench) {
        bench.run(for: .seconds(5))
        bench.isDead = false
        bench.connect()
    }

    @Test func `a frame whose answer was lost is proved by the number of remaining pictures`() throws {
        let bench = Self.bench { $0.missing = ["awaitTakePicture"] }
        _ = try Self.capture(bench)
        _ = bench.finish(.awaitIdle)
        let left = bench.body.shotsLeft
        let ticket = try Self.breakLink(after: bench)
        bench.run(for: .seconds(25))
        #expect(!bench.events(ticket).contains(.captured) && bench.losses.count == 1)
        Self.reconnect(bench)
        #expect(bench.body.shotsLeft == left - 1)
        #expect(bench.finish(.resolveCapture(shotsLeftBefore: left)) == [.captureResolved(.fired)])
    }

    @Test func `a frame whose call never arrived was not fired, on a body that counts`() throws {
        let bench = Self.bench()
        _ = try Self.capture(bench)
        _ = bench.finish(.awaitIdle)
        let left = bench.body.shotsLeft
        bench.isDead = true
        bench.perform(.capture(try Self.speed("1/125")))
        bench.run(for: .seconds(20))
        Self.reconnect(bench)
        #expect(bench.finish(.resolveCapture(shotsLeftBefore: left)) == [.captureResolved(.notFired)])
    }

    @Test func `a frame is proved by a new URL, even if the body counts nothing`() throws {
        let bench = Self.bench { $0.countsShots = false }
        bench.perform(.keepPictures(PictureRequest(policy: .jpeg)))
        _ = try Self.capture(bench)
        _ = bench.finish(.awaitIdle)
        try Self.breakLink(after: bench)
        bench.run(for: .seconds(20))
        Self.reconnect(bench)
        #expect(bench.finish(.resolveCapture(shotsLeftBefore: nil)) == [.captureResolved(.fired)])
    }

    @Test func `without any sign the result is unknown`() throws {
        let bench = Self.bench {
            $0.countsShots = false
            $0.missing = ["awaitTakePicture"]
            $0.twists = ["actTakePicture": [.silence]]
        }
        try Self.breakLink(after: bench)
        bench.run(for: .seconds(20))
        Self.reconnect(bench)
        #expect(bench.finish(.resolveCapture(shotsLeftBefore: 100)) == [.captureResolved(.unknown)])
    }

    @Test func `a link that is lost before the shutter call leaves no doubt`() throws {
        let bench = Self.bench()
        _ = bench.finish(.abandon)
        #expect(bench.finish(.capture(try Self.speed("1/125"))) == [.lost(.notConnected)])
        bench.connect()
        #expect(bench.finish(.resolveCapture(shotsLeftBefore: 100)) == [.captureResolved(.notFired)])
    }

    // MARK: Half presses, methods that are refused, and other drive modes

    @Test func `a half press that did not help is not repeated for every later frame`() throws {
        let bench = Self.bench {
            $0.focus = "AF-S"
            $0.twists = ["actTakePicture": Array(repeating: .error(40400), count: 4)]
        }
        #expect(try Self.capture(bench) == [.failed(.focusFailed)])
        bench.forget()
        #expect(try Self.capture(bench) == [.shutterReleased, .captured])
        #expect(!bench.calls.contains("actHalfPressShutter"))
    }

    @Test func `the focus of the last frame does not decide`() throws {
        let bench = Self.bench {
            $0.needsHalfPress = true
            $0.focusStatus = "Failed"
        }
        #expect(try Self.capture(bench) == [.shutterReleased, .captured])
    }

    @Test func `a focus that fails during the half press is a failure`() throws {
        let bench = Self.bench { $0.needsHalfPress = true }
        let ticket = bench.perform(.capture(try Self.speed("1/125")))
        bench.run(until: { $0.body.isHalfPressed })
        bench.body.focusStatus = "Failed"
        bench.body.change("focusStatus")
        bench.run(for: .seconds(2))
        #expect(bench.events(ticket) == [.failed(.focusFailed)])
    }

    @Test func `a getter that the body lists and rejects does not stop the frame`() throws {
        let bench = Self.bench {
            $0.twists = [
                "getAvailableShutterSpeed": Array(repeating: .error(403), count: 99),
                "getShutterSpeed": Array(repeating: .error(403), count: 99),
            ]
        }
        #expect(try Self.capture(bench) == [.shutterReleased, .captured])
        #expect(bench.calls.count { $0.hasSuffix("ShutterSpeed") } == 2)
    }

    @Test func `a continuous drive mode and BULB fail at once with what to change`() throws {
        let bench = Self.bench {
            $0.missing = ["actTakePicture"]
            $0.extra = ["startContShooting"]
        }
        let start = bench.now
        #expect(try Self.capture(bench) == [.failed(.other(SonyHTTPSentences.continuousDrive))])
        let bulb = Self.bench {
            $0.missing = ["actTakePicture"]
            $0.extra = ["startBulbShooting"]
            $0.speed = "BULB"
        }
        #expect(try Self.capture(bulb) == [.failed(.speedChanged(found: .other("BULB")))])
        #expect(bench.now - start < .seconds(1))
    }
}
