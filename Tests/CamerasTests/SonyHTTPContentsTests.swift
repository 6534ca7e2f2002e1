import Exposure
import JSON
import NIOCore
import Testing

@testable import Cameras

/// The list of the files on the card of a Sony body over HTTP.
struct SonyHTTPContentsTests {
    private static func bench(_ change: (inout SonyHTTPScriptedBody) -> Void = { _ in }) -> SonyHTTPBench {
        let bench = SonyHTTPBench { body in
            body.contents = (1...250).reversed().map { SonyHTTPScriptedBody.content($0) }
            change(&body)
        }
        bench.connect()
        return bench
    }

    @Test func `the newest files are listed in pages, and the body returns to shooting`() {
        let bench = Self.bench()
        guard case .files(.listed(let files))? = bench.finish(.files(.list(since: nil, limit: 150))).last else {
            Issue.record("no list: \(bench.reported)")
            return
        }
        #expect(files.count == 150 && files.first?.name == "DSC00250.JPG")
        #expect(files.first?.kinds == [.jpeg, .raw] && files.first?.time == "2014-08-18T12:04:10+09:00")
        #expect(bench.calls.filter { $0 == "getContentList" }.count == 2)
        #expect(bench.body.function == "Remote Shooting" && bench.driver.state.isReadyToShoot)
    }

    @Test func `a list ends at the given time`() {
        let bench = Self.bench()
        guard
            case .files(.listed(let files))? = bench.finish(.files(.list(since: "2014-08-18T12:04", limit: 1000))).last
        else {
            Issue.record("no list: \(bench.reported)")
            return
        }
        #expect(files.count == 11 && bench.calls.filter { $0 == "getContentList" }.count == 1)
    }

    @Test func `files are transferred with all their parts, whatever the policy`() {
        let bench = Self.bench()
        let uri = "image:content?contentId=00240"
        #expect(bench.finish(.files(.get([uri]))).last == .files(.sent(1)))
        #expect(bench.requests.filter { $0.isPicture }.map(\.path) == ["/contents/00240.JPG", "/contents/00240.ARW"])
        #expect(bench.pictures.filter { $0 == .end }.count == 2)
        #expect(bench.body.function == "Remote Shooting")
    }

    @Test func `an unknown file is named`() {
        let bench = Self.bench()
        let events = bench.finish(.files(.get(["image:content?contentId=nothing"])))
        #expect(
            events == [.failed(.other(SonyHTTPContentsSentences.unknownFiles(["image:content?contentId=nothing"])))]
        )
        #expect(bench.body.function == "Remote Shooting")
    }

    @Test func `a body without the function says so`() {
        let bench = Self.bench { $0.missing = ["setCameraFunction"] }
        let events = bench.finish(.files(.list(since: nil, limit: 1)))
        #expect(events == [.failed(.other(SonyHTTPContentsSentences.unsupported))])
    }

    @Test func `a body that never changes its function is an error, and shooting goes on`() throws {
        let bench = Self.bench { $0.twists = ["setCameraFunction": [.noEffect]] }
        let events = bench.finish(.files(.list(since: nil, limit: 1)))
        #expect(events == [.failed(.other(SonyHTTPContentsSentences.functionNotChanged("Contents Transfer")))])
        let ticket = bench.perform(.capture(try ShutterSpeed(parsing: "1/125")))
        bench.run(until: { $0.events(ticket).contains(.captured) }, atMost: .seconds(10))
        #expect(bench.events(ticket).contains(.captured))
    }

    @Test(arguments: ["getSchemeList", "getSourceList", "getContentCount", "getContentList"])
    func `an error of any step is reported, and the body returns to shooting`(method: String) {
        let bench = Self.bench { $0.twists = [method: [.error(41002)]] }
        let error = SonyHTTPError.storageRemoved
        let events = bench.finish(.files(.list(since: nil, limit: 1)))
        #expect(events == [.failed(.other(SonyHTTPContentsSentences.refused(method, error)))])
        #expect(bench.body.function == "Remote Shooting")
    }

    @Test func `a body that claims endless files does not keep the driver`() {
        let bench = Self.bench { $0.twists = ["getContentCount": [.result("[{\"count\":999999999}]")]] }
        guard case .files(.listed(let files))? = bench.finish(.files(.list(since: nil, limit: 1000))).last else {
            Issue.record("no list: \(bench.reported)")
            return
        }
        #expect(files.count == 250)
    }

    @Test func `an entry that is no picture is skipped`() {
        #expect(SonyHTTPContent(["uri": "storage:x", "contentKind": "directory"]) == nil)
        #expect(SonyHTTPContent(["uri": "image:x", "content": ["original": []]]) == nil)
        #expect(SonyHTTPContent(["contentKind": "still"]) == nil)
        #expect(SonyHTTPContent("x") == nil)
    }

    // MARK: Many files, and files that fail

    @Test func `hundreds of files are transferred, and none is dropped`() {
        let bench = Self.bench()
        let uris = (1...250).map { number in SonyHTTPScriptedBody.content(number)["uri"]?.stringValue ?? "" }
        #expect(bench.finish(.files(.get(uris))).last == .files(.sent(250)))
        #expect(bench.pictures.filter { $0 == .end }.count == 500)
    }

    @Test func `a file that was not transferred is counted`() {
        let bench = Self.bench { $0.pictureAnswers = [.head(HTTPHead(status: 404))] }
        let uris = ["image:content?contentId=00240", "image:content?contentId=00241"]
        #expect(
            bench.finish(.files(.get(uris))) == [.failed(.other(SonyHTTPContentsSentences.notSent(1, of: 2)))]
        )
        #expect(bench.pictures.filter { $0 == .end }.count == 3 && bench.body.function == "Remote Shooting")
    }

    @Test func `without space every file is skipped at once`() {
        let bench = Self.bench()
        bench.perform(.keepPictures(PictureRequest(policy: .both, hasRoom: false)))
        let uris = (1...250).map { number in SonyHTTPScriptedBody.content(number)["uri"]?.stringValue ?? "" }
        #expect(
            bench.finish(.files(.get(uris))) == [.failed(.other(SonyHTTPContentsSentences.notSent(250, of: 250)))]
        )
    }

    @Test func `the name and the kind of a file are those of the list`() {
        let bench = Self.bench { $0.contents = [SonyHTTPScriptedBody.content(7, isPlain: true)] }
        #expect(bench.finish(.files(.get(["image:content?contentId=00007"]))).last == .files(.sent(1)))
        let infos = bench.pictures.compactMap { action -> PictureInfo? in
            if case .begin(let info, _) = action { info } else { nil }
        }
        #expect(infos.map(\.name) == ["DSC00007.JPG", "DSC00007.ARW"] && infos.map(\.kind) == [.jpeg, .raw])
    }

    @Test func `files that were requested before a lost link are not transferred after it`() {
        let bench = Self.bench()
        bench.perform(.files(.get(["image:content?contentId=00240"])))
        bench.run(until: { $0.requests.contains { $0.isPicture } })
        bench.perform(.abandon)
        #expect(bench.driver.pictures.isEmpty)
        bench.forget()
        bench.connect()
        bench.run(for: .seconds(30))
        #expect(!bench.requests.contains { $0.isPicture } && bench.driver.state.isReadyToShoot)
    }

    // MARK: Passing errors and slow answers

    @Test(arguments: ["setCameraFunction", "getSchemeList", "getContentCount", "getContentList"])
    func `a call that comes too early is repeated`(method: String) {
        let bench = Self.bench { $0.twists = [method: [.error(40401), .error(40401)]] }
        guard case .files(.listed(let files))? = bench.finish(.files(.list(since: nil, limit: 3))).last else {
            Issue.record("no list: \(bench.reported)")
            return
        }
        #expect(files.count == 3 && bench.body.function == "Remote Shooting")
    }

    @Test func `the way back to shooting is tried again`() {
        let bench = Self.bench()
        let ticket = bench.perform(.files(.list(since: nil, limit: 1)))
        bench.run(until: { $0.calls.contains("getContentList") })
        bench.body.twists = ["setCameraFunction": [.error(1)]]
        bench.run(until: { $0.events(ticket).contains { $0.isLastWord } })
        guard case .files(.listed)? = bench.events(ticket).last else {
            Issue.record("no list: \(bench.reported)")
            return
        }
        #expect(bench.body.function == "Remote Shooting")
    }

    @Test func `a slow list is an error, and the session goes on`() {
        let bench = Self.bench { $0.twists = ["getContentCount": [.silence]] }
        let start = bench.now
        let events = bench.finish(.files(.list(since: nil, limit: 1)))
        #expect(events == [.failed(.other(SonyHTTPContentsSentences.slow("getContentCount")))])
        #expect(bench.now - start >= .seconds(60) && bench.losses.isEmpty)
        #expect(bench.body.function == "Remote Shooting")
    }

    @Test func `a count that is no number is an error`() {
        let bench = Self.bench { $0.twists = ["getContentCount": [.result("[{}]")]] }
        let sentence = SonyHTTPContentsSentences.refused("getContentCount", .illegalResponse)
        #expect(bench.finish(.files(.list(since: nil, limit: 1))) == [.failed(.other(sentence))])
    }
}
