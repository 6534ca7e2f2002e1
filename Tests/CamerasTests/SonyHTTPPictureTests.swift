import Exposure
import JSON
import NIOCore
import Testing

@testable import Cameras

/// The transfer of post-view pictures of a Sony body over HTTP.
struct SonyHTTPPictureTests {
    private static func bench(
        _ policy: TransferPolicy = .both,
        hasRoom: Bool = true,
        _ change: (inout SonyHTTPScriptedBody) -> Void = { _ in }
    ) -> SonyHTTPBench {
        let bench = SonyHTTPBench(change)
        bench.perform(.keepPictures(PictureRequest(policy: policy, hasRoom: hasRoom)))
        bench.connect()
        bench.run(for: .milliseconds(500))
        bench.forget()
        return bench
    }

    /// The names of the pictures that the driver gave up for this reason.
    private static func skipped(_ bench: SonyHTTPBench, _ reason: PictureSkip) -> [String] {
        bench.pictures.compactMap { if case .skipped(let info, reason) = $0 { info.name } else { nil } }
    }

    /// Fires a frame and waits until the body is idle.
    private static func fire(_ bench: SonyHTTPBench) throws -> Ticket {
        let ticket = bench.perform(.capture(try ShutterSpeed(parsing: "1/125")))
        bench.run(until: { $0.events(ticket).contains(.captured) })
        #expect(bench.finish(.awaitIdle).last == .idle)
        return ticket
    }

    @Test func `the full picture is fetched before the body is idle, and belongs to its frame`() throws {
        let bench = Self.bench()
        #expect(bench.body.postview == "Original")
        let ticket = try Self.fire(bench)
        guard case .begin(let info, offset: 0)? = bench.pictures.first else {
            Issue.record("no picture: \(bench.pictures)")
            return
        }
        #expect(info.name == "pict1.JPG" && info.kind == .jpeg && info.capture == ticket)
        #expect(bench.pictures.dropFirst() == [.bytes(bench.body.picture), .end])
        #expect(bench.requests.filter { $0.isPicture }.map(\.path) == ["/postview/pict1.JPG"])
    }

    @Test func `the size of the picture is restored at the end`() {
        let bench = Self.bench()
        #expect(bench.finish(.disconnect) == [.disconnected])
        #expect(bench.body.postview == "2M")
    }

    @Test func `without a policy nothing is fetched, and the size stays`() throws {
        let bench = Self.bench(.none)
        _ = try Self.fire(bench)
        #expect(bench.pictures.isEmpty && bench.body.postview == "2M")
    }

    @Test func `without space the picture is skipped, because it is on the card`() throws {
        let bench = Self.bench(hasRoom: false)
        _ = try Self.fire(bench)
        guard case .skipped(let info, .noRoom)? = bench.pictures.first else {
            Issue.record("not skipped: \(bench.pictures)")
            return
        }
        #expect(info.name == "pict1.JPG" && bench.pictures.count == 1)
    }

    @Test(arguments: ["198.51.100.1:8080", "192.168.122.1.example.com", "user@192.168.122.1:8080", "[::1]:80"])
    func `a URL at another address is never fetched`(host: String) throws {
        let bench = Self.bench { $0.urlHost = host }
        _ = try Self.fire(bench)
        #expect(Self.skipped(bench, .foreign).count == 1 && bench.pictures.count == 1)
        #expect(!bench.requests.contains { $0.isPicture })
        #expect(bench.notes.contains { $0.contains("not at the camera's address") })
    }

    @Test func `a picture may be at another port of the camera`() throws {
        let bench = Self.bench { $0.urlHost = "192.168.122.1:60152" }
        _ = try Self.fire(bench)
        let request = bench.requests.first { $0.isPicture }
        #expect(request?.address == CameraAddress(host: "192.168.122.1", port: 60152))
    }

    @Test(arguments: [302, 403, 404] as [UInt16])
    func `a redirect is not followed, and a picture that is gone is given up`(status: UInt16) throws {
        let bench = Self.bench {
            $0.pictureAnswers = [
                .head(HTTPHead(status: status, headers: [HTTPHeader("Location", "http://198.51.100.1/")]))
            ]
        }
        _ = try Self.fire(bench)
        #expect(Self.skipped(bench, .notOffered(status: status)) == ["pict1.JPG"])
        #expect(bench.requests.filter { $0.isPicture }.count == 1)
        #expect(
            bench.notes.contains { $0.contains("HTTP status \(status)") && $0.contains("stays on the camera's card") }
        )
    }

    @Test func `a transfer that breaks begins again`() throws {
        let bench = Self.bench {
            $0.pictureAnswers = [
                .head(HTTPHead(status: 200)), .body(ByteBuffer(string: "half")), .failed(.closed(isAnswered: true)),
            ]
        }
        _ = try Self.fire(bench)
        let ends = bench.pictures.filter { $0 == .abandoned || $0 == .end }
        #expect(ends == [.abandoned, .end] && bench.requests.filter { $0.isPicture }.count == 2)
    }

    @Test func `a body that is busy with the picture is asked again`() throws {
        let bench = Self.bench { $0.pictureAnswers = [.head(HTTPHead(status: 503))] }
        _ = try Self.fire(bench)
        #expect(bench.pictures.last == .end && bench.requests.filter { $0.isPicture }.count == 2)
    }

    @Test func `a picture that can never be fetched is given up after three tries`() throws {
        let bench = Self.bench {
            $0.pictureAnswers = Array(repeating: .failed(.closed(isAnswered: false)), count: 20)
        }
        _ = try Self.fire(bench)
        #expect(bench.requests.filter { $0.isPicture }.count == 3)
        #expect(Self.skipped(bench, .failed(attempts: 3)) == ["pict1.JPG"])
    }

    @Test func `a picture that waits is not fetched from another body at the same address`() throws {
        let bench = Self.bench()
        let ticket = bench.perform(.capture(try ShutterSpeed(parsing: "1/125")))
        bench.run(until: { $0.events(ticket).contains(.captured) })
        bench.perform(.abandon)
        bench.body = SonyHTTPScriptedBody()
        bench.body.number = 2
        bench.connect()
        bench.run(for: .seconds(5))
        #expect(!bench.requests.contains { $0.isPicture } && Self.skipped(bench, .ofOtherCamera) == ["pict1.JPG"])
    }

    @Test func `the size of the picture is written again until the body shows it, three times`() {
        let bench = Self.bench { $0.twists = ["setPostviewImageSize": [.error(40401), .noEffect]] }
        for _ in 0..<4 {
            bench.run(for: .seconds(2))
            _ = bench.finish(.awaitIdle)
        }
        #expect(bench.body.postview == "Original")
        let lying = Self.bench {
            $0.twists = ["setPostviewImageSize": Array(repeating: .noEffect, count: 99)]
        }
        for _ in 0..<6 {
            lying.run(for: .seconds(2))
            _ = lying.finish(.awaitIdle)
        }
        #expect(lying.body.calls.count { $0.method == "setPostviewImageSize" } == 3)
        #expect(lying.notes.contains(SonyHTTPSentences.postviewUnchanged))
    }
}
