import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// Whatever clients request and whatever happens, each request is answered exactly once.
@Suite struct AnsweringTests {
    /// The possible event with this number. A walk contains each event often.
    private static func step(_ choice: UInt64, _ bench: inout Bench, _ asked: inout [Asked]) {
        func ask(_ request: Request) { asked.append(Asked(id: bench.ask(request))) }
        switch choice % 28 {
        case 0...3: ask(.setProperty(name: "iso", value: "400"))
        case 4: ask(.setProperty(name: "drive", value: "single"))
        case 5: ask(.setProperty(name: "nothing", value: ""))
        case 6, 7: ask(.shoot(ShootingTests.threeFrames, streams: choice % 2 == 0))
        case 8: ask(.retry(streams: true))
        case 9: ask(.pause())
        case 10: ask(.resume)
        case 11: ask(.cancel)
        case 12: ask(.getCamera)
        case 13: bench.camera { camera, now in camera.tell(.lost(.closedByCamera), at: now) }
        case 14: bench.put(.network(choice % 3 == 0 ? .joined(ssid: "A") : .down))
        case 15: bench.put(.network(.joined(ssid: "A")))
        case 16: bench.camera { camera, _ in camera.twists = twists(choice / 28) }
        case 17 where !asked.isEmpty:
            let index = Int(choice / 28 % UInt64(asked.count))
            asked[index].answersWhenItLeft = bench.answers(to: asked[index].id).count
            bench.put(.requestCancelled(asked[index].id))
        case 18: bench.pass(.seconds(200))
        case 19: ask(.connect(.last))
        case 20: ask(.connect(.text(choice / 28 % 2 == 0 ? "127.0.0.1" : "unknown")))
        case 21: ask(.disconnect)
        case 22: ask(.getCameras)
        case 23: ask(.watchCameras)
        case 24: bench.put(.network(.noRoute))
        case 25: ask(.watch)
        case 26: ask(.watchPhotos)
        default: bench.pass(.milliseconds(Int(choice / 28 % 3000)))
        }
    }

    private static func twists(_ choice: UInt64) -> [ScriptedCamera.Deviation] {
        [
            [], [.showPropertyAfter(.seconds(2))], [.ignoreProperty], [.busyOnProperty],
            [.failProperty(.propertyNotWritable(.iso))], [.showPropertyAfter(.seconds(1)), .ignoreSet(2)],
        ][Int(choice % 6)]
    }

    private struct Asked {
        var id: RequestID
        /// The number of answers when the client disconnected, after which no answer may follow; nil: still connected.
        var answersWhenItLeft: Int?
    }

    private static func isLast(_ answer: Bench.Answer) -> Bool {
        if case .reply(_, continues: true) = answer { false } else { true }
    }

    @Test(arguments: 0..<200) func `each request is answered once in any walk`(seed: UInt64) {
        var camera = ScriptedCamera()
        camera.properties = [PropertyState(property: .iso, value: "100", choices: ["100", "400"], isWritable: true)]
        var bench = Bench(camera)
        bench.put(.network(.joined(ssid: "A")))
        var asked: [Asked] = []
        // Knuth's MMIX generator: the same seed gives the same walk.
        var state = seed &* 0x9E37_79B9_7F4A_7C15
        for _ in 0..<60 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            Self.step(state >> 33, &bench, &asked)
        }
        bench.put(.stop)
        bench.pass(.seconds(60))
        #expect(bench.isFinished)
        #expect(!asked.isEmpty)
        for request in asked {
            let answers = bench.answers(to: request.id)
            if let count = request.answersWhenItLeft {
                #expect(answers.count == count, "\(request.id) got an answer after it left")
            } else {
                #expect(answers.count(where: Self.isLast) == 1, "\(request.id) got \(answers)")
                #expect(answers.last.map(Self.isLast) == true)
            }
        }
    }
}
