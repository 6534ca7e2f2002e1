import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// The requests of clients for files on the camera's card.
@Suite struct CardFileTests {
    private static let files = [
        CameraFile(uri: "image:content?contentId=2", name: "DSC00002.JPG", kinds: [.jpeg], time: "2026-11-22T02:34:19"),
        CameraFile(uri: "image:content?contentId=1", name: "DSC00001.JPG", kinds: [.jpeg, .raw], time: ""),
    ]

    private static func connected() -> Bench {
        var camera = ScriptedCamera()
        camera.cardFiles = files
        return Bench(camera)
    }

    private static let list = Request.files(.list(since: nil, limit: 100))

    @Test func `the list and the transfer are answered`() {
        var bench = Self.connected()
        let list = bench.ask(Self.list)
        #expect(bench.answers(to: list) == [.reply(.files(.listed(Self.files)), continues: false)])
        let get = bench.ask(.files(.get(["image:content?contentId=2"])))
        #expect(bench.answers(to: get) == [.reply(.files(.sent(1)), continues: false)])
    }

    @Test func `a request is refused during a shoot, and the camera receives nothing`() {
        var bench = Self.connected()
        bench.ask(.shoot(PlanInput(shadow: "1/4", highlight: "1/60", frames: 3, spacing: 1), streams: false))
        let id = bench.ask(Self.list)
        guard case .error(.notNow(command: "GetFiles", state: _, let sentence))? = bench.answers(to: id).first else {
            Issue.record("\(bench.answers(to: id))")
            return
        }
        #expect(sentence.contains("A shoot is running or paused."))
        let get = bench.ask(.files(.get(["image:content?contentId=2"])))
        guard case .error(.notNow(command: "FetchFiles", state: _, sentence: _))? = bench.answers(to: get).first else {
            Issue.record("\(bench.answers(to: get))")
            return
        }
        #expect(!bench.scripted.commands.contains { if case .files = $0 { true } else { false } })
    }

    @Test func `a request without a camera is refused`() {
        var bench = Self.connected()
        bench.camera { camera, now in camera.tell(.lost(.closedByCamera), at: now) }
        let id = bench.ask(Self.list)
        guard case .error(.notConnected)? = bench.answers(to: id).first else {
            Issue.record("\(bench.answers(to: id))")
            return
        }
    }

    @Test func `no shoot begins while files are transferred, and another request waits its turn`() {
        var bench = Self.connected()
        bench.camera { camera, _ in camera.isCardSilent = true }
        let id = bench.ask(Self.list)
        #expect(bench.answers(to: id).isEmpty)
        let shoot = bench.ask(.shoot(PlanInput(), streams: false))
        guard case .error(.notNow(command: _, state: _, let sentence))? = bench.answers(to: shoot).first else {
            Issue.record("\(bench.answers(to: shoot))")
            return
        }
        #expect(sentence.hasPrefix("Files on the camera's card"))
        let second = bench.ask(Self.list)
        #expect(bench.answers(to: second).count == 1)
        // The driver has five minutes for a list.
        bench.pass(.seconds(301))
        #expect(bench.answers(to: id) == [.error(.filesRefused(sentence: "The camera did not report the result."))])
    }
}
