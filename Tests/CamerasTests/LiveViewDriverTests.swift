import Exposure
import JSON
import NIOCore
import PTP
import Testing

@testable import Cameras

/// One picture of the live view by each driver. What the driver switches on is off again before the answer.
struct LiveViewDriverTests {
    private static let jpeg = LiveViewDataTests.jpeg

    private static func frame(_ event: CameraEvent?) -> LiveViewFrame? {
        if case .liveView(.frame(let frame))? = event { frame } else { nil }
    }

    private static let late = CameraEvent.failed(.other(LiveViewSentences.noFrame))

    // MARK: Canon

    private static let canonData: ByteBuffer = {
        var data = ByteBuffer()
        data.writeMultipleIntegers(UInt32(8 + jpeg.readableBytes), 1 as UInt32, endianness: .little)
        data.writeImmutableBuffer(jpeg)
        data.writeImmutableBuffer(ByteBuffer(hex: "0800000000000000"))
        return data
    }()

    private static func canon(
        _ answers: [ScriptedAnswer],
        _ change: (inout CanonScriptedBody) -> Void = { _ in }
    ) -> CanonBench {
        CanonBench.connected { body in
            body.operations += [.canonGetViewFinderData, .canonTerminateViewFinder]
            body.values[.canonLiveViewOutput] = 0
            body.values[.canonLiveViewMode] = 1
            body.lists[.canonLiveViewOutput] = [0, 1, 2, 3]
            body.lists[.canonLiveViewMode] = [0, 1]
            body.overrides[.canonGetViewFinderData] = answers
            body.overrides[.canonTerminateViewFinder] = [ScriptedAnswer()]
            change(&body)
        }
    }

    private static let notReady = ScriptedAnswer(code: .canonObjectNotReady)
    private static let on = "b0d1000002000000"
    private static let off = "b0d1000000000000"

    @Test func `a Canon body shows one picture, and its live view is off again`() {
        let bench = Self.canon([Self.notReady, ScriptedAnswer(data: Self.canonData)])
        let events = bench.finish(bench.perform(.liveView(nil)))
        #expect(Self.frame(events.last)?.jpeg == Self.jpeg && Self.frame(events.last)?.exposure == .unknown)
        #expect(bench.writes == [Self.on, Self.off])
        #expect(bench.body.values[.canonLiveViewOutput] == 0)
        let codes = bench.requests.map(\.request.code).filter { $0 != .canonGetEvent && $0 != .canonKeepDeviceOn }
        #expect(
            codes == [
                .canonSetProperty, .canonGetViewFinderData, .canonGetViewFinderData, .canonSetProperty,
                .canonTerminateViewFinder,
            ]
        )
    }

    @Test func `a Canon body that sends no picture is asked for three seconds`() {
        let bench = Self.canon(Array(repeating: Self.notReady, count: 1000))
        let start = bench.now
        #expect(bench.finish(bench.perform(.liveView(nil))) == [Self.late])
        #expect(bench.now - start < .seconds(5))
        #expect(bench.writes == [Self.on, Self.off])
    }

    @Test func `another command ends the live view of a Canon body before it begins`() throws {
        let bench = Self.canon(Array(repeating: Self.notReady, count: 1000))
        bench.perform(.liveView(nil))
        bench.run(for: .milliseconds(500))
        #expect(bench.writes == [Self.on])
        #expect(bench.finish(bench.perform(.setSpeed(try .named("1/60")))) == [.speedAccepted])
        #expect(bench.writes.prefix(2) == [Self.on, Self.off])
    }

    @Test func `the end of the session ends the live view of a Canon body`() {
        let bench = Self.canon(Array(repeating: Self.notReady, count: 1000))
        bench.perform(.liveView(nil))
        bench.run(for: .milliseconds(500))
        #expect(bench.finish(bench.perform(.disconnect)) == [.disconnected])
        #expect(bench.writes == [Self.on, Self.off])
    }

    @Test func `a live view that the user switched on stays on`() {
        let bench = Self.canon([ScriptedAnswer(data: Self.canonData)]) { $0.values[.canonLiveViewOutput] = 3 }
        #expect(Self.frame(bench.finish(bench.perform(.liveView(nil))).last) != nil)
        #expect(bench.writes.isEmpty)
    }

    @Test func `a Canon body that ignores the end is asked again, and then noted`() {
        let answers = Array(repeating: Self.notReady, count: 3) + [ScriptedAnswer(data: Self.canonData)]
        let bench = Self.canon(answers)
        bench.perform(.liveView(nil))
        bench.run(until: { $0.writes.count == 1 })
        bench.run(for: .milliseconds(40))
        bench.body.ignoredWrites = 100
        bench.run(for: .seconds(20))
        #expect(bench.writes.count { $0 == Self.off } == LiveViewLimits.endsMax)
        #expect(bench.notes.contains(LiveViewSentences.notEnded))
    }

    @Test func `data without a picture answer the command`() {
        let bench = Self.canon([ScriptedAnswer(data: ByteBuffer(hex: "0700000001000000"))])
        let error = LiveViewError.header(.countBeyondData(field: "live view record", count: 7, left: 8))
        #expect(bench.finish(bench.perform(.liveView(nil))) == [.liveView(.unreadable(error))])
        #expect(bench.writes == [Self.on, Self.off])
    }

    // MARK: Nikon

    private static func nikon(
        _ answers: [ScriptedAnswer],
        _ change: (inout NikonScriptedBody) -> Void = { _ in }
    ) -> NikonBench {
        NikonBench.connected { body in
            body.operations += [.nikonStartLiveView, .nikonEndLiveView, .nikonGetLiveViewPicture]
            body.overrides[.nikonGetLiveViewPicture] = answers
            change(&body)
        }
    }

    private static func liveViewCodes(_ bench: NikonBench) -> [OperationCode] {
        let codes: [OperationCode] = [.nikonStartLiveView, .nikonEndLiveView, .nikonGetLiveViewPicture]
        return bench.requests.map(\.request.code).filter { codes.contains($0) }
    }

    @Test func `a Nikon body shows one picture, and its live view is off again`() {
        var data = ByteBuffer(repeating: 0, count: 384)
        data.writeImmutableBuffer(Self.jpeg)
        let bench = Self.nikon([ScriptedAnswer(code: .deviceBusy), ScriptedAnswer(data: data)])
        let events = bench.finish(bench.perform(.liveView(nil)))
        #expect(Self.frame(events.last)?.jpeg == Self.jpeg)
        #expect(
            Self.liveViewCodes(bench) == [
                .nikonStartLiveView, .nikonGetLiveViewPicture, .nikonGetLiveViewPicture, .nikonEndLiveView,
            ]
        )
    }

    @Test func `a Nikon body that ends live view by itself starts it again`() {
        var data = ByteBuffer(repeating: 0, count: 64)
        data.writeImmutableBuffer(Self.jpeg)
        let bench = Self.nikon([ScriptedAnswer(code: .nikonNotInLiveView), ScriptedAnswer(data: data)])
        #expect(Self.frame(bench.finish(bench.perform(.liveView(nil))).last) != nil)
        #expect(Self.liveViewCodes(bench).count { $0 == .nikonStartLiveView } == 2)
        #expect(Self.liveViewCodes(bench).last == .nikonEndLiveView)
    }

    @Test func `a Nikon body that does not start live view says why`() {
        let bench = Self.nikon([]) { $0.refusals[.nikonStartLiveView] = .nikonInvalidStatus }
        let failure = CameraFailure.other(LiveViewSentences.notStarted("InvalidStatus"))
        #expect(bench.finish(bench.perform(.liveView(nil))) == [.failed(failure)])
        #expect(Self.liveViewCodes(bench) == [.nikonStartLiveView])
    }

    @Test func `the end of the session ends the live view of a Nikon body`() {
        let bench = Self.nikon(Array(repeating: ScriptedAnswer(code: .deviceBusy), count: 1000))
        bench.perform(.liveView(nil))
        bench.run(for: .milliseconds(500))
        #expect(bench.finish(bench.perform(.disconnect)) == [.disconnected])
        #expect(Self.liveViewCodes(bench).last == .nikonEndLiveView)
    }

    // MARK: Sony over PTP/IP

    private static let sonyData: ByteBuffer = {
        var data = ByteBuffer()
        for number in [136, 128, 16, 120] as [UInt32] { data.writeInteger(number, endianness: .little) }
        data.writeRepeatingByte(0, count: 120)
        data.writeImmutableBuffer(jpeg)
        data.writeRepeatingByte(0xD9, count: 128 - jpeg.readableBytes)
        return data
    }()

    private static func sony(_ answers: [ScriptedAnswer]) throws -> DriverBench {
        DriverBench.showing(try .named("1/60")) { body in
            body.overrides[.getObjectInfo] = [
                ScriptedAnswer(code: .accessDenied), ScriptedAnswer(data: ObjectInfo().encoded()),
            ]
            body.overrides[.getObject] = answers
        }
    }

    @Test func `a Sony body is asked for its picture until one is ready`() throws {
        let bench = try Self.sony([
            ScriptedAnswer(code: .invalidObjectHandle), ScriptedAnswer(data: ByteBuffer()),
            ScriptedAnswer(data: Self.sonyData),
        ])
        let events = bench.finish(bench.perform(.liveView(nil)))
        #expect(Self.frame(events.last)?.jpeg == Self.jpeg)
        let asked = bench.requests.filter { $0.request.parameters == [SonyObjectHandle.liveView] }
        #expect(asked.map(\.request.code) == [.getObjectInfo, .getObjectInfo, .getObject, .getObject, .getObject])
    }

    @Test func `a false length of a Sony frame answers the command`() throws {
        var data = Self.sonyData
        data.setInteger(256 as UInt32, at: 4, endianness: .little)
        let bench = try Self.sony([ScriptedAnswer(data: data)])
        let error = LiveViewError.header(.countBeyondData(field: "live view JPEG", count: 256, left: 128))
        #expect(bench.finish(bench.perform(.liveView(nil))) == [.liveView(.unreadable(error))])
    }

    @Test func `a body with one size refuses another one`() throws {
        let bench = try Self.sony([])
        #expect(bench.finish(bench.perform(.liveView(.large))) == [.failed(.other(LiveViewSentences.oneSize))])
    }

    // MARK: Sony over HTTP

    private static let packet: ByteBuffer = {
        var packet = ByteBuffer(bytes: [0xFF, 1, 0, 0, 0, 0, 0, 0, 0x24, 0x35, 0x68, 0x79])
        packet.writeInteger(UInt32(jpeg.readableBytes) << 8)
        packet.writeRepeatingByte(0, count: 136 - packet.readableBytes)
        packet.writeImmutableBuffer(jpeg)
        return packet
    }()

    private static func http(_ change: (inout SonyHTTPScriptedBody) -> Void = { _ in }) -> SonyHTTPBench {
        let bench = SonyHTTPBench { body in
            body.extra = ["startLiveview"]
            body.picture = packet
            change(&body)
        }
        bench.connect()
        return bench
    }

    private static func liveViewCalls(_ bench: SonyHTTPBench) -> [String] {
        bench.calls.filter { $0.contains("Liveview") }
    }

    @Test func `a body over HTTP shows the first picture of its stream, and its live view is off again`() {
        let bench = Self.http()
        let events = bench.finish(.liveView(nil))
        #expect(Self.frame(events.last)?.jpeg == Self.jpeg)
        #expect(Self.liveViewCalls(bench) == ["startLiveview", "stopLiveview"])
        #expect(!bench.body.isLiveViewOn)
        #expect(bench.requests.filter { $0.method == .get }.map(\.path) == ["/liveview/liveviewstream"])
    }

    @Test func `a stream that ends without a picture is opened again`() {
        let bench = Self.http { $0.pictureAnswers = [.head(HTTPHead(status: 200)), .end] }
        #expect(Self.frame(bench.finish(.liveView(nil)).last) != nil)
        #expect(bench.requests.filter { $0.method == .get }.count == 2)
    }

    @Test func `a stream without a picture ends after three seconds`() {
        let bench = Self.http { $0.picture = ByteBuffer(repeating: 0, count: 100) }
        let start = bench.now
        #expect(bench.finish(.liveView(nil)) == [Self.late])
        #expect(bench.now - start < .seconds(5) && !bench.body.isLiveViewOn)
    }

    @Test func `a stream at another address is not opened`() {
        let bench = Self.http { $0.liveViewURL = "http://10.0.0.1:8080/liveview" }
        let sentence = SonyHTTPSentences.foreignLiveView("http://10.0.0.1:8080/liveview")
        #expect(bench.finish(.liveView(nil)) == [.failed(.other(sentence))])
        #expect(!bench.body.isLiveViewOn && !bench.requests.contains { $0.method == .get })
    }

    @Test func `a size is requested if the body offers sizes`() {
        let plain = Self.http()
        #expect(plain.finish(.liveView(.large)) == [.failed(.other(LiveViewSentences.oneSize))])
        let bench = Self.http { $0.extra = ["startLiveview", "startLiveviewWithSize"] }
        #expect(Self.frame(bench.finish(.liveView(.large)).last) != nil)
        #expect(bench.body.calls.first { $0.method == "startLiveviewWithSize" }?.params == ["L"])
    }

    @Test func `a body without live view says so`() {
        let bench = Self.http { $0.extra = [] }
        #expect(bench.finish(.liveView(nil)) == [.failed(.other(LiveViewSentences.unsupported))])
    }

    @Test func `a live view that another client uses stays on`() {
        let bench = Self.http { $0.isLiveViewOn = true }
        #expect(Self.frame(bench.finish(.liveView(nil)).last) != nil)
        #expect(Self.liveViewCalls(bench) == ["startLiveview"])
        #expect(bench.body.isLiveViewOn)
    }

    @Test func `the end of the session ends the live view of a body over HTTP`() {
        let bench = Self.http { $0.picture = ByteBuffer() }
        bench.perform(.liveView(nil))
        bench.run(until: { $0.body.isLiveViewOn })
        bench.run(for: .milliseconds(100))
        bench.perform(.disconnect)
        bench.run(for: .seconds(3))
        #expect(!bench.body.isLiveViewOn && bench.open.isEmpty)
    }
}
