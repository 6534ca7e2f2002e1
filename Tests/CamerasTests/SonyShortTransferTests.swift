import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Tests transfers that deliver less than announced, that end the session, or that the disk refuses.
struct SonyShortTransferTests {
    private let file = ObjectInfo.file("DSC1.JPG", size: 1000, date: "20260101T120000")

    private func bench(_ change: (inout ScriptedBody) -> Void = { _ in }) throws -> DriverBench {
        try .keeping(.jpeg) { body in
            body.operations = [.getPartialObject]
            body.nextFiles = [file]
            change(&body)
        }
    }

    /// The part of the file that the transfer delivers.
    private var part: ByteBuffer { ByteBuffer(ScriptedBody.content(of: file).readableBytesView.prefix(600)) }

    // MARK: Less than announced

    @Test(arguments: [TransferPolicy.jpeg, .none])
    func `an OK without a byte is no picture`(policy: TransferPolicy) throws {
        let bench = try bench { $0.overrides[.getObject] = [.init(), .init(data: ByteBuffer())] }
        bench.perform(.keepPictures(PictureRequest(policy: policy)))
        let frame = try bench.shoot()
        #expect(frame.events.last == .idle)
        #expect(bench.fetches == ["whole", "whole", "whole"])
        #expect(bench.log.lines == (policy == .none ? [] : ["begin 1 at 0", "end 1"]))
        #expect(!bench.notes.contains { $0.contains("was already transferred") })
    }

    @Test func `a file that ends early with an OK is requested again`() throws {
        let bench = try bench { $0.overrides[.getObject] = [.init(data: part)] }
        #expect(try bench.shoot().events.last == .idle)
        #expect(bench.log.lines == ["begin 1 at 0", "interrupted 1", "begin 1 at 600", "end 1"])
        #expect(bench.log[1] == ScriptedBody.content(of: file))
    }

    @Test func `a file that is shorter than announced is kept if the body has no more of it`() throws {
        let bench = try bench { $0.overrides[.getObject] = [.init(data: part)] }
        let ticket = bench.perform(.capture(try .named("1/60")))
        bench.run(until: { !$0.fetches.isEmpty })
        bench.body.removeFiles()
        #expect(bench.finish(ticket).last == .idle)
        #expect(bench.log.lines == ["begin 1 at 0", "interrupted 1", "begin 1 at 600", "end 1"])
        #expect(bench.log[1] == part)
        #expect(bench.notes.contains { $0.contains("600 bytes instead of 1000") })
    }

    // MARK: The end of a session

    /// Loses and opens the connection this many times, with a pause each time.
    private func reconnect(_ bench: DriverBench, times: Int) {
        for _ in 0..<times {
            bench.forget()
            bench.connect()
            bench.run(for: .seconds(10))
        }
    }

    @Test func `the whole file is requested if a body sends it instead of the rest`() throws {
        let whole = ScriptedBody.content(of: file)
        let bench = try bench {
            $0.breaks = [.link(after: 300)]
            $0.overrides[.getPartialObject] = [ScriptedBody.Answer](repeating: .init(data: whole), count: 10)
        }
        _ = try bench.shoot()
        reconnect(bench, times: 2)
        #expect(bench.log.lines == ["begin 1 at 0", "interrupted 1", "abandoned 1", "begin 2 at 0", "end 2"])
        #expect(bench.losses.isEmpty)
        #expect(bench.body.files.isEmpty)
    }

    @Test func `a file whose transfer ends every session is dropped at last`() throws {
        let bench = try bench { $0.breaks = [ScriptedBody.Break](repeating: .link(after: 0), count: 4) }
        _ = try bench.shoot()
        reconnect(bench, times: 3)
        #expect(bench.body.files.count == 1)
        #expect(bench.notes.contains { $0.contains("ended the session too often") })
        reconnect(bench, times: 1)
        #expect(bench.body.files.isEmpty)
        #expect(!bench.log.lines.contains { $0.hasPrefix("end") })
    }

    @Test(arguments: [false, true])
    func `a picture without another copy stays in the buffer if there is no room`(isBetweenParts: Bool) throws {
        let bench = try bench {
            if isBetweenParts { $0.breaks = [.link(after: 100)] }
            $0.partMax = 100
        }
        bench.pieceSize = isBetweenParts ? Int.max : 100
        let ticket = bench.perform(.capture(try .named("1/60")))
        if isBetweenParts {
            bench.run(until: { !$0.losses.isEmpty })
            bench.forget()
            bench.connect()
        }
        bench.run(until: { $0.pictures.count { if case .bytes = $0.action { true } else { false } } == 3 })
        bench.perform(.keepPictures(PictureRequest(policy: .jpeg, hasRoom: false)))
        #expect(bench.log.lines.last == "interrupted 1")
        bench.pieceSize = Int.max
        if !bench.losses.isEmpty {
            // The body of the bench counts a file as sent as soon as the network has the file.
            if bench.body.files.isEmpty { bench.body.leave(file) }
            bench.connect()
        }
        bench.run(for: .seconds(20))
        #expect(bench.log.lines.last == "interrupted 1")
        #expect(bench.body.files.count == 1)
        bench.perform(.keepPictures(PictureRequest(policy: .jpeg)))
        bench.run(for: .seconds(5))
        #expect(bench.log.lines.suffix(3) == ["abandoned 1", "begin 2 at 0", "end 2"])
        #expect(bench.log[2] == ScriptedBody.content(of: file))
        #expect(bench.log.infos.last?.capture == ticket)
    }
}
